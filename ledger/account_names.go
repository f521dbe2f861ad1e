package ledger

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"finsvc/queries"
)

// ListAccountNames gives all accounts of the household by name, disabled ones too, without balances.
func (l *Store) ListAccountNames(ctx context.Context, who Actor) (list []*AccountRef, err error) {
	err = l.WithRefs(ctx, l.DB.Read, who, func(_ context.Context, _ *queries.Queries, names *Refs) error {
		list = slices.SortedFunc(maps.Values(names.Accounts.ByKey), func(a, b *AccountRef) int {
			return cmp.Or(cmp.Compare(Fold(a.Name), Fold(b.Name)), slices.Compare(a.ID[:], b.ID[:]))
		})
		return nil
	})
	return list, err
}
