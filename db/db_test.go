package db_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/queries"
)

// TestMain lets the test binary be a second program that uses the file, see child.
func TestMain(m *testing.M) {
	if job := os.Getenv(childJob); job != "" {
		os.Exit(child(job))
	}
	db.ReserveMemory()
	os.Exit(m.Run())
}

// put is a write of one mark. Marks are exchange rates: they refer to nothing.
func put(n int) db.Work {
	return func(ctx context.Context, q *queries.Queries) error { return mark(ctx, q, n) }
}

func mark(ctx context.Context, q *queries.Queries, n int) error {
	_, err := q.Exec(ctx, "INSERT INTO exchange_rates (from_currency, to_currency, date, rate, source) VALUES ('AAA', 'BBB', ?, '1', 'test')", n)
	return err
}

// number reads the single number that a query gives.
func number(t *testing.T, d *db.DB, text string, args ...any) (n int64) {
	t.Helper()
	if err := d.Read(t.Context(), func(ctx context.Context, q *queries.Queries) (err error) {
		n, err = q.Number(ctx, text, args...)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

// has reports whether a mark was written.
func has(t *testing.T, d *db.DB, n int) bool {
	t.Helper()
	return number(t, d, "SELECT count(*) FROM exchange_rates WHERE from_currency = 'AAA' AND to_currency = 'BBB' AND date = ?", n) == 1
}

// checkMarks compares which marks are there with what is wanted.
func checkMarks(t *testing.T, d *db.DB, want map[int]bool) {
	t.Helper()
	for n, wanted := range want {
		if got := has(t, d, n); got != wanted {
			t.Errorf("mark %d: written is %t, want %t", n, got, wanted)
		}
	}
}

var errOnPurpose = errors.New("on purpose")

// together sends writes so that they wait at the same time, and gives the outcome of each.
func together(t *testing.T, d *db.DB, writes ...db.Work) []error {
	t.Helper()
	begun, release := make(chan bool), make(chan bool)
	var all sync.WaitGroup
	all.Go(func() {
		if err := d.Write(t.Context(), func(context.Context, *queries.Queries) error {
			close(begun)
			<-release
			return nil
		}); err != nil {
			t.Errorf("the write that the others wait for: %v", err)
		}
	})
	<-begun
	outcomes := make([]error, len(writes))
	for i, work := range writes {
		all.Go(func() { outcomes[i] = d.Write(t.Context(), work) })
	}
	close(release)
	all.Wait()
	return outcomes
}

// TestWritesThroughALink: writes that go to the disk together find the log, which lies beside the file and not beside a link to it.
func TestWritesThroughALink(t *testing.T) {
	t.Parallel()
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(dbtest.Path(t), link); err != nil {
		t.Skip(err)
	}
	d := dbtest.Open(t, link)
	for n := range 3 { // of the first ones SQLite makes the log
		for i, err := range together(t, d, put(3*n), put(3*n+1), put(3*n+2)) {
			if err != nil {
				t.Errorf("write %d: %v", i, err)
			}
		}
	}
}

func TestWriteThenRead(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	if err := d.Write(t.Context(), put(1)); err != nil {
		t.Fatal(err)
	}
	checkMarks(t, d, map[int]bool{1: true, 2: false})
}

// TestFailuresAreAlone: of writes that share a commit, one that fails, panics or breaks a constraint
// undoes what it did itself and nothing else.
func TestFailuresAreAlone(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	const rounds = 60
	var writes []db.Work
	for n := range rounds {
		writes = append(writes, func(ctx context.Context, q *queries.Queries) error {
			if err := mark(ctx, q, n); err != nil {
				return err
			}
			switch n % 5 {
			case 1:
				return errOnPurpose
			case 2:
				panic("on purpose")
			case 3:
				return mark(ctx, q, n)
			}
			return nil
		})
	}
	want := map[int]bool{}
	for n, err := range together(t, d, writes...) {
		want[n] = n%5 == 0 || n%5 == 4
		switch {
		case want[n] && err != nil, !want[n] && err == nil:
			t.Errorf("write %d: %v", n, err)
		case n%5 == 1 && !errors.Is(err, errOnPurpose), n%5 == 3 && !errors.Is(err, db.ErrTaken):
			t.Errorf("write %d gives %v", n, err)
		}
	}
	checkMarks(t, d, want)
}

func TestNestedWriteJoins(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	err := d.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		if err := mark(ctx, q, 1); err != nil {
			return err
		}
		inner := d.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
			return errors.Join(mark(ctx, q, 2), errOnPurpose)
		})
		if !errors.Is(inner, errOnPurpose) {
			t.Errorf("the inner write gives %v", inner)
		}
		if err := d.Write(ctx, put(3)); err != nil {
			return err
		}
		for _, read := range []func(context.Context, db.Work) error{d.Read, d.ReadTx} {
			if err := read(ctx, func(ctx context.Context, q *queries.Queries) error {
				n, err := q.Number(ctx, "SELECT sum(date) FROM exchange_rates")
				if n != 4 {
					t.Errorf("a read within the write sees marks that sum to %d, want 1 + 3", n)
				}
				return err
			}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	checkMarks(t, d, map[int]bool{1: true, 2: false, 3: true})
}

func TestOuterFailureUndoesNestedWrite(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	err := d.Write(t.Context(), func(ctx context.Context, _ *queries.Queries) error {
		if err := d.Write(ctx, put(1)); err != nil {
			t.Error(err)
		}
		return errOnPurpose
	})
	if !errors.Is(err, errOnPurpose) {
		t.Errorf("got %v", err)
	}
	checkMarks(t, d, map[int]bool{1: false})
}

// TestCancelledBeforeItsTurn: work whose caller has gone is not begun.
func TestCancelledBeforeItsTurn(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	outcome := make(chan error)
	err := d.Write(t.Context(), func(context.Context, *queries.Queries) error {
		go func() {
			outcome <- d.Write(ctx, func(context.Context, *queries.Queries) error {
				t.Error("the work was begun")
				return nil
			})
		}()
		cancel()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-outcome; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// TestCancelledInItsTurn: work whose caller goes while it runs is undone; what was done before that stays done.
func TestCancelledInItsTurn(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := d.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		if err := mark(ctx, q, 1); err != nil {
			return err
		}
		cancel()
		return mark(ctx, q, 2)
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	ctx, cancel = context.WithCancel(t.Context())
	err = d.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		defer cancel()
		return mark(ctx, q, 3)
	})
	if err != nil {
		t.Error(err)
	}
	checkMarks(t, d, map[int]bool{1: false, 2: false, 3: true})
}

// TestCancelledReadsGiveTheirConnectionBack: more of them than there are connections.
func TestCancelledReadsGiveTheirConnectionBack(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	for range 10 {
		ctx, cancel := context.WithCancel(t.Context())
		err := d.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
			cancel()
			_, err := q.Number(ctx, "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
			return err
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v, want %v", err, context.Canceled)
		}
	}
	checkMarks(t, d, map[int]bool{1: false})
}

// TestReadTxSeesOneState: what is committed meanwhile shows in the next one only.
func TestReadTxSeesOneState(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	const count = "SELECT count(*) FROM exchange_rates"
	err := d.ReadTx(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		before, err := q.Number(ctx, count)
		if err != nil {
			return err
		}
		if err := d.Write(t.Context(), put(1)); err != nil {
			return err
		}
		after, err := q.Number(ctx, count)
		if before != after {
			t.Errorf("one read counted %d and %d", before, after)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	checkMarks(t, d, map[int]bool{1: true})
}

func TestReadersCannotWrite(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	for name, read := range map[string]func(context.Context, db.Work) error{"Read": d.Read, "ReadTx": d.ReadTx} {
		if err := read(t.Context(), put(1)); err == nil {
			t.Errorf("%s wrote", name)
		}
	}
	checkMarks(t, d, map[int]bool{1: false})
}

func TestErrorsHaveMeanings(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	if err := d.Write(t.Context(), put(1)); err != nil {
		t.Fatal(err)
	}
	statement := func(text string) db.Work {
		return func(ctx context.Context, q *queries.Queries) error {
			_, err := q.Exec(ctx, text)
			return err
		}
	}
	for _, c := range []struct {
		work db.Work
		want error
	}{
		{put(1), db.ErrTaken},
		{statement("INSERT INTO transaction_tags (transaction_id, tag_id) VALUES (1, 1)"), db.ErrReferenced},
		{func(ctx context.Context, q *queries.Queries) error { _, err := q.GetHousehold(ctx, 1); return err }, db.ErrNotFound},
	} {
		if err := d.Write(t.Context(), c.work); !errors.Is(err, c.want) {
			t.Errorf("got %v, want %v", err, c.want)
		}
	}
	// A misspelled column in double quotes is an error, not a text.
	if err := d.Write(t.Context(), statement(`UPDATE households SET name = "nmae"`)); err == nil {
		t.Error("a column that does not exist was taken for a text")
	}
}

// TestCloseKeepsWhatWasAcknowledged closes while many write: what they were told is what is on disk.
func TestCloseKeepsWhatWasAcknowledged(t *testing.T) {
	t.Parallel()
	path := dbtest.Path(t)
	d := dbtest.Open(t, path)
	const writers, most = 8, 10_000
	last := make([]int, writers) // number of the first write that was refused, per writer
	var all, begun sync.WaitGroup
	begun.Add(writers)
	for w := range writers {
		all.Go(func() {
			for n := range most {
				err := d.Write(context.Background(), put(w*most+n))
				if n == 0 {
					begun.Done()
				}
				if last[w] = n; err != nil {
					if !errors.Is(err, db.ErrClosed) || !errors.Is(err, db.ErrUnavailable) {
						t.Errorf("a write while closing gives %v", err)
					}
					return
				}
			}
		})
	}
	begun.Wait()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	again := dbtest.Open(t, path)
	for w, n := range last {
		first := w * most
		if got := number(t, again, "SELECT count(*) FROM exchange_rates WHERE date >= ? AND date < ?", first, first+most); got != int64(n) {
			t.Errorf("writer %d was told of %d writes, on disk are %d", w, n, got)
		}
	}
}

func TestAfterClose(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	for range 2 {
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	nothing := func(context.Context, *queries.Queries) error { return fmt.Errorf("must not run") }
	for name, use := range map[string]func(context.Context, db.Work) error{"Write": d.Write, "Read": d.Read, "ReadTx": d.ReadTx} {
		if err := use(t.Context(), nothing); !errors.Is(err, db.ErrClosed) {
			t.Errorf("%s after Close gives %v, want %v", name, err, db.ErrClosed)
		}
	}
	if err := d.Ping(t.Context()); !errors.Is(err, db.ErrClosed) {
		t.Errorf("Ping after Close gives %v, want %v", err, db.ErrClosed)
	}
}
