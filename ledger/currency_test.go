package ledger_test

import (
	"testing"

	"finsvc/ledger"
)

func TestLookupCurrency(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want ledger.Currency
		ok   bool
	}{
		{"EUR", ledger.Currency{Code: "EUR", Exponent: 2}, true},
		{"eur", ledger.Currency{Code: "EUR", Exponent: 2}, true},
		{"jPy", ledger.Currency{Code: "JPY", Exponent: 0}, true},
		{"KWD", ledger.Currency{Code: "KWD", Exponent: 3}, true},
		{"CLF", ledger.Currency{Code: "CLF", Exponent: 4}, true},
		{"BTC", ledger.Currency{Code: "BTC", Exponent: 8}, true},
		{"eth", ledger.Currency{Code: "ETH", Exponent: 8}, true},
		// ISO and CLDR differ about these.
		{"HUF", ledger.Currency{Code: "HUF", Exponent: 2}, true},
		{"IQD", ledger.Currency{Code: "IQD", Exponent: 3}, true},
		{"MGA", ledger.Currency{Code: "MGA", Exponent: 2}, true},
		// New ones of the last years.
		{"SLE", ledger.Currency{Code: "SLE", Exponent: 2}, true},
		{"XCG", ledger.Currency{Code: "XCG", Exponent: 2}, true},
		{"ZWG", ledger.Currency{Code: "ZWG", Exponent: 2}, true},
		// Withdrawn, without a minor unit, not ISO, not a code.
		{"DEM", ledger.Currency{}, false},
		{"HRK", ledger.Currency{Code: "HRK", Exponent: 2}, true},
		{"DEM", ledger.Currency{}, false},
		{"XAU", ledger.Currency{}, false},
		{"XXX", ledger.Currency{}, false},
		{"CNH", ledger.Currency{}, false},
		{"", ledger.Currency{}, false},
		{"EU", ledger.Currency{}, false},
		{"EURO", ledger.Currency{}, false},
		{" EUR", ledger.Currency{}, false},
		{"€", ledger.Currency{}, false}, // three bytes
	} {
		got, ok := ledger.LookupCurrency(c.text)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("LookupCurrency(%q) = %v, %v, want %v, %v", c.text, got, ok, c.want, c.ok)
		}
	}
}
