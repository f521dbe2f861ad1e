package trade_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/money"
	"finsvc/ledger/trade"
	"finsvc/queries"
)

// TestTradeCash has results worked by hand.
func TestTradeCash(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"buy 10 12.345 1.50 EUR":          "-12495 150", // 123.45 and 1.50
		"buy 3 1234.5 0 JPY":              "-3704 0",    // 3703.5
		"sell 3 33.335 0.10 EUR":          "9991 10",    // 100.005 less 0.10 is 99.905
		"buy 1 97.84 0.979 USD":           "-9882 98",   // 98.819
		"buy 2 5.0022 0.004 USD":          "-1001 1",    // 10.0044 alone is 10.00, with the fee 10.0084 is 10.01
		"sell 1 0.004 0.009 EUR":          "-1 1",       // the fee takes more than it brings
		"buy 0.12345678 40000.50 0 USD":   "-493833 0",  // 4938.33292839
		"buy 0.5 1.001 0 KWD":             "-501 0",     // 0.5005
		"buy 0 1 0 EUR":                   "qty must not be 0",
		"buy 1 0 0 EUR":                   "price must be greater than 0, got 0",
		"buy 1 1 -1 EUR":                  "fee must be 0 or greater, got -1",
		"buy 1000000000000000 1000 0 EUR": "qty times price, fee included, must lie between -90000000000000.00 and 90000000000000.00 EUR",
	} {
		f := strings.Fields(name)
		currency, _ := money.LookupCurrency(f[4])
		cash, fee, problems := trade.TradeCash(f[0], ledgertest.Number(t, f[1]), ledgertest.Number(t, f[2]), ledgertest.Number(t, f[3]), currency)
		got := fmt.Sprint(cash, " ", fee)
		if len(problems) > 0 {
			got = strings.Join(problems.Sentences(), "; ")
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// TestInsertTradesIsCreateTradeAtOnce books the same trades one by one in one account and at once in another: what is
// held on every day is the same, and nothing is left of them when they are taken out again.
func TestInsertTradesIsCreateTradeAtOnce(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	rapid.Check(t, func(r *rapid.T) {
		single, bulk := b.Broker(r, "single"), b.Broker(r, "bulk")
		ticker := fmt.Sprint("T", single.ID)
		drafts := rapid.SliceOfN(rapid.Custom(drawTrade), 1, 8).Draw(r, "trades")
		for i := range drafts {
			drafts[i].Row = int64(i + 1)
			b.BookSingly(r, single, ticker, drafts[i])
		}
		importID := b.BookAtOnce(r, bulk, ticker, drafts)
		if diff := cmp.Diff(b.History(r, single), b.History(r, bulk)); diff != "" {
			r.Fatalf("one by one (-), at once (+): %s", diff)
		}
		b.Write(r, func(ctx context.Context, q *queries.Queries) error {
			return trade.RemoveImportTrades(ctx, b.Tx(q, b.Who), importID)
		})
		if left := b.History(r, bulk); left != "" {
			r.Fatalf("left: %s", left)
		}
	})
}

func drawTrade(r *rapid.T) trade.TradeDraft {
	kind := rapid.SampledFrom([]string{"buy", "buy", "sell"}).Draw(r, "kind")
	quantity, price := decimal.New(rapid.Int64Range(1, 99).Draw(r, "quantity"), -1), decimal.New(rapid.Int64Range(1, 9999).Draw(r, "price"), -3)
	euro, _ := money.LookupCurrency("EUR")
	d := trade.TradeDraft{Date: ledger.NewDate(2026, 1, 1) + ledger.Date(rapid.IntRange(0, 5).Draw(r, "day")), Kind: kind, Quantity: quantity,
		Price: price, Currency: "EUR", AllowShort: true}
	d.Amount, d.Fee, _ = trade.TradeCash(kind, quantity, price, decimal.New(rapid.Int64Range(0, 99).Draw(r, "fee"), -2), euro)
	if kind == "sell" {
		d.Quantity = quantity.Neg()
	}
	return d
}
