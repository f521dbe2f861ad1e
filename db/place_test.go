package db_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/db/filelock"
)

// placeCase is something that happens to an open file, and what ends it.
type placeCase struct {
	do, undo func(t *testing.T, path string)
	problem  string // what is said; empty where nothing is wrong
}

// rename gives what is at a path and an ending another ending.
func rename(t *testing.T, path, ending, other string) {
	t.Helper()
	if err := os.Rename(path+ending, path+other); err != nil {
		t.Fatal(err)
	}
}

func placeCases() map[string]placeCase {
	back := func(t *testing.T, path string) { rename(t, path, ".moved", "") }
	moved := func(then func(path string) error) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			rename(t, path, "", ".moved")
			if err := then(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	beside := func(ending string) placeCase {
		return placeCase{
			func(t *testing.T, path string) { rename(t, path, ending, ending+".moved") },
			func(t *testing.T, path string) { rename(t, path, ending+".moved", ending) },
			"has lost its log: finance.db" + ending + " was removed",
		}
	}
	return map[string]placeCase{
		"moved":    {moved(func(string) error { return nil }), back, "is no longer there: it was removed or moved"},
		"replaced": {moved(func(path string) error { return os.WriteFile(path, []byte("x"), 0o600) }), back, "is another file now"},
		"a link to another": {moved(func(path string) error {
			return errors.Join(os.WriteFile(path+".other", nil, 0o600), os.Symlink(path+".other", path))
		}), back, "is another file now"},
		"a link to itself, elsewhere": {moved(func(path string) error { return os.Symlink(path+".moved", path) }), back, "is another name of the open file now"},
		"a hard link to itself":       {moved(func(path string) error { return os.Link(path+".moved", path) }), back, ""},
		"its folder": {
			func(t *testing.T, path string) { rename(t, filepath.Dir(path), "", ".moved") },
			func(t *testing.T, path string) { rename(t, filepath.Dir(path), ".moved", "") },
			"is no longer there: its folder was removed or renamed",
		},
		"its log":              beside("-wal"),
		"the index of its log": beside("-shm"),
		"another log": {
			func(t *testing.T, path string) {
				rename(t, path, "-wal", "-wal.moved")
				if err := os.WriteFile(path+"-wal", nil, 0o600); err != nil {
					t.Fatal(err)
				}
			},
			func(t *testing.T, path string) { rename(t, path, "-wal.moved", "-wal") },
			"has lost its log: another file is in the place of finance.db-wal",
		},
	}
}

// TestDisplaced: nothing is written to a file that its path does not lead to, all of it is read, and can be copied with what
// is in the log alone. When it is back in its place, it is written again, and nothing is lost.
func TestDisplaced(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows moves no file that is open")
	}
	for name, c := range placeCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			path := filepath.Join(folder, "data", "finance.db")
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			d := dbtest.Open(t, path)
			if err := errors.Join(d.Displaced(), d.Write(t.Context(), put(1))); err != nil {
				t.Fatal(err)
			}
			c.do(t, path)
			kept := int64(1)
			if err := d.Write(t.Context(), put(2)); c.problem == "" {
				if kept++; err != nil {
					t.Error(err)
				}
			} else if !errors.Is(err, db.ErrDisplaced) || !errors.Is(err, db.ErrUnavailable) || !strings.Contains(err.Error(), path+" "+c.problem) {
				t.Errorf("written: %v, want %q", err, c.problem)
			}
			if _, err := d.Bulk(t.Context()); c.problem != "" && err == nil {
				t.Error("a bulk write begins")
			}
			if got := number(t, d, "SELECT count(*) FROM exchange_rates"); got != kept {
				t.Errorf("%d rows are read, want %d", got, kept)
			}
			copied := filepath.Join(folder, "copy.db")
			if err := d.CopyTo(t.Context(), copied, nil); err != nil {
				t.Fatal(err)
			}
			if got := number(t, dbtest.Open(t, copied), "SELECT count(*) FROM exchange_rates"); got != kept {
				t.Errorf("%d rows are in the copy, want %d", got, kept)
			}
			c.undo(t, path)
			if err := errors.Join(d.Displaced(), d.Write(t.Context(), put(3)), d.Close()); err != nil {
				t.Error(err)
			}
			after := dbtest.Open(t, path)
			checkSound(t, after)
			if got := number(t, after, "SELECT count(*) FROM exchange_rates"); got != kept+1 {
				t.Errorf("%d rows are there in the end, want %d", got, kept+1)
			}
		})
	}
}

