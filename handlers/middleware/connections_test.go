package middleware

import (
	"bytes"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"finsvc/handlers/apitest"
)

// stand is a connection that is nowhere.
type stand struct {
	net.Conn
	from   string
	closed bool
}

func (s *stand) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(s.from), 1))
}

func (s *stand) Close() error {
	s.closed = true
	return nil
}

// TestWhichConnectionGoes walks through what happens when there are as many connections as may be.
func TestWhichConnectionGoes(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	cs := NewConnections(ConnectionLimits{Most: 8, Reserve: 2, PerAddress: 4}, []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}, slog.New(slog.NewTextHandler(&log, nil)))
	at := map[string]*stand{}
	given := map[string]*connection{}
	come := func(name, from string) bool {
		at[name] = &stand{from: from}
		given[name] = cs.accept(at[name])
		return given[name] != nil
	}
	gone := func(names ...string) {
		t.Helper()
		for name, s := range at {
			wanted := false
			for _, n := range names {
				wanted = wanted || n == name
			}
			if s.closed != wanted {
				t.Errorf("%s: closed %v", name, s.closed)
			}
		}
	}
	for _, name := range []string{"a1", "a2", "a3", "a4"} {
		come(name, "198.51.100.1")
	}
	come("b1", "203.0.113.1")
	cs.note(given["a1"], http.StateActive)
	gone()
	come("a5", "198.51.100.1") // its address has as many as it may: its own oldest goes that is idle
	gone("a2")
	come("b2", "203.0.113.1")
	gone("a2")
	cs.note(given["a1"], http.StateIdle) // after a3, a4 and a5
	come("c1", "2001:db8::1")
	gone("a2", "a3")
	come("c2", "2001:db8::2") // the same network
	gone("a2", "a3", "a4")
	come("c3", "2001:db8::3")
	gone("a2", "a3", "a4", "b1") // all addresses have two: what has been idle for longest
	for _, name := range []string{"a1", "a5", "b2", "c1", "c2", "c3"} {
		cs.note(given[name], http.StateActive)
	}
	if !come("d1", "192.0.2.1") || !given["d1"].spare || !come("d2", "192.0.2.1") {
		t.Error("the reserve is not used")
	}
	gone("a2", "a3", "a4", "b1")
	if !come("d3", "192.0.2.1") || !given["d3"].spare || !at["d1"].closed { // of the reserve, too, what is idle goes first
		t.Error("an idle connection of the reserve stays")
	}
	cs.note(given["d2"], http.StateActive)
	cs.note(given["d3"], http.StateActive)
	if come("e1", "203.0.113.9") {
		t.Error("one too many is accepted")
	}
	if err := given["a1"].Close(); err != nil {
		t.Error(err)
	}
	if err := given["a1"].Close(); err != nil { // counts once
		t.Error(err)
	}
	if !come("e2", "203.0.113.9") || len(cs.open) != 8 {
		t.Errorf("%d connections are counted", len(cs.open))
	}
	for _, c := range given {
		if c != nil {
			_ = c.Close()
		}
	}
	if len(cs.open) != 0 || len(cs.byAddress) != 0 {
		t.Errorf("left: %v, %v", cs.open, cs.byAddress)
	}
	for _, proxy := range []string{"192.0.2.1", "127.0.0.1"} { // a trusted one and this machine may have more than another address
		var all []*connection
		for range 5 {
			come("p", proxy)
			all = append(all, given["p"])
		}
		if len(cs.open) != 5 {
			t.Errorf("%d connections of %s", len(cs.open), proxy)
		}
		for _, c := range all {
			_ = c.Close()
		}
	}
	if n := strings.Count(log.String(), "too many connections"); n != 1 {
		t.Errorf("said %d times: %s", n, &log)
	}
}

// TestIdleConnectionsLockNobodyOut, neither those that never say anything nor those that have been answered.
func TestIdleConnectionsLockNobodyOut(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	w := g.listen(t, ConnectionLimits{Most: 20, Reserve: 2, PerAddress: 5}, usualPace())
	var idle []*apitest.Socket
	for i := range 60 {
		s := w.Dial(t)
		if i%2 == 0 {
			s.Ask(t, apitest.Get("/up"), "", "\r\n").Answer(t).Is(t, 200, "")
		}
		idle = append(idle, s)
	}
	w.Dial(t).Ask(t, apitest.Get("/up"), "", "\r\n").Answer(t).Is(t, 200, "")
	w.Dial(t).Ask(t, apitest.Get("/api/v1/usage"), "read", "\r\n").Answer(t).Is(t, 200, "")
	for _, s := range idle[:20] { // of the others a busy machine may notice late that they are idle
		if !s.Ended() {
			t.Fatal("an old connection is open still")
		}
	}
	idle[59].Ask(t, apitest.Get("/up"), "", "\r\n").Answer(t).Is(t, 200, "")
}

// TestReserve: when every connection is busy, health checks and keys that have nothing running are answered.
func TestReserve(t *testing.T) {
	t.Parallel()
	began, release := make(chan bool), make(chan struct{})
	g := newRig(t)
	g.Serve([]Route{
		{Method: "GET", Path: "/up", Access: Public, Handle: echo("up"), Quiet: true},
		{Method: "GET", Path: "/", Access: Public, Handle: echo("home")},
		{Method: "GET", Path: "/busy", Access: Read, Live: true, Handle: blocking(began, release)},
		{Method: "GET", Path: "/light", Access: Read, Handle: echo("light")},
	})
	w := g.listen(t, ConnectionLimits{Most: 6, Reserve: 3, PerAddress: 2}, usualPace())
	ask := func(path, key string) apitest.Reply {
		t.Helper()
		s := w.Dial(t)
		got := s.Ask(t, apitest.Get(path), key, "\r\n").Answer(t)
		if !got.Close || !s.Ended() {
			t.Errorf("%s: a place of the reserve stays taken", path)
		}
		return got
	}
	var busy []*apitest.Socket
	for range 3 {
		busy = append(busy, w.Dial(t).Ask(t, apitest.Get("/busy"), "read", "\r\n"))
		<-began
	}
	ask("/up", "").Is(t, 200, "")
	ask("/light", "write").Is(t, 200, `{"message":"light"}`)
	refused := ask("/light", "read")
	refused.Is(t, 503, `{"error":"unavailable","message":"too many connections are open; nothing was written, send it again in a moment","details":null}`)
	apitest.CheckHeaders(t, refused, map[string]string{"Retry-After": "5"})
	ask("/", "").Is(t, 503, "")
	other := w.Dial(t).Ask(t, apitest.Get("/busy"), "write", "\r\n")
	<-began
	ask("/light", "write").Is(t, 503, "")
	ask("/up", "").Is(t, 200, "")
	close(release)
	for _, s := range append(busy, other) {
		s.Answer(t).Is(t, 200, `{"message":"done"}`)
	}
	apitest.Until(t, "the places are free", func() bool {
		w.connections.mu.Lock()
		defer w.connections.mu.Unlock()
		return len(w.connections.open) == 3
	})
	s := w.Dial(t).Ask(t, apitest.Get("/light"), "read", "\r\n")
	if got := s.Answer(t); got.StatusCode != 200 || got.Close {
		t.Errorf("afterwards: %d, closed %v", got.StatusCode, got.Close)
	}
}
