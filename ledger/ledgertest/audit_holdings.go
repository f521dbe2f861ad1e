package ledgertest

import (
	"context"

	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/audit/recount"
	"finsvc/ledger/balance"
	"finsvc/queries"
)

// CheckWorth compares the net worth at the ends of months; the cash of these rows is in no rollup, so it is taken out.
func (m *RandomMarket) CheckWorth(ctx context.Context, r *rapid.T, q *queries.Queries, counted recount.Figures) {
	for _, day := range counted.Days(m.Who.HouseholdID) {
		balances, err := balance.Of(ctx, m.Tx(q, m.Who), 0, ledger.Date(day))
		if err != nil {
			r.Fatal(err)
		}
		for _, account := range m.Accounts {
			cash, err := q.Number(ctx, "SELECT coalesce(sum(iif(t.currency = a.currency, t.amount, 0)), 0) FROM trades t JOIN accounts a ON a.id = t.account_id WHERE a.id = ? AND t.date <= ?", account, day)
			if err != nil {
				r.Fatal(err)
			}
			if got, want := balances[account].Minor, counted[recount.Key{Household: m.Who.HouseholdID, Account: account,
				Day: day}].Minor.IntPart()-cash; got != want {
				r.Errorf("account %d, %s: the ledger says %d, counted is %d", account, ledger.Date(day), got, want)
			}
		}
	}
}
