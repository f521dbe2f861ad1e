package middleware

import (
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"finsvc/handlers/apitest"
)

func headersOf(lines ...string) http.Header {
	h := http.Header{}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		h.Add(name, value)
	}
	return h
}

// trusted are the proxies of the tests.
func trusted() proxies {
	return proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("fd00::/8")}
}

func TestClientBehindProxies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		peer    string
		headers []string
		want    string
	}{
		{"192.0.2.7:1234", nil, "192.0.2.7"},
		{"192.0.2.7:1234", []string{"X-Forwarded-For: 198.51.100.1", "Forwarded: for=198.51.100.1"}, "192.0.2.7"}, // forged
		{"10.0.0.1:1", nil, "10.0.0.1"},
		{"10.0.0.1:1", []string{"X-Forwarded-For: 198.51.100.1"}, "198.51.100.1"},
		{"10.0.0.1:1", []string{"X-Forwarded-For: 6.6.6.6, 198.51.100.1"}, "198.51.100.1"},
		{"10.0.0.1:1", []string{"X-Forwarded-For: 6.6.6.6", "X-Forwarded-For: 198.51.100.1, 10.0.0.2"}, "198.51.100.1"},
		{"10.0.0.1:1", []string{"X-Forwarded-For: 10.0.0.3, 10.0.0.2"}, "10.0.0.3"}, // all trusted
		{"10.0.0.1:1", []string{"X-Forwarded-For: 6.6.6.6, unknown"}, "10.0.0.1"},
		{"10.0.0.1:1", []string{"X-Forwarded-For: "}, "10.0.0.1"},
		{"10.0.0.1:1", []string{"X-Forwarded-For: 198.51.100.1,"}, "10.0.0.1"},
		{"10.0.0.1:1", []string{"X-Forwarded-For: 198.51.100.1:4711"}, "198.51.100.1"},
		{"10.0.0.1:1", []string{"X-Forwarded-For: [2001:db8::1]:4711"}, "2001:db8::1"},
		{"10.0.0.1:1", []string{"X-Forwarded-For: 2001:db8::1"}, "2001:db8::1"},
		{"10.0.0.1:1", []string{"X-Forwarded-For: ::ffff:198.51.100.1"}, "198.51.100.1"},
		{"10.0.0.1:1", []string{"X-Forwarded-For: 6.6.6.6, ::ffff:10.0.0.2"}, "6.6.6.6"},
		{"[::ffff:10.0.0.1]:1", []string{"X-Forwarded-For: 198.51.100.1"}, "198.51.100.1"},
		{"[fd00::1%eth0]:1", []string{"X-Forwarded-For: 198.51.100.1"}, "198.51.100.1"},
		{"@", []string{"X-Forwarded-For: 198.51.100.1"}, "198.51.100.1"}, // over a Unix socket
		{"", []string{"X-Forwarded-For: 198.51.100.1"}, "198.51.100.1"},
		{"10.0.0.1:1", []string{"Forwarded: for=198.51.100.1;proto=https;by=10.0.0.1"}, "198.51.100.1"},
		{"10.0.0.1:1", []string{`Forwarded: For="[2001:db8::1]:47011"; Proto="http"`}, "2001:db8::1"},
		{"10.0.0.1:1", []string{"Forwarded: for=6.6.6.6, for=198.51.100.1", "Forwarded: for=10.0.0.2"}, "198.51.100.1"},
		{"10.0.0.1:1", []string{"Forwarded: for=_hidden, for=10.0.0.2"}, "10.0.0.2"},
		{"10.0.0.1:1", []string{`Forwarded: for=6.6.6.6;a="`, `Forwarded: for="198.51.100.1"`}, "10.0.0.1"}, // quotes meant to swallow what the proxy says
		{"10.0.0.1:1", []string{`Forwarded: for=6.6.6.6;a="`, "Forwarded: for=198.51.100.1"}, "10.0.0.1"},
		{"10.0.0.1:1", []string{"Forwarded: 198.51.100.1"}, "10.0.0.1"},
		{"10.0.0.1:1", []string{"Forwarded: for=198.51.100.1", "X-Forwarded-For: 198.51.100.1"}, "198.51.100.1"},
		{"10.0.0.1:1", []string{"Forwarded: for=6.6.6.6", "X-Forwarded-For: 198.51.100.1"}, "10.0.0.1"}, // one of them is forged
	} {
		r := &http.Request{RemoteAddr: c.peer, Header: headersOf(c.headers...)}
		if got := trusted().client(r); got.String() != c.want {
			t.Errorf("%s %q: got %s, want %s", c.peer, c.headers, got, c.want)
		}
	}
}

func TestPeerThatHasNoAddress(t *testing.T) {
	t.Parallel()
	r := &http.Request{RemoteAddr: "pipe", Header: headersOf("X-Forwarded-For: 198.51.100.1")}
	if got := trusted().client(r); got.IsValid() {
		t.Errorf("got %s", got)
	}
}

