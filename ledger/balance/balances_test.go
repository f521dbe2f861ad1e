package balance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/fx"
	"finsvc/ledger/ledgertest"
)

// TestBalanceByDay has entries of 10.00 out on the 2nd, 100.00 in on the 5th and 7.00 out on the 9th.
//
// Decision, Trades, holdings, valuations, balance sheet: a balance is the last valuation and the flows after it.
func TestBalanceByDay(t *testing.T) {
	t.Parallel()
	const days = "2026-01-01 2026-01-02 2026-01-04 2026-01-05 2026-01-08 2026-01-09 2026-12-31"
	for name, c := range map[string]struct {
		opening, date, value string // the value is a reconciliation of 500.00 on that day
		want                 []int64
	}{
		"nothing":                          {"", "", "", []int64{0, -1000, -1000, 9000, 9000, 8300, 8300}},
		"floating opening":                 {"50", "", "", []int64{5000, 4000, 4000, 14000, 14000, 13300, 13300}},
		"opening before all":               {"50", "2026-01-01", "", []int64{5000, 4000, 4000, 14000, 14000, 13300, 13300}},
		"opening at the end of a busy day": {"50", "2026-01-05", "", []int64{0, -1000, -1000, 5000, 5000, 4300, 4300}},
		"opening after all":                {"50", "2026-02-01", "", []int64{0, -1000, -1000, 9000, 9000, 8300, 5000}},
		"value on an idle day":             {"50", "", "2026-01-04", []int64{5000, 4000, 50000, 60000, 60000, 59300, 59300}},
		"value on a busy day":              {"50", "2026-01-01", "2026-01-05", []int64{5000, 4000, 4000, 50000, 50000, 49300, 49300}},
		"value before a floating opening":  {"50", "", "2026-01-01", []int64{50000, 49000, 49000, 59000, 59000, 58300, 58300}},
	} {
		for kind, sign := range map[string]int64{"depository": 1, "credit_card": -1} {
			b := ledgertest.New(t)
			in := ledgertest.AccountNamed("A", kind)
			if c.opening != "" {
				// In the ledger's sign for both kinds: of a card, -50.00 is owed.
				in.Balance = ledger.Some(ledgertest.AmountOf(c.opening).Value.Mul(ledgertest.AmountOf(fmt.Sprint(sign)).Value))
			}
			if c.date != "" {
				in.Date = ledgertest.DayOf(c.date)
			}
			a := b.Open(in)
			id := uuid.UUID(a.PublicID)
			b.Create(ledgertest.Entry(id, "2026-01-02", "10", "x"))
			b.Create(ledgertest.Entry(id, "2026-01-05", "-100", "x"))
			b.Create(ledgertest.Entry(id, "2026-01-09", "7", "x"))
			if c.value != "" {
				b.Value(a, c.value, 50000)
			}
			var got []int64
			for day := range strings.FieldsSeq(days) {
				got = append(got, b.Balance(a, day).Minor)
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%s of a %s:\n got %v\nwant %v", name, kind, got, c.want)
			}
		}
	}
}

func TestBalanceOfAccount(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t) // the day is 2026-03-01
	in := ledgertest.AccountNamed("Card", "credit_card")
	in.Balance = ledgertest.AmountOf("250.00")
	card := b.Open(in)
	id := uuid.UUID(card.PublicID)
	check := func(want int64) {
		t.Helper()
		a, err := b.Accounts.GetAccount(b.Ctx(), b.Who, id)
		if err != nil || a.BalanceMinor != want {
			t.Errorf("got %d, %v, want %d", a.BalanceMinor, err, want)
		}
	}
	check(25000)
	bought := b.Create(ledgertest.Entry(id, "2026-03-01", "19.99", "Shoes"))
	check(26999)
	b.Create(ledgertest.Entry(id, "2026-03-02", "1000", "Tomorrow"))
	check(26999)
	b.Update(uuid.UUID(bought.PublicID), entry.TransactionInput{Nature: ledger.Some("income")})
	check(23001)
	if err := b.Entries.DeleteTransaction(b.Ctx(), b.Who, uuid.UUID(bought.PublicID)); err != nil {
		t.Fatal(err)
	}
	check(25000)
}

