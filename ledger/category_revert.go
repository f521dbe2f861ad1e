package ledger

import (
	"context"
	"encoding/json"
	"errors"

	"finsvc/queries"
)

// What [Created] calls a category that was there before.
const (
	ChangedCategory   = "changed category"   // it has another parent, colour or icon
	FollowingCategory = "following category" // its parent has another colour, so it has
)

// RevertCategories gives the categories that an import has changed their old place and looks back. One that was changed
// since stays as it is; sub-categories have the colour of their parent again, whenever they were made.
func (l *Ledger) RevertCategories(ctx context.Context, q *queries.Queries, who Actor, importID int64) error {
	rows, err := q.ListImportMoves(ctx, queries.ListImportMovesParams{ImportID: importID, HouseholdID: who.HouseholdID})
	if err != nil {
		return err
	}
	var restored []queries.Category
	for _, row := range rows {
		var before, after queries.Category
		if err := errors.Join(json.Unmarshal([]byte(row.Was), &before), json.Unmarshal([]byte(row.Became), &after)); err != nil {
			return err
		}
		if row.Category.UpdatedAt == after.UpdatedAt {
			if err := l.storeCategory(ctx, q, who, row.Category, before); err != nil {
				return err
			}
			restored = append(restored, before)
		}
	}
	for _, c := range restored {
		if err := l.passDown(ctx, q, who, c); err != nil {
			return err
		}
	}
	return q.ForgetImportMoves(ctx, queries.ForgetImportMovesParams{ImportID: importID, HouseholdID: who.HouseholdID})
}
