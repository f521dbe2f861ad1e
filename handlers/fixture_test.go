package handlers

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"finsvc/assistant/mcp"
	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/handlers/apitest"
	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

var update = flag.Bool("update", false, "write the golden files anew")

// fixture is the whole service on a file of its own: a German household with some accounts and labels, and
// a neighbour whose things it must never see. Its clock stands still unless moved.
type fixture struct {
	*rig
	db        *db.DB
	file      *sql.DB // the same file, for what the service does not show
	clock     *clock
	key       string // may read and write
	readKey   string
	neighbour string            // the neighbour's key
	ids       map[string]string // of what the house was furnished with, by name

	printing  sync.Mutex
	printed   string // the last fingerprint
	printedAt string // the version of the file that it is of
}

type clock struct {
	mu  sync.Mutex
	now time.Time
	ran time.Duration
}

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// pass lets time pass, which moves the clock as well.
func (c *clock) pass(d time.Duration) {
	c.move(d)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ran += d
}

func (c *clock) passed() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ran
}

// Limits of a house, in bytes.
const (
	houseBodyMax   = 128 << 10
	houseImportMax = 64 << 10
)

func newFixture(t testing.TB, options ...db.Option) *fixture {
	t.Helper()
	h := &fixture{db: dbtest.Open(t, dbtest.Path(t), options...), clock: &clock{now: apitest.Noon()}, ids: map[string]string{}}
	out := new(apitest.Log)
	log := slog.New(slog.NewJSONHandler(out, nil))
	books := books.NewTimed(h.db, h.clock.read, h.clock.passed)
	made := Options{Ledger: books, Logger: log, Now: h.clock.read, BodyMax: houseBodyMax, Health: h.db.Ping, Assistant: newAssistant(h.db, books, h.clock.read),
		Imports: importer.New(importer.Options{DB: h.db, Ledger: books, Logger: log, Now: h.clock.read, Max: houseImportMax, PDFText: []string{"cat", "testdata/statement.words"}})}
	made.MCP = mcp.New(mcp.Options{Ledger: books, Importer: made.Imports, Version: "1", Write: true})
	s := New(made)
	h.key, h.readKey = openHousehold(t, books, "Home")
	h.neighbour, _ = openHousehold(t, books, "Neighbour")
	server := httptest.NewServer(apitest.Handler(t, s))
	t.Cleanup(server.Close)
	h.rig = newRigOf(s, made, server.URL, out)
	var err error
	if h.file, err = sql.Open("sqlite", "file:"+h.db.Path()+"?mode=ro"); err != nil {
		t.Fatal(err)
	}
	h.file.SetMaxOpenConns(1) // versions of a file are those that one connection sees
	t.Cleanup(func() { _ = h.file.Close() })
	h.furnish(t)
	return h
}

func openHousehold(t testing.TB, books *books.Books, name string) (readWrite, readOnly string) {
	t.Helper()
	who := ledger.Actor{Origin: ledger.OriginCLI}
	home, owner, err := books.Tenants.CreateHousehold(t.Context(), who, tenant.HouseholdInput{
		Name: name, Currency: "EUR", Locale: "de-DE", Timezone: "Europe/Berlin", OwnerEmail: name + "@example.org", NoCategories: true})
	if err != nil {
		t.Fatal(err)
	}
	who.HouseholdID, who.UserID = home.ID, owner.ID
	keys := map[string]string{}
	for _, scope := range []string{"read_write", "read"} {
		if keys[scope], _, err = books.Keys.CreateAPIKey(t.Context(), who, tenant.KeyInput{Name: scope, Scope: scope, RateLimit: 1_000_000}); err != nil {
			t.Fatal(err)
		}
	}
	return keys["read_write"], keys["read"]
}

// furnish makes accounts, categories, merchants and tags; those of the neighbour have names beginning
// with "their".
func (h *fixture) furnish(t testing.TB) {
	t.Helper()
	for _, c := range []struct{ name, path, body string }{
		{"Checking", "accounts", `{"account":{"name":"Checking","account_type":"depository","currency":"EUR"}}`},
		{"Savings", "accounts", `{"account":{"name":"Savings","account_type":"depository","currency":"EUR"}}`},
		{"Dinars", "accounts", `{"account":{"name":"Dinars","account_type":"depository","currency":"KWD"}}`},
		{"Food", "categories", `{"category":{"name":"Food","classification":"expense","color":"#112233","icon":"utensils"}}`},
		{"Salary", "categories", `{"category":{"name":"Salary","classification":"income","color":"#445566","icon":"banknote"}}`},
		{"Bäcker", "merchants", `{"merchant":{"name":"Bäcker"}}`},
		{"Kiosk", "merchants", `{"merchant":{"name":"Kiosk"}}`},
		{"fun", "tags", `{"tag":{"name":"fun","color":"#aabbcc"}}`},
		{"Alltag", "tags", `{"tag":{"name":"Alltag","color":"#ddeeff"}}`},
	} {
		h.ids[c.name] = h.make(t, h.key, c.path, c.body)
		h.ids["their "+c.name] = h.make(t, h.neighbour, c.path, c.body)
	}
}

