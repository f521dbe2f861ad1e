package ledgertest

import (
	"context"
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"finsvc/ledger/audit"
)

// Defects are those of an audit, a line each.
func Defects(found audit.Audit) string {
	var text strings.Builder
	for _, d := range found.Defects {
		fmt.Fprintf(&text, "%s: %s: %s\n", d.Check, d.Where, d.Detail)
	}
	return text.String()
}

// Sound has the books audited.
func (b *Fixture) Sound(r *rapid.T) {
	found, err := b.Audits.Audit(context.Background())
	if err != nil || len(found.Defects) > 0 {
		r.Fatal(err, Defects(found))
	}
}
