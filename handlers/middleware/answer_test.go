package middleware

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"finsvc/handlers/apitest"
	"finsvc/handlers/wire"
	"finsvc/ledger"
)

// TestAnswersHaveALengthAndAreCompressed holds what was decided.
//
// Decision, Transport: answers are compressed where the client takes that.
func TestAnswersHaveALengthAndAreCompressed(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a long answer ", 1000)
	g := newRig(t, Route{Method: "GET", Path: "/long", Handle: echo(long)},
		Route{Method: "GET", Path: "/short", Handle: echo("x")},
		Route{Method: "DELETE", Path: "/none", Handle: func(a *wire.Answer, _ *wire.Request) error { a.NoContent(); return nil }})
	want := `{"message":"` + long + `"}`
	for _, accept := range []string{"", "gzip", "br, GZIP;q=0.5", "gzip;q=0", "identity"} {
		p := g.Do(t, "GET", "/long", "", "Accept-Encoding: "+accept)
		packed := accept == "gzip" || strings.Contains(accept, "GZIP")
		if got := p.Header.Get("Content-Encoding") == "gzip"; got != packed {
			t.Errorf("%q: Content-Encoding %q", accept, p.Header.Get("Content-Encoding"))
		}
		if p.ContentLength != int64(len(p.Text)) || len(p.TransferEncoding) > 0 {
			t.Errorf("%q: Content-Length %d, body %d", accept, p.ContentLength, len(p.Text))
		}
		if packed {
			p.Text = unpack(t, p.Text)
		}
		p.Is(t, 200, want)
		apitest.CheckHeaders(t, p, map[string]string{"Content-Type": "application/json; charset=utf-8", "Vary": "Accept-Encoding", "Cache-Control": "private, no-cache"})
	}
	if p := g.Do(t, "GET", "/short", "", "Accept-Encoding: gzip"); p.Header.Get("Content-Encoding") != "" || p.ContentLength != 15 {
		t.Errorf("a short answer: %v", p.Header)
	}
	if p := g.Do(t, "HEAD", "/long", ""); p.ContentLength != int64(len(want)) || p.Text != "" {
		t.Errorf("HEAD: %d, %q", p.ContentLength, p.Text)
	}
	if p := g.Do(t, "DELETE", "/none", ""); p.StatusCode != 204 || p.Header.Get("Content-Type") != "" || p.Text != "" {
		t.Errorf("204: %d %v", p.StatusCode, p.Header)
	}
}

