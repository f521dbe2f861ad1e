package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/report"
)

// TestBalanceSheet has rates of one Friday only, and only from the euro: it is worth 160.25 yen and 0.3213
// dinars. 100000 yen are 624.0249 euros, the 50000 owed 312.0124; 12.345 dinars are 38.4220.
func TestBalanceSheet(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t) // today is Sunday, 2026-03-01
	b.OpenWith("Checking", "depository", "EUR", "1000.00")
	yen := b.OpenWith("Yen", "depository", "JPY", "100000")
	b.OpenWith("Dinars", "depository", "KWD", "12.345")
	b.OpenWith("Card", "credit_card", "EUR", "250.00")
	b.OpenWith("Tokyo loan", "loan", "JPY", "50000")
	francs := b.OpenWith("Francs", "depository", "CHF", "77.00")
	b.OpenWith("Empty", "depository", "SEK", "0")
	closed := b.OpenWith("Closed", "depository", "EUR", "5000.00")
	if _, err := b.Accounts.UpdateAccount(b.Ctx(), b.Who, uuid.UUID(closed.PublicID), catalog.AccountInput{Status: ledger.Some("disabled")}); err != nil {
		t.Fatal(err)
	}
	b.Rate("EUR", "JPY", "2026-02-27", "160.25")
	b.Rate("EUR", "KWD", "2026-02-27", "0.3213")
	b.Rate("EUR", "USD", "2026-02-27", "1.1")
	const none = "75000 100000 25000 CHF 7700 of 1 JPY 50000 of 2 KWD 12345 of 1"
	const all = "110043 166244 56201 CHF 7700 of 1"
	for day, want := range map[string]string{
		"2026-02-26": none, "2026-02-27": all, "2026-03-01": all, "2026-03-06": all, "2026-03-07": all, "1900-01-01": none, "2199-12-31": all,
	} {
		if got := ledgertest.Totals(b.Sheet(day)); got != want {
			t.Errorf("%s: got %s, want %s", day, got, want)
		}
	}
	sheet, err := b.Reports.BalanceSheet(b.Ctx(), b.Who, ledger.Opt[ledger.Date]{})
	if err != nil || sheet.AsOf.String() != "2026-03-01" || sheet.Currency != "EUR" || sheet.Unconverted[0].Accounts[0] != uuid.UUID(francs.PublicID) {
		t.Errorf("got %+v, %v", sheet, err)
	}
	if got, want := fmt.Sprint(sheet.Rates), "[{{EUR JPY 2026-02-27 160.25} false} {{EUR KWD 2026-02-27 0.3213} false}]"; got != want {
		t.Errorf("rates are %s, want %s", got, want)
	}
	if fresh := b.Sheet("2026-03-06"); len(fresh.Stale) > 0 {
		t.Errorf("seven days are stale: %v", fresh.Stale)
	}
	old := b.Sheet("2026-03-07")
	if got, want := fmt.Sprint(old.Stale, old.Rates), "[{JPY EUR 2026-03-07 2026-02-27} {KWD EUR 2026-03-07 2026-02-27}] "+
		"[{{EUR JPY 2026-02-27 160.25} true} {{EUR KWD 2026-02-27 0.3213} true}]"; got != want {
		t.Errorf("a day later %s, want %s", got, want)
	}
	b.Create(ledgertest.Entry(uuid.UUID(yen.PublicID), "2026-03-02", "-16025", "Tomorrow"))
	if got := ledgertest.Totals(b.Sheet("2026-03-01")); got != all {
		t.Errorf("tomorrow counts today: %s", got)
	}
	if got, want := ledgertest.Totals(b.Sheet("2026-03-02")), "120043 176244 56201 CHF 7700 of 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b.Who = b.Household("Strangers")
	if got := ledgertest.Totals(b.Sheet("2026-03-01")); got != "0 0 0" {
		t.Errorf("strangers see %s", got)
	}
}