func TestBalanceInOtherCurrencies(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rates       [][4]string
		day, amount string // of an expense in dollars, into an account in euros with 1000.00
		want        int64
		left        int64  // unconverted
		stale       string // the day of the rate when that is old
	}{
		"no rate":                          {nil, "2026-02-10", "10", 100000, -1000, ""},
		"direct of the day":                {[][4]string{{"USD", "EUR", "2026-02-10", "0.5"}}, "2026-02-10", "10", 99500, 0, ""},
		"seven days old":                   {[][4]string{{"USD", "EUR", "2026-02-03", "0.5"}}, "2026-02-10", "10", 99500, 0, ""},
		"eight days old":                   {[][4]string{{"USD", "EUR", "2026-02-02", "0.5"}}, "2026-02-10", "10", 99500, 0, "2026-02-02"},
		"ninety years old":                 {[][4]string{{"USD", "EUR", "1936-02-10", "0.5"}, {"USD", "EUR", "2026-02-11", "9"}}, "2026-02-10", "10", 99500, 0, "1936-02-10"},
		"old, and nothing comes of it":     {[][4]string{{"USD", "EUR", "2025-02-02", "0.49"}}, "2026-02-10", "0.01", 100000, 0, "2025-02-02"},
		"seven days over a block":          {[][4]string{{"USD", "EUR", "2026-02-22", "0.5"}}, "2026-03-01", "10", 99500, 0, ""},
		"only later":                       {[][4]string{{"USD", "EUR", "2026-02-11", "0.5"}}, "2026-02-10", "10", 100000, -1000, ""},
		"newest counts":                    {[][4]string{{"USD", "EUR", "2026-02-08", "0.5"}, {"USD", "EUR", "2026-02-09", "0.25"}, {"USD", "EUR", "2026-02-11", "9"}}, "2026-02-10", "10", 99750, 0, ""},
		"inverse":                          {[][4]string{{"EUR", "USD", "2026-02-10", "1.25"}}, "2026-02-10", "10", 99200, 0, ""},
		"direct before inverse of one day": {[][4]string{{"EUR", "USD", "2026-02-05", "1.25"}, {"USD", "EUR", "2026-02-05", "0.5"}}, "2026-02-10", "10", 99500, 0, ""},
		"newer inverse before direct":      {[][4]string{{"EUR", "USD", "2026-02-10", "1.25"}, {"USD", "EUR", "2026-02-09", "0.5"}}, "2026-02-10", "10", 99200, 0, ""},
		"pair before base of one day":      {[][4]string{{"EUR", "USD", "2026-02-09", "1.25"}, {"GBP", "USD", "2026-02-10", "1.25"}, {"GBP", "EUR", "2026-02-09", "1.2"}}, "2026-02-10", "10", 99200, 0, ""},
		"newer base before the pair":       {[][4]string{{"EUR", "USD", "2026-02-08", "1.25"}, {"GBP", "USD", "2026-02-10", "1.25"}, {"GBP", "EUR", "2026-02-09", "1.2"}}, "2026-02-10", "10", 99040, 0, ""},
		"newest of two bases":              {[][4]string{{"CHF", "USD", "2026-02-10", "1"}, {"CHF", "EUR", "2025-02-10", "1"}, {"GBP", "USD", "2025-12-10", "1.25"}, {"GBP", "EUR", "2025-12-09", "1.2"}}, "2026-02-10", "10", 99040, 0, "2025-12-09"},
		"through a common base":            {[][4]string{{"GBP", "USD", "2026-02-10", "1.25"}, {"GBP", "EUR", "2026-02-09", "1.2"}}, "2026-02-10", "10", 99040, 0, ""},
		"base the other way":               {[][4]string{{"USD", "GBP", "2026-02-10", "0.8"}, {"EUR", "GBP", "2026-02-09", "0.5"}}, "2026-02-10", "10", 98400, 0, ""},
		"base with one leg old":            {[][4]string{{"GBP", "USD", "2026-02-10", "1.25"}, {"GBP", "EUR", "2026-02-01", "1.2"}}, "2026-02-10", "10", 99040, 0, "2026-02-01"},
		"half a cent goes away":            {[][4]string{{"USD", "EUR", "2026-02-10", "0.5"}}, "2026-02-10", "0.01", 99999, 0, ""},
		"less than half goes to zero":      {[][4]string{{"USD", "EUR", "2026-02-10", "0.49"}}, "2026-02-10", "0.01", 100000, 0, ""},
		"a third":                          {[][4]string{{"EUR", "USD", "2026-02-10", "3"}}, "2026-02-10", "1", 99967, 0, ""},
		"a rate of zero is none":           {[][4]string{{"EUR", "USD", "2026-02-10", "0"}}, "2026-02-10", "1", 100000, -100, ""},
		"tomorrow does not count":          {[][4]string{{"USD", "EUR", "2026-03-01", "0.5"}}, "2026-03-02", "10", 100000, 0, ""},
	} {
		b := ledgertest.New(t)
		in := ledgertest.AccountNamed("A", "depository")
		in.Balance = ledgertest.AmountOf("1000")
		a := b.Open(in)
		spent := ledgertest.Entry(uuid.UUID(a.PublicID), c.day, c.amount, "x")
		spent.Currency = ledger.Some("USD")
		b.Create(spent)
		for _, r := range c.rates {
			b.Rate(r[0], r[1], r[2], r[3])
		}
		got, err := b.Accounts.GetAccount(b.Ctx(), b.Who, uuid.UUID(a.PublicID))
		if err != nil {
			t.Fatal(err)
		}
		var left int64
		for _, u := range got.Unconverted {
			left += u.Minor
		}
		if got.BalanceMinor != c.want || left != c.left || (left != 0) != (len(got.Unconverted) == 1) {
			t.Errorf("%s: got %d and %v, want %d and %d", name, got.BalanceMinor, got.Unconverted, c.want, c.left)
		}
		var stale []fx.StaleRate
		if c.stale != "" {
			stale = []fx.StaleRate{{From: "USD", To: "EUR", Date: ledgertest.DayOf(c.day).Value, RateDate: ledgertest.DayOf(c.stale).Value}}
		}
		if diff := cmp.Diff(stale, got.Stale); diff != "" {
			t.Errorf("%s: stale rates (-want +got):\n%s", name, diff)
		}
		if all := b.Balance(a, "2026-03-01"); all.Minor != got.BalanceMinor || len(all.Unconverted) != len(got.Unconverted) {
			t.Errorf("%s: the list has %+v", name, all)
		}
	}
}

