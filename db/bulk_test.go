package db_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/queries"
)

// orphan is a write of a row that refers to a household that is not there.
func orphan(n int) db.Work {
	return func(ctx context.Context, q *queries.Queries) error {
		_, err := q.Exec(ctx, "INSERT INTO amount_bands (household_id, currency, band, transactions) VALUES (99, 'EUR', ?, 1)", n)
		return err
	}
}

func openBulk(t *testing.T, d *db.DB) *db.Bulk {
	t.Helper()
	bulk, err := d.Bulk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := bulk.Close(); err != nil {
			t.Error(err)
		}
	})
	return bulk
}

// TestBulkAloneChecksNoReferences: whatever is written in bulk meanwhile, an ordinary write is checked.
func TestBulkAloneChecksNoReferences(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	bulk := openBulk(t, d)
	for n := range 4 {
		write, want := bulk.Write, error(nil)
		if n%2 == 1 {
			write, want = d.Write, db.ErrReferenced
		}
		if err := write(t.Context(), orphan(n)); !errors.Is(err, want) {
			t.Errorf("write %d: %v, want %v", n, err, want)
		}
	}
}

// TestBulkTakesTurns: writes of both kinds that wait at the same time are done, each wholly or not at all.
func TestBulkTakesTurns(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	bulk := openBulk(t, d)
	failed := errors.New("no")
	results := make(chan error)
	for n := range 60 {
		write := d.Write
		if n%3 == 0 {
			write = bulk.Write
		}
		go func() {
			results <- write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
				if err := mark(ctx, q, n); err != nil || n%5 != 0 {
					return err
				}
				return failed
			})
		}()
	}
	refused := 0
	for range 60 {
		if err := <-results; errors.Is(err, failed) {
			refused++
		} else if err != nil {
			t.Error(err)
		}
	}
	if refused != 12 {
		t.Errorf("%d writes were refused, want every fifth", refused)
	}
	want := map[int]bool{}
	for n := range 60 {
		want[n] = n%5 != 0
	}
	checkMarks(t, d, want)
}

func TestBulkEnds(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	bulk := openBulk(t, d)
	if err := bulk.Write(t.Context(), func(context.Context, *queries.Queries) error { panic("no") }); err == nil {
		t.Error("a panic is no error")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := bulk.Write(ended, put(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context has ended: %v", err)
	}
	if err := bulk.Write(t.Context(), put(2)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	checkMarks(t, d, map[int]bool{1: false, 2: true})
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := bulk.Write(t.Context(), put(3)); !errors.Is(err, db.ErrClosed) {
		t.Errorf("after the database was closed: %v, want %v", err, db.ErrClosed)
	}
}

// TestLogIsLongWhileBulkWritesAreOpen: an ordinary write does not write back what a bulk write has left in the log.
func TestLogIsLongWhileBulkWritesAreOpen(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	checkLog := func(when string, want int64) {
		t.Helper()
		if err := d.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
			pages, err := q.Number(ctx, "PRAGMA wal_autocheckpoint")
			if pages != want {
				t.Errorf("%s: %d pages, want %d", when, pages, want)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
	}
	checkLog("before", 1000)
	var open [2]*db.Bulk
	for i := range open {
		var err error
		if open[i], err = d.Bulk(t.Context()); err != nil {
			t.Fatal(err)
		}
		checkLog("with bulk writes", 16_000)
	}
	for i, want := range []int64{16_000, 1000} {
		if err := open[i].Close(); err != nil {
			t.Error(err)
		}
		checkLog("when one was closed", want)
	}
}

// TestBulkPutsTheLogBack: however much is written in bulk while others write, the log stays short, and no commit had to put
// it back: 32,000 pages are written.
func TestBulkPutsTheLogBack(t *testing.T) {
	t.Parallel()
	path := dbtest.Path(t)
	d := dbtest.Open(t, path)
	bulk := openBulk(t, d)
	for n := range 80 {
		for currency, write := range map[string]func(context.Context, db.Work) error{"AAA": bulk.Write, "BBB": d.Write} {
			err := write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
				// Some 200 pages each time.
				_, err := q.Exec(ctx, `INSERT INTO exchange_rates (from_currency, to_currency, date, rate, source)
					WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
					SELECT ?2, 'CCC', ?1 * 1000 + i, '1', hex(zeroblob(1000)) FROM n`, n, currency)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	log, err := os.Stat(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	if pages := log.Size() / 4096; pages > 10_000 {
		t.Errorf("the log has %d pages", pages)
	}
}

// TestAwaited: a write knows that another one waits for it.
func TestAwaited(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	second := make(chan error, 1)
	err := d.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		if d.Awaited() {
			t.Error("awaited by nobody")
		}
		go func() { second <- d.Write(t.Context(), put(1)) }()
		for !d.Awaited() { // ends as soon as the other has come
			if err := mark(ctx, q, 2); err != nil {
				return err
			}
			if _, err := q.Exec(ctx, "DELETE FROM exchange_rates"); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, <-second); err != nil {
		t.Error(err)
	}
}
