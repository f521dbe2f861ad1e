package db_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"finsvc/db/dbtest"
)

// TestReleaseMemory: memory is given back while others read and write, and all goes on.
func TestReleaseMemory(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	var all sync.WaitGroup
	for n := range 40 {
		all.Go(func() {
			if err := d.Write(t.Context(), put(n)); err != nil {
				t.Error(err)
			}
			number(t, d, "SELECT count(*) FROM exchange_rates")
		})
		all.Go(func() {
			if err := d.ReleaseMemory(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := number(t, d, "SELECT count(*) FROM exchange_rates"); n != 40 {
		t.Errorf("%d rows, want 40", n)
	}
	before, err := d.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := d.ReleaseMemory(t.Context()); err != nil {
		t.Error(err)
	}
	if after, err := d.Version(t.Context()); err != nil || after != before {
		t.Errorf("rest has committed something: %d, %d, %v", before, after, err)
	}
	checkSound(t, d)
}

// TestUses: who does not use the database leaves the count as it is.
func TestUses(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	before := d.Uses()
	if _, err := d.Version(t.Context()); err != nil || d.Uses() != before {
		t.Errorf("%d uses, %d before, %v", d.Uses(), before, err)
	}
	if err := d.Write(t.Context(), put(1)); err != nil || d.Uses() != before+1 {
		t.Errorf("%d uses after a write, %d before, %v", d.Uses(), before, err)
	}
	if number(t, d, "SELECT 1"); d.Uses() != before+2 {
		t.Errorf("%d uses after a read, %d before", d.Uses(), before)
	}
}

// TestAwait: a worker is woken by a message, by a commit of another process, and by the end.
func TestAwait(t *testing.T) {
	t.Parallel()
	path := dbtest.Path(t)
	d, other := dbtest.Open(t, path), dbtest.Open(t, path)
	version := func() int64 {
		v, err := d.Version(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	wake := make(chan struct{}, 1)
	wake <- struct{}{}
	d.Await(t.Context(), wake, version(), time.Hour)
	ended, end := context.WithCancel(t.Context())
	end()
	d.Await(ended, wake, version(), time.Hour)
	before := version()
	if err := other.Write(t.Context(), put(1)); err != nil {
		t.Fatal(err)
	}
	d.Await(t.Context(), wake, before, time.Millisecond)
	d.Await(t.Context(), wake, 0, time.Millisecond) // no version is 0
}
