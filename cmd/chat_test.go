package cmd_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"

	"finsvc/assistant/aitest"
	"finsvc/cmd"
)

const aiKey = "sk-shell-0123456789"

// newTalk is a shell with a household and a provider that answers by the steps.
func newTalk(t *testing.T, steps ...aitest.Step) (*cmdtest.CommandLine, *aitest.Server) {
	t.Helper()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org", "--currency", "EUR")
	provider := aitest.New(t, steps...)
	s.Env = append(s.Env, "FINSVC_AI_URL="+provider.URL, "FINSVC_AI_MODEL=small", "FINSVC_AI_KEY="+aiKey)
	return s, provider
}

func TestChat(t *testing.T) {
	t.Parallel()
	s, provider := newTalk(t, aitest.Use(aitest.Tool{Name: "get_accounts", Arguments: `{}`}), aitest.Say("You have ", "no accounts."), aitest.Say("Still none."))
	got := s.Do("chat", "What", "do I have?")
	if got.Status != 0 || got.Stdout != "You have no accounts.\n" || !strings.Contains(got.Stderr, "→ get_accounts {}\n") {
		t.Fatalf("status %d, printed %q, said %q", got.Status, got.Stdout, got.Stderr)
	}
	if q := provider.Requests()[0]; q.Last() != "What do I have?" || q.Header.Get("Authorization") != "Bearer "+aiKey {
		t.Errorf("asked %s", q.Body)
	}
	chats := s.List("chat", "list")
	if len(chats) != 1 || chats[0]["title"] != "What do I have?" || chats[0]["message_count"] != 2.0 || chats[0]["error"] != nil {
		t.Fatalf("chats %v", chats)
	}
	id, _ := chats[0]["id"].(string)
	if !strings.Contains(got.Stderr, "finsvc chat --chat "+id) {
		t.Errorf("does not say how to go on: %q", got.Stderr)
	}
	answer := s.Object(0, "chat", "And now?", "--chat", id, "--model", "large")
	if answer["content"] != "Still none." || answer["status"] != "complete" || answer["model"] != "large" || answer["chat_id"] != id || answer["input_tokens"] != 100.0 {
		t.Errorf("answer %v", answer)
	}
	show := s.OK("chat", "show", id)
	for _, want := range []string{"You, ", "  What do I have?\n", "Assistant (small), ", "  You have no accounts.\n", "  Still none.\n"} {
		if !strings.Contains(show, want) {
			t.Errorf("no %q in %s", want, show)
		}
	}
	whole := s.Object(0, "chat", "show", id)
	messages, _ := whole["messages"].([]any)
	if len(messages) != 4 || len(messages[1].(map[string]any)["tool_calls"].([]any)) != 1 {
		t.Errorf("chat %v", whole)
	}
	s.OK("chat", "delete", id)
	s.Fails(5, []string{"chat", "show", id}, "Chat not found")
	s.Fails(5, []string{"chat", "delete", id}, "Chat not found")
	s.Fails(5, []string{"chat", "More?", "--chat", id}, "Chat not found")
}

// Where a model cannot call tools, the figures are looked up for it, and that is kept and shown as with any other.
func TestChatWithoutTools(t *testing.T) {
	t.Parallel()
	tools := func(q aitest.Request) bool { return len(q.Tools) > 0 }
	s, provider := newTalk(t, aitest.Refuse(tools, 400, "{}", aitest.Say("You have 12.50 EUR.")))
	s.OK("account", "create", "Giro", "--type", "depository", "--balance", "12.50", "--date", "2026-01-01")
	for range 2 {
		answer := s.Object(0, "chat", "What is my net worth?")
		if calls, _ := answer["tool_calls"].([]any); answer["content"] != "You have 12.50 EUR." || answer["model"] != "small" || len(calls) == 0 {
			t.Errorf("answer %v", answer)
		}
		all := provider.Requests()
		if last := all[len(all)-1].Last(); !strings.HasPrefix(last, "Figures from the household's books:\nget_") || !strings.Contains(last, "12.50") || !strings.HasSuffix(last, "\n\nWhat is my net worth?") {
			t.Errorf("asked %s", last)
		}
	}
}

