package cmd_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/cmd/cmdtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
)

// TestHistory: what was done is listed newest first, taken back by its id, and done again by that of the taking back.
func TestHistory(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org")
	account := strings.TrimSpace(s.OK("account", "create", "Checking", "--type", "depository", "--currency", "EUR"))
	s.Ledger(func(l *books.Books, home ledger.Actor) {
		row, _, err := l.Entries.CreateTransaction(t.Context(), home, entry.TransactionInput{AccountID: ledger.Some(uuid.MustParse(account)),
			Date: ledger.Some(ledger.NewDate(2026, 3, 1)), Amount: ledger.Some(money.Currency{Code: "EUR", Exponent: 2}.Decimal(300)), Name: ledger.Some("Bread")})
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Entries.DeleteTransaction(t.Context(), home, uuid.UUID(row.PublicID)); err != nil {
			t.Fatal(err)
		}
	})
	names := func() (names string) {
		s.Ledger(func(l *books.Books, home ledger.Actor) {
			list, _, err := l.Entries.ListTransactions(t.Context(), home, entry.TransactionFilter{}, ledger.Everything())
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range list {
				names += row.Name
			}
		})
		return names
	}
	list := s.OK("history", "list", "--limit", "2")
	rows := regexp.MustCompile(`(?m)^\S+ \S+ +(deleted|added) 1 transaction +cli +- +yes +(\S+)$`).FindAllStringSubmatch(list, -1)
	if len(rows) != 2 || rows[0][1] != "deleted" || rows[1][1] != "added" || names() != "" {
		t.Fatalf("the history is\n%s", list)
	}
	s.OK("history", "undo", rows[0][2])
	if names() != "Bread" {
		t.Errorf("taken back there is %q", names())
	}
	again := regexp.MustCompile(`"id": ?"([^"]+)",\s*"summary": ?"took back`).FindStringSubmatch(s.OK("history", "list", "--json"))
	if again == nil {
		t.Fatalf("the history is %s", s.OK("history", "list", "--json"))
	}
	s.OK("history", "undo", again[1])
	if names() != "" {
		t.Errorf("done again there is %q", names())
	}
	s.Fails(6, []string{"history", "undo", again[1]}, "taken back already")
	s.Fails(2, []string{"history", "undo", "yesterday"}, "is no id of the history")
	s.Fails(5, []string{"history", "undo", uuid.NewString()}, "not found")
	s.Fails(2, []string{"history", "list", "--limit", "0"}, "--limit must be 1 or more")
}
