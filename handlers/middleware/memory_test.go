package middleware

import (
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"finsvc/handlers/apitest"
	"finsvc/handlers/wire"
)

// TestBodiesInFlight share their memory over all connections: the one too many is answered 503, another key's body comes
// through, and at the end everything is given back.
func TestBodiesInFlight(t *testing.T) {
	t.Parallel()
	const length, sent = 16 << 20, 12 << 20
	g := newRig(t, Route{Method: "POST", Path: "/", Access: Read, BodyMax: length, Handle: echo("ok")})
	w := g.listen(t, DefaultConnectionLimits(), usualPace())
	answers := make(chan apitest.Reply, 8)
	var open []*apitest.Socket
	for range 5 { // 3 have room
		s := w.Dial(t)
		open = append(open, s)
		go func() {
			_, _ = io.WriteString(s, `POST / HTTP/1.1`+"\r\nHost: a\r\nX-Api-Key: write\r\nContent-Length: "+strconv.Itoa(length)+"\r\n\r\n\""+strings.Repeat("x", sent))
		}()
		go func() {
			if resp, err := s.Head(); err == nil {
				data, _ := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				answers <- apitest.Reply{Response: resp, Text: string(data)}
			}
		}()
	}
	for range 2 {
		got := <-answers
		got.Is(t, 503, `{"error":"unavailable","message":"too many bodies are being received at once; nothing was written, send it again in a moment","details":null}`)
		apitest.CheckHeaders(t, got, map[string]string{"Retry-After": "5"})
	}
	w.Dial(t).Ask(t, apitest.Post("/", 1<<20), "read", "\r\n\""+strings.Repeat("x", 1<<20-2)+"\"").Answer(t).Is(t, 200, "")
	for _, s := range open {
		_ = s.Close()
	}
	apitest.Until(t, "all memory is given back", func() bool {
		return g.bodies.Left() == wire.BodyMemory
	})
}

// quick is a pace of which a test need not wait for the end.
func quick() pace {
	return pace{floor: 1 << 10, begin: 50 * time.Millisecond, most: 100 * time.Millisecond, rest: 50 * time.Millisecond}
}

// TestSlowBodies are ended, and never read where nobody may send one.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	g := newRig(t, Route{Method: "POST", Path: "/", Access: Write, Handle: echo("ok")},
		Route{Method: "POST", Path: "/imports", Access: Write, RawBody: true, Handle: func(a *wire.Answer, r *wire.Request) error {
			_, _, err := r.ReceiveFile(io.Discard)
			return err
		}})
	w := g.listen(t, DefaultConnectionLimits(), quick())
	const late = `{"error":"request_timeout","message":"the body did not arrive in time; nothing was written","details":null}`
	for name, c := range map[string]struct{ head, begin string }{
		"JSON":       {apitest.Post("/", 1000), `{"a":`},
		"nothing":    {apitest.Post("/", 1000), ``},
		"chunked":    {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked", "1\r\n{\r\n"},
		"an import":  {apitest.Post("/imports", 1000), `{"a":`},
		"multipart":  {"POST /imports HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\nContent-Type: " + apitest.MimePart, "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nd"},
		"too long":   {apitest.Post("/", 3000), `{"a":`},
		"not wanted": {apitest.Post("/nowhere", 1000), `{"a":`},
		"no key":     {apitest.Post("/", 1000), `{"a":`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key, status, want := "write", 408, late
			switch name {
			case "too long":
				status, want = 422, ""
			case "not wanted":
				status, want = 404, ""
			case "no key":
				key, status, want = "", 401, ""
			}
			s := w.Dial(t).Ask(t, c.head, key, "\r\n"+c.begin)
			s.Answer(t).Is(t, status, want)
			if !s.Ended() {
				t.Error("the connection stays open")
			}
		})
	}
	s := w.Dial(t)
	for range 3 { // the pace of a body says nothing of the next one
		s.Ask(t, apitest.Post("/", 7), "write", "\r\n{\"a\":1}").Answer(t).Is(t, 200, "")
		s.Ask(t, apitest.Post("/", 7), "read", "\r\n{\"a\":1}").Answer(t).Is(t, 403, "")
	}
}

// deadlines notes until when a body may take.
type deadlines []time.Time

func (d *deadlines) SetReadDeadline(at time.Time) error {
	*d = append(*d, at)
	return nil
}

// TestPace: every byte gives time, up to a bound, and the end of the body all that a request may have.
func TestPace(t *testing.T) {
	t.Parallel()
	const little, much = 2 << 10, 1 << 20
	var given deadlines
	began := time.Now()
	p := usualPace()
	b := &arrivingBody{ReadCloser: io.NopCloser(strings.NewReader(strings.Repeat("x", little+much))), arrivals: &arrivals{pace: p}, from: &given,
		credit: p.begin, until: began.Add(time.Hour)}
	for _, n := range []int{little, much, 1} {
		if _, err := b.Read(make([]byte, n)); err != nil && err != io.EOF {
			t.Fatal(err)
		}
	}
	took := time.Since(began)
	want := []time.Duration{p.begin, p.begin + 2*time.Second, p.most, time.Hour}
	for i, at := range given {
		if from := at.Sub(began); from > want[i]+took || from < want[i]-took {
			t.Errorf("%d: until %s, want %s", i, from, want[i])
		}
	}
	if len(given) != len(want) {
		t.Errorf("%d deadlines", len(given))
	}
}
