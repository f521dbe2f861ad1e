package ledger

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"finsvc/queries"
)

// ListAccountNames gives all accounts of the household by name, disabled ones too, without balances.
func (l *Ledger) ListAccountNames(ctx context.Context, who Actor) (list []*AccountLabel, err error) {
	err = l.withLabels(ctx, l.db.Read, who, func(_ context.Context, _ *queries.Queries, names *labels) error {
		list = slices.SortedFunc(maps.Values(names.accounts.byKey), func(a, b *AccountLabel) int {
			return cmp.Or(cmp.Compare(Fold(a.Name), Fold(b.Name)), slices.Compare(a.ID[:], b.ID[:]))
		})
		return nil
	})
	return list, err
}
