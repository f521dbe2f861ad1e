package ledger

import (
	"context"

	"github.com/shopspring/decimal"
)

// costIn is what was paid in a currency for what a line holds at the end of a day, fees included: what
// positions cannot say where the trades were in several. Each purchase counts at the rate of its day. It is
// not known when one of those that still count has no rate.
func (b *rateBook) costIn(ctx context.Context, who Actor, at line, day Date, to Currency) (cost decimal.Decimal, known bool, err error) {
	trades, err := listPositionTrades(ctx, b.q, who, at.security, MinDate, day)
	if err != nil {
		return cost, false, err
	}
	var own []positionTrade
	for _, t := range trades {
		if t.account != at.account {
			continue
		}
		from, _ := LookupCurrency(t.currency) // what is stored was looked up
		converted, err := b.convert(ctx, t.amount, from, to, t.day)
		if err != nil {
			return cost, false, err
		}
		if converted.known { // else it stays in its currency and makes the cost a mixed one
			t.amount, t.currency = converted.minor, to.Code
		}
		own = append(own, t)
	}
	splits, err := listSplits(ctx, b.q, who, at.security, MinDate, day)
	if err != nil {
		return cost, false, err
	}
	f := &fold{}
	for _, d := range foldDays(own, splits) {
		f.add(d.split, d.trades[at.account])
	}
	return f.cost, !f.costUnknown && f.currency == to.Code, nil
}
