package ledgertest

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/position"
	"finsvc/ledger/trade"
	"finsvc/queries"
)

// DealIn books a purchase or sale in a currency.
func (b *Fixture) DealIn(a catalog.Account, day, ticker, quantity, price, currency string) error {
	in := trade.Input{AccountID: ledger.Some(uuid.UUID(a.PublicID)), Date: DayOf(day), Ticker: ledger.Some(ticker),
		Quantity: AmountOf(quantity),
		Price:    AmountOf(price), Currency: ledger.Some(currency)}
	_, err := b.Trades.CreateTrade(b.Ctx(), b.Who, in)
	return err
}

// Invest books entries, trades and prices of three weeks. What cannot be sold is not.
func (b *Fixture) Invest(r *rapid.T, a catalog.Account, first ledger.Date) {
	day := rapid.Custom(func(r *rapid.T) string { return first.AddDays(rapid.IntRange(0, 20).Draw(r, "day")).String() })
	for range rapid.IntRange(0, 8).Draw(r, "events") {
		n := rapid.IntRange(1, 99).Draw(r, "number")
		currency := rapid.SampledFrom([]string{"EUR", "USD"}).Draw(r, "currency")
		switch rapid.SampledFrom([]string{"buy", "buy", "sell", "price", "entry"}).Draw(r, "event") {
		case "buy":
			if err := b.DealIn(a, day.Draw(r, "day"), "S"+currency, fmt.Sprint(n), "1.01", currency); err != nil {
				r.Fatal(err)
			}
		case "sell":
			_ = b.DealIn(a, day.Draw(r, "day"), "S"+currency, fmt.Sprint(-n), "1.03", currency)
		case "price":
			b.Prices(fmt.Sprintf("S%s %s 1.0%d %s", currency, day.Draw(r, "day"), n, currency))
		case "entry":
			in := Entry(uuid.UUID(a.PublicID), day.Draw(r, "day"), fmt.Sprint(n-50), "x")
			in.Currency = ledger.Some(currency)
			b.Create(in)
		}
	}
}

// HeldIn is what the holdings of a day are worth in euros, where a dollar is half of one.
func (b *Fixture) HeldIn(r *rapid.T, a catalog.Account, day ledger.Date) int64 {
	list, _, err := b.Positions.ListHoldings(b.Ctx(), b.Who, position.HoldingFilter{Date: ledger.Some(day)}, WholePage)
	if err != nil {
		r.Fatal(err)
	}
	sums := map[string]int64{}
	for _, h := range list {
		sums[h.Currency] += h.Minor
	}
	return sums["EUR"] + halved(sums["USD"])
}

// FlowsIn is what was booked in an account after a day up to another, each day's dollars halved by themselves.
func (b *Fixture) FlowsIn(a catalog.Account, after, last ledger.Date) (sum int64) {
	err := b.DB.Read(b.Ctx(), func(ctx context.Context, q *queries.Queries) (err error) {
		sum, err = q.Number(ctx, `SELECT coalesce(sum(iif(currency = 'USD', amount / 2 + amount % 2, amount)), 0) FROM account_days
			WHERE account_id = ? AND date > ? AND date <= ?`, a.ID, int64(after), int64(last))
		return err
	})
	if err != nil {
		b.tb.Fatal(err)
	}
	return sum
}

// halved rounds half away from zero.
func halved(n int64) int64 { return n/2 + n%2 }
