package export

import (
	"context"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/queries"
)

// listTransactions reads a part of the transactions with the lines of those that are split.
func (j *journal) listTransactions(ctx context.Context, part queries.ListJournalTransactionsParams) ([]queries.ListJournalTransactionsRow, error) {
	rows, err := j.tx.ListJournalTransactions(ctx, part)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	lines, err := j.tx.ListJournalLines(ctx, queries.ListJournalLinesParams{FirstKey: rows[0].ID,
		LastKey: rows[len(rows)-1].ID, HouseholdID: j.tx.HouseholdID})
	j.lines = map[int64][]queries.ListJournalLinesRow{}
	for _, s := range lines {
		j.lines[s.TransactionID] = append(j.lines[s.TransactionID], s)
	}
	return rows, err
}

// postCounters posts what the money of a transaction is for: one amount, or that of each line. A transfer is one
// movement, whatever its lines say.
func (j *journal) postCounters(t queries.ListJournalTransactionsRow, m journalMoney) {
	lines := j.lines[t.ID]
	if len(lines) == 0 || t.TransferID != nil {
		j.post(j.counter(t), m.other())
		return
	}
	var done journalMoney
	for _, s := range lines {
		part := m.until(done.booked + s.Amount)
		part.booked, part.counted = s.Amount, part.counted-done.counted
		done.booked, done.counted = done.booked+part.booked, done.counted+part.counted
		t.Amount, t.CategoryID = s.Amount, s.CategoryID
		j.entry.postings = append(j.entry.postings, journalPosting{account: j.counter(t), amount: part.other(),
			remark: ledger.OrBlank(s.Name)})
	}
}

// until is the part of the money up to an amount booked, at the share of what the account counts. As it rises and
// falls with that amount, so the shares of parts have the signs of the parts and add up to the whole.
func (m journalMoney) until(booked int64) journalMoney {
	part := m
	part.booked = booked
	switch {
	case m.from == m.to:
		part.counted = booked
	case m.booked == 0:
		part.counted, part.to = 0, m.from // parts that cancel out need no rate
	default:
		part.counted = decimal.New(m.counted, 0).Mul(decimal.New(booked, 0)).DivRound(decimal.New(m.booked, 0),
			0).IntPart()
	}
	return part
}
