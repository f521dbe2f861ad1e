package middleware

import (
	"net/http/httptest"
	"strings"
	"testing"

	"finsvc/handlers/apitest"
	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/tenant"
)

// newStreams serves a stream that nothing is told on, and something light.
func newStreams(t *testing.T) *rig {
	g := newRig(t)
	g.Serve([]Route{
		{Method: "GET", Path: "/up", Access: Public, Handle: echo("up"), Quiet: true},
		{Method: "GET", Path: "/light", Access: Read, Handle: echo("light")},
		{Method: "GET", Path: "/stream", Access: Read, Live: true, Lasts: AsStream, Handle: func(a *wire.Answer, r *wire.Request) error {
			end, err := g.Streams.Begin(a, r)
			if err != nil {
				return err
			}
			defer end()
			wire.Follow(a.Events(), make(chan int), func(*int) error { return nil })
			return nil
		}},
	})
	return g
}

// TestStreamsOfOneKey are limited: a thousand shut out nobody, and what is over the limit is told so.
func TestStreamsOfOneKey(t *testing.T) {
	t.Parallel()
	g := newStreams(t)
	w := g.listen(t, DefaultConnectionLimits(), usualPace())
	var open []*apitest.Socket
	for i := range 1000 {
		s := w.Dial(t).Ask(t, apitest.Get("/stream"), "read", "\r\n")
		got, err := s.Head()
		if err != nil {
			t.Fatal(err)
		}
		want := 200
		if i >= streamsPerKey {
			want = 429
		}
		if got.StatusCode != want {
			t.Fatalf("stream %d: %d, want %d", i, got.StatusCode, want)
		}
		if want == 200 {
			open = append(open, s)
		}
	}
	w.Dial(t).Ask(t, apitest.Get("/up"), "", "\r\n").Answer(t).Is(t, 200, "")
	w.Dial(t).Ask(t, apitest.Get("/light"), "read", "\r\n").Answer(t).Is(t, 200, "")
	w.Dial(t).Ask(t, apitest.Get("/light"), "write", "\r\n").Answer(t).Is(t, 200, "")
	refused := w.Dial(t).Ask(t, apitest.Get("/stream"), "read", "\r\n").Answer(t)
	refused.Is(t, 429, `{"error":"rate_limit_exceeded","message":"this key may have 32 streams open at a time; close some first","details":{"current":32,"limit":32,"reset_in_seconds":1}}`)
	apitest.CheckHeaders(t, refused, map[string]string{"Retry-After": "1"})
	if got, err := w.Dial(t).Ask(t, apitest.Get("/stream"), "write", "\r\n").Head(); err != nil || got.StatusCode != 200 {
		t.Errorf("a stream of another key: %v, %v", got, err)
	}
	_ = open[0].Close()
	apitest.Until(t, "another stream may be opened", func() bool {
		got, err := w.Dial(t).Ask(t, apitest.Get("/stream"), "read", "\r\n").Head()
		return err == nil && got.StatusCode == 200
	})
}

// TestLoadOfKeys counts what keys have running, and forgets them afterwards.
func TestLoadOfKeys(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	var ends []func()
	enter := func(key int64, streams bool) error {
		hr := httptest.NewRequest("GET", "/", nil)
		r := &inbound{Request: &wire.Request{Request: hr, Session: &tenant.Session{Actor: ledger.Actor{KeyID: key}}}}
		a := wire.NewAnswer(g.pools, make(unsent), hr)
		if err := g.inFlight.enter(a, r); err != nil {
			return err
		}
		if streams {
			end, err := g.inFlight.stream(a, r.Request)
			if err != nil {
				g.inFlight.leave(r)
				return err
			}
			ends = append(ends, end)
		}
		ends = append(ends, func() { g.inFlight.leave(r) })
		return nil
	}
	for range requestsPerKey {
		if err := enter(1, false); err != nil {
			t.Fatal(err)
		}
	}
	if err := enter(1, false); !ledger.IsKind(err, ledger.RateLimited) {
		t.Errorf("a request too many: %v", err)
	}
	for i := range streamsMost - streamsReserve {
		if err := enter(int64(2+i/streamsPerKey), true); err != nil {
			t.Fatalf("stream %d: %v", i, err)
		}
	}
	for i := range streamsReserve {
		if err := enter(int64(1000+i), true); err != nil {
			t.Errorf("the reserve, stream %d: %v", i, err)
		}
		if err := enter(1000, true); !ledger.IsKind(err, ledger.Unavailable) {
			t.Errorf("a second one on the reserve: %v", err)
		}
	}
	if err := enter(5000, true); !ledger.IsKind(err, ledger.Unavailable) {
		t.Errorf("a stream too many: %v", err)
	}
	for _, end := range ends {
		end()
	}
	if len(g.inFlight.keys) != 0 || g.inFlight.streams != 0 {
		t.Errorf("left: %v, %d", g.inFlight.keys, g.inFlight.streams)
	}
}

// TestStreamsEndWithTheirKey, when it is revoked and when its user is deactivated; the streams of others go on. A household is
// deleted long after its last user was.
func TestStreamsEndWithTheirKey(t *testing.T) {
	t.Parallel()
	g := newStreams(t)
	w := g.listen(t, DefaultConnectionLimits(), usualPace())
	open := func(key string) *apitest.Socket {
		s := w.Dial(t).Ask(t, apitest.Get("/stream"), key, "\r\n")
		if got, err := s.Head(); err != nil || got.StatusCode != 200 {
			t.Fatalf("%s: %v, %v", key, got, err)
		}
		return s
	}
	first, second, third := open("read"), open("read"), open("write")
	home, err := g.session(t.Context(), "read")
	if err != nil {
		t.Fatal(err)
	}
	who := ledger.Actor{HouseholdID: home.HouseholdID, Origin: ledger.OriginCLI}
	if _, err := g.ledger.Keys.RevokeAPIKey(t.Context(), who, "read"); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*apitest.Socket{first, second} {
		endsWell(t, s)
	}
	if err := g.ledger.Keys.CheckSession(t.Context(), home); !ledger.IsKind(err, ledger.Unauthorized) {
		t.Errorf("got %v", err)
	}
	if text, err := third.In.Peek(4); err != nil || strings.TrimSpace(string(text)) == "0" {
		t.Errorf("the stream of another key has ended: %q, %v", text, err)
	}
	if _, err := g.ledger.Tenants.DeactivateUser(t.Context(), who, home.UserID); err != nil {
		t.Fatal(err)
	}
	endsWell(t, third)
}

// endsWell reads a stream to its end, which is whole.
func endsWell(t *testing.T, s *apitest.Socket) {
	t.Helper()
	var all strings.Builder
	for !strings.HasSuffix(all.String(), "\r\n0\r\n\r\n") {
		c, err := s.In.ReadByte()
		if err != nil {
			t.Errorf("the stream ends with %v after %q", err, all.String())
			return
		}
		all.WriteByte(c)
	}
}
