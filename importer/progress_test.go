package importer_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"finsvc/importer"
	"finsvc/queries"
)

func TestProgressOf(t *testing.T) {
	t.Parallel()
	at := func(ms int64) *int64 { return &ms }
	for name, c := range map[string]struct {
		imp  queries.Import
		want importer.Progress
		none bool
	}{
		"pending": {imp: queries.Import{Status: "pending", ValidRowsCount: 10}, none: true},
		"complete": {imp: queries.Import{Status: "complete", ValidRowsCount: 10, DoneRowsCount: 10},
			none: true},
		"failed": {imp: queries.Import{Status: "failed"}, none: true},
		"waits": {imp: queries.Import{Status: "importing", ValidRowsCount: 10, UpdatedAt: 7000},
			want: importer.Progress{Total: 10}},
		"has begun": {imp: queries.Import{Status: "importing", ValidRowsCount: 10, StartedAt: at(8000),
			UpdatedAt: 7000}, want: importer.Progress{Total: 10}},
		"a fifth in 2 s": {imp: queries.Import{Status: "importing", ValidRowsCount: 1000, DoneRowsCount: 200,
			StartedAt: at(5000), UpdatedAt: 7000}, want: importer.Progress{Done: 200, Total: 1000, Rate: 100, Left: 8}},
		"rounded up": {imp: queries.Import{Status: "importing", ValidRowsCount: 201, DoneRowsCount: 200,
			StartedAt: at(5000), UpdatedAt: 7000}, want: importer.Progress{Done: 200, Total: 201, Rate: 100, Left: 1}},
		"less than one a s": {imp: queries.Import{Status: "importing", ValidRowsCount: 3, DoneRowsCount: 1,
			StartedAt: at(0), UpdatedAt: 4000}, want: importer.Progress{Done: 1, Total: 3, Rate: 1, Left: 8}},
		"all done": {imp: queries.Import{Status: "importing", ValidRowsCount: 200, DoneRowsCount: 200,
			StartedAt: at(5000), UpdatedAt: 7000}, want: importer.Progress{Done: 200, Total: 200, Rate: 100, Left: 0}},
		"the worker knows": {imp: queries.Import{Status: "importing", ValidRowsCount: 1000, WorkRowsCount: at(400),
			DoneRowsCount: 200, StartedAt: at(5000), UpdatedAt: 7000},
			want: importer.Progress{Done: 200, Total: 400, Rate: 100, Left: 2}},
		"a revert that goes on": {imp: queries.Import{Status: "reverting", ValidRowsCount: 900, DoneRowsCount: 700,
			StartedRowsCount: 600, StartedAt: at(5000), UpdatedAt: 6000},
			want: importer.Progress{Done: 700, Total: 900, Rate: 100, Left: 2}},
		"more than expected": {imp: queries.Import{Status: "reverting", ValidRowsCount: 5, DoneRowsCount: 7},
			want: importer.Progress{Done: 7, Total: 7}},
		"being taken back": {imp: queries.Import{Status: "importing", Cancelled: 1, ValidRowsCount: 1000,
			DoneRowsCount: 200, StartedAt: at(5000), UpdatedAt: 7000}, want: importer.Progress{Done: 200, Total: 1000}},
	} {
		if got, working := importer.ProgressOf(&c.imp); got != c.want || working == c.none {
			t.Errorf("%s: got %+v, %t, want %+v", name, got, working, c.want)
		}
	}
}

// TestProgressIsStored looks at an import whenever its worker asks for the time, which is with every batch.
func TestProgressIsStored(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.upload(namingRows(5000), importer.Request{Publish: true})
	var seen []importer.Progress
	worker := importer.New(importer.Options{DB: k.db, Ledger: k.ledger, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time {
			now := k.get(imp)
			if p, working := importer.ProgressOf(&now); working && (len(seen) == 0 || seen[len(seen)-1] != p) {
				seen = append(seen, p)
			}
			k.clock = k.clock.Add(time.Second)
			return k.clock
		}})
	if worked, err := worker.Work(t.Context()); !worked || err != nil {
		t.Fatal(worked, err)
	}
	// The clock moves on by a second before each batch.
	want := []importer.Progress{{Done: 0, Total: 5000, Rate: 0, Left: 0},
		{Done: 4000, Total: 5000, Rate: 4000, Left: 1}, {Done: 5000, Total: 5000, Rate: 2500, Left: 0}}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("published: (-want +got)\n%s", diff)
	}
	seen = nil
	if _, err := k.revert(imp, false); err != nil {
		t.Fatal(err)
	}
	if worked, err := worker.Work(t.Context()); !worked || err != nil {
		t.Fatal(worked, err)
	}
	// It also does before the rows are made not findable.
	want[1].Rate, want[2].Rate = 2000, 1666
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("reverted: (-want +got)\n%s", diff)
	}
}
