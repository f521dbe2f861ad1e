package handlers

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"finsvc/assistant"
	"finsvc/handlers/wire"
	"finsvc/queries"
)

// told is one event of an answer in short: name, id and what it brings.
func told(t testing.TB, stream io.Reader) (list []string) {
	t.Helper()
	var name, id string
	lines := bufio.NewScanner(stream)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		field, data, _ := strings.Cut(lines.Text(), ": ")
		switch field {
		case "event":
			name = data
		case "id":
			id = data
		case "data":
			list = append(list, strings.TrimSpace(name+" "+id+" "+brings(t, data)))
		case "":
		default:
			t.Errorf("a line %q", lines.Text())
		}
	}
	if err := lines.Err(); err != nil {
		t.Error(err)
	}
	return list
}

func brings(t testing.TB, data string) string {
	t.Helper()
	var e struct {
		Text, Content string
		Function      string `json:"function_name"`
		Status        string `json:"ai_response_status"`
	}
	if err := json.Unmarshal([]byte(data), &e); err != nil {
		t.Errorf("%q: %v", data, err)
	}
	return e.Text + e.Function + strings.TrimSpace(e.Status+" "+e.Content)
}

// teller is what tells a client, into a recorder.
func teller(after string) (*answerEvents, *httptest.ResponseRecorder) {
	w := httptest.NewRecorder()
	a := wire.NewAnswer(wire.NewPools(), w, httptest.NewRequest("GET", "/", nil))
	return &answerEvents{Events: a.Events(), position: after}, w
}

// growing is a state of an answer with calls of tools named by letters.
func growing(status, calls, text string) assistant.Answer {
	now := assistant.Answer{Message: queries.Message{Role: "assistant", Status: status, Content: text}}
	for i := range len(calls) {
		now.Calls = append(now.Calls, queries.ToolCall{PublicID: queries.PublicID{calls[i]}, FunctionName: calls[i : i+1], FunctionArguments: "{\n}"})
	}
	return now
}

// TestAnswerIsToldAsItGrows: each event brings what is new, and a text or calls that are void are taken back.
func TestAnswerIsToldAsItGrows(t *testing.T) {
	t.Parallel()
	e, w := teller("")
	for i, c := range []struct{ status, calls, text, want string }{
		{"pending", "", "", "[]"},
		{"pending", "", "Let me", "[text 0-6 Let me]"},
		{"pending", "", "Let me see", "[text 0-10  see]"},
		{"pending", "a", "", "[reset 0-0 tool_call 1-0 a]"},
		{"pending", "ab", "It is", "[tool_call 2-0 b text 2-5 It is]"},
		{"pending", "ab", "It is 5 €", "[text 2-11  5 €]"},
		{"pending", "ab", "It is 5 €", "[]"},
		{"pending", "", "", "[reset 0-0]"}, // begun anew
		{"pending", "cd", "", "[tool_call 1-0 c tool_call 2-0 d]"},
		{"pending", "ce", "", "[reset 0-0 tool_call 1-0 c tool_call 2-0 e]"},
		{"complete", "ce", "No.", "[text 2-3 No. done 2-3 complete No.]"},
	} {
		now := growing(c.status, c.calls, c.text)
		e.settled = func() (assistant.Message, error) { return now, nil }
		w.Body.Reset()
		if err := e.send(&now); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(told(t, w.Body)); got != c.want {
			t.Errorf("%d: got %s, want %s", i, got, c.want)
		}
	}
}

// TestAnswerIsTakenUpAgain: a client that comes back gets what it lacks, or all anew where what it has is void.
func TestAnswerIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	const all = "tool_call 1-0 a tool_call 2-0 b text 2-5 a€b"
	for after, want := range map[string]string{
		"": all, "0-0": all, "1-0": "tool_call 2-0 b text 2-5 a€b", "2-0": "text 2-5 a€b", "2-1": "text 2-5 €b", "2-4": "text 2-5 b", "2-5": "",
		"x": all, "1": all, "-1-2": all, "1--2": all, "1-2-3": all, "2-99999999999999999999": all,
		"2-2": "reset 0-0 " + all, "2-6": "reset 0-0 " + all, "3-0": "reset 0-0 " + all, "1-1": "reset 0-0 " + all, "0-5": "reset 0-0 " + all,
	} {
		e, w := teller(after)
		now := growing("pending", "ab", "a€b")
		if err := e.send(&now); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(told(t, w.Body), " "); got != want {
			t.Errorf("after %q: got %s, want %s", after, got, want)
		}
	}
}

