package provider_test

import (
	"encoding/json"
	"strings"
	"testing"

	"finsvc/assistant/aitest"
	"finsvc/assistant/model"
	"finsvc/assistant/provider"
)

// What servers answer to what they do not know.
const (
	noTools = `{"error":{"message":"registry/small does not support tools","type":"api_error","param":null,"code":null}}`
	noUsage = `{"error":{"message":"unexpected member","type":"invalid_request_error","param":"stream_options"}}`
	tooLong = `{"error":{"message":"too long","type":"invalid_request_error","code":"context_length_exceeded"}}`
)

func hasTools(q aitest.Request) bool { return len(q.Tools) > 0 }

func hasUsage(q aitest.Request) bool { return strings.Contains(q.Body, "stream_options") }

// forms asks some questions of one client, and gives how each request was made: t with tools, u with the count of tokens.
func forms(t *testing.T, s *aitest.Server, models ...string) string {
	t.Helper()
	r := remote(t, s.URL)
	var all []string
	for _, model := range models {
		before := len(s.Requests())
		p := promptOf("x")
		p.Model = model
		_, _, _ = heard(t, r, p) // what is asked counts, even when it fails
		var of []string
		for _, q := range s.Requests()[before:] {
			form := ""
			if hasTools(q) {
				form += "t"
			}
			if hasUsage(q) {
				form += "u"
			}
			of = append(of, form+"-")
		}
		all = append(all, strings.Join(of, " "))
	}
	return strings.Join(all, " | ")
}

// What a server does not know is found out once for each model.
func TestRemoteLearns(t *testing.T) {
	t.Parallel()
	either := func(q aitest.Request) bool { return hasTools(q) || hasUsage(q) }
	always := func(aitest.Request) bool { return true }
	say := aitest.Say("A")
	for name, c := range map[string]struct {
		steps  []aitest.Step
		models []string
		want   string
	}{
		"all is known":           {[]aitest.Step{say}, []string{"m", "m"}, "tu- | tu-"},
		"no tools":               {[]aitest.Step{aitest.Refuse(hasTools, 400, noTools, say)}, []string{"m", "m", "n", "m"}, "tu- t- u- | u- | tu- t- u- | u-"},
		"no tools, not found":    {[]aitest.Step{aitest.Refuse(hasTools, 404, `{"error":{"code":404,"message":"x"}}`, say)}, []string{"m", "m"}, "tu- t- u- | u-"},
		"no tools, a page":       {[]aitest.Step{aitest.Refuse(hasTools, 501, "<html>", say)}, []string{"m"}, "tu- t- u-"},
		"no count":               {[]aitest.Step{aitest.Refuse(hasUsage, 400, noUsage, say)}, []string{"m", "m"}, "tu- t- | t-"},
		"no count, invalid":      {[]aitest.Step{aitest.Refuse(hasUsage, 422, `{"detail":[]}`, say)}, []string{"m", "m"}, "tu- t- | t-"},
		"neither":                {[]aitest.Step{aitest.Refuse(either, 400, noTools, say)}, []string{"m", "m"}, "tu- t- u- - | -"},
		"nothing at all":         {[]aitest.Step{aitest.Refuse(always, 400, noTools, say)}, []string{"m", "m"}, "tu- t- u- - | tu- t- u- -"},
		"refused later":          {[]aitest.Step{say, aitest.Fail(400, noTools), say}, []string{"m", "m", "m"}, "tu- | tu- | tu-"},
		"too long":               {[]aitest.Step{aitest.Fail(400, tooLong), say}, []string{"m", "m"}, "tu- | tu-"},
		"unknown model":          {[]aitest.Step{aitest.Fail(404, `{"error":{"code":"model_not_found"}}`)}, []string{"m"}, "tu-"},
		"not allowed":            {[]aitest.Step{aitest.Fail(401, ""), say}, []string{"m", "m"}, "tu- | tu-"},
		"down":                   {[]aitest.Step{aitest.Fail(503, ""), say}, []string{"m", "m"}, "tu- | tu-"},
		"known to take no tools": {[]aitest.Step{say}, []string{"gpt-6-sol", "gpt-6-sol"}, "u- | u-"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := forms(t, aitest.New(t, c.steps...), c.models...); got != c.want {
				t.Errorf("asked %s, want %s", got, c.want)
			}
		})
	}
}

// answered are turns of which the last has calls with results.
func answered() []model.Turn {
	return []model.Turn{
		{Role: model.RoleSystem, Text: "Be brief."},
		{Role: model.RoleUser, Text: "Hello"}, {Role: model.RoleAssistant, Text: "Hi."},
		{Role: model.RoleUser, Text: "What was the rent?"},
		{Role: model.RoleAssistant, Text: "I look.", Calls: []model.Call{
			{ID: "a", Name: "get_accounts", Arguments: json.RawMessage(`{"x":1}`), Result: json.RawMessage(`{"rent":"640.00"}`)}}},
		{Role: model.RoleAssistant, Calls: []model.Call{{ID: "b", Name: "get_tags", Result: json.RawMessage(`{"tags":[]}`)}}},
	}
}

