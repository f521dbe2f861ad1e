package middleware

import (
	"context"
	"net/http"
	"strings"

	"finsvc/handlers/wire"
	"finsvc/ledger"
)

// ifMatch is the If-Match header of a write. It is nothing to a read, which must not wait for the database's one
// writer, or hold it as long as a stream lasts.
func ifMatch(r *inbound) string {
	if r.route.Method == http.MethodGet {
		return ""
	}
	return strings.Join(r.Header.Values("If-Match"), ",")
}

// precondition compares what a client thinks of a resource with what it is.
type precondition struct {
	router *router
	pools  *wire.Pools
}

// check refuses a write whose If-Match names another state of the resource than it is in: what GET of the same
// path would answer now. In a write nobody can change it before the handler does.
func (s precondition) check(ctx context.Context, r *inbound) error {
	header := ifMatch(r)
	if header == "" {
		return nil
	}
	etag, err := s.currentTag(ctx, r)
	if err != nil || wire.MatchesTag(header, etag) {
		return err
	}
	return &ledger.Error{Kind: ledger.Conflict, Code: wire.CodePrecondition,
		Message: "this is not what the ETag in If-Match was of; read it again"}
}

// currentTag is the ETag of what GET of a request's path would answer.
func (s precondition) currentTag(ctx context.Context, r *inbound) (string, error) {
	found, _ := s.router.find(http.MethodGet, r.URL.Path)
	if found.route == nil || found.route.Live {
		return "", &ledger.Error{Kind: ledger.Conflict, Code: wire.CodePrecondition,
			Message: "nothing at this path has an ETag; leave If-Match out"}
	}
	look := r.Request.Request.Clone(ctx)
	look.Method, look.URL.RawQuery, look.Body = http.MethodGet, "", http.NoBody
	a := wire.NewAnswer(s.pools, make(unsent), look)
	defer a.Release()
	err := found.route.Handle(a, &wire.Request{Request: look, ID: r.ID, Params: found.params, Pattern: r.Pattern,
		Session: r.Session, Rate: r.Rate})
	return wire.EtagOf(a.Json.Bytes()), err
}

// unsent takes an answer that nobody is sent.
type unsent http.Header

// Header, Write and WriteHeader make it an [http.ResponseWriter].
func (u unsent) Header() http.Header { return http.Header(u) }

func (u unsent) Write(p []byte) (int, error) { return len(p), nil }

func (u unsent) WriteHeader(int) {}
