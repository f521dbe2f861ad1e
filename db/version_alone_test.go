package db

import (
	"context"
	"path/filepath"
	"testing"

	"finsvc/queries"
)

// Whoever holds the last reader goes without a second one instead of waiting for it.
func TestReadTxParallelAlone(t *testing.T) {
	t.Parallel()
	d, err := Open(t.Context(), filepath.Join(t.TempDir(), "finance.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for len(d.readers) > 1 {
		c := <-d.readers
		defer func() { d.readers <- c }()
	}
	err = d.ReadTxParallel(t.Context(), func(ctx context.Context, _ *queries.Queries) error {
		if SecondReader(ctx) != nil {
			t.Error("there is a second reader, though none is free")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
