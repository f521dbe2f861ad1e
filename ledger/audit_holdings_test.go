package ledger

import (
	"context"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"finsvc/db"
	"finsvc/queries"
)

// TestHoldingsAreAuditedSound: after any sequence of trades, prices and splits, what is kept of holdings is what a fold
// from the first day on gives, and what they are worth is what another piece of code counts.
func TestHoldingsAreAuditedSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		m := newMarket(t)
		for range rapid.IntRange(1, 20).Draw(r, "operations") {
			m.step(r)
		}
		if err := m.db.ReadTx(context.Background(), func(ctx context.Context, q *queries.Queries) error {
			counted, err := db.CountFigures(ctx, q, db.Counting{Decimals: marketDecimals, Today: marketDays})
			if err != nil {
				return err
			}
			if len(counted) == 0 {
				r.Error("nothing was counted")
			}
			m.checkWorth(ctx, r, q, counted)
			return nil
		}); err != nil {
			r.Fatal(err)
		}
		found, err := m.Audit(context.Background())
		if err != nil {
			r.Fatal(err)
		}
		for _, d := range found.Defects {
			if d.Check == CheckHoldings { // the cash of these rows is in no rollup
				r.Errorf("%s: %s: %s", d.Check, d.Where, d.Detail)
			}
		}
		if err := m.db.Close(); err != nil {
			r.Fatal(err)
		}
	})
}

// marketDecimals gives the decimals of the currencies that a market has.
func marketDecimals(code string) (places int, known bool) {
	return 2, code == "EUR" || code == "USD"
}

// checkWorth compares the net worth at the ends of months; the cash of these rows is in no rollup, so it is taken out.
func (m *market) checkWorth(ctx context.Context, r *rapid.T, q *queries.Queries, counted db.Figures) {
	for _, day := range counted.Days(m.who.HouseholdID) {
		balances, err := balancesOf(ctx, q, m.who, 0, Date(day))
		if err != nil {
			r.Fatal(err)
		}
		for _, account := range m.accounts {
			cash, err := q.Number(ctx, "SELECT coalesce(sum(iif(t.currency = a.currency, t.amount, 0)), 0) FROM trades t JOIN accounts a ON a.id = t.account_id WHERE a.id = ? AND t.date <= ?", account, day)
			if err != nil {
				r.Fatal(err)
			}
			if got, want := balances[account].Minor, counted[db.FigureKey{Household: m.who.HouseholdID, Account: account, Day: day}].Minor.IntPart()-cash; got != want {
				r.Errorf("account %d, %s: the ledger says %d, counted is %d", account, Date(day), got, want)
			}
		}
	}
}

// TestSplitsDoNotDependOnWhereAFoldBegins: zeros at the end of a sum are not there in the row that a later fold begins with.
func TestSplitsDoNotDependOnWhereAFoldBegins(t *testing.T) {
	t.Parallel()
	third := newSplit(0, 1, 3)
	sum := fold{quantity: decimal.RequireFromString("0.123456789").Add(decimal.RequireFromString("0.000000001"))}
	again := fold{quantity: decimal.RequireFromString("0.12345679")}
	sum.add(&third, nil)
	again.add(&third, nil)
	if want := "0.04115226"; sum.quantity.String() != want || again.quantity.String() != want {
		t.Errorf("got %s and %s, want %s", sum.quantity, again.quantity, want)
	}
}
