package cmd_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestExport(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	s.ok("household", "create", "Home", "--owner", "ana@example.org", "--currency", "EUR")
	s.ok("account", "create", "Giro", "--type", "depository", "--balance", "12.30", "--date", "2026-01-31")
	want := "2026-01-31 * Valuation\n    assets:Giro  12.30 EUR = 12.30 EUR\n    equity:valuations  -12.30 EUR\n"
	printed := s.ok("export", "hledger")
	if !strings.HasSuffix(printed, want) {
		t.Errorf("printed %s", printed)
	}
	name := filepath.Join(t.TempDir(), "books.journal")
	got := s.run("export", "hledger", "-o", name)
	if got.status != 0 || got.stdout != "" || !strings.Contains(got.stderr, "Wrote 0 transactions, 0 trades, 1 valuation and 0 splits to "+name) {
		t.Errorf("status %d, printed %q, said %q", got.status, got.stdout, got.stderr)
	}
	s.holds(name, printed)

	s.ok("account", "update", "Giro", "--balance", "9.99")
	s.fails(6, []string{"export", "hledger", "-o", name}, name, "--force")
	s.holds(name, printed)
	s.ok("export", "hledger", "-o", name, "--force")
	s.holds(name, strings.ReplaceAll(printed, "12.30", "9.99"))
}

// holds says that the file has the content, that only its owner may read it, and that nothing lies beside it.
func (s *commandLine) holds(name, content string) {
	s.Helper()
	text, err := os.ReadFile(name)
	if err != nil || string(text) != content {
		s.Errorf("%s: %v: %s", name, err, text)
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o600 {
		s.Errorf("%s: %v, %v", name, info.Mode(), err)
	}
	if all, err := os.ReadDir(filepath.Dir(name)); err != nil || len(all) != 1 {
		s.Errorf("beside %s: %v, %v", name, all, err)
	}
}

func TestExportBadInput(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	s.fails(5, []string{"export", "hledger"}, s.file)
	s.ok("household", "create", "Home", "--owner", "ana@example.org")
	dir := t.TempDir()
	s.fails(2, []string{"export"}, "hledger")
	s.fails(2, []string{"export", "ledgr"}, "ledgr")
	s.fails(2, []string{"export", "hledger", "x"})
	s.fails(2, []string{"export", "hledger", "-o", dir, "--force"}, "is a directory")
	s.fails(5, []string{"export", "hledger", "-o", filepath.Join(dir, "no", "books")}, "no")
	s.fails(5, []string{"export", "hledger", "--household", "Cave", "-o", filepath.Join(dir, "x")}, "Cave")
	if all, err := os.ReadDir(dir); err != nil || len(all) != 0 {
		t.Errorf("left behind %v, %v", all, err)
	}
}

// TestExportedZipHasDates: what is unpacked is of the moment of the export.
func TestExportedZipHasDates(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	path := filepath.Join(t.TempDir(), "books.zip")
	before := time.Now().Truncate(time.Second)
	s.ok("export", "csv", "-o", path)
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	for _, f := range archive.File {
		if f.Modified.Before(before) || f.Modified.After(time.Now()) {
			t.Errorf("%s is of %s", f.Name, f.Modified)
		}
		// What reads only the old field, which knows no zone, sees the local time.
		if year, month, day := f.Modified.In(time.Local).Date(); int(f.ModifiedDate) != (year-1980)<<9|int(month)<<5|day {
			t.Errorf("%s: the day is %x", f.Name, f.ModifiedDate)
		}
	}
}
