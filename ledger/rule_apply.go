package ledger

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"finsvc/queries"
)

// AppliedRule says which rule has given a transaction a field, and what the name was before.
type AppliedRule struct {
	*RuleLabel
	Field  RuleField
	Before *string
}

// addRules puts to the transactions of a page which rules have changed them. Households without rules pay nothing.
func (l *labels) addRules(ctx context.Context, q *queries.Queries, householdID int64, list []Transaction) error {
	if len(l.rules.byKey) == 0 || len(list) == 0 {
		return nil
	}
	at := make(map[int64][]*Transaction, len(list)) // several where they are parts of one
	for i := range list {
		at[list[i].ID] = append(at[list[i].ID], &list[i])
	}
	keys := slices.Sorted(maps.Keys(at))
	notes, err := q.ListRuleNotes(ctx, queries.ListRuleNotesParams{Ids: jsonArray(keys), HouseholdID: householdID})
	for _, n := range notes {
		for _, t := range at[n.TransactionID] {
			rule, undone := l.rules.byKey[n.RuleID], n.Field == RuleTransfer.String() && t.TransferID == nil
			if rule != nil && !undone {
				t.AppliedRules = append(t.AppliedRules, AppliedRule{rule, ruleFieldNamed(n.Field), n.Before})
			}
		}
	}
	return err
}

// isPerson says whether a person acts, rather than a file or a rule.
func (who Actor) isPerson() bool { return who.Origin != OriginImport && who.Origin != OriginRule }

// saidFields are the bits of the fields that an input says anything about, be it that there is nothing.
func (in *TransactionInput) saidFields(who Actor) (bits int64) {
	if !who.isPerson() {
		return 0
	}
	for field, said := range map[RuleField]bool{RuleName: in.Name.Has() || in.Description.Has(), RuleNotes: in.Notes.Set,
		RuleCategory: in.CategoryID.Set || in.SplitLines.Set, RuleMerchant: in.MerchantID.Set, RuleTags: in.TagIDs.Set} {
		if said {
			bits |= field.bit()
		}
	}
	return bits
}

// claim makes the fields that a person has changed the person's, whatever rule has set them before.
func (in *TransactionInput) claim(ctx context.Context, q *queries.Queries, who Actor, names *labels, t *queries.Transaction) error {
	return claimFields(ctx, q, names, t, in.saidFields(who))
}

func claimFields(ctx context.Context, q *queries.Queries, names *labels, t *queries.Transaction, bits int64) error {
	t.UserFields |= bits
	if bits == 0 || len(names.rules.byKey) == 0 {
		return nil
	}
	var fields []string
	for field := range ruleFieldCount {
		if bits&field.bit() != 0 {
			fields = append(fields, field.String())
		}
	}
	return forgetNotes(ctx, q, t.ID, fields...)
}

func forgetNotes(ctx context.Context, q *queries.Queries, key int64, fields ...string) error {
	text, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	return q.DeleteRuleNotes(ctx, queries.DeleteRuleNotesParams{TransactionID: key, Fields: string(text)})
}

// seeDraft takes a transaction that an import is about to write. What the file says itself, rules leave alone.
func (f *RuleFacts) seeDraft(d *Draft) {
	f.reset()
	f.AccountID, f.Minor, f.Currency, f.Date, f.Name, f.Notes = d.AccountID, d.Minor, d.Currency, d.Date, d.Name, d.Notes
	f.CategoryID, f.MerchantID, f.merchantName, f.Tags, f.Imported = d.CategoryID, d.MerchantID, d.Merchant, d.TagIDs, true
	if len(d.Lines) > 0 {
		f.UserFields = RuleCategory.bit() // the lines have the categories
	}
}
