package export_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/market"
)

// What is written as positive goes out of the account.
func TestJournalOfTransactions(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro, card := b.OpenWith("Giro", "depository", "EUR", "1000"), b.OpenWith("Card", "credit_card", "EUR", "0")
	in := ledgertest.Entry(uuid.UUID(giro.PublicID), "2026-02-03", "12.50", "Lunch")
	in.CategoryID = ledger.Some(b.Category(b.Who, "Food: out"))
	in.MerchantID = ledger.Some(b.Merchant(b.Who, "Corner Bakery"))
	in.Notes = ledger.Some("with: Ana; and Bo\n\n  \t5 EUR each")
	b.Create(in)
	b.Book(giro, "2026-02-02", "-3000", "EUR", "Salary")
	b.Book(card, "2026-02-03", "0.99", "EUR", "(4711) Shop")
	b.JournalIs(`
; Home: the books of a household, written by finsvc for hledger 1.25 and later

decimal-mark .

commodity 1.00 EUR
account assets:Giro  ; id:` + uuid.UUID(giro.PublicID).String() + `
account liabilities:Card  ; id:` + uuid.UUID(card.PublicID).String() + `
account expenses:Food∶ out


2026-02-01 * Opening balance
    assets:Giro  1000.00 EUR = 1000.00 EUR
    equity:valuations  -1000.00 EUR

2026-02-02 * Salary
    assets:Giro  3000.00 EUR
    income:uncategorised  -3000.00 EUR

2026-02-03 * Corner Bakery | Lunch
    ; with∶ Ana； and Bo
    ; 5 EUR each
    assets:Giro  -12.50 EUR
    expenses:Food∶ out  12.50 EUR

2026-02-03 * () (4711) Shop
    liabilities:Card  -0.99 EUR
    expenses:uncategorised  0.99 EUR
`)
}

// One and two cents come in on a day on which a dollar is worth half a euro: 0.5 and 1.5 cents round to 1 and
// 2, so the second entry makes a difference of 1. The yen have no rate; the valuation ends both.
func TestJournalOfOtherCurrencies(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	a := b.OpenWith("A", "depository", "EUR", "0")
	b.Rate("USD", "EUR", "2026-02-10", "0.5")
	b.Book(a, "2026-02-10", "-0.01", "USD", "one")
	b.Book(a, "2026-02-10", "-0.02", "USD", "two")
	b.Book(a, "2026-02-10", "700", "JPY", "yen")
	b.Value(a, "2026-02-12", 100)
	b.Book(a, "2026-02-17", "2", "USD", "seven days")
	b.Book(a, "2026-02-18", "8", "USD", "eight days")
	_, rest, _ := strings.Cut(b.Journal(), "\nP ")
	want := `2026-02-10 USD 0.5 EUR

2026-02-10 * one
    assets:A  0.01 EUR
    income:uncategorised  -0.01 USD @@ 0.01 EUR

2026-02-10 * two
    assets:A  0.01 EUR
    income:uncategorised  -0.02 USD @@ 0.01 EUR

2026-02-10 * yen
    assets:A:unconverted  -700 JPY
    expenses:uncategorised  700 JPY

2026-02-12 * Valuation
    assets:A  0.98 EUR = 1.00 EUR
    equity:valuations  -0.98 EUR
    assets:A:unconverted  700 JPY = 0 JPY
    equity:valuations  -700 JPY

2026-02-17 * seven days
    assets:A  -1.00 EUR
    expenses:uncategorised  2.00 USD @@ 1.00 EUR

2026-02-18 * eight days
    ; rate_date:2026-02-10, stale:true
    assets:A  -4.00 EUR
    expenses:uncategorised  8.00 USD @@ 4.00 EUR
`
	if diff := cmp.Diff(want, rest); diff != "" {
		t.Error(diff)
	}
}

func TestJournalNamesAreDistinct(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	for _, name := range []string{"A", "a", "A", "A 2", "A  ;:", "A；∶"} {
		b.OpenWith(name, "depository", "EUR", "0")
	}
	b.OpenWith("A", "loan", "EUR", "0")
	var names []string
	for line := range strings.Lines(b.Journal()) {
		if rest, found := strings.CutPrefix(line, "account "); found {
			name, _, _ := strings.Cut(rest, "  ;")
			names = append(names, name)
		}
	}
	want := "[assets:A assets:a assets:A 2 assets:A 2 2 assets:A ；∶ assets:A；∶ liabilities:A]"
	if fmt.Sprint(names) != want {
		t.Errorf("got %v, want %v", names, want)
	}
}

