package balance_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
)

// TestBalanceEqualsItsParts compares balances with sums over the entries, for any opening, any entries
// and any valuations within two weeks.
func TestBalanceEqualsItsParts(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	first := ledger.NewDate(2026, 1, 1)
	rapid.Check(t, func(r *rapid.T) {
		in := ledgertest.AccountNamed("A", rapid.SampledFrom([]string{"depository", "loan"}).Draw(r, "type"))
		in.Balance = ledgertest.AmountOf(fmt.Sprint(rapid.IntRange(-9, 9).Draw(r, "opening")))
		if rapid.Bool().Draw(r, "dated") {
			in.Date = ledger.Some(first.AddDays(rapid.IntRange(0, 14).Draw(r, "opening day")))
		}
		a := b.Open(in)
		values := map[ledger.Date]int64{in.Date.Or(ledger.MinDate): a.OpeningMinor}
		if a.Classification == ledger.Liability {
			values[in.Date.Or(ledger.MinDate)] *= -1
		}
		var entries []entry.Transaction
		for _, day := range rapid.SliceOfN(rapid.IntRange(0, 14), 0, 6).Draw(r, "entries") {
			amount := fmt.Sprint(rapid.IntRange(-99, 99).Draw(r, "amount"))
			entries = append(entries, b.Create(ledgertest.Entry(uuid.UUID(a.PublicID), first.AddDays(day).String(), amount, "x")))
		}
		for _, day := range rapid.SliceOfNDistinct(rapid.IntRange(0, 14), 0, 3, rapid.ID).Draw(r, "values") {
			if _, taken := values[first.AddDays(day)]; !taken {
				values[first.AddDays(day)] = int64(day)
				b.Value(a, first.AddDays(day).String(), int64(day))
			}
		}
		for day := first - 1; day <= first+15; day++ {
			if got, want := b.Balance(a, day.String()).Minor, naiveBalance(values, entries, day); got != want {
				r.Fatalf("%s: got %d, want %d of values %v", day, got, want, values)
			}
		}
	})
}

func naiveBalance(values map[ledger.Date]int64, entries []entry.Transaction, day ledger.Date) (sum int64) {
	since := ledger.MinDate - 1
	for d, v := range values {
		if d <= day && d > since {
			since, sum = d, v
		}
	}
	for _, e := range entries {
		if d := ledger.Date(e.Date); d > since && d <= day {
			sum += e.Amount
		}
	}
	return sum
}
