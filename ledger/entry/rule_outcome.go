package entry

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/rule"
)

// RuleOutcome is what running rules has done, or would do: how many transactions their conditions select, how many
// of them change, and of a preview the first changes.
type RuleOutcome struct {
	Matched, Changed int64
	Changes          []ChangedRow
	OperationID      uuid.UUID // of what was changed, in the history; zero where nothing was
}

// show notes for the preview what would change.
func (r *ruleRun) show(ctx context.Context, tx *ledger.Tx, row stored) error {
	effects := r.facts.Real()
	if r.facts.TransferTo != 0 {
		other, err := r.s.counterpartOf(ctx, tx.As(r.who), row.ID, r.facts.TransferTo)
		if err != nil {
			return err
		}
		if other == uuid.Nil {
			effects = withoutTransfer(effects)
		}
	}
	r.countChange(effects)
	for _, e := range effects {
		if len(r.out.Changes) < maxRuleChanges {
			r.out.Changes = append(r.out.Changes, r.describe(tx.Refs, row, e.Field))
		}
	}
	return nil
}

// describe says in words what a field was and would be.
func (r *ruleRun) describe(refs *ledger.Refs, row stored, field rule.Field) ChangedRow {
	c := changedRow(refs, row.Transaction)
	c.Field = field.String()
	var was rule.Subject
	was.See(&row.Transaction, row.tags)
	c.Before, c.After = outcomeInWords(refs, &was, field), outcomeInWords(refs, &r.facts, field)
	return c
}

func outcomeInWords(refs *ledger.Refs, f *rule.Subject, field rule.Field) *string {
	switch field {
	case rule.RuleName:
		return new(f.Name) // the facts are used again
	case rule.RuleCategory:
		return categoryName(refs, &f.CategoryID)
	case rule.RuleMerchant:
		return merchantName(refs, &f.MerchantID)
	case rule.RuleTags:
		return tagsInWords(refs, f.Tags)
	case rule.RuleTransfer:
		if a := refs.Accounts.ByKey[f.TransferTo]; a != nil {
			return &a.Name
		}
	}
	return nil
}

func categoryName(refs *ledger.Refs, key *int64) *string {
	if key == nil || refs.Categories.ByKey[*key] == nil {
		return nil
	}
	return &refs.Categories.ByKey[*key].Name
}

func merchantName(refs *ledger.Refs, key *int64) *string {
	if key == nil || refs.Merchants.ByKey[*key] == nil {
		return nil
	}
	return &refs.Merchants.ByKey[*key].Name
}

func tagsInWords(refs *ledger.Refs, keys []int64) *string {
	var names []string
	for _, key := range keys {
		if tag := refs.Tags.ByKey[key]; tag != nil {
			names = append(names, tag.Name)
		}
	}
	return ledger.OptionalText(strings.Join(names, ", "))
}
