// Package handlers is the API: the table of routes, and for each resource what its requests hold and how its answers
// are written. It knows no rules: those are asked of the packages below ledger. What a request and an answer are is in
// handlers/wire; keys, limits, repeats and logs, all that happens around a handler, in handlers/middleware.
//
// A handler reads from a [wire.Request], writes its JSON into a [wire.Answer] and returns an error when it cannot.
//
// To add an endpoint, write a handler, a row in routes.go, and an operation in embed/openapi.yaml with examples and
// every error, and pack that: go test ./handlers -run Packed -update. Tests fail until all of them agree. A test's
// server is wrapped in apitest.Handler, so that every answer is held against the description and may have no member
// that it does not name. Rules go into the ledger.
//
// The pages for people (the API's at /api/docs, the handbook's) are made when the project is built, of
// embed/openapi.yaml and embed/handbook, by the same tests.
package handlers

import (
	"context"
	"log/slog"
	"net/netip"
	"time"

	"finsvc/assistant"
	"finsvc/assistant/mcp"
	"finsvc/handlers/machine"
	"finsvc/handlers/middleware"
	"finsvc/importer"
	"finsvc/ledger/books"
)

// Options are what the API is made of. Ledger, Imports, Assistant, Logger and Health are required.
type Options struct {
	Ledger    *books.Books
	Imports   *importer.Importer
	Assistant *assistant.Assistant
	Logger    *slog.Logger
	Health    func(context.Context) error // nil when the database answers
	Version   string
	MCP       *mcp.Service // answers at /mcp; nothing does when nil

	Now       func() time.Time // the clock; time.Now when nil
	BodyMax   int64            // longest ordinary body in bytes; middleware.DefaultBodyMax when 0
	ReadLimit time.Duration    // longest time of a read; middleware.DefaultReadLimit when 0

	// whose headers say where a request comes from; 127.0.0.1 stands for Unix sockets, too
	TrustedProxies []netip.Prefix
	BasePath       string // below which everything is served, as of [middleware.CleanBasePath]

	Web *Web // the pages for people; there are none when nil
}

// Web is what the pages for people are told of where they are.
type Web struct {
	AuthHeader string // in which a trusted proxy names the person; may be empty
	Timezone   string // of a new household, as far as can be guessed
	PublicURL  string // where people find the server, when a proxy hides it; may be empty
	Instance   string // a few letters that tell this server from others on the same host

	Machine machine.Machine // the program around the server; what needs it is not there when nil
}

// New makes the server of the API. The table of routes must be free of contradictions: New panics otherwise, at
// start and in every test.
func New(o Options) *middleware.Server {
	s := middleware.New(middleware.Options{Keys: o.Ledger.Keys, Answers: o.Ledger.Answers, Logger: o.Logger, Now: o.Now,
		BodyMax: o.BodyMax, ReadLimit: o.ReadLimit,
		TrustedProxies: o.TrustedProxies, BasePath: o.BasePath})
	s.Serve(routes(o, s.Origins, s.Streams))
	servePages(s, o)
	return s
}