// A server on the same file has the chat at once, and may be the one that answers.
func TestChatWhileAServerRuns(t *testing.T) {
	t.Parallel()
	s, _ := newTalk(t, aitest.Say("Yes."))
	key := s.OK("apikey", "create")
	r := s.Serve()
	if got := s.OK("chat", "Is it?"); got != "Yes.\n" {
		t.Errorf("answered %q", got)
	}
	if status, body := r.Get("/api/v1/chats", key); status != 200 || !strings.Contains(body, `"title":"Is it?"`) {
		t.Errorf("%d %s", status, body)
	}
	r.End()
	if log := r.Stderr.String(); strings.Contains(log, aiKey) || !strings.Contains(log, `"msg":"questions go to a provider","host":"127.0.0.1`) {
		t.Errorf("log %s", log)
	}
}

func TestChatFails(t *testing.T) {
	t.Parallel()
	s, _ := newTalk(t, aitest.Fail(401, `{"error":{"message":"`+aiKey+`"}}`))
	got := s.Do("chat", "Is it?")
	if got.Status != 1 || got.Stdout != "" || !strings.Contains(got.Stderr, "finsvc: The AI provider is not configured correctly.") || strings.Contains(got.Stderr, aiKey) {
		t.Errorf("status %d, printed %q, said %q", got.Status, got.Stdout, got.Stderr)
	}
	answer := s.Object(1, "chat", "Is it?")
	if answer["status"] != "failed" || answer["error"] != "The AI provider is not configured correctly. Please contact your administrator." {
		t.Errorf("answer %v", answer)
	}
}

// Ctrl-C gives up the answer; it does not wait for somebody to finish it.
func TestChatInterrupted(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	s, _ := newTalk(t, func(w http.ResponseWriter, r *http.Request, q aitest.Request) {
		close(asked)
		aitest.Hang("It")(w, r, q)
	})
	ctx, interrupt := context.WithCancel(t.Context())
	go func() {
		<-asked
		interrupt()
	}()
	var stdout, stderr cmdtest.Buffer
	status := cmd.Main(ctx, []string{"chat", "Is it?"}, s.Environ(), strings.NewReader(""), &stdout, &stderr)
	if status != 1 || !strings.Contains(stderr.String(), "finsvc: interrupted") {
		t.Errorf("status %d: %s", status, stderr.String())
	}
	id, _ := s.List("chat", "list")[0]["id"].(string)
	messages, _ := s.Object(0, "chat", "show", id)["messages"].([]any)
	if answer := messages[1].(map[string]any); answer["status"] != "failed" {
		t.Errorf("answer %v", answer)
	}
}

func TestChatReadsStandardInput(t *testing.T) {
	t.Parallel()
	s, provider := newTalk(t, aitest.Say("Yes."))
	var stdout, stderr cmdtest.Buffer
	status := cmd.Main(t.Context(), []string{"chat", "-"}, s.Environ(), strings.NewReader("Is\nit?\n"), &stdout, &stderr)
	if status != 0 || stdout.String() != "Yes.\n" || provider.Requests()[0].Last() != "Is\nit?" {
		t.Errorf("status %d: %s", status, stderr.String())
	}
}

