package cmd_test

import (
	"strings"
	"testing"
)

func TestImportRevertAndDelete(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	id := strings.TrimSpace(s.ok("import", s.write("a.csv", good), "--account", "Giro", "--yes"))
	s.fails(6, []string{"import", "delete", id, "--yes"}, "Revert a complete one first")
	if got := s.run("import", "revert", id, "--yes"); got.status != 0 || got.stdout != "" || !strings.Contains(got.stderr, "Reverted 2 rows") {
		t.Errorf("status %d, printed %q, said %q", got.status, got.stdout, got.stderr)
	}
	if s.balance() != 100000.0 || s.list("import", "list")[0]["status"] != "pending" {
		t.Errorf("balance %v, imports %v", s.balance(), s.list("import", "list"))
	}
	s.fails(6, []string{"import", "revert", id, "--yes"}, "pending cannot be reverted")
	if got := s.run("import", "delete", id, "--yes"); got.status != 0 || !strings.Contains(got.stderr, "Deleted import "+id) {
		t.Errorf("status %d, said %q", got.status, got.stderr)
	}
	if list := s.list("import", "list"); len(list) != 0 {
		t.Errorf("imports %v", list)
	}
	s.fails(2, []string{"import", "revert", id}, "--yes")
	s.fails(2, []string{"import", "revert", "7"}, "finsvc import list")
	s.fails(5, []string{"import", "revert", id, "--yes"}, "Import not found")
	s.fails(5, []string{"import", "delete", id, "--yes"}, "Import not found")
}
