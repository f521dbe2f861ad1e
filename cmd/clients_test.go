package cmd_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"finsvc/db"
	"finsvc/ledger/books"
)

// hands are so many clients of a server, each with accounts of its own.
func (s *commandLine) hands(count int, url string) []*client {
	s.Helper()
	key := strings.TrimSpace(s.ok("apikey", "create", "--rate-limit", "100000000"))
	all := make([]*client, count)
	for i := range all {
		h := &client{commandLine: s, Rand: rand.New(rand.NewPCG(7, uint64(i))), name: fmt.Sprintf("H%d", i), accounts: map[string]string{}}
		h.client = loadClient{url: url, key: key, transport: s.loadTransport()}
		for what, kind := range map[string]string{"cash": "depository", "other": "depository", "broker": "investment", "house": "property"} {
			h.accounts[what] = h.account(h.name+" "+what, kind)
		}
		all[i] = h
	}
	return all
}

func (h *client) account(name, kind string) string {
	h.Helper()
	status, answer := h.client.ask("POST", "/accounts", fmt.Sprintf(`{"account":{"name":%q,"account_type":%q}}`, name, kind), "")
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(answer), &made); err != nil || status != 201 {
		h.Fatalf("account: %d %s", status, answer)
	}
	return made.ID
}

// checkSound proves the file, be it served or left by a killed server: SQLite's own check, and that all that is derived
// is what the rows say.
func (s *commandLine) checkSound() {
	s.Helper()
	view, err := db.View(s.Context(), s.file, s.options...)
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

// look opens the file to read it beside the server.
func (s *commandLine) look() *sql.DB {
	s.Helper()
	file, err := sql.Open("sqlite", "file:"+s.file+"?_pragma=query_only(1)&_pragma=busy_timeout(5000)")
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = file.Close() })
	return file
}

func (s *commandLine) count(file *sql.DB, query string, args ...any) (n int64) {
	s.Helper()
	if err := file.QueryRowContext(s.Context(), query, args...).Scan(&n); err != nil {
		s.Fatal(query, err)
	}
	return n
}

// visible are the transactions that count.
const visible = `transactions t JOIN households h ON h.id = t.household_id AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to)`
