package db_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"finsvc/db"
	"finsvc/db/dbtest"
)

func view(t *testing.T, path string) *db.DB {
	t.Helper()
	d, err := db.View(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// TestView: one looks at a file while another connection writes, and sees what it has written.
func TestView(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	seen := view(t, d.Path())
	if err := d.Write(t.Context(), put(1)); err != nil {
		t.Fatal(err)
	}
	if !has(t, seen, 1) || has(t, seen, 2) {
		t.Error("the view does not show what was written")
	}
	if err := seen.Write(t.Context(), put(2)); !errors.Is(err, db.ErrReadOnly) {
		t.Errorf("a write gives %v, want %v", err, db.ErrReadOnly)
	}
	if found, err := seen.CheckIntegrity(t.Context()); err != nil || len(found) > 0 {
		t.Errorf("integrity: %v, %v", found, err)
	}
}

// TestViewChangesNothing: an older file stays as it was.
func TestViewChangesNothing(t *testing.T) {
	t.Parallel()
	path := older(t)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d, err := db.View(t.Context(), path, db.WithMigrations(later()))
	if err != nil {
		t.Fatal(err)
	}
	checkVersion(t, d, newest(t))
	if outdated, err := d.Outdated(t.Context()); err != nil || !outdated {
		t.Errorf("the view does not say that the file is outdated (%v)", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil || string(before) != string(after) {
		t.Errorf("the file changed (%v)", err)
	}
}

func TestViewRefuses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	text, foreign, future := filepath.Join(folder, "text"), filepath.Join(folder, "foreign.db"), dbtest.Path(t)
	if err := os.WriteFile(text, []byte(strings.Repeat("no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	runRaw(t, foreign, "CREATE TABLE theirs (id INTEGER)")
	runRaw(t, future, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)")
	for path, want := range map[string]string{
		filepath.Join(folder, "missing.db"): "does not exist",
		text:                                "is not a database",
		foreign:                             "is a database of another program",
		future:                              "newer finsvc (schema 999",
	} {
		if _, err := db.View(t.Context(), path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q in it", path, err, want)
		}
	}
}

func TestCheckIntegrity(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	if found, err := d.CheckIntegrity(t.Context()); err != nil || len(found) > 0 {
		t.Fatalf("a new file: %v, %v", found, err)
	}
	runRaw(t, d.Path(), "PRAGMA foreign_keys = 0",
		"INSERT INTO tags VALUES (7, zeroblob(16), 9, 'Lost', 'lost', '#000000', 0, 0)")
	want := "row 7 of tags refers to a row of households that is not there"
	if found, err := d.CheckIntegrity(t.Context()); err != nil || len(found) != 1 || found[0] != want {
		t.Errorf("found %q, %v, want %q", found, err, want)
	}
}
