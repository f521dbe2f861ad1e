package cmd_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"finsvc/db/dbtest"
	"finsvc/ledger"
)

// TestExportsAtTheEndsOfTime: random households, whose opening balances, valuations, transactions, trades, prices and splits
// all lie on the first and last days that there are and of random ranges, are exported and read back to the same figures.
func TestExportsAtTheEndsOfTime(t *testing.T) {
	t.Parallel()
	for _, seed := range []uint64{1, 2, 4} {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 18))
			first := ledger.MinDate.AddDays(random.IntN(int(ledger.MaxDate - ledger.MinDate)))
			last := first.AddDays(random.IntN(int(ledger.MaxDate-first) + 1))
			days := []ledger.Date{ledger.MinDate, ledger.MinDate + 1, first, first.MonthEnd(), clamped(first.MonthEnd() + 1), last, ledger.MaxDate - 1, ledger.MaxDate}
			random.Shuffle(len(days), func(i, j int) { days[i], days[j] = days[j], days[i] })
			s := newShell(t)
			s.file = dbtest.Path(t)
			newHouseholdOn(t, s.file, seed, days[:1+random.IntN(len(days))])
			s.verifies("Generated", 10)
		})
	}
}
