package handlers

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"testing"

	"finsvc/db/dbtest"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
)

// serverRig is a server behind a real listener, with routes that a test makes up.
type serverRig struct {
	*Server
	ledger *books.Books
	client
	log *lockedBuffer
}

// newServerRig serves routes, on books with one household. The keys are known by short names: "write" and "read", and "two",
// which may make two requests an hour. Without routes there are some that say no more than that they were reached.
func newServerRig(t testing.TB, routes ...route) *serverRig {
	t.Helper()
	out := new(lockedBuffer)
	books := books.New(dbtest.New(t), noon)
	s := newServer(serverOptions{Tenants: books.Tenants, Logger: slog.New(slog.NewJSONHandler(out, nil)), Now: noon, BodyMax: 2000})
	keys := makeKeys(t, books)
	s.session = func(ctx context.Context, name string) (*tenant.Session, error) {
		return books.Tenants.Authenticate(ctx, keys[name])
	}
	if routes == nil {
		routes = []route{
			{method: "GET", path: "/up", access: public, handle: echo("up"), quiet: true, live: true},
			{method: "GET", path: "/api/v1/usage", access: read, handle: echo("used"), live: true},
			{method: "GET", path: "/api/v1/tags", access: read, handle: echo("tags")},
		}
	}
	s.serve(routes)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return &serverRig{s, books, client{url: server.URL}, out}
}

func echo(text string) handler {
	return func(a *answer, _ *request) error {
		a.message(text)
		return nil
	}
}
