package middleware

import (
	"net/http"
	"strings"

	"finsvc/handlers/wire"
)

// exposedHeaders are those that a script in a browser may read besides the ordinary ones.
const exposedHeaders = "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id, Idempotency-Replayed, ETag"

// allowOrigins lets scripts of any origin use the API: keys travel in a header, never in a cookie, so
// this gives nothing away. It says whether it answered the request, which it does for OPTIONS, without
// a key and whatever the path, as browsers need it.
func allowOrigins(a *wire.Answer, r *wire.Request) (done bool) {
	h := a.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", exposedHeaders)
	if r.Method != http.MethodOptions {
		return false
	}
	h.Set("Access-Control-Allow-Methods", strings.Join(append(methods(), http.MethodOptions), ", "))
	h.Set("Access-Control-Max-Age", "86400")
	// Authorization is not covered by "*": what the browser asks for is named.
	if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
		h.Set("Access-Control-Allow-Headers", asked)
		h.Add("Vary", "Access-Control-Request-Headers")
	} else {
		h.Set("Access-Control-Allow-Headers", "X-Api-Key, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id")
	}
	r.Pattern = patternPreflight
	a.NoContent()
	return true
}