// TestBalanceSheetThroughBase goes from pounds to dollars to euros: 10.00 at 1.25 and at 0.8 are 10.00; and
// an entry in another currency than the account's is left out where its own day has no rate.
func TestBalanceSheetThroughBase(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	b.OpenWith("Pounds", "depository", "GBP", "10.00")
	card := b.OpenWith("Card", "credit_card", "EUR", "0")
	b.Rate("GBP", "USD", "2026-02-27", "1.25")
	b.Rate("USD", "EUR", "2026-02-28", "0.8")
	for day, amount := range map[string]string{"2026-02-10": "20.00", "2026-03-01": "30.00"} {
		in := ledgertest.Entry(uuid.UUID(card.PublicID), day, amount, "x")
		in.Currency = ledger.Some("USD")
		b.Create(in)
	}
	sheet := b.Sheet("2026-03-01")
	if got, want := ledgertest.Totals(sheet), "-1400 1000 2400 USD -2000 of 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(sheet.Rates), "[{{GBP USD 2026-02-27 1.25} false} {{USD EUR 2026-02-28 0.8} false}]"; got != want {
		t.Errorf("rates are %s, want %s", got, want)
	}
	// On the 7th one of the two is eight days old: the whole is as old as that.
	late := b.Sheet("2026-03-07")
	if got, want := fmt.Sprint(late.Stale, late.Rates), "[{GBP EUR 2026-03-07 2026-02-27}] [{{GBP USD 2026-02-27 1.25} true} {{USD EUR 2026-02-28 0.8} false}]"; got != want {
		t.Errorf("later %s, want %s", got, want)
	}
}

// TestCardPaidFromBank buys for 42.50 with a card and pays that from the bank: what is spent lowers the net worth on its
// day, the payment moves it from what is owed to what is there.
func TestCardPaidFromBank(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	bank, card := b.OpenWith("Bank", "depository", "EUR", "1000"), b.OpenWith("Card", "credit_card", "EUR", "0")
	for _, e := range []struct {
		of          catalog.Account
		day, amount string
	}{{card, "2026-02-03", "30"}, {card, "2026-02-04", "12.50"}, {bank, "2026-02-10", "42.50"}, {card, "2026-02-11", "-42.50"}} {
		b.Create(ledgertest.Entry(uuid.UUID(e.of.PublicID), e.day, e.amount, "x"))
	}
	for day, want := range map[string]string{"2026-02-02": "100000 100000 0", "2026-02-03": "97000 100000 3000", "2026-02-04": "95750 100000 4250",
		"2026-02-10": "91500 95750 4250", "2026-02-11": "95750 95750 0"} {
		if got := ledgertest.Totals(b.Sheet(day)); got != want {
			t.Errorf("%s: got %s, want %s", day, got, want)
		}
	}
}

// TestBalanceSheetBeyondCounting: an account with which the totals would be no amounts is left out of them, and said to be.
func TestBalanceSheetBeyondCounting(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	b.Rate("BTC", "EUR", "2026-03-01", "750000000")
	b.OpenWith("A", "crypto", "BTC", "80000000")
	b.OpenWith("B", "crypto", "BTC", "80000000")
	if got, want := ledgertest.Totals(b.Sheet("2026-03-01")), "6000000000000000000 6000000000000000000 0 EUR 6000000000000000000 of 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNetWorthDays(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t) // today is Sunday, 2026-03-01
	for _, c := range []struct{ start, end, interval, want string }{
		{"", "", "", "2025-04-30 2025-05-31 2025-06-30 2025-07-31 2025-08-31 2025-09-30 2025-10-31 2025-11-30 2025-12-31 2026-01-31 2026-02-28 2026-03-01"},
		{"2024-01-31", "2024-03-31", "month", "2024-01-31 2024-02-29 2024-03-31"},
		{"2026-01-15", "2026-02-10", "month", "2026-01-31 2026-02-10"},
		{"2026-02-21", "2026-03-03", "week", "2026-02-22 2026-03-01 2026-03-03"},
		{"2026-02-23", "2026-03-01", "week", "2026-03-01"},
		{"2026-02-22", "2026-02-23", "week", "2026-02-22 2026-02-23"},
		{"2026-02-27", "", "day", "2026-02-27 2026-02-28 2026-03-01"},
		{"2026-02-27", "2026-02-27", "day", "2026-02-27"},
		{"", "1900-01-02", "day", "1900-01-01 1900-01-02"},
		{"2199-12-30", "2199-12-31", "week", "2199-12-31"},
	} {
		got, err := b.Series(c.start, c.end, c.interval)
		var days []string
		for _, p := range got.Points {
			days = append(days, p.Date.String())
		}
		if text := strings.Join(days, " "); err != nil || text != c.want || got.Currency != "EUR" {
			t.Errorf("%+v: got %s, %v", c, text, err)
		}
	}
	if got, err := b.Series("2000-01-01", "2010-12-13", "day"); err != nil || len(got.Points) != 4000 {
		t.Errorf("got %d points, %v", len(got.Points), err)
	}
	_, err := b.Series("2000-01-01", "2010-12-14", "day")
	ledgertest.Refused(t, err, ledger.Invalid, "interval must give at most 4000 points; a day gives more from 2000-01-01 to 2010-12-14")
	_, err = b.Series("2026-03-02", "", "")
	ledgertest.Refused(t, err, ledger.Invalid, "start_date must not be after end_date, which is 2026-03-01, got 2026-03-02")
}

