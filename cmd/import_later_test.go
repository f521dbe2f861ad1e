package cmd_test

import (
	"strings"
	"testing"
)

// A file is kept, looked at, ruled on, booked, and sent again.
func TestImportLater(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	file := s.write("a.csv", good)
	id := strings.TrimSpace(s.ok("import", file, "--account", "Giro", "--later"))
	if s.balance() != 100000.0 || s.list("import", "list")[0]["status"] != "pending" {
		t.Errorf("balance %v, imports %v", s.balance(), s.list("import", "list"))
	}
	s.fails(6, []string{"import", "publish", id, "--yes", "--plan", "of another day"}, "changed since the plan was made")
	if got := s.run("import", "publish", id, "--yes"); got.status != 0 || !strings.Contains(got.stderr, "Imported 2 rows.") {
		t.Errorf("status %d, said %q", got.status, got.stderr)
	}
	booked := s.balance()
	if got := s.run("import", file, "--account", "Giro", "--yes"); got.status != 0 || !strings.Contains(got.stderr, "of which 2 are there already") ||
		!strings.Contains(got.stderr, "Imported 0 rows; 2 rows were there already.") || s.balance() != booked {
		t.Errorf("status %d, said %q, balance %v", got.status, got.stderr, s.balance())
	}
	again := strings.TrimSpace(s.ok("import", file, "--account", "Giro", "--later"))
	if got := s.run("import", "rule", again, "1", "new"); got.status != 0 || !strings.Contains(got.stderr, "is now: pending") {
		t.Errorf("status %d, said %q", got.status, got.stderr)
	}
	if got := s.run("import", "rule", again, "1", "open"); got.status != 0 || !strings.Contains(got.stderr, "is now: already_imported") {
		t.Errorf("status %d, said %q", got.status, got.stderr)
	}
	s.fails(2, []string{"import", "rule", again, "first", "new"}, "number of a row")
	s.fails(5, []string{"import", "rule", again, "9", "new"}, "Row not found")
	s.fails(6, []string{"import", "rule", id, "1", "new"}, "only while it is held back")
}
