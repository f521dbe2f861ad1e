package importer_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/queries"
)

// namingRows is a file of so many rows that names things that are not there yet.
func namingRows(rows int) string {
	var file strings.Builder
	file.WriteString("date,amount,name,category,tags,account\n")
	for i := range rows {
		fmt.Fprintf(&file, "2026-01-%02d,-%d.25,Row %d,Food:Kind %d,new,Bank %d\n", i%28+1, i%50, i, i%3, i%2)
	}
	return file.String()
}

func (k *fixture) cancel(imp queries.Import) (queries.Import, error) {
	return k.Cancel(k.tb.Context(), k.who, uuid.UUID(imp.PublicID))
}

func TestCancelBeforeItsTurn(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	before := k.figures()
	imp := k.upload(threeRows, importer.Request{Publish: true})
	if now, err := k.cancel(imp); err != nil || now.Status != "pending" || now.Cancelled != 0 || now.Error != nil {
		t.Fatalf("cancel: %+v, %v", now, err)
	}
	k.work()
	k.same("cancelled", before)
	if _, err := k.Publish(t.Context(), k.who, uuid.UUID(imp.PublicID), importer.Publication{}); err != nil {
		t.Fatal(err)
	}
	k.work()
	if _, total := k.transactions(); total != 3 || k.get(imp).Status != "complete" {
		t.Errorf("published after all: %d rows, %+v", total, k.get(imp))
	}
}

func TestCancelIsRefused(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	pending, broken := k.upload(threeRows, importer.Request{}), k.upload("date,amount\n\"", importer.Request{})
	done, reverting := k.upload(threeRows, importer.Request{Publish: true}),
		k.upload(threeRows, importer.Request{Publish: true})
	k.work()
	if _, err := k.revert(reverting, false); err != nil {
		t.Fatal(err)
	}
	for want, imp := range map[string]queries.Import{"pending": pending, "failed": broken, "complete": done,
		"reverting": reverting} {
		message := "conflict: an import that is " + want + " cannot be cancelled; only one that is importing can"
		if _, err := k.cancel(imp); !ledger.IsKind(err, ledger.Conflict) || err.Error() != message {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := k.Cancel(t.Context(), k.who, uuid.New()); !ledger.IsKind(err, ledger.NotFound) {
		t.Errorf("no such import: %v", err)
	}
	stranger := k.who
	stranger.HouseholdID++
	if _, err := k.Cancel(t.Context(), stranger, uuid.UUID(pending.PublicID)); !ledger.IsKind(err, ledger.NotFound) {
		t.Errorf("another household's import: %v", err)
	}
}

// TestCancelWhileRowsAreWritten cancels from beside the worker while it writes the first of several batches.
func TestCancelWhileRowsAreWritten(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	before := k.figures()
	imp := k.send(namingRows(13_000), importer.Request{Publish: true})
	type answer struct {
		imp queries.Import
		err error
	}
	answers, cancelled := make(chan answer, 1), false
	books := books.New(k.db, func() time.Time { // it is asked for the time of rows as they are written
		if !cancelled && k.figuresOf("SELECT count(*) FROM categories") > 0 {
			cancelled = true
			go func() {
				now, err := k.cancel(imp)
				answers <- answer{now, err}
			}()
		}
		return k.clock
	})
	worker := importer.New(importer.Options{DB: k.db, Ledger: books, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return k.clock }})
	if worked, err := worker.Work(t.Context()); !worked || err != nil {
		t.Fatal(worked, err)
	}
	if got := <-answers; got.err != nil || got.imp.Status != "importing" || got.imp.Cancelled != 1 {
		t.Fatalf("cancel: %+v", got)
	}
	if now := k.get(imp); now.Status != "pending" || now.Error != nil || now.Cancelled != 0 || now.DoneRowsCount != 0 ||
		now.StartedAt != nil {
		t.Errorf("cancelled %+v", now)
	}
	k.same("cancelled", before)
	if _, err := k.Publish(t.Context(), k.who, uuid.UUID(imp.PublicID), importer.Publication{}); err != nil {
		t.Fatal(err)
	}
	k.work()
	if _, total := k.transactions(); total != 13_000 {
		t.Errorf("published after all: %d rows", total)
	}
}

// TestCancelOfAbandonedWork cancels what a worker has begun that is gone: the next one takes it back.
func TestCancelOfAbandonedWork(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	before := k.figures()
	imp := k.send(namingRows(3), importer.Request{Publish: true})
	err := k.db.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		claimed, err := q.ClaimImport(ctx, queries.ClaimImportParams{LeaseUntil: k.clock.Add(10 * time.Second).UnixMilli(), Now: k.clock.UnixMilli()})
		if err != nil {
			return err
		}
		first := int64(1)
		_, err = q.ReserveImport(ctx, queries.ReserveImportParams{FirstSequence: &first, LastSequence: new(first + 2),
			Now: k.clock.UnixMilli(),
			ID:  claimed.ImportID, HouseholdID: claimed.HouseholdID, OldLease: claimed.LeaseUntil})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // a second time says the same
		if now, err := k.cancel(imp); err != nil || now.Status != "importing" || now.Cancelled != 1 {
			t.Fatalf("cancel: %+v, %v", now, err)
		}
	}
	k.clock = k.clock.Add(11 * time.Second)
	k.work()
	if now := k.get(imp); now.Status != "pending" || now.Cancelled != 0 {
		t.Errorf("after the lease had passed: %+v", now)
	}
	k.same("cancelled", before)
}

// figuresOf asks for one number.
func (k *fixture) figuresOf(query string) (n int64) {
	k.tb.Helper()
	err := k.db.Read(context.Background(), func(ctx context.Context, q *queries.Queries) (err error) {
		n, err = q.Number(ctx, query)
		return err
	})
	if err != nil {
		k.tb.Error(err)
	}
	return n
}
