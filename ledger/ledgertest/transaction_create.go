package ledgertest

import "finsvc/ledger/entry"

// CreateAll books a batch.
func (b *Fixture) CreateAll(inputs ...entry.TransactionInput) []entry.Transaction {
	b.tb.Helper()
	list, err := b.Entries.CreateTransactions(b.Ctx(), b.Who, inputs)
	if err != nil || len(list) != len(inputs) {
		b.tb.Fatalf("%d of %d, %v", len(list), len(inputs), err)
	}
	return list
}
