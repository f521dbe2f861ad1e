package catalog

import (
	"context"

	"finsvc/ledger"
	"finsvc/queries"
)

// A transaction or trade that loses a label has changed: what is shown of it is another. So its updated_at moves.

// leaveCategory moves updated_at of what has a category that is about to go.
func (l *Service) leaveCategory(ctx context.Context, q *queries.Queries, who ledger.Actor, category int64) error {
	err := q.StampTransactionsOfCategory(ctx, queries.StampTransactionsOfCategoryParams{Stamp: l.Stamp(), HouseholdID: who.HouseholdID, CategoryID: &category})
	if err != nil {
		return err
	}
	return q.StampTradesOfCategory(ctx, queries.StampTradesOfCategoryParams{Stamp: l.Stamp(), CategoryID: &category, HouseholdID: who.HouseholdID})
}

// leaveMerchant does so for a merchant, and makes its transactions searchable by the name of the one that takes its
// place; by none where that is empty.
func (l *Service) leaveMerchant(ctx context.Context, q *queries.Queries, who ledger.Actor, merchant int64, name string) error {
	if err := l.Rollups.ReindexMerchant(ctx, q, who, merchant, name); err != nil {
		return err
	}
	return q.StampTransactionsOfMerchant(ctx, queries.StampTransactionsOfMerchantParams{Stamp: l.Stamp(), HouseholdID: who.HouseholdID, MerchantID: &merchant})
}

// leaveTag does so for a tag.
func (l *Service) leaveTag(ctx context.Context, q *queries.Queries, who ledger.Actor, tag int64) error {
	return q.StampTransactionsOfTag(ctx, queries.StampTransactionsOfTagParams{Stamp: l.Stamp(), HouseholdID: who.HouseholdID, TagID: tag})
}
