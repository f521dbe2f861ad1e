package demo

import (
	"context"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/trade"
)

// invest books what is traded from the first day to today, a deal a day.
func (d *household) invest(ctx context.Context) error {
	for day := d.first; day <= d.today; day++ {
		in, there := d.deal(day)
		if !there {
			continue
		}
		in.Date = ledger.Some(day)
		if _, err := d.ledger.Trades.CreateTrade(ctx, d.who, in); err != nil {
			return err
		}
	}
	return nil
}

// deal is the trade of a day, if there is any: every month some of the fund, now and then something else.
func (d *household) deal(day ledger.Date) (in trade.Input, there bool) {
	switch int(day - d.first) {
	case 20:
		return d.trade(day, "buy", broker, shares, decimal.New(12, 0), "4.90"), true
	case 250:
		return d.trade(day, "sell", broker, shares, decimal.New(5, 0), "4.90"), true
	case 47:
		return d.trade(day, "buy", wallet, bitcoin, decimal.New(1234567, -8), "2.50"), true
	case 390:
		return d.trade(day, "buy", wallet, bitcoin, decimal.New(625, -5), "1.80"), true
	case 600:
		return d.trade(day, "sell", wallet, bitcoin, decimal.New(4, -3), "1.50"), true
	case 100, 190, 280, 370, 460, 550, 640:
		in = d.cash("dividend", d.between(900, 1_600))
		in.Ticker, in.Currency = ledger.Some(shares), ledger.Some("USD")
		return in, true
	case 120, 485:
		return d.cash("fee", 2_400), true
	case 350, 700:
		return d.cash("interest", d.between(800, 2_000)), true
	}
	if day.Time().Day() != 16 {
		return in, false
	}
	quantity := decimal.New(300, 0).DivRound(d.price(fund, day).Price.Value, 4)
	return d.trade(day, "buy", broker, fund, quantity, "0.50"), true
}

// trade is a purchase or a sale at the price of the day.
func (d *household) trade(day ledger.Date, kind, account, ticker string, quantity decimal.Decimal,
	fee string) trade.Input {
	price := d.price(ticker, day)
	return trade.Input{Type: ledger.Some(kind), AccountID: ledger.Some(d.accounts[account]),
		Ticker:   ledger.Some(ticker),
		Quantity: ledger.Some(quantity), Price: price.Price, Currency: price.Currency,
		Fee: ledger.Some(decimal.RequireFromString(fee))}
}

// cash moves cents in the broker's account.
func (d *household) cash(kind string, cents int64) trade.Input {
	return trade.Input{Type: ledger.Some(kind), AccountID: ledger.Some(d.accounts[broker]),
		Amount: ledger.Some(decimal.New(cents, -2))}
}
