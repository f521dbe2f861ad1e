package db

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"finsvc/queries"
)

// heavyFile is a file whose heavy reads wait so long for their turn.
func heavyFile(t *testing.T, patience time.Duration) *DB {
	t.Helper()
	d, err := Open(t.Context(), filepath.Join(t.TempDir(), "finance.db"), WithHeavyPatience(patience))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// hold begins heavy reads of an owner that last until release is called; it returns when all of them read.
func (d *DB) hold(t *testing.T, owner int64, count int) (release func()) {
	t.Helper()
	var began, ended sync.WaitGroup
	end := make(chan struct{})
	for range count {
		began.Add(1)
		ended.Go(func() {
			err := d.ReadTx(Heavy(t.Context(), owner), func(context.Context, *queries.Queries) error {
				began.Done()
				<-end
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	began.Wait()
	return func() { close(end); ended.Wait() }
}

func nothing(context.Context, *queries.Queries) error { return nil }

// TestHeavyReadsLeaveReaders: one owner's heavy reads leave a place for another owner, all of them leave a reader for light
// reads, and what waits too long is refused.
func TestHeavyReadsLeaveReaders(t *testing.T) {
	t.Parallel()
	d := heavyFile(t, time.Millisecond)
	mine := d.hold(t, 1, d.heavy.most)
	if err := d.Read(Heavy(t.Context(), 1), nothing); !errors.Is(err, ErrBusy) || !errors.Is(err, ErrUnavailable) {
		t.Errorf("one read more than an owner may: %v", err)
	}
	theirs := d.hold(t, 2, cap(d.readers)-1-d.heavy.most)
	if err := d.Read(Heavy(t.Context(), 3), nothing); !errors.Is(err, ErrBusy) {
		t.Errorf("one heavy read more than there are places: %v", err)
	}
	if len(d.readers) != 1 {
		t.Errorf("heavy reads leave %d readers", len(d.readers))
	}
	if err := d.Read(t.Context(), nothing); err != nil {
		t.Errorf("a light read: %v", err)
	}
	theirs()
	if err := d.Read(Heavy(t.Context(), 3), nothing); err != nil {
		t.Errorf("when a place is free: %v", err)
	}
	mine()
	if d.heavy.free != cap(d.readers)-1 || len(d.heavy.taken) != 0 || len(d.heavy.waiting) != 0 {
		t.Errorf("afterwards: %d places free, %v taken, %d wait", d.heavy.free, d.heavy.taken, len(d.heavy.waiting))
	}
}

// TestHeavyReadsPaired: the second reader takes a place, too; without one left the first reads alone.
func TestHeavyReadsPaired(t *testing.T) {
	t.Parallel()
	d := heavyFile(t, time.Millisecond)
	for held, want := range map[int]bool{0: true, d.heavy.most - 1: false} {
		release := d.hold(t, 1, held)
		err := d.ReadTxParallel(Heavy(t.Context(), 1), func(ctx context.Context, _ *queries.Queries) error {
			if got := SecondReader(ctx) != nil; got != want {
				t.Errorf("beside %d others: a second reader is %t", held, got)
			}
			return d.Read(ctx, nothing) // within a heavy read it is a light one
		})
		if err != nil {
			t.Error(err)
		}
		release()
	}
}

// TestHeavyReadsTakeTurns: who waits gets the place that becomes free, the owner with the fewest first, and of one owner no
// more wait than may.
func TestHeavyReadsTakeTurns(t *testing.T) {
	t.Parallel()
	p := NewPlaces(3, time.Hour)
	for range 2 {
		if !p.try(1) {
			t.Fatal("no place")
		}
	}
	if !p.try(2) || p.try(3) {
		t.Fatal("there are three places")
	}
	turns := make(chan int64)
	waits := func(owner int64) {
		before := p.queued()
		go func() {
			if err := p.Enter(t.Context(), owner); err != nil {
				t.Error(err)
			}
			turns <- owner
		}()
		for p.queued() == before {
			runtime.Gosched() // until it waits
		}
	}
	for range maxWaiting {
		waits(1)
	}
	if err := p.Enter(t.Context(), 1); !errors.Is(err, ErrBusy) {
		t.Errorf("one more than may wait: %v", err)
	}
	waits(3)
	p.Leave(1)
	if got := <-turns; got != 3 {
		t.Errorf("owner %d comes first, want 3, who had none", got)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := p.Enter(ended, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("whose request has ended waits: %v", err)
	}
	p.Leave(2)
	p.Leave(3)
	for range maxWaiting {
		if got := <-turns; got != 1 {
			t.Errorf("owner %d", got)
		}
		p.Leave(1)
	}
	p.Leave(1)
	if p.free != 3 || p.queued() != 0 {
		t.Errorf("%d places free, %d wait", p.free, p.queued())
	}
}

func (p *Places) queued() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.waiting)
}

// TestReadIsInterrupted: a query that never ends does when its context does, and the reader goes on reading.
func TestReadIsInterrupted(t *testing.T) {
	t.Parallel()
	d := heavyFile(t, 0)
	const endless = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT count(*) FROM n"
	for range cap(d.readers) + 1 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		err := d.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
			_, err := q.Number(ctx, endless)
			return err
		})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if err := d.ReadTx(t.Context(), func(ctx context.Context, q *queries.Queries) error {
			_, err := q.Number(ctx, "SELECT count(*) FROM households")
			return err
		}); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	}
}