// TestBalanceRoundsPerDay adds 0.01 + 0.02 USD on one day (0.03 at 0.5 is 0.02 euros) and 0.01 JPY-like
// exponents on others: 100 yen at 0.0061 are 0.61 euros, 1.500 dinars at 3 are 4.50.
func TestBalanceRoundsPerDay(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	a := b.Open(ledgertest.AccountNamed("A", "loan"))
	for _, e := range []struct{ day, amount, currency string }{
		{"2026-02-10", "-0.01", "USD"}, {"2026-02-10", "-0.02", "USD"}, {"2026-02-11", "-100", "JPY"}, {"2026-02-12", "-1.500", "KWD"},
		{"2026-02-12", "-3", "CHF"}, {"2026-02-13", "-4", "CHF"},
	} {
		in := ledgertest.Entry(uuid.UUID(a.PublicID), e.day, e.amount, "x")
		in.Currency = ledger.Some(e.currency)
		b.Create(in)
	}
	b.Rate("USD", "EUR", "2026-02-10", "0.5")
	b.Rate("JPY", "EUR", "2026-02-10", "0.0061")
	b.Rate("KWD", "EUR", "2026-02-10", "3")
	got, err := b.Accounts.GetAccount(b.Ctx(), b.Who, uuid.UUID(a.PublicID))
	if err != nil {
		t.Fatal(err)
	}
	// 2 + 61 + 450 cents came into the loan, so -5.13 is owed; 7 francs have no rate.
	if got.BalanceMinor != -513 || fmt.Sprint(got.Unconverted) != "[{CHF -700 false}]" {
		t.Errorf("got %d, %v", got.BalanceMinor, got.Unconverted)
	}
}

// BenchmarkBalances is the balance of all of eight accounts with ten years of days each.
func BenchmarkBalances(b *testing.B) {
	home := ledgertest.New(b)
	for i := range 8 {
		a := home.Open(ledgertest.AccountNamed(fmt.Sprint("Account ", i), "depository"))
		home.Exec(`WITH RECURSIVE days (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM days WHERE n < 3649)
			INSERT INTO account_days (account_id, date, currency, household_id, amount, transactions, incomes)
			SELECT ?, 16800 + n, 'EUR', ?, n * 137 - 1000, 3, 1 FROM days`, a.ID, a.HouseholdID)
	}
	for b.Loop() {
		if _, err := home.Balances.Balances(b.Context(), home.Who, ledger.MaxDate); err != nil {
			b.Fatal(err)
		}
	}
}
