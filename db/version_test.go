package db_test

import (
	"context"
	"errors"
	"testing"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/queries"
)

func versionOf(t *testing.T, d *db.DB) int64 {
	t.Helper()
	version, err := d.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return version
}

func note(text string) db.Work {
	return func(ctx context.Context, q *queries.Queries) error {
		_, err := q.Exec(ctx, "CREATE TABLE IF NOT EXISTS "+text+" (a INTEGER) STRICT")
		return err
	}
}

// The version tells commits of this process and of others, and nothing else.
func TestVersion(t *testing.T) {
	t.Parallel()
	path := dbtest.Path(t)
	d, other := dbtest.Open(t, path), dbtest.Open(t, path)
	first := versionOf(t, d)
	if again := versionOf(t, d); again != first {
		t.Errorf("it changed from %d to %d without a commit", first, again)
	}
	if err := d.Write(t.Context(), note("own")); err != nil {
		t.Fatal(err)
	}
	second := versionOf(t, d)
	if second == first {
		t.Error("it did not change with a commit of this process")
	}
	undone := errors.New("undone")
	err := d.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		return errors.Join(note("never")(ctx, q), undone)
	})
	if version := versionOf(t, d); !errors.Is(err, undone) || version != second {
		t.Errorf("it changed from %d to %d with what was undone (%v)", second, version, err)
	}
	if err := other.Write(t.Context(), note("others")); err != nil {
		t.Fatal(err)
	}
	if version := versionOf(t, d); version == second {
		t.Error("it did not change with a commit of another process")
	}
}

func TestVersionOfClosedFile(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Version(t.Context()); !errors.Is(err, db.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

func tables(ctx context.Context, q *queries.Queries) int64 {
	n, err := q.Number(ctx, "SELECT count(*) FROM sqlite_schema WHERE type = 'table'")
	if err != nil {
		return -1
	}
	return n
}

// Both readers see the same, whatever is committed meanwhile, and are given back.
func TestReadTxParallel(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	for range 10 {
		err := d.ReadTxParallel(t.Context(), func(ctx context.Context, q *queries.Queries) error {
			beside := db.SecondReader(ctx)
			if beside == nil {
				t.Fatal("there is no second reader, though all are free")
			}
			before := tables(ctx, q)
			if err := d.Write(t.Context(), note("meanwhile")); err != nil {
				return err
			}
			if first, second := tables(ctx, q), tables(ctx, beside); first != before || second != before || before < 1 {
				t.Errorf("one sees %d tables, the other %d, before it were %d", first, second, before)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
			_, err := q.Exec(ctx, "DROP TABLE meanwhile")
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// In a write there is one connection.
func TestReadTxParallelInWrite(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	err := d.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		if err := note("mine")(ctx, q); err != nil {
			return err
		}
		before := tables(ctx, q)
		return d.ReadTxParallel(ctx, func(ctx context.Context, q *queries.Queries) error {
			if db.SecondReader(ctx) != nil || tables(ctx, q) != before {
				t.Error("it does not see what the write did")
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}
