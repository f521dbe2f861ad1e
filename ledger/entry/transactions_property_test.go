package entry_test

import (
	"testing"

	"pgregory.net/rapid"

	"finsvc/ledger/ledgertest"
)

func TestListsAndRollupsAgreeWithPlainReading(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		m := ledgertest.NewModel(t)
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			m.Step(r)
		}
		for range 6 {
			m.CheckList(r)
		}
		m.CheckRollups(r.Fatal)
		if err := m.DB.Close(); err != nil {
			r.Fatal(err)
		}
	})
}
