package handlers_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/db"
	"finsvc/handlers"
	"finsvc/handlers/apitest"
	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

// readHouse is a server on a real file with one household, and a key that may read.
type readHouse struct {
	*testing.T
	database *db.DB
	books    *books.Books
	who      ledger.Actor
	url, key string
}

// newReadHouse serves with a limit of reads and a patience of heavy ones; 0 for the usual ones.
func newReadHouse(t *testing.T, limit, patience time.Duration) *readHouse {
	t.Helper()
	database, err := db.Open(t.Context(), filepath.Join(t.TempDir(), "finance.db"), db.WithHeavyPatience(patience))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = database.Close() })
	h := &readHouse{T: t, database: database, books: books.New(database, time.Now)}
	home, _, err := h.books.Tenants.CreateHousehold(t.Context(), ledger.Actor{Origin: ledger.OriginCLI},
		tenant.HouseholdInput{Name: "Home", Currency: "EUR", Locale: "de-DE", Timezone: "Europe/Berlin", OwnerEmail: "a@example.org", NoCategories: true})
	if err != nil {
		t.Fatal(err)
	}
	h.who = ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginCLI}
	if h.key, _, err = h.books.Keys.CreateAPIKey(t.Context(), h.who, tenant.KeyInput{Scope: "read", RateLimit: 1_000_000}); err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	server := httptest.NewServer(apitest.Handler(t, handlers.New(handlers.Options{
		Ledger: h.books, Logger: quiet, Health: database.Ping, ReadLimit: limit,
		Imports: importer.New(importer.Options{DB: database, Ledger: h.books, Logger: quiet}),
	})))
	t.Cleanup(server.Close)
	h.url = server.URL
	return h
}

// fill makes transactions whose notes repeat a text up to their longest length.
func (h *readHouse) fill(count int, part string) {
	h.Helper()
	account, err := h.books.Accounts.CreateAccount(h.Context(), h.who, catalog.AccountInput{Name: ledger.Some("Giro"), AccountType: ledger.Some("depository"), Currency: ledger.Some("EUR")})
	if err != nil {
		h.Fatal(err)
	}
	var inputs []entry.TransactionInput
	for i := range count {
		inputs = append(inputs, entry.TransactionInput{AccountID: ledger.Some(uuid.UUID(account.PublicID)), Date: ledger.Some(ledger.NewDate(2026, 1, 1)),
			Amount: ledger.Some(decimal.NewFromInt(1)), Name: ledger.Some(fmt.Sprint("Purchase ", i)), Notes: ledger.Some(strings.Repeat(part, ledger.MaxNotes/len(part)))})
	}
	if _, err := h.books.Entries.CreateTransactions(h.Context(), h.who, inputs); err != nil {
		h.Fatal(err)
	}
}

type problem struct {
	Error, Message string
	Details        []string
}

// get asks once.
func (h *readHouse) get(path string) (status int, header http.Header, p problem) {
	h.Helper()
	req, err := http.NewRequestWithContext(h.Context(), http.MethodGet, h.url+path, nil)
	if err != nil {
		h.Fatal(err)
	}
	req.Header.Set("X-Api-Key", h.key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		h.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&p); err != nil && resp.StatusCode != http.StatusOK {
		h.Error(err)
	}
	return resp.StatusCode, resp.Header, p
}

// TestReadLimit: a read that takes too long is interrupted, and the answer names what made it long; one that does not is
// answered by the same server.
func TestReadLimit(t *testing.T) {
	t.Parallel()
	h := newReadHouse(t, time.Nanosecond, 0)
	h.fill(2000, "ab ")
	for path, want := range map[string]string{
		"/api/v1/transactions?search=zq":                          "search must be looked for in too many texts",
		"/api/v1/transactions?search=zq&start_date=1900-01-01":    "start_date must be nearer to end_date",
		"/api/v1/transactions?search=ab+ab+ab+ab":                 "search must be",
		"/api/v1/transactions?min_amount=0&max_amount=9&search=q": "min_amount finds too much",
		"/api/v1/transactions?category_ids[]=0&search=q":          "",
	} {
		status, header, p := h.get(path)
		if want == "" {
			if status != http.StatusUnprocessableEntity {
				t.Errorf("%s: a refusal takes no time: got %d %+v", path, status, p)
			}
			continue
		}
		if status != http.StatusServiceUnavailable || p.Error != "unavailable" || header.Get("Retry-After") == "" || !strings.Contains(p.Message, "longer than 1ns") {
			t.Errorf("%s: got %d %+v", path, status, p)
		}
		if !strings.Contains(strings.Join(p.Details, "\n"), want) || !strings.Contains(p.Message, want) {
			t.Errorf("%s: the details %q do not say %q", path, p.Details, want)
		}
	}
}

