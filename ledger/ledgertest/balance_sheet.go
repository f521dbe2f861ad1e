package ledgertest

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/ledger/report"
	"finsvc/queries"
)

// OpenWith opens an account in a currency; of a liability the balance is what is owed.
func (b *Fixture) OpenWith(name, kind, currency, balance string) catalog.Account {
	b.tb.Helper()
	in := AccountNamed(name, kind)
	in.Currency, in.Balance = ledger.Some(currency), AmountOf(balance)
	return b.Open(in)
}

func (b *Fixture) Sheet(day string) report.BalanceSheet {
	b.tb.Helper()
	sheet, err := b.Reports.BalanceSheet(b.Ctx(), b.Who, DayOf(day))
	if err != nil {
		b.tb.Fatal(err)
	}
	return sheet
}

// Totals are net worth, assets and liabilities, and what is left out.
func Totals(s report.BalanceSheet) string {
	text := fmt.Sprint(s.NetWorth, s.Assets, s.Liabilities)
	for _, gap := range s.Unconverted {
		text += fmt.Sprintf(" %s %d of %d", gap.Currency, gap.Minor, len(gap.Accounts))
	}
	return text
}

func (b *Fixture) Series(start, end, interval string) (report.NetWorthSeries, error) {
	in := report.SeriesInput{Interval: interval}
	if start != "" {
		in.StartDate = DayOf(start)
	}
	if end != "" {
		in.EndDate = DayOf(end)
	}
	return b.Reports.NetWorth(b.Ctx(), b.Who, in)
}

// Generate furnishes a household: two to four accounts, some of what can happen to them, some rates.
func (b *Fixture) Generate(r *rapid.T) {
	currency := rapid.SampledFrom([]string{"EUR", "USD", "JPY", "KWD"})
	day := rapid.Custom(func(r *rapid.T) string {
		return ledger.NewDate(2026, 1, 1).AddDays(rapid.IntRange(0, 60).Draw(r, "day")).String()
	})
	var entries []entry.TransactionInput
	for i := range rapid.IntRange(2, 4).Draw(r, "accounts") {
		in := AccountNamed(fmt.Sprint("A", i), rapid.SampledFrom([]string{"depository", "loan", "investment"}).Draw(r,
			"type"))
		in.Currency, in.Balance = ledger.Some(currency.Draw(r, "currency")),
			AmountOf(fmt.Sprint(rapid.IntRange(-900, 900).Draw(r, "opening")))
		if rapid.Bool().Draw(r, "dated") {
			in.Date = DayOf(day.Draw(r, "opened"))
		}
		account := b.Open(in)
		if in.AccountType.Value == "investment" {
			b.Invest(r, account, ledger.NewDate(2026, 1, 20))
		}
		for range rapid.IntRange(0, 6).Draw(r, "entries") {
			e := Entry(uuid.UUID(account.PublicID), day.Draw(r, "day"),
				fmt.Sprint(rapid.IntRange(-900, 900).Draw(r, "amount")), "x")
			e.Currency = ledger.Some(currency.Draw(r, "currency"))
			entries = append(entries, e)
		}
		for _, on := range rapid.SliceOfNDistinct(day, 0, 2, rapid.ID).Draw(r, "valuations") {
			if !in.Date.Has() || in.Date.Value.String() != on {
				b.Value(account, on, rapid.Int64Range(-90_000, 90_000).Draw(r, "value"))
			}
		}
	}
	if len(entries) > 0 {
		if _, err := b.Entries.CreateTransactions(b.Ctx(), b.Who, entries); err != nil {
			r.Fatal(err)
		}
	}
	for _, pair := range []string{"EUR USD 1.0825", "USD JPY 151.37", "EUR KWD 0.3319", "JPY EUR 0.0061"} {
		words := strings.Fields(pair)
		for _, on := range rapid.SliceOfNDistinct(day, 0, 4, rapid.ID).Draw(r, "rates") {
			b.Rate(words[0], words[1], on, words[2])
		}
	}
}

// SumOfAccounts converts and adds up the balance of each account by itself, by the newest of all published rates.
func (b *Fixture) SumOfAccounts(r *rapid.T, day ledger.Date) (sum int64) {
	all, err := b.Balances.Balances(b.Ctx(), b.Who, day)
	if err != nil {
		r.Fatal(err)
	}
	accounts, _, err := b.Accounts.ListAccounts(b.Ctx(), b.Who, false, WholePage)
	if err != nil {
		r.Fatal(err)
	}
	var rates []fx.ExchangeRate
	err = b.DB.Read(b.Ctx(), func(ctx context.Context, q *queries.Queries) error {
		return q.EachRow(ctx, func(scan func(...any) error) error {
			var x fx.ExchangeRate
			err := scan(&x.From, &x.To, &x.Date, &x.Rate)
			rates = append(rates, x)
			return err
		}, "SELECT from_currency, to_currency, date, rate FROM exchange_rates")
	})
	if err != nil {
		r.Fatal(err)
	}
	for _, a := range accounts {
		from, _ := money.LookupCurrency(a.Currency)
		if q, known := newestQuotient(rates, a.Currency, "EUR", day); known {
			sum += decimal.New(all[a.ID].Minor, int32(2-from.Exponent)).Mul(q.num).DivRound(q.den, 0).IntPart()
		}
	}
	return sum
}

// testQuotient is what a currency is worth in another, by rates the oldest of which is of a day.
type testQuotient struct {
	num, den decimal.Decimal
	day      ledger.Date
}

// newestQuotient tries every rate and every two rates on or before a day: of the newest the direct one, then the
// inverse, then that through the first currency by name.
func newestQuotient(rates []fx.ExchangeRate, from, to string, day ledger.Date) (best testQuotient, known bool) {
	one := decimal.New(1, 0)
	if from == to {
		return testQuotient{one, one, day}, true
	}
	consider := func(q testQuotient) {
		if !known || q.day > best.day {
			best, known = q, true
		}
	}
	single := func(from, to string) (all []testQuotient) {
		for _, inverse := range []bool{false, true} {
			for _, r := range rates {
				switch {
				case r.Date > day:
				case !inverse && r.From == from && r.To == to:
					all = append(all, testQuotient{r.Rate, one, r.Date})
				case inverse && r.From == to && r.To == from:
					all = append(all, testQuotient{one, r.Rate, r.Date})
				}
			}
		}
		return all
	}
	for _, q := range single(from, to) {
		consider(q)
	}
	newest := func(list []testQuotient) (best testQuotient) {
		for _, q := range list {
			if best.den.IsZero() || q.day > best.day {
				best = q
			}
		}
		return best
	}
	for _, base := range []string{"CHF", "EUR", "GBP", "JPY", "KWD", "USD"} {
		first, second := single(from, base), single(base, to)
		if len(first) > 0 && len(second) > 0 {
			a, b := newest(first), newest(second)
			consider(testQuotient{a.num.Mul(b.num), a.den.Mul(b.den), min(a.day, b.day)})
		}
	}
	return best, known
}
