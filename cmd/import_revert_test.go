package cmd_test

import (
	"fmt"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

// TestImportListAndWhatIsInTheWay: the list shows account and booked rows; a revert names the import that relies on this one.
func TestImportListAndWhatIsInTheWay(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	first := strings.TrimSpace(s.OK("import", s.Write("a.csv", good), "--account", "Giro", "--yes"))
	second := strings.TrimSpace(s.OK("import", s.Write("b.csv", good), "--account", "Giro", "--yes"))
	list := s.List("import", "list")
	for i, booked := range []string{"0", "2"} {
		if list[i]["account"] != "Giro" || fmt.Sprint(list[i]["booked_rows"]) != booked {
			t.Errorf("import %d is %v, want %v booked rows of Giro", i, list[i], booked)
		}
	}
	if table := s.OK("import", "list"); !strings.Contains(table, "ACCOUNT") || !strings.Contains(table, "BOOKED") || strings.Count(table, "Giro") != 2 {
		t.Errorf("the table is %s", table)
	}
	s.Fails(6, []string{"import", "revert", first, "--yes"}, "Left out 2 of its rows: b.csv. Take that back first: finsvc import revert "+second)
	s.Fails(6, []string{"import", "revert", first, "--yes"}, "(revert that first: b.csv of ")
	s.OK("import", "revert", second, "--yes")
	if got := s.Do("import", "revert", first, "--yes"); got.Status != 0 || !strings.Contains(got.Stderr, "Taken back: 2 transactions") {
		t.Errorf("status %d, said %q", got.Status, got.Stderr)
	}
	if list := s.List("import", "list"); list[0]["booked_rows"] != nil {
		t.Errorf("a pending import has booked %v", list[0]["booked_rows"])
	}
}

func TestImportRevertAndDelete(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	id := strings.TrimSpace(s.OK("import", s.Write("a.csv", good), "--account", "Giro", "--yes"))
	s.Fails(6, []string{"import", "delete", id, "--yes"}, "Revert a complete one first")
	if got := s.Do("import", "revert", id, "--yes"); got.Status != 0 || got.Stdout != "" || !strings.Contains(got.Stderr, "Taken back: 2 transactions, 1 category. The import is pending again") {
		t.Errorf("status %d, printed %q, said %q", got.Status, got.Stdout, got.Stderr)
	}
	if s.Balance() != 100000.0 || s.List("import", "list")[0]["status"] != "pending" {
		t.Errorf("balance %v, imports %v", s.Balance(), s.List("import", "list"))
	}
	s.Fails(6, []string{"import", "revert", id, "--yes"}, "pending cannot be reverted")
	if got := s.Do("import", "delete", id, "--yes"); got.Status != 0 || !strings.Contains(got.Stderr, "Deleted import "+id) {
		t.Errorf("status %d, said %q", got.Status, got.Stderr)
	}
	if list := s.List("import", "list"); len(list) != 0 {
		t.Errorf("imports %v", list)
	}
	s.Fails(2, []string{"import", "revert", id}, "--yes")
	s.Fails(2, []string{"import", "revert", "7"}, "finsvc import list")
	s.Fails(5, []string{"import", "revert", id, "--yes"}, "Import not found")
	s.Fails(5, []string{"import", "delete", id, "--yes"}, "Import not found")
}

// TestImportRevertNamesWhatItLeaves: a category that a person has changed after the import that changed it stays, by name.
func TestImportRevertNamesWhatItLeaves(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	s.OK("import", s.Write("a.csv", "name,icon\nFood,apple\nRent,key\n"), "--type", "CategoryImport", "--yes")
	id := strings.TrimSpace(s.OK("import", s.Write("b.csv", "name,icon\nFood,pear\nRent,house\n"), "--type", "CategoryImport", "--yes"))
	s.OK("import", s.Write("c.csv", "name,icon\nRent,cup\n"), "--type", "CategoryImport", "--yes")
	got := s.Do("import", "revert", id, "--yes")
	if want := `is left as it is: category "Rent"`; got.Status != 0 || !strings.Contains(got.Stderr, want) || !strings.Contains(got.Stderr, "Taken back: 1 changed category") {
		t.Errorf("status %d, said %q, want %s", got.Status, got.Stderr, want)
	}
}
