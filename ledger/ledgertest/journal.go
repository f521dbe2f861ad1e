package ledgertest

import (
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/trade"
)

// Journal is the household's journal, without the declarations of accounts that every journal has.
func (b *Fixture) Journal() string {
	b.tb.Helper()
	var out strings.Builder
	if _, err := b.Exports.WriteJournal(b.Ctx(), b.Who, &out); err != nil {
		b.tb.Fatal(err)
	}
	head, rest, _ := strings.Cut(out.String(), "account expenses  ; type:X\n\n")
	accounts, rest, _ := strings.Cut(rest, "account equity:transfers\n")
	_, rest, _ = strings.Cut(rest, "account expenses:uncategorised\n")
	head, _, _ = strings.Cut(head, "\naccount assets ")
	return head + accounts + rest
}

func (b *Fixture) JournalIs(want string) {
	b.tb.Helper()
	if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(b.Journal())); diff != "" {
		b.tb.Errorf("the journal is not what it should be (-want +got):\n%s", diff)
	}
}

func (b *Fixture) Book(a catalog.Account, day, amount, currency, name string) entry.Transaction {
	b.tb.Helper()
	in := Entry(uuid.UUID(a.PublicID), day, amount, name)
	in.Currency = ledger.Some(currency)
	return b.Create(in)
}

// Deal books a trade; the amount of a purchase or a sale follows from quantity and price.
func (b *Fixture) Deal(a catalog.Account, kind, day, ticker, quantity, priceOrAmount, fee string) {
	b.tb.Helper()
	in := trade.Input{AccountID: ledger.Some(uuid.UUID(a.PublicID)), Type: ledger.Some(kind), Date: DayOf(day),
		Ticker: ledger.Some(ticker),
		Fee:    AmountOf(fee), Name: ledger.Some(kind)}
	if quantity == "" {
		in.Amount = AmountOf(priceOrAmount)
	} else {
		in.Quantity, in.Price = AmountOf(quantity), AmountOf(priceOrAmount)
	}
	if _, err := b.Trades.CreateTrade(b.Ctx(), b.Who, in); err != nil {
		b.tb.Fatal(err)
	}
}
