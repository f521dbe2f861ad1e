package filelock_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"finsvc/db/filelock"
)

// TestTake: many take a lock, one after the other, and each removes its file. Nobody has it beside another, and in the end
// no file is left.
func TestTake(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.lock")
	var all sync.WaitGroup
	var held, turns atomic.Int64 // the race detector does not see the lock, which is a file's
	for range 8 {
		all.Go(func() {
			for range 200 {
				lock, err := filelock.Take(t.Context(), path)
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

// TestTakeThatIsHeld: who waits for it no longer is told so, and leaves the file to its holder.
func TestTakeThatIsHeld(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.lock")
	lock, err := filelock.Take(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := filelock.Take(ended, path); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	if err := lock.Release(); err != nil {
		t.Error(err)
	}
}
