package cmd_test

import (
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

// What nothing is made of is told before one agrees, to people and to programs.
func TestImportTellsUnusedColumns(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	file := s.Write("giro.csv", "Buchungstag;Buchungstext;Verwendungszweck;Empfänger;Betrag;IBAN\n13.01.2026;LASTSCHRIFT;Strom Januar;Stadtwerke;-5,00;DE1\n14.01.2026;LOHN;Lohn Januar;Werk AG;20,00;DE2\n")
	if got := s.Do("import", file, "--account", "giro", "--dry-run"); !strings.Contains(got.Stderr, "Nothing is made of the columns Buchungstext, IBAN\n") {
		t.Errorf("said %q", got.Stderr)
	}
	if got := s.Do("import", file, "--account", "giro", "--dry-run", "--json"); !strings.Contains(got.Stdout, `"unused_columns":["Buchungstext","IBAN"]`) {
		t.Errorf("printed %q", got.Stdout)
	}
}

// A file that is no table is named for what it is, whatever its name.
func TestImportNamesFiles(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	for name, content := range map[string]string{"a.csv": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "b.pdf": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"} {
		got := s.Do("import", s.Write(name, content), "--account", "giro", "--yes")
		if got.Status == 0 || !strings.Contains(got.Stderr, "the file is a picture (PNG)") {
			t.Errorf("%s: status %d, said %q", name, got.Status, got.Stderr)
		}
	}
}
