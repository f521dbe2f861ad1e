package provider_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"finsvc/assistant/aitest"
	"finsvc/assistant/model"
	"finsvc/assistant/provider"
	"finsvc/ledger"
)

const testKey = "sk-test-0123456789"

// remote makes a client of a stand-in; change changes its options.
func remote(t testing.TB, url string, change ...func(*provider.Options)) *provider.Client {
	t.Helper()
	o := provider.Options{URL: url, Key: testKey, Model: "small", Timeout: time.Minute}
	for _, f := range change {
		f(&o)
	}
	r, err := provider.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// promptOf is a prompt with a system's turn and a tool.
func promptOf(text string) model.Prompt {
	return model.Prompt{
		Today: ledger.NewDate(2026, 5, 4),
		Turns: []model.Turn{{Role: model.RoleSystem, Text: "Be brief."}, {Role: model.RoleUser, Text: text}},
		Tools: []model.Tool{{Name: "get_accounts", Description: "All accounts.", Parameters: json.RawMessage(`{"type":"object","properties":{}}`)}},
	}
}

// heard asks and gives the reply with the pieces in which it came.
func heard(t testing.TB, r *provider.Client, p model.Prompt) (model.Reply, []string, error) {
	t.Helper()
	var pieces []string
	reply, err := r.Reply(t.Context(), p, func(text string) error {
		pieces = append(pieces, text)
		return nil
	})
	return reply, pieces, err
}

// TestRemoteStreams holds what was decided.
//
// Decision, Assistant: any OpenAI-compatible provider.
func TestRemoteStreams(t *testing.T) {
	t.Parallel()
	s := aitest.New(t, aitest.Say("Rent was ", "640.00", " EUR."))
	reply, pieces, err := heard(t, remote(t, s.URL), promptOf("What was the rent?"))
	if err != nil {
		t.Fatal(err)
	}
	want := model.Reply{Text: "Rent was 640.00 EUR.", Model: "small", Usage: model.Usage{Input: 100, Output: 20}}
	if diff := cmp.Diff(want, reply); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Rent was ", "640.00", " EUR."}, pieces); diff != "" {
		t.Error(diff)
	}
	q := s.Requests()[0]
	if q.Path != "/v1/chat/completions" || !q.Stream || q.Model != "small" || q.Header.Get("Authorization") != "Bearer "+testKey ||
		!strings.Contains(q.Body, `"stream_options":{"include_usage":true}`) || q.Tools[0].Function.Name != "get_accounts" || len(q.Messages) != 2 {
		t.Errorf("asked %s with %v", q.Body, q.Header)
	}
}

func TestRemoteSendsTheConversation(t *testing.T) {
	t.Parallel()
	s := aitest.New(t, aitest.Say("Yes."))
	p := promptOf("Is that all?")
	p.Model = "large"
	p.Turns = append(p.Turns, model.Turn{Role: model.RoleAssistant}, model.Turn{Role: model.RoleAssistant, Text: "I look.", Calls: []model.Call{
		{ID: "a", Name: "get_accounts", Arguments: json.RawMessage(`{"x":1}`), Result: json.RawMessage(`{"n":2}`)},
		{ID: "b", Name: "get_tags", Result: json.RawMessage(`{}`)},
	}})
	if _, _, err := heard(t, remote(t, s.URL), p); err != nil {
		t.Fatal(err)
	}
	q := s.Requests()[0]
	if len(q.Messages) != 5 || q.Model != "large" {
		t.Fatalf("asked %s", q.Body)
	}
	call := q.Messages[2]
	if call.Content != "I look." || len(call.ToolCalls) != 2 || call.ToolCalls[0].Function.Arguments != `{"x":1}` || call.ToolCalls[1].Function.Arguments != `{}` {
		t.Errorf("calls %+v", call)
	}
	for i, want := range []string{"a", "b"} {
		if got := q.Messages[3+i]; got.Role != "tool" || got.ToolCallID != want || got.Content != []string{`{"n":2}`, `{}`}[i] {
			t.Errorf("result %+v", got)
		}
	}
}

