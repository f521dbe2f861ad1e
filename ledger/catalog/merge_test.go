package catalog_test

import (
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
)

// TestMergeLabels: what one of two has becomes the other's, parts of split transactions and rules included.
func TestMergeLabels(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account := b.Account(b.Who, "Giro", "EUR")
	food, drink, fun := b.Category(b.Who, "Food"), b.Category(b.Who, "Drink"), b.Category(b.Who, "Fun")
	trip, work := b.Tag(b.Who, "Trip"), b.Tag(b.Who, "Work")
	rewe, city := b.Merchant(b.Who, "Rewe"), b.Merchant(b.Who, "Rewe City")
	b.Rule("drinks", []string{"transaction_category = " + drink.String()}, []string{"set_transaction_tags " + work.String(), "set_transaction_merchant " + city.String()})
	part := func(category uuid.UUID, tags ...uuid.UUID) entry.SplitLineInput {
		return entry.SplitLineInput{Amount: ledgertest.AmountOf("5"), CategoryID: ledger.Some(category), TagIDs: ledger.Some(tags)}
	}
	for name, in := range map[string]entry.TransactionInput{
		"whole": {CategoryID: ledger.Some(drink), TagIDs: ledger.Some([]uuid.UUID{work, trip}), MerchantID: ledger.Some(city)},
		"split": {SplitLines: ledger.Some([]entry.SplitLineInput{part(drink, work), part(fun)}), TagIDs: ledger.Some([]uuid.UUID{work})},
	} {
		in.AccountID, in.Date, in.Amount, in.Name = ledger.Some(account), ledgertest.DayOf("2026-03-01"), ledgertest.AmountOf("10"), ledger.Some(name)
		b.Create(in)
	}
	for _, merge := range []func() error{
		func() error { _, err := b.Labels.MergeCategory(b.Ctx(), b.Who, drink, food); return err },
		func() error { _, err := b.Labels.MergeTag(b.Ctx(), b.Who, work, trip); return err },
		func() error { _, err := b.Labels.MergeMerchant(b.Ctx(), b.Who, city, rewe); return err },
	} {
		if err := merge(); err != nil {
			t.Fatal(err)
		}
	}
	count := func(f entry.TransactionFilter) int64 {
		_, total, err := b.Entries.ListTransactions(b.Ctx(), b.Who, f, ledgertest.WholePage)
		if err != nil {
			t.Fatal(err)
		}
		return total
	}
	for what, got := range map[string]int64{
		"food": count(entry.TransactionFilter{CategoryIDs: []uuid.UUID{food}}) - 2, "fun": count(entry.TransactionFilter{CategoryIDs: []uuid.UUID{fun}}) - 1,
		"trip": count(entry.TransactionFilter{TagIDs: []uuid.UUID{trip}}) - 3, "rewe": count(entry.TransactionFilter{MerchantIDs: []uuid.UUID{rewe}}) - 1,
		"drink": count(entry.TransactionFilter{CategoryIDs: []uuid.UUID{drink}}), "found by name": count(entry.TransactionFilter{Search: "Rewe City"}),
	} {
		if got != 0 {
			t.Errorf("%s: %d too many", what, got)
		}
	}
	b.Create(entry.TransactionInput{AccountID: ledger.Some(account), Date: ledgertest.DayOf("2026-03-02"), Amount: ledgertest.AmountOf("3"), Name: ledger.Some("later"),
		CategoryID: ledger.Some(food)})
	if n := count(entry.TransactionFilter{TagIDs: []uuid.UUID{trip}, MerchantIDs: []uuid.UUID{rewe}, Search: "later"}); n != 1 {
		t.Error("the rule does not follow the labels")
	}
	if found, err := b.Audits.Audit(b.Ctx()); err != nil || len(found.Defects) > 0 {
		t.Errorf("the audit finds %s, %v", ledgertest.Defects(found), err)
	}
}

func TestMergeRefused(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	other := b.Household("Other")
	food, theirs := b.Category(b.Who, "Food"), b.Category(other, "Theirs")
	salary, err := b.Labels.CreateCategory(b.Ctx(), b.Who, catalog.CategoryInput{Name: ledger.Some("Salary"), Classification: ledger.Some("income")})
	if err != nil {
		t.Fatal(err)
	}
	bakery, err := b.Labels.CreateCategory(b.Ctx(), b.Who, catalog.CategoryInput{Name: ledger.Some("Bakery"), ParentID: ledger.Some(food)})
	if err != nil {
		t.Fatal(err)
	}
	trip := b.Tag(b.Who, "Trip")
	for name, c := range map[string]struct {
		err  func() error
		kind ledger.Kind
		says string
	}{
		"itself":             {func() error { _, err := b.Labels.MergeTag(b.Ctx(), b.Who, trip, trip); return err }, ledger.Invalid, "must be another tag"},
		"into nothing":       {func() error { _, err := b.Labels.MergeTag(b.Ctx(), b.Who, trip, food); return err }, ledger.Invalid, "household's own tags"},
		"nothing":            {func() error { _, err := b.Labels.MergeTag(b.Ctx(), b.Who, uuid.New(), trip); return err }, ledger.NotFound, "Tag"},
		"of others":          {func() error { _, err := b.Labels.MergeCategory(b.Ctx(), b.Who, theirs, food); return err }, ledger.NotFound, "Category"},
		"into one of others": {func() error { _, err := b.Labels.MergeCategory(b.Ctx(), b.Who, food, theirs); return err }, ledger.Invalid, "household's own categories"},
		"with others below": {func() error {
			_, err := b.Labels.MergeCategory(b.Ctx(), b.Who, food, uuid.UUID(bakery.PublicID))
			return err
		}, ledger.Invalid,
			"must have no sub-categories to be merged, has 1"},
		"into an income": {func() error {
			_, err := b.Labels.MergeCategory(b.Ctx(), b.Who, uuid.UUID(bakery.PublicID), uuid.UUID(salary.PublicID))
			return err
		}, ledger.Invalid, "must be of expense as the one that is merged, is of income"},
	} {
		t.Run(name, func(t *testing.T) { ledgertest.Refused(t, c.err(), c.kind, c.says) })
	}
}
