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
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/report"
)

// TestIncomeStatement is worked out by hand, for March, in cents.
//
//	Giro    2nd  2,000.00 in, Work      5th  500.00 out, to Savings (6th)      7th  100.00 out, of which 98.50 arrive at
//	        20th  30.00 out, Food                                                   the card on the 20th: 1.50 is a fee
//	Dollars 1st  4.00 USD out, when there is no rate yet;  3rd  20.00 USD out, Food: 16.00 EUR at 0.80;  10th 10.01 USD
//	        out, Food: 9.01 EUR at 1 / 1.1111111111, which is newer;  12th 33.00 USD in, by the same 29.70 EUR, when that
//	        is eight days old
//	Depot   9th  buys for 40.00, the fee of 1.00 included, which counts for nothing; dividend 12.00, interest 3.00,
//	        fee of 5.00
//	Closed  8th  77.00 out of an account that is disabled
func TestIncomeStatement(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro, savings, card := b.OpenWith("Giro", "depository", "EUR", "0"), b.OpenWith("Savings", "depository", "EUR", "0"), b.OpenWith("Card", "credit_card", "EUR", "0")
	dollars, depot, closed := b.OpenWith("Dollars", "depository", "USD", "0"), b.OpenWith("Depot", "investment", "EUR", "0"), b.OpenWith("Closed", "depository", "EUR", "0")
	b.Rate("USD", "EUR", "2026-03-02", "0.8")
	b.Rate("EUR", "USD", "2026-03-04", "1.1111111111")
	food, work := b.Category(b.Who, "Food"), b.Category(b.Who, "Work")
	in := func(row entry.Transaction, category uuid.UUID) {
		b.Update(uuid.UUID(row.PublicID), entry.TransactionInput{CategoryID: ledger.Some(category)})
	}
	in(b.Book(giro, "2026-03-02", "-2000", "EUR", "pay"), work)
	b.Book(giro, "2026-03-05", "500", "EUR", "saved")
	b.Book(savings, "2026-03-06", "-500", "EUR", "saving")
	whole := b.Book(giro, "2026-03-07", "100", "EUR", "whole")
	part := b.Book(card, "2026-03-20", "-98.50", "EUR", "part")
	if _, err := b.Link(part, whole); err != nil {
		t.Fatal(err)
	}
	in(b.Book(giro, "2026-03-20", "30", "EUR", "market"), food)
	in(b.Book(dollars, "2026-03-03", "20", "USD", "diner"), food)
	in(b.Book(dollars, "2026-03-10", "10.01", "USD", "bar"), food)
	b.Book(dollars, "2026-03-12", "-33", "USD", "refund")
	b.Book(dollars, "2026-03-01", "4", "USD", "early")
	b.Deal(depot, "buy", "2026-03-09", "ABC", "1", "39", "1")
	b.Deal(depot, "dividend", "2026-03-09", "ABC", "", "12", "0")
	b.Deal(depot, "interest", "2026-03-09", "ABC", "", "3", "0")
	b.Deal(depot, "fee", "2026-03-09", "ABC", "", "5", "0")
	b.Book(closed, "2026-03-08", "77", "EUR", "gone")
	if _, err := b.Accounts.UpdateAccount(b.Ctx(), b.Who, uuid.UUID(closed.PublicID), catalog.AccountInput{Status: ledger.Some("disabled")}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		start, end string
		accounts   []catalog.Account
		want       string
	}{
		{"2026-03-01", "2026-03-31", nil, "204470-6151=198319, 2 left out; Food 0-5501 of 3; Work 200000-0 of 1; none 4470-650 of 6; no rate for USD 0-400"},
		{"2026-03-03", "2026-03-03", nil, "0-1600=-1600, 0 left out; Food 0-1600 of 1"},
		{"2026-03-06", "2026-03-06", nil, "0-0=0, 1 left out"},
		{"2026-03-07", "2026-03-07", []catalog.Account{giro}, "0-150=-150, 1 left out; none 0-150 of 1"},
		{"2026-03-01", "2026-03-31", []catalog.Account{card, closed}, "0-0=0, 1 left out"},
		{"2026-03-01", "2026-03-31", []catalog.Account{giro, dollars}, "202970-5651=197319, 2 left out; Food 0-5501 of 3; Work 200000-0 of 1; none 2970-150 of 3; no rate for USD 0-400"},
	} {
		if got := ledgertest.Sums(b.Earned(c.start, c.end, c.accounts...)); got != c.want {
			t.Errorf("%s to %s: got %s\nwant %s", c.start, c.end, got, c.want)
		}
	}
	var rates []string
	march := b.Earned("2026-03-01", "2026-03-31")
	for _, r := range march.Rates {
		rates = append(rates, fmt.Sprint(r.From, r.To, r.Date, " ", r.Rate, " ", r.Stale))
	}
	if got := strings.Join(rates, ", "); got != "EURUSD2026-03-04 1.1111111111 true, USDEUR2026-03-02 0.8 false" {
		t.Errorf("used %s", got)
	}
	if got := fmt.Sprint(march.Stale); got != "[{USD EUR 2026-03-12 2026-03-04}]" {
		t.Errorf("the stale rates are %s", got)
	}
	if got := b.Earned("2026-03-01", "2026-03-11").Stale; len(got) > 0 {
		t.Errorf("seven days are stale: %v", got)
	}
}

