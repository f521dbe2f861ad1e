package cmdtest

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"finsvc/db"
	"finsvc/ledger/books"
)

// Hands are so many clients of a server, each with accounts of its own.
func (s *CommandLine) Hands(count int, url string) []*Client {
	s.Helper()
	key := strings.TrimSpace(s.OK("apikey", "create", "--rate-limit", "100000000"))
	all := make([]*Client, count)
	for i := range all {
		h := &Client{CommandLine: s, Rand: rand.New(rand.NewPCG(7, uint64(i))), Label: fmt.Sprintf("H%d", i),
			Accounts: map[string]string{}}
		h.Client = LoadClient{URL: url, Key: key, Transport: s.LoadTransport()}
		for what, kind := range map[string]string{"cash": "depository", "other": "depository", "broker": "investment",
			"house": "property"} {
			h.Accounts[what] = h.Account(h.Label+" "+what, kind)
		}
		all[i] = h
	}
	return all
}

func (h *Client) Account(name, kind string) string {
	h.Helper()
	status, answer := h.Client.Ask("POST", "/accounts", fmt.Sprintf(`{"account":{"name":%q,"account_type":%q}}`, name,
		kind), "")
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(answer), &made); err != nil || status != 201 {
		h.Fatalf("account: %d %s", status, answer)
	}
	return made.ID
}

// CheckSound proves the file, be it served or left by a killed server: SQLite's own check, and that all that is derived
// is what the rows say.
func (s *CommandLine) CheckSound() {
	s.Helper()
	view, err := db.View(s.Context(), s.File, s.options...)
	if err != nil {
		s.Fatal(err)
	}
	defer view.Close()
	found, err := view.CheckIntegrity(s.Context())
	if err != nil || len(found) > 0 {
		s.Errorf("integrity: %q, %v", found, err)
	}
	audit, err := books.New(view, time.Now).Audits.Audit(s.Context())
	if err != nil || len(audit.Defects) > 0 {
		s.Errorf("audit: %+v, %v", audit.Defects, err)
	}
}

// Look opens the file to read it beside the server.
func (s *CommandLine) Look() *sql.DB {
	s.Helper()
	file, err := sql.Open("sqlite", "file:"+s.File+"?_pragma=query_only(1)&_pragma=busy_timeout(5000)")
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = file.Close() })
	return file
}

func (s *CommandLine) Count(file *sql.DB, query string, args ...any) (n int64) {
	s.Helper()
	if err := file.QueryRowContext(s.Context(), query, args...).Scan(&n); err != nil {
		s.Fatal(query, err)
	}
	return n
}

// Visible are the transactions that count.
const Visible = `transactions t JOIN households h ON h.id = t.household_id AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to)`

func (h *Client) WriteUntilItDies() {
	for h.open == nil && !h.Failed() {
		if d := h.Next(); d != nil {
			h.Do(d)
		} else if status, _ := h.Client.Ask("GET", "/usage", "", ""); status == 0 {
			return
		}
	}
}

// Repeat sends again what had no answer: before that it is there wholly or not at all, then it is there once.
func (h *Client) Repeat(file *sql.DB) {
	d := h.open
	if d == nil {
		return
	}
	if d.Method == "POST" {
		h.Settle(file)
		if n := h.marked(file, d.Kind, d.mark); n != 0 && n != d.rows {
			h.Errorf("%s without an answer has made %d of %d", d.path, n, d.rows)
		}
	}
	known := len(h.Things)
	h.Do(d)
	if d.Method == "POST" && len(h.Things) == known {
		h.Errorf("repeating %s makes nothing", d.path)
	}
	h.Settle(file)
	if n := h.marked(file, d.Kind, d.mark); d.Method == "POST" && n != d.rows {
		h.Errorf("%s and its repeat have made %d of %d", d.path, n, d.rows)
	}
}

// Settle waits until no import is being worked on.
func (h *Client) Settle(file *sql.DB) {
	h.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if h.Count(file, "SELECT count(*) FROM imports WHERE status IN ('importing', 'reverting')") == 0 {
			return
		}
		if time.Now().After(deadline) {
			h.Error("the imports are not settled")
			return
		}
	}
}

