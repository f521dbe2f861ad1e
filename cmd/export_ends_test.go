package cmd_test

import (
	"math/rand/v2"
	"testing"

	"finsvc/cmd/cmdtest"

	"finsvc/db/dbtest"
	"finsvc/ledger"
)

// TestExportsAtTheEndsOfTime: random households, whose opening balances, valuations, transactions, trades, prices and splits
// all lie on the first or the last days that there are and within the year beside them, are exported and read back to the same figures.
func TestExportsAtTheEndsOfTime(t *testing.T) {
	t.Parallel()
	cmdtest.SkipShort(t)
	const year = 366
	for name, from := range map[string]ledger.Date{"the first days": ledger.MinDate, "the last days": ledger.MaxDate.AddDays(-year)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const seed = 4
			random := rand.New(rand.NewPCG(seed, 18))
			to, middle := from.AddDays(year), from.AddDays(random.IntN(year))
			days := []ledger.Date{from, from + 1, middle, middle.MonthEnd(), cmdtest.Clamped(middle.MonthEnd() + 1), to - 1, to}
			s := cmdtest.NewCommandLine(t)
			s.File = dbtest.Path(t)
			cmdtest.NewHouseholdOn(t, s.File, seed, days)
			s.Verifies("Generated", 10)
		})
	}
}
