package middleware

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"finsvc/handlers/apitest"
	"finsvc/handlers/wire"
	"finsvc/ledger"
)

// counting answers 201 with how often it was called, or an error when told to by the body.
func counting(calls *int) Handler {
	return func(a *wire.Answer, r *wire.Request) error {
		*calls++
		body, err := r.Fields()
		if err != nil {
			return err
		}
		if body.Has("fail") {
			return ledger.NewInvalid("fail", "was asked for")
		}
		a.Created()
		a.Message("call " + strconv.Itoa(*calls))
		return nil
	}
}

// TestIdempotencyKeyReplays holds what was decided.
//
// Decision, Errors: 409 conflict: an Idempotency-Key with another body.
func TestIdempotencyKeyReplays(t *testing.T) {
	t.Parallel()
	calls := 0
	g := newRig(t, Route{Method: "POST", Path: "/a", Access: Write, Handle: counting(&calls)},
		Route{Method: "POST", Path: "/b", Access: Write, Handle: counting(&calls)})
	const key = "Idempotency-Key: k1"
	g.Do(t, "POST", "/a", `{"x":1}`, "X-Api-Key: write", key).Is(t, 201, `{"message":"call 1"}`)
	again := g.Do(t, "POST", "/a.json", `{"x":1}`, "X-Api-Key: write", key)
	again.Is(t, 201, `{"message":"call 1"}`)
	apitest.CheckHeaders(t, again, map[string]string{"Idempotency-Replayed": "true"})
	const conflict = `{"error":"conflict","message":"this Idempotency-Key was used for another request; use a new one for each request","details":null}`
	g.Do(t, "POST", "/a", `{"x":2}`, "X-Api-Key: write", key).Is(t, 409, conflict)
	g.Do(t, "POST", "/b", `{"x":1}`, "X-Api-Key: write", key).Is(t, 409, conflict)
	g.Do(t, "POST", "/a", `{"x":1}`, "X-Api-Key: write", "Idempotency-Key: k2").Is(t, 201, `{"message":"call 2"}`)
	g.Do(t, "POST", "/a", `{"x":1}`, "X-Api-Key: write").Is(t, 201, `{"message":"call 3"}`)
	g.Do(t, "POST", "/a", `{"fail":1}`, "X-Api-Key: write", "Idempotency-Key: k3").Is(t, 422, "")
	g.Do(t, "POST", "/a", `{"x":1}`, "X-Api-Key: write", "Idempotency-Key: k3").Is(t, 201, `{"message":"call 5"}`)
}

// The first answer that a server gives has nothing written in it, not even into a buffer that was used before.
func TestIdempotencyKeyWithoutABody(t *testing.T) {
	t.Parallel()
	calls := 0
	g := newRig(t, Route{Method: "DELETE", Path: "/a", Access: Write, Handle: func(a *wire.Answer, _ *wire.Request) error {
		calls++
		a.NoContent()
		return nil
	}})
	for range 2 {
		g.Do(t, "DELETE", "/a", "", "X-Api-Key: write", "Idempotency-Key: k").Is(t, 204, "")
	}
	if calls != 1 {
		t.Errorf("it was done %d times", calls)
	}
}

func TestIdempotencyKeyOfMultipart(t *testing.T) {
	t.Parallel()
	calls := 0
	g := newRig(t, Route{Method: "POST", Path: "/a", Access: Write, Handle: counting(&calls)})
	body := apitest.Multi([2]string{`name="file"; filename="f"`, "content"})
	send := func(boundary, body string) apitest.Reply {
		return g.Do(t, "POST", "/a", strings.ReplaceAll(body, "XX", boundary), "X-Api-Key: write", "Idempotency-Key: k", "Content-Type: multipart/form-data; boundary="+boundary)
	}
	send("first", body).Is(t, 201, `{"message":"call 1"}`)
	send("second-one", body).Is(t, 201, `{"message":"call 1"}`)
	send("third", strings.ReplaceAll(body, "content", "other")).Is(t, 409, "")
}

func TestIdempotencyKeyIsChecked(t *testing.T) {
	t.Parallel()
	calls := 0
	g := newRig(t, Route{Method: "POST", Path: "/a", Access: Write, Handle: counting(&calls)})
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
		g.Do(t, "POST", "/a", "", headers...).Is(t, c.status, "")
	}
}

func TestIdempotencyKeyInUse(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan bool), make(chan bool)
	g := newRig(t, Route{Method: "POST", Path: "/a", Access: Write, Handle: func(a *wire.Answer, _ *wire.Request) error {
		entered <- true
		<-leave
		a.Message("done")
		return nil
	}})
	var first sync.WaitGroup
	first.Go(func() {
		g.Do(t, "POST", "/a", "", "X-Api-Key: write", "Idempotency-Key: k").Is(t, 200, `{"message":"done"}`)
	})
	<-entered
	g.Do(t, "POST", "/a", "", "X-Api-Key: write", "Idempotency-Key: k").Is(t, 409, `{"error":"conflict","message":"a request with this Idempotency-Key is still running","details":null}`)
	leave <- true
	first.Wait()
	g.Do(t, "POST", "/a", "", "X-Api-Key: write", "Idempotency-Key: k").Is(t, 200, `{"message":"done"}`)
}

// TestBodyDigest: however a body arrives in pieces, its digest is the same, and the boundary is no part of it.
func TestBodyDigest(t *testing.T) {
	t.Parallel()
	digest := func(body, boundary string, piece int) [32]byte {
		hr := httptest.NewRequest(http.MethodPost, "/a", io.NopCloser(strings.NewReader(body)))
		hr.Header.Set("Content-Type", "multipart/form-data; boundary="+boundary)
		r := &wire.Request{Request: hr}
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