func unpack(t *testing.T, body string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestPanicIsContained holds what was decided.
//
// Decision, Errors: 500 internal_error with the request id, and nothing from inside.
func TestPanicIsContained(t *testing.T) {
	t.Parallel()
	g := newRig(t, Route{Method: "GET", Path: "/panic", Handle: func(a *wire.Answer, _ *wire.Request) error {
		a.Message("half")
		panic("secret cause")
	}})
	g.Do(t, "GET", "/panic", "", "X-Request-Id: r1").Is(t, 500,
		`{"error":"internal_error","message":"something went wrong here, and the server's log says what under request id r1","details":null}`)
	if log := g.log.String(); !strings.Contains(log, "secret cause") || !strings.Contains(log, "TestPanicIsContained") || !strings.Contains(log, `"r1"`) {
		t.Errorf("the log lacks cause, stack or request id: %s", log)
	}
}

// TestErrorsOnTheWire holds what was decided.
//
// Decision, Errors: one shape: error, message, details; validation failures carry details a second time, as errors.
// Contract, Resources: error body: error, message, details.
// Contract, Errors: error is there always, message is text or null, details a list of texts, an object or null.
func TestErrorsOnTheWire(t *testing.T) {
	t.Parallel()
	var two ledger.Problems
	two.Add("name", "is required and must not be blank")
	two.Add("amount", "must be a number such as 12.50, got %q", "<x>")
	for _, c := range []struct {
		name   string
		err    error
		status int
		want   string
	}{
		{"plain", errors.New("SQL broke at /data/x.db"), 500, `{"error":"internal_error","message":"something went wrong here, and the server's log says what under request id r1","details":null}`},
		{"malformed", ledger.NewMalformed("broken"), 400, `{"error":"bad_request","message":"broken","details":null}`},
		{"invalid", two.Err(), 422, `{"error":"validation_failed","message":"name is required and must not be blank; amount must be a number such as 12.50, got \"<x>\"",` +
			`"details":["name is required and must not be blank","amount must be a number such as 12.50, got \"<x>\""],` +
			`"errors":["name is required and must not be blank","amount must be a number such as 12.50, got \"<x>\""]}`},
		{"too large", &ledger.Error{Kind: ledger.Invalid, Code: "file_too_large", Message: "m"}, 422, `{"error":"file_too_large","message":"m","details":null}`},
		{"feature", &ledger.Error{Kind: ledger.Forbidden, Code: "feature_disabled"}, 403, `{"error":"feature_disabled","message":null,"details":null}`},
		{"not found", ledger.NewNotFound("Tag"), 404, `{"error":"not_found","message":"Tag not found","details":null}`},
		{"conflict", &ledger.Error{Kind: ledger.Conflict, Message: "m", Details: map[string]any{"a": 1}}, 409, `{"error":"conflict","message":"m","details":{"a":1}}`},
		{"unavailable", &ledger.Error{Kind: ledger.Unavailable, Err: errors.New("disk full")}, 503, `{"error":"unavailable","message":null,"details":null}`},
		{"deadline", context.DeadlineExceeded, 503, `{"error":"unavailable","message":"this took too long; nothing was written","details":null}`},
	} {
		g := newRig(t, Route{Method: "GET", Path: "/", Handle: func(*wire.Answer, *wire.Request) error { return c.err }})
		g.Do(t, "GET", "/", "", "X-Request-Id: r1").Is(t, c.status, c.want)
	}
}

func TestClientGoneAndShutdown(t *testing.T) {
	t.Parallel()
	g := newRig(t, Route{Method: "GET", Path: "/slow", Handle: func(_ *wire.Answer, r *wire.Request) error { return r.Context().Err() }})
	gone, leave := context.WithCancel(t.Context())
	leave()
	w := httptest.NewRecorder()
	g.ServeHTTP(w, httptest.NewRequestWithContext(gone, "GET", "/slow", nil))
	if w.Body.Len() != 0 || !strings.Contains(g.log.String(), `"status":499`) {
		t.Errorf("client gone: %s, log %s", w.Body, g.log)
	}
	stopping, stop := context.WithCancelCause(t.Context())
	stop(errors.New("stopping"))
	w = httptest.NewRecorder()
	g.ServeHTTP(w, httptest.NewRequestWithContext(stopping, "GET", "/slow", nil))
	if w.Code != 503 || !strings.Contains(w.Body.String(), "shutting down") {
		t.Errorf("shutdown: %d %s", w.Code, w.Body)
	}
}

func TestStream(t *testing.T) {
	t.Parallel()
	next := make(chan bool)
	g := newRig(t, Route{Method: "GET", Path: "/stream/:id", Handle: func(a *wire.Answer, r *wire.Request) error {
		if r.Params.ByName("id") == "missing" {
			return ledger.NewNotFound("Stream")
		}
		w, control := a.Stream("text/event-stream")
		_, _ = io.WriteString(w, "data: 1\n\n")
		_ = control.Flush()
		if !<-next {
			return errors.New("broke")
		}
		_, err := io.WriteString(w, "data: 2\n\n")
		return err
	}})
	g.Do(t, "GET", "/stream/missing", "").Is(t, 404, "")
	for _, well := range []bool{true, false} {
		resp, err := http.Get(g.URL + "/stream/1")
		if err != nil {
			t.Fatal(err)
		}
		first := make([]byte, 9)
		if _, err := io.ReadFull(resp.Body, first); err != nil || string(first) != "data: 1\n\n" {
			t.Fatalf("first event: %q %v", first, err)
		}
		next <- well
		rest, err := io.ReadAll(resp.Body)
		if well && (err != nil || string(rest) != "data: 2\n\n") || !well && err == nil {
			t.Errorf("well %t: rest %q, %v", well, rest, err)
		}
		resp.Body.Close()
	}
}
