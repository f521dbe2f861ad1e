package term

import (
	"fmt"

	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

// Formatted is an amount in minor units of a currency, as a household writes it.
func Formatted(format *money.Formatter, minor int64, code string) string {
	currency, _ := money.LookupCurrency(code) // what is stored was looked up
	return format.Money(minor, currency)
}

// StaleText says which old rate counts.
func StaleText(s fx.StaleRate) string {
	return fmt.Sprintf("%s to %s: the rate of %s counts for %s, %d days old", s.From, s.To, s.RateDate, s.Date,
		s.Days())
}
