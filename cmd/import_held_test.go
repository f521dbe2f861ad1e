package cmd_test

import (
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

// TestImportHoldsBack: with --yes a row that may be there already is held back and told with what differs, and one command decides all.
func TestImportHoldsBack(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	first := s.Write("first.csv", "date,amount,name\n2026-01-30,-3.00,Espresso\n2026-01-31,-10.00,Novel\n")
	second := s.Write("second.csv", "date,amount,name\n2026-01-30,-3.00,Coffee\n2026-01-31,-10.00,Book\n2026-02-01,-7.00,Bus\n")
	s.OK("import", first, "--account", "Giro", "--yes")
	got := s.Do("import", second, "--account", "Giro", "--yes")
	id := strings.TrimSpace(got.Stdout)
	for _, part := range []string{"2 rows may be there already, and would be held back", `"Coffee"; name was "Espresso", is "Coffee"`, "Imported 1 row.", "Held back: 2 rows", "finsvc import rule " + id + " --all new"} {
		if !strings.Contains(got.Stderr, part) {
			t.Errorf("said %q, want %q in it", got.Stderr, part)
		}
	}
	if rows := s.OK("import", "show", id, "--rows"); strings.Count(rows, "possible_duplicate") != 2 {
		t.Error(rows)
	}
	s.Fails(2, []string{"import", "rule", id, "--all", "new", "1", "new"}, "give ID ROW RULING, or ID --all RULING")
	if got := s.Do("import", "rule", id, "--all", "new"); got.Status != 0 || !strings.Contains(got.Stderr, "Booked 2 rows that had been held back.") {
		t.Errorf("%d: %q", got.Status, got.Stderr)
	}
	if got := s.Do("import", "rule", id, "--all", "same"); got.Status != 0 || !strings.Contains(got.Stderr, "No row of this import may be booked already.") {
		t.Errorf("%d: %q", got.Status, got.Stderr)
	}
	if got := s.Do("import", second, "--account", "Giro", "--yes"); !strings.Contains(got.Stderr, "Imported 0 rows; 3 rows were there already.") {
		t.Errorf("%q", got.Stderr)
	}
}
