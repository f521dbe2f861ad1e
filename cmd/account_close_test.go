package cmd_test

import (
	"strings"
	"testing"
)

// TestAccountClosing: an account is deleted or put into another one by its name, after saying what goes, and comes back by
// the command that is printed.
func TestAccountClosing(t *testing.T) {
	t.Parallel()
	s, _ := newShelf(t)
	for _, name := range []string{"Everyday 2", "Everyday 1"} {
		s.OK("account", "create", name, "--type", "depository", "--currency", "EUR")
		s.OK("transaction", "add", "Roll", "--account", name, "--expense", "1")
	}
	s.OK("account", "create", "Loan", "--type", "loan", "--currency", "EUR")
	got := s.Do("account", "merge", "Everyday 2", "everyday 1", "--dry-run")
	if want := "1 entry of \"Everyday 2\" may be in \"Everyday 1\" already: both stay.\nThe account \"Everyday 2\" with 1 transaction, 1 valuation would go into \"Everyday 1\". Nothing was changed.\n"; got.Status != 0 || got.Stderr != want {
		t.Errorf("%+v", got)
	}
	s.Fails(2, []string{"account", "merge", "Everyday 2", "Everyday 1"}, "Say --yes")
	s.Fails(2, []string{"account", "merge", "Everyday 2", "Loan", "--yes"}, "must be an asset")
	s.Fails(5, []string{"account", "merge", "Everyday 3", "Loan", "--yes"}, `"Everyday 3" not found`)
	got = s.Do("account", "merge", "Everyday 2", "Everyday 1", "--yes")
	if got.Status != 0 || !strings.Contains(got.Stderr, `Put the account "Everyday 2" with 1 transaction, 1 valuation into "Everyday 1".`) {
		t.Errorf("%+v", got)
	}
	_, undo, _ := strings.Cut(got.Stderr, "history undo ")
	s.OK("history", "undo", strings.TrimSpace(undo))
	s.Fails(2, []string{"account", "delete", "Everyday 2"}, `Delete the account "Everyday 2" with 1 transaction, 1 valuation? Say --yes`)
	got = s.Do("account", "delete", "Everyday 2", "--yes")
	if got.Status != 0 || !strings.Contains(got.Stderr, `Deleted the account "Everyday 2" with 1 transaction, 1 valuation.`) {
		t.Errorf("%+v", got)
	}
	s.Fails(5, []string{"account", "delete", "Everyday 2", "--yes"}, `"Everyday 2" not found`)
}