// What servers make of calls, and what becomes of it.
func TestRemoteCalls(t *testing.T) {
	t.Parallel()
	call := func(id, name, arguments string) model.Call {
		return model.Call{ID: id, Name: name, Arguments: json.RawMessage(arguments)}
	}
	for name, c := range map[string]struct {
		deltas string // of tool_calls, one stream chunk a line
		want   []model.Call
	}{
		"in pieces": {`[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}]
			[{"index":0,"function":{"arguments":" 1}"}}]`, []model.Call{call("a", "f", `{"x":1}`)}},
		"two in turns": {`[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}, {"index":1,"id":"b","function":{"name":"g","arguments":"{"}}]
			[{"index":0,"function":{"arguments":"}"}}]
			[{"index":1,"function":{"arguments":"\"y\":2}"}}]`, []model.Call{call("a", "f", `{}`), call("b", "g", `{"y":2}`)}},
		"whole, without index and id": {`[{"function":{"name":"f","arguments":"{\"x\":1}"}},{"function":{"name":"g","arguments":"{}"}}]`,
			[]model.Call{call("call_1", "f", `{"x":1}`), call("call_2", "g", `{}`)}},
		"whole, the first without arguments": {`[{"function":{"name":"f"}},{"function":{"name":"g","arguments":"{}"}}]`,
			[]model.Call{call("call_1", "f", `{}`), call("call_2", "g", `{}`)}},
		"without index, in pieces": {`[{"id":"a","function":{"name":"f","arguments":"{\"x\""}}]
			[{"function":{"arguments":":1}"}}]`, []model.Call{call("a", "f", `{"x":1}`)}},
		"the same index for all": {`[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]
			[{"index":0,"id":"b","function":{"name":"f","arguments":"{\"x\":1}"}}]`, []model.Call{call("a", "f", `{}`), call("b", "f", `{"x":1}`)}},
		"the same index, no ids": {`[{"index":0,"function":{"name":"f","arguments":"{}"}}]
			[{"index":0,"function":{"name":"f","arguments":"{\"x\":1}"}}]`, []model.Call{call("call_1", "f", `{}`), call("call_2", "f", `{"x":1}`)}},
		"name in every piece": {`[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}]
			[{"index":0,"id":"a","function":{"name":"f","arguments":":1}"}}]`, []model.Call{call("a", "f", `{"x":1}`)}},
		"another id in every piece": {`[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}]
			[{"index":0,"id":"b","function":{"arguments":":1}"}}]`, []model.Call{call("a", "f", `{"x":1}`)}},
		"arguments as an object":     {`[{"index":0,"id":"a","function":{"name":"f","arguments":{"x": [1, 2]}}}]`, []model.Call{call("a", "f", `{"x":[1,2]}`)}},
		"arguments twice encoded":    {`[{"index":0,"id":"a","function":{"name":"f","arguments":"\"{\\\"x\\\":1}\""}}]`, []model.Call{call("a", "f", `{"x":1}`)}},
		"no arguments":               {`[{"index":0,"id":"a","function":{"name":"f"}}]`, []model.Call{call("a", "f", `{}`)}},
		"null":                       {`[{"index":0,"id":"a","function":{"name":"f","arguments":null}}]`, []model.Call{call("a", "f", `{}`)}},
		"arguments that are null":    {`[{"index":0,"id":"a","function":{"name":"f","arguments":"null"}}]`, []model.Call{call("a", "f", `{}`)}},
		"cut off":                    {`[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}]`, []model.Call{call("a", "f", `{"unreadable":"{\"x\":"}`)}},
		"a list":                     {`[{"index":0,"id":"a","function":{"name":"f","arguments":"[1]"}}]`, []model.Call{call("a", "f", `{"unreadable":"[1]"}`)}},
		"words":                      {`[{"index":0,"id":"a","function":{"name":"f","arguments":"all of them"}}]`, []model.Call{call("a", "f", `{"unreadable":"all of them"}`)}},
		"no name":                    {`[{"index":0,"id":"a","function":{"arguments":"{}"}}]`, []model.Call{call("a", "unnamed", `{}`)}},
		"a piece that has no parent": {`[{"function":{"arguments":"{}"}}]`, []model.Call{call("call_1", "unnamed", `{}`)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, reason := range []string{"tool_calls", "stop"} {
				s := aitest.New(t, aitest.Write(callStream(c.deltas, reason)))
				reply, pieces, err := heard(t, remote(t, s.URL), promptOf("x"))
				if err != nil || len(pieces) > 0 {
					t.Fatalf("said %q, %v", pieces, err)
				}
				if diff := cmp.Diff(c.want, reply.Calls); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

// callStream is a stream of pieces of calls, one a line.
func callStream(deltas, reason string) string {
	var b strings.Builder
	for line := range strings.Lines(deltas) {
		b.WriteString(`data: {"model":"small","choices":[{"index":0,"delta":{"content":null,"tool_calls":` + strings.TrimSpace(line) + `},"finish_reason":null}]}` + "\n\n")
	}
	return b.String() + `data: {"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}` + "\n\ndata: [DONE]\n\n"
}

func TestRemoteLimitsCalls(t *testing.T) {
	t.Parallel()
	one := `{"function":{"name":"` + strings.Repeat("f", 100) + `","arguments":"` + strings.Repeat("x", 5000) + `"}}`
	s := aitest.New(t, aitest.Write(callStream("["+strings.Repeat(one+",", 99)+one+"]", "tool_calls")))
	reply, _, err := heard(t, remote(t, s.URL), promptOf("x"))
	if err != nil || len(reply.Calls) > 16 {
		t.Fatalf("%d calls, %v", len(reply.Calls), err)
	}
	if c := reply.Calls[0]; len(c.Name) != 64 || len(c.Arguments) > 2100 {
		t.Errorf("name of %d, arguments of %d bytes", len(c.Name), len(c.Arguments))
	}
}

// What servers send around an answer.
func TestRemoteAnswers(t *testing.T) {
	t.Parallel()
	const done = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	said := func(content ...string) string {
		var b strings.Builder
		for _, c := range content {
			text, _ := json.Marshal(c)
			b.WriteString(`data: {"choices":[{"index":0,"delta":{"content":` + string(text) + "}}]}\n\n")
		}
		return b.String()
	}
	for name, c := range map[string]struct{ body, want string }{
		"comments and names":      {": PROCESSING\n\n: PROCESSING\n\nevent: message\nid: 1\n" + said("A", "B") + ": again\n" + done, "AB"},
		"carriage returns":        {strings.ReplaceAll(said("A", "B")+done, "\n", "\r\n"), "AB"},
		"no blanks":               {strings.ReplaceAll(said("A", "B")+done, "data: ", "data:"), "AB"},
		"no mark at the end":      {said("A", "B") + "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"length\"}]}\n\n", "AB"},
		"no reason at the end":    {said("A", "B") + "data: [DONE]", "AB"},
		"no stream":               {"{\n \"model\": \"m\", \"choices\": [{\"index\": 0,\n \"message\": {\"role\": \"assistant\", \"content\": \"A\\nB\"}, \"finish_reason\": \"stop\"}]}", "A\nB"},
		"parts":                   {"data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"thinking\",\"thinking\":[]},{\"type\":\"text\",\"text\":\"AB\"}]}}]}\n\n" + done, "AB"},
		"reasoning apart":         {"data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\",\"reasoning\":\"hm\",\"content\":\"\"}}]}\n\n" + said("AB") + done, "AB"},
		"thoughts":                {said("<think>hm</think>AB") + done, "AB"},
		"thoughts in pieces":      {said("\n<th", "ink>h", "m <think></thi", "nk", ">\n\n", "<think>more</think> A", "B") + done, "AB"},
		"no thoughts":             {said("<", "thin>A</think>B") + done, "<thin>A</think>B"},
		"the mark within":         {said("A <think>B</think>") + done, "A <think>B</think>"},
		"nothing but thoughts":    {said("<think>hm") + done, ""},
		"other choices":           {"data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"no\"}}]}\n\n" + said("AB") + done, "AB"},
		"a null error":            {"data: {\"error\":null,\"choices\":[{\"index\":0,\"delta\":{\"content\":\"AB\"}}]}\n\n" + done, "AB"},
		"a broken end behind all": {said("AB") + "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: {\"us", "AB"},
		"data behind the mark":    {said("AB") + done + said("C"), "AB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := aitest.New(t, aitest.Write(c.body))
			reply, pieces, err := heard(t, remote(t, s.URL), promptOf("x"))
			if err != nil || reply.Text != c.want || strings.Join(pieces, "") != c.want {
				t.Errorf("reply %q in %q, %v, want %q", reply.Text, pieces, err, c.want)
			}
		})
	}
}

// Small models write their calls out where they should make them.
func TestRemoteReadsCalls(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"name": "get_accounts", "arguments": {"x": 1}}`:                            `call_1 get_accounts {"x":1}`,
		"<tool_call>\n{\"name\": \"get_accounts\", \"arguments\": {}}\n</tool_call>": "call_1 get_accounts {}",
		"```json\n{\"name\":\"get_accounts\",\"parameters\":{\"x\":[]}}\n```":        `call_1 get_accounts {"x":[]}`,
		`{"name":"get_accounts"}`: "call_1 get_accounts {}",
		`{"name":"get_accounts"} {"name":"get_accounts","arguments":"{\"x\":1}"}`: `call_1 get_accounts {}, call_2 get_accounts {"x":1}`,
		`{"name": "delete_all", "arguments": {}}`:                                 "",
		`I call {"name": "get_accounts", "arguments": {}}`:                        "",
		`{"name": "get_accounts", "arguments": {}} is what I call`:                "",
		`{"name": "get_accounts", "arguments": `:                                  "",
		`["get_accounts"]`:                                                        "", "": "", "5": "",
	} {
		s := aitest.New(t, aitest.Say(text))
		reply, _, err := heard(t, remote(t, s.URL), promptOf("x"))
		var calls []string
		for _, c := range reply.Calls {
			calls = append(calls, c.ID+" "+c.Name+" "+string(c.Arguments))
		}
		if got := strings.Join(calls, ", "); err != nil || got != want || want == "" && reply.Text != text || want != "" && reply.Text != "" {
			t.Errorf("%s: calls %s, text %q, %v; want %s", text, got, reply.Text, err, want)
		}
	}
}

// However an answer is cut into pieces, it is the same.
func TestRemoteThoughtsInAnyPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"<think>", "</think>", "<", "<th", "ink>", " ", "\n", "a", "é"})).Draw(t, "text"), "")
		var pieces []string
		for rest := []rune(text); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			pieces, rest = append(pieces, string(rest[:n])), rest[n:]
		}
		if whole, parts := provider.LeaveOutThoughts(text), provider.LeaveOutThoughts(pieces...); whole != parts {
			t.Errorf("%q gives %q, in the pieces %q it gives %q", text, whole, pieces, parts)
		}
	})
}

func TestRemoteStopsWhenNobodyListens(t *testing.T) {
	t.Parallel()
	s := aitest.New(t, aitest.Flood("A"))
	enough := errors.New("enough")
	reply, err := remote(t, s.URL).Reply(t.Context(), promptOf("x"), func(string) error { return enough })
	if !errors.Is(err, enough) || reply.Text != "A" {
		t.Errorf("reply %q, %v", reply.Text, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = remote(t, s.URL).Reply(ctx, promptOf("x"), func(string) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, ok := errors.AsType[*model.Failure](err); ok {
		t.Errorf("a cancelled question failed: %v", err)
	}
}
