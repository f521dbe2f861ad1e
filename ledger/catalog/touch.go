package catalog

import (
	"context"

	"finsvc/ledger"
	"finsvc/ledger/rollup"
	"finsvc/queries"
)

// A transaction or trade that loses a label has changed: what is shown of it is another. So its updated_at moves.

// leaveCategory moves updated_at of what has a category that is about to go.
func leaveCategory(ctx context.Context, tx *ledger.Tx, category int64) error {
	err := tx.StampTransactionsOfCategory(ctx, queries.StampTransactionsOfCategoryParams{Stamp: tx.Stamp(),
		HouseholdID: tx.HouseholdID, CategoryID: &category})
	if err != nil {
		return err
	}
	return tx.StampTradesOfCategory(ctx, queries.StampTradesOfCategoryParams{Stamp: tx.Stamp(), CategoryID: &category,
		HouseholdID: tx.HouseholdID})
}

// leaveMerchant does so for a merchant, and makes its transactions searchable by the name of the one that takes its
// place; by none where that is empty.
func leaveMerchant(ctx context.Context, tx *ledger.Tx, merchant int64, name string) error {
	if err := rollup.ReindexMerchant(ctx, tx, merchant, name); err != nil {
		return err
	}
	return tx.StampTransactionsOfMerchant(ctx, queries.StampTransactionsOfMerchantParams{Stamp: tx.Stamp(),
		HouseholdID: tx.HouseholdID, MerchantID: &merchant})
}

// leaveTag does so for a tag.
func leaveTag(ctx context.Context, tx *ledger.Tx, tag int64) error {
	return tx.StampTransactionsOfTag(ctx, queries.StampTransactionsOfTagParams{Stamp: tx.Stamp(),
		HouseholdID: tx.HouseholdID, TagID: tag})
}
