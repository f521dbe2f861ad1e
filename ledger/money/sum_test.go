package money_test

import (
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/money"
	"finsvc/ledger/report"
)

// largestAmount is the most that a sum may be, either way.
var largestAmount = new(big.Int).SetUint64(1<<63 - 1)

func isAmount(n *big.Int) bool { return n.CmpAbs(largestAmount) <= 0 }

// TestSumIsThatOfBigNumbers adds and takes off in any order: the sum is that of numbers without bounds, and an amount
// where that is one.
func TestSumIsThatOfBigNumbers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		var sum money.Sum
		want := new(big.Int)
		for i, minor := range rapid.SliceOf(rapid.Int64()).Draw(r, "amounts") {
			if i%3 == 2 {
				sum.Sub(minor)
				want.Sub(want, big.NewInt(minor))
			} else {
				sum.Add(minor)
				want.Add(want, big.NewInt(minor))
			}
		}
		minor, fits := sum.Minor()
		if fits != isAmount(want) || fits && minor != want.Int64() {
			r.Fatalf("got %d, %t, want %s", minor, fits, want)
		}
		if got := (money.Currency{Code: "JPY"}).PlainSum(sum); got != want.String() {
			r.Fatalf("got %s, want %s", got, want)
		}
		for _, piece := range sum.Pieces() {
			want.Sub(want, big.NewInt(piece))
		}
		if want.Sign() != 0 {
			r.Fatalf("the pieces %v lack %s", sum.Pieces(), want)
		}
		a, b := rapid.Int64().Draw(r, "a"), rapid.Int64().Draw(r, "b")
		added, fits := money.AddMinor(a, b)
		if want := new(big.Int).Add(big.NewInt(a), big.NewInt(b)); fits != isAmount(want) || fits && added != want.Int64() {
			r.Fatalf("%d + %d: got %d, %t", a, b, added, fits)
		}
		less, fits := money.SubMinor(a, b)
		if want := new(big.Int).Sub(big.NewInt(a), big.NewInt(b)); fits != isAmount(want) || fits && less != want.Int64() {
			r.Fatalf("%d - %d: got %d, %t", a, b, less, fits)
		}
	})
}

// bigBook is what was booked in an account, by day.
type bigBook map[ledger.Date]*big.Int

// balance is that at the end of a day; ok says that it and the sums of all days before are amounts.
func (b bigBook) balance(until ledger.Date) (balance *big.Int, ok bool) {
	balance, ok = new(big.Int), true
	for _, day := range slices.Sorted(maps.Keys(b)) {
		if day <= until {
			balance = new(big.Int).Add(balance, b[day])
			ok = ok && isAmount(balance) && isAmount(b[day])
		}
	}
	return balance, ok
}

// with is the book with more.
func (b bigBook) with(minors map[ledger.Date]*big.Int) bigBook {
	all := maps.Clone(b)
	for day, minor := range minors {
		if all[day] == nil {
			all[day] = new(big.Int)
		}
		all[day] = new(big.Int).Add(all[day], minor)
	}
	return all
}

// TestBalancesOfBigAmounts books many very large amounts in two accounts on days of several months: a batch is refused
// exactly when a day or a balance would be no amount, every balance is that of big numbers, and a total of both and what it
// says to leave out are together the whole.
func TestBalancesOfBigAmounts(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			b, random := ledgertest.New(t), rand.New(rand.NewPCG(seed, 0))
			accounts := []uuid.UUID{b.Account(b.Who, "A", "EUR"), b.Account(b.Who, "B", "EUR")}
			books := []bigBook{{}, {}}
			refused := 0
			for range 14 {
				at := random.IntN(2)
				inputs, more := batchOfBig(random, accounts[at])
				after := books[at].with(more)
				_, err := b.Entries.CreateTransactions(b.Ctx(), b.Who, inputs)
				if _, ok := after.balance(ledger.MaxDate); ok != (err == nil) || err != nil && !ledger.IsKind(err, ledger.Invalid) {
					t.Fatalf("could be booked is %t, got %v", ok, err)
				}
				if err == nil {
					books[at] = after
				} else {
					refused++
				}
				checkBig(t, b, accounts, books)
			}
			if found, err := b.Audits.Audit(b.Ctx()); err != nil || len(found.Defects) > 0 {
				t.Errorf("audit: %v %+v", err, found.Defects)
			}
			if refused == 0 || refused == 14 {
				t.Errorf("%d of 14 were refused", refused)
			}
		})
	}
}

// batchOfBig are transactions of one account, and what they come to by day.
func batchOfBig(random *rand.Rand, account uuid.UUID) (inputs []entry.TransactionInput, more map[ledger.Date]*big.Int) {
	more = map[ledger.Date]*big.Int{}
	sign := []int64{1, 1, 1, 1, -1}[random.IntN(5)]
	for range 1 + random.IntN(900) {
		day := ledger.NewDate(2026, 1, 10) + ledger.Date(40*random.IntN(4))
		minor := sign * (money.MaxMinor - random.Int64N(money.MaxMinor/10))
		if more[day] == nil {
			more[day] = new(big.Int)
		}
		more[day].Add(more[day], big.NewInt(minor))
		inputs = append(inputs, entry.TransactionInput{AccountID: ledger.Some(account), Date: ledger.Some(day), Name: ledger.Some("x"),
			Amount: ledger.Some(decimal.New(-minor, -2))})
	}
	return inputs, more
}

// checkBig compares balances, net worth and income with those of big numbers.
func checkBig(t *testing.T, b *ledgertest.Fixture, accounts []uuid.UUID, books []bigBook) {
	t.Helper()
	for _, day := range []ledger.Date{ledger.NewDate(2026, 1, 31), ledger.NewDate(2026, 2, 19), ledger.NewDate(2026, 5, 31)} {
		whole := new(big.Int)
		all, err := b.Balances.Balances(b.Ctx(), b.Who, day)
		if err != nil {
			t.Fatal(err)
		}
		for i := range accounts {
			want, _ := books[i].balance(day)
			whole.Add(whole, want)
			if got := all[int64(i+1)]; got.Minor != want.Int64() || len(got.Unconverted) > 0 {
				t.Errorf("balance %d on %s: got %+v, want %s", i, day, got, want)
			}
		}
		sheet, err := b.Reports.BalanceSheet(b.Ctx(), b.Who, ledger.Some(day))
		if err != nil {
			t.Fatal(err)
		}
		got := big.NewInt(sheet.NetWorth)
		for _, gap := range sheet.Unconverted {
			got.Add(got, big.NewInt(gap.Minor))
		}
		if got.Cmp(whole) != 0 {
			t.Errorf("net worth on %s: %+v, want %s", day, sheet, whole)
		}
	}
	whole := new(big.Int)
	for _, book := range books {
		balance, _ := book.balance(ledger.MaxDate)
		whole.Add(whole, balance)
	}
	for _, by := range []string{report.ByNothing, report.ByAccount, report.ByMonth, report.ByTag} {
		out, err := b.Reports.Breakdown(b.Ctx(), b.Who, report.BreakdownInput{GroupBy: by})
		if err != nil {
			t.Fatal(err)
		}
		got := big.NewInt(out.Net)
		for _, gap := range out.Unconverted {
			got.Add(got, new(big.Int).Sub(big.NewInt(gap.Income), big.NewInt(gap.Expenses)))
		}
		if got.Cmp(whole) != 0 {
			t.Errorf("by %q: %+v, want %s", by, out, whole)
		}
	}
}
