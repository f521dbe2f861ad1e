package importer_test

import (
	"log/slog"
	"testing"
	"time"

	"finsvc/importer"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
)

// TestHouseholdEmptiedWhileRowsAreWritten empties the household from beside the worker while it writes the first of
// seven batches: none of the rows may reach the household, nor stay in the file. When its books are brought back, the
// import goes on.
func TestHouseholdEmptiedWhileRowsAreWritten(t *testing.T) {
	t.Parallel()
	t.Run("for good", func(t *testing.T) { t.Parallel(); emptyWhileRowsAreWritten(t, false) })
	t.Run("brought back", func(t *testing.T) { t.Parallel(); emptyWhileRowsAreWritten(t, true) })
}

func emptyWhileRowsAreWritten(t *testing.T, unreset bool) {
	t.Helper()
	k := newFixture(t)
	k.send(namingRows(13_000), importer.Request{Publish: true})
	type answer struct {
		done tenant.Emptied
		err  error
	}
	answers, asked := make(chan answer, 1), false
	books := books.New(k.db, func() time.Time { // it is asked for the time of rows as they are written
		if !asked && k.figuresOf("SELECT count(*) FROM categories") > 0 {
			asked = true
			go func() {
				done, err := k.ledger.Tenants.EmptyHousehold(t.Context(), k.who, "Home")
				answers <- answer{done, err}
			}()
		}
		return k.clock
	})
	worker := importer.New(importer.Options{DB: k.db, Ledger: books, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return k.clock }})
	if worked, err := worker.Work(t.Context()); !worked || err != nil {
		t.Fatal(worked, err)
	}
	got := <-answers
	if got.err != nil {
		t.Fatal(got.err)
	}
	if worked, err := worker.Work(t.Context()); worked || err != nil {
		t.Fatal("the import is worked on again", worked, err)
	}
	k.who.HouseholdID = got.done.Household.ID
	if _, total := k.transactions(); total != 0 {
		t.Errorf("%d rows were written", total)
	}
	if unreset {
		home, err := k.ledger.Tenants.UnresetHousehold(t.Context(), k.who)
		if err != nil {
			t.Fatal(err)
		}
		k.who.HouseholdID = home.ID
		if worked, err := worker.Work(t.Context()); !worked || err != nil {
			t.Fatal(worked, err)
		}
		if _, total := k.transactions(); total != 13_000 {
			t.Errorf("%d rows were written", total)
		}
		return
	}
	for _, want := range []int{0, 1} {
		k.clock = k.clock.Add(tenant.ResetKept)
		if n, err := k.ledger.Tenants.PurgeAbandoned(t.Context()); n != want || err != nil {
			t.Fatal(n, err)
		}
	}
	for _, table := range []string{"transactions", "transaction_tags", "accounts", "tags", "imports", "import_chunks",
		"import_changes", "transactions_fts_docsize"} {
		if n := k.figuresOf("SELECT count(*) FROM " + table); n != 0 {
			t.Errorf("%d rows are left in %s", n, table)
		}
	}
}
