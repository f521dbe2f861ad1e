package importer_test

import (
	"log/slog"
	"runtime"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/entry"
)

// found is how many transactions a search finds, as the list itself says, and how many texts there are to be found.
func (k *fixture) found(text string) (total, texts int64) {
	k.tb.Helper()
	_, total, err := k.ledger.Entries.ListTransactions(k.tb.Context(), k.who, entry.TransactionFilter{Search: text},
		ledger.Page{Number: 1, Size: 1})
	if err != nil {
		k.tb.Fatal(err)
	}
	return total, k.figuresOf("SELECT count(*) FROM transactions_fts")
}

func (k *fixture) checkFound(when string, total, texts int64) {
	k.tb.Helper()
	if gotTotal, gotTexts := k.found("row"); gotTotal != total || gotTexts != texts {
		k.tb.Errorf("%s: %d of %d texts are found, want %d of %d", when, gotTotal, gotTexts, total, texts)
	}
}

// TestSearchFollowsImports: what is written in bulk is found, what is taken back is not, be it all that there is or
// not.
func TestSearchFollowsImports(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.upload(namingRows(5000), importer.Request{Publish: true})
	for _, others := range []int64{0, 1} {
		k.work()
		k.checkFound("published", 5000, 5000+others)
		k.mustRevert(imp, false)
		k.checkFound("reverted", 0, others)
		if others == 0 {
			k.book(k.account, ledger.NewDate(2026, 2, 3), -100, "Bread")
		}
		if _, err := k.Publish(t.Context(), k.who, uuid.UUID(imp.PublicID), importer.Publication{}); err != nil {
			t.Fatal(err)
		}
	}
	k.work()
	k.checkFound("published at last", 5000, 5001)
	k.checkRollups()
}

// TestMatchesGoInParts: what thousands of rows were recognised as is forgotten by several writes.
func TestMatchesGoInParts(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	matches := func() int64 { return k.figuresOf("SELECT count(*) FROM import_matches") }
	content := namingRows(12_000)
	k.upload(content, importer.Request{Publish: true})
	k.work()
	again := k.upload(content, importer.Request{Publish: true})
	k.work()
	if n := matches(); n != 12_000 {
		t.Fatalf("%d matches", n)
	}
	if now := k.mustRevert(again, false); now.Status != "pending" || matches() != 0 {
		t.Errorf("%s, %d matches are left", now.Status, matches())
	}
	if _, total := k.transactions(); total != 12_000 {
		t.Errorf("%d transactions", total)
	}
}

// TestWaitingImportsSeeEachOther: each is looked at anew when another one was published since it came in.
func TestWaitingImportsSeeEachOther(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	for range 3 {
		k.upload("date,amount,name\n2026-02-03,-1.00,Row\n", importer.Request{Publish: true})
	}
	k.book(k.account, ledger.NewDate(2026, 2, 4), -100, "Row")
	k.upload("date,amount,name\n2026-02-04,-1.00,Row\n", importer.Request{Publish: true})
	k.work()
	if _, total := k.transactions(); total != 2 {
		t.Errorf("%d transactions, want one for each day", total)
	}
}

// TestCancelledWhileTimePasses: a batch that is not written because the import was cancelled does not count as a sign
// of life, so the worker itself settles the import.
func TestCancelledWhileTimePasses(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.upload(namingRows(6000), importer.Request{Publish: true})
	cancelled := make(chan error, 1)
	asked := false
	worker := importer.New(importer.Options{DB: k.db, Ledger: k.ledger, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time {
			k.clock = k.clock.Add(time.Second)
			if now := k.get(imp); now.DoneRowsCount > 0 && !asked {
				asked = true
				go func() {
					_, err := k.Cancel(t.Context(), k.who, uuid.UUID(imp.PublicID))
					cancelled <- err
				}()
				for !k.db.Awaited() { // so that it comes before the next batch
					runtime.Gosched()
				}
			}
			return k.clock
		}})
	if worked, err := worker.Work(t.Context()); !worked || err != nil {
		t.Fatal(worked, err)
	}
	if err := <-cancelled; err != nil {
		t.Fatal(err)
	}
	if now := k.get(imp); now.Status != "pending" || k.figuresOf("SELECT count(*) FROM transactions") != 0 {
		t.Errorf("the import is %s", now.Status)
	}
}
