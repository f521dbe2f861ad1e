package ledger

import (
	"context"
	"encoding/json"
	"strconv"

	"finsvc/queries"
)

// Check says what is wrong with a rule from a file, whatever household it is for: what it names may be names.
func (in RuleInput) Check() Problems {
	_, _ = in.fill(Rule{}, nil) // the problems say more than the error
	return in.Problems
}

// AccountNames gives the names of accounts in the values of the rule that are no ids, by the field they stand in.
func (in RuleInput) AccountNames() map[string]string {
	found := map[string]string{}
	in.eachValue(func(field, kind string, value *string) {
		if _, isID := ParseID(*value); ruleNoun(kind) == "account" && *value != "" && !isID {
			found[field] = *value
		}
	})
	return found
}

// eachValue shows every value of the rule's lists: the field it stands in, the type it belongs to, and the place.
func (in *RuleInput) eachValue(visit func(field, kind string, value *string)) {
	eachCondition("conditions", in.Conditions.Value, visit)
	for i := range in.Actions.Value {
		a := &in.Actions.Value[i]
		visit("actions["+strconv.Itoa(i)+"].value", a.Type, &a.Value)
	}
}

func eachCondition(field string, list []RuleCondition, visit func(field, kind string, value *string)) {
	for i := range list {
		at := field + "[" + strconv.Itoa(i) + "]."
		visit(at+"value", list[i].Type, &list[i].Value)
		eachCondition(at+"sub_conditions", list[i].Conditions, visit)
	}
}

// clone makes the lists the copy's own.
func (in RuleInput) clone() RuleInput {
	in.Conditions.Value = cloneConditions(in.Conditions.Value)
	in.Actions.Value = append([]RuleAction{}, in.Actions.Value...)
	return in
}

func cloneConditions(list []RuleCondition) []RuleCondition {
	out := append([]RuleCondition{}, list...)
	for i := range out {
		out[i].Conditions = cloneConditions(out[i].Conditions)
	}
	return out
}

// PlaceRule makes a rule from a file, in which values may be names: missing categories, merchants and tags are
// created, accounts must be there. A rule of the same name is replaced; one without a name is always new. It gives
// what was created, and the rule unless it is as it was.
func (l *Ledger) PlaceRule(ctx context.Context, q *queries.Queries, who Actor, in RuleInput) ([]Created, error) {
	in = in.clone()
	created, err := l.resolveRule(ctx, q, who, &in)
	if err != nil {
		return nil, err
	}
	names, err := l.labelsNow(ctx, q, who.HouseholdID)
	if err != nil {
		return nil, err
	}
	id, changed, err := l.putRule(ctx, q, who, names, in)
	if err == nil && changed {
		created = append(created, Created{string(entityRule), id})
	}
	return created, err
}

func (l *Ledger) putRule(ctx context.Context, q *queries.Queries, who Actor, names *labels, in RuleInput) (id queries.PublicID, changed bool, err error) {
	var found *Rule
	if in.Name.Has() {
		if found, err = namedRule(ctx, q, who, in.Name.Value); err != nil {
			return id, false, err
		}
	}
	if found == nil {
		r, err := l.createRule(ctx, q, who, names, in)
		return r.PublicID, true, err
	}
	r, err := l.changeRule(ctx, q, who, names, *found, in)
	return r.PublicID, r.UpdatedAt != found.UpdatedAt, err
}

// resolveRule puts ids in the place of names.
func (l *Ledger) resolveRule(ctx context.Context, q *queries.Queries, who Actor, in *RuleInput) (created []Created, err error) {
	in.eachValue(func(field, kind string, value *string) {
		noun := ruleNoun(kind)
		if _, isID := ParseID(*value); err != nil || noun == "" || *value == "" || isID {
			return
		}
		var more []Created
		if *value, more, err = l.ruleTarget(ctx, q, who, noun, field, *value); err == nil {
			created = append(created, more...)
		}
	})
	return created, err
}

// ruleTarget gives the id of what a file names.
func (l *Ledger) ruleTarget(ctx context.Context, q *queries.Queries, who Actor, noun, field, name string) (id string, created []Created, err error) {
	var key int64
	switch noun {
	case "account":
		found, err := l.FindAccountByName(ctx, q, who, name)
		if err == nil && len(found) != 1 {
			err = NewInvalid(field, "must be the name of one of the household's accounts, and %d are named %s", len(found), Quote(name))
		}
		if err != nil {
			return "", nil, err
		}
		key = found[0].ID
	case "category":
		key, created, err = l.FindOrCreateCategory(ctx, q, who, name, "expense")
	case "merchant":
		key, created, err = l.FindOrCreateMerchant(ctx, q, who, name)
	case "tag":
		key, created, err = l.FindOrCreateTag(ctx, q, who, name)
	}
	if err != nil {
		return "", nil, err
	}
	names, err := l.labelsNow(ctx, q, who.HouseholdID)
	return names.ruleTargetID(noun, key), created, err
}

func (l *labels) ruleTargetID(noun string, key int64) string {
	switch noun {
	case "account":
		return l.accounts.byKey[key].ID.String()
	case "category":
		return l.categories.byKey[key].ID.String()
	case "merchant":
		return l.merchants.byKey[key].ID.String()
	}
	return l.tags.byKey[key].ID.String()
}

// RevertRules takes back the rules that an import has made, and gives those that it has replaced their old
// content. A rule that was changed since stays as it is.
func (l *Ledger) RevertRules(ctx context.Context, q *queries.Queries, who Actor, importID int64) error {
	rows, err := q.ListImportRules(ctx, queries.ListImportRulesParams{ImportID: importID, HouseholdID: who.HouseholdID})
	if err != nil {
		return err
	}
	for _, row := range rows {
		if err := l.revertRule(ctx, q, who, importID, row); err != nil {
			return err
		}
	}
	return nil
}

func (l *Ledger) revertRule(ctx context.Context, q *queries.Queries, who Actor, importID int64, row queries.ListImportRulesRow) error {
	var before, after queries.Rule
	for text, rule := range map[*string]*queries.Rule{row.Before: &before, row.After: &after} {
		if text == nil {
			continue
		}
		if err := json.Unmarshal([]byte(*text), rule); err != nil {
			return err
		}
	}
	if !sameRule(row.Rule, after) {
		return nil
	}
	if err := l.restoreRule(ctx, q, who, row.Rule, before); err != nil {
		return err
	}
	return q.ForgetImportRule(ctx, queries.ForgetImportRuleParams{ImportID: importID, EntityID: row.Rule.PublicID, HouseholdID: who.HouseholdID})
}

// restoreRule makes a rule what it was before; one that was not there goes.
func (l *Ledger) restoreRule(ctx context.Context, q *queries.Queries, who Actor, rule, before queries.Rule) error {
	if before.ID != 0 {
		before.UpdatedAt = max(l.stamp(), rule.UpdatedAt+1)
		return l.storeRule(ctx, q, who, rule, before)
	}
	if err := q.DeleteRule(ctx, queries.DeleteRuleParams{ID: rule.ID, HouseholdID: who.HouseholdID}); err != nil {
		return err
	}
	return l.record(ctx, q, who, entityRule, rule.PublicID, rule, nil)
}
