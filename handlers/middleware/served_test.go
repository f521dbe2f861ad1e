package middleware

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"testing"

	"finsvc/db/dbtest"
	"finsvc/handlers/apitest"
	"finsvc/handlers/wire"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
)

// rig is a server behind a real listener, with routes that a test makes up.
type rig struct {
	*Server
	ledger *books.Books
	apitest.Client
	log *apitest.Log
}

// newRig serves routes, on books with one household. The keys are known by short names: "write" and "read", and "two",
// which may make two requests an hour. Without routes there are some that say no more than that they were reached.
func newRig(t testing.TB, routes ...Route) *rig {
	t.Helper()
	out := new(apitest.Log)
	books := books.New(dbtest.New(t), apitest.Noon)
	s := New(Options{Keys: books.Keys, Answers: books.Answers, Logger: slog.New(slog.NewJSONHandler(out, nil)), Now: apitest.Noon, BodyMax: 2000})
	keys := apitest.MakeKeys(t, books)
	s.session = func(ctx context.Context, name string) (*tenant.Session, error) {
		return books.Keys.Authenticate(ctx, keys[name])
	}
	if routes == nil {
		routes = []Route{
			{Method: "GET", Path: "/up", Access: Public, Handle: echo("up"), Quiet: true, Live: true},
			{Method: "GET", Path: "/api/v1/usage", Access: Read, Handle: echo("used"), Live: true},
			{Method: "GET", Path: "/api/v1/tags", Access: Read, Handle: echo("tags")},
		}
	}
	s.Serve(routes)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return &rig{s, books, apitest.Client{URL: server.URL}, out}
}

func echo(text string) Handler {
	return func(a *wire.Answer, _ *wire.Request) error {
		a.Message(text)
		return nil
	}
}
