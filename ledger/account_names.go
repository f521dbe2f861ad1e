package ledger

import (
	"cmp"
	"context"
	"maps"
	"slices"
)

// ListAccountNames gives all accounts of the household by name, disabled ones too, without balances.
func (s *Store) ListAccountNames(ctx context.Context, who Actor) (list []*AccountRef, err error) {
	err = s.WithRefs(ctx, s.DB.Read, who, func(_ context.Context, tx *Tx) error {
		list = slices.SortedFunc(maps.Values(tx.Refs.Accounts.ByKey), func(a, b *AccountRef) int {
			return cmp.Or(cmp.Compare(Fold(a.Name), Fold(b.Name)), slices.Compare(a.ID[:], b.ID[:]))
		})
		return nil
	})
	return list, err
}
