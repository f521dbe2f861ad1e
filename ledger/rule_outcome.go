package ledger

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"finsvc/queries"
)

// RuleOutcome is what running rules has done, or would do: how many transactions their conditions select, how many
// of them change, and of a preview the first changes.
type RuleOutcome struct {
	Matched, Changed int64
	Changes          []RuleChange
}

// RuleChange is a field of a transaction before and after, in words; nil is nothing.
type RuleChange struct {
	TransactionID uuid.UUID
	Field         RuleField
	Before, After *string
}

// show notes for the preview what would change.
func (r *ruleRun) show(ctx context.Context, q *queries.Queries, names *labels, row ruleRow) error {
	effects := r.facts.real()
	if r.facts.transferTo != 0 {
		other, err := r.l.counterpartOf(ctx, q, r.who, names, row.ID, r.facts.transferTo)
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
			r.out.Changes = append(r.out.Changes, r.describe(names, row, e.Field))
		}
	}
	return nil
}

// describe says in words what a field was and would be.
func (r *ruleRun) describe(names *labels, row ruleRow, field RuleField) RuleChange {
	c := RuleChange{TransactionID: uuid.UUID(row.PublicID), Field: field}
	var was RuleFacts
	was.see(&row.Transaction, row.tags)
	c.Before, c.After = names.inWords(&was, field), names.inWords(&r.facts, field)
	return c
}

func (l *labels) inWords(f *RuleFacts, field RuleField) *string {
	switch field {
	case RuleName:
		return new(f.Name) // the facts are used again
	case RuleCategory:
		if c := l.categories.byKey[f.CategoryID]; c != nil {
			return &c.Name
		}
	case RuleMerchant:
		if m := l.merchants.byKey[f.MerchantID]; m != nil {
			return &m.Name
		}
	case RuleTags:
		return l.tagsInWords(f.Tags)
	case RuleTransfer:
		if a := l.accounts.byKey[f.transferTo]; a != nil {
			return &a.Name
		}
	}
	return nil
}

func (l *labels) tagsInWords(keys []int64) *string {
	var names []string
	for _, key := range keys {
		if tag := l.tags.byKey[key]; tag != nil {
			names = append(names, tag.Name)
		}
	}
	return optionalText(strings.Join(names, ", "))
}
