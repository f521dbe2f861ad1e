package export_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/export"
	"finsvc/ledger/ledgertest"
)

// 1000.00 to begin with, 10 bought at 100.00 with a fee of 1.50: -1.50 are left and 10 units. Of 7 yen there is no rate.
func TestBeancount(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	a := b.OpenWith("Broker: old", "investment", "EUR", "1000")
	b.Deal(a, "buy", "2026-02-02", "AB C", "10", "100", "1.50")
	in := ledgertest.Entry(uuid.UUID(a.PublicID), "2026-02-03", "7", `Lunch "out"`)
	in.Currency, in.Notes = ledger.Some("JPY"), ledger.Some("a\\b\nc")
	in.MerchantID = ledger.Some(b.Merchant(b.Who, "Bakery"))
	in.CategoryID = ledger.Some(b.Category(b.Who, "food & drink"))
	b.Create(in)
	_, got, _ := strings.Cut(b.Beancount(), "\n1900-01-01 commodity EUR\n")
	got, opened, _ := strings.Cut(got, "2026-02-01 open Equity:Transfers\n")
	_, rest, _ := strings.Cut(opened, "open Expenses:Uncategorised\n")
	want := `1900-01-01 commodity JPY

2026-02-01 open Assets:Broker-old EUR
  id: "` + uuid.UUID(a.PublicID).String() + `"
2026-02-01 open Assets:Broker-old:AB-C AB-C
2026-02-01 open Assets:Broker-old:Unconverted
2026-02-01 open Expenses:Food-drink

1900-01-01 commodity AB-C
2026-02-02 price AB-C  100 EUR


2026-02-01 * "Opening balance"
  Assets:Broker-old  1000.00 EUR
  Equity:Valuations  -1000.00 EUR
2026-02-02 balance Assets:Broker-old  1000.00 ~ 0 EUR

2026-02-02 * "buy"
  Assets:Broker-old  -1001.50 EUR
  Assets:Broker-old:AB-C  10 AB-C @@ 1000.00 EUR
  Expenses:Fees  1.50 EUR

2026-02-03 * "Bakery" "Lunch \"out\""
  notes: "a\\b\nc"
  Assets:Broker-old:Unconverted  -7 JPY
  Expenses:Food-drink  7 JPY

2026-02-04 balance Assets:Broker-old  -1.50 ~ 0 EUR
2026-02-04 balance Assets:Broker-old:Unconverted  -7 ~ 0 JPY
2026-02-04 balance Assets:Broker-old:AB-C  10 ~ 0 AB-C
`
	if diff := cmp.Diff(want, got+rest); diff != "" {
		t.Error(diff)
	}
}

func TestBeancountNames(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	for _, name := range []string{"a b", "A-B", "a  b", "日用品", "7 days", "été", "***"} {
		b.OpenWith(name, "depository", "EUR", "0")
	}
	broker := b.OpenWith("Broker", "investment", "EUR", "0")
	for _, ticker := range []string{"V", "7203", "BRK.B", "BRK-B", "BTC", "TRUE", "ABCDEFGHIJKLMNOPQRST"} {
		b.Deal(broker, "buy", "2026-02-02", ticker, "1", "1", "0")
	}
	got := map[string]bool{}
	for line := range strings.Lines(b.Beancount()) {
		if words := strings.Fields(line); len(words) == 4 && words[1] == "open" {
			got[words[2]] = true
		}
	}
	for _, want := range []string{"Assets:A-b", "Assets:A-B", "Assets:A-b-2", "Assets:N-日用品", "Assets:7-days", "Assets:Été", "Assets:Unnamed", "Assets:Broker:V-1",
		"Assets:Broker:X7203", "Assets:Broker:BRK-B", "Assets:Broker:BRK-B-2", "Assets:Broker:BTC-SECURITY", "Assets:Broker:TRUE-1", "Assets:Broker:ABCDEFGHIJKLMNOPQR"} {
		if !got[want] {
			t.Errorf("no account %s among %v", want, got)
		}
	}
}

func TestHarmless(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "a": "a", "=1+1": "'=1+1", "+49": "'+49", "-5": "'-5", "@x": "'@x", "\tx": "'\tx", "\rx": "'\rx", "'=x": "''=x",
		"'tis": "'tis", "'": "'", "''": "''", "''@": "'''@", " =x": " =x", "a=b": "a=b"} {
		got := export.Harmless(text)
		if got != want || export.FromHarmless(got) != text {
			t.Errorf("%q became %q and that %q, want %q", text, got, export.FromHarmless(got), want)
		}
	}
}

// FuzzHarmless: what is made harmless comes back as it was, and nothing begins a formula.
func FuzzHarmless(f *testing.F) {
	f.Add("'=x")
	f.Fuzz(func(t *testing.T, text string) {
		got := export.Harmless(text)
		if export.FromHarmless(got) != text || got != "" && strings.ContainsRune("=+-@\t\r", rune(got[0])) {
			t.Errorf("%q became %q and that %q", text, got, export.FromHarmless(got))
		}
	})
}
