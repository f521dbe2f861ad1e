package ledgertest

import (
	"context"
	"strings"

	"finsvc/ledger/export"
)

func (b *Fixture) Beancount() string {
	b.tb.Helper()
	var out strings.Builder
	if err := b.Exports.Snapshot(b.Ctx(), b.Who, func(ctx context.Context, s *export.Snapshot) error {
		_, err := s.Beancount(ctx, &out)
		return err
	}); err != nil {
		b.tb.Fatal(err)
	}
	return out.String()
}
