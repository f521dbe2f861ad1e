package ledgertest

import (
	"fmt"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/balance"
)

// Days lists a page of balances.
func (b *Fixture) Days(f balance.DayFilter, page ledger.Page) ([]balance.Day, int64) {
	b.tb.Helper()
	list, total, err := b.Balances.ListBalanceDays(b.Ctx(), b.Who, f, page)
	if err != nil {
		b.tb.Fatal(err)
	}
	return list, total
}

// Agrees compares a row with the balances of its day and of the day before.
func (b *Fixture) Agrees(r *rapid.T, row balance.Day) {
	balanceAt := func(day ledger.Date) (parts [2]int64, left string) {
		all, err := b.Balances.Balances(b.Ctx(), b.Who, day)
		if err != nil {
			r.Fatal(err)
		}
		one := all[b.Key(row.Account.ID)]
		for _, u := range one.Unconverted {
			left += fmt.Sprint(u.Currency, row.FlowsFactor*u.Minor)
		}
		return [2]int64{row.FlowsFactor * one.Minor, row.FlowsFactor * one.Holdings}, left
	}
	left := ""
	for _, u := range row.Unconverted {
		left += fmt.Sprint(u.Currency, u.Minor)
	}
	start, _ := balanceAt(row.Date - 1)
	end, wantLeft := balanceAt(row.Date)
	if row.Start != start[0] || row.StartHoldings != start[1] || row.End != end[0] || row.EndHoldings != end[1] ||
		left != wantLeft {
		r.Fatalf("got %+v, want %d to %d, left out %s", row, start, end, wantLeft)
	}
	cash, held := row.FlowsFactor*(row.Inflow-row.Outflow)+row.Adjustment,
		row.FlowsFactor*(row.Bought-row.Sold)+row.Market
	if row.StartCash()+cash != row.EndCash() || row.StartHoldings+held != row.EndHoldings ||
		min(row.Inflow, row.Outflow, row.Bought, row.Sold) < 0 {
		r.Fatalf("%+v does not add up", row)
	}
}

// Key is the inner key of an account.
func (b *Fixture) Key(id uuid.UUID) int64 {
	a, err := b.Accounts.GetAccount(b.Ctx(), b.Who, id)
	if err != nil {
		b.tb.Fatal(err)
	}
	return a.ID
}
