package db_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"finsvc/db"
)

// TestLockFile: many take a lock, one after the other, and each removes its file. Nobody has it beside another, and in the end
// no file is left.
func TestLockFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.lock")
	var all sync.WaitGroup
	var held, turns atomic.Int64 // the race detector does not see the lock, which is a file's
	for range 8 {
		all.Go(func() {
			for range 200 {
				lock, err := db.LockFile(t.Context(), path)
				if err != nil {
					t.Error(err)
					return
				}
				if n := held.Add(1); n != 1 {
					t.Errorf("%d have the lock", n)
				}
				turns.Add(1)
				held.Add(-1)
				if err := lock.Release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := turns.Load(); n != 1600 {
		t.Errorf("%d turns, want 1600", n)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is left (%v)", err)
	}
}

// TestLockFileThatIsHeld: who waits for it no longer is told so, and leaves the file to its holder.
func TestLockFileThatIsHeld(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.lock")
	lock, err := db.LockFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := db.LockFile(ended, path); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	if err := lock.Release(); err != nil {
		t.Error(err)
	}
}

// TestOpenThatFails leaves no file where it has made one, and every file that was there.
func TestOpenThatFails(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{"a new file": "", "an empty file": "empty.db"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			path := filepath.Join(folder, "finance.db")
			if file != "" {
				if err := os.WriteFile(path, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			ended, end := context.WithCancel(t.Context())
			end()
			if _, err := db.Open(ended, path); err == nil {
				t.Fatal("it was opened")
			}
			left, err := os.ReadDir(folder)
			if err != nil || len(left) != len(file)/len("empty.db") {
				t.Errorf("there are %v (%v)", left, err)
			}
		})
	}
}
