package position_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"finsvc/ledger/ledgertest"
)

// TestValuesFollow: after any sequence of trades, prices and splits, made and taken back in any order, the
// stored values are those that looking at every day anew gives.
func TestValuesFollow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		m := ledgertest.NewMarket(t)
		for range rapid.IntRange(1, 25).Draw(r, "operations") {
			m.Step(r)
		}
		if diff := cmp.Diff(m.Levels(), m.Stored(t)); diff != "" {
			r.Fatalf("computed anew - stored +\n%s", diff)
		}
	})
}