// FuzzPosition: whatever a client claims to have, it is told without harm, and once.
func FuzzPosition(f *testing.F) {
	for _, after := range []string{"", "0-0", "2-3", "9-9", "-", "--", "1e3-0", " 1-1"} {
		f.Add(after, "ab", "a€b")
	}
	f.Fuzz(func(t *testing.T, after, calls, text string) {
		e, w := teller(after)
		now := growing("pending", calls, text)
		if err := e.send(&now); err != nil || e.text != text || len(e.calls) != len(calls) {
			t.Errorf("%v: %d calls and %q are shown", err, len(e.calls), e.text)
		}
		w.Body.Reset()
		if _ = e.send(&now); w.Body.Len() > 0 {
			t.Errorf("told twice: %q", w.Body)
		}
	})
}

// TestChatStream listens over HTTP from before the answer until its end, and afterwards.
//
// Decision, Assistant: GET /chats/{id}/messages/{message}/stream.
func TestChatStream(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.newChat(t, `{"message":"x"}`)
	h.exec(t, "UPDATE messages SET content = 'Half' WHERE status = 'pending'")
	stream := func(headers ...string) *http.Response {
		return h.listenTo(t.Context(), t, "/chats/{Chat}/messages/{Last}/stream", headers...)
	}
	live := stream()
	first := make([]byte, len(": connected\n\n"))
	if _, err := io.ReadFull(live.Body, first); err != nil || string(first) != ": connected\n\n" {
		t.Fatalf("%q, %v", first, err)
	}
	half := make([]byte, len("event: text\nid: 0-4\ndata: {\"text\":\"Half\"}\n\n"))
	if _, err := io.ReadFull(live.Body, half); err != nil || string(half) != "event: text\nid: 0-4\ndata: {\"text\":\"Half\"}\n\n" {
		t.Fatalf("%q, %v", half, err)
	}
	h.answer(t, "Half of it")
	const end = "tool_call 1-4 get_accounts text 1-10  of it done 1-10 complete Half of it"
	if got := strings.Join(told(t, live.Body), " "); got != end {
		t.Errorf("got %s", got)
	}
	for after, want := range map[string]string{"1-10": "done 1-10 complete Half of it", "1-4": "text 1-10  of it done 1-10 complete Half of it"} {
		if got := strings.Join(told(t, h.listenTo(t.Context(), t, "/chats/{Chat}/messages/{Last}/stream?after="+after, "Last-Event-ID: 0-0").Body), " "); got != want {
			t.Errorf("after %s: got %s", after, got)
		}
		if got := strings.Join(told(t, stream("Last-Event-ID: "+after).Body), " "); got != want {
			t.Errorf("after %s: got %s", after, got)
		}
	}
	whole, err := io.ReadAll(stream().Body)
	if err != nil {
		t.Fatal(err)
	}
	message := h.call(t, "GET", "/chats/{Chat}/messages/{Last}", "").Text
	if done := "event: done\nid: 1-10\ndata: " + strings.ReplaceAll(message, "\n", " ") + "\n\n"; !strings.HasSuffix(string(whole), done) {
		t.Errorf("got %s\nwant at its end %s", whole, done)
	}
	h.as(t, h.readKey, "HEAD", "/chats/{Chat}/messages/{Last}/stream", "").Is(t, 200, "")
	h.call(t, "GET", "/chats/{Chat}/messages/{Last}/stream?after=a%00", "").Is(t, 422, "")
}

// TestChatStreamEnds: a cancelled answer is done, one that is replaced or deleted is gone.
func TestChatStreamEnds(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"/messages/{Last}/cancel": "done 0-0 failed", "/messages/retry": ""} {
		h := newFixture(t)
		h.newChat(t, `{"message":"x"}`)
		stream := h.listenTo(t.Context(), t, "/chats/{Chat}/messages/{Last}/stream")
		if p := h.call(t, "POST", "/chats/{Chat}"+path, ""); p.StatusCode >= 300 {
			t.Fatal(p.Text)
		}
		if got := strings.Join(told(t, stream.Body), " "); got != want {
			t.Errorf("%s: got %q", path, got)
		}
	}
}
