package handlers

import (
	"fmt"
	"strings"
	"testing"

	"finsvc/db"
)

// TestBudgetOfACreate holds down what one request may cost the file: how many statements it runs, those that begin and end
// transactions among them, and how many pages it writes. A page is 4,096 bytes and, in the log, a header of 24.
func TestBudgetOfACreate(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	row := func(n int, more string) string {
		return fmt.Sprintf(`{"account_id":%q,"date":"2026-08-%02d","amount":"12.34","nature":"expense","name":"Budget %d"%s}`,
			h.ids["Checking"], 1+n%28, n, more)
	}
	for _, c := range []struct {
		name              string
		path              string
		body              func(n int) string
		statements, pages int64
	}{
		{"a transaction", "transactions", func(n int) string { return `{"transaction":` + row(n, "") + `}` }, 22, 17}, // a page is of the index of what has no category
		{"ten transactions", "transactions/bulk", func(n int) string {
			rows := make([]string, 10)
			for i := range rows {
				rows[i] = row(10*n+i, "")
			}
			return `{"transactions":[` + strings.Join(rows, ",") + `]}`
		}, 112, 21},
	} {
		var worstStatements, worstPages int64
		for n := range 6 {
			before := stats(t, h)
			if p := h.call(t, "POST", "/"+c.path, c.body(n)); p.StatusCode/100 != 2 {
				t.Fatalf("%s: %d %s", c.name, p.StatusCode, p.Text)
			}
			after := stats(t, h)
			if n > 0 { // the first fills caches
				worstStatements = max(worstStatements, after.Statements-before.Statements)
				worstPages = max(worstPages, (after.Log-before.Log)/(4096+24))
			}
		}
		if worstStatements > c.statements || worstPages > c.pages || worstPages == 0 {
			t.Errorf("%s runs %d statements and writes %d pages; its budget is %d and %d", c.name, worstStatements, worstPages,
				c.statements, c.pages)
		}
	}
}

func stats(t *testing.T, h *fixture) db.Stats {
	t.Helper()
	s, err := h.db.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}
