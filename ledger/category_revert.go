package ledger

import (
	"context"
	"encoding/json"
	"errors"

	"finsvc/queries"
)

// MovedCategory is what [Created] calls a category that was there before and has been put below a parent.
const MovedCategory = "moved category"

// RevertCategories gives the categories that an import has put below a parent their old place and looks back. One that was
// changed since stays as it is.
func (l *Ledger) RevertCategories(ctx context.Context, q *queries.Queries, who Actor, importID int64) error {
	rows, err := q.ListImportMoves(ctx, queries.ListImportMovesParams{ImportID: importID, HouseholdID: who.HouseholdID})
	if err != nil {
		return err
	}
	for _, row := range rows {
		var before, after queries.Category
		if err := errors.Join(json.Unmarshal([]byte(row.Was), &before), json.Unmarshal([]byte(row.Became), &after)); err != nil {
			return err
		}
		if row.Category.UpdatedAt == after.UpdatedAt {
			if err := l.storeCategory(ctx, q, who, row.Category, before); err != nil {
				return err
			}
		}
	}
	return q.ForgetImportMoves(ctx, queries.ForgetImportMovesParams{ImportID: importID, HouseholdID: who.HouseholdID})
}
