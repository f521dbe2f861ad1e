package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
)

func (b *books) earned(start, end string, accounts ...ledger.Account) ledger.IncomeStatement {
	b.tb.Helper()
	in := ledger.IncomeInput{StartDate: dayOf(start), EndDate: dayOf(end)}
	for _, a := range accounts {
		in.AccountIDs = append(in.AccountIDs, uuid.UUID(a.PublicID))
	}
	s, err := b.IncomeStatement(b.ctx(), b.who, in)
	if err != nil {
		b.tb.Fatal(err)
	}
	return s
}

// sums are the totals, the transfers left out, the categories and what has no rate.
func sums(s ledger.IncomeStatement) string {
	text := fmt.Sprintf("%d-%d=%d, %d left out", s.Income, s.Expenses, s.Net, s.TransfersLeftOut)
	for _, c := range s.ByCategory {
		name := "none"
		if c.Category != nil {
			name = c.Category.Name
		}
		text += fmt.Sprintf("; %s %d-%d of %d", name, c.Income, c.Expenses, c.Count)
	}
	for _, gap := range s.Unconverted {
		text += fmt.Sprintf("; no rate for %s %d-%d", gap.Currency, gap.Income, gap.Expenses)
	}
	return text
}

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
	b := newBooks(t)
	giro, savings, card := b.openWith("Giro", "depository", "EUR", "0"), b.openWith("Savings", "depository", "EUR", "0"), b.openWith("Card", "credit_card", "EUR", "0")
	dollars, depot, closed := b.openWith("Dollars", "depository", "USD", "0"), b.openWith("Depot", "investment", "EUR", "0"), b.openWith("Closed", "depository", "EUR", "0")
	b.rate("USD", "EUR", "2026-03-02", "0.8")
	b.rate("EUR", "USD", "2026-03-04", "1.1111111111")
	food, work := b.category(b.who, "Food"), b.category(b.who, "Work")
	in := func(row ledger.Transaction, category uuid.UUID) {
		b.update(uuid.UUID(row.PublicID), ledger.TransactionInput{CategoryID: ledger.Some(category)})
	}
	in(b.book(giro, "2026-03-02", "-2000", "EUR", "pay"), work)
	b.book(giro, "2026-03-05", "500", "EUR", "saved")
	b.book(savings, "2026-03-06", "-500", "EUR", "saving")
	whole := b.book(giro, "2026-03-07", "100", "EUR", "whole")
	part := b.book(card, "2026-03-20", "-98.50", "EUR", "part")
	if _, err := b.link(part, whole); err != nil {
		t.Fatal(err)
	}
	in(b.book(giro, "2026-03-20", "30", "EUR", "market"), food)
	in(b.book(dollars, "2026-03-03", "20", "USD", "diner"), food)
	in(b.book(dollars, "2026-03-10", "10.01", "USD", "bar"), food)
	b.book(dollars, "2026-03-12", "-33", "USD", "refund")
	b.book(dollars, "2026-03-01", "4", "USD", "early")
	b.deal(depot, "buy", "2026-03-09", "ABC", "1", "39", "1")
	b.deal(depot, "dividend", "2026-03-09", "ABC", "", "12", "0")
	b.deal(depot, "interest", "2026-03-09", "ABC", "", "3", "0")
	b.deal(depot, "fee", "2026-03-09", "ABC", "", "5", "0")
	b.book(closed, "2026-03-08", "77", "EUR", "gone")
	if _, err := b.UpdateAccount(b.ctx(), b.who, uuid.UUID(closed.PublicID), ledger.AccountInput{Status: ledger.Some("disabled")}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		start, end string
		accounts   []ledger.Account
		want       string
	}{
		{"2026-03-01", "2026-03-31", nil, "204470-6151=198319, 2 left out; Food 0-5501 of 3; Work 200000-0 of 1; none 4470-650 of 6; no rate for USD 0-400"},
		{"2026-03-03", "2026-03-03", nil, "0-1600=-1600, 0 left out; Food 0-1600 of 1"},
		{"2026-03-06", "2026-03-06", nil, "0-0=0, 1 left out"},
		{"2026-03-07", "2026-03-07", []ledger.Account{giro}, "0-150=-150, 1 left out; none 0-150 of 1"},
		{"2026-03-01", "2026-03-31", []ledger.Account{card, closed}, "0-0=0, 1 left out"},
		{"2026-03-01", "2026-03-31", []ledger.Account{giro, dollars}, "202970-5651=197319, 2 left out; Food 0-5501 of 3; Work 200000-0 of 1; none 2970-150 of 3; no rate for USD 0-400"},
	} {
		if got := sums(b.earned(c.start, c.end, c.accounts...)); got != c.want {
			t.Errorf("%s to %s: got %s\nwant %s", c.start, c.end, got, c.want)
		}
	}
	var rates []string
	march := b.earned("2026-03-01", "2026-03-31")
	for _, r := range march.Rates {
		rates = append(rates, fmt.Sprint(r.From, r.To, r.Date, " ", r.Rate, " ", r.Stale))
	}
	if got := strings.Join(rates, ", "); got != "EURUSD2026-03-04 1.1111111111 true, USDEUR2026-03-02 0.8 false" {
		t.Errorf("used %s", got)
	}
	if got := fmt.Sprint(march.Stale); got != "[{USD EUR 2026-03-12 2026-03-04}]" {
		t.Errorf("the stale rates are %s", got)
	}
	if got := b.earned("2026-03-01", "2026-03-11").Stale; len(got) > 0 {
		t.Errorf("seven days are stale: %v", got)
	}
}

