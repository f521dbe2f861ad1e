package handlers

import (
	"strings"
	"testing"
)

// message is one of the protocol.
const message = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"%s","arguments":%s}}`

// TestMCP: a program asks over HTTP with its key, and changes what that may change.
func TestMCP(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	ask := func(key, tool, arguments string, headers ...string) (int, string) {
		body := strings.NewReplacer("%s", tool).Replace(strings.Replace(message, `"arguments":%s`, `"arguments":`+arguments, 1))
		p := h.Do(t, "POST", "/mcp", body, append([]string{"Content-Type: application/json", "Accept: application/json, text/event-stream", "X-Api-Key: " + key}, headers...)...)
		return p.StatusCode, p.Text
	}
	if status, text := ask(h.readKey, "get_accounts", "{}"); status != 200 || !strings.Contains(text, `"id":7,"result":{`) || !strings.Contains(text, "Checking") {
		t.Errorf("%d %s", status, text)
	}
	add := `{"account":"Checking","name":"Tea","expense":"2"}`
	if status, text := ask(h.readKey, "add_transaction", add); status != 200 || !strings.Contains(text, "unknown tool") {
		t.Errorf("with a key that reads: %d %s", status, text)
	}
	if status, text := ask(h.key, "add_transaction", add); status != 200 || !strings.Contains(text, "-2.00") {
		t.Errorf("%d %s", status, text)
	}
	if status, text := ask("", "get_accounts", "{}"); status != 401 {
		t.Errorf("without a key: %d %s", status, text)
	}
	if status, text := ask(h.key, "get_accounts", "{}", "Origin: https://evil.example"); status != 403 || !strings.Contains(text, `"error":"cross_origin"`) {
		t.Errorf("a page of others: %d %s", status, text)
	}
	follow := `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"get_accounts","arguments":{},"_meta":{"progressToken":"p"}}}`
	if p := h.Do(t, "POST", "/mcp", follow, "Content-Type: application/json", "Accept: application/json, text/event-stream", "X-Api-Key: "+h.readKey); p.StatusCode != 200 ||
		p.Header.Get("Content-Type") != "text/event-stream" || !strings.HasPrefix(p.Text, "event: message\n") || !strings.Contains(p.Text, `"id":8,"result":{`) {
		t.Errorf("followed: %d %v %s", p.StatusCode, p.Header, p.Text)
	}
	if p := h.Do(t, "GET", "/mcp", "", "X-Api-Key: "+h.key); p.StatusCode != 405 {
		t.Errorf("GET: %d %s", p.StatusCode, p.Text)
	}
	if status, _ := ask(h.key, "get_tags", `{"x":"`+strings.Repeat("x", 300<<10)+`"}`); status != 422 {
		t.Errorf("a long message: %d", status)
	}
	if p := h.Do(t, "POST", "/mcp", "{", "Content-Type: application/json", "Accept: application/json, text/event-stream", "X-Api-Key: "+h.key); p.StatusCode != 400 {
		t.Errorf("half a message: %d %s", p.StatusCode, p.Text)
	}
	if p := newRig(t).Do(t, "POST", "/mcp", "{}"); p.StatusCode != 404 {
		t.Errorf("where it is off: %d", p.StatusCode)
	}
}
