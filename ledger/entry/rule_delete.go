package entry

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/rule"
	"finsvc/queries"
)

// deletedRule is a rule that was deleted as the history keeps it, with its runs and the transactions that it has made a
// side of a transfer. Which fields of others it has set is in the changes of these.
type deletedRule struct {
	queries.Rule
	Runs      []queries.RuleRun `json:",omitempty"`
	Transfers []uuid.UUID       `json:",omitempty"`
}

// DeleteRule removes a rule with its runs. The transactions that it has changed stay as they are, and no longer say that
// it was this rule.
func (s *Service) DeleteRule(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	var holders []uuid.UUID
	err := s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		r, err := rule.GetRule(ctx, tx, id)
		if err != nil {
			return err
		}
		holders, err = ofRule(r).Holders(ctx, tx)
		return err
	})
	if err != nil {
		return err
	}
	n := len(holders)
	_, err = s.History.Run(ctx, who, n+1, func(ctx context.Context, tx *ledger.Tx, first, last int) error {
		r, err := rule.GetRule(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := ofRule(r).Apply(ctx, tx, holders[first:min(last, n)]); err != nil || last <= n {
			return err
		}
		return removeRule(ctx, tx, r)
	})
	return err
}

func ofRule(r rule.Rule) Replacement { return Replacement{Of: ledger.EntityRule, From: r.ID} }

// removeRule takes a rule out of the books with its runs and with what still says that it has set a field.
func removeRule(ctx context.Context, tx *ledger.Tx, r rule.Rule) error {
	holders, err := ofRule(r).Holders(ctx, tx)
	if err != nil {
		return err
	}
	if err := ofRule(r).Apply(ctx, tx, holders); err != nil {
		return err
	}
	was := deletedRule{Rule: r.Rule}
	was.Runs, err = tx.ListRunsOfRule(ctx, queries.ListRunsOfRuleParams{RuleID: r.ID, HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	sides, err := tx.ListRuleTransfers(ctx, queries.ListRuleTransfersParams{RuleID: r.ID, HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	for _, side := range sides {
		was.Transfers = append(was.Transfers, uuid.UUID(side))
	}
	if err := tx.DeleteRule(ctx, queries.DeleteRuleParams{ID: r.ID, HouseholdID: tx.HouseholdID}); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityRule, r.PublicID, was, nil)
}

// RestoreRule takes back what a change did to a rule: one that was created goes, unless it has set fields meanwhile, one
// that was deleted comes back with its id, its runs and its place among the others, and of one that was changed what was
// changed is what it was. Where that has been changed since it is a conflict.
func (s *Service) RestoreRule(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	if change.Action == ledger.ActionDelete {
		return insertRuleAgain(ctx, tx, change)
	}
	now, err := rule.GetRule(ctx, tx, uuid.UUID(change.EntityID))
	if ledger.IsKind(err, ledger.NotFound) {
		return ledger.ChangedSince("the rule "+uuid.UUID(change.EntityID).String(), "it is gone")
	}
	if err != nil {
		return err
	}
	what := "the rule " + ledger.Quote(ledger.OrBlank(now.Name))
	if change.Action == ledger.ActionUpdate {
		then, err := ledger.WithoutChange(now.Rule, change, what)
		if err != nil || rule.SameRule(now.Rule, then) {
			return err
		}
		then.UpdatedAt = max(tx.Stamp(), now.UpdatedAt+1)
		return rule.StoreRule(ctx, tx, now.Rule, then)
	}
	changed, err := ledger.ChangedLater(ctx, tx, change)
	if err != nil {
		return err
	}
	if changed {
		return ledger.ChangedSince(what, "it says something else")
	}
	holders, err := ofRule(now).Holders(ctx, tx)
	if err != nil {
		return err
	}
	if len(holders) > 0 {
		return ledger.ChangedSince(what, "transactions have a field from it. Take back its run first, or delete it")
	}
	return removeRule(ctx, tx, now)
}

// insertRuleAgain writes a rule that was deleted, as it was. Rules run in the order of their keys.
func insertRuleAgain(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	was, err := ledger.ReadDeleted[deletedRule](change, "the rule")
	if err != nil {
		return err
	}
	r := was.Rule
	r.UpdatedAt = max(tx.Stamp(), r.UpdatedAt+1)
	if _, err := tx.InsertRule(ctx, queries.InsertRuleParams{ID: &r.ID, PublicID: r.PublicID, HouseholdID: tx.HouseholdID,
		Name: r.Name, ResourceType: r.ResourceType, Active: r.Active, EffectiveDate: r.EffectiveDate,
		Conditions: r.Conditions, Actions: r.Actions, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt}); err != nil {
		return err
	}
	for _, run := range was.Runs {
		if err := tx.RestoreRuleRun(ctx, queries.RestoreRuleRunParams(run)); err != nil {
			return err
		}
	}
	for _, side := range was.Transfers {
		t, err := ledger.GetTransaction(ctx, tx, side)
		if ledger.IsKind(err, ledger.NotFound) || err == nil && t.TransferID == nil {
			continue
		}
		if err != nil {
			return err
		}
		if err := tx.PutRuleNotes(ctx, []queries.PutRuleNoteParams{{TransactionID: t.ID, Field: rule.RuleTransfer.String(),
			RuleID: r.ID}}); err != nil {
			return err
		}
	}
	return tx.Record(ctx, ledger.EntityRule, r.PublicID, nil, r)
}
