package db

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"modernc.org/sqlite"

	"finsvc/queries"
)

// However many statements are kept prepared, large sums find small memory left for their texts.
func TestLargeSumsHaveSmallMemory(t *testing.T) {
	t.Parallel()
	d, err := Open(t.Context(), filepath.Join(t.TempDir(), "finance.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var c *conn // the one reader
	for len(d.readers) > 1 {
		other := <-d.readers
		defer func() { d.readers <- other }()
	}
	err = withReader(t.Context(), d, func(_ context.Context, one *conn) error {
		c = one
		for i := range 150 {
			if _, err := c.prepared(t.Context(), fmt.Sprintf("SELECT id, name, currency, %d FROM households WHERE name = 'n%d' AND id > ?", i, i)); err != nil {
				return err
			}
		}
		if missed, err := c.texts(t.Context()); err != nil || missed < 1000 {
			t.Errorf("%d pieces of memory were missing (%v): the statements take less than they did", missed, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = d.ReadTxParallel(t.Context(), func(context.Context, *queries.Queries) error {
		if missed, err := c.texts(t.Context()); err != nil || missed > 0 {
			t.Errorf("%d pieces of memory were missing (%v)", missed, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// texts makes two thousand texts and says for how many pieces of memory there was no room.
func (c *conn) texts(ctx context.Context) (missed int, err error) {
	const sum = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT max(length(i || 'EUR' || (i + 1))) FROM n"
	for range 2 { // what is missing when it is prepared does not count
		if _, err = c.missed(); err != nil {
			return 0, err
		}
		var longest int
		if err = c.QueryRowContext(ctx, sum).Scan(&longest); err != nil {
			return 0, err
		}
	}
	return c.missed()
}

// missed is for how many pieces there was no room since it was asked last.
func (c *conn) missed() (n int, err error) {
	err = c.raw.Raw(func(driver any) (err error) {
		_, n, err = driver.(sqlite.DBStatus).Status(sqlite.DBStatusLookasideMissFull, true)
		return err
	})
	return n, err
}
