package catalog

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// mergeTarget says what is wrong with the label that another one is merged into, as [Labels.MergeCategory] found it.
func mergeTarget(err error, plural, what string, id uuid.UUID, same bool) error {
	switch {
	case ledger.IsKind(err, ledger.NotFound):
		return ledger.NewInvalid("target_id", "is not the id of one of the household's own %s: %s", plural, id)
	case err != nil:
		return err
	case same:
		return ledger.NewInvalid("target_id", "must be another %s than the one that is merged", what)
	}
	return nil
}

// redirectRules makes what rules say of one label be of another one.
func redirectRules(ctx context.Context, tx *ledger.Tx, from, to queries.PublicID) error {
	return tx.RedirectRules(ctx, queries.RedirectRulesParams{FromID: uuid.UUID(from).String(), ToID: uuid.UUID(to).String(),
		Stamp: tx.Stamp(), HouseholdID: tx.HouseholdID})
}

// MergeCategory gives all that a category has to another one, what rules say of it included, and removes it. Both are
// of income or both of expenses. One with sub-categories is a validation error, as one of them may be the target.
func (s *Labels) MergeCategory(ctx context.Context, who ledger.Actor, id, targetID uuid.UUID) (target Category, err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		c, err := GetCategory(ctx, tx, queries.PublicID(id))
		if err != nil {
			return err
		}
		target, err = GetCategory(ctx, tx, queries.PublicID(targetID))
		if err := mergeTarget(err, "categories", "category", targetID, target.ID == c.ID); err != nil {
			return err
		}
		switch {
		case c.Subcategories > 0:
			return ledger.NewInvalid("category", "must have no sub-categories to be merged, has %d: merge them or give them another parent first", c.Subcategories)
		case c.Classification != target.Classification:
			return ledger.NewInvalid("target_id", "must be of %s as the one that is merged, is of %s", c.Classification, target.Classification)
		}
		if err := leaveCategory(ctx, tx, c.ID); err != nil {
			return err
		}
		if err := tx.MoveCategory(ctx, queries.MoveCategoryParams{TargetID: &target.ID, CategoryID: &c.ID, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		if err := tx.MoveCategoryLines(ctx, queries.MoveCategoryLinesParams{TargetID: &target.ID, CategoryID: &c.ID,
			HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		if err := tx.MoveCategoryTrades(ctx, queries.MoveCategoryTradesParams{TargetID: &target.ID, CategoryID: &c.ID,
			HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		if err := redirectRules(ctx, tx, c.PublicID, target.PublicID); err != nil {
			return err
		}
		if err := tx.DeleteCategory(ctx, queries.DeleteCategoryParams{ID: c.ID, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		return tx.Record(ctx, ledger.EntityCategory, c.PublicID, c.Category, nil)
	})
	return target, err
}

// MergeTag puts a tag on all that has another one, in its place, what rules say of it included.
func (s *Labels) MergeTag(ctx context.Context, who ledger.Actor, id, targetID uuid.UUID) (target queries.Tag, err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		t, err := getTag(ctx, tx, id)
		if err != nil {
			return err
		}
		target, err = getTag(ctx, tx, targetID)
		if err := mergeTarget(err, "tags", "tag", targetID, target.ID == t.ID); err != nil {
			return err
		}
		if err := leaveTag(ctx, tx, t.ID); err != nil {
			return err
		}
		if err := tx.CopyTag(ctx, queries.CopyTagParams{TargetID: target.ID, TagID: t.ID, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		if err := tx.CopyTagLines(ctx, queries.CopyTagLinesParams{TargetID: target.ID, TagID: t.ID, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		if err := redirectRules(ctx, tx, t.PublicID, target.PublicID); err != nil {
			return err
		}
		if err := tx.DeleteTag(ctx, queries.DeleteTagParams{ID: t.ID, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		return tx.Record(ctx, ledger.EntityTag, t.PublicID, t, nil)
	})
	return target, err
}

// MergeMerchant gives all transactions and lines of a merchant to the target and removes the merchant; the target
// is the result.
func (s *Labels) MergeMerchant(ctx context.Context, who ledger.Actor, id, targetID uuid.UUID) (target queries.Merchant,
	err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		m, err := getMerchant(ctx, tx, id)
		if err != nil {
			return err
		}
		target, err = getMerchant(ctx, tx, targetID)
		if err := mergeTarget(err, "merchants", "merchant", targetID, target.ID == m.ID); err != nil {
			return err
		}
		if err := leaveMerchant(ctx, tx, m.ID, target.Name); err != nil {
			return err
		}
		if err := tx.MoveMerchant(ctx, queries.MoveMerchantParams{TargetID: &target.ID, MerchantID: &m.ID,
			HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		if err := tx.MoveMerchantLines(ctx, queries.MoveMerchantLinesParams{TargetID: &target.ID, MerchantID: &m.ID,
			HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		if err := redirectRules(ctx, tx, m.PublicID, target.PublicID); err != nil {
			return err
		}
		return removeMerchant(ctx, tx, m)
	})
	return target, err
}
