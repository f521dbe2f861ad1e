package cmd_test

import (
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

// Without a server the command itself takes back what was written.
func TestImportCancelCommand(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	s.Fails(2, []string{"import", "cancel", "october"}, "is not the id of an import")
	s.Fails(5, []string{"import", "cancel", "0198f2a0-1234-7abc-8def-0123456789ab"}, "Import not found")
	id := strings.TrimSpace(s.OK("import", s.Write("a.csv", good), "--account", "Giro", "--yes"))
	s.Fails(6, []string{"import", "cancel", id}, "an import that is complete cannot be cancelled")
	// A server that began with it and is gone leaves it like this.
	cmdtest.Spoil(t, s.File, "UPDATE imports SET status = 'importing', first_sequence = 1")
	if got := s.Do("import", "cancel", id); got.Status != 0 || !strings.Contains(got.Stderr, "pending again") || got.Stdout != "" {
		t.Errorf("got %+v", got)
	}
	if list := s.List("import", "list"); len(list) != 1 || list[0]["status"] != "pending" {
		t.Errorf("imports %v", list)
	}
}