func TestChatOfWhom(t *testing.T) {
	t.Parallel()
	s, _ := newTalk(t, aitest.Say("Yes."))
	s.OK("user", "create", "bo@example.org")
	if got := s.Do("chat", "Was it?"); got.Status != 0 || got.Stdout != "Yes.\n" || !strings.Contains(got.Stderr, "Asking as ana@example.org, the first admin of household \"Home\"; --user EMAIL asks as somebody else of it: bo@example.org.") {
		t.Errorf("status %d, printed %q, said %q", got.Status, got.Stdout, got.Stderr)
	}
	s.Fails(5, []string{"chat", "Is it?", "--user", "cy@example.org"}, `Active user "cy@example.org" not found; there are ana@example.org, bo@example.org`)
	if got := s.Do("apikey", "create", "phone"); got.Status != 0 || !strings.HasPrefix(got.Stderr, "--user EMAIL makes one for somebody else: bo@example.org.\n") {
		t.Errorf("a key: %+v", got)
	}
	s.OK("chat", "Is it?", "--user", "Bo@example.org")
	if list := s.List("chat", "list", "--user", "ana@example.org"); len(list) != 1 || list[0]["title"] != "Was it?" {
		t.Errorf("Ana sees %v", list)
	}
	if list := s.List("chat", "list"); len(list) != 1 || list[0]["title"] != "Was it?" {
		t.Errorf("without --user there are %v", list)
	}
	// A chat that is named says whose it is.
	id, _ := s.List("chat", "list", "--user", "bo@example.org")[0]["id"].(string)
	if got := s.Do("chat", "And now?", "--chat", id); got.Status != 0 || strings.Contains(got.Stderr, "Asking as") {
		t.Errorf("status %d, said %q", got.Status, got.Stderr)
	}
	if show := s.OK("chat", "show", id); !strings.Contains(show, "And now?") {
		t.Errorf("shows %s", show)
	}
	s.Fails(5, []string{"chat", "show", id, "--user", "ana@example.org"}, "Chat not found")
	s.OK("chat", "delete", id)
	s.OK("household", "create", "Club", "--owner", "cy@example.org", "--currency", "CHF")
	s.Fails(2, []string{"chat", "list"}, "--household")
	s.OK("chat", "list", "--user", "cy@example.org")
	s.Fails(5, []string{"chat", "list", "--household", "Home", "--user", "cy@example.org"}, "cy@example.org")
}

// The first word of a question may be the name of a command.
func TestChatQuestionsLikeCommands(t *testing.T) {
	t.Parallel()
	s, provider := newTalk(t, aitest.Say("Yes."))
	for _, c := range []struct{ args, asked string }{
		{"show me all my expenses", "show me all my expenses"},
		{"list my accounts", "list my accounts"},
		{"test whether I spent more in May", "test whether I spent more in May"},
		{"show transactions", "show transactions"},
		{"--model large show me all", "show me all"},
		{"show me --json all", "show me all"},
		{"delete nothing of it", "delete nothing of it"},
		{"-- list of purchases", "list of purchases"},
	} {
		if got := s.Do(append([]string{"chat"}, strings.Fields(c.args)...)...); got.Status != 0 || !strings.Contains(got.Stdout, "Yes.") {
			t.Errorf("%s: status %d, printed %q, said %q", c.args, got.Status, got.Stdout, got.Stderr)
		}
		all := provider.Requests()
		if asked := all[len(all)-1].Last(); asked != c.asked {
			t.Errorf("%s: asked %q", c.args, asked)
		}
	}
	if n := len(s.List("chat", "list")); n != 8 {
		t.Errorf("%d chats", n)
	}
	if n := len(s.List("--data", s.File, "chat", "list")); n != 8 {
		t.Errorf("%d chats", n)
	}
}

