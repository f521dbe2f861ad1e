package prose

import (
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/ledger/money"
)

// Money writes an amount for people, exactly and with at least the decimals of its currency: -1,234.50 EUR.
func Money(amount decimal.Decimal, currency string) string {
	c, _ := money.LookupCurrency(currency)
	return withCommas(amount, int32(c.Exponent)) + " " + currency
}

// Grouped writes a number with all the decimals that it has, and commas between thousands.
func Grouped(n decimal.Decimal) string { return withCommas(n, 0) }

func withCommas(n decimal.Decimal, decimals int32) string {
	text := n.Abs().StringFixed(max(decimals, -n.Exponent()))
	whole, fraction, hasFraction := strings.Cut(text, ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if hasFraction {
		whole += "." + fraction
	}
	if n.IsNegative() {
		return "-" + whole
	}
	return whole
}

// Counted is a number of things: "1 transaction", "1,200 transactions".
func Counted(n int64, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return Grouped(decimal.NewFromInt(n)) + " " + thing
}

// Difference says by how much one amount is more or less than another: "32.20 EUR more".
func Difference(a, b decimal.Decimal, currency string) string {
	d := a.Sub(b)
	switch d.Sign() {
	case 1:
		return Money(d, currency) + " more"
	case -1:
		return Money(d.Neg(), currency) + " less"
	}
	return "the same"
}
