package demo

import (
	"context"
	"time"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

// firstRates are what one euro is worth in other currencies at the beginning, in ten-thousandths.
func firstRates() map[string]int64 {
	return map[string]int64{"USD": 10850, "JPY": 1_624_000, "CHF": 9480, "GBP": 8560}
}

// makeRates gives every day but those of weekends a rate, which wanders.
func (d *quotes) makeRates(ctx context.Context) error {
	for _, code := range []string{"USD", "JPY", "CHF", "GBP"} {
		rate := firstRates()[code]
		for day := d.first - 7; day <= d.today; day++ {
			rate += rate * d.between(-40, 40) / 10_000
			if weekday := day.Time().Weekday(); weekday != time.Saturday && weekday != time.Sunday {
				d.rates = append(d.rates, fx.ExchangeRate{From: "EUR", To: code, Date: day,
					Rate: decimal.New(rate, -4)})
			}
		}
	}
	_, err := d.ledger.Rates.ImportRates(ctx, fx.RateFile{Source: fx.SourceCSV, Rates: d.rates})
	return err
}

// rate is what one euro is worth on a day, by the newest rate.
func (d *quotes) rate(code string, day ledger.Date) (newest decimal.Decimal) {
	for _, r := range d.rates {
		if r.To == code && r.Date <= day {
			newest = r.Rate
		}
	}
	return newest
}

// cents are what an amount in another currency is worth in euros, in cents.
func (d *quotes) cents(minor int64, code string, day ledger.Date) int64 {
	money, _ := money.LookupCurrency(code)
	return money.Decimal(minor).DivRound(d.rate(code, day), 2).Shift(2).IntPart()
}