// Where a model cannot call tools, or may not any more, results stand in front of the question.
func TestRemotePutsFiguresInFront(t *testing.T) {
	t.Parallel()
	s := aitest.New(t, aitest.Refuse(hasTools, 400, noTools, aitest.Say("640.00")))
	p := promptOf("x")
	p.Turns = answered()
	r := remote(t, s.URL)
	for _, tools := range [][]model.Tool{p.Tools, nil} {
		p.Tools = tools
		reply, _, err := heard(t, r, p)
		if err != nil || reply.Text != "640.00" || len(reply.Calls) > 0 {
			t.Fatalf("reply %+v, %v", reply, err)
		}
		all := s.Requests()
		q := all[len(all)-1]
		const want = "Figures from the household's books:\nget_accounts {\"x\":1}: {\"rent\":\"640.00\"}\nget_tags {}: {\"tags\":[]}\n\nWhat was the rent?"
		if len(q.Messages) != 4 || q.Last() != want || q.Messages[2].Content != "Hi." || hasTools(q) {
			t.Errorf("asked %s", q.Body)
		}
	}
}

// Calls of a model that was offered no tools are not made.
func TestRemoteLeavesOutCallsOfTheLastRound(t *testing.T) {
	t.Parallel()
	s := aitest.New(t, aitest.Use(aitest.Tool{Name: "get_accounts", Arguments: "{}"}))
	p := promptOf("x")
	p.Tools = nil
	reply, _, err := heard(t, remote(t, s.URL), p)
	if err != nil || len(reply.Calls) > 0 || reply.Usage.Input != 100 {
		t.Errorf("reply %+v, %v", reply, err)
	}
}

func TestNewRemote(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"http://localhost:11434":                        "http://localhost:11434/v1",
		"http://localhost:11434/":                       "http://localhost:11434/v1",
		"http://localhost:11434/v1/":                    "http://localhost:11434/v1",
		"https://openrouter.ai/api/v1":                  "https://openrouter.ai/api/v1",
		"https://ai.example/openai":                     "https://ai.example/openai",
		"https://api.openai.com/v1/chat/completions":    "https://api.openai.com/v1",
		" http://[::1]:8080 ":                           "http://[::1]:8080/v1",
		"":                                              "",
		"localhost:11434":                               "",
		"192.168.1.2:11434":                             "",
		"ftp://localhost":                               "",
		"http://":                                       "",
		"http://:11434":                                 "",
		"http://ana:" + testKey + "@localhost":          "",
		"http://localhost/v1?key=" + testKey:            "",
		"http://localhost/v1#" + testKey:                "",
		"http://local host":                             "",
		"http://localhost:port":                         "",
		"file:///etc/passwd":                            "",
		"http://localhost:1/v1/chat/completions/models": "http://localhost:1/v1/chat/completions/models",
	} {
		got, err := provider.CompleteURL(url)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%q: %q, %v, want %q", url, got, err, want)
		}
		if err != nil && (strings.Contains(err.Error(), testKey) || !strings.HasPrefix(err.Error(), "must be an address")) {
			t.Errorf("%q: %v", url, err)
		}
	}
	for _, c := range []struct {
		o    provider.Options
		word string
	}{
		{provider.Options{URL: "here", Model: "m"}, "URL must be"},
		{provider.Options{URL: "http://localhost"}, "Model must be"},
		{provider.Options{URL: "http://localhost", Model: "m", Key: testKey + "\n" + testKey}, "Key must be"},
		{provider.Options{URL: "http://localhost", Model: "m", Key: "schlüssel"}, "Key must be"},
	} {
		if _, err := provider.New(c.o); err == nil || !strings.HasPrefix(err.Error(), c.word) || strings.Contains(err.Error(), testKey) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	r := remote(t, "https://user.example:8443/v1")
	if r.Host() != "user.example:8443" || r.Name() != "small" {
		t.Errorf("host %q, name %q", r.Host(), r.Name())
	}
}

func TestLocalAddress(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]bool{
		"http://localhost:11434/v1": true, "http://127.0.0.1/v1": true, "http://[::1]:1": true, "http://192.168.1.20:8080": true, "http://10.1.2.3": true,
		"http://[fd00::1]": true, "http://0.0.0.0:1": true, "http://[::ffff:10.0.0.1]": true, "http://ai.localhost": true,
		"https://api.openai.com/v1": false, "http://8.8.8.8": false, "http://172.32.0.1": false, "http://100.64.0.1": false, "http://169.254.169.254": false,
		"http://nas:11434": true, "http://Nas.local.": true, "http://ai.lan": true, "http://host.docker.internal": true, "http://ai.home.arpa": true,
		"http://localhost.example": false, "http://local.example": false, "http://[2001:db8::1]": false, "": false, "http://[::ffff:8.8.8.8]": false,
	} {
		if got := provider.LocalAddress(url); got != want {
			t.Errorf("%s: %t", url, got)
		}
	}
}

// FuzzRemoteStream feeds what a server may send: whatever it is, no panic, and calls that can be made.
func FuzzRemoteStream(f *testing.F) {
	f.Add(callStream(`[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]`, "stop"))
	f.Add("data: {\"choices\":[{\"delta\":{\"content\":\"<think>x</think>A\"}}]}\n\n")
	f.Add(`{"error":{"code":429,"message":["a"]}}`)
	f.Add("data: {\"error\":\"x\"}\n: c\ndata:[DONE]")
	f.Fuzz(func(t *testing.T, body string) {
		reply, pieces, err := provider.Hear(body)
		if text := strings.Join(pieces, ""); text != reply.Text {
			t.Errorf("said %q, replied %q", text, reply.Text)
		}
		for _, c := range reply.Calls {
			var members map[string]any
			if json.Unmarshal(c.Arguments, &members) != nil || members == nil || c.Name == "" || c.ID == "" {
				t.Errorf("call %+v", c)
			}
		}
		if err != nil && err.Error() == "" {
			t.Error("an error without a text")
		}
	})
}
