package balance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/tenant"
)

// parted writes rows as day: cash start +in -out ~adjustment = end, held start +bought -sold ~market = end, without
// what is zero but for starts and ends.
func parted(rows []balance.Day) string {
	var out []string
	for _, r := range rows {
		text := r.Date.String()[5:] + ":"
		for _, part := range []struct {
			name                      string
			start, in, out, rest, end int64
		}{{" cash", r.StartCash(), r.Inflow, r.Outflow, r.Adjustment, r.EndCash()}, {", held", r.StartHoldings, r.Bought, r.Sold, r.Market, r.EndHoldings}} {
			text += fmt.Sprint(part.name, " ", part.start)
			for i, minor := range []int64{part.in, part.out, part.rest} {
				if minor != 0 {
					text += fmt.Sprintf(" %c%d", "+-~"[i], minor)
				}
			}
			text += fmt.Sprint(" = ", part.end)
		}
		if r.Unconverted != nil {
			text += fmt.Sprint(" ", r.Unconverted)
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

// TestBalanceWithHoldings: 2000.00 come in; 10 units cost 1001.50 with the fee and are worth 1000.00, then 1100.00 at
// a price of 110.00. On the 10th all is 2500.00: 1400.00 of that are cash, 401.50 more than was known. At 120.00 they
// are worth 1200.00. 4 are sold for 498.00; the 6 left are worth 720.00, so that the market gave 720.00 + 498.00 -
// 1200.00. A dividend is cash. What is bought tomorrow counts tomorrow.
//
// Decision, Trades, holdings, valuations, balance sheet: of investment accounts cash and the value of the holdings.
func TestBalanceWithHoldings(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t) // today is 2026-03-01
	a := b.OpenWith("Depot", "investment", "EUR", "0")
	id := uuid.UUID(a.PublicID)
	b.Create(ledgertest.Entry(id, "2026-02-02", "-2000", "Deposit"))
	b.Deal(a, "buy", "2026-02-03", "ACME", "10", "100", "1.50")
	b.Prices("ACME 2026-02-05 110 EUR", "ACME 2026-02-12 120 EUR")
	b.Value(a, "2026-02-10", 250_000)
	b.Deal(a, "sell", "2026-02-15", "ACME", "4", "125", "2")
	b.Deal(a, "dividend", "2026-02-16", "ACME", "", "5", "0")
	b.Deal(a, "buy", "2026-03-02", "ACME", "1", "130", "0")
	rows, _ := b.Days(balance.DayFilter{StartDate: ledgertest.DayOf("2026-02-01"), EndDate: ledgertest.DayOf("2026-02-17")}, ledgertest.WholePage)
	want := `02-17: cash 190300 = 190300, held 72000 = 72000
02-16: cash 189800 +500 = 190300, held 72000 = 72000
02-15: cash 140000 +49800 = 189800, held 120000 -49800 ~1800 = 72000
02-14: cash 140000 = 140000, held 120000 = 120000
02-13: cash 140000 = 140000, held 120000 = 120000
02-12: cash 140000 = 140000, held 110000 ~10000 = 120000
02-11: cash 140000 = 140000, held 110000 = 110000
02-10: cash 99850 ~40150 = 140000, held 110000 = 110000
02-09: cash 99850 = 99850, held 110000 = 110000
02-08: cash 99850 = 99850, held 110000 = 110000
02-07: cash 99850 = 99850, held 110000 = 110000
02-06: cash 99850 = 99850, held 110000 = 110000
02-05: cash 99850 = 99850, held 100000 ~10000 = 110000
02-04: cash 99850 = 99850, held 100000 = 100000
02-03: cash 200000 -100150 = 99850, held 0 +100150 ~-150 = 100000
02-02: cash 0 +200000 = 200000, held 0 = 0
02-01: cash 0 = 0, held 0 = 0`
	if got := parted(rows); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	now, err := b.Accounts.GetAccount(b.Ctx(), b.Who, id)
	if err != nil || now.BalanceMinor != 262_300 || now.CashMinor != 190_300 {
		t.Errorf("today: got %d and %d, %v", now.BalanceMinor, now.CashMinor, err)
	}
	for day, want := range map[string]string{"2026-03-01": "262300 72000", "2026-03-02": "261300 84000", "2199-12-31": "261300 84000"} {
		if got := b.Balance(a, day); fmt.Sprint(got.Minor, got.Holdings) != want || b.Sheet(day).NetWorth != got.Minor {
			t.Errorf("%s: got %+v, want %s", day, got, want)
		}
	}
	// A purchase before the valuation changes what was cash then, not what all was; and everything after it.
	b.Deal(a, "buy", "2026-02-04", "ACME", "1", "100", "0")
	for day, want := range map[string]string{"2026-02-04": "199850 110000", "2026-02-10": "250000 121000", "2026-02-12": "261000 132000"} {
		if got := b.Balance(a, day); fmt.Sprint(got.Minor, got.Holdings) != want {
			t.Errorf("%s: got %+v, want %s", day, got, want)
		}
	}
}

// TestHoldingsInOtherCurrencies: of 1000.00 euros 10 units are bought for 1000.00 dollars at 0.5; at 0.6 they are worth
// 600.00, also when that rate is old. On the 18th all is 1300.00, so 700.00 are cash; on the 19th the units are worth
// 1100.00 dollars, which are 660.00, and on the 20th, at 0.8, 880.00.
func TestHoldingsInOtherCurrencies(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	a := b.OpenWith("Depot", "investment", "EUR", "1000")
	b.Rate("USD", "EUR", "2026-02-03", "0.5")
	b.Rate("USD", "EUR", "2026-02-09", "0.6")
	b.Rate("EUR", "USD", "2026-02-20", "1.25")
	if err := b.DealIn(a, "2026-02-03", "ACME", "10", "100", "USD"); err != nil {
		t.Fatal(err)
	}
	b.Prices("ACME 2026-02-19 110 USD")
	b.Value(a, "2026-02-18", 130_000)
	rows, _ := b.Days(balance.DayFilter{StartDate: ledgertest.DayOf("2026-02-16"), EndDate: ledgertest.DayOf("2026-02-20")}, ledgertest.WholePage)
	first, _ := b.Days(balance.DayFilter{StartDate: ledgertest.DayOf("2026-02-02"), EndDate: ledgertest.DayOf("2026-02-03")}, ledgertest.WholePage)
	moved, _ := b.Days(balance.DayFilter{StartDate: ledgertest.DayOf("2026-02-09"), EndDate: ledgertest.DayOf("2026-02-09")}, ledgertest.WholePage)
	want := `02-20: cash 70000 = 70000, held 66000 ~22000 = 88000
02-19: cash 70000 = 70000, held 60000 ~6000 = 66000
02-18: cash 50000 ~20000 = 70000, held 60000 = 60000
02-17: cash 50000 = 50000, held 60000 = 60000
02-16: cash 50000 = 50000, held 60000 = 60000
02-09: cash 50000 = 50000, held 50000 ~10000 = 60000
02-03: cash 100000 -50000 = 50000, held 0 +50000 = 50000
02-02: cash 100000 = 100000, held 0 = 0`
	if got := parted(append(append(rows, moved...), first...)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for interval, stale := range map[string]string{"day": "[{USD EUR 2026-02-19 2026-02-09}]", "month": "[{USD EUR 2026-02-18 2026-02-09}]"} {
		series, err := b.Series("2026-02-16", "2026-02-20", interval)
		last := series.Points[len(series.Points)-1]
		if err != nil || last.NetWorth != 158_000 || len(series.Unconverted) != 0 || fmt.Sprint(series.Stale) != stale {
			t.Errorf("%s: got %+v, %v", interval, series, err)
		}
	}
}

// TestHoldingsWithoutRates: there is no rate before the 20th. 10 units are bought for 1000.00 dollars, and both are left
// out. On the 18th all is 1300.00: nothing is left out of that, though the dollars have no rate and so it is all cash; on the
// 19th the units are worth 100.00 dollars more, which is left out. With the rate of 0.8 on the 20th 1100.00 dollars are
// 880.00 euros, of which the 1000.00 dollars of the 18th are cash as well.
func TestHoldingsWithoutRates(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	a := b.OpenWith("Depot", "investment", "EUR", "1000")
	b.Rate("EUR", "USD", "2026-02-20", "1.25")
	if err := b.DealIn(a, "2026-02-03", "ACME", "10", "100", "USD"); err != nil {
		t.Fatal(err)
	}
	b.Prices("ACME 2026-02-19 110 USD")
	b.Value(a, "2026-02-18", 130_000)
	rows, _ := b.Days(balance.DayFilter{StartDate: ledgertest.DayOf("2026-02-17"), EndDate: ledgertest.DayOf("2026-02-20")}, ledgertest.WholePage)
	want := `02-20: cash 130000 = 130000, held 0 ~88000 = 88000 [{USD -100000 false}]
02-19: cash 130000 = 130000, held 0 = 0 [{USD 10000 false}]
02-18: cash 100000 ~30000 = 130000, held 0 = 0
02-17: cash 100000 = 100000, held 0 = 0`
	if got := parted(rows); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, interval := range []string{"day", "month"} {
		series, err := b.Series("2026-02-16", "2026-02-20", interval)
		last := series.Points[len(series.Points)-1]
		if err != nil || last.NetWorth != 218_000 || len(series.Unconverted) != 1 || series.Unconverted[0].Minor != -100_000 {
			t.Errorf("%s: got %+v, %v", interval, series, err)
		}
	}
}

// TestHoldingsOnSpecialDays has a leap day, and the two days in 2024 on which Berlin's clocks change: a day is a day.
// On each 10.00 come in and one unit is bought, for 100.00, 200.00 and 300.00: 910.00 + 100.00, 720.00 + 2 * 200.00,
// 430.00 + 3 * 300.00.
//
// Decision, Transport: no time zone shifts a date.
func TestHoldingsOnSpecialDays(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	if _, err := b.Tenants.UpdateHousehold(b.Ctx(), b.Who, tenant.HouseholdChange{Timezone: ledger.Some("Europe/Berlin")}); err != nil {
		t.Fatal(err)
	}
	a := b.OpenWith("Depot", "investment", "EUR", "1000")
	for i, day := range strings.Fields("2024-02-29 2024-03-31 2024-10-27") {
		b.Create(ledgertest.Entry(uuid.UUID(a.PublicID), day, "-10", "x"))
		b.Deal(a, "buy", day, "ACME", "1", fmt.Sprint(100*(i+1)), "0")
	}
	want := "100000 0, 101000 10000, 101000 10000, 112000 40000, 112000 40000, 133000 90000, 133000 90000"
	var got []string
	for day := range strings.FieldsSeq("2024-02-28 2024-02-29 2024-03-30 2024-03-31 2024-10-26 2024-10-27 2024-10-28") {
		one := b.Balance(a, day)
		got = append(got, fmt.Sprint(one.Minor, one.Holdings))
	}
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got %s, want %s", text, want)
	}
	for interval, days := range map[string]string{"month": "2024-02-29 2024-03-31 2024-04-01", "day": "2024-02-29 2024-03-01 2024-03-02"} {
		series, err := b.Series("2024-02-29", days[len(days)-10:], interval)
		var points []string
		for _, p := range series.Points[:3] {
			points = append(points, p.Date.String())
		}
		if strings.Join(points, " ") != days || err != nil || series.Points[0].NetWorth != 101_000 {
			t.Errorf("%s: got %+v, %v", interval, series, err)
		}
	}
}

// TestBalanceWithHoldingsEqualsItsParts compares balances with what is known of each day: the valuation in force,
// the entries and trades since, and the list of holdings on both days. A dollar is half a euro on every day.
func TestBalanceWithHoldingsEqualsItsParts(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	first := ledger.NewDate(2026, 1, 1)
	for day := first; day < first+30; day++ {
		b.Rate("USD", "EUR", day.String(), "0.5")
	}
	homes := 0
	rapid.Check(t, func(r *rapid.T) {
		homes++
		b.Who = b.Household(fmt.Sprint("Home", homes))
		a := b.OpenWith("Depot", "investment", "EUR", fmt.Sprint(rapid.IntRange(-9, 9).Draw(r, "opening")))
		values := map[ledger.Date]int64{ledger.MinDate: a.OpeningMinor}
		for _, day := range rapid.SliceOfNDistinct(rapid.IntRange(0, 20), 0, 3, rapid.ID).Draw(r, "valuations") {
			values[first.AddDays(day)] = int64(day * 1000)
			b.Value(a, first.AddDays(day).String(), int64(day*1000))
		}
		b.Invest(r, a, first)
		for day := first - 1; day <= first+21; day++ {
			got, since := b.Balance(a, day.String()), ledger.MinDate
			for v := range values {
				if v <= day {
					since = max(since, v)
				}
			}
			held := b.HeldIn(r, a, day)
			want := values[since] - b.HeldIn(r, a, since) + b.FlowsIn(a, since, day) + held
			if got.Minor != want || got.Holdings != held || got.Unconverted != nil || b.Sheet(day.String()).NetWorth != want {
				r.Fatalf("%s: got %+v, want %d of which %d held", day, got, want, held)
			}
		}
	})
}