func TestJournalIsOfOneHousehold(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	b.Book(b.OpenWith("Secret", "depository", "EUR", "5"), "2026-02-10", "1", "USD", "secret")
	b.Who = b.Household("Other")
	if got := b.Journal(); strings.Contains(strings.ToLower(got), "secret") || strings.Contains(got, "2026-") {
		t.Errorf("another household's journal has %s", got)
	}
}

// brokenPipe takes some bytes and then no more.
type brokenPipe struct{ left int }

var errBroken = errors.New("nobody reads any more")

func (p *brokenPipe) Write(b []byte) (int, error) {
	if p.left -= len(b); p.left < 0 {
		return 0, errBroken
	}
	return len(b), nil
}

func TestJournalThatNobodyReads(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	a := b.OpenWith("A", "depository", "EUR", "5")
	for range 3 {
		in := ledgertest.Entry(uuid.UUID(a.PublicID), "2026-02-10", "1", "x")
		in.Notes = ledger.Some(strings.Repeat("word ", 1900))
		for range 8 {
			b.Create(in)
		}
	}
	for _, most := range []int{0, 100_000} {
		if _, err := b.Exports.WriteJournal(b.Ctx(), b.Who, &brokenPipe{most}); !errors.Is(err, errBroken) {
			t.Errorf("after %d bytes: %v", most, err)
		}
	}
}

// 10 at 100.00 with a fee of 1.50, 5 at 130.00, three for one: 45. Of these 12 are sold at 50.00 and 33 are
// left. The last price paid, 130.00, is 43.33 after the split; at 50.00 the 33 are worth 1650.00, so of a total
// of 2000.00 350.00 are cash.
func TestJournalOfTrades(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	a := b.OpenWith("Broker", "investment", "EUR", "0")
	b.Deal(a, "buy", "2026-02-02", "AB C", "10", "100", "1.50")
	b.Deal(a, "buy", "2026-02-03", "AB C", "5", "130", "0")
	if _, err := b.Market.CreateSplit(b.Ctx(), b.Who, market.SplitInput{Security: market.SecurityName{Ticker: ledger.Some("AB C")}, Date: ledgertest.DayOf("2026-02-04"), Ratio: ledger.Some("3:1")}); err != nil {
		t.Fatal(err)
	}
	b.Deal(a, "sell", "2026-02-05", "AB C", "12", "50", "0")
	b.Deal(a, "dividend", "2026-02-06", "AB C", "", "7.25", "0")
	b.Value(a, "2026-02-06", 200_000)
	_, rest, _ := strings.Cut(b.Journal(), "\nP ")
	want := `2026-02-02 "AB C" 100 EUR
P 2026-02-03 "AB C" 130 EUR
P 2026-02-04 "AB C" 43.333333333333333333333333333334 EUR
P 2026-02-05 "AB C" 50 EUR


2026-02-02 * buy
    assets:Broker  -1001.50 EUR
    assets:Broker:AB C  10 "AB C" @@ 1000.00 EUR
    expenses:fees  1.50 EUR

2026-02-03 * buy
    assets:Broker  -650.00 EUR
    assets:Broker:AB C  5 "AB C" @@ 650.00 EUR

2026-02-04 * Split 3:1 of AB C
    assets:Broker:AB C  30 "AB C"
    equity:splits  -30 "AB C"

2026-02-05 * sell
    assets:Broker  600.00 EUR
    assets:Broker:AB C  -12 "AB C" @@ 600.00 EUR

2026-02-06 * dividend
    assets:Broker  7.25 EUR
    income:dividends  -7.25 EUR

2026-02-06 * Valuation
    assets:Broker  1394.25 EUR = 350.00 EUR
    equity:valuations  -1394.25 EUR
`
	if diff := cmp.Diff(want, rest); diff != "" {
		t.Error(diff)
	}
}
