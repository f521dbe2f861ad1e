package handlers

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"finsvc/ledger"
)

// counting answers 201 with how often it was called, or an error when told to by the body.
func counting(calls *int) handler {
	return func(a *answer, r *request) error {
		*calls++
		body, err := r.fields()
		if err != nil {
			return err
		}
		if body.has("fail") {
			return ledger.NewInvalid("fail", "was asked for")
		}
		a.created()
		a.message("call " + strconv.Itoa(*calls))
		return nil
	}
}

// TestIdempotencyKeyReplays holds what was decided.
//
// Decision, Errors: 409 conflict: an Idempotency-Key with another body.
func TestIdempotencyKeyReplays(t *testing.T) {
	t.Parallel()
	calls := 0
	g := newServerRig(t, route{method: "POST", path: "/a", access: write, handle: counting(&calls)},
		route{method: "POST", path: "/b", access: write, handle: counting(&calls)})
	const key = "Idempotency-Key: k1"
	g.do(t, "POST", "/a", `{"x":1}`, "X-Api-Key: write", key).is(t, 201, `{"message":"call 1"}`)
	again := g.do(t, "POST", "/a.json", `{"x":1}`, "X-Api-Key: write", key)
	again.is(t, 201, `{"message":"call 1"}`)
	checkHeaders(t, again, map[string]string{"Idempotency-Replayed": "true"})
	const conflict = `{"error":"conflict","message":"this Idempotency-Key was used for another request; use a new one for each request","details":null}`
	g.do(t, "POST", "/a", `{"x":2}`, "X-Api-Key: write", key).is(t, 409, conflict)
	g.do(t, "POST", "/b", `{"x":1}`, "X-Api-Key: write", key).is(t, 409, conflict)
	g.do(t, "POST", "/a", `{"x":1}`, "X-Api-Key: write", "Idempotency-Key: k2").is(t, 201, `{"message":"call 2"}`)
	g.do(t, "POST", "/a", `{"x":1}`, "X-Api-Key: write").is(t, 201, `{"message":"call 3"}`)
	g.do(t, "POST", "/a", `{"fail":1}`, "X-Api-Key: write", "Idempotency-Key: k3").is(t, 422, "")
	g.do(t, "POST", "/a", `{"x":1}`, "X-Api-Key: write", "Idempotency-Key: k3").is(t, 201, `{"message":"call 5"}`)
}

// The first answer that a server gives has nothing written in it, not even into a buffer that was used before.
func TestIdempotencyKeyWithoutABody(t *testing.T) {
	t.Parallel()
	calls := 0
	g := newServerRig(t, route{method: "DELETE", path: "/a", access: write, handle: func(a *answer, _ *request) error {
		calls++
		a.noContent()
		return nil
	}})
	for range 2 {
		g.do(t, "DELETE", "/a", "", "X-Api-Key: write", "Idempotency-Key: k").is(t, 204, "")
	}
	if calls != 1 {
		t.Errorf("it was done %d times", calls)
	}
}

func TestIdempotencyKeyOfMultipart(t *testing.T) {
	t.Parallel()
	calls := 0
	g := newServerRig(t, route{method: "POST", path: "/a", access: write, handle: counting(&calls)})
	body := multi([2]string{`name="file"; filename="f"`, "content"})
	send := func(boundary, body string) reply {
		return g.do(t, "POST", "/a", strings.ReplaceAll(body, "XX", boundary), "X-Api-Key: write", "Idempotency-Key: k", "Content-Type: multipart/form-data; boundary="+boundary)
	}
	send("first", body).is(t, 201, `{"message":"call 1"}`)
	send("second-one", body).is(t, 201, `{"message":"call 1"}`)
	send("third", strings.ReplaceAll(body, "content", "other")).is(t, 409, "")
}

func TestIdempotencyKeyIsChecked(t *testing.T) {
	t.Parallel()
	calls := 0
	g := newServerRig(t, route{method: "POST", path: "/a", access: write, handle: counting(&calls)})
	for _, c := range []struct {
		status int
		keys   []string
	}{
		{400, []string{""}}, {400, []string{"a b"}}, {400, []string{"ä"}}, {400, []string{strings.Repeat("x", 256)}}, {400, []string{"a", "b"}},
		{201, []string{strings.Repeat("~", 255)}},
	} {
		headers := []string{"X-Api-Key: write"}
		for _, k := range c.keys {
			headers = append(headers, "Idempotency-Key: "+k)
		}
		g.do(t, "POST", "/a", "", headers...).is(t, c.status, "")
	}
}

func TestIdempotencyKeyInUse(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan bool), make(chan bool)
	g := newServerRig(t, route{method: "POST", path: "/a", access: write, handle: func(a *answer, _ *request) error {
		entered <- true
		<-leave
		a.message("done")
		return nil
	}})
	var first sync.WaitGroup
	first.Go(func() {
		g.do(t, "POST", "/a", "", "X-Api-Key: write", "Idempotency-Key: k").is(t, 200, `{"message":"done"}`)
	})
	<-entered
	g.do(t, "POST", "/a", "", "X-Api-Key: write", "Idempotency-Key: k").is(t, 409, `{"error":"conflict","message":"a request with this Idempotency-Key is still running","details":null}`)
	leave <- true
	first.Wait()
	g.do(t, "POST", "/a", "", "X-Api-Key: write", "Idempotency-Key: k").is(t, 200, `{"message":"done"}`)
}

// TestBodyDigest: however a body arrives in pieces, its digest is the same, and the boundary is no part of it.
func TestBodyDigest(t *testing.T) {
	t.Parallel()
	digest := func(body, boundary string, piece int) [32]byte {
		hr := httptest.NewRequest(http.MethodPost, "/a", io.NopCloser(strings.NewReader(body)))
		hr.Header.Set("Content-Type", "multipart/form-data; boundary="+boundary)
		r := &request{Request: hr}
		d := digestBody(r)
		buf := make([]byte, piece)
		for {
			if _, err := r.Body.Read(buf); err != nil {
				return d.sum()
			}
		}
	}
	want := digest("--abc\r\nab\r\n--abc--", "abc", 1000)
	for piece := 1; piece < 20; piece++ {
		if digest("--abc\r\nab\r\n--abc--", "abc", piece) != want || digest("--other\r\nab\r\n--other--", "other", piece) != want {
			t.Errorf("pieces of %d bytes give another digest", piece)
		}
	}
	if digest("--abc\r\na\r\n--abc--", "abc", 5) == want {
		t.Error("another body has the same digest")
	}
}
