package middleware

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// proxies are those whose headers are believed. A program that comes over a Unix socket has no address: whoever may
// open the socket is on this machine, so it counts as loopback.
type proxies []netip.Prefix

func (p proxies) trust(addr netip.Addr) bool {
	return addr.IsValid() && slices.ContainsFunc(p, func(of netip.Prefix) bool { return of.Contains(addr) })
}

// peer is the address at the other end of a connection, as [http.Request.RemoteAddr] has it; invalid where that is
// none.
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

// follow goes from proxy to proxy, the nearest of which is the last in the list, until one is not to be trusted, or
// says nothing that can be read.
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
