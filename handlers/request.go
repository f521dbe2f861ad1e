package handlers

import (
	"context"
	"net/http"

	"github.com/google/uuid"
	"github.com/julienschmidt/httprouter"

	"finsvc/ledger"
	"finsvc/ledger/tenant"
)

// request is an HTTP request that has passed the checks, with what they found out.
type request struct {
	*http.Request
	id      string // of the request, for logs
	pattern string // of the route, for logs
	params  httprouter.Params
	session *tenant.Session // nil on public routes
	rate    rateState
	share   *share
	tree    value // the decoded body; empty on routes with rawBody

	// keep stores the answer for repeats, within a write; nil where there is nothing to keep, or somebody else does. Only
	// handlers of routes with rawBody call it, once the body was read to its end.
	keep func(context.Context) error
}

// identify notes whose key it is that the request came with.
func (r *request) identify(session *tenant.Session) { r.session, r.share.key = session, session.KeyID }

// who is who acts.
func (r *request) who() ledger.Actor { return r.session.Actor }

// pathID reads an id in the path; one that is malformed is a what ("Tag") that does not exist.
func (r *request) pathID(param, what string) (uuid.UUID, error) {
	id, ok := ledger.ParseID(r.params.ByName(param))
	if !ok {
		return uuid.Nil, ledger.NewNotFound(what)
	}
	return id, nil
}