func TestChatWrongly(t *testing.T) {
	t.Parallel()
	s, provider := newTalk(t, aitest.Say("Yes."))
	s.Fails(2, []string{"chat"}, "write a question")
	s.Fails(2, []string{"chat", ""}, "message")
	s.Fails(2, []string{"chat", "-"}, "message")
	s.Fails(2, []string{"chat", "x\x00y"}, "message")
	s.Fails(2, []string{"chat", strings.Repeat("x", 100_001)}, "message")
	s.Fails(2, []string{"chat", "show"}, "arg")
	for _, args := range [][]string{{"chat", "show", "7"}, {"chat", "delete", "7"}, {"chat", "Is it?", "--chat", "7"}} {
		s.Fails(2, args, `"7" is not the id of a chat`)
	}
	s.Fails(4, []string{"chat", "Is it?", "--assistant", "off"}, "AI features are not enabled")
	if list, n := s.List("chat", "list"), len(provider.Requests()); len(list) != 0 || n != 0 {
		t.Errorf("chats %v, %d requests", list, n)
	}
	s.Env = append(s.Env, "FINSVC_ASSISTANT=off")
	s.Fails(4, []string{"chat", "list"}, "AI features are not enabled")
}

// What is wrong with the settings is said before anything is sent.
//
// Decision, Assistant: settings by flag and environment, the key by a variable or a file.
func TestAISettings(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		env    []string
		args   []string
		status int
		word   string
	}{
		{[]string{"FINSVC_AI_URL=localhost:11434"}, nil, 2, "FINSVC_AI_URL must be an address of http or https such as http://localhost:11434/v1"},
		{nil, []string{"--ai-url", "ftp://localhost"}, 2, "must be an address of http or https"},
		{nil, []string{"--ai-url", "http://ana:secret@localhost"}, 2, "without a user"},
		{nil, []string{"--ai-url", "http://localhost:1"}, 2, "--ai-model qwen3:8b"},
		{nil, []string{"--ai-model", "small"}, 2, "--ai-url http://localhost:11434/v1"},
		{[]string{"FINSVC_AI_TIMEOUT=soon"}, nil, 2, "FINSVC_AI_TIMEOUT must be a time from 1s to 1h"},
		{nil, []string{"--ai-timeout", "2h"}, 2, "must be a time from 1s to 1h"},
		{nil, []string{"--ai-context", "100"}, 2, "must be a whole number from 4096"},
		{[]string{"FINSVC_AI_ROUNDS=0"}, nil, 2, "FINSVC_AI_ROUNDS must be a whole number from 1 to 50"},
		{[]string{"FINSVC_ASSISTANT=maybe"}, nil, 2, "FINSVC_ASSISTANT must be on or off"},
		{[]string{"FINSVC_ASSISTANT_LOCAL_ONLY=1"}, nil, 2, "FINSVC_ASSISTANT_LOCAL_ONLY must be on or off"},
		{nil, []string{"--ai-url", "http://localhost:1", "--ai-model", "m", "--ai-key-file", filepath.Join(folder, "none")}, 5, "read the key"},
		{nil, []string{"--ai-url", "http://localhost:1", "--ai-model", "m", "--ai-key-file", file("empty", "\n", 0o600)}, 2, "must have the provider's key"},
		{nil, []string{"--ai-url", "http://localhost:1", "--ai-model", "m", "--ai-key-file", file("long", strings.Repeat("x", 5000), 0o600)}, 2, "must have the provider's key"},
		{nil, []string{"--ai-url", "http://localhost:1", "--ai-model", "m", "--ai-key-file", file("two", "a b", 0o600)}, 2, "Key must be one line"},
		{[]string{"FINSVC_AI_KEY=" + aiKey}, []string{"--ai-url", "http://localhost:1", "--ai-model", "m", "--ai-key-file", file("one", "x", 0o600)}, 2, "set twice"},
	} {
		s := cmdtest.NewCommandLine(t)
		s.Env = append(s.Env, c.env...)
		got := s.Do(append([]string{"chat", "test"}, c.args...)...)
		if got.Status != c.status || got.Stdout != "" || !strings.Contains(got.Stderr, c.word) || strings.Contains(got.Stderr, aiKey) {
			t.Errorf("%v %v: status %d, want %d; said %q, want %q", c.env, c.args, got.Status, c.status, got.Stderr, c.word)
		}
	}
	provider := aitest.New(t, aitest.Say("One, ", "two."))
	s := cmdtest.NewCommandLine(t)
	got := s.Do("chat", "test", "--ai-url", provider.URL, "--ai-model", "small", "--ai-key-file", file("open", aiKey+"\n", 0o644))
	if got.Status != 0 || !strings.Contains(got.Stderr, "chmod 600") || provider.Requests()[0].Header.Get("Authorization") != "Bearer "+aiKey {
		t.Errorf("status %d, said %q", got.Status, got.Stderr)
	}
	// A server does not start with settings that cannot work.
	s.Fails(2, []string{"serve", "--listen", "127.0.0.1:0", "--ai-url", provider.URL}, "--ai-model")
}

