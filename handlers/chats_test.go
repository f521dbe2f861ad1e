package handlers

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"finsvc/assistant"
	"finsvc/handlers/apitest"
	"finsvc/ledger/tenant"
)

// chatSeen is a chat as a client reads it.
type chatSeen struct {
	ID, Title  string
	Error      *string
	Messages   []messageSeen
	Count      int64  `json:"message_count"`
	Updated    string `json:"updated_at"`
	Pagination struct {
		Page  int
		Count int `json:"total_count"`
		Pages int `json:"total_pages"`
	}
}

type messageSeen struct {
	ID, Role, Content string
	Model             *string
	Status            *string `json:"ai_response_status"`
	Text              *string `json:"ai_response_message"`
}

// decoded is the body of an answer that must have a status.
func decoded[T any](t *testing.T, p apitest.Reply, status int) (out T) {
	t.Helper()
	if err := json.Unmarshal([]byte(p.Text), &out); err != nil || p.StatusCode != status {
		t.Fatalf("got %d %s, want %d (%v)", p.StatusCode, p.Text, status, err)
	}
	return out
}

// newChat makes a chat and remembers its id as Chat, and that of its last message as Last.
func (h *fixture) newChat(t *testing.T, body string) chatSeen {
	t.Helper()
	c := decoded[chatSeen](t, h.call(t, "POST", "/chats", body), 201)
	h.ids["Chat"] = c.ID
	if len(c.Messages) > 0 {
		h.ids["Last"] = c.Messages[len(c.Messages)-1].ID
	}
	return c
}

func (h *fixture) chat(t *testing.T, query string) chatSeen {
	t.Helper()
	return decoded[chatSeen](t, h.as(t, h.readKey, "GET", "/chats/{Chat}"+query, ""), 200)
}

// answer writes the oldest pending answer as a worker would.
func (h *fixture) answer(t *testing.T, text string) {
	t.Helper()
	h.exec(t, `INSERT INTO tool_calls (public_id, household_id, message_id, function_name, function_arguments, function_result, created_at)
		SELECT randomblob(16), household_id, id, 'get_accounts', '{"search": "a\nb"}', '{"accounts":
			[{"balance": "12.50"}]}', updated_at FROM messages WHERE status = 'pending' ORDER BY id LIMIT 1`)
	h.exec(t, `UPDATE messages SET status = 'complete', content = '`+text+`', model = 'builtin', host = '127.0.0.1:11434', input_tokens = 12, output_tokens = 0,
		updated_at = updated_at + 1500 WHERE id = (SELECT id FROM messages WHERE status = 'pending' ORDER BY id LIMIT 1)`)
}

// TestChatsOnTheWire holds what was decided.
//
// Decision, Assistant: POST /chats is 201 with its messages; a title is made of the message; messages are 201 with
// ai_response_status pending; retry is 202.
// Contract, POST /api/v1/chats: title, message, model answer the chat: 201.
// Contract, GET /api/v1/chats: chats and pagination.
// Contract, GET /api/v1/chats/{id}: the chat with a page of its messages, or an error body.
// Contract, POST /api/v1/chats/{id}/messages: content, model answer the message with chat_id, ai_response_status,
// ai_response_message: 201.
// Contract, POST /api/v1/chats/{id}/messages/retry: message and message_id: 202.
func TestChatsOnTheWire(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.golden(t, "chat_create", h.call(t, "POST", "/chats", `{"message":"\n How much  did I spend \ton groceries?\nIn May.","model":" small ","surplus":[1]}`))
	h.newChat(t, `{"title":" Money ","message":"How much?"}`)
	h.answer(t, "Nothing.") // of the first chat
	h.clock.move(time.Minute)
	h.golden(t, "chat_message", h.call(t, "POST", "/chats/{Chat}/messages", `{"content":" And now?\n"}`))
	h.golden(t, "chat_list", h.as(t, h.readKey, "GET", "/chats?per_page=500", ""))
	h.answer(t, "12,50 €")
	h.golden(t, "chat_get", h.as(t, h.readKey, "GET", "/chats/{Chat}?per_page=3", ""))
	h.golden(t, "chat_get_end", h.as(t, h.readKey, "GET", "/chats/{Chat}?per_page=3&page=2", ""))
	h.golden(t, "chat_message_get", h.as(t, h.readKey, "GET", "/chats/{Chat}/messages/{Last}", ""))
	h.golden(t, "chat_retry", h.call(t, "POST", "/chats/{Chat}/messages/retry", ""))
	h.golden(t, "chat_rename", h.call(t, "PATCH", "/chats/{Chat}", `{"title":"Cash","message":7}`))
	h.call(t, "DELETE", "/chats/{Chat}", "").Is(t, 204, "")
	h.call(t, "GET", "/chats/{Chat}", "").Is(t, 404, `{"error":"not_found","message":"Chat not found","details":null}`)
	if got := column(t, h.file, "SELECT count(*) FROM messages"); got[0] != "2" {
		t.Errorf("%s messages are left", got[0])
	}
}

