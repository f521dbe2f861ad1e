package entry

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/rule"
	"finsvc/queries"
)

// AppliedRule says which rule has given a transaction a field, and what the name was before.
type AppliedRule struct {
	*ledger.RuleRef
	Field  rule.Field
	Before *string
}

// addRules puts to the transactions of a page which rules have changed them. Households without rules pay nothing.
func addRules(ctx context.Context, tx *ledger.Tx, householdID int64, list []Transaction) error {
	if len(tx.Refs.Rules.ByKey) == 0 || len(list) == 0 {
		return nil
	}
	at := make(map[int64][]*Transaction, len(list)) // several where they are parts of one
	for i := range list {
		at[list[i].ID] = append(at[list[i].ID], &list[i])
	}
	keys := slices.Sorted(maps.Keys(at))
	notes, err := tx.ListRuleNotes(ctx, queries.ListRuleNotesParams{Ids: ledger.JSONArray(keys),
		HouseholdID: householdID})
	for _, n := range notes {
		for _, t := range at[n.TransactionID] {
			r, undone := tx.Refs.Rules.ByKey[n.RuleID], n.Field == rule.RuleTransfer.String() && t.TransferID == nil
			if r != nil && !undone {
				t.AppliedRules = append(t.AppliedRules, AppliedRule{r, rule.RuleFieldNamed(n.Field), n.Before})
			}
		}
	}
	return err
}

// saidFields are the bits of the fields that an input says anything about, be it that there is nothing.
func (in *TransactionInput) saidFields(who ledger.Actor) (bits int64) {
	if !who.IsPerson() {
		return 0
	}
	for field, said := range map[rule.Field]bool{rule.RuleName: in.Name.Has() || in.Description.Has(),
		rule.RuleNotes:    in.Notes.Set,
		rule.RuleCategory: in.CategoryID.Set || in.SplitLines.Set, rule.RuleMerchant: in.MerchantID.Set,
		rule.RuleTags: in.TagIDs.Set} {
		if said {
			bits |= field.Bit()
		}
	}
	return bits
}

// forgetNotes drops the notes that rules have set some fields of a transaction.
func forgetNotes(ctx context.Context, q *queries.Queries, key int64, fields ...string) error {
	text, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	return q.DeleteRuleNotes(ctx, queries.DeleteRuleNotesParams{TransactionID: key, Fields: string(text)})
}

// seeDraft takes a transaction that an import is about to write. What the file says itself, rules leave alone.
func seeDraft(f *rule.Subject, d *Draft) {
	f.Reset()
	f.AccountID, f.Minor, f.Currency, f.Date, f.Name, f.Notes = d.AccountID, d.Minor, d.Currency, d.Date, d.Name,
		d.Notes
	f.CategoryID, f.MerchantID, f.MerchantName, f.Tags, f.Imported = d.CategoryID, d.MerchantID, d.Merchant, d.TagIDs,
		true
	if len(d.Lines) > 0 {
		f.UserFields = rule.RuleCategory.Bit() // the lines have the categories
	}
}
