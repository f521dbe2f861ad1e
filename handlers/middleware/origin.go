package middleware

import (
	"bytes"
	"cmp"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
)

// Origin is where a client finds the server, for links: scheme://host and the path above /api.
type Origin struct{ Scheme, Host, Root string }

// DefaultOrigin is where a client finds the server when nothing says so, as in the pages that are made when the
// project is built.
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

// forwarded takes what the proxy nearest to the client has said. A client could only deceive itself: nothing that is
// answered is kept for others.
func (o *Origin) forwarded(h http.Header, base string) {
	var standard map[string]string
	if elements := parseForwarded(h["Forwarded"]); len(elements) > 0 {
		standard = elements[0]
	}
	if scheme := strings.ToLower(cmp.Or(first(h.Get("X-Forwarded-Proto")), standard["proto"])); scheme == "http" ||
		scheme == "https" {
		o.Scheme = scheme
	}
	o.Host = cmp.Or(first(h.Get("X-Forwarded-Host")), standard["host"], o.Host)
	// The prefix is what the proxy has taken away, unless it has left it there and it is the base path itself.
	if prefix, err := CleanBasePath(first(h.Get("X-Forwarded-Prefix"))); err == nil &&
		!strings.HasSuffix(prefix, base) {
		o.Root = prefix + base
	} else if err == nil && prefix != "" {
		o.Root = prefix
	}
}

// Link makes the links of a page lead to where its reader has it from.
func (o Origin) Link(page []byte) []byte {
	for _, start := range []string{`href="/api/`, `href="/handbook`, `src="/handbook`} {
		page = bytes.ReplaceAll(page, []byte(start), []byte(strings.Replace(start, `"/`, `"`+o.Root+"/", 1)))
	}
	return page
}

// Describe puts the path below which the API is into a description.
func (o Origin) Describe(text []byte, server string) []byte {
	return bytes.Replace(text, []byte(server), []byte(server+strings.TrimPrefix(o.Root, "/")), 1)
}

// first is the first of a list in a header.
func first(list string) string {
	text, _, _ := strings.Cut(list, ",")
	return strings.TrimSpace(text)
}

// plainHost reports whether a host, which may have a port, is safe wherever a link can stand.
func plainHost(host string) bool {
	return host != "" && !strings.ContainsFunc(host, func(c rune) bool {
		return notNameRune(c) && c != ':' &&
			c != '[' && c != ']'
	})
}

// Client is the address that a request comes from, as far as proxies are trusted that name it.
func (s *Origins) Client(r *http.Request) netip.Addr { return s.proxies.client(r) }

// Proxied reports whether a request comes from a trusted proxy, whose headers are believed.
func (s *Origins) Proxied(r *http.Request) bool { return s.proxies.trust(peer(r.RemoteAddr)) }
