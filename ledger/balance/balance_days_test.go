package balance_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/money"
	"finsvc/ledger/tenant"
)

// told writes rows as day: start +inflow -outflow ~adjustment = end, without what is zero.
func told(rows []balance.Day) string {
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
	b := ledgertest.New(t)
	in := ledgertest.AccountNamed("A", "depository")
	in.Balance = ledgertest.AmountOf("1000.00")
	a := b.Open(in)
	id := uuid.UUID(a.PublicID)
	check := func(want string) {
		t.Helper()
		list, _ := b.Days(balance.DayFilter{}, ledgertest.WholePage)
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
	b.Create(ledgertest.Entry(id, "2026-02-02", "100", "x"))
	b.Create(ledgertest.Entry(id, "2026-02-10", "-250", "x"))
	b.Create(ledgertest.Entry(id, "2026-02-20", "30", "x"))
	check("[100000 90000 90000 115000 115000 115000 112000 112000]")
	v, _ := b.State(ledgertest.ValuationOf(a, "2026-02-15", "1200"))
	check("[100000 90000 90000 115000 115000 120000 117000 117000]")
	b.Create(ledgertest.Entry(id, "2026-02-15", "5", "x"))
	check("[100000 90000 90000 115000 115000 120000 117000 117000]")
	b.Create(ledgertest.Entry(id, "2026-02-05", "40", "x"))
	check("[100000 90000 86000 111000 111000 120000 117000 117000]")
	rows, total := b.Days(balance.DayFilter{StartDate: ledgertest.DayOf("2026-02-14"), EndDate: ledgertest.DayOf("2026-02-16")}, ledgertest.WholePage)
	if got := told(rows); total != 3 || got != "02-16: 120000 = 120000\n02-15: 111000 -500 ~9500 = 120000\n02-14: 111000 = 111000" {
		t.Errorf("got %d\n%s", total, got)
	}
	if err := b.Accounts.DeleteValuation(b.Ctx(), b.Who, uuid.UUID(v.PublicID)); err != nil {
		t.Fatal(err)
	}
	check("[100000 90000 86000 111000 111000 110500 107500 107500]")
}

// TestFlowsOfLiability: 50.00 owed; on the 2nd 30.00 are spent and 20.00 paid back, on the 3rd 10.00 are owed.
func TestFlowsOfLiability(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	in := ledgertest.AccountNamed("Card", "credit_card")
	in.Balance, in.Date = ledgertest.AmountOf("50"), ledgertest.DayOf("2026-02-01")
	card := b.Open(in)
	id := uuid.UUID(card.PublicID)
	b.Create(ledgertest.Entry(id, "2026-02-02", "12", "x"))
	b.Create(ledgertest.Entry(id, "2026-02-02", "18", "x"))
	b.Create(ledgertest.Entry(id, "2026-02-02", "-20", "x"))
	b.State(ledgertest.ValuationOf(card, "2026-02-03", "10"))
	rows, _ := b.Days(balance.DayFilter{EndDate: ledgertest.DayOf("2026-02-04")}, ledgertest.WholePage)
	want := "02-04: 1000 = 1000\n02-03: 6000 ~-5000 = 1000\n02-02: 5000 +2000 -3000 = 6000\n02-01: 0 ~5000 = 5000"
	if got := told(rows); got != want || rows[0].FlowsFactor != -1 {
		t.Errorf("got %d\n%s\nwant\n%s", rows[0].FlowsFactor, got, want)
	}
}

// TestFlowsInOtherCurrencies: into 10.00 EUR come 4.00 USD at 0.5 and go 1.01 USD on the 2nd (net 2.99, that is
// 1.495 and rounded 1.50), 3.00 CHF without a rate, 100 JPY without a rate on the 3rd. A valuation knows all.
func TestFlowsInOtherCurrencies(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	in := ledgertest.AccountNamed("A", "depository")
	in.Balance = ledgertest.AmountOf("10")
	a := b.Open(in)
	for _, e := range []struct{ day, amount, currency string }{
		{"2026-02-02", "-4", "USD"}, {"2026-02-02", "1.01", "USD"}, {"2026-02-02", "3", "CHF"}, {"2026-02-03", "-100", "JPY"}, {"2026-02-03", "1", "CHF"},
	} {
		spent := ledgertest.Entry(uuid.UUID(a.PublicID), e.day, e.amount, "x")
		spent.Currency = ledger.Some(e.currency)
		b.Create(spent)
	}
	b.Rate("USD", "EUR", "2026-02-01", "0.5")
	b.State(ledgertest.ValuationOf(a, "2026-02-04", "7"))
	rows, _ := b.Days(balance.DayFilter{EndDate: ledgertest.DayOf("2026-02-04")}, ledgertest.WholePage)
	want := "02-04: 1150 ~-450 = 700\n02-03: 1150 = 1150 [{CHF -400 false} {JPY 100 false}]\n02-02: 1000 +200 -50 = 1150 [{CHF -300 false}]\n02-01: 1000 = 1000"
	if got := told(rows); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	rows, _ = b.Days(balance.DayFilter{StartDate: ledgertest.DayOf("2026-02-03"), EndDate: ledgertest.DayOf("2026-02-03")}, ledgertest.WholePage)
	if got := told(rows); got != "02-03: 1150 = 1150 [{CHF -400 false} {JPY 100 false}]" {
		t.Errorf("alone: got %s", got)
	}
}

// TestFlowsWithoutHiddenRows has 10.00 that came in, and 5.00 that an import is still writing: the sums do not
// have them yet, so they are no flow either.
func TestFlowsWithoutHiddenRows(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	a := b.Open(ledgertest.AccountNamed("A", "depository"))
	b.Create(ledgertest.Entry(uuid.UUID(a.PublicID), "2026-02-02", "-10", "x"))
	b.Create(ledgertest.Entry(uuid.UUID(a.PublicID), "2026-02-02", "-5", "x"))
	b.Exec("UPDATE account_days SET amount = 1000, transactions = 1, incomes = 1 WHERE account_id = ?", a.ID)
	b.Exec("UPDATE households SET hidden_from = entry_sequence, hidden_to = entry_sequence WHERE id = ?", a.HouseholdID)
	rows, _ := b.Days(balance.DayFilter{EndDate: ledgertest.DayOf("2026-02-02")}, ledgertest.WholePage)
	if got, want := told(rows), "02-02: 0 +1000 = 1000\n02-01: 0 = 0"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestPagesOfBalances has a today of 2026-03-01 and accounts that begin on 02-27 (A, dollars), 02-25 (B), and
// 03-01 (C, whose first entry is yet to come).
func TestPagesOfBalances(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	open := func(name, currency, day string) uuid.UUID {
		in := ledgertest.AccountNamed(name, "depository")
		in.Currency = ledger.Some(currency)
		id := uuid.UUID(b.Open(in).PublicID)
		b.Create(ledgertest.Entry(id, day, "1", "x"))
		return id
	}
	a := open("A", "USD", "2026-02-28")
	open("B", "EUR", "2026-02-26")
	open("C", "EUR", "2026-04-01")
	dollars, _ := money.LookupCurrency("USD")
	for name, c := range map[string]struct {
		filter balance.DayFilter
		page   ledger.Page
		want   string
		total  int64
	}{
		"all":         {balance.DayFilter{}, ledgertest.WholePage, "01A 01B 01C 28A 28B 27A 27B 26B 25B", 9},
		"second":      {balance.DayFilter{}, ledger.Page{Number: 2, Size: 4}, "28B 27A 27B 26B", 9},
		"third":       {balance.DayFilter{}, ledger.Page{Number: 3, Size: 4}, "25B", 9},
		"one each":    {balance.DayFilter{}, ledger.Page{Number: 8, Size: 1}, "26B", 9},
		"beyond":      {balance.DayFilter{}, ledger.Page{Number: 10, Size: 1}, "", 9},
		"far beyond":  {balance.DayFilter{}, ledger.Page{Number: 1 << 31, Size: 100}, "", 9},
		"account":     {balance.DayFilter{AccountID: ledger.Some(a)}, ledgertest.WholePage, "01A 28A 27A", 3},
		"stranger":    {balance.DayFilter{AccountID: ledger.Some(uuid.New())}, ledgertest.WholePage, "", 0},
		"currency":    {balance.DayFilter{Currency: ledger.Some(dollars)}, ledgertest.WholePage, "01A 28A 27A", 3},
		"days":        {balance.DayFilter{StartDate: ledgertest.DayOf("2026-02-26"), EndDate: ledgertest.DayOf("2026-02-27")}, ledgertest.WholePage, "27A 27B 26B", 3},
		"in the past": {balance.DayFilter{EndDate: ledgertest.DayOf("2026-02-24")}, ledgertest.WholePage, "", 0},
		"to come":     {balance.DayFilter{StartDate: ledgertest.DayOf("2026-03-02")}, ledgertest.WholePage, "", 0},
		"until later": {balance.DayFilter{StartDate: ledgertest.DayOf("2026-03-01"), EndDate: ledgertest.DayOf("2199-12-31")}, ledgertest.WholePage, "01A 01B 01C", 3},
		"backwards":   {balance.DayFilter{StartDate: ledgertest.DayOf("2026-02-28"), EndDate: ledgertest.DayOf("2026-02-27")}, ledgertest.WholePage, "", 0},
	} {
		rows, total := b.Days(c.filter, c.page)
		var got []string
		for _, r := range rows {
			got = append(got, r.Date.String()[8:]+r.Account.Name)
			if one, err := b.Balances.GetBalanceDay(b.Ctx(), b.Who, r.ID); err != nil || told([]balance.Day{one}) != told([]balance.Day{r}) || one.Account != r.Account {
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
	b := ledgertest.New(t)
	b.Open(ledgertest.AccountNamed("A", "depository"))
	b.Tick = time.Date(2026, 3, 2, 10, 30, 0, 0, time.UTC)
	for zone, want := range map[string]string{"Pacific/Kiritimati": "2026-03-03", "Pacific/Pago_Pago": "2026-03-01", "UTC": "2026-03-02"} {
		if _, err := b.Tenants.UpdateHousehold(b.Ctx(), b.Who, tenant.HouseholdChange{Timezone: ledger.Some(zone)}); err != nil {
			t.Fatal(err)
		}
		rows, _ := b.Days(balance.DayFilter{}, ledgertest.WholePage)
		sheet, err := b.Reports.BalanceSheet(b.Ctx(), b.Who, ledger.Opt[ledger.Date]{})
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
		b := ledgertest.New(t)
		b.Rate("USD", "EUR", "2026-02-18", "0.3333")
		for range rapid.IntRange(1, 3).Draw(r, "accounts") {
			in := ledgertest.AccountNamed("A", rapid.SampledFrom([]string{"depository", "loan", "investment"}).Draw(r, "type"))
			in.Balance = ledgertest.AmountOf(fmt.Sprint(rapid.IntRange(-9, 9).Draw(r, "opening")))
			if rapid.Bool().Draw(r, "dated") {
				in.Date = ledger.Some(first.AddDays(rapid.IntRange(0, 20).Draw(r, "opening day")))
			}
			a := b.Open(in)
			if in.AccountType.Value == "investment" {
				b.Invest(r, a, first)
			}
			for _, day := range rapid.SliceOfN(rapid.IntRange(0, 20), 0, 6).Draw(r, "entries") {
				e := ledgertest.Entry(uuid.UUID(a.PublicID), first.AddDays(day).String(), fmt.Sprint(rapid.IntRange(-99, 99).Draw(r, "amount")), "x")
				e.Currency = ledger.Some(rapid.SampledFrom([]string{"EUR", "USD", "CHF"}).Draw(r, "currency"))
				b.Create(e)
			}
			for _, day := range rapid.SliceOfN(rapid.IntRange(0, 20), 0, 3).Draw(r, "values") {
				b.State(ledgertest.ValuationOf(a, first.AddDays(day).String(), fmt.Sprint(day)))
			}
		}
		size := rapid.IntRange(1, 30).Draw(r, "page size")
		_, total := b.Days(balance.DayFilter{}, ledger.Page{Number: 1, Size: size})
		seen := map[uuid.UUID]bool{}
		for number := 1; int64((number-1)*size) < total; number++ {
			rows, _ := b.Days(balance.DayFilter{}, ledger.Page{Number: number, Size: size})
			for _, row := range rows {
				seen[row.ID] = true
				b.Agrees(r, row)
			}
		}
		if int64(len(seen)) != total {
			r.Fatalf("%d different rows of %d", len(seen), total)
		}
	})
}

func TestBalanceDaysOfNeighbours(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	b.Open(ledgertest.AccountNamed("A", "depository"))
	rows, _ := b.Days(balance.DayFilter{}, ledgertest.WholePage)
	own := rows[0].ID
	for _, id := range []uuid.UUID{uuid.New(), uuid.Nil, rows[0].Account.ID} {
		_, err := b.Balances.GetBalanceDay(b.Ctx(), b.Who, id)
		ledgertest.Refused(t, err, ledger.NotFound)
	}
	b.Who = b.Household("Neighbour")
	if rows, total := b.Days(balance.DayFilter{}, ledgertest.WholePage); len(rows) != 0 || total != 0 {
		t.Errorf("got %v", rows)
	}
	_, err := b.Balances.GetBalanceDay(b.Ctx(), b.Who, own)
	ledgertest.Refused(t, err, ledger.NotFound)
}

// BenchmarkBalanceDays is a page of a hundred rows of eight accounts with ten years of days each.
func BenchmarkBalanceDays(b *testing.B) {
	home := ledgertest.New(b)
	var one uuid.UUID
	for i := range 8 {
		a := home.Open(ledgertest.AccountNamed(fmt.Sprint("Account ", i), "depository"))
		one = uuid.UUID(a.PublicID)
		home.Exec(`WITH RECURSIVE days (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM days WHERE n < 3649)
			INSERT INTO account_days (account_id, date, currency, household_id, amount, transactions, incomes)
			SELECT ?, 16800 + n, 'EUR', ?, n * 137 - 1000, 3, 1 FROM days`, a.ID, a.HouseholdID)
	}
	for name, c := range map[string]struct {
		filter balance.DayFilter
		page   int
	}{"newest": {page: 1}, "oldest": {page: 290}, "account": {balance.DayFilter{AccountID: ledger.Some(one)}, 1}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if rows, _, err := home.Balances.ListBalanceDays(b.Context(), home.Who, c.filter, ledger.Page{Number: c.page, Size: 100}); err != nil || len(rows) != 100 {
					b.Fatal(len(rows), err)
				}
			}
		})
	}
}
