package db_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/queries"
)

// limit lets the file grow by so many pages only, as a full disk would.
func limit(pages int64) db.Work {
	return func(ctx context.Context, q *queries.Queries) error {
		now, err := q.Number(ctx, "PRAGMA page_count")
		if err != nil {
			return err
		}
		_, err = q.Number(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", now+pages))
		return err
	}
}

// large is a write of a mark and of more than fits on the disk.
func large(n int) db.Work {
	return func(ctx context.Context, q *queries.Queries) error {
		if err := mark(ctx, q, n); err != nil {
			return err
		}
		_, err := q.Exec(ctx, "INSERT INTO exchange_rates (from_currency, to_currency, date, rate, source) VALUES ('XXX', 'YYY', ?, hex(zeroblob(4000000)), 'test')", n)
		return err
	}
}

// TestFullDisk: when the disk is full, each of the writes that share a commit is either told that it
// failed and left nothing, or succeeded and is there. When there is room again, all goes on.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	for round := range 10 {
		if err := d.Write(t.Context(), limit(100)); err != nil {
			t.Fatal(err)
		}
		writes := []db.Work{}
		for n := round * 20; n < (round+1)*20; n++ {
			if n%5 == 3 {
				writes = append(writes, large(n))
			} else {
				writes = append(writes, put(n))
			}
		}
		for i, err := range together(t, d, writes...) {
			n := round*20 + i
			if err != nil && !errors.Is(err, db.ErrUnavailable) {
				t.Errorf("write %d gives %v, want %v", n, err, db.ErrUnavailable)
			}
			if n%5 == 3 && err == nil {
				t.Errorf("write %d fitted on the disk", n)
			}
			checkMarks(t, d, map[int]bool{n: err == nil})
		}
		if err := d.Write(t.Context(), limit(1_000_000)); err != nil {
			t.Fatal(err)
		}
		if err := d.Write(t.Context(), put(-round-1)); err != nil {
			t.Errorf("a write after there was room again: %v", err)
		}
	}
	checkSound(t, d)
}

// TestFullDiskSwallowed: work that ignores the failure of one of its statements cannot succeed when that
// failure has undone the whole transaction.
func TestFullDiskSwallowed(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	if err := d.Write(t.Context(), limit(10)); err != nil {
		t.Fatal(err)
	}
	err := d.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		if err := mark(ctx, q, 1); err != nil {
			return err
		}
		if err := d.Write(ctx, large(2)); !errors.Is(err, db.ErrUnavailable) {
			t.Errorf("the inner write gives %v, want %v", err, db.ErrUnavailable)
		}
		return nil
	})
	checkMarks(t, d, map[int]bool{1: err == nil, 2: false})
	if err != nil && !errors.Is(err, db.ErrUnavailable) {
		t.Errorf("got %v, want %v", err, db.ErrUnavailable)
	}
}
