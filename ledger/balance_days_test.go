package ledger_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
)

// days lists a page of balances.
func (b *books) days(f ledger.BalanceFilter, page ledger.Page) ([]ledger.BalanceDay, int64) {
	b.tb.Helper()
	list, total, err := b.ListBalanceDays(b.ctx(), b.who, f, page)
	if err != nil {
		b.tb.Fatal(err)
	}
	return list, total
}

// told writes rows as day: start +inflow -outflow ~adjustment = end, without what is zero.
func told(rows []ledger.BalanceDay) string {
	var out []string
	for _, r := range rows {
		text := fmt.Sprintf("%s: %d", r.Date.String()[5:], r.Start)
		for _, part := range []struct {
			mark  string
			minor int64
		}{{"+", r.Inflow}, {"-", r.Outflow}, {"~", r.Adjustment}} {
			if part.minor != 0 {
				text += fmt.Sprintf(" %s%d", part.mark, part.minor)
			}
		}
		text += fmt.Sprintf(" = %d", r.End)
		if r.Unconverted != nil {
			text += fmt.Sprint(" ", r.Unconverted)
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

// TestBalanceWithValuation: 1000.00 before the first entry; 100.00 out on the 2nd, 250.00 in on the 10th,
// 30.00 out on the 20th; on the 15th the bank says 1200.00, and of the 5.00 that went out on that day nothing
// is left to count; the 40.00 booked afterwards for the 5th change nothing from the 15th on.
func TestBalanceWithValuation(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	in := accountNamed("A", "depository")
	in.Balance = amountOf("1000.00")
	a := b.open(in)
	id := uuid.UUID(a.PublicID)
	check := func(want string) {
		t.Helper()
		list, _ := b.days(ledger.BalanceFilter{}, wholePage)
		byDay := map[string]int64{}
		for _, row := range list {
			byDay[row.Date.String()] = row.End
		}
		var got []int64
		for day := range strings.FieldsSeq("2026-02-01 2026-02-02 2026-02-05 2026-02-10 2026-02-14 2026-02-15 2026-02-20 2026-03-01") {
			got = append(got, byDay[day])
			if _, there := byDay[day]; !there {
				t.Errorf("%s has no row", day)
			}
		}
		if fmt.Sprint(got) != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
	b.create(entry(id, "2026-02-02", "100", "x"))
	b.create(entry(id, "2026-02-10", "-250", "x"))
	b.create(entry(id, "2026-02-20", "30", "x"))
	check("[100000 90000 90000 115000 115000 115000 112000 112000]")
	v, _ := b.state(valuationOf(a, "2026-02-15", "1200"))
	check("[100000 90000 90000 115000 115000 120000 117000 117000]")
	b.create(entry(id, "2026-02-15", "5", "x"))
	check("[100000 90000 90000 115000 115000 120000 117000 117000]")
	b.create(entry(id, "2026-02-05", "40", "x"))
	check("[100000 90000 86000 111000 111000 120000 117000 117000]")
	rows, total := b.days(ledger.BalanceFilter{StartDate: dayOf("2026-02-14"), EndDate: dayOf("2026-02-16")}, wholePage)
	if got := told(rows); total != 3 || got != "02-16: 120000 = 120000\n02-15: 111000 -500 ~9500 = 120000\n02-14: 111000 = 111000" {
		t.Errorf("got %d\n%s", total, got)
	}
	if err := b.DeleteValuation(b.ctx(), b.who, uuid.UUID(v.PublicID)); err != nil {
		t.Fatal(err)
	}
	check("[100000 90000 86000 111000 111000 110500 107500 107500]")
}

// TestFlowsOfLiability: 50.00 owed; on the 2nd 30.00 are spent and 20.00 paid back, on the 3rd 10.00 are owed.
func TestFlowsOfLiability(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	in := accountNamed("Card", "credit_card")
	in.Balance, in.Date = amountOf("50"), dayOf("2026-02-01")
	card := b.open(in)
	id := uuid.UUID(card.PublicID)
	b.create(entry(id, "2026-02-02", "12", "x"))
	b.create(entry(id, "2026-02-02", "18", "x"))
	b.create(entry(id, "2026-02-02", "-20", "x"))
	b.state(valuationOf(card, "2026-02-03", "10"))
	rows, _ := b.days(ledger.BalanceFilter{EndDate: dayOf("2026-02-04")}, wholePage)
	want := "02-04: 1000 = 1000\n02-03: 6000 ~-5000 = 1000\n02-02: 5000 +2000 -3000 = 6000\n02-01: 0 ~5000 = 5000"
	if got := told(rows); got != want || rows[0].FlowsFactor != -1 {
		t.Errorf("got %d\n%s\nwant\n%s", rows[0].FlowsFactor, got, want)
	}
}

// TestFlowsInOtherCurrencies: into 10.00 EUR come 4.00 USD at 0.5 and go 1.01 USD on the 2nd (net 2.99, that is
// 1.495 and rounded 1.50), 3.00 CHF without a rate, 100 JPY without a rate on the 3rd. A valuation knows all.
func TestFlowsInOtherCurrencies(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	in := accountNamed("A", "depository")
	in.Balance = amountOf("10")
	a := b.open(in)
	for _, e := range []struct{ day, amount, currency string }{
		{"2026-02-02", "-4", "USD"}, {"2026-02-02", "1.01", "USD"}, {"2026-02-02", "3", "CHF"}, {"2026-02-03", "-100", "JPY"}, {"2026-02-03", "1", "CHF"},
	} {
		spent := entry(uuid.UUID(a.PublicID), e.day, e.amount, "x")
		spent.Currency = ledger.Some(e.currency)
		b.create(spent)
	}
	b.rate("USD", "EUR", "2026-02-01", "0.5")
	b.state(valuationOf(a, "2026-02-04", "7"))
	rows, _ := b.days(ledger.BalanceFilter{EndDate: dayOf("2026-02-04")}, wholePage)
	want := "02-04: 1150 ~-450 = 700\n02-03: 1150 = 1150 [{CHF -400 false} {JPY 100 false}]\n02-02: 1000 +200 -50 = 1150 [{CHF -300 false}]\n02-01: 1000 = 1000"
	if got := told(rows); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	rows, _ = b.days(ledger.BalanceFilter{StartDate: dayOf("2026-02-03"), EndDate: dayOf("2026-02-03")}, wholePage)
	if got := told(rows); got != "02-03: 1150 = 1150 [{CHF -400 false} {JPY 100 false}]" {
		t.Errorf("alone: got %s", got)
	}
}

// TestFlowsWithoutHiddenRows has 10.00 that came in, and 5.00 that an import is still writing: the sums do not
// have them yet, so they are no flow either.
func TestFlowsWithoutHiddenRows(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	a := b.open(accountNamed("A", "depository"))
	b.create(entry(uuid.UUID(a.PublicID), "2026-02-02", "-10", "x"))
	b.create(entry(uuid.UUID(a.PublicID), "2026-02-02", "-5", "x"))
	b.exec("UPDATE account_days SET amount = 1000, transactions = 1, incomes = 1 WHERE account_id = ?", a.ID)
	b.exec("UPDATE households SET hidden_from = entry_sequence, hidden_to = entry_sequence WHERE id = ?", a.HouseholdID)
	rows, _ := b.days(ledger.BalanceFilter{EndDate: dayOf("2026-02-02")}, wholePage)
	if got, want := told(rows), "02-02: 0 +1000 = 1000\n02-01: 0 = 0"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestPagesOfBalances has a today of 2026-03-01 and accounts that begin on 02-27 (A, dollars), 02-25 (B), and
// 03-01 (C, whose first entry is yet to come).
func TestPagesOfBalances(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	open := func(name, currency, day string) uuid.UUID {
		in := accountNamed(name, "depository")
		in.Currency = ledger.Some(currency)
		id := uuid.UUID(b.open(in).PublicID)
		b.create(entry(id, day, "1", "x"))
		return id
	}
	a := open("A", "USD", "2026-02-28")
	open("B", "EUR", "2026-02-26")
	open("C", "EUR", "2026-04-01")
	dollars, _ := ledger.LookupCurrency("USD")
	for name, c := range map[string]struct {
		filter ledger.BalanceFilter
		page   ledger.Page
		want   string
		total  int64
	}{
		"all":         {ledger.BalanceFilter{}, wholePage, "01A 01B 01C 28A 28B 27A 27B 26B 25B", 9},
		"second":      {ledger.BalanceFilter{}, ledger.Page{Number: 2, Size: 4}, "28B 27A 27B 26B", 9},
		"third":       {ledger.BalanceFilter{}, ledger.Page{Number: 3, Size: 4}, "25B", 9},
		"one each":    {ledger.BalanceFilter{}, ledger.Page{Number: 8, Size: 1}, "26B", 9},
		"beyond":      {ledger.BalanceFilter{}, ledger.Page{Number: 10, Size: 1}, "", 9},
		"far beyond":  {ledger.BalanceFilter{}, ledger.Page{Number: 1 << 31, Size: 100}, "", 9},
		"account":     {ledger.BalanceFilter{AccountID: ledger.Some(a)}, wholePage, "01A 28A 27A", 3},
		"stranger":    {ledger.BalanceFilter{AccountID: ledger.Some(uuid.New())}, wholePage, "", 0},
		"currency":    {ledger.BalanceFilter{Currency: ledger.Some(dollars)}, wholePage, "01A 28A 27A", 3},
		"days":        {ledger.BalanceFilter{StartDate: dayOf("2026-02-26"), EndDate: dayOf("2026-02-27")}, wholePage, "27A 27B 26B", 3},
		"in the past": {ledger.BalanceFilter{EndDate: dayOf("2026-02-24")}, wholePage, "", 0},
		"to come":     {ledger.BalanceFilter{StartDate: dayOf("2026-03-02")}, wholePage, "", 0},
		"until later": {ledger.BalanceFilter{StartDate: dayOf("2026-03-01"), EndDate: dayOf("2199-12-31")}, wholePage, "01A 01B 01C", 3},
		"backwards":   {ledger.BalanceFilter{StartDate: dayOf("2026-02-28"), EndDate: dayOf("2026-02-27")}, wholePage, "", 0},
	} {
		rows, total := b.days(c.filter, c.page)
		var got []string
		for _, r := range rows {
			got = append(got, r.Date.String()[8:]+r.Account.Name)
			if one, err := b.GetBalanceDay(b.ctx(), b.who, r.ID); err != nil || told([]ledger.BalanceDay{one}) != told([]ledger.BalanceDay{r}) || one.Account != r.Account {
				t.Errorf("%s: %+v is not %+v, %v", name, one, r, err)
			}
		}
		if strings.Join(got, " ") != c.want || total != c.total {
			t.Errorf("%s: got %s, %d, want %s, %d", name, got, total, c.want, c.total)
		}
	}
}

// TestBalancesUntilToday looks from both ends of the world at the same moment: in Kiritimati it is
// 2026-03-03 already, in Pago Pago still 2026-03-01.
func TestBalancesUntilToday(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	b.open(accountNamed("A", "depository"))
	b.tick = time.Date(2026, 3, 2, 10, 30, 0, 0, time.UTC)
	for zone, want := range map[string]string{"Pacific/Kiritimati": "2026-03-03", "Pacific/Pago_Pago": "2026-03-01", "UTC": "2026-03-02"} {
		if _, err := b.UpdateHousehold(b.ctx(), b.who, ledger.HouseholdChange{Timezone: ledger.Some(zone)}); err != nil {
			t.Fatal(err)
		}
		rows, _ := b.days(ledger.BalanceFilter{}, wholePage)
		sheet, err := b.BalanceSheet(b.ctx(), b.who, ledger.Opt[ledger.Date]{})
		if rows[0].Date.String() != want || sheet.AsOf.String() != want || err != nil {
			t.Errorf("%s: got %s and %s, want %s, %v", zone, rows[0].Date, sheet.AsOf, want, err)
		}
	}
}

// TestBalanceDaysAgree compares rows with balances that are computed one by one, whatever the accounts
// hold and whichever page they are on.
func TestBalanceDaysAgree(t *testing.T) {
	t.Parallel()
	first := ledger.NewDate(2026, 2, 15)
	rapid.Check(t, func(r *rapid.T) {
		b := newBooks(t)
		b.rate("USD", "EUR", "2026-02-18", "0.3333")
		for range rapid.IntRange(1, 3).Draw(r, "accounts") {
			in := accountNamed("A", rapid.SampledFrom([]string{"depository", "loan", "investment"}).Draw(r, "type"))
			in.Balance = amountOf(fmt.Sprint(rapid.IntRange(-9, 9).Draw(r, "opening")))
			if rapid.Bool().Draw(r, "dated") {
				in.Date = ledger.Some(first.AddDays(rapid.IntRange(0, 20).Draw(r, "opening day")))
			}
			a := b.open(in)
			if in.AccountType.Value == "investment" {
				b.invest(r, a, first)
			}
			for _, day := range rapid.SliceOfN(rapid.IntRange(0, 20), 0, 6).Draw(r, "entries") {
				e := entry(uuid.UUID(a.PublicID), first.AddDays(day).String(), fmt.Sprint(rapid.IntRange(-99, 99).Draw(r, "amount")), "x")
				e.Currency = ledger.Some(rapid.SampledFrom([]string{"EUR", "USD", "CHF"}).Draw(r, "currency"))
				b.create(e)
			}
			for _, day := range rapid.SliceOfN(rapid.IntRange(0, 20), 0, 3).Draw(r, "values") {
				b.state(valuationOf(a, first.AddDays(day).String(), fmt.Sprint(day)))
			}
		}
		size := rapid.IntRange(1, 30).Draw(r, "page size")
		_, total := b.days(ledger.BalanceFilter{}, ledger.Page{Number: 1, Size: size})
		seen := map[uuid.UUID]bool{}
		for number := 1; int64((number-1)*size) < total; number++ {
			rows, _ := b.days(ledger.BalanceFilter{}, ledger.Page{Number: number, Size: size})
			for _, row := range rows {
				seen[row.ID] = true
				b.agrees(r, row)
			}
		}
		if int64(len(seen)) != total {
			r.Fatalf("%d different rows of %d", len(seen), total)
		}
	})
}

// agrees compares a row with the balances of its day and of the day before.
func (b *books) agrees(r *rapid.T, row ledger.BalanceDay) {
	balanceAt := func(day ledger.Date) (parts [2]int64, left string) {
		all, err := b.Balances(b.ctx(), b.who, day)
		if err != nil {
			r.Fatal(err)
		}
		one := all[b.key(row.Account.ID)]
		for _, u := range one.Unconverted {
			left += fmt.Sprint(u.Currency, row.FlowsFactor*u.Minor)
		}
		return [2]int64{row.FlowsFactor * one.Minor, row.FlowsFactor * one.Holdings}, left
	}
	left := ""
	for _, u := range row.Unconverted {
		left += fmt.Sprint(u.Currency, u.Minor)
	}
	start, _ := balanceAt(row.Date - 1)
	end, wantLeft := balanceAt(row.Date)
	if row.Start != start[0] || row.StartHoldings != start[1] || row.End != end[0] || row.EndHoldings != end[1] || left != wantLeft {
		r.Fatalf("got %+v, want %d to %d, left out %s", row, start, end, wantLeft)
	}
	cash, held := row.FlowsFactor*(row.Inflow-row.Outflow)+row.Adjustment, row.FlowsFactor*(row.Bought-row.Sold)+row.Market
	if row.StartCash()+cash != row.EndCash() || row.StartHoldings+held != row.EndHoldings || min(row.Inflow, row.Outflow, row.Bought, row.Sold) < 0 {
		r.Fatalf("%+v does not add up", row)
	}
}

// key is the inner key of an account.
func (b *books) key(id uuid.UUID) int64 {
	a, err := b.GetAccount(b.ctx(), b.who, id)
	if err != nil {
		b.tb.Fatal(err)
	}
	return a.ID
}

func TestBalanceDaysOfNeighbours(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	b.open(accountNamed("A", "depository"))
	rows, _ := b.days(ledger.BalanceFilter{}, wholePage)
	own := rows[0].ID
	for _, id := range []uuid.UUID{uuid.New(), uuid.Nil, rows[0].Account.ID} {
		_, err := b.GetBalanceDay(b.ctx(), b.who, id)
		refused(t, err, ledger.NotFound)
	}
	b.who = b.household("Neighbour")
	if rows, total := b.days(ledger.BalanceFilter{}, wholePage); len(rows) != 0 || total != 0 {
		t.Errorf("got %v", rows)
	}
	_, err := b.GetBalanceDay(b.ctx(), b.who, own)
	refused(t, err, ledger.NotFound)
}

// BenchmarkBalanceDays is a page of a hundred rows of eight accounts with ten years of days each.
func BenchmarkBalanceDays(b *testing.B) {
	home := newBooks(b)
	var one uuid.UUID
	for i := range 8 {
		a := home.open(accountNamed(fmt.Sprint("Account ", i), "depository"))
		one = uuid.UUID(a.PublicID)
		home.exec(`WITH RECURSIVE days (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM days WHERE n < 3649)
			INSERT INTO account_days (account_id, date, currency, household_id, amount, transactions, incomes)
			SELECT ?, 16800 + n, 'EUR', ?, n * 137 - 1000, 3, 1 FROM days`, a.ID, a.HouseholdID)
	}
	for name, c := range map[string]struct {
		filter ledger.BalanceFilter
		page   int
	}{"newest": {page: 1}, "oldest": {page: 290}, "account": {ledger.BalanceFilter{AccountID: ledger.Some(one)}, 1}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if rows, _, err := home.ListBalanceDays(b.Context(), home.who, c.filter, ledger.Page{Number: c.page, Size: 100}); err != nil || len(rows) != 100 {
					b.Fatal(len(rows), err)
				}
			}
		})
	}
}
