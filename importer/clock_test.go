package importer_test

import (
	"context"
	"testing"
	"time"

	"finsvc/importer"
	"finsvc/queries"
)

// TestLeaseOfAWrongClock: a worker that is gone had a clock that was a year ahead; its import does not wait for that
// year.
func TestLeaseOfAWrongClock(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.upload(threeRows, importer.Request{Publish: true})
	ahead := k.clock.Add(365 * 24 * time.Hour)
	err := k.db.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		_, err := q.ClaimImport(ctx, queries.ClaimImportParams{LeaseUntil: ahead.Add(10 * time.Second).UnixMilli(),
			Now: ahead.UnixMilli()})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	k.work()
	if now := k.get(imp); now.Status != "complete" {
		t.Errorf("the import is %s", now.Status)
	}
}
