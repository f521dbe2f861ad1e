package ledgertest

import (
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/transfer"
)

// Crowd books rows in batches.
func (b *Fixture) Crowd(list []entry.TransactionInput) {
	b.tb.Helper()
	for len(list) > 0 {
		part := list[:min(len(list), entry.MaxBulk)]
		if _, err := b.Entries.CreateTransactions(b.Ctx(), b.Who, part); err != nil {
			b.tb.Fatal(err)
		}
		list = list[len(part):]
	}
}

// MatchedAre checks how many transfers there are.
func (b *Fixture) MatchedAre(want int) {
	b.tb.Helper()
	_, total, err := b.Transfers.ListTransfers(b.Ctx(), b.Who, transfer.Filter{}, ledger.Page{Number: 1, Size: 1})
	if err != nil || total != int64(want) {
		b.tb.Errorf("there are %d transfers, want %d, %v", total, want, err)
	}
}
