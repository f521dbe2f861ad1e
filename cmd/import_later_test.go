package cmd_test

import (
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

// A file is kept, looked at, ruled on, booked, and sent again.
func TestImportLater(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	file := s.Write("a.csv", good)
	id := strings.TrimSpace(s.OK("import", file, "--account", "Giro", "--later"))
	if s.Balance() != 100000.0 || s.List("import", "list")[0]["status"] != "pending" {
		t.Errorf("balance %v, imports %v", s.Balance(), s.List("import", "list"))
	}
	s.Fails(6, []string{"import", "publish", id, "--yes", "--plan", "of another day"}, "changed since the plan was made")
	if got := s.Do("import", "publish", id, "--yes"); got.Status != 0 || !strings.Contains(got.Stderr, "Imported 2 rows.") {
		t.Errorf("status %d, said %q", got.Status, got.Stderr)
	}
	booked := s.Balance()
	if got := s.Do("import", file, "--account", "Giro", "--yes"); got.Status != 0 || !strings.Contains(got.Stderr, "of which 2 are there already") ||
		!strings.Contains(got.Stderr, "Imported 0 rows; 2 rows were there already.") || s.Balance() != booked {
		t.Errorf("status %d, said %q, balance %v", got.Status, got.Stderr, s.Balance())
	}
	again := strings.TrimSpace(s.OK("import", file, "--account", "Giro", "--later"))
	if got := s.Do("import", "rule", again, "1", "new"); got.Status != 0 || !strings.Contains(got.Stderr, "is now: pending") {
		t.Errorf("status %d, said %q", got.Status, got.Stderr)
	}
	if got := s.Do("import", "rule", again, "1", "open"); got.Status != 0 || !strings.Contains(got.Stderr, "is now: already_imported") {
		t.Errorf("status %d, said %q", got.Status, got.Stderr)
	}
	s.Fails(2, []string{"import", "rule", again, "first", "new"}, "number of a row")
	s.Fails(5, []string{"import", "rule", again, "9", "new"}, "Row not found")
	s.Fails(6, []string{"import", "rule", id, "1", "new"}, "only while it is held back")
}
