package ledger

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"finsvc/queries"
)

// ListPlainAccounts gives the household's accounts that are in use, by name and without their balances, which cost
// most of [Ledger.ListAccounts].
func (l *Ledger) ListPlainAccounts(ctx context.Context, who Actor) (list []queries.Account, err error) {
	err = l.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		rows, err := q.ListAccounts(ctx, queries.ListAccountsParams{HouseholdID: who.HouseholdID, RowLimit: int64(everything().Size)})
		for _, row := range rows {
			list = append(list, row.Account)
		}
		return err
	})
	return list, err
}

// ListPlainSecurities gives the household's securities by ticker, without their prices.
func (l *Ledger) ListPlainSecurities(ctx context.Context, who Actor) (list []*SecurityLabel, err error) {
	err = l.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		labels, err := securityLabels(ctx, q, who)
		list = slices.SortedFunc(maps.Values(labels.byKey), func(a, b *SecurityLabel) int {
			return cmp.Or(cmp.Compare(a.Ticker, b.Ticker), slices.Compare(a.ID[:], b.ID[:]))
		})
		return err
	})
	return list, err
}
