package handlers

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"finsvc/assistant"
	"finsvc/assistant/engine"
	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/handlers/apitest"
	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
)

// rig is a server behind a real listener. Who presents which key is given by a table.
type rig struct {
	*Server
	options   Options
	ledger    *books.Books
	imports   *importer.Importer
	assistant *assistant.Assistant
	client
	log *lockedBuffer
}

func newRigOf(s *Server, o Options, url string, log *lockedBuffer) *rig {
	return &rig{s, o, o.Ledger, o.Imports, o.Assistant, client{url: url}, log}
}

// routes are those that the rig serves.
func (g *rig) routes() []route { return routes(g.options, nil, nil) }

// routeOf is the route of an operation whose path is written with {id}.
func (g *rig) routeOf(t testing.TB, method, template string) *route {
	t.Helper()
	for _, r := range g.routes() {
		if r.method == method && regexp.MustCompile(`:(\w+)`).ReplaceAllString(r.path, "{$1}") == template {
			return &r
		}
	}
	t.Fatalf("no route of %s %s", method, template)
	return nil
}

// limit is how long the body of a request may be.
func (g *rig) limit(r *route) int64 { return cmp.Or(r.bodyMax, g.options.BodyMax) }

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// noon is when all requests of a rig happen.
func noon() time.Time { return time.Date(2026, 8, 22, 12, 0, 0, 0, time.UTC) }

// newRig serves all routes, on books with one household. The keys are known by short names: "write" and "read", and "two",
// which may make two requests an hour.
func newRig(t testing.TB, changes ...func(*Options)) *rig {
	t.Helper()
	out := new(lockedBuffer)
	log := slog.New(slog.NewJSONHandler(out, nil))
	database := dbtest.New(t)
	books := books.New(database, noon)
	options := Options{
		Ledger: books, Logger: log, Now: noon, Version: "1.2.3", BodyMax: 2000,
		Imports:   importer.New(importer.Options{DB: database, Ledger: books, Logger: log, Now: noon, Max: 3000}),
		Assistant: newAssistant(database, books, noon),
		Health:    func(context.Context) error { return nil },
	}
	for _, change := range changes {
		change(&options)
	}
	s := New(options)
	keys := makeKeys(t, books)
	var served http.Handler = s
	if options.BasePath == "" {
		served = apitest.Handler(t, s)
	}
	server := httptest.NewServer(served)
	t.Cleanup(server.Close)
	g := newRigOf(s, options, server.URL, out)
	g.keys = keys
	return g
}

// below serves below a path. Answers are not held against their description then, which knows none.
func below(path string) func(*Options) { return func(o *Options) { o.BasePath = path } }

// newAssistant makes an assistant that needs no provider. Nobody runs it: answers stay pending.
func newAssistant(database *db.DB, books *books.Books, now func() time.Time) *assistant.Assistant {
	return assistant.New(assistant.Options{DB: database, Ledger: books, Logger: slog.New(slog.DiscardHandler), Now: now,
		Model: engine.New(books), Context: assistant.DefaultContext, Rounds: assistant.DefaultRounds})
}

// makeKeys makes a household with the keys of a rig, and gives them by name.
func makeKeys(t testing.TB, books *books.Books) map[string]string {
	t.Helper()
	who := ledger.Actor{Origin: ledger.OriginCLI}
	home, _, err := books.Tenants.CreateHousehold(t.Context(), who, tenant.HouseholdInput{
		Name: "Home", Currency: "EUR", Locale: "de-DE", Timezone: "Europe/Berlin", OwnerEmail: "a@example.org", NoCategories: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	who.HouseholdID = home.ID
	keys := map[string]string{}
	for _, in := range []tenant.KeyInput{
		{Name: "write", Scope: "read_write"},
		{Name: "read", Scope: "read", RateLimit: 1_000_000},
		{Name: "two", Scope: "read", RateLimit: 2},
	} {
		if keys[in.Name], _, err = books.Tenants.CreateAPIKey(t.Context(), who, in); err != nil {
			t.Fatal(err)
		}
	}
	return keys
}

// reply is an answer read to its end.
type reply struct {
	*http.Response
	body string
}

// client asks a server. It may write keys by short names.
type client struct {
	url  string
	keys map[string]string // by their short names; may be nil
}

// do sends a request; headers are "Name: value".
func (c client) do(t testing.TB, method, path, body string, headers ...string) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, val, _ := strings.Cut(h, ": ")
		scheme, key, _ := strings.Cut(val, " ")
		switch {
		case name == "X-Api-Key" && c.keys[val] != "":
			val = c.keys[val]
		case name == "Authorization" && c.keys[key] != "":
			val = scheme + " " + c.keys[key]
		}
		req.Header.Add(name, val)
	}
	transport := &http.Transport{DisableCompression: true, DisableKeepAlives: true}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{resp, string(data)}
}

// is checks the status and, unless want is empty, the whole body.
func (p reply) is(t *testing.T, status int, want string) {
	t.Helper()
	if p.StatusCode != status || want != "" && strings.TrimSpace(p.body) != want {
		t.Errorf("got %d %s\nwant %d %s", p.StatusCode, p.body, status, want)
	}
}

// code is the error code of the body.
func (p reply) code() string {
	var e struct{ Error string }
	_ = json.Unmarshal([]byte(p.body), &e)
	return e.Error
}

// concrete replaces the parameters of a route by ids.
func concrete(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, ":") {
			parts[i] = "0198f2a0-1234-7abc-8def-0123456789ab"
		}
	}
	return strings.Join(parts, "/")
}

// listen serves the rig as the program does.
func (g *rig) listen(t *testing.T) dialer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	connections := NewConnections(DefaultConnectionLimits(), nil, quiet)
	server := NewHTTPServer(context.WithoutCancel(t.Context()), g.Server, "", quiet, connections)
	go func() { _ = server.Serve(connections.Limit(listener)) }()
	t.Cleanup(func() { _ = server.Close() })
	return dialer{listener.Addr().String(), g.keys}
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
