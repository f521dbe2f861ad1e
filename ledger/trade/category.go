package trade

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// OfCategory are the trades that have a category, given by its key.
func OfCategory(ctx context.Context, tx *ledger.Tx, category int64) (ids []uuid.UUID, err error) {
	rows, err := tx.ListTradesOfCategory(ctx, queries.ListTradesOfCategoryParams{CategoryID: &category,
		HouseholdID: tx.HouseholdID})
	for _, id := range rows {
		ids = append(ids, uuid.UUID(id))
	}
	return ids, err
}

// ReplaceCategory gives some trades that have a category another one, or none where that is nil.
func ReplaceCategory(ctx context.Context, tx *ledger.Tx, ids []uuid.UUID, from int64, to *int64) error {
	for _, id := range ids {
		before, err := tx.GetTrade(ctx, queries.GetTradeParams{PublicID: queries.PublicID(id), HouseholdID: tx.HouseholdID})
		if errors.Is(err, db.ErrNotFound) || err == nil && !ledger.Same(before.CategoryID, &from) {
			continue
		}
		if err != nil {
			return err
		}
		after := before
		after.CategoryID = to
		if _, err := writeTrade(ctx, tx, before, after); err != nil {
			return err
		}
	}
	return nil
}