func TestChatTitles(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for body, want := range map[string]string{
		`{"title":"Only"}`:                                 "Only",
		`{"title":"T","message":null,"model":null}`:        "T",
		`{"title":null,"message":"One\r\ntwo"}`:            "One",
		`{"title":" ","message":"a\tb"}`:                   "a b",
		`{"message":"` + strings.Repeat("äx", 50) + `"}`:   strings.Repeat("äx", 40),
		`{"message":"` + strings.Repeat("x", 79) + ` yz"}`: strings.Repeat("x", 79),
		`{"title":"` + strings.Repeat("ä", 255) + `"}`:     strings.Repeat("ä", 255),
	} {
		if got := h.newChat(t, body); got.Title != want {
			t.Errorf("%s: got %q", body, got.Title)
		}
	}
	long := strings.Repeat("😀", assistant.MaxMessage)
	c := h.newChat(t, `{"message":"`+long+`"}`)
	if c.Messages[0].Content != long {
		t.Error("a long message was cut")
	}
	escaped := strings.Repeat(`\ud83d\ude00`, assistant.MaxMessage)
	if got := decoded[messageSeen](t, h.call(t, "POST", "/chats/{Chat}/messages", `{"content":"`+escaped+`"}`), 201); got.Content != long {
		t.Error("a long message in escapes was cut")
	}
}

// TestChatPages: the pages of chats and messages have what they say.
func TestChatPages(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for i := range 5 {
		h.newChat(t, fmt.Sprintf(`{"title":"%d"}`, i))
	}
	for i := range 3 {
		h.call(t, "POST", "/chats/{Chat}/messages", fmt.Sprintf(`{"content":"%d"}`, i)).Is(t, 201, "")
		h.answer(t, "a")
	}
	titles := func(query string) (all []string) {
		for _, c := range decoded[struct{ Chats []chatSeen }](t, h.call(t, "GET", "/chats"+query, ""), 200).Chats {
			all = append(all, fmt.Sprint(c.Title, ":", c.Count))
		}
		return all
	}
	for query, want := range map[string]string{"": "[4:6 3:0 2:0 1:0 0:0]", "?per_page=2&page=2": "[2:0 1:0]", "?per_page=2&page=3": "[0:0]", "?page=9": "[]", "?page=x&per_page=0": "[4:6 3:0 2:0 1:0 0:0]"} {
		if got := fmt.Sprint(titles(query)); got != want {
			t.Errorf("%s: got %s", query, got)
		}
	}
	for query, want := range map[string]string{"": "0 a 1 a 2 a|1 6 1", "?per_page=4": "0 a 1 a|1 6 2", "?per_page=4&page=2": "2 a|2 6 2", "?page=3": "|3 6 1", "?page=0&per_page=-3": "0 a 1 a 2 a|1 6 1"} {
		c := h.chat(t, query)
		var texts []string
		for _, m := range c.Messages {
			texts = append(texts, m.Content)
		}
		if got := fmt.Sprintf("%s|%d %d %d", strings.Join(texts, " "), c.Pagination.Page, c.Pagination.Count, c.Pagination.Pages); got != want {
			t.Errorf("%s: got %s", query, got)
		}
	}
}

// chatRoutes is every operation on chats, with a good body.
func chatRoutes() [][3]string {
	return [][3]string{
		{"GET", "/chats", ""}, {"POST", "/chats", `{"title":"x"}`}, {"GET", "/chats/{Chat}", ""}, {"PATCH", "/chats/{Chat}", `{"title":"x"}`},
		{"POST", "/chats/{Chat}/messages", `{"content":"x"}`}, {"POST", "/chats/{Chat}/messages/retry", ""}, {"GET", "/chats/{Chat}/messages/{Last}", ""},
		{"GET", "/chats/{Chat}/messages/{Last}/stream", ""}, {"POST", "/chats/{Chat}/messages/{Last}/cancel", ""}, {"DELETE", "/chats/{Chat}", ""},
	}
}

// TestChatsArePrivate: neither another member of the household nor a neighbour gets at a chat.
//
// Decision, Assistant: a chat belongs to a user.
// Contract, POST /api/v1/chats/{id}/messages: two errors: no such chat, or what is wrong with the fields.
// Contract, POST /api/v1/chats/{id}/messages/retry: two errors: no such chat, or nothing to retry.
func TestChatsArePrivate(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.newChat(t, `{"message":"secret"}`)
	member := h.member(t)
	before := h.print(t)
	for _, key := range []string{member, h.neighbour} {
		for _, c := range chatRoutes()[2:] {
			h.as(t, key, c[0], c[1], c[2]).Is(t, 404, `{"error":"not_found","message":"Chat not found","details":null}`)
		}
		h.as(t, key, "GET", "/chats", "").Is(t, 200, `{"chats":[],"pagination":{"page":1,"per_page":25,"total_count":0,"total_pages":1}}`)
	}
	for _, c := range chatRoutes() {
		if c[0] == "GET" {
			continue
		}
		if p := h.as(t, h.readKey, c[0], c[1], c[2]); p.StatusCode != 403 || p.Code() != "insufficient_scope" {
			t.Errorf("%s %s with a key that may read: %d %s", c[0], c[1], p.StatusCode, p.Text)
		}
	}
	if h.print(t) != before {
		t.Error("something was written")
	}
	h.ids["Other"] = decoded[chatSeen](t, h.as(t, member, "POST", "/chats", `{"message":"x"}`), 201).Messages[1].ID
	for _, id := range []string{"{Other}", "7", "00000000-0000-7000-8000-000000000000", "{Chat}"} {
		for _, c := range [][2]string{{"GET", ""}, {"GET", "/stream"}, {"POST", "/cancel"}} {
			h.call(t, c[0], "/chats/{Chat}/messages/"+id+c[1], "").Is(t, 404, `{"error":"not_found","message":"Message not found","details":null}`)
		}
		h.call(t, "GET", "/chats/7/messages/"+id, "").Is(t, 404, `{"error":"not_found","message":"Chat not found","details":null}`)
	}
}

