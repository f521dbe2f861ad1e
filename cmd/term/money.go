package term

import (
	"fmt"

	"finsvc/ledger"
)

// Formatted is an amount in minor units of a currency, as a household writes it.
func Formatted(format *ledger.Formatter, minor int64, code string) string {
	currency, _ := ledger.LookupCurrency(code) // what is stored was looked up
	return format.Money(minor, currency)
}

// StaleText says which old rate counts.
func StaleText(s ledger.StaleRate) string {
	return fmt.Sprintf("%s to %s: the rate of %s counts for %s, %d days old", s.From, s.To, s.RateDate, s.Date, s.Days())
}