// marked is how many rows there are with a mark.
func (h *Client) marked(file *sql.DB, k *kind, mark string) int64 {
	h.Helper()
	table, column, _ := strings.Cut(k.stored, ".")
	if table == "transactions" {
		return h.Count(file, "SELECT count(*) FROM "+Visible+" WHERE t.name LIKE ? || '%'", mark)
	}
	return h.Count(file, "SELECT count(*) FROM "+table+" WHERE "+column+" LIKE ? || '%'", mark)
}

// Look compares a thing with what was answered last.
func (h *Client) Look(file *sql.DB, t *thing) {
	h.Helper()
	t.Touched = false
	status, answer := h.Client.Ask("GET", "/"+t.Kind.Resource+"/"+t.ID, "", "")
	if t.deleted {
		if status != 404 {
			h.Errorf("%s was deleted, and is there: %d %s", t.mark, status, answer)
		}
		return
	}
	seen := objects(answer)
	if status != 200 || len(seen) != 1 {
		h.Errorf("%s is lost: %d %s", t.mark, status, answer)
		return
	}
	if got := t.Kind.of(seen[0]); !maps.EqualFunc(got, t.want, same) {
		h.Errorf("%s is %v, was answered %v", t.mark, got, t.want)
	}
	if n := h.marked(file, t.Kind, t.mark); t.Kind.Resource == "imports" &&
		(n != t.Kind.rows || seen[0]["status"] != "complete") {
		h.Errorf("import %s has %d rows: %s", t.mark, n, answer)
	}
}

func same(a, b any) bool {
	x, _ := json.Marshal(a) // of values that came as JSON
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

// SetTime is a length of time from the environment.
func SetTime(t *testing.T, variable string, usual time.Duration) time.Duration {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	length, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return length
}

// N is a random time below a limit.
func (h *Client) N(limit time.Duration) time.Duration { return time.Duration(h.Int64N(int64(limit))) }

// Read asks for one of the things that programs ask for.
func (h *Client) Read() {
	paths := []string{"/accounts", "/balance_sheet", "/net_worth?interval=month",
		"/income_statement?start_date=2026-01-01&end_date=2026-12-31", "/categories", "/tags?per_page=100",
		"/transactions?search=H1", "/transactions?per_page=100&page=2", "/transactions?min_amount=100", "/holdings",
		"/balances?per_page=100", "/trades", "/transfers",
		"/valuations", "/imports", "/chats", "/usage", "/explain?figure=net_worth&date=2026-08-01", "/openapi.json",
		"/securities", "/rules"}
	path := paths[h.IntN(len(paths))]
	if status, answer := h.Client.Ask("GET", path, "", ""); status != 200 {
		h.Errorf("%s: %d %s", path, status, answer)
	}
}

// Follow watches what takes time, to its end. An import is taken back and removed.
func (h *Client) Follow(t *thing) {
	switch t.Kind.Resource {
	case "chats":
		status, answer := h.Client.Ask("GET", "/chats/"+t.ID, "", "")
		var chat struct{ Messages []struct{ ID string } }
		if json.Unmarshal([]byte(answer), &chat) != nil || len(chat.Messages) != 2 {
			h.Errorf("chat: %d %s", status, answer)
			return
		}
		h.watch("/chats/"+t.ID+"/messages/"+chat.Messages[1].ID+"/stream", "event: done")
	case "imports":
		path := "/imports/" + t.ID
		h.watch(path+"/events", `"complete"`)
		h.revert(path)
		h.watch(path+"/events", `"pending"`)
		if status, answer := h.Client.Ask("DELETE", path, "", ""); status != 200 {
			h.Errorf("delete import: %d %s", status, answer)
		}
		t.deleted = true
	}
}

// revert takes an import back as soon as no other one is being worked on.
func (h *Client) revert(path string) {
	status, answer := h.Client.Ask("POST", path+"/revert", "", "")
	for ; status == 409 && strings.Contains(answer, "when that is done"); status,
		answer = h.Client.Ask("POST", path+"/revert", "", "") {
		time.Sleep(10 * time.Millisecond)
	}
	if status != 202 {
		h.Errorf("revert: %d %s", status, answer)
	}
}

// watch reads a stream to its end.
func (h *Client) watch(path, want string) {
	status, answer := h.Client.Ask("GET", path, "", "")
	if status != 200 || !strings.Contains(answer, want) {
		h.Errorf("%s: %d, no %s in %s", path, status, want, answer)
	}
}
