package catalog

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/rollup"
	"finsvc/ledger/rule"
	"finsvc/ledger/trade"
	"finsvc/queries"
)

// replace takes a label from all that has it, gives that another one where there is one, and then does what ends it, all
// as one operation of the history: in one write where few have the label, else in several short ones. What ends it looks
// again at whether that can be done.
func (s *Labels) replace(ctx context.Context, who ledger.Actor, r entry.Replacement, end ledger.Work) error {
	var transactions, trades []uuid.UUID
	holders := func(ctx context.Context, tx *ledger.Tx) (err error) {
		transactions, err = r.Holders(ctx, tx)
		if err != nil || r.Of != ledger.EntityCategory {
			return err
		}
		trades, err = trade.OfCategory(ctx, tx, r.From)
		return err
	}
	if err := s.ReadTx(ctx, who, holders); err != nil {
		return err
	}
	n := len(transactions)
	all := n + len(trades)
	_, err := s.History.Run(ctx, who, all+1, func(ctx context.Context, tx *ledger.Tx, first, last int) error {
		if err := r.Apply(ctx, tx, transactions[min(first, n):min(last, n)]); err != nil {
			return err
		}
		if err := trade.ReplaceCategory(ctx, tx, trades[max(first-n, 0):max(min(last, all)-n, 0)], r.From, r.To); err != nil {
			return err
		}
		if last <= all {
			return nil
		}
		// What has it by now nevertheless was given it meanwhile.
		if err := holders(ctx, tx); err != nil {
			return err
		}
		if err := r.Apply(ctx, tx, transactions); err != nil {
			return err
		}
		if err := trade.ReplaceCategory(ctx, tx, trades, r.From, r.To); err != nil {
			return err
		}
		return end(ctx, tx)
	})
	return err
}

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
	rules, err := tx.ListAllRules(ctx, tx.HouseholdID)
	if err != nil {
		return err
	}
	ids := strings.NewReplacer(uuid.UUID(from).String(), uuid.UUID(to).String())
	for _, before := range rules {
		after := before
		after.Conditions, after.Actions = ids.Replace(before.Conditions), ids.Replace(before.Actions)
		if rule.SameRule(before, after) {
			continue
		}
		after.UpdatedAt = max(tx.Stamp(), before.UpdatedAt+1)
		if err := rule.StoreRule(ctx, tx, before, after); err != nil {
			return err
		}
	}
	return nil
}

// MergeCategory gives all that a category has to another one, what rules say of it included, and removes it. Both are
// of income or both of expenses. One with sub-categories is a validation error, as one of them may be the target.
func (s *Labels) MergeCategory(ctx context.Context, who ledger.Actor, id, targetID uuid.UUID) (target Category, err error) {
	var c Category
	find := func(ctx context.Context, tx *ledger.Tx) (err error) {
		c, err = GetCategory(ctx, tx, queries.PublicID(id))
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
		return nil
	}
	if err := s.ReadTx(ctx, who, find); err != nil {
		return target, err
	}
	err = s.replace(ctx, who, entry.Replacement{Of: ledger.EntityCategory, From: c.ID, To: &target.ID}, func(ctx context.Context, tx *ledger.Tx) error {
		if err := find(ctx, tx); err != nil {
			return err
		}
		if err := redirectRules(ctx, tx, c.PublicID, target.PublicID); err != nil {
			return err
		}
		// Rows that an import is still writing are not seen yet.
		if err := tx.MoveCategory(ctx, queries.MoveCategoryParams{TargetID: &target.ID, CategoryID: &c.ID, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		if err := tx.MoveCategoryLines(ctx, queries.MoveCategoryLinesParams{TargetID: &target.ID, CategoryID: &c.ID,
			HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		return removeCategory(ctx, tx, c)
	})
	return target, err
}

// MergeTag puts a tag on all that has another one, in its place, what rules say of it included.
func (s *Labels) MergeTag(ctx context.Context, who ledger.Actor, id, targetID uuid.UUID) (target queries.Tag, err error) {
	var t queries.Tag
	find := func(ctx context.Context, tx *ledger.Tx) (err error) {
		t, err = getTag(ctx, tx, id)
		if err != nil {
			return err
		}
		target, err = getTag(ctx, tx, targetID)
		return mergeTarget(err, "tags", "tag", targetID, target.ID == t.ID)
	}
	if err := s.ReadTx(ctx, who, find); err != nil {
		return target, err
	}
	err = s.replace(ctx, who, entry.Replacement{Of: ledger.EntityTag, From: t.ID, To: &target.ID}, func(ctx context.Context, tx *ledger.Tx) error {
		if err := find(ctx, tx); err != nil {
			return err
		}
		if err := redirectRules(ctx, tx, t.PublicID, target.PublicID); err != nil {
			return err
		}
		if err := tx.CopyTag(ctx, queries.CopyTagParams{TargetID: target.ID, TagID: t.ID, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		if err := tx.CopyTagLines(ctx, queries.CopyTagLinesParams{TargetID: target.ID, TagID: t.ID, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		return removeTag(ctx, tx, t)
	})
	return target, err
}

// MergeMerchant gives all transactions and lines of a merchant to the target and removes the merchant; the target
// is the result.
func (s *Labels) MergeMerchant(ctx context.Context, who ledger.Actor, id, targetID uuid.UUID) (target queries.Merchant,
	err error) {
	var m queries.Merchant
	find := func(ctx context.Context, tx *ledger.Tx) (err error) {
		m, err = getMerchant(ctx, tx, id)
		if err != nil {
			return err
		}
		target, err = getMerchant(ctx, tx, targetID)
		return mergeTarget(err, "merchants", "merchant", targetID, target.ID == m.ID)
	}
	if err := s.ReadTx(ctx, who, find); err != nil {
		return target, err
	}
	err = s.replace(ctx, who, entry.Replacement{Of: ledger.EntityMerchant, From: m.ID, To: &target.ID}, func(ctx context.Context, tx *ledger.Tx) error {
		if err := find(ctx, tx); err != nil {
			return err
		}
		if err := redirectRules(ctx, tx, m.PublicID, target.PublicID); err != nil {
			return err
		}
		if err := rollup.ReindexMerchant(ctx, tx, m.ID, target.Name); err != nil {
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
		return removeMerchant(ctx, tx, m)
	})
	return target, err
}
