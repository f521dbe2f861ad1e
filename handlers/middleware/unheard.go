package middleware

import (
	"log/slog"
	"net/http"
	"slices"
)

// forwardedHeaders are those by which a proxy says where a request comes from.
func forwardedHeaders() []string {
	return []string{"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Prefix", "Forwarded"}
}

// warnOfProxy says, once a start, that a request came through a proxy that is not trusted: all its clients count as
// one, and links are those of the proxy. What the headers hold is not logged: it is about clients, and whoever sends
// it may have made it up, so it is for a person to know whether the address is that of their proxy.
func (s *Origins) warnOfProxy(r *http.Request) {
	if s.warned.Load() || !slices.ContainsFunc(forwardedHeaders(),
		func(name string) bool { return r.Header[name] != nil }) {
		return
	}
	from := peer(r.RemoteAddr)
	if !from.IsValid() || s.proxies.trust(from) || s.warned.Swap(true) {
		return
	}
	s.log.LogAttrs(r.Context(), slog.LevelWarn, "a request came with headers of a proxy that is not trusted; they are not read. If this is your proxy, "+
		"name it, or its clients count as one and links may be wrong", slog.String("address", from.String()),
		slog.String("setting", "--trusted-proxies "+from.String()))
}
