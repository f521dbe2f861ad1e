package importer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/rule"
	"finsvc/queries"
)

func (b *backupLine) planRule() {
	body := &RestoredRule{}
	b.row.Body = body
	b.unique(b.required("id"))
	b.row.Name = b.name("name", b.text("name"))
	if kind := b.text("resource_type"); kind != "" && kind != "transaction" {
		b.issue("resource_type", "must be transaction, got "+ledger.Quote(kind))
	}
	*body = RestoredRule{b.flag("active", false), b.optionalDate("effective_date"), b.objects("conditions"), b.objects("actions")}
	if len(body.Actions) == 0 && len(b.row.Issues) == 0 {
		b.issue("actions", "must have at least one action")
	}
}

// objects is a member that is a list of JSON objects.
func (b *backupLine) objects(name string) []any {
	list := []any{}
	for i, element := range b.list(name) {
		decoder := json.NewDecoder(bytes.NewReader(element))
		decoder.UseNumber()
		var object map[string]any
		if err := decoder.Decode(&object); err != nil || object == nil {
			b.issue(name, fmt.Sprintf("must be a list of JSON objects, member %d is none", i+1))
			return list
		}
		list = append(list, object)
	}
	return list
}

// restoreRule makes a rule that this program can run; others, and those that are there, are told of.
func (a *applier) restoreRule(ctx context.Context, q *queries.Queries, row Row, body *RestoredRule) ([]ledger.Created, error) {
	r := &ruleRefs{a, q, row, nil}
	in := rule.Input{Name: said(row.Name), Active: ledger.Some(body.Active)}
	if body.Effective != nil {
		in.EffectiveDate = ledger.Some(*body.Effective)
	}
	conditions, err := r.resolved(ctx, body.Conditions)
	if err != nil {
		return nil, err
	}
	actions, err := r.resolved(ctx, body.Actions)
	if err != nil {
		return nil, err
	}
	in.Conditions, in.Actions = ledger.Some(ruleConditions(conditions)), ledger.Some(ruleActions(actions))
	in, leftOut, reason := in.Portable()
	if reason != "" {
		a.tell(row, "the rule was left out: %s", reason)
		return r.created, nil
	}
	for _, sentence := range leftOut {
		a.tell(row, "%s", sentence)
	}
	if problems := in.Check(); len(problems) > 0 {
		a.tell(row, "the rule was left out: %s %s", problems[0].Field, problems[0].Message)
		return r.created, nil
	}
	created, kept, err := a.ledger.Exports.RestoreRule(ctx, q, a.who, in)
	if e := ledger.AsError(err); e != nil && e.Kind == ledger.Invalid {
		a.tell(row, "the rule was left out: %s", e.Message)
		return r.created, nil
	}
	if kept {
		a.tell(row, "a rule of the name, or one that says the same, is there already and was kept")
	}
	return append(r.created, created...), err
}

// ruleConditions are conditions as they were decoded.
func ruleConditions(list []any) []rule.Condition {
	out := []rule.Condition{}
	for _, member := range list {
		node, _ := member.(map[string]any)
		c := rule.Condition{Type: ruleText(node["condition_type"]), Operator: ruleText(node["operator"]), Value: ruleText(node["value"])}
		if inner, _ := node["sub_conditions"].([]any); len(inner) > 0 {
			c.Conditions = ruleConditions(inner)
		}
		out = append(out, c)
	}
	return out
}

func ruleActions(list []any) []rule.Action {
	out := []rule.Action{}
	for _, member := range list {
		node, _ := member.(map[string]any)
		out = append(out, rule.Action{Type: ruleText(node["action_type"]), Value: ruleText(node["value"])})
	}
	return out
}

// ruleText is a value of a condition or an action: a text, a number, or a list of one of them.
func ruleText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case []any:
		var texts []string
		for _, member := range v {
			texts = append(texts, ruleText(member))
		}
		return strings.Join(texts, ", ")
	}
	return ""
}

