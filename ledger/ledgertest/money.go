package ledgertest

import (
	"testing"

	"github.com/shopspring/decimal"

	"finsvc/ledger/money"
)

func Number(t testing.TB, text string) decimal.Decimal {
	t.Helper()
	d, err := money.ParseDecimal(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d
}
