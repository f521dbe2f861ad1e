package cmd

import (
	"context"
	"time"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
)

// demoSecurity is a security with its first price, in cents of its currency.
type demoSecurity struct {
	ticker, name, currency string
	manual                 bool
	cents                  int64
}

// The tickers of the securities. Bitcoin is priced by hand, so nothing looks it up.
const (
	demoFund    = "NWIX"
	demoShares  = "ACME"
	demoBitcoin = "BTC"
)

func demoSecurities() []demoSecurity {
	return []demoSecurity{
		{demoFund, "Northwind World Index", "EUR", false, 8_412},
		{demoShares, "Acme Instruments", "USD", false, 21_150},
		{demoBitcoin, "Bitcoin", "EUR", true, 5_480_000},
	}
}

// demoSplit is how many days after the first the shares are split in two.
const demoSplit = 430

// makeSecurities makes the securities and gives each a price on every working day, which wanders upwards.
func (d *demoMarket) makeSecurities(ctx context.Context) error {
	for _, s := range demoSecurities() {
		if _, err := d.ledger.CreateSecurity(ctx, d.who, ledger.SecurityInput{
			Ticker: ledger.Some(s.ticker), Name: ledger.Some(s.name), Manual: ledger.Some(s.manual)}); err != nil {
			return err
		}
		d.wander(s)
	}
	return nil
}

func (d *demoMarket) wander(s demoSecurity) {
	cents := s.cents
	for day := d.first; day <= d.today; day++ {
		if cents += cents * d.between(-100, 108) / 10_000; s.ticker == demoShares && day == d.first.AddDays(demoSplit) {
			cents /= 2
		}
		if weekday := day.Time().Weekday(); weekday != time.Saturday && weekday != time.Sunday {
			d.prices = append(d.prices, ledger.PriceInput{Security: ledger.SecurityRef{Ticker: ledger.Some(s.ticker)}, Date: ledger.Some(day),
				Price: ledger.Some(decimal.New(cents, -2)), Currency: ledger.Some(s.currency)})
		}
	}
}

// price is the newest price of a security on a day.
func (d *demoMarket) price(ticker string, day ledger.Date) (newest ledger.PriceInput) {
	for _, p := range d.prices {
		if p.Security.Ticker.Value == ticker && (p.Date.Value <= day || !newest.Price.Set) {
			newest = p
		}
	}
	return newest
}

// putPrices writes the prices, and the split of the shares.
func (d *demoMarket) putPrices(ctx context.Context) error {
	if _, err := d.ledger.PutPrices(ctx, d.who, d.prices); err != nil {
		return err
	}
	_, err := d.ledger.CreateSplit(ctx, d.who, ledger.SplitInput{Security: ledger.SecurityRef{Ticker: ledger.Some(demoShares)},
		Date: ledger.Some(d.first.AddDays(demoSplit)), Ratio: ledger.Some("2:1")})
	return err
}
