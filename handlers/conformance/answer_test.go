package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// answer is what came back. Its methods end the scenario when something is not as the client needs it.
type answer struct {
	*client
	request string
	code    int
	header  http.Header
	sent    int64  // bytes of body as they came
	body    string // unpacked
	json    any    // numbers as they are written; nil when the body is not JSON
}

// status asks for a status.
func (a *answer) status(want int) *answer {
	a.Helper()
	if a.code != want {
		a.Fatalf("%s: got %d %s, want %d", a.request, a.code, a.body, want)
	}
	return a
}

// fails asks for a status and a code in the member error.
func (a *answer) fails(status int, code string) *answer {
	a.Helper()
	return a.status(status).want("error", code)
}

// value is what lies at a path such as transactions.0.account.name; the empty path is the whole body.
func (a *answer) value(path string) any {
	a.Helper()
	v := a.json
	for step := range strings.SplitSeq(path, ".") {
		if path == "" {
			return v
		}
		next, ok := enter(v, step)
		if !ok {
			a.Fatalf("%s: there is no %s in %s", a.request, path, a.body)
		}
		v = next
	}
	return v
}

func enter(v any, step string) (any, bool) {
	if members, ok := v.(object); ok {
		member, ok := members[step]
		return member, ok
	}
	items, _ := v.([]any)
	at, err := strconv.Atoi(step)
	if err != nil || at >= len(items) {
		return nil, false
	}
	return items[at], true
}

// want compares what lies at a path with a text, a whole number, a boolean, a [number] or nil.
func (a *answer) want(path string, want any) *answer {
	a.Helper()
	if n, ok := want.(int); ok {
		want = number(strconv.Itoa(n))
	}
	if got := a.value(path); got != want {
		a.Fatalf("%s: %s is %#v, want %#v, in %s", a.request, path, got, want, a.body)
	}
	return a
}

// is asks for a kind of value at a path.
func (a *answer) is(path string, want kind) *answer {
	a.Helper()
	if err := want(a.value(path)); err != nil {
		a.Fatalf("%s: %s %v, in %s", a.request, path, err, a.body)
	}
	return a
}

// items is the list at a path.
func (a *answer) items(path string) []any {
	a.Helper()
	items, ok := a.value(path).([]any)
	if !ok {
		a.Fatalf("%s: %s is no list in %s", a.request, path, a.body)
	}
	return items
}

// size asks for the length of the list at a path.
func (a *answer) size(path string, want int) *answer {
	a.Helper()
	if got := len(a.items(path)); got != want {
		a.Fatalf("%s: %s has %d items, want %d, in %s", a.request, path, got, want, a.body)
	}
	return a
}

// text is the text at a path.
func (a *answer) text(path string) string {
	a.Helper()
	text, ok := a.value(path).(string)
	if !ok {
		a.Fatalf("%s: %s is no text in %s", a.request, path, a.body)
	}
	return text
}

// whole is the whole number at a path.
func (a *answer) whole(path string) int64 {
	a.Helper()
	n, err := strconv.ParseInt(fmt.Sprint(a.value(path)), 10, 64)
	if err != nil {
		a.Fatalf("%s: %s is no whole number in %s", a.request, path, a.body)
	}
	return n
}

func (a *answer) id() string {
	a.Helper()
	return a.text("id")
}

// pluck is a member of every item of the list at a path, all in one text with blanks between.
func (a *answer) pluck(path, member string) string {
	a.Helper()
	var all []string
	for _, item := range a.items(path) {
		v, ok := enter(item, member)
		if !ok {
			a.Fatalf("%s: an item of %s lacks %s in %s", a.request, path, member, a.body)
		}
		all = append(all, fmt.Sprint(v))
	}
	return strings.Join(all, " ")
}

// find is the path of the item of a list whose member has a value.
func (a *answer) find(path, member string, value any) string {
	a.Helper()
	at := slices.IndexFunc(a.items(path), func(item any) bool {
		v, _ := enter(item, member)
		return v == value
	})
	if at < 0 {
		a.Fatalf("%s: no item of %s has %s %v in %s", a.request, path, member, value, a.body)
	}
	return strings.TrimPrefix(path+"."+strconv.Itoa(at), ".")
}

// check looks at what every answer must have, whatever was asked.
func (a *answer) check(method, path string) {
	a.Helper()
	if a.code >= 300 && a.code < 400 || a.code >= 500 {
		a.Fatalf("%s: got %d %s", a.request, a.code, a.body)
	}
	if a.header.Get("X-Request-Id") == "" || strings.Contains(path, "/api/") && a.header.Get("Access-Control-Allow-Origin") != "*" {
		a.Fatalf("%s: headers are %v", a.request, a.header)
	}
	if a.code < 300 && strings.Contains(path, "/api/") && method != http.MethodOptions {
		a.checkRate()
	}
	switch {
	case strings.HasPrefix(a.header.Get("Content-Type"), "text/event-stream"):
		return
	case a.code == http.StatusNoContent:
		a.checkEmpty()
		return
	}
	a.checkJSON(method)
	if a.code >= 400 {
		a.checkError()
	}
}

// checkRate: how much of the rate is left stands beside everything that a key was good for.
func (a *answer) checkRate() {
	a.Helper()
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		if n, err := strconv.Atoi(a.header.Get(name)); err != nil || n < 0 {
			a.Fatalf("%s: %s is %q", a.request, name, a.header.Get(name))
		}
	}
}

func (a *answer) checkEmpty() {
	a.Helper()
	if a.body != "" || a.header.Get("Content-Type") != "" {
		a.Fatalf("%s: a 204 has a body: %v %q", a.request, a.header, a.body)
	}
}

// checkJSON: the length is known, and members have the form that their names promise.
func (a *answer) checkJSON(method string) {
	a.Helper()
	length, err := strconv.ParseInt(a.header.Get("Content-Length"), 10, 64)
	switch {
	case err != nil || method != http.MethodHead && length != a.sent:
		a.Fatalf("%s: Content-Length is %q for %d bytes", a.request, a.header.Get("Content-Length"), a.sent)
	case a.header.Get("Content-Type") != "application/json; charset=utf-8":
		a.Fatalf("%s: Content-Type is %q", a.request, a.header.Get("Content-Type"))
	case method == http.MethodHead:
		return
	}
	if err := wellFormed(a.json); err != nil {
		a.Fatalf("%s: %v in %s", a.request, err, a.body)
	}
}

// checkError: all clients read error or message, some errors.
func (a *answer) checkError() {
	a.Helper()
	a.is("", holding(shape{"error": text, "message": nullable(text), "details": anything}))
	if a.code != http.StatusUnprocessableEntity || a.text("error") != "validation_failed" {
		return
	}
	details, _ := json.Marshal(a.value("details"))
	errors, _ := json.Marshal(a.value("errors"))
	if a.is("errors", listOf(text)); len(a.items("errors")) == 0 || string(details) != string(errors) {
		a.Fatalf("%s: errors and details differ in %s", a.request, a.body)
	}
}
