package ledgertest

import (
	"slices"

	"finsvc/ledger/entry"
)

// FindNames are the names of the transactions that a search finds, oldest first.
func (b *Fixture) FindNames(search string) []string {
	b.tb.Helper()
	list, total, err := b.Entries.ListTransactions(b.Ctx(), b.Who, entry.TransactionFilter{Search: search}, WholePage)
	if err != nil || int(total) != len(list) {
		b.tb.Fatalf("%d of %d, %v", len(list), total, err)
	}
	var names []string
	for _, t := range slices.Backward(list) {
		names = append(names, t.Name)
	}
	return names
}