// TestRemovedIsNotMadeAnew: what opens the file by its path again, when it is gone, does not put an empty one there.
func TestRemovedIsNotMadeAnew(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows removes no file that is open")
	}
	path := dbtest.Path(t)
	d := dbtest.Open(t, path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Bulk(t.Context()); err == nil {
		t.Error("a bulk write begins")
	}
	if _, err := d.CheckIntegrity(t.Context()); err == nil {
		t.Error("a file that is not there was checked")
	}
	checkMissing(t, path)
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	checkMissing(t, path)
}

// TestOneServerAFile: a second server has no other way to the file, whatever name it takes.
func TestOneServerAFile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need rights on Windows")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "finance.db")
	first, err := db.Open(t.Context(), path, db.AsServer())
	if err != nil {
		t.Fatal(err)
	}
	links := map[string]string{"the path": path, "a link": filepath.Join(folder, "link.db"), "a link in another folder": filepath.Join(t.TempDir(), "link.db"),
		"a hard link": filepath.Join(folder, "hard.db")}
	err = errors.Join(os.Symlink("finance.db", links["a link"]), os.Symlink(path, links["a link in another folder"]), os.Link(path, links["a hard link"]))
	if err != nil {
		t.Fatal(err)
	}
	for name, link := range links {
		want := db.ErrLocked
		if runtime.GOOS != "linux" {
			if want = nil; name != "a hard link" {
				continue // its lock file keeps it off
			}
		}
		if second, err := db.Open(t.Context(), link, db.AsServer()); err == nil || !errors.Is(err, want) {
			t.Errorf("by %s: %v", name, errors.Join(err, second.Close()))
		}
		if served, err := db.Served(link); err != nil || runtime.GOOS == "linux" && !served {
			t.Errorf("%s is said to have no server (%v)", name, err)
		}
	}
	// A command may open it beside the server, and does not end the server's lock when it closes it.
	if command := dbtest.Open(t, path); command.Close() != nil {
		t.Error("a command cannot use the file")
	}
	if _, err := db.Open(t.Context(), path, db.AsServer()); runtime.GOOS == "linux" && !errors.Is(err, db.ErrLocked) {
		t.Errorf("after a command: %v", err)
	}
	if err := errors.Join(first.Close(), os.Remove(links["a hard link"])); err != nil {
		t.Fatal(err)
	}
	next, err := db.Open(t.Context(), path, db.AsServer())
	if err != nil {
		t.Fatal(err)
	}
	if err := next.Close(); err != nil {
		t.Error(err)
	}
}

// TestLockFileThatIsGone: who has a lock finds out that others no longer see it, and leaves theirs alone.
func TestLockFileThatIsGone(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows removes no file that is open")
	}
	path := filepath.Join(t.TempDir(), "x.lock")
	lock, err := filelock.Take(t.Context(), path)
	if err != nil || !lock.InPlace() {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil || lock.InPlace() {
		t.Fatalf("it is not noticed (%v)", err)
	}
	other, err := filelock.Take(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.Release(); err != nil || !other.InPlace() {
		t.Errorf("the other one's is gone (%v)", err)
	}
	if err := other.Release(); err != nil {
		t.Error(err)
	}
}

// BenchmarkDisplaced is what each write pays to know that it is not lost.
func BenchmarkDisplaced(b *testing.B) {
	d := dbtest.Open(b, filepath.Join(b.TempDir(), "finance.db"))
	for b.Loop() {
		if err := d.Displaced(); err != nil {
			b.Fatal(err)
		}
	}
}
