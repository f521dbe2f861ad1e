package ledgertest

import (
	"fmt"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/report"
)

func (b *Fixture) Broken(in report.BreakdownInput) report.Breakdown {
	b.tb.Helper()
	out, err := b.Reports.Breakdown(b.Ctx(), b.Who, in)
	if err != nil {
		b.tb.Fatal(err)
	}
	return out
}

// BrokenDown is the totals and the parts of one.
func BrokenDown(d report.Breakdown) string {
	text := fmt.Sprintf("%d-%d=%d of %d", d.Income, d.Expenses, d.Net, d.Count)
	for _, p := range d.Parts {
		name := "none"
		switch {
		case p.Category != nil:
			name = p.Category.Name
		case p.Merchant != nil:
			name = p.Merchant.Name
		case p.Tag != nil:
			name = p.Tag.Name
		case p.Account != nil:
			name = p.Account.Name
		case p.Month.Has():
			name = p.Month.Value.String()
		}
		text += fmt.Sprintf("; %s %d-%d of %d", name, p.Income, p.Expenses, p.Count)
	}
	for _, gap := range d.Unconverted {
		text += fmt.Sprintf("; no rate for %s %d-%d", gap.Currency, gap.Income, gap.Expenses)
	}
	return text
}

// LargestAre checks the names of a page of the largest, and how many there are.
func (b *Fixture) LargestAre(f entry.TransactionFilter, page ledger.Page, want string) {
	b.tb.Helper()
	list, total, err := b.Entries.ListLargestTransactions(b.Ctx(), b.Who, f, page)
	got := fmt.Sprintf("%d:", total)
	for _, row := range list {
		got += " " + row.Name
	}
	if err != nil || got != want {
		b.tb.Errorf("%+v: got %s, %v, want %s", f, got, err, want)
	}
}

// Labelled books three transactions of a category long ago: 0.40 out, by the merchant, with the tag; 0.60 in; and one
// of 0.90 out, which is split: 0.20 of it has all three.
func (b *Fixture) Labelled(account catalog.Account) (food, aldi, tag uuid.UUID) {
	food, aldi, tag = b.Category(b.Who, "Food"), b.Merchant(b.Who, "Aldi"), b.Tag(b.Who, "a")
	in := Entry(uuid.UUID(account.PublicID), "2020-01-01", "0.40", "small")
	in.CategoryID, in.MerchantID, in.TagIDs = ledger.Some(food), ledger.Some(aldi), ledger.Some([]uuid.UUID{tag})
	b.Create(in)
	in = Entry(uuid.UUID(account.PublicID), "2020-01-02", "-0.60", "big")
	in.CategoryID = ledger.Some(food)
	b.Create(in)
	in = Entry(uuid.UUID(account.PublicID), "2020-01-03", "0.90", "lines")
	in.SplitLines = ledger.Some([]entry.SplitLineInput{{Amount: AmountOf("0.70")},
		{Amount: AmountOf("0.20"), CategoryID: ledger.Some(food), MerchantID: ledger.Some(aldi),
			TagIDs: ledger.Some([]uuid.UUID{tag})}})
	b.Create(in)
	return food, aldi, tag
}
