package market

import (
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

// FuzzParsePrices: whatever the file, it is refused with a reason or gives prices that can be kept.
func FuzzParsePrices(f *testing.F) {
	for _, seed := range []string{"date,ticker,price,currency\n2026-01-01,ACME,1,EUR\n", "mic;date;ticker;price;currency\nXNAS;2026-01-01;ACME|XNAS;1e-12;EUR\n",
		"date\tticker\tprice\tcurrency\n2026-01-01\tA\t1e40\tEUR", "\ufeffdate,ticker,close,currency\n", "PK\x03\x04", "", "\"", "date,price\n2026-01-01,N/A\n2026-01-01,5\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if list, err := ParseMarketPrices(content, "EUR"); err == nil {
			for _, p := range list {
				checkRead(t, p.Date, p.Currency, p.Price.String())
			}
		}
		file, err := ParsePrices(content)
		if err != nil {
			if !ledger.IsKind(err, ledger.Invalid) || len(ledger.AsError(err).Fields) > fx.MaxFileProblems+4 {
				t.Fatalf("got %v", err)
			}
			return
		}
		if len(file.rows) == 0 {
			t.Fatal("a file without prices was taken")
		}
		for name, rows := range file.rows {
			if symbol, mic, err := ParseTicker(TickerText(name.symbol, name.mic)); err != nil || symbol != name.symbol || mic != name.mic {
				t.Fatalf("%+v is read again as %s %s, %v", name, symbol, mic, err)
			}
			for _, row := range rows {
				checkRead(t, row.day, row.currency, row.price)
			}
		}
	})
}

func checkRead(t *testing.T, day ledger.Date, code, text string) {
	t.Helper()
	_, known := money.LookupCurrency(code)
	price, err := decimal.NewFromString(text)
	if day.Check() != nil || !known || err != nil || CheckPrice(price) != nil || strings.ContainsAny(text, `eE"\`) {
		t.Fatalf("got %s %s %s", day, code, text)
	}
}
