package catalog

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"finsvc/ledger"
	"finsvc/queries"
)

// ListPlainAccounts gives the household's accounts that are in use, by name and without their balances, which cost
// most of [Accounts.ListAccounts].
func (s *Accounts) ListPlainAccounts(ctx context.Context, who ledger.Actor) (list []queries.Account, err error) {
	err = s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		rows, err := tx.ListAccounts(ctx, queries.ListAccountsParams{HouseholdID: tx.HouseholdID,
			RowLimit: int64(ledger.Everything().Size)})
		for _, row := range rows {
			list = append(list, row.Account)
		}
		return err
	})
	return list, err
}

// ListPlainSecurities gives the household's securities by ticker, without their prices.
func (s *Accounts) ListPlainSecurities(ctx context.Context, who ledger.Actor) (list []*ledger.SecurityRef, err error) {
	err = s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		labels, err := ledger.SecurityRefs(ctx, tx)
		list = slices.SortedFunc(maps.Values(labels.ByKey), func(a, b *ledger.SecurityRef) int {
			return cmp.Or(cmp.Compare(a.Ticker, b.Ticker), slices.Compare(a.ID[:], b.ID[:]))
		})
		return err
	})
	return list, err
}
