package position_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/ledgertest"
)

// TestHoldingsAreWhatIsHeld: after any sequence of trades, prices and splits, pages of any size give each
// line on each day on which it is held, once and in order.
func TestHoldingsAreWhatIsHeld(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		m := ledgertest.NewMarket(t)
		for range rapid.IntRange(1, 25).Draw(r, "operations") {
			m.Step(r)
		}
		first := ledger.Date(rapid.IntRange(0, ledgertest.MarketDays-1).Draw(r, "first day"))
		last := ledger.Date(rapid.IntRange(int(first)-1, ledgertest.MarketDays-1).Draw(r, "last day"))
		got := m.ListHoldings(r, first, last, rapid.IntRange(1, 9).Draw(r, "page"))
		if diff := cmp.Diff(m.Holdings(first, last), got); diff != "" {
			r.Fatalf("wanted - listed +\n%s", diff)
		}
	})
}
