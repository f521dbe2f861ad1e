package ledger_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/queries"
)

// parted writes rows as day: cash start +in -out ~adjustment = end, held start +bought -sold ~market = end, without
// what is zero but for starts and ends.
func parted(rows []ledger.BalanceDay) string {
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

// dealIn books a purchase or sale in a currency.
func (b *books) dealIn(a ledger.Account, day, ticker, quantity, price, currency string) error {
	in := ledger.TradeInput{AccountID: ledger.Some(uuid.UUID(a.PublicID)), Date: dayOf(day), Ticker: ledger.Some(ticker), Quantity: amountOf(quantity),
		Price: amountOf(price), Currency: ledger.Some(currency)}
	_, err := b.CreateTrade(b.ctx(), b.who, in)
	return err
}

// TestBalanceWithHoldings: 2000.00 come in; 10 units cost 1001.50 with the fee and are worth 1000.00, then 1100.00 at
// a price of 110.00. On the 10th all is 2500.00: 1400.00 of that are cash, 401.50 more than was known. At 120.00 they
// are worth 1200.00. 4 are sold for 498.00; the 6 left are worth 720.00, so that the market gave 720.00 + 498.00 -
// 1200.00. A dividend is cash. What is bought tomorrow counts tomorrow.
func TestBalanceWithHoldings(t *testing.T) {
	t.Parallel()
	b := newBooks(t) // today is 2026-03-01
	a := b.openWith("Depot", "investment", "EUR", "0")
	id := uuid.UUID(a.PublicID)
	b.create(entry(id, "2026-02-02", "-2000", "Deposit"))
	b.deal(a, "buy", "2026-02-03", "ACME", "10", "100", "1.50")
	b.prices("ACME 2026-02-05 110 EUR", "ACME 2026-02-12 120 EUR")
	b.value(a, "2026-02-10", 250_000)
	b.deal(a, "sell", "2026-02-15", "ACME", "4", "125", "2")
	b.deal(a, "dividend", "2026-02-16", "ACME", "", "5", "0")
	b.deal(a, "buy", "2026-03-02", "ACME", "1", "130", "0")
	rows, _ := b.days(ledger.BalanceFilter{StartDate: dayOf("2026-02-01"), EndDate: dayOf("2026-02-17")}, wholePage)
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
	now, err := b.GetAccount(b.ctx(), b.who, id)
	if err != nil || now.BalanceMinor != 262_300 || now.CashMinor != 190_300 {
		t.Errorf("today: got %d and %d, %v", now.BalanceMinor, now.CashMinor, err)
	}
	for day, want := range map[string]string{"2026-03-01": "262300 72000", "2026-03-02": "261300 84000", "2199-12-31": "261300 84000"} {
		if got := b.balance(a, day); fmt.Sprint(got.Minor, got.Holdings) != want || b.sheet(day).NetWorth != got.Minor {
			t.Errorf("%s: got %+v, want %s", day, got, want)
		}
	}
	// A purchase before the valuation changes what was cash then, not what all was; and everything after it.
	b.deal(a, "buy", "2026-02-04", "ACME", "1", "100", "0")
	for day, want := range map[string]string{"2026-02-04": "199850 110000", "2026-02-10": "250000 121000", "2026-02-12": "261000 132000"} {
		if got := b.balance(a, day); fmt.Sprint(got.Minor, got.Holdings) != want {
			t.Errorf("%s: got %+v, want %s", day, got, want)
		}
	}
}

// TestHoldingsInOtherCurrencies: of 1000.00 euros 10 units are bought for 1000.00 dollars at 0.5; at 0.6 they are worth
// 600.00, also when that rate is old. On the 18th all is 1300.00, so 700.00 are cash; on the 19th the units are worth
// 1100.00 dollars, which are 660.00, and on the 20th, at 0.8, 880.00.
func TestHoldingsInOtherCurrencies(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	a := b.openWith("Depot", "investment", "EUR", "1000")
	b.rate("USD", "EUR", "2026-02-03", "0.5")
	b.rate("USD", "EUR", "2026-02-09", "0.6")
	b.rate("EUR", "USD", "2026-02-20", "1.25")
	if err := b.dealIn(a, "2026-02-03", "ACME", "10", "100", "USD"); err != nil {
		t.Fatal(err)
	}
	b.prices("ACME 2026-02-19 110 USD")
	b.value(a, "2026-02-18", 130_000)
	rows, _ := b.days(ledger.BalanceFilter{StartDate: dayOf("2026-02-16"), EndDate: dayOf("2026-02-20")}, wholePage)
	first, _ := b.days(ledger.BalanceFilter{StartDate: dayOf("2026-02-02"), EndDate: dayOf("2026-02-03")}, wholePage)
	moved, _ := b.days(ledger.BalanceFilter{StartDate: dayOf("2026-02-09"), EndDate: dayOf("2026-02-09")}, wholePage)
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
		series, err := b.series("2026-02-16", "2026-02-20", interval)
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
	b := newBooks(t)
	a := b.openWith("Depot", "investment", "EUR", "1000")
	b.rate("EUR", "USD", "2026-02-20", "1.25")
	if err := b.dealIn(a, "2026-02-03", "ACME", "10", "100", "USD"); err != nil {
		t.Fatal(err)
	}
	b.prices("ACME 2026-02-19 110 USD")
	b.value(a, "2026-02-18", 130_000)
	rows, _ := b.days(ledger.BalanceFilter{StartDate: dayOf("2026-02-17"), EndDate: dayOf("2026-02-20")}, wholePage)
	want := `02-20: cash 130000 = 130000, held 0 ~88000 = 88000 [{USD -100000 false}]
02-19: cash 130000 = 130000, held 0 = 0 [{USD 10000 false}]
02-18: cash 100000 ~30000 = 130000, held 0 = 0
02-17: cash 100000 = 100000, held 0 = 0`
	if got := parted(rows); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, interval := range []string{"day", "month"} {
		series, err := b.series("2026-02-16", "2026-02-20", interval)
		last := series.Points[len(series.Points)-1]
		if err != nil || last.NetWorth != 218_000 || len(series.Unconverted) != 1 || series.Unconverted[0].Minor != -100_000 {
			t.Errorf("%s: got %+v, %v", interval, series, err)
		}
	}
}

// TestHoldingsOnSpecialDays has a leap day, and the two days in 2024 on which Berlin's clocks change: a day is a day.
// On each 10.00 come in and one unit is bought, for 100.00, 200.00 and 300.00: 910.00 + 100.00, 720.00 + 2 * 200.00,
// 430.00 + 3 * 300.00.
func TestHoldingsOnSpecialDays(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	if _, err := b.UpdateHousehold(b.ctx(), b.who, ledger.HouseholdChange{Timezone: ledger.Some("Europe/Berlin")}); err != nil {
		t.Fatal(err)
	}
	a := b.openWith("Depot", "investment", "EUR", "1000")
	for i, day := range strings.Fields("2024-02-29 2024-03-31 2024-10-27") {
		b.create(entry(uuid.UUID(a.PublicID), day, "-10", "x"))
		b.deal(a, "buy", day, "ACME", "1", fmt.Sprint(100*(i+1)), "0")
	}
	want := "100000 0, 101000 10000, 101000 10000, 112000 40000, 112000 40000, 133000 90000, 133000 90000"
	var got []string
	for day := range strings.FieldsSeq("2024-02-28 2024-02-29 2024-03-30 2024-03-31 2024-10-26 2024-10-27 2024-10-28") {
		one := b.balance(a, day)
		got = append(got, fmt.Sprint(one.Minor, one.Holdings))
	}
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got %s, want %s", text, want)
	}
	for interval, days := range map[string]string{"month": "2024-02-29 2024-03-31 2024-04-01", "day": "2024-02-29 2024-03-01 2024-03-02"} {
		series, err := b.series("2024-02-29", days[len(days)-10:], interval)
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
	b := newBooks(t)
	first := ledger.NewDate(2026, 1, 1)
	for day := first; day < first+30; day++ {
		b.rate("USD", "EUR", day.String(), "0.5")
	}
	homes := 0
	rapid.Check(t, func(r *rapid.T) {
		homes++
		b.who = b.household(fmt.Sprint("Home", homes))
		a := b.openWith("Depot", "investment", "EUR", fmt.Sprint(rapid.IntRange(-9, 9).Draw(r, "opening")))
		values := map[ledger.Date]int64{ledger.MinDate: a.OpeningMinor}
		for _, day := range rapid.SliceOfNDistinct(rapid.IntRange(0, 20), 0, 3, rapid.ID).Draw(r, "valuations") {
			values[first.AddDays(day)] = int64(day * 1000)
			b.value(a, first.AddDays(day).String(), int64(day*1000))
		}
		b.invest(r, a, first)
		for day := first - 1; day <= first+21; day++ {
			got, since := b.balance(a, day.String()), ledger.MinDate
			for v := range values {
				if v <= day {
					since = max(since, v)
				}
			}
			held := b.heldIn(r, a, day)
			want := values[since] - b.heldIn(r, a, since) + b.flowsIn(a, since, day) + held
			if got.Minor != want || got.Holdings != held || got.Unconverted != nil || b.sheet(day.String()).NetWorth != want {
				r.Fatalf("%s: got %+v, want %d of which %d held", day, got, want, held)
			}
		}
	})
}

// invest books entries, trades and prices of three weeks. What cannot be sold is not.
func (b *books) invest(r *rapid.T, a ledger.Account, first ledger.Date) {
	day := rapid.Custom(func(r *rapid.T) string { return first.AddDays(rapid.IntRange(0, 20).Draw(r, "day")).String() })
	for range rapid.IntRange(0, 8).Draw(r, "events") {
		n := rapid.IntRange(1, 99).Draw(r, "number")
		currency := rapid.SampledFrom([]string{"EUR", "USD"}).Draw(r, "currency")
		switch rapid.SampledFrom([]string{"buy", "buy", "sell", "price", "entry"}).Draw(r, "event") {
		case "buy":
			if err := b.dealIn(a, day.Draw(r, "day"), "S"+currency, fmt.Sprint(n), "1.01", currency); err != nil {
				r.Fatal(err)
			}
		case "sell":
			_ = b.dealIn(a, day.Draw(r, "day"), "S"+currency, fmt.Sprint(-n), "1.03", currency)
		case "price":
			b.prices(fmt.Sprintf("S%s %s 1.0%d %s", currency, day.Draw(r, "day"), n, currency))
		case "entry":
			in := entry(uuid.UUID(a.PublicID), day.Draw(r, "day"), fmt.Sprint(n-50), "x")
			in.Currency = ledger.Some(currency)
			b.create(in)
		}
	}
}

// heldIn is what the holdings of a day are worth in euros, where a dollar is half of one.
func (b *books) heldIn(r *rapid.T, a ledger.Account, day ledger.Date) int64 {
	list, _, err := b.ListHoldings(b.ctx(), b.who, ledger.HoldingFilter{Date: ledger.Some(day)}, wholePage)
	if err != nil {
		r.Fatal(err)
	}
	sums := map[string]int64{}
	for _, h := range list {
		sums[h.Currency] += h.Minor
	}
	return sums["EUR"] + halved(sums["USD"])
}

// flowsIn is what was booked in an account after a day up to another, each day's dollars halved by themselves.
func (b *books) flowsIn(a ledger.Account, after, last ledger.Date) (sum int64) {
	err := b.db.Read(b.ctx(), func(ctx context.Context, q *queries.Queries) (err error) {
		sum, err = q.Number(ctx, `SELECT coalesce(sum(iif(currency = 'USD', amount / 2 + amount % 2, amount)), 0) FROM account_days
			WHERE account_id = ? AND date > ? AND date <= ?`, a.ID, int64(after), int64(last))
		return err
	})
	if err != nil {
		b.tb.Fatal(err)
	}
	return sum
}

// halved rounds half away from zero.
func halved(n int64) int64 { return n/2 + n%2 }