// member adds a person to the household and gives them a key.
func (h *fixture) member(t *testing.T) string {
	t.Helper()
	who := h.home(t)
	user, err := h.ledger.Tenants.CreateUser(t.Context(), who, tenant.UserInput{Email: "bo@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	key, _, err := h.ledger.Keys.CreateAPIKey(t.Context(), who, tenant.KeyInput{UserEmail: user.Email, RateLimit: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// TestChatsSwitchedOff: by the household or for the whole service.
//
// Decision, Errors: 403 feature_disabled: the assistant is switched off.
// Decision, Assistant: switched off: 403 feature_disabled.
func TestChatsSwitchedOff(t *testing.T) {
	t.Parallel()
	for name, off := range map[string]func(*fixture){
		"for a household": func(h *fixture) { h.exec(t, "UPDATE households SET assistant = 0 WHERE name = 'Home'") },
		"for all":         func(h *fixture) { h.assistant.Off = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newFixture(t)
			h.newChat(t, `{"message":"x"}`)
			off(h)
			before := h.print(t)
			for _, c := range append(chatRoutes(), [3]string{"POST", "/chats/{Chat}/messages", `{"content":""}`}, [3]string{"GET", "/chats/{their Food}", ""}) {
				h.call(t, c[0], c[1], c[2]).Is(t, 403, `{"error":"feature_disabled","message":"AI features are not enabled for this user","details":null}`)
			}
			if h.print(t) != before {
				t.Error("something was written")
			}
			if p := h.as(t, h.neighbour, "GET", "/chats", ""); (p.StatusCode == 200) != (name == "for a household") {
				t.Errorf("the neighbour: %d %s", p.StatusCode, p.Text)
			}
		})
	}
}

// TestBadChatFields holds what was decided.
//
// Contract, POST /api/v1/chats: failures are error bodies.
func TestBadChatFields(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.newChat(t, `{"title":"Old"}`)
	long := quoted(strings.Repeat("ä", assistant.MaxMessage+1))
	texts := []string{long, `"a\u0000b"`, `"a\u001bb"`, `"a\u0085b"`, "7", "true", "[]", "{}", `["a"]`}
	for _, c := range []struct {
		method, path, field string
		least               members
		bad                 []string
	}{
		{"POST", "/chats", "title", nil, append(badLines(), "", "null", `""`, `"  "`)},
		{"POST", "/chats", "message", nil, texts},
		{"POST", "/chats", "model", members{"message": `"x"`}, badLines()},
		{"PATCH", "/chats/{Chat}", "title", nil, append(badLines(), "null", `""`, `"  "`)},
		{"POST", "/chats/{Chat}/messages", "content", nil, append(texts, "", "null", `""`, `" \n\t "`)},
		{"POST", "/chats/{Chat}/messages", "model", members{"content": `"x"`}, badLines()},
	} {
		for _, text := range c.bad {
			h.refuses(t, unprocessable(c.field), c.method, c.path, "{"+c.least.with(c.field, text)+"}")
		}
	}
	p := h.call(t, "POST", "/chats/{Chat}/messages", `{"content":`+long+`,"model":7}`)
	p.Is(t, 422, `{"error":"validation_failed","message":"model must be text, got a number; content must have at most 100000 characters, has 100001",`+
		`"details":["model must be text, got a number","content must have at most 100000 characters, has 100001"],"errors":["model must be text, got a number","content must have at most 100000 characters, has 100001"]}`)
	for _, path := range []string{"/chats", "/chats/{Chat}/messages"} {
		for _, body := range []string{"[]", `{"content":"x"`, `{"content":"x","content":"y"}`, "{\"content\":\"\xff\"}", `{"content":"\ud800"}`, `7`} {
			h.refuses(t, refusal{400, "bad_request", ""}, "POST", path, body, "Content-Type: application/json")
		}
	}
	h.refuses(t, refusal{422, "content_too_large", ""}, "POST", "/chats", `{"message":"`+strings.Repeat("x", messageBodyMax)+`"}`)
	h.call(t, "PATCH", "/chats/{Chat}", `{}`).Is(t, 200, "")
	if got := h.chat(t, ""); got.Title != "Old" || got.Updated != "2026-08-22T12:00:00.000Z" {
		t.Errorf("got %+v", got)
	}
}
