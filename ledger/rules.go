package ledger

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/queries"
)

// Rule is a rule with its lists. Rules run in the order in which they were made.
type Rule struct {
	queries.Rule
	Conditions []RuleCondition
	Actions    []RuleAction
}

// RuleFilter selects rules; the zero value selects all.
type RuleFilter struct {
	ResourceType string
	Active       Opt[bool]
}

// ListRules gives a page of the household's rules in their order, and how many the filter selects.
func (l *Ledger) ListRules(ctx context.Context, who Actor, f RuleFilter, page Page) (list []Rule, total int64, err error) {
	count := queries.CountRulesParams{HouseholdID: who.HouseholdID, ResourceType: optionalText(f.ResourceType)}
	if f.Active.Has() {
		count.Active = asInteger(f.Active.Value)
	}
	err = l.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		if total, err = q.CountRules(ctx, count); err != nil {
			return err
		}
		rows, err := q.ListRules(ctx, queries.ListRulesParams{HouseholdID: count.HouseholdID, ResourceType: count.ResourceType, Active: count.Active,
			Count: int64(page.Size), Skip: page.Offset()})
		if err != nil {
			return err
		}
		list, err = readRules(rows)
		return err
	})
	return list, total, err
}

func readRules(rows []queries.Rule) ([]Rule, error) {
	list := make([]Rule, len(rows))
	for i, row := range rows {
		var err error
		if list[i], err = readRule(row); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// GetRule gives one rule.
func (l *Ledger) GetRule(ctx context.Context, who Actor, id uuid.UUID) (r Rule, err error) {
	err = l.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		r, err = getRule(ctx, q, who, id)
		return err
	})
	return r, err
}

func getRule(ctx context.Context, q *queries.Queries, who Actor, id uuid.UUID) (Rule, error) {
	row, err := q.GetRule(ctx, queries.GetRuleParams{PublicID: queries.PublicID(id), HouseholdID: who.HouseholdID})
	if err != nil {
		return Rule{}, Missing(err, "Rule")
	}
	return readRule(row)
}

// CreateRule makes a rule. It is for transactions that are written from now on; see [Ledger.RunRules].
func (l *Ledger) CreateRule(ctx context.Context, who Actor, in RuleInput) (r Rule, err error) {
	err = l.writeWithLabels(ctx, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		r, err = l.createRule(ctx, q, who, names, in)
		return err
	})
	return r, err
}

func (l *Ledger) createRule(ctx context.Context, q *queries.Queries, who Actor, names *labels, in RuleInput) (Rule, error) {
	r, err := in.fill(Rule{Rule: queries.Rule{HouseholdID: who.HouseholdID}}, names)
	if err != nil {
		return r, err
	}
	if r.PublicID, err = newID(); err != nil {
		return r, err
	}
	if r.Rule.Conditions, r.Rule.Actions, err = r.stored(); err != nil {
		return r, err
	}
	r.CreatedAt = l.stamp()
	r.UpdatedAt = r.CreatedAt
	r.ID, err = q.InsertRule(ctx, queries.InsertRuleParams{PublicID: r.PublicID, HouseholdID: r.HouseholdID, Name: r.Name, ResourceType: r.ResourceType,
		Active: r.Active, EffectiveDate: r.EffectiveDate, Conditions: r.Rule.Conditions, Actions: r.Rule.Actions, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt})
	if err != nil {
		return r, err
	}
	return r, l.record(ctx, q, who, entityRule, r.PublicID, nil, r.Rule)
}

// UpdateRule changes what is given and leaves the rest. What the rule has done stays.
func (l *Ledger) UpdateRule(ctx context.Context, who Actor, id uuid.UUID, in RuleInput) (r Rule, err error) {
	err = l.writeWithLabels(ctx, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		before, err := getRule(ctx, q, who, id)
		if err != nil {
			return err
		}
		r, err = l.changeRule(ctx, q, who, names, before, in)
		return err
	})
	return r, err
}

func (l *Ledger) changeRule(ctx context.Context, q *queries.Queries, who Actor, names *labels, before Rule, in RuleInput) (Rule, error) {
	r, err := in.fill(before, names)
	if err != nil {
		return r, err
	}
	if r.Rule.Conditions, r.Rule.Actions, err = r.stored(); err != nil {
		return r, err
	}
	if sameRule(before.Rule, r.Rule) {
		return before, nil
	}
	r.UpdatedAt = max(l.stamp(), before.UpdatedAt+1)
	return r, l.storeRule(ctx, q, who, before.Rule, r.Rule)
}

func sameRule(a, b queries.Rule) bool {
	return same(a.Name, b.Name) && a.Active == b.Active && same(a.EffectiveDate, b.EffectiveDate) && a.Conditions == b.Conditions && a.Actions == b.Actions
}

func (l *Ledger) storeRule(ctx context.Context, q *queries.Queries, who Actor, before, after queries.Rule) error {
	err := q.UpdateRule(ctx, queries.UpdateRuleParams{Name: after.Name, Active: after.Active, EffectiveDate: after.EffectiveDate,
		Conditions: after.Conditions, Actions: after.Actions, UpdatedAt: after.UpdatedAt, ID: after.ID, HouseholdID: who.HouseholdID})
	if err != nil {
		return err
	}
	return l.record(ctx, q, who, entityRule, after.PublicID, before, after)
}

// DeleteRule removes a rule with its runs. The transactions that it has changed stay as they are.
func (l *Ledger) DeleteRule(ctx context.Context, who Actor, id uuid.UUID) error {
	return l.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		r, err := getRule(ctx, q, who, id)
		if err != nil {
			return err
		}
		if err := q.DeleteRule(ctx, queries.DeleteRuleParams{ID: r.ID, HouseholdID: who.HouseholdID}); err != nil {
			return err
		}
		return l.record(ctx, q, who, entityRule, r.PublicID, r.Rule, nil)
	})
}

// namedRule is the rule that a file means by a name, the first when several have it; nil when there is none.
func namedRule(ctx context.Context, q *queries.Queries, who Actor, name string) (*Rule, error) {
	rows, err := q.ListAllRules(ctx, who.HouseholdID)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(rows, func(r queries.Rule) bool { return r.Name != nil && NormalText(*r.Name) == NormalText(name) })
	if at < 0 {
		return nil, nil
	}
	r, err := readRule(rows[at])
	return &r, err
}
