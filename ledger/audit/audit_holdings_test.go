package audit_test

import (
	"context"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"finsvc/ledger/audit"
	"finsvc/ledger/audit/recount"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/position"
	"finsvc/queries"
)

// TestHoldingsAreAuditedSound: after any sequence of trades, prices and splits, what is kept of holdings is what a fold
// from the first day on gives, and what they are worth is what another piece of code counts.
func TestHoldingsAreAuditedSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		m := ledgertest.NewMarket(t)
		for range rapid.IntRange(1, 20).Draw(r, "operations") {
			m.Step(r)
		}
		if err := m.DB.ReadTx(context.Background(), func(ctx context.Context, q *queries.Queries) error {
			counted, err := recount.Count(ctx, q, recount.Options{Decimals: marketDecimals, Today: ledgertest.MarketDays})
			if err != nil {
				return err
			}
			if len(counted) == 0 {
				r.Error("nothing was counted")
			}
			m.CheckWorth(ctx, r, q, counted)
			return nil
		}); err != nil {
			r.Fatal(err)
		}
		found, err := m.Audits.Audit(context.Background())
		if err != nil {
			r.Fatal(err)
		}
		for _, d := range found.Defects {
			if d.Check == audit.CheckHoldings { // the cash of these rows is in no rollup
				r.Errorf("%s: %s: %s", d.Check, d.Where, d.Detail)
			}
		}
		if err := m.DB.Close(); err != nil {
			r.Fatal(err)
		}
	})
}

// marketDecimals gives the decimals of the currencies that a market has.
func marketDecimals(code string) (places int, known bool) {
	return 2, code == "EUR" || code == "USD"
}

// TestSplitsDoNotDependOnWhereAFoldBegins: zeros at the end of a sum are not there in the row that a later fold begins with.
func TestSplitsDoNotDependOnWhereAFoldBegins(t *testing.T) {
	t.Parallel()
	third := position.NewSplit(0, 1, 3)
	sum := position.Position{Quantity: decimal.RequireFromString("0.123456789").Add(decimal.RequireFromString("0.000000001"))}
	again := position.Position{Quantity: decimal.RequireFromString("0.12345679")}
	sum.Add(&third, nil)
	again.Add(&third, nil)
	if want := "0.04115226"; sum.Quantity.String() != want || again.Quantity.String() != want {
		t.Errorf("got %s and %s, want %s", sum.Quantity, again.Quantity, want)
	}
}
