package handlers

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"finsvc/assistant"
	"finsvc/assistant/engine"
	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/handlers/apitest"
	"finsvc/handlers/middleware"
	"finsvc/importer"
	"finsvc/ledger/books"
)

// rig is a server behind a real listener. Who presents which key is given by a table.
type rig struct {
	*middleware.Server
	options   Options
	ledger    *books.Books
	imports   *importer.Importer
	assistant *assistant.Assistant
	apitest.Client
	log *apitest.Log
}

func newRigOf(s *middleware.Server, o Options, url string, log *apitest.Log) *rig {
	return &rig{s, o, o.Ledger, o.Imports, o.Assistant, apitest.Client{URL: url}, log}
}

// routes are those that the rig serves.
func (g *rig) routes() []middleware.Route { return routes(g.options, nil, nil) }

// routeOf is the route of an operation whose path is written with {id}.
func (g *rig) routeOf(t testing.TB, method, template string) *middleware.Route {
	t.Helper()
	for _, r := range g.routes() {
		if r.Method == method && regexp.MustCompile(`:(\w+)`).ReplaceAllString(r.Path, "{$1}") == template {
			return &r
		}
	}
	t.Fatalf("no route of %s %s", method, template)
	return nil
}

// limit is how long the body of a request may be.
func (g *rig) limit(r *middleware.Route) int64 { return cmp.Or(r.BodyMax, g.options.BodyMax) }

// newRig serves all routes, on books with one household. The keys are known by short names: "write" and "read", and "two",
// which may make two requests an hour.
func newRig(t testing.TB, changes ...func(*Options)) *rig {
	t.Helper()
	out := new(apitest.Log)
	log := slog.New(slog.NewJSONHandler(out, nil))
	database := dbtest.New(t)
	books := books.New(database, apitest.Noon)
	options := Options{
		Ledger: books, Logger: log, Now: apitest.Noon, Version: "1.2.3", BodyMax: 2000,
		Imports:   importer.New(importer.Options{DB: database, Ledger: books, Logger: log, Now: apitest.Noon, Max: 3000}),
		Assistant: newAssistant(database, books, apitest.Noon),
		Health:    func(context.Context) error { return nil },
	}
	for _, change := range changes {
		change(&options)
	}
	s := New(options)
	keys := apitest.MakeKeys(t, books)
	var served http.Handler = s
	if options.BasePath == "" {
		served = apitest.Handler(t, s)
	}
	server := httptest.NewServer(served)
	t.Cleanup(server.Close)
	g := newRigOf(s, options, server.URL, out)
	g.Keys = keys
	return g
}

// below serves below a path. Answers are not held against their description then, which knows none.
func below(path string) func(*Options) { return func(o *Options) { o.BasePath = path } }

// newAssistant makes an assistant that needs no provider. Nobody runs it: answers stay pending.
func newAssistant(database *db.DB, books *books.Books, now func() time.Time) *assistant.Assistant {
	return assistant.New(assistant.Options{DB: database, Ledger: books, Logger: slog.New(slog.DiscardHandler), Now: now,
		Model: engine.New(books), Context: assistant.DefaultContext, Rounds: assistant.DefaultRounds})
}

// listen serves the rig as the program does.
func (g *rig) listen(t *testing.T) apitest.Dialer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	connections := middleware.NewConnections(middleware.DefaultConnectionLimits(), nil, quiet)
	server := middleware.NewHTTPServer(context.WithoutCancel(t.Context()), g.Server, "", quiet, connections)
	go func() { _ = server.Serve(connections.Limit(listener)) }()
	t.Cleanup(func() { _ = server.Close() })
	return apitest.Dialer{Address: listener.Addr().String(), Keys: g.Keys}
}

// logged is the line of the log about a request; blank where there is none.
func (g *rig) logged(id string) string {
	for line := range strings.Lines(g.log.String()) {
		if strings.Contains(line, `"request_id":"`+id+`"`) {
			return line
		}
	}
	return ""
}
