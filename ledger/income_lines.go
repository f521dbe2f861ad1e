package ledger

import (
	"context"

	"finsvc/queries"
)

// gatherLines puts the lines of split transactions in the place of the whole, which was taken in as any other.
func (m *incomeMaker) gatherLines(ctx context.Context) error {
	lines, err := m.q.ListSumLines(ctx, m.filter.TransactionFilter, true)
	for _, s := range lines {
		b := booking{Date(s.Date), s.Whole.Amount, codeOf(s.Currency), s.Whole.CategoryID, s.Whole.MerchantID, s.AccountID, s.Whole.Tags}
		if s.Position == 1 && m.wants(&b) {
			m.extras = append(m.extras, extraBooking{b, true})
		}
		b.minor, b.category, b.merchant, b.tags = s.Amount, s.CategoryID, s.MerchantID, joinTags(b.tags, s.Tags)
		if m.wants(&b) {
			m.extras = append(m.extras, extraBooking{booking: b})
		}
	}
	return err
}

// wants says whether a booking has the labels that the filter asks for.
func (m *incomeMaker) wants(b *booking) bool {
	f := &m.filter.TransactionFilter
	return isAmong(f.CategoryIDs, b.category) && isAmong(f.MerchantIDs, b.merchant) && (f.TagIDs == nil || isAmong(f.TagIDs, splitTags(b.tags)...))
}

// gatherTrades takes in what trades brought in and cost. They have neither merchants nor tags.
func (m *incomeMaker) gatherTrades(ctx context.Context) error {
	if m.filter.MerchantIDs != nil || m.filter.TagIDs != nil {
		return nil
	}
	trades, err := m.q.ListIncomeTrades(ctx, queries.ListIncomeTradesParams{
		HouseholdID: m.who.HouseholdID, FirstKey: m.filter.FirstKey, LastKey: m.filter.LastKey, Accounts: m.accounts()})
	for _, t := range trades {
		if b := (booking{Date(t.Date), t.Amount, codeOf(t.Currency), t.CategoryID, 0, t.AccountID, ""}); m.wants(&b) {
			m.extras = append(m.extras, extraBooking{booking: b})
		}
	}
	return err
}

// gatherTransfers counts the transfers and takes in what they cost.
func (m *incomeMaker) gatherTransfers(ctx context.Context) error {
	f, accounts := &m.filter.TransactionFilter, m.accounts()
	fees, err := m.q.ListTransferFees(ctx, queries.ListTransferFeesParams{FirstKey: f.FirstKey, LastKey: f.LastKey, HouseholdID: f.HouseholdID, Accounts: accounts})
	if err != nil {
		return err
	}
	for _, t := range fees {
		if b := (booking{Date(t.Date), t.Amount, codeOf(t.Currency), t.CategoryID, t.MerchantID, t.AccountID, t.Tags}); m.wants(&b) {
			m.extras = append(m.extras, extraBooking{booking: b})
		}
	}
	if m.labelled() {
		return nil
	}
	m.out.TransfersLeftOut, err = m.q.CountTransfersLeftOut(ctx, queries.CountTransfersLeftOutParams{
		FirstKey: f.FirstKey, LastKey: f.LastKey, HouseholdID: f.HouseholdID, Accounts: accounts})
	return err
}

// accounts are those that count, as a JSON list of keys; null when that is all there are.
func (m *incomeMaker) accounts() string { return jsonArray(m.filter.AccountIDs) }
