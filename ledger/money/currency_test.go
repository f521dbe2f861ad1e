package money_test

import (
	"testing"

	"finsvc/ledger/money"
)

// TestLookupCurrency holds what was decided.
//
// Decision, Money: whole minor units, ISO 4217 with its exponents, BTC and ETH with eight.
func TestLookupCurrency(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want money.Currency
		ok   bool
	}{
		{"EUR", money.Currency{Code: "EUR", Exponent: 2}, true},
		{"eur", money.Currency{Code: "EUR", Exponent: 2}, true},
		{"jPy", money.Currency{Code: "JPY", Exponent: 0}, true},
		{"KWD", money.Currency{Code: "KWD", Exponent: 3}, true},
		{"CLF", money.Currency{Code: "CLF", Exponent: 4}, true},
		{"BTC", money.Currency{Code: "BTC", Exponent: 8}, true},
		{"eth", money.Currency{Code: "ETH", Exponent: 8}, true},
		// ISO and CLDR differ about these.
		{"HUF", money.Currency{Code: "HUF", Exponent: 2}, true},
		{"IQD", money.Currency{Code: "IQD", Exponent: 3}, true},
		{"MGA", money.Currency{Code: "MGA", Exponent: 2}, true},
		// New ones of the last years.
		{"SLE", money.Currency{Code: "SLE", Exponent: 2}, true},
		{"XCG", money.Currency{Code: "XCG", Exponent: 2}, true},
		{"ZWG", money.Currency{Code: "ZWG", Exponent: 2}, true},
		// Withdrawn, without a minor unit, not ISO, not a code.
		{"DEM", money.Currency{}, false},
		{"HRK", money.Currency{Code: "HRK", Exponent: 2}, true},
		{"DEM", money.Currency{}, false},
		{"XAU", money.Currency{}, false},
		{"XXX", money.Currency{}, false},
		{"CNH", money.Currency{}, false},
		{"", money.Currency{}, false},
		{"EU", money.Currency{}, false},
		{"EURO", money.Currency{}, false},
		{" EUR", money.Currency{}, false},
		{"€", money.Currency{}, false}, // three bytes
	} {
		got, ok := money.LookupCurrency(c.text)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("LookupCurrency(%q) = %v, %v, want %v, %v", c.text, got, ok, c.want, c.ok)
		}
	}
}
