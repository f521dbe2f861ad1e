// Package wire is what travels between a client and a handler: a [Request] with its decoded body, query and session,
// and an [Answer] in JSON, as a stream of events or as the one shape of every error. Bodies of JSON, forms and
// multipart forms become the same tree of values, within limits of depth, number and memory; what is wrong with them
// is said with the place in the body. It knows neither routes nor resources.
package wire

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/julienschmidt/httprouter"

	"finsvc/ledger"
	"finsvc/ledger/tenant"
)

// Rate is a bucket at one moment. limit = used + remaining; the times are whole seconds.
type Rate struct {
	At        time.Time
	Limit     int
	Used      int
	Remaining int
	Reset     int // until the bucket is full
	Retry     int // until there is a token again; 0 when there is one
}

// Headers tells the client where it stands.
func (st Rate) Headers(a *Answer) {
	h := a.Header()
	h.Set("X-RateLimit-Limit", strconv.Itoa(st.Limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(st.Remaining))
	h.Set("X-RateLimit-Reset", strconv.Itoa(st.Reset))
}

// Exceeded is the error of an empty bucket; what was limited begins the sentence.
func (st Rate) Exceeded(a *Answer, what string) error {
	a.Header().Set("Retry-After", strconv.Itoa(st.Retry))
	return &ledger.Error{
		Kind: ledger.RateLimited, Code: "rate_limit_exceeded",
		Message: what + "; try again in " + strconv.Itoa(st.Retry) + " seconds",
		Details: map[string]any{"limit": st.Limit, "current": st.Used, "reset_in_seconds": st.Reset},
	}
}

// Request is an HTTP request that has passed the checks, with what they found out.
type Request struct {
	*http.Request
	ID      string // of the request, for logs
	Pattern string // of the route, for logs
	Params  httprouter.Params
	Session *tenant.Session // nil on public routes
	Rate    Rate
	Share   *Share
	Tree    value // the decoded body; empty on routes with rawBody
	query   *Query

	// keep stores the answer for repeats, within a write; nil where there is nothing to keep, or somebody else does.
	// Only handlers of routes with rawBody call it, once the body was read to its end.
	Keep func(context.Context) error
}

// Identify notes whose key it is that the request came with.
func (r *Request) Identify(session *tenant.Session) { r.Session, r.Share.key = session, session.KeyID }

// Who is who acts.
func (r *Request) Who() ledger.Actor { return r.Session.Actor }

// PathID reads an id in the path; one that is malformed is a what ("Tag") that does not exist.
func (r *Request) PathID(param, what string) (uuid.UUID, error) {
	id, ok := ledger.ParseID(r.Params.ByName(param))
	if !ok {
		return uuid.Nil, ledger.NewNotFound(what)
	}
	return id, nil
}
