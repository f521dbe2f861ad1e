package ledger

import (
	"context"

	"finsvc/queries"
)

// gatherLines puts the lines of split transactions in the place of the whole, which was taken in as any other. So
// a household without splits pays a single look for them.
func (m *incomeMaker) gatherLines(ctx context.Context) error {
	lines, err := m.q.ListIncomeLines(ctx, queries.ListIncomeLinesParams{
		FirstKey: m.first, LastKey: m.last, HouseholdID: m.who.HouseholdID, Accounts: m.accounts})
	for _, s := range lines {
		currency := codeOf(s.Currency)
		if s.Position == 1 {
			m.takeOut(Date(s.Date), s.Whole, currency, s.WholeCategoryID)
		}
		m.add(Date(s.Date), s.Amount, currency, s.CategoryID)
	}
	return err
}

// takeOut undoes an add. What nothing is left of must not be listed.
func (m *incomeMaker) takeOut(day Date, minor int64, currency currencyCode, category int64) {
	key := m.key(day, currency, category)
	sum := m.sums[key]
	sum.count--
	if minor < 0 {
		sum.expenses += minor
	} else {
		sum.income -= minor
	}
	m.sums[key] = sum
	if sum.count == 0 {
		delete(m.sums, key)
	}
}