// TestNetWorthSaysWhatIsLeftOut: 500 yen are worth 3.00 euros from the Friday on, by a rate that is old from its eighth
// day on.
func TestNetWorthSaysWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	b.OpenWith("Yen", "loan", "JPY", "500")
	b.Rate("EUR", "JPY", "2026-02-06", "166.6667")
	got, err := b.Series("2026-02-04", "2026-02-15", "day")
	if err != nil {
		t.Fatal(err)
	}
	var nets []int64
	for _, p := range got.Points {
		nets = append(nets, p.NetWorth)
	}
	if want := []int64{0, 0, -300, -300, -300, -300, -300, -300, -300, -300, -300, -300}; !slices.Equal(nets, want) {
		t.Errorf("got %v, want %v", nets, want)
	}
	gap := got.Unconverted[0]
	if len(got.Unconverted) != 1 || gap.Currency != "JPY" || gap.Minor != -500 || gap.Points != 2 || gap.First.String() != "2026-02-04" || gap.Last.String() != "2026-02-05" || len(gap.Accounts) != 1 {
		t.Errorf("left out is %+v", got.Unconverted)
	}
	if stale := fmt.Sprint(got.Stale); stale != "[{JPY EUR 2026-02-15 2026-02-06}]" {
		t.Errorf("stale is %s", stale)
	}
	if fresh, err := b.Series("2026-02-04", "2026-02-13", "day"); err != nil || len(fresh.Stale) > 0 {
		t.Errorf("stale before its time: %v, %v", fresh.Stale, err)
	}
}

// TestNetWorthEqualsBalanceSheets compares every point of a series with the balance sheet of its day, for
// any accounts, entries, valuations and rates in several currencies.
func TestNetWorthEqualsBalanceSheets(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	homes := 0
	rapid.Check(t, func(r *rapid.T) {
		homes++
		b.Who = b.Household(fmt.Sprint("Home", homes))
		b.Exec("DELETE FROM exchange_rates")
		b.Generate(r)
		first := ledger.NewDate(2026, 1, 1).AddDays(rapid.IntRange(-3, 40).Draw(r, "start"))
		last := first.AddDays(rapid.IntRange(0, 40).Draw(r, "length"))
		got, err := b.Series(first.String(), last.String(), rapid.SampledFrom([]string{"day", "week", "month"}).Draw(r, "interval"))
		if err != nil || got.Points[len(got.Points)-1].Date != last {
			r.Fatalf("got %+v, %v", got, err)
		}
		gaps := map[string]int{}
		for _, p := range got.Points {
			sheet := b.Sheet(p.Date.String())
			if want := (report.NetWorthPoint{Date: sheet.AsOf, NetWorth: sheet.NetWorth, Assets: sheet.Assets, Liabilities: sheet.Liabilities}); p != want {
				r.Fatalf("got %+v, want %+v", p, want)
			}
			if sheet.NetWorth != sheet.Assets-sheet.Liabilities {
				r.Fatalf("%+v does not add up", sheet)
			}
			if sum := b.SumOfAccounts(r, p.Date); sum != p.NetWorth {
				r.Fatalf("%s: the accounts add up to %d, net worth is %d", p.Date, sum, p.NetWorth)
			}
			for _, gap := range sheet.Unconverted {
				gaps[gap.Currency]++
			}
		}
		for _, gap := range got.Unconverted {
			if gaps[gap.Currency] != gap.Points {
				r.Fatalf("%+v, but sheets have %v", gap, gaps)
			}
			delete(gaps, gap.Currency)
		}
		if len(gaps) > 0 {
			r.Fatalf("the series does not say that it leaves out %v", gaps)
		}
	})
}
