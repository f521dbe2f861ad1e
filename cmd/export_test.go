package cmd_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"
)

func TestExport(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org", "--currency", "EUR")
	s.OK("account", "create", "Giro", "--type", "depository", "--balance", "12.30", "--date", "2026-01-31")
	want := "2026-01-31 * Valuation\n    assets:Giro  12.30 EUR = 12.30 EUR\n    equity:valuations  -12.30 EUR\n"
	printed := s.OK("export", "hledger")
	if !strings.HasSuffix(printed, want) {
		t.Errorf("printed %s", printed)
	}
	name := filepath.Join(t.TempDir(), "books.journal")
	got := s.Do("export", "hledger", "-o", name)
	if got.Status != 0 || got.Stdout != "" || !strings.Contains(got.Stderr, "Wrote 0 transactions, 0 trades, 1 valuation and 0 splits to "+name) {
		t.Errorf("status %d, printed %q, said %q", got.Status, got.Stdout, got.Stderr)
	}
	s.Holds(name, printed)

	s.OK("account", "update", "Giro", "--balance", "9.99")
	s.Fails(6, []string{"export", "hledger", "-o", name}, name, "--force")
	s.Holds(name, printed)
	s.OK("export", "hledger", "-o", name, "--force")
	s.Holds(name, strings.ReplaceAll(printed, "12.30", "9.99"))
}

func TestExportBadInput(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.Fails(5, []string{"export", "hledger"}, s.File)
	s.OK("household", "create", "Home", "--owner", "ana@example.org")
	dir := t.TempDir()
	s.Fails(2, []string{"export"}, "hledger")
	s.Fails(2, []string{"export", "ledgr"}, "ledgr")
	s.Fails(2, []string{"export", "hledger", "x"})
	s.Fails(2, []string{"export", "hledger", "-o", dir, "--force"}, "is a directory")
	s.Fails(5, []string{"export", "hledger", "-o", filepath.Join(dir, "no", "books")}, "no")
	s.Fails(5, []string{"export", "hledger", "--household", "Cave", "-o", filepath.Join(dir, "x")}, "Cave")
	if all, err := os.ReadDir(dir); err != nil || len(all) != 0 {
		t.Errorf("left behind %v, %v", all, err)
	}
}

// TestExportedZipHasDates: what is unpacked is of the moment of the export.
func TestExportedZipHasDates(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	path := filepath.Join(t.TempDir(), "books.zip")
	before := time.Now().Truncate(time.Second)
	s.OK("export", "csv", "-o", path)
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
