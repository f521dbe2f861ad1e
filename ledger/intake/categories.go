package intake

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/queries"
)

// What [ledger.Created] calls a category that was there before.
const (
	ChangedCategory   = "changed category"   // it has another parent, colour or icon
	FollowingCategory = "following category" // its parent has another colour, so it has
)

// categoryMove is a category as it is, as it was before an import, and as that left it.
type categoryMove struct{ now, before, after queries.Category }

// edited reports whether the category was changed after the import.
func (m categoryMove) edited() bool { return m.now.UpdatedAt != m.after.UpdatedAt }

// isBack reports whether the category has the place and looks that it had before the import.
func (m categoryMove) isBack() bool {
	return ledger.Same(m.now.ParentID, m.before.ParentID) && m.now.Color == m.before.Color &&
		m.now.Icon == m.before.Icon
}

func categoryMoves(ctx context.Context, tx *ledger.Tx, importID int64) ([]categoryMove, error) {
	rows, err := tx.ListImportMoves(ctx, queries.ListImportMovesParams{ImportID: importID, HouseholdID: tx.HouseholdID})
	moves := make([]categoryMove, len(rows))
	for i, row := range rows {
		moves[i].now = row.Category
		if err := errors.Join(json.Unmarshal([]byte(row.Was), &moves[i].before),
			json.Unmarshal([]byte(row.Became), &moves[i].after)); err != nil {
			return nil, err
		}
	}
	return moves, err
}

// CategoriesToRevert counts the categories that a revert of an import will put back, and names those that it will
// leave as they are, as far as can be said before: see [RevertCategories]. A sub-category that only follows
// the colour of its parent follows it back.
func CategoriesToRevert(ctx context.Context, tx *ledger.Tx, importID int64) (count int64, left []string, err error) {
	moves, err := categoryMoves(ctx, tx, importID)
	if err != nil {
		return 0, nil, err
	}
	for _, m := range moves {
		follows := slices.ContainsFunc(moves, func(parent categoryMove) bool {
			return ledger.Same(m.now.ParentID,
				&parent.now.ID) && !parent.edited()
		})
		if follows {
			m.now.Color = m.before.Color
		}
		free, err := isFree(ctx, tx, m.before)
		switch {
		case err != nil:
			return 0, nil, err
		case m.isBack() && m.edited():
		case m.edited(), !free:
			left = append(left, m.now.Name)
		default:
			count++
		}
	}
	slices.Sort(left)
	return count, left, nil
}

// RevertCategories gives the categories that an import has changed their old place and looks back, and names those
// that do not get them: one that was changed since stays as it is, and so does one whose old place is not there any
// more, or is taken. Sub-categories have the colour of their parent again, whenever they were made.
func RevertCategories(ctx context.Context, tx *ledger.Tx, importID int64) (left []string, err error) {
	moves, err := categoryMoves(ctx, tx, importID)
	if err != nil {
		return nil, err
	}
	moves = slices.DeleteFunc(moves, categoryMove.edited)
	var restored []queries.Category
	for before := -1; before < len(restored); { // the place of one may be free when another has left it
		before = len(restored)
		moves = slices.DeleteFunc(moves, func(m categoryMove) bool {
			var free bool
			if err == nil {
				free, err = isFree(ctx, tx, m.before)
			}
			if err != nil || !free {
				return false
			}
			err = catalog.StoreCategory(ctx, tx, m.now, m.before)
			restored = append(restored, m.before)
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	for _, c := range restored {
		if err := catalog.PassDown(ctx, tx, c); err != nil {
			return nil, err
		}
	}
	moves, err = categoryMoves(ctx, tx, importID)
	if err != nil {
		return nil, err
	}
	for _, m := range moves {
		if !m.isBack() {
			left = append(left, m.now.Name)
		}
	}
	slices.Sort(left)
	return left, tx.ForgetImportMoves(ctx, queries.ForgetImportMovesParams{ImportID: importID,
		HouseholdID: tx.HouseholdID})
}

// isFree reports whether a category can stand where it stood: its parent is there and has none itself, no other
// category of the name stands there, and it has no sub-categories where it would be one.
func isFree(ctx context.Context, tx *ledger.Tx, c queries.Category) (bool, error) {
	rows, err := tx.ListCategoryPlaces(ctx, tx.HouseholdID)
	parented := c.ParentID == nil
	for _, row := range rows {
		switch {
		case c.ParentID != nil && row.ID == *c.ParentID:
			parented = row.ParentID == nil
		case row.ID == c.ID:
		case row.NameKey == c.NameKey && ledger.Same(row.ParentID, c.ParentID),
			c.ParentID != nil && row.ParentID != nil && *row.ParentID == c.ID:
			return false, err
		}
	}
	return parented, err
}
