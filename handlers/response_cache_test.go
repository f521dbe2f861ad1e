package handlers

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"finsvc/db/dbtest"
	"finsvc/handlers/middleware"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/tenant"
)

// Whatever is written, and by whatever process, the next answer of every list is that of a server that has kept
// nothing.
func TestKeptAnswersAreNeverStale(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.ids["Depot"] = h.make(t, h.key, "accounts", `{"account":{"name":"Depot","account_type":"investment","currency":"EUR"}}`)
	h.add(t, "Bread", `"account_id":"{Checking}","date":"2026-08-20","amount":"4.80","category_id":"{Food}","merchant_id":"{Kiosk}","tag_ids":["{fun}"]`)
	other := books.New(dbtest.Open(t, h.db.Path()), h.clock.read)
	session, err := other.Keys.Authenticate(t.Context(), h.key)
	if err != nil {
		t.Fatal(err)
	}
	api := func(method, path, body string) func(t *testing.T) {
		return func(t *testing.T) {
			t.Helper()
			if p := h.call(t, method, path, body); p.StatusCode >= 300 {
				t.Fatalf("%s %s: %d %s", method, path, p.StatusCode, p.Text)
			}
		}
	}
	for _, step := range []struct {
		name string
		do   func(t *testing.T)
	}{
		{"transaction created", api("POST", "/transactions", `{"transaction":{"name":"Milk","account_id":"{Checking}","date":"2026-08-21","amount":1.5}}`)},
		{"transaction changed", api("PATCH", "/transactions/{Bread}", `{"transaction":{"amount":"4.90","nature":"income"}}`)},
		{"merchant renamed", api("PATCH", "/merchants/{Kiosk}", `{"merchant":{"name":"Kiosk 24"}}`)},
		{"category renamed", api("PATCH", "/categories/{Food}", `{"category":{"name":"Eating"}}`)},
		{"tag deleted", api("DELETE", "/tags/{fun}", "")},
		{"account renamed", api("PATCH", "/accounts/{Checking}", `{"account":{"name":"Giro"}}`)},
		{"valuation", api("POST", "/valuations", `{"valuation":{"account_id":"{Savings}","amount":"100.00","date":"2026-08-01"}}`)},
		{"trade", api("POST", "/trades", `{"trade":{"account_id":"{Depot}","date":"2026-08-03","type":"buy","qty":2,"price":"10.00","manual_ticker":"ACME"}}`)},
		{"rule", api("POST", "/rules", `{"rule":{"name":"R","conditions":[{"condition_type":"transaction_name","operator":"like","value":"x"}],"actions":[{"action_type":"set_transaction_name","value":"y"}]}}`)},
		{"chat", api("POST", "/chats", `{"message":"What is my net worth?"}`)},
		{"transaction deleted", api("DELETE", "/transactions/{Bread}", "")},
		{"tag of another process", func(t *testing.T) {
			if _, err := other.Labels.CreateTag(t.Context(), session.Actor, catalog.TagInput{Name: ledger.Some("elsewhere")}); err != nil {
				t.Fatal(err)
			}
		}},
		{"locale of another process", func(t *testing.T) {
			if _, err := other.Tenants.UpdateHousehold(t.Context(), session.Actor, tenant.HouseholdChange{Locale: ledger.Some("en-US")}); err != nil {
				t.Fatal(err)
			}
		}},
		{"midnight", func(*testing.T) { h.clock.move(12 * time.Hour) }},
	} {
		for range 2 { // the first fills the memory, the second is from there
			h.compareLists(t, "before "+step.name)
		}
		step.do(t)
		h.compareLists(t, "after "+step.name)
	}
}

// compareLists compares what every route without an id answers with what a new server does.
func (h *fixture) compareLists(t *testing.T, when string) {
	t.Helper()
	fresh := New(Options{Ledger: h.ledger, Imports: h.imports, Assistant: h.assistant, Logger: h.Server.Log, Health: h.options.Health, Now: h.clock.read})
	for _, r := range h.routes() {
		if r.Method != http.MethodGet || r.Access == middleware.Public || r.Live || strings.Contains(r.Path, ":") {
			continue
		}
		query := ""
		if strings.HasSuffix(r.Path, "/explain") {
			query = "?figure=net_worth&date=2026-08-22"
		}
		kept := h.as(t, h.key, "GET", strings.TrimPrefix(r.Path, "/api/v1")+query, "")
		req := httptest.NewRequest(http.MethodGet, r.Path+query, nil)
		req.Header.Set("X-Api-Key", h.key)
		rec := httptest.NewRecorder()
		fresh.ServeHTTP(rec, req)
		if kept.StatusCode != 200 || kept.Text != rec.Body.String() || kept.Header.Get("ETag") != rec.Header().Get("ETag") {
			t.Errorf("%s, %s: got %d %s\nwant %s", when, r.Path, kept.StatusCode, kept.Text, rec.Body)
		}
	}
}
