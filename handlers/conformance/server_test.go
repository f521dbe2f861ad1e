// Package conformance replays what programs of others ask of the API: each scenario is one of them, with its headers, spellings, bodies and habits,
// and looks at everything in the answers that this program reads. All of them speak to one running server, each to a household of its own, at the same time.
// Behaviours are named by the numbers of the list in [behaviours].
//
// [scenarios] lists them; [needs] and [behaviours] say which of them proves what, and [TestClients] holds both against what was really asked and shown.
package conformance

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"finsvc/assistant"
	"finsvc/assistant/engine"
	"finsvc/db/dbtest"
	"finsvc/handlers"
	"finsvc/handlers/apitest"
	"finsvc/handlers/middleware"
	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
)

// today is the day on which all scenarios happen, in every time zone that they use.
const today = "2026-08-22"

// importMax is the longest import, in bytes.
const importMax = 1 << 20

// server is the whole service: a listener, a database file, and the workers for imports and answers.
type server struct {
	url   string // with neither path nor slash
	books *books.Books
	clock *clock
	seen  *record
}

// clock stands still, at noon of today, but for who waits.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// wait lets time pass for the server.
func (c *clock) wait(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// start runs the service until the test ends.
func start(t *testing.T) *server {
	t.Helper()
	database := dbtest.New(t)
	clock := &clock{now: time.Date(2026, 8, 22, 12, 0, 0, 0, time.UTC)}
	books, log := books.New(database, clock.read), slog.New(slog.DiscardHandler)
	imports := importer.New(importer.Options{DB: database, Ledger: books, Logger: log, Now: clock.read, Max: importMax})
	chats := assistant.New(assistant.Options{DB: database, Ledger: books, Logger: log, Now: clock.read, Model: engine.New(books)})
	work(t, imports.Run)
	work(t, chats.Run)
	url := listen(t, log, handlers.New(handlers.Options{
		Ledger: books, Imports: imports, Assistant: chats, Logger: log, Health: database.Ping, Version: "1.2.3", Now: clock.read,
	}))
	return &server{url: url, books: books, clock: clock, seen: newRecord()}
}

// work runs a worker until the test ends, and waits for its end.
func work(t *testing.T, run func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// listen serves a handler as the program does, at a free port.
func listen(t *testing.T, log *slog.Logger, h http.Handler) (url string) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := middleware.NewHTTPServer(context.WithoutCancel(t.Context()), apitest.Handler(t, h), listener.Addr().String(), log, nil)
	go func() {
		if err := at.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	}()
	t.Cleanup(func() { _ = at.Close() })
	return "http://" + listener.Addr().String()
}

// home is what a scenario wants of its household.
type home struct{ currency, locale, timezone string }

// open makes a household with the categories that every household begins with, and a client that has the key of its owner.
func (s *server) open(t *testing.T, name string, h home) *client {
	t.Helper()
	who := ledger.Actor{Origin: ledger.OriginCLI}
	made, owner, err := s.books.Tenants.CreateHousehold(t.Context(), who, tenant.HouseholdInput{
		Name: name, Currency: h.currency, Locale: h.locale, Timezone: h.timezone, OwnerEmail: name + "@example.org",
	})
	if err != nil {
		t.Fatal(err)
	}
	who.HouseholdID, who.UserID = made.ID, owner.ID
	c := &client{T: t, server: s, who: who, name: name, base: s.url, header: http.Header{}, web: &http.Client{
		Transport: &http.Transport{DisableCompression: true},
		// Nothing is ever redirected: some clients refuse to follow.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	t.Cleanup(c.web.CloseIdleConnections)
	c.key = c.newKey(tenant.KeyInput{Name: "key", Scope: tenant.ScopeReadWrite, RateLimit: 1_000_000})
	return c
}

// newKey makes a further key of the client's user.
func (c *client) newKey(in tenant.KeyInput) string {
	c.Helper()
	plain, _, err := c.server.books.Keys.CreateAPIKey(c.Context(), c.who, in)
	if err != nil {
		c.Fatal(err)
	}
	return plain
}
