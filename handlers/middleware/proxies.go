package middleware

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
)

// proxies are those whose headers are believed. A program that comes over a Unix socket has no address: whoever may
// open the socket is on this machine, so it counts as loopback.
type proxies []netip.Prefix

func (p proxies) trust(addr netip.Addr) bool {
	return addr.IsValid() && slices.ContainsFunc(p, func(of netip.Prefix) bool { return of.Contains(addr) })
}

// peer is the address at the other end of a connection, as [http.Request.RemoteAddr] has it; invalid where that is none.
func peer(remote string) netip.Addr {
	if remote == "" || strings.ContainsRune("@/", rune(remote[0])) { // a Unix socket
		return netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	at, _ := netip.ParseAddrPort(remote)
	return plainAddress(at.Addr())
}

// plainAddress is an address in the one form in which ranges are compared with it.
func plainAddress(addr netip.Addr) netip.Addr { return addr.Unmap().WithZone("") }

// client is the address that a request comes from: its peer, or where that is a trusted proxy, the next one that it
// names, and so on. Where a request has both headers and they differ, one of them is the client's own invention, and
// the peer is what is known.
func (p proxies) client(r *http.Request) netip.Addr {
	from := peer(r.RemoteAddr)
	if !p.trust(from) {
		return from
	}
	old, isOld := r.Header["X-Forwarded-For"]
	standard, isStandard := r.Header["Forwarded"]
	switch {
	case isOld && isStandard:
		byOld, byStandard := p.follow(from, oldHops(old)), p.follow(from, standardHops(standard))
		if byOld == byStandard {
			return byOld
		}
	case isOld:
		return p.follow(from, oldHops(old))
	case isStandard:
		return p.follow(from, standardHops(standard))
	}
	return from
}

// follow goes from proxy to proxy, the nearest of which is the last in the list, until one is not to be trusted, or says nothing
// that can be read.
func (p proxies) follow(from netip.Addr, hops []string) netip.Addr {
	for _, hop := range slices.Backward(hops) {
		if !p.trust(from) {
			break
		}
		next, ok := hopAddress(hop)
		if !ok {
			break
		}
		from = next
	}
	return from
}

// hopAddress reads the address of a hop, which may have a port, and brackets if it is one of IPv6.
func hopAddress(text string) (netip.Addr, bool) {
	if at, err := netip.ParseAddrPort(text); err == nil {
		return plainAddress(at.Addr()), true
	}
	addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	return plainAddress(addr), err == nil
}

// oldHops are the entries of X-Forwarded-For, which each proxy has put behind what there was.
func oldHops(values []string) []string {
	hops := strings.Split(strings.Join(values, ","), ",")
	for i := range hops {
		hops[i] = strings.TrimSpace(hops[i])
	}
	return hops
}

func standardHops(values []string) []string {
	var hops []string
	for _, element := range parseForwarded(values) {
		hops = append(hops, element["for"])
	}
	return hops
}

// Origin is where a client finds the server, for links: scheme://host and the path above /api.
type Origin struct{ Scheme, Host, Root string }

// DefaultOrigin is where a client finds the server when nothing says so, as in the pages that are made when the project is built.
const DefaultOrigin = "http://localhost:7117"

// Origins finds out where requests come from, and where their clients find the server.
type Origins struct {
	proxies proxies
	base    string // path
	log     *slog.Logger
	warned  atomic.Bool // see warnOfProxy
}

// Of finds out where the client of a request finds the server. What a proxy says counts if it is trusted.
func (s *Origins) Of(r *http.Request) Origin {
	o := Origin{Scheme: "http", Host: r.Host, Root: s.base}
	if r.TLS != nil {
		o.Scheme = "https"
	}
	if s.proxies.trust(peer(r.RemoteAddr)) {
		o.forwarded(r.Header, s.base)
	}
	if !plainHost(o.Host) {
		o.Host = strings.TrimPrefix(DefaultOrigin, "http://")
	}
	return o
}

// forwarded takes what the proxy nearest to the client has said. A client could only deceive itself: nothing that is answered
// is kept for others.
func (o *Origin) forwarded(h http.Header, base string) {
	var standard map[string]string
	if elements := parseForwarded(h["Forwarded"]); len(elements) > 0 {
		standard = elements[0]
	}
	if scheme := strings.ToLower(cmp.Or(first(h.Get("X-Forwarded-Proto")), standard["proto"])); scheme == "http" || scheme == "https" {
		o.Scheme = scheme
	}
	o.Host = cmp.Or(first(h.Get("X-Forwarded-Host")), standard["host"], o.Host)
	// The prefix is what the proxy has taken away, unless it has left it there and it is the base path itself.
	if prefix, err := CleanBasePath(first(h.Get("X-Forwarded-Prefix"))); err == nil && !strings.HasSuffix(prefix, base) {
		o.Root = prefix + base
	} else if err == nil && prefix != "" {
		o.Root = prefix
	}
}

// first is the first of a list in a header.
func first(list string) string {
	text, _, _ := strings.Cut(list, ",")
	return strings.TrimSpace(text)
}

// plainHost says whether a host, which may have a port, is safe wherever a link can stand.
func plainHost(host string) bool {
	return host != "" && !strings.ContainsFunc(host, func(c rune) bool { return notNameRune(c) && c != ':' && c != '[' && c != ']' })
}
