package report

import (
	"context"

	"finsvc/ledger"
	"finsvc/queries"
)

// gatherLines puts the parts of split transactions that the filter selects in the place of the wholes, of which those
// that it selects by themselves were taken in as any other, unless it is searched.
func (m *incomeMaker) gatherLines(ctx context.Context) error {
	parts, err := m.tx.ListSumLines(ctx, m.filter.TransactionFilter, true)
	if err != nil {
		return err
	}
	var wholes []queries.SumLine
	if !m.searched() {
		wholes, err = m.tx.ListSumWholes(ctx, m.filter.TransactionFilter, true)
		if err != nil {
			return err
		}
	}
	for _, s := range append(wholes, parts...) {
		b := booking{ledger.Date(s.Date), s.Amount, codeOf(s.Currency), s.CategoryID, s.MerchantID, s.AccountID, s.Tags}
		m.extras = append(m.extras, extraBooking{b, s.Position == 0})
	}
	return nil
}

// wants reports whether a booking has the labels that the filter asks for.
func (m *incomeMaker) wants(b *booking) bool {
	f := &m.filter.TransactionFilter
	return isAmong(f.CategoryIDs, b.category) && isAmong(f.MerchantIDs, b.merchant) &&
		(f.TagIDs == nil || isAmong(f.TagIDs, splitTags(b.tags)...))
}

// gatherTrades takes in what trades brought in and cost. They have neither merchants nor tags.
func (m *incomeMaker) gatherTrades(ctx context.Context) error {
	if m.filter.MerchantIDs != nil || m.filter.TagIDs != nil {
		return nil
	}
	trades, err := m.tx.ListIncomeTrades(ctx, queries.ListIncomeTradesParams{
		HouseholdID: m.tx.HouseholdID, FirstKey: m.filter.FirstKey, LastKey: m.filter.LastKey, Accounts: m.accounts()})
	for _, t := range trades {
		if b := (booking{ledger.Date(t.Date), t.Amount, codeOf(t.Currency), t.CategoryID, 0, t.AccountID,
			""}); m.wants(&b) {
			m.extras = append(m.extras, extraBooking{booking: b})
		}
	}
	return err
}

// gatherTransfers counts the transfers and takes in what they cost.
func (m *incomeMaker) gatherTransfers(ctx context.Context) error {
	f, accounts := &m.filter.TransactionFilter, m.accounts()
	fees, err := m.tx.ListTransferFees(ctx, queries.ListTransferFeesParams{FirstKey: f.FirstKey, LastKey: f.LastKey,
		HouseholdID: f.HouseholdID, Accounts: accounts})
	if err != nil {
		return err
	}
	for _, t := range fees {
		if b := (booking{ledger.Date(t.Date), t.Amount, codeOf(t.Currency), t.CategoryID, t.MerchantID, t.AccountID,
			t.Tags}); m.wants(&b) {
			m.extras = append(m.extras, extraBooking{booking: b})
		}
	}
	if m.labelled() {
		return nil
	}
	m.out.TransfersLeftOut, err = m.tx.CountTransfersLeftOut(ctx, queries.CountTransfersLeftOutParams{
		FirstKey: f.FirstKey, LastKey: f.LastKey, HouseholdID: f.HouseholdID, Accounts: accounts})
	return err
}

// accounts are those that count, as a JSON list of keys; null when that is all there are.
func (m *incomeMaker) accounts() string { return ledger.JSONArray(m.filter.AccountIDs) }