// make creates something and gives its id.
func (h *fixture) make(t testing.TB, key, path, body string) string {
	t.Helper()
	p := h.as(t, key, "POST", "/"+path, body)
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(p.Text), &made); err != nil || p.StatusCode != 201 || made.ID == "" {
		t.Fatalf("POST /%s %s: %d %s", path, body, p.StatusCode, p.Text)
	}
	return made.ID
}

// as sends a request of the API with a key; names in braces, such as {Food}, become ids.
func (h *fixture) as(t testing.TB, key, method, path, body string, headers ...string) apitest.Reply {
	t.Helper()
	return h.Do(t, method, "/api/v1"+h.fill(path), h.fill(body), append(headers, "X-Api-Key: "+key)...)
}

// call sends a request with the house's own key.
func (h *fixture) call(t testing.TB, method, path, body string, headers ...string) apitest.Reply {
	t.Helper()
	return h.as(t, h.key, method, path, body, headers...)
}

func (h *fixture) fill(text string) string {
	for name, id := range h.ids {
		text = strings.ReplaceAll(text, "{"+name+"}", id)
	}
	return text
}

// add creates a transaction and remembers its id under its name.
func (h *fixture) add(t testing.TB, name, members string) string {
	t.Helper()
	id := h.make(t, h.key, "transactions", fmt.Sprintf(`{"transaction":{"name":%q,%s}}`, name, members))
	h.ids[name] = id
	return id
}

// link makes a transfer of two transactions.
func (h *fixture) link(t testing.TB, first, second string) {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	err := h.db.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		_, err := q.Exec(ctx, `INSERT INTO transfers (public_id, household_id, status, reason, created_at, updated_at)
			SELECT ?1, household_id, 'confirmed', 'test', 0, 0 FROM transactions WHERE public_id = ?2`, queries.PublicID(id), publicID(h.ids[first]))
		if err != nil {
			return err
		}
		_, err = q.Exec(ctx, `UPDATE transactions SET transfer_id = (SELECT id FROM transfers WHERE public_id = ?1)
			WHERE public_id IN (?2, ?3)`, queries.PublicID(id), publicID(h.ids[first]), publicID(h.ids[second]))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	h.ids["transfer"] = id.String()
}

func publicID(text string) queries.PublicID { return queries.PublicID(uuid.MustParse(text)) }

// print is a fingerprint of all that is stored, but for when keys were last used. As long as nobody has written to the
// file it is the last one.
func (h *fixture) print(t *testing.T) string {
	t.Helper()
	h.printing.Lock()
	defer h.printing.Unlock()
	if version := column(t, h.file, "PRAGMA data_version")[0]; h.printed == "" || version != h.printedAt {
		h.printed, h.printedAt = dump(t, h.file), version
	}
	return h.printed
}

// dump is everything that is in a file but keys, which note when they are used.
func dump(t testing.TB, file *sql.DB) string {
	t.Helper()
	var out strings.Builder
	for _, table := range column(t, file, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'api_keys' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`) {
		row := strings.Join(column(t, file, "SELECT name FROM pragma_table_info('"+table+"')"), "), quote(")
		fmt.Fprintln(&out, table, column(t, file, "SELECT concat_ws(',', quote("+row+")) AS whole FROM "+table+" ORDER BY whole"))
	}
	return out.String()
}

func column(t testing.TB, file *sql.DB, query string) (values []string) {
	t.Helper()
	rows, err := file.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			t.Fatal(query, err)
		}
		values = append(values, v)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(query, err)
	}
	return values
}

// golden compares a JSON body with a file under testdata. Ids that the house knows stand there by name,
// all others by the order in which they appear.
func (h *fixture) golden(t *testing.T, name string, p apitest.Reply) {
	t.Helper()
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, []byte(p.Text), "", "  "); err != nil {
		t.Fatalf("%s: %v in %d %s", name, err, p.StatusCode, p.Text)
	}
	got := fmt.Sprintf("%d\n%s\n", p.StatusCode, h.nameIDs(strings.TrimSpace(pretty.String())))
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs from what is wanted (-):\n%s", name, diff)
	}
}

func (h *fixture) nameIDs(text string) string {
	known := map[string]string{}
	for name, id := range h.ids {
		known[id] = "<" + name + ">"
	}
	unknown := 0
	text = regexp.MustCompile(`"plan": "[0-9a-f]{32}"`).ReplaceAllString(text, `"plan": "<plan>"`)
	return regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`).ReplaceAllStringFunc(text, func(id string) string {
		if known[id] == "" {
			unknown++
			known[id] = fmt.Sprintf("<id %d>", unknown)
		}
		return known[id]
	})
}
