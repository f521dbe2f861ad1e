package cmd_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestImportListAndWhatIsInTheWay: the list shows account and booked rows; a revert names the import that relies on this one.
func TestImportListAndWhatIsInTheWay(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	first := strings.TrimSpace(s.ok("import", s.write("a.csv", good), "--account", "Giro", "--yes"))
	second := strings.TrimSpace(s.ok("import", s.write("b.csv", good), "--account", "Giro", "--yes"))
	list := s.list("import", "list")
	for i, booked := range []string{"0", "2"} {
		if list[i]["account"] != "Giro" || fmt.Sprint(list[i]["booked_rows"]) != booked {
			t.Errorf("import %d is %v, want %v booked rows of Giro", i, list[i], booked)
		}
	}
	if table := s.ok("import", "list"); !strings.Contains(table, "ACCOUNT") || !strings.Contains(table, "BOOKED") || strings.Count(table, "Giro") != 2 {
		t.Errorf("the table is %s", table)
	}
	s.fails(6, []string{"import", "revert", first, "--yes"}, "Left out 2 of its rows: b.csv. Take that back first: finsvc import revert "+second)
	s.fails(6, []string{"import", "revert", first, "--yes"}, "(revert that first: b.csv of ")
	s.ok("import", "revert", second, "--yes")
	if got := s.run("import", "revert", first, "--yes"); got.status != 0 || !strings.Contains(got.stderr, "Taken back: 2 transactions") {
		t.Errorf("status %d, said %q", got.status, got.stderr)
	}
	if list := s.list("import", "list"); list[0]["booked_rows"] != nil {
		t.Errorf("a pending import has booked %v", list[0]["booked_rows"])
	}
}

func TestImportRevertAndDelete(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	id := strings.TrimSpace(s.ok("import", s.write("a.csv", good), "--account", "Giro", "--yes"))
	s.fails(6, []string{"import", "delete", id, "--yes"}, "Revert a complete one first")
	if got := s.run("import", "revert", id, "--yes"); got.status != 0 || got.stdout != "" || !strings.Contains(got.stderr, "Taken back: 2 transactions, 1 category. The import is pending again") {
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

// TestImportRevertNamesWhatItLeaves: a category that a person has changed after the import that changed it stays, by name.
func TestImportRevertNamesWhatItLeaves(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	s.ok("import", s.write("a.csv", "name,icon\nFood,apple\nRent,key\n"), "--type", "CategoryImport", "--yes")
	id := strings.TrimSpace(s.ok("import", s.write("b.csv", "name,icon\nFood,pear\nRent,house\n"), "--type", "CategoryImport", "--yes"))
	s.ok("import", s.write("c.csv", "name,icon\nRent,cup\n"), "--type", "CategoryImport", "--yes")
	got := s.run("import", "revert", id, "--yes")
	if want := `is left as it is: category "Rent"`; got.status != 0 || !strings.Contains(got.stderr, want) || !strings.Contains(got.stderr, "Taken back: 1 changed category") {
		t.Errorf("status %d, said %q, want %s", got.status, got.stderr, want)
	}
}
