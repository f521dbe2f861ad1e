package handlers

import "net/http"

// access is what a key needs for a route.
type access int

// The kinds of access, in rising order.
const (
	public access = iota // no key
	read                 // any key
	write                // a key of scope read_write
)

// handler answers a request: JSON into a, or an error.
type handler func(a *answer, r *request) error

// route is one operation of the API.
type route struct {
	method string
	path   string // every parameter is named :id, a second one by what it is
	access access
	handle handler

	bodyMax int64 // longest body in bytes; 0: the ordinary limit
	rawBody bool  // the handler reads the body itself, as a stream
	quiet   bool  // logged at debug level only
}

// routes is the table of every operation. GET answers HEAD as well, PATCH answers PUT. POST honours
// Idempotency-Key. A word may stand beside a parameter (users/me beside users/:id).
func (s *Server) routes() []route {
	const v1 = "/api/v1"
	return []route{
		{method: http.MethodGet, path: "/up", access: public, handle: s.showHealth, quiet: true},
		{method: http.MethodGet, path: "/healthz", access: public, handle: s.showHealth, quiet: true},

		{method: http.MethodGet, path: v1 + "/usage", access: read, handle: s.showUsage},
	}
}