func TestChatTest(t *testing.T) {
	t.Parallel()
	long, tool := aitest.Say("one, two, ", "three"), aitest.Use(aitest.Tool{Name: "get_test_figure", Arguments: "{}"})
	noTools := func(q aitest.Request) bool { return len(q.Tools) > 0 }
	for name, c := range map[string]struct {
		steps  []aitest.Step
		args   []string
		status int
		want   map[string]any
	}{
		"all is well":    {[]aitest.Step{long, tool}, nil, 0, map[string]any{"answers": true, "streams": true, "tools": "called", "local": true, "context": 4096.0, "error": nil}},
		"one piece":      {[]aitest.Step{aitest.Say("one"), tool}, nil, 0, map[string]any{"answers": true, "streams": false, "tokens_per_second": nil}},
		"ignores tools":  {[]aitest.Step{long}, nil, 0, map[string]any{"answers": true, "tools": "not_called"}},
		"refuses tools":  {[]aitest.Step{aitest.Refuse(noTools, 400, "{}", long)}, nil, 0, map[string]any{"answers": true, "tools": "refused"}},
		"fails on tools": {[]aitest.Step{aitest.Refuse(noTools, 500, "{}", long)}, nil, 1, map[string]any{"answers": true, "tools": "failed"}},
		"no such model":  {[]aitest.Step{aitest.Fail(404, `{"error":{"message":"pull it first"}}`)}, []string{"--ai-context", "8192"}, 1, map[string]any{"answers": false, "streams": false, "tools": "unknown", "context": 8192.0}},
		"says nothing":   {[]aitest.Step{aitest.Say("")}, nil, 1, map[string]any{"answers": false}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := cmdtest.NewCommandLine(t) // without a database
			provider := aitest.New(t, c.steps...)
			args := append([]string{"chat", "test", "--ai-url", provider.URL, "--ai-model", "small"}, c.args...)
			got := s.Object(c.status, args...)
			for member, want := range c.want {
				if got[member] != want {
					t.Errorf("%s is %v, want %v", member, got[member], want)
				}
			}
			if text := s.Do(args...); strings.Count(text.Stdout, "\n") < 5 || strings.Count(text.Stdout, "\n") > 10 {
				t.Errorf("said %s", text.Stdout)
			}
		})
	}
	s := cmdtest.NewCommandLine(t)
	got := s.Do("chat", "test", "--ai-url", aitest.New(t, aitest.Fail(404, `{"error":{"message":"pull it first"}}`)).URL, "--ai-model", "small")
	if !strings.Contains(got.Stderr, `"pull it first" (people are told: The AI provider is not configured correctly`) {
		t.Errorf("said %q", got.Stderr)
	}
	if text := s.OK("chat", "test"); !strings.Contains(text, "none: the program answers itself") {
		t.Errorf("said %s", text)
	}
	if got := s.Object(0, "chat", "test"); got["model"] != "builtin" || got["url"] != nil {
		t.Errorf("got %v", got)
	}
	if got := s.Do("chat", "test", "--ai-url", "http://192.0.2.1", "--ai-model", "m", "--assistant-local-only"); got.Status != 1 || !strings.Contains(got.Stderr, "neither loopback nor private") {
		t.Errorf("status %d, said %q", got.Status, got.Stderr)
	}
}
