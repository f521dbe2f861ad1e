package cmd_test

import (
	"strings"
	"testing"
)

// Without a server the command itself takes back what was written.
func TestImportCancelCommand(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	s.fails(2, []string{"import", "cancel", "october"}, "is not the id of an import")
	s.fails(5, []string{"import", "cancel", "0198f2a0-1234-7abc-8def-0123456789ab"}, "Import not found")
	id := strings.TrimSpace(s.ok("import", s.write("a.csv", good), "--account", "Giro", "--yes"))
	s.fails(6, []string{"import", "cancel", id}, "an import that is complete cannot be cancelled")
	// A server that began with it and is gone leaves it like this.
	spoil(t, s.file, "UPDATE imports SET status = 'importing', first_sequence = 1")
	if got := s.run("import", "cancel", id); got.status != 0 || !strings.Contains(got.stderr, "pending again") || got.stdout != "" {
		t.Errorf("got %+v", got)
	}
	if list := s.list("import", "list"); len(list) != 1 || list[0]["status"] != "pending" {
		t.Errorf("imports %v", list)
	}
}