func TestClientNetwork(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"192.0.2.7":            "192.0.2.7/32",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
	} {
		if got := clientNetwork(netip.MustParseAddr(text)); got.String() != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	if clientNetwork(netip.Addr{}).IsValid() {
		t.Error("no address has a network")
	}
}

func TestOrigin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		peer, base string
		headers    []string
		want       string
	}{
		{"192.0.2.7:1", "", nil, "http://nas:7117"},
		{"192.0.2.7:1", "/finance", nil, "http://nas:7117/finance"},
		{"192.0.2.7:1", "", []string{"X-Forwarded-Proto: https", "X-Forwarded-Host: evil.example", "X-Forwarded-Prefix: /evil", "Forwarded: host=evil.example"}, "http://nas:7117"},
		{"10.0.0.1:1", "", []string{"X-Forwarded-Proto: https", "X-Forwarded-Host: finance.example.org"}, "https://finance.example.org"},
		{"10.0.0.1:1", "", []string{"X-Forwarded-Proto: HTTPS, http", "X-Forwarded-Host: finance.example.org, nas"}, "https://finance.example.org"},
		{"10.0.0.1:1", "", []string{"X-Forwarded-Proto: gopher", "X-Forwarded-Host: a'b"}, "http://localhost:7117"},
		{"10.0.0.1:1", "", []string{`Forwarded: proto=https;host="[2001:db8::1]:8443", host=nas`}, "https://[2001:db8::1]:8443"},
		{"10.0.0.1:1", "", []string{"X-Forwarded-Prefix: /finance/"}, "http://nas:7117/finance"},
		{"10.0.0.1:1", "/finance", []string{"X-Forwarded-Prefix: /finance"}, "http://nas:7117/finance"},
		{"10.0.0.1:1", "/finance", []string{"X-Forwarded-Prefix: /home"}, "http://nas:7117/home/finance"},
		{"10.0.0.1:1", "/finance", []string{"X-Forwarded-Prefix: /home/finance"}, "http://nas:7117/home/finance"},
		{"10.0.0.1:1", "/finance", []string{"X-Forwarded-Prefix: /"}, "http://nas:7117/finance"},
		{"10.0.0.1:1", "/finance", []string{`X-Forwarded-Prefix: //evil.example"`}, "http://nas:7117/finance"},
	} {
		s := &Origins{base: c.base, proxies: trusted()}
		o := s.Of(&http.Request{Host: "nas:7117", RemoteAddr: c.peer, Header: headersOf(c.headers...)})
		if got := o.Scheme + "://" + o.Host + o.Root; got != c.want {
			t.Errorf("%s below %q, %q: got %s, want %s", c.peer, c.base, c.headers, got, c.want)
		}
	}
}

// FuzzForwarded: whatever the headers of a request say, an untrusted peer is who it is, and a trusted one names an address.
func FuzzForwarded(f *testing.F) {
	f.Add("198.51.100.1, 10.0.0.2", `for=192.0.2.43, for="[2001:db8::17]";proto=https`, "/finance")
	f.Add("", `a="\"`, "//")
	f.Fuzz(func(t *testing.T, old, standard, prefix string) {
		h := http.Header{"X-Forwarded-For": {old}, "Forwarded": {standard}, "X-Forwarded-Prefix": {prefix}, "X-Forwarded-Host": {old}}
		s := &Origins{proxies: trusted()}
		for _, remote := range []string{"192.0.2.7:1", "10.0.0.1:1"} {
			r := &http.Request{RemoteAddr: remote, Header: h, Host: "nas"}
			got, o := s.proxies.client(r), s.Of(r)
			if remote == "192.0.2.7:1" && (got.String() != "192.0.2.7" || o != Origin{"http", "nas", ""}) {
				t.Errorf("forged: %s %+v", got, o)
			}
			if !got.IsValid() || strings.ContainsAny(o.Host+o.Root, "\"'<>& \n") {
				t.Errorf("got %s %+v", got, o)
			}
		}
	})
}

// TestForgedHeaders: one who presents unknown keys is slowed down whatever addresses are made up, but for what a trusted
// proxy says.
func TestForgedHeaders(t *testing.T) {
	t.Parallel()
	guess := func(g *rig, n int) apitest.Reply {
		return g.Do(t, "GET", "/api/v1/usage", "", "X-Api-Key: guess", "X-Forwarded-For: 198.51.100."+strconv.Itoa(n))
	}
	g := newRig(t)
	for n := range strangersPerMinute {
		guess(g, n).Is(t, 401, "")
	}
	guess(g, 200).Is(t, 429, "")
	g = newRig(t)
	g.Origins.proxies = trusted()
	g.proxies = g.Origins.proxies
	for range strangersPerMinute {
		guess(g, 1).Is(t, 401, "")
	}
	guess(g, 1).Is(t, 429, "")
	guess(g, 2).Is(t, 401, "")
}