// TestIncomeStatementIsOfThisMonth: the clock of the books stands on March 1st, 2026.
func TestIncomeStatementIsOfThisMonth(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	for _, c := range []struct {
		in   report.IncomeInput
		want string
	}{
		{report.IncomeInput{}, "2026-03-01 2026-03-01"},
		{report.IncomeInput{EndDate: ledgertest.DayOf("2024-02-29")}, "2024-02-01 2024-02-29"},
		{report.IncomeInput{StartDate: ledgertest.DayOf("2025-12-24")}, "2025-12-24 2026-03-01"},
		{report.IncomeInput{StartDate: ledgertest.DayOf("2026-04-02")}, "2026-04-02 2026-04-02"},
	} {
		s, err := b.Reports.IncomeStatement(b.Ctx(), b.Who, c.in)
		if got := fmt.Sprint(s.StartDate, " ", s.EndDate); err != nil || got != c.want {
			t.Errorf("got %s, %v, want %s", got, err, c.want)
		}
	}
	if _, err := b.Reports.IncomeStatement(b.Ctx(), b.Who, report.IncomeInput{StartDate: ledgertest.DayOf("2026-03-02"), EndDate: ledgertest.DayOf("2026-03-01")}); !ledger.IsKind(err, ledger.Invalid) {
		t.Errorf("upside down: got %v", err)
	}
}

// TestIncomeEqualsItsParts compares the totals with a walk over the transactions that are in no transfer.
func TestIncomeEqualsItsParts(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	var accounts []catalog.Account
	for _, name := range []string{"A", "B"} {
		accounts = append(accounts, b.OpenWith(name, "depository", "EUR", "0"))
	}
	b.Rate("EUR", "USD", "2026-01-03", "2")
	category := b.Category(b.Who, "Food")
	first, written := ledger.NewDate(2026, 1, 1), 0
	rapid.Check(t, func(r *rapid.T) {
		var rows []entry.Transaction
		for range rapid.IntRange(0, 12).Draw(r, "rows") {
			written++
			in := ledgertest.Entry(uuid.UUID(rapid.SampledFrom(accounts).Draw(r, "account").PublicID), first.AddDays(rapid.IntRange(0, 9).Draw(r, "day")).String(),
				fmt.Sprint(rapid.IntRange(-3, 3).Draw(r, "amount")), fmt.Sprint(written))
			in.Currency = ledger.Some(rapid.SampledFrom([]string{"EUR", "EUR", "USD"}).Draw(r, "currency"))
			if rapid.Bool().Draw(r, "food") {
				in.CategoryID = ledger.Some(category)
			}
			rows = append(rows, b.Create(in))
		}
		start, end := first.AddDays(rapid.IntRange(0, 9).Draw(r, "start")), first.AddDays(rapid.IntRange(0, 9).Draw(r, "end"))
		start, end = min(start, end), max(start, end)
		var income, expenses, lost int64
		var moved []uuid.UUID
		for i, row := range rows {
			rows[i] = b.Get(row)
			switch side, day := rows[i].Transfer, ledger.Date(row.Date); {
			case day < start || day > end:
			case side != nil:
				moved = append(moved, side.ID)
			case row.Currency == "USD" && day < first+2:
				lost += row.Amount
			default:
				minor := row.Amount
				if row.Currency == "USD" {
					minor /= 2 // whole dollars: half of their cents is exact
				}
				income, expenses = income+max(minor, 0), expenses+max(-minor, 0)
			}
		}
		slices.SortFunc(moved, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
		s := b.Earned(start.String(), end.String())
		var gap int64
		for _, g := range s.Unconverted {
			gap += g.Income - g.Expenses
		}
		if s.Income != income || s.Expenses != expenses || s.Net != income-expenses || s.TransfersLeftOut != int64(len(slices.Compact(moved))) || gap != lost {
			r.Fatalf("%s to %s: got %s, want %d-%d, %d left out, %d without a rate", start, end, ledgertest.Sums(s), income, expenses, len(slices.Compact(moved)), lost)
		}
		for _, row := range rows {
			b.Remove(row)
		}
	})
}
