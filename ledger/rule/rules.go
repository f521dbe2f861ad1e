package rule

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// Rule is a rule with its lists. Rules run in the order in which they were made.
type Rule struct {
	queries.Rule
	Conditions []Condition
	Actions    []Action
}

// Filter selects rules; the zero value selects all.
type Filter struct {
	ResourceType string
	Active       ledger.Opt[bool]
}

// ListRules gives a page of the household's rules in their order, and how many the filter selects.
func (s *Service) ListRules(ctx context.Context, who ledger.Actor, f Filter, page ledger.Page) (list []Rule,
	total int64, err error) {
	count := queries.CountRulesParams{HouseholdID: who.HouseholdID, ResourceType: ledger.OptionalText(f.ResourceType)}
	if f.Active.Has() {
		count.Active = ledger.AsInteger(f.Active.Value)
	}
	err = s.DB.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		total, err = q.CountRules(ctx, count)
		if err != nil {
			return err
		}
		rows, err := q.ListRules(ctx, queries.ListRulesParams{HouseholdID: count.HouseholdID,
			ResourceType: count.ResourceType, Active: count.Active,
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
		list[i], err = readRule(row)
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// GetRule gives one rule.
func (s *Service) GetRule(ctx context.Context, who ledger.Actor, id uuid.UUID) (r Rule, err error) {
	err = s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		r, err = GetRule(ctx, tx, id)
		return err
	})
	return r, err
}

func GetRule(ctx context.Context, tx *ledger.Tx, id uuid.UUID) (Rule, error) {
	row, err := tx.GetRule(ctx, queries.GetRuleParams{PublicID: queries.PublicID(id), HouseholdID: tx.HouseholdID})
	if err != nil {
		return Rule{}, ledger.Missing(err, "Rule")
	}
	return readRule(row)
}

// CreateRule makes a rule. It is for transactions that are written from now on; see [entry.Service.RunRules].
func (s *Service) CreateRule(ctx context.Context, who ledger.Actor, in Input) (r Rule, err error) {
	err = s.WriteWithRefs(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		r, err = CreateRuleTx(ctx, tx, in)
		return err
	})
	return r, err
}

// CategoryOfName is the rule that gives what comes under a name a category.
func CategoryOfName(name string, category uuid.UUID) Input {
	return Input{Name: ledger.Some(ledger.ClipText(name, 100)),
		Conditions: ledger.Some([]Condition{{Type: "transaction_name", Operator: "=", Value: name}}),
		Actions:    ledger.Some([]Action{{Type: "set_transaction_category", Value: category.String()}})}
}

// Draft is a rule that is not stored yet.
func Draft(tx *ledger.Tx, in Input) (Rule, error) {
	r, err := in.fill(Rule{Rule: queries.Rule{HouseholdID: tx.HouseholdID}}, tx.Refs)
	if err != nil {
		return r, err
	}
	r.PublicID, err = ledger.NewID()
	if err != nil {
		return r, err
	}
	r.Rule.Conditions, r.Rule.Actions, err = r.stored()
	r.CreatedAt = tx.Stamp()
	r.UpdatedAt = r.CreatedAt
	return r, err
}

func CreateRuleTx(ctx context.Context, tx *ledger.Tx, in Input) (Rule, error) {
	r, err := Draft(tx, in)
	if err != nil {
		return r, err
	}
	r.ID, err = tx.InsertRule(ctx, queries.InsertRuleParams{PublicID: r.PublicID, HouseholdID: r.HouseholdID,
		Name: r.Name, ResourceType: r.ResourceType,
		Active: r.Active, EffectiveDate: r.EffectiveDate, Conditions: r.Rule.Conditions, Actions: r.Rule.Actions,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt})
	if err != nil {
		return r, err
	}
	return r, tx.Record(ctx, ledger.EntityRule, r.PublicID, nil, r.Rule)
}

// UpdateRule changes what is given and leaves the rest. What the rule has done stays.
func (s *Service) UpdateRule(ctx context.Context, who ledger.Actor, id uuid.UUID, in Input) (r Rule, err error) {
	err = s.WriteWithRefs(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		before, err := GetRule(ctx, tx, id)
		if err != nil {
			return err
		}
		r, err = ChangeRule(ctx, tx, before, in)
		return err
	})
	return r, err
}

func ChangeRule(ctx context.Context, tx *ledger.Tx, before Rule, in Input) (Rule, error) {
	r, err := in.fill(before, tx.Refs)
	if err != nil {
		return r, err
	}
	r.Rule.Conditions, r.Rule.Actions, err = r.stored()
	if err != nil {
		return r, err
	}
	if SameRule(before.Rule, r.Rule) {
		return before, nil
	}
	r.UpdatedAt = max(tx.Stamp(), before.UpdatedAt+1)
	return r, StoreRule(ctx, tx, before.Rule, r.Rule)
}

func SameRule(a, b queries.Rule) bool {
	return ledger.Same(a.Name, b.Name) && a.Active == b.Active && ledger.Same(a.EffectiveDate, b.EffectiveDate) &&
		a.Conditions == b.Conditions && a.Actions == b.Actions
}

func StoreRule(ctx context.Context, tx *ledger.Tx, before, after queries.Rule) error {
	err := tx.UpdateRule(ctx, queries.UpdateRuleParams{Name: after.Name, Active: after.Active,
		EffectiveDate: after.EffectiveDate,
		Conditions:    after.Conditions, Actions: after.Actions, UpdatedAt: after.UpdatedAt, ID: after.ID,
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityRule, after.PublicID, before, after)
}

// NamedRule is the rule that a file means by a name, the first when several have it; nil when there is none.
func NamedRule(ctx context.Context, tx *ledger.Tx, name string) (*Rule, error) {
	rows, err := tx.ListAllRules(ctx, tx.HouseholdID)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(rows, func(r queries.Rule) bool {
		return r.Name != nil && ledger.NormalText(*r.Name) == ledger.NormalText(name)
	})
	if at < 0 {
		return nil, nil
	}
	r, err := readRule(rows[at])
	return &r, err
}
