package entry

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// Replacement says that a category, merchant, tag or rule is to be taken from the transactions that have it, and which
// one takes its place; nil: none does. A rule is only taken from what says that it has set a field.
type Replacement struct {
	Of   ledger.Entity
	From int64
	To   *int64
}

// Holders are the transactions that have what is to be replaced, or a line that has it.
func (r Replacement) Holders(ctx context.Context, tx *ledger.Tx) (ids []uuid.UUID, err error) {
	var rows []queries.PublicID
	switch r.Of {
	case ledger.EntityCategory:
		rows, err = tx.ListCategoryHolders(ctx, queries.ListCategoryHoldersParams{CategoryID: &r.From, HouseholdID: tx.HouseholdID})
	case ledger.EntityMerchant:
		rows, err = tx.ListMerchantHolders(ctx, queries.ListMerchantHoldersParams{MerchantID: &r.From, HouseholdID: tx.HouseholdID})
	case ledger.EntityTag:
		rows, err = tx.ListTagHolders(ctx, queries.ListTagHoldersParams{TagID: r.From, HouseholdID: tx.HouseholdID})
	case ledger.EntityRule:
		rows, err = tx.ListRuleHolders(ctx, queries.ListRuleHoldersParams{RuleID: r.From, HouseholdID: tx.HouseholdID})
	}
	for _, id := range rows {
		ids = append(ids, uuid.UUID(id))
	}
	return distinct(ids), err // it may have it twice, by its lines or by several fields
}

// Apply writes it in some transactions, and into the history what it does to each. Those that are gone are passed over.
func (r Replacement) Apply(ctx context.Context, tx *ledger.Tx, ids []uuid.UUID) error {
	for part := range slices.Chunk(ids, readBatch) {
		rows, err := readByIDs(ctx, tx, part)
		if err != nil {
			return err
		}
		var recorded []queries.InsertChangeParams
		for _, id := range part {
			before, there := rows[id]
			if !there {
				continue
			}
			after := r.in(tx.Refs, before)
			change, err := writeChange(ctx, tx, before, &after)
			if err != nil {
				return err
			}
			if change != nil {
				recorded = append(recorded, *change)
			}
		}
		if err := tx.InsertChanges(ctx, recorded); err != nil {
			return err
		}
	}
	return nil
}

// in is what it makes of a transaction.
func (r Replacement) in(refs *ledger.Refs, t stored) stored {
	key := func(have *int64) *int64 {
		if have != nil && *have == r.From {
			return r.To
		}
		return have
	}
	tags := func(have []int64) []int64 {
		if !slices.Contains(have, r.From) {
			return have
		}
		kept := slices.DeleteFunc(slices.Clone(have), func(tag int64) bool { return tag == r.From })
		if r.To != nil && !slices.Contains(kept, *r.To) {
			kept = append(kept, *r.To)
			slices.Sort(kept)
		}
		return kept
	}
	t.lines = slices.Clone(t.lines)
	switch r.Of {
	case ledger.EntityCategory:
		t.CategoryID = key(t.CategoryID)
		for i := range t.lines {
			t.lines[i].CategoryID = key(t.lines[i].CategoryID)
		}
	case ledger.EntityMerchant:
		t.MerchantID = key(t.MerchantID)
		for i := range t.lines {
			t.lines[i].MerchantID = key(t.lines[i].MerchantID)
		}
	case ledger.EntityTag:
		t.tags = tags(t.tags)
		for i := range t.lines {
			t.lines[i].TagIDs = tags(t.lines[i].TagIDs)
		}
	case ledger.EntityRule:
		if by := refs.Rules.ByKey[r.From]; by != nil {
			t.notes = slices.DeleteFunc(slices.Clone(t.notes), func(n ruleNote) bool { return n.RuleID == by.ID })
		}
	}
	return t
}
