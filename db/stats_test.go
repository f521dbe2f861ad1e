package db_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"finsvc/db/dbtest"
	"finsvc/queries"
)

func TestStats(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	before, err := d.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	write := func(result error) {
		_ = d.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
			_, err := q.Exec(ctx, "CREATE TABLE fill (data BLOB) STRICT")
			if err == nil {
				_, err = q.Exec(ctx, "INSERT INTO fill VALUES (zeroblob(?))", 40_000)
			}
			return errors.Join(err, result)
		})
	}
	write(errors.New("undone"))
	write(nil)
	err = d.Read(t.Context(), func(ctx context.Context, _ *queries.Queries) error {
		during, err := d.Stats(ctx)
		if during.Reading < 1 || during.Reading > during.Readers {
			t.Errorf("while reading: %+v", during)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	after, err := d.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if after.Commits != before.Commits+1 || after.Waiting != 0 || after.Reading != 0 || after.Writing <= before.Writing {
		t.Errorf("before %+v, after %+v", before, after)
	}
	if after.Size < before.Size+40_000 || after.Free != 0 || after.Log < 40_000 {
		t.Errorf("before %+v, after %+v", before, after)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(d.Path())
	if err != nil || info.Size() != after.Size {
		t.Errorf("the file has %d bytes, %v; it was said to have %d", info.Size(), err, after.Size)
	}
	if _, err := d.Stats(t.Context()); err == nil {
		t.Error("a closed file has no stats")
	}
}
