package position

import (
	"context"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

// costIn is what was paid in a currency for what a line holds at the end of a day, fees included: what
// positions cannot say where the trades were in several. Each purchase counts at the rate of its day. It is
// not known when one of those that still count has no rate.
func costIn(ctx context.Context, tx *ledger.Tx, b *fx.RateBook, at Key, day ledger.Date,
	to money.Currency) (cost decimal.Decimal, known bool, err error) {
	trades, err := ListPositionTrades(ctx, tx, at.Security, ledger.MinDate, day)
	if err != nil {
		return cost, false, err
	}
	var own []PositionTrade
	for _, t := range trades {
		if t.Account != at.Account {
			continue
		}
		from, _ := money.LookupCurrency(t.Currency) // what is stored was looked up
		converted, err := b.Convert(ctx, t.Amount, from, to, t.Day)
		if err != nil {
			return cost, false, err
		}
		if converted.Known { // else it stays in its currency and makes the cost a mixed one
			t.Amount, t.Currency = converted.Minor, to.Code
		}
		own = append(own, t)
	}
	splits, err := ListSplits(ctx, tx, at.Security, ledger.MinDate, day)
	if err != nil {
		return cost, false, err
	}
	f := &Position{}
	for _, d := range ByDay(own, splits) {
		f.Add(d.split, d.trades[at.Account])
	}
	return f.Cost, !f.CostUnknown && f.Currency == to.Code, nil
}