// TestUsualReadLimit: what a household really asks for is within the usual limit.
func TestUsualReadLimit(t *testing.T) {
	t.Parallel()
	h := newReadHouse(t, 0, 0)
	h.fill(200, "a")
	for _, path := range []string{"/transactions?search=zq", "/transactions?search=" + strings.Repeat("a", 255), "/transactions?type=expense", "/accounts", "/balance_sheet",
		"/net_worth?start_date=1900-01-01&end_date=2199-12-31", "/income_statement?start_date=1900-01-01&end_date=2199-12-31", "/explain?figure=net_worth&from=1900-01-01",
		"/balances?start_date=1900-01-01&page=2147483647", "/holdings?page=2147483647", "/transactions?page=2147483647", "/trades", "/transfers", "/valuations", "/security_prices", "/imports", "/usage"} {
		if status, _, p := h.get("/api/v1" + path); status != http.StatusOK {
			t.Errorf("%.60s: got %d %+v", path, status, p)
		}
	}
}

// TestSearchOfEqualLetters: to look for as many equal letters as a search may have, in notes of nothing else, takes no
// multiple of the time that three take. As a phrase of the index it took 250 times as long.
func TestSearchOfEqualLetters(t *testing.T) {
	t.Parallel()
	h := newReadHouse(t, time.Minute, 0)
	h.fill(100, "a")
	took := func(letters int) time.Duration {
		started := time.Now()
		if status, _, p := h.get("/api/v1/transactions?search=" + strings.Repeat("a", letters)); status != http.StatusOK {
			t.Errorf("%d letters: got %d %+v", letters, status, p)
		}
		return time.Since(started)
	}
	took(4)
	three, many := took(3), took(255)
	if many > 30*three {
		t.Errorf("three letters took %v, 255 took %v", three, many)
	}
}

// TestHeavyReads: while a household has all long reads that it may have, one more is refused after a while; all that is
// short is answered, and so are long reads of others.
func TestHeavyReads(t *testing.T) {
	t.Parallel()
	h := newReadHouse(t, 0, time.Millisecond)
	h.fill(1, "ab ")
	const long = "/api/v1/transactions?search=purchase"
	release := h.holdAll(h.who.HouseholdID)
	status, header, p := h.get(long)
	if status != http.StatusServiceUnavailable || header.Get("Retry-After") == "" || !strings.Contains(p.Message, "too many reads") {
		t.Errorf("one more: got %d %+v", status, p)
	}
	others := h.holdAll(h.who.HouseholdID + 1)
	for _, path := range []string{"/up", "/api/v1/transactions", "/api/v1/accounts", "/api/v1/categories", "/api/v1/usage", "/api/v1/balance_sheet"} {
		if status, _, p := h.get(path); status != http.StatusOK {
			t.Errorf("%s: got %d %+v", path, status, p)
		}
	}
	others()
	release()
	if status, _, p := h.get(long); status != http.StatusOK {
		t.Errorf("afterwards: got %d %+v", status, p)
	}
}

// holdAll begins as many long reads of an owner as there may be, which must be some; they end with release.
func (h *readHouse) holdAll(owner int64) (release func()) {
	h.Helper()
	var all sync.WaitGroup
	end := make(chan struct{})
	for n := 0; ; n++ {
		began, failed := make(chan struct{}), make(chan error, 1)
		all.Go(func() {
			failed <- h.database.Read(db.Heavy(h.Context(), owner), func(context.Context, *queries.Queries) error {
				close(began)
				<-end
				return nil
			})
		})
		select {
		case <-began:
		case err := <-failed:
			if !errors.Is(err, db.ErrBusy) || n == 0 {
				h.Errorf("read %d: %v", n, err)
			}
			return func() { close(end); all.Wait() }
		}
	}
}