// TestIncomeStatementIsOfThisMonth: the clock of the books stands on March 1st, 2026.
func TestIncomeStatementIsOfThisMonth(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	for _, c := range []struct {
		in   ledger.IncomeInput
		want string
	}{
		{ledger.IncomeInput{}, "2026-03-01 2026-03-01"},
		{ledger.IncomeInput{EndDate: dayOf("2024-02-29")}, "2024-02-01 2024-02-29"},
		{ledger.IncomeInput{StartDate: dayOf("2025-12-24")}, "2025-12-24 2026-03-01"},
		{ledger.IncomeInput{StartDate: dayOf("2026-04-02")}, "2026-04-02 2026-04-02"},
	} {
		s, err := b.IncomeStatement(b.ctx(), b.who, c.in)
		if got := fmt.Sprint(s.StartDate, " ", s.EndDate); err != nil || got != c.want {
			t.Errorf("got %s, %v, want %s", got, err, c.want)
		}
	}
	if _, err := b.IncomeStatement(b.ctx(), b.who, ledger.IncomeInput{StartDate: dayOf("2026-03-02"), EndDate: dayOf("2026-03-01")}); !ledger.IsKind(err, ledger.Invalid) {
		t.Errorf("upside down: got %v", err)
	}
}

// TestIncomeEqualsItsParts compares the totals with a walk over the transactions that are in no transfer.
func TestIncomeEqualsItsParts(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	var accounts []ledger.Account
	for _, name := range []string{"A", "B"} {
		accounts = append(accounts, b.openWith(name, "depository", "EUR", "0"))
	}
	b.rate("EUR", "USD", "2026-01-03", "2")
	category := b.category(b.who, "Food")
	first, written := ledger.NewDate(2026, 1, 1), 0
	rapid.Check(t, func(r *rapid.T) {
		var rows []ledger.Transaction
		for range rapid.IntRange(0, 12).Draw(r, "rows") {
			written++
			in := entry(uuid.UUID(rapid.SampledFrom(accounts).Draw(r, "account").PublicID), first.AddDays(rapid.IntRange(0, 9).Draw(r, "day")).String(),
				fmt.Sprint(rapid.IntRange(-3, 3).Draw(r, "amount")), fmt.Sprint(written))
			in.Currency = ledger.Some(rapid.SampledFrom([]string{"EUR", "EUR", "USD"}).Draw(r, "currency"))
			if rapid.Bool().Draw(r, "food") {
				in.CategoryID = ledger.Some(category)
			}
			rows = append(rows, b.create(in))
		}
		start, end := first.AddDays(rapid.IntRange(0, 9).Draw(r, "start")), first.AddDays(rapid.IntRange(0, 9).Draw(r, "end"))
		start, end = min(start, end), max(start, end)
		var income, expenses, lost int64
		var moved []uuid.UUID
		for i, row := range rows {
			rows[i] = b.get(row)
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
		s := b.earned(start.String(), end.String())
		var gap int64
		for _, g := range s.Unconverted {
			gap += g.Income - g.Expenses
		}
		if s.Income != income || s.Expenses != expenses || s.Net != income-expenses || s.TransfersLeftOut != int64(len(slices.Compact(moved))) || gap != lost {
			r.Fatalf("%s to %s: got %s, want %d-%d, %d left out, %d without a rate", start, end, sums(s), income, expenses, len(slices.Compact(moved)), lost)
		}
		for _, row := range rows {
			b.remove(row)
		}
	})
}
