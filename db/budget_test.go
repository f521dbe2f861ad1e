package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/queries"
)

// Statements that never end by themselves.
const (
	endlessRead  = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
	endlessWrite = `INSERT INTO exchange_rates (from_currency, to_currency, date, rate, source)
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'AAA', 'CCC', i % 10, '1', 'test' FROM n WHERE i < 10 OR i < 0`
)

// endless are the ways in which a write may go on for ever: within a statement that writes, within one that reads, and from
// statement to statement. Each leaves a mark first.
func endless(n int) []db.Work {
	after := func(more func(ctx context.Context, q *queries.Queries) error) db.Work {
		return func(ctx context.Context, q *queries.Queries) error {
			if err := mark(ctx, q, n); err != nil {
				return err
			}
			return more(ctx, q)
		}
	}
	return []db.Work{
		after(func(ctx context.Context, q *queries.Queries) error {
			_, err := q.Exec(ctx, endlessWrite)
			return err
		}),
		after(func(ctx context.Context, q *queries.Queries) error {
			_, err := q.Number(ctx, endlessRead)
			return err
		}),
		after(func(ctx context.Context, q *queries.Queries) error {
			for {
				if _, err := q.Exec(ctx, "DELETE FROM exchange_rates WHERE date < 0"); err != nil {
					return err
				}
			}
		}),
	}
}

// awaited is work that another write waits for as soon as it has begun.
func awaited(t *testing.T, d *db.DB, work db.Work) db.Work {
	return func(ctx context.Context, q *queries.Queries) error {
		other := make(chan error, 1)
		t.Cleanup(func() {
			if err := <-other; err != nil {
				t.Errorf("the write that waits: %v", err)
			}
		})
		go func() {
			other <- d.Write(context.WithoutCancel(t.Context()), func(context.Context, *queries.Queries) error { return nil })
		}()
		return work(ctx, q)
	}
}

// TestNobodyWaitsLongerThanTheBudget: a write that does not end is undone as soon as others have waited for it, wherever it
// stands among them, and all the others are done.
func TestNobodyWaitsLongerThanTheBudget(t *testing.T) {
	t.Parallel()
	for kind := range endless(0) {
		d := dbtest.Open(t, dbtest.Path(t), db.WithWriteBudget(20*time.Millisecond))
		writes := []db.Work{put(1), awaited(t, d, endless(2)[kind]), put(3), awaited(t, d, endless(4)[kind]), put(5)}
		for i, err := range together(t, d, writes...) {
			if over := i%2 == 1; over && !errors.Is(err, db.ErrOverBudget) || !over && err != nil {
				t.Errorf("endless write %d: write %d: %v", kind, i+1, err)
			}
		}
		checkMarks(t, d, map[int]bool{1: true, 2: false, 3: true, 4: false, 5: true})
		checkSound(t, d)
	}
}

// TestWhatNobodyWaitsForIsDone: however small the budget, a write alone has all the time it needs.
func TestWhatNobodyWaitsForIsDone(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, dbtest.Path(t), db.WithWriteBudget(time.Microsecond))
	err := d.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		for n := range 2000 {
			if err := mark(ctx, q, n); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	checkMarks(t, d, map[int]bool{0: true, 1999: true})
}

// TestCallerGoneInTheMiddle: a write whose caller goes is undone at once, alone or among others, which are done.
func TestCallerGoneInTheMiddle(t *testing.T) {
	t.Parallel()
	for kind := range endless(0) {
		d := dbtest.New(t)
		for _, others := range []int{0, 3} {
			ctx, cancel := context.WithCancel(t.Context())
			var writes []db.Work
			for n := range others {
				writes = append(writes, put(10+n))
			}
			gone := make(chan error, 1)
			writes = append(writes, func(context.Context, *queries.Queries) error {
				go func() {
					gone <- d.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
						go cancel()
						return endless(2)[kind](ctx, q)
					})
				}()
				return nil
			})
			for i, err := range together(t, d, writes...) {
				if err != nil {
					t.Errorf("write %d: %v", i, err)
				}
			}
			if err := <-gone; !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want %v", err, context.Canceled)
			}
			cancel()
			checkMarks(t, d, map[int]bool{2: false, 10: others > 0, 12: others > 2})
		}
	}
}

// TestOverBudgetWithinAWrite: what a nested write is cut short in takes the whole write with it.
func TestOverBudgetWithinAWrite(t *testing.T) {
	t.Parallel()
	for kind := range endless(0) {
		d := dbtest.Open(t, dbtest.Path(t), db.WithWriteBudget(20*time.Millisecond))
		outer := func(ctx context.Context, q *queries.Queries) error {
			if err := mark(ctx, q, 1); err != nil {
				return err
			}
			if err := d.Write(ctx, endless(2)[kind]); err == nil {
				t.Error("an endless write has ended")
			}
			return mark(ctx, q, 3) // whoever looks away from the error
		}
		outcomes := together(t, d, awaited(t, d, outer), put(4))
		if !errors.Is(outcomes[0], db.ErrOverBudget) || outcomes[1] != nil {
			t.Errorf("got %v", outcomes)
		}
		checkMarks(t, d, map[int]bool{1: false, 2: false, 3: false, 4: true})
	}
}

// TestWriteUntilDone: a write that a worker cannot do without is tried again where others have waited too long for it.
func TestWriteUntilDone(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, dbtest.Path(t), db.WithWriteBudget(5*time.Millisecond))
	other := make(chan error, 1)
	tries := 0
	err := d.WriteUntilDone(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		if tries++; tries == 1 {
			go func() { other <- d.Write(t.Context(), put(2)) }()
			return endless(1)[0](ctx, q)
		}
		return mark(ctx, q, 3)
	})
	if err = errors.Join(err, <-other); err != nil || tries != 2 {
		t.Errorf("after %d tries: %v", tries, err)
	}
	checkMarks(t, d, map[int]bool{1: false, 2: true, 3: true})
}

// TestBackgroundWaits: a write goes on while only work in the background waits for it, for many times the budget, and that
// work is done afterwards.
func TestBackgroundWaits(t *testing.T) {
	t.Parallel()
	const budget = 20 * time.Millisecond
	d := dbtest.Open(t, dbtest.Path(t), db.WithWriteBudget(budget))
	behind := make(chan error, 1)
	err := d.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		begun := make(chan struct{})
		go func() {
			close(begun)
			behind <- d.Write(db.Background(t.Context()), put(1))
		}()
		<-begun
		for started := time.Now(); time.Since(started) < 10*budget; {
			if _, err := q.Exec(ctx, "DELETE FROM exchange_rates WHERE date < 0"); err != nil {
				return err
			}
			if d.Awaited() {
				t.Error("awaited by work in the background")
			}
		}
		return mark(ctx, q, 2)
	})
	if err := errors.Join(err, <-behind); err != nil {
		t.Error(err)
	}
	checkMarks(t, d, map[int]bool{1: true, 2: true})
}
