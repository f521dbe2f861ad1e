package ledgertest

import (
	"github.com/google/go-cmp/cmp"

	"finsvc/ledger/audit"
)

// Gaps are those of the household; today is Sunday, 2026-03-01.
func (b *Fixture) Gaps() audit.Findings {
	b.tb.Helper()
	g, err := b.Audits.FindFindings(b.Ctx(), b.Who)
	if err != nil {
		b.tb.Fatal(err)
	}
	return g
}

func (b *Fixture) GapsAre(got, want any) {
	b.tb.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		b.tb.Errorf("the gaps are not what they should be (-want +got):\n%s", diff)
	}
}
