package db_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"finsvc/db"
	"finsvc/db/dbtest"
)

func checkMissing(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is there (%v)", filepath.Base(path), err)
		}
	}
}

// TestCopyTo: the copy is what was committed when it began, whatever is written while it is made; it is one file that
// only its owner can read.
func TestCopyTo(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	for n := range 40 { // more pages than are copied at a time
		if err := d.Write(t.Context(), large(n)); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "with ?#% signs.db")
	steps := 0
	err := d.CopyTo(t.Context(), path, func(done, total int) {
		steps++
		if done < 1 || done > total {
			t.Errorf("%d of %d pages", done, total)
		}
		if err := d.Write(t.Context(), put(1000+steps)); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if steps < 2 {
		t.Errorf("the copy was made in %d steps: nothing could be written meanwhile", steps)
	}
	checkMode(t, path)
	checkMissing(t, path+"-wal", path+"-shm", path+"-journal")
	seen := view(t, path)
	checkMarks(t, seen, map[int]bool{0: true, 39: true, 1001: false, 1002: false})
	checkMarks(t, d, map[int]bool{1001: true, 1002: true})
	if found, err := seen.CheckIntegrity(t.Context()); err != nil || len(found) > 0 {
		t.Errorf("integrity: %v, %v", found, err)
	}
	checkMarks(t, dbtest.Open(t, path), map[int]bool{39: true}) // it can be used
}

// TestCopyOfALog: what only the log of a killed process holds is in the copy, of which the file knows nothing yet.
func TestCopyOfALog(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	if err := d.Write(t.Context(), put(1)); err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(t.TempDir(), "finance.db")
	for _, ending := range []string{"", "-wal"} {
		content, err := os.ReadFile(d.Path() + ending)
		if err != nil || len(content) == 0 {
			t.Fatalf("%d bytes, %v", len(content), err)
		}
		if err := os.WriteFile(killed+ending, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := killed + ".copy"
	if err := view(t, killed).CopyTo(t.Context(), path, nil); err != nil {
		t.Fatal(err)
	}
	checkMarks(t, view(t, path), map[int]bool{1: true})
}

// TestCopyToRefuses: nothing is left of a copy that was not made, and what was there stays.
func TestCopyToRefuses(t *testing.T) {
	t.Parallel()
	d, folder := dbtest.New(t), t.TempDir()
	there := filepath.Join(folder, "there.db")
	if err := os.WriteFile(there, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := d.CopyTo(t.Context(), there, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file: %v", err)
	}
	if content, err := os.ReadFile(there); err != nil || string(content) != "kept" {
		t.Errorf("the file is %q now, %v", content, err)
	}
	if err := d.CopyTo(t.Context(), filepath.Join(folder, "missing", "copy.db"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("into no folder: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	stopped := filepath.Join(folder, "stopped.db")
	for n := range 20 {
		if err := d.Write(t.Context(), large(n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.CopyTo(ended, stopped, func(int, int) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("left are %v, %v", left, err)
	}
}

func TestCopyNames(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 22, 3, 0, 0, 999, time.FixedZone("", 3600))
	second := at.UTC().Truncate(time.Second)
	for _, c := range []struct {
		name, label, rest string
		ours              bool
	}{
		{db.CopyName("/x/finance.db", at, ""), "", "", true},
		{"finance-20261122T020000Z.db", "", "", true},
		{"finance-20261122T020000Z-before-schema-16.db", "before-schema-16", "", true},
		{"finance-20261122T020000Z.db.damaged", "", db.Damaged, true},
		{"finance-20261122T020000Z.db.part-wal", "", db.Unfinished + "-wal", true},
		{"finance-20261122T020000Z.db.sha256", "", ".sha256", true},
		{"finance-20261122T020000Z.db.gz", "", "", false},
		{"finance-20261122T020000Z-mine.db", "", "", false},
		{"finance-20269922T020000Z.db", "", "", false},
		{"finance-20261122T020000.db", "", "", false},
		{"other-20261122T020000Z.db", "", "", false},
		{"finance.db", "", "", false},
	} {
		got, label, rest, ours := db.CopyNamed("/x/finance.db", c.name)
		if ours != c.ours || ours && (label != c.label || rest != c.rest || !got.Equal(second)) {
			t.Errorf("%s: got %v %q %q %t", c.name, got, label, rest, ours)
		}
	}
	if got := db.CopyName("my.books.sqlite", at, "before-schema-3"); got != "my.books-20261122T020000Z-before-schema-3.db" {
		t.Errorf("got %s", got)
	}
}
