package ledgertest

import (
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
)

func MerchantNamed(name string) catalog.MerchantInput {
	return catalog.MerchantInput{Name: ledger.Some(name)}
}

func (b *Fixture) NewMerchant(name string) uuid.UUID {
	b.tb.Helper()
	m, err := b.Labels.CreateMerchant(b.Ctx(), b.Who, MerchantNamed(name))
	if err != nil {
		b.tb.Fatal(err)
	}
	return uuid.UUID(m.PublicID)
}

// Found lists the names of the transactions that a search finds.
func (b *Fixture) Found(text string) string {
	b.tb.Helper()
	list, _, err := b.Entries.ListTransactions(b.Ctx(), b.Who, entry.TransactionFilter{Search: text},
		ledger.Page{Number: 1, Size: 100})
	if err != nil {
		b.tb.Fatal(err)
	}
	var names []string
	for _, t := range list {
		names = append(names, t.Name)
	}
	return strings.Join(names, " ")
}
