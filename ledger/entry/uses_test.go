package entry_test

import (
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
)

// TestCountUses: of a bill of three lines and two plain transactions each label counts what a list of it has: lines have
// the merchant and the tags of the whole, unless they have a merchant of their own, and a tag of both ways once.
func TestCountUses(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro := b.OpenWith("Giro", "depository", "EUR", "0")
	food, home := b.Category(b.Who, "Food"), b.Category(b.Who, "Home")
	rewe, tea, unused := b.Merchant(b.Who, "Rewe"), b.Merchant(b.Who, "Tea house"), b.Merchant(b.Who, "Nobody")
	trip, fun := b.Tag(b.Who, "trip"), b.Tag(b.Who, "fun")
	in := ledgertest.Entry(uuid.UUID(giro.PublicID), "2026-03-02", "100", "Bill")
	lines := []entry.SplitLineInput{part("60", food), part("30", home), part("10", food)}
	lines[1].MerchantID = ledger.Some(tea)
	lines[1].TagIDs = ledger.Some([]uuid.UUID{trip, fun})
	in.SplitLines = parts(lines...)
	in.MerchantID, in.TagIDs = ledger.Some(rewe), ledger.Some([]uuid.UUID{trip})
	b.Create(in)
	for _, name := range []string{"Bread", "Cake"} {
		in := ledgertest.Entry(uuid.UUID(giro.PublicID), "2026-03-03", "5", name)
		in.CategoryID, in.MerchantID, in.TagIDs = ledger.Some(food), ledger.Some(rewe), ledger.Some([]uuid.UUID{fun})
		b.Create(in)
	}
	for _, c := range []struct {
		kind ledger.Entity
		id   uuid.UUID
		want int64
		list entry.TransactionFilter
	}{
		{ledger.EntityCategory, food, 4, entry.TransactionFilter{CategoryIDs: []uuid.UUID{food}}},
		{ledger.EntityCategory, home, 1, entry.TransactionFilter{CategoryIDs: []uuid.UUID{home}}},
		{ledger.EntityMerchant, rewe, 4, entry.TransactionFilter{MerchantIDs: []uuid.UUID{rewe}}},
		{ledger.EntityMerchant, tea, 1, entry.TransactionFilter{MerchantIDs: []uuid.UUID{tea}}},
		{ledger.EntityMerchant, unused, 0, entry.TransactionFilter{MerchantIDs: []uuid.UUID{unused}}},
		{ledger.EntityTag, trip, 3, entry.TransactionFilter{TagIDs: []uuid.UUID{trip}}},
		{ledger.EntityTag, fun, 3, entry.TransactionFilter{TagIDs: []uuid.UUID{fun}}},
	} {
		uses, err := b.Entries.CountUses(t.Context(), b.Who, c.kind)
		if err != nil || uses[c.id] != c.want {
			t.Errorf("%s: %d, want %d, error %v", c.kind, uses[c.id], c.want, err)
		}
		_, total, err := b.Entries.ListTransactions(t.Context(), b.Who, c.list, ledger.Page{Number: 1, Size: 1})
		if err != nil || total != c.want {
			t.Errorf("%s: a list has %d, want %d, error %v", c.kind, total, c.want, err)
		}
	}
}