// ruleRefs turns what the values of a rule refer to into ids of the household.
type ruleRefs struct {
	*applier
	q       *queries.Queries
	row     Row
	created []ledger.Created
}

func (r *ruleRefs) resolved(ctx context.Context, list []any) ([]any, error) {
	for _, node := range list {
		if err := r.resolve(ctx, node.(map[string]any)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// resolve works on a condition or an action, and on the conditions within it.
func (r *ruleRefs) resolve(ctx context.Context, node map[string]any) (err error) {
	ref, kind := node["value_ref"], kindOfValue(node)
	delete(node, "value_ref")
	switch value := node["value"].(type) {
	case string:
		if kind != "" && value != "" {
			node["value"], err = r.id(ctx, kind, value, nameIn(ref, 0))
		}
	case []any:
		for i := range value {
			if text, ok := value[i].(string); ok && kind != "" && err == nil {
				value[i], err = r.id(ctx, kind, text, nameIn(ref, i))
			}
		}
	}
	if inner, ok := node["sub_conditions"].([]any); ok {
		for _, member := range inner {
			if node, ok := member.(map[string]any); ok && err == nil {
				err = r.resolve(ctx, node)
			}
		}
	}
	return err
}

// kindOfValue is what the value of a condition or an action is the id of; blank when it is none.
func kindOfValue(node map[string]any) string {
	kind, ok := node["condition_type"].(string)
	if !ok {
		kind, _ = node["action_type"].(string)
	}
	for _, entity := range []string{entityCategory, entityMerchant, entityTag, entityAccount} {
		if strings.HasPrefix(kind, "transaction_"+entity) || strings.HasPrefix(kind, "set_transaction_"+entity) || kind == "set_transaction_categories" && entity == entityCategory {
			return entity
		}
	}
	if kind == "set_as_transfer_or_payment" {
		return entityAccount
	}
	return ""
}

// nameIn is the name in a reference, or in one of a list of them.
func nameIn(ref any, at int) string {
	if list, ok := ref.([]any); ok && at < len(list) {
		ref = list[at]
	}
	object, _ := ref.(map[string]any)
	name, _ := object["name"].(string)
	return name
}

// id is that of the thing of the file with the id, else of the one with the name, which is created where that can
// be done.
func (r *ruleRefs) id(ctx context.Context, kind, value, name string) (string, error) {
	key := map[string]map[string]int64{entityMerchant: r.restored.merchants, entityTag: r.restored.tags, entityAccount: r.names.refs}[kind][value]
	if c := r.restored.categories[value]; kind == entityCategory && c != nil {
		key = c.ID
	}
	if _, isID := ledger.ParseID(value); name == "" && !isID {
		name = value
	}
	if key == 0 && oneLine(name) != "" {
		var err error
		if key, err = r.named(ctx, kind, cutName(asName(name))); err != nil {
			return "", err
		}
	}
	if key == 0 {
		r.tell(r.row, "the rule refers to the %s %s, which is not in the file", kind, ledger.Quote(or(name, value)))
		return value, nil
	}
	id, err := r.ledger.Exports.LabelID(ctx, r.q, r.who, kind, key)
	return id.String(), err
}

func (r *ruleRefs) named(ctx context.Context, kind, name string) (key int64, err error) {
	var created []ledger.Created
	switch kind {
	case entityCategory:
		key, created, err = r.ledger.Catalog.FindOrCreateCategory(ctx, r.q, r.who, name, catalog.Expense)
	case entityMerchant:
		key, created, err = r.ledger.Catalog.FindOrCreateMerchant(ctx, r.q, r.who, name)
	case entityTag:
		key, created, err = r.ledger.Catalog.FindOrCreateTag(ctx, r.q, r.who, name)
	case entityAccount:
		found, err := r.ledger.Catalog.FindAccountByName(ctx, r.q, r.who, name)
		if err != nil || len(found) == 0 {
			return 0, err
		}
		return found[0].ID, nil
	}
	r.created = append(r.created, created...)
	return key, err
}
