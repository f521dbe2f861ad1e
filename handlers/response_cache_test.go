package handlers

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/tenant"
)

// countingGet answers with how often it was called.
func countingGet(calls *int) handler {
	return func(a *answer, _ *request) error {
		*calls++
		a.message("call " + strconv.Itoa(*calls))
		return nil
	}
}

// What was answered is answered again without any work until something is committed, by whomever.
func TestAnswersAreKept(t *testing.T) {
	t.Parallel()
	calls := 0
	g := newServerRig(t, route{method: "GET", path: "/a", access: read, handle: countingGet(&calls)},
		route{method: "GET", path: "/live", access: read, live: true, handle: countingGet(&calls)})
	ask := func(path, key, want string, headers ...string) {
		t.Helper()
		g.do(t, "GET", path, "", append(headers, "X-Api-Key: "+key)...).is(t, 200, `{"message":"call `+want+`"}`)
	}
	ask("/a", "read", "1")
	ask("/a", "read", "1")
	ask("/a", "write", "2") // of another key
	ask("/a?x=1", "read", "3")
	ask("/a", "read", "1", "Accept-Language: fr") // the household does not let requests choose
	ask("/a", "read", "1")
	ask("/live", "read", "4")
	ask("/live", "read", "5")
	home, err := g.session(t.Context(), "read")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.ledger.Catalog.CreateTag(t.Context(), home.Actor, catalog.TagInput{Name: ledger.Some("new")}); err != nil {
		t.Fatal(err)
	}
	ask("/a", "read", "6")
	ask("/a", "read", "6")
}

// Memory for answers is bounded.
func TestKeptAnswersAreBounded(t *testing.T) {
	t.Parallel()
	var k responseCache
	stamp := cacheStamp{1, 1}
	long := &representation{body: make([]byte, cacheLongest-cacheBeside-2)}
	for i := range 20 {
		k.keep(cacheKey{path: strconv.Itoa(i)}, stamp, long)
		if k.size > cacheMax || len(k.answers) > cacheMax/cacheLongest {
			t.Fatalf("%d answers of %d bytes are kept", len(k.answers), k.size)
		}
	}
	tooLong := cacheKey{path: "too long"}
	k.keep(tooLong, stamp, &representation{body: make([]byte, cacheLongest+1)})
	if k.find(tooLong, stamp) != nil {
		t.Error("an answer above the limit is kept")
	}
	if k.find(cacheKey{path: "19"}, stamp) == nil || k.find(cacheKey{path: "19"}, cacheStamp{1, 2}) != nil || k.find(cacheKey{path: "19"}, cacheStamp{2, 1}) != nil {
		t.Error("an answer is found under its own stamp, and under no other")
	}
}

// What belongs to an answer counts, too: many short ones, and those with long queries and languages.
func TestKeptAnswersCountEverything(t *testing.T) {
	t.Parallel()
	var k responseCache
	short := &representation{body: []byte("{}"), etag: "x"}
	for i := range 3 * cacheMax / cacheBeside {
		k.keep(cacheKey{path: "/", query: strconv.Itoa(i)}, cacheStamp{1, 1}, short)
		if len(k.answers) > cacheMax/cacheBeside {
			t.Fatalf("%d short answers are kept", len(k.answers))
		}
	}
	for i := range 200 {
		k.keep(cacheKey{query: strconv.Itoa(i) + strings.Repeat("q", 50_000), language: strings.Repeat("l", 60_000)}, cacheStamp{2, 1}, short)
		if len(k.answers) > cacheMax/110_000 {
			t.Fatalf("%d answers with long keys are kept", len(k.answers))
		}
	}
	if k.keep(cacheKey{query: strings.Repeat("q", cacheLongest)}, cacheStamp{2, 1}, short); k.find(cacheKey{query: strings.Repeat("q", cacheLongest)}, cacheStamp{2, 1}) != nil {
		t.Error("a key above the limit is kept")
	}
}

// Whatever is written, and by whatever process, the next answer of every list is that of a server that has kept
// nothing.
func TestKeptAnswersAreNeverStale(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.ids["Depot"] = h.make(t, h.key, "accounts", `{"account":{"name":"Depot","account_type":"investment","currency":"EUR"}}`)
	h.add(t, "Bread", `"account_id":"{Checking}","date":"2026-08-20","amount":"4.80","category_id":"{Food}","merchant_id":"{Kiosk}","tag_ids":["{fun}"]`)
	other := books.New(dbtest.Open(t, h.db.Path()), h.clock.read)
	session, err := other.Tenants.Authenticate(t.Context(), h.key)
	if err != nil {
		t.Fatal(err)
	}
	api := func(method, path, body string) func(t *testing.T) {
		return func(t *testing.T) {
			t.Helper()
			if p := h.call(t, method, path, body); p.StatusCode >= 300 {
				t.Fatalf("%s %s: %d %s", method, path, p.StatusCode, p.body)
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
			if _, err := other.Catalog.CreateTag(t.Context(), session.Actor, catalog.TagInput{Name: ledger.Some("elsewhere")}); err != nil {
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
func (h *house) compareLists(t *testing.T, when string) {
	t.Helper()
	fresh := New(Options{Ledger: h.ledger, Imports: h.imports, Assistant: h.assistant, Logger: h.Server.log, Health: h.options.Health, Now: h.clock.read})
	for _, r := range h.routes() {
		if r.method != http.MethodGet || r.access == public || r.live || strings.Contains(r.path, ":") {
			continue
		}
		query := ""
		if strings.HasSuffix(r.path, "/explain") {
			query = "?figure=net_worth&date=2026-08-22"
		}
		kept := h.as(t, h.key, "GET", strings.TrimPrefix(r.path, "/api/v1")+query, "")
		req := httptest.NewRequest(http.MethodGet, r.path+query, nil)
		req.Header.Set("X-Api-Key", h.key)
		rec := httptest.NewRecorder()
		fresh.ServeHTTP(rec, req)
		if kept.StatusCode != 200 || kept.body != rec.Body.String() || kept.Header.Get("ETag") != rec.Header().Get("ETag") {
			t.Errorf("%s, %s: got %d %s\nwant %s", when, r.path, kept.StatusCode, kept.body, rec.Body)
		}
	}
}
