package ledgertest

import (
	"fmt"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
)

func ValuationOf(account catalog.Account, day, amount string) catalog.ValuationInput {
	return catalog.ValuationInput{AccountID: ledger.Some(uuid.UUID(account.PublicID)), Date: DayOf(day),
		Amount: AmountOf(amount)}
}

// State makes a valuation and says whether it is new.
func (b *Fixture) State(in catalog.ValuationInput) (catalog.Valuation, bool) {
	b.tb.Helper()
	v, created, err := b.Accounts.CreateValuation(b.Ctx(), b.Who, in)
	if err != nil {
		b.tb.Fatal(err)
	}
	return v, created
}

// Stated lists valuations as day, written amount and the first letter of the kind.
func (b *Fixture) Stated(f catalog.ValuationFilter, page ledger.Page) (string, int64) {
	b.tb.Helper()
	list, total, err := b.Accounts.ListValuations(b.Ctx(), b.Who, f, page)
	if err != nil {
		b.tb.Fatal(err)
	}
	var out []string
	for _, v := range list {
		out = append(out, fmt.Sprintf("%s %d %c", v.Day, v.Minor, v.Kind[0]))
	}
	return strings.Join(out, ", "), total
}

var WholePage = ledger.Page{Number: 1, Size: 100}
