package demo

import (
	"context"
	"time"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/market"
)

// security is a security with its first price, in cents of its currency.
type security struct {
	ticker, name, currency string
	manual                 bool
	cents                  int64
}

// The tickers of the securities. Bitcoin is priced by hand, so nothing looks it up.
const (
	fund    = "NWIX"
	shares  = "ACME"
	bitcoin = "BTC"
)

func securities() []security {
	return []security{
		{fund, "Northwind World Index", "EUR", false, 8_412},
		{shares, "Acme Instruments", "USD", false, 21_150},
		{bitcoin, "Bitcoin", "EUR", true, 5_480_000},
	}
}

// splitAfter is how many days after the first the shares are split in two.
const splitAfter = 430

// makeSecurities makes the securities and gives each a price on every working day, which wanders upwards.
func (d *quotes) makeSecurities(ctx context.Context) error {
	for _, s := range securities() {
		if _, err := d.ledger.Market.CreateSecurity(ctx, d.who, market.SecurityInput{
			Ticker: ledger.Some(s.ticker), Name: ledger.Some(s.name), Manual: ledger.Some(s.manual)}); err != nil {
			return err
		}
		d.wander(s)
	}
	return nil
}

func (d *quotes) wander(s security) {
	cents := s.cents
	for day := d.first; day <= d.today; day++ {
		cents += cents * d.between(-100, 108) / 10_000
		if s.ticker == shares && day == d.first.AddDays(splitAfter) {
			cents /= 2
		}
		if weekday := day.Time().Weekday(); weekday != time.Saturday && weekday != time.Sunday {
			d.prices = append(d.prices, market.PriceInput{Security: market.SecurityName{Ticker: ledger.Some(s.ticker)},
				Date:  ledger.Some(day),
				Price: ledger.Some(decimal.New(cents, -2)), Currency: ledger.Some(s.currency)})
		}
	}
}

// price is the newest price of a security on a day.
func (d *quotes) price(ticker string, day ledger.Date) (newest market.PriceInput) {
	for _, p := range d.prices {
		if p.Security.Ticker.Value == ticker && (p.Date.Value <= day || !newest.Price.Set) {
			newest = p
		}
	}
	return newest
}

// putPrices writes the prices, and the split of the shares.
func (d *quotes) putPrices(ctx context.Context) error {
	if _, err := d.ledger.Market.PutPrices(ctx, d.who, d.prices); err != nil {
		return err
	}
	_, err := d.ledger.Market.CreateSplit(ctx, d.who, market.SplitInput{Security: market.SecurityName{Ticker: ledger.Some(shares)},
		Date: ledger.Some(d.first.AddDays(splitAfter)), Ratio: ledger.Some("2:1")})
	return err
}
