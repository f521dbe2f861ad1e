package ledger

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// maxRuleParts is how many conditions, sub-conditions or actions a rule may have.
const maxRuleParts = 100

// RuleCondition is a condition of a rule. Value is blank for is_null and compound; it is the public id where the
// condition is about an account, a category, a merchant or a tag. Conditions are those of a compound.
type RuleCondition struct {
	Type       string          `json:"condition_type"`
	Operator   string          `json:"operator"`
	Value      string          `json:"value,omitempty"`
	Conditions []RuleCondition `json:"sub_conditions,omitempty"`
}

// RuleAction is what a rule does with a transaction that its conditions select. Value is a public id, or the
// new name.
type RuleAction struct {
	Type  string `json:"action_type"`
	Value string `json:"value,omitempty"`
}

// RuleInput is what a client says about a rule, new or changed. A new one is active unless it says otherwise.
// Problems are what decoding found.
type RuleInput struct {
	Name, ResourceType Opt[string]
	Active             Opt[bool]
	EffectiveDate      Opt[Date] // of the first day whose transactions the rule is for; null: of all
	Conditions         Opt[[]RuleCondition]
	Actions            Opt[[]RuleAction]
	Problems           Problems
}

// ruleResource is what all rules are about.
const ruleResource = "transaction"

// fill applies what is given to a rule, new or present, and checks it.
func (in *RuleInput) fill(r Rule, names *labels) (Rule, error) {
	fresh := r.ID == 0
	if fresh {
		r.ResourceType, r.Active = ruleResource, 1
	}
	if in.Name.Set {
		r.Name = in.Problems.optionalLine("name", in.Name)
	}
	if what := in.ResourceType.Or(ruleResource); what != ruleResource {
		in.Problems.Add("resource_type", "must be %s, got %s", ruleResource, Quote(what))
	}
	if in.Active.Has() {
		r.Active = asInteger(in.Active.Value)
	}
	if in.EffectiveDate.Set {
		r.EffectiveDate = nil
		if in.EffectiveDate.Has() {
			r.EffectiveDate = new(int64(in.EffectiveDate.Value))
		}
	}
	if in.Conditions.Set || fresh {
		r.Conditions = in.conditions(names)
	}
	if in.Actions.Set || fresh {
		r.Actions = in.actions(names)
	}
	return r, in.Problems.Err()
}

// optionalLine is nil when the text is null or blank.
func (p *Problems) optionalLine(field string, text Opt[string]) *string {
	line := p.CheckLine(field, text.Or(""))
	if line == "" {
		return nil
	}
	return &line
}

func (in *RuleInput) conditions(names *labels) []RuleCondition {
	in.Problems.require(in.Conditions.Has(), "conditions", "is required: a list, which is empty for a rule that is for all transactions")
	c := ruleChecker{names, &in.Problems}
	return c.conditions("conditions", in.Conditions.Value, false)
}

func (in *RuleInput) actions(names *labels) []RuleAction {
	if len(in.Actions.Value) == 0 && !in.Problems.Has("actions") {
		in.Problems.Add("actions", "must have at least one action")
	}
	in.Problems.checkCount("actions", len(in.Actions.Value))
	c := ruleChecker{names, &in.Problems}
	var list []RuleAction
	for i, a := range in.Actions.Value {
		if slices.ContainsFunc(list, func(b RuleAction) bool { return a.Type == b.Type }) {
			in.Problems.Add(fmt.Sprintf("actions[%d].action_type", i), "must be another than that of the actions before: %s is given twice", a.Type)
		}
		list = append(list, c.action(fmt.Sprintf("actions[%d].", i), a))
	}
	return list
}

func (p *Problems) checkCount(field string, count int) {
	if count > maxRuleParts {
		p.Add(field, "must have at most %d members, has %d", maxRuleParts, count)
	}
}

// ruleChecker checks the parts of a rule against a household. Without labels it takes any name for one of the
// household's own.
type ruleChecker struct {
	names    *labels
	problems *Problems
}

func (c ruleChecker) conditions(field string, list []RuleCondition, nested bool) []RuleCondition {
	c.problems.checkCount(field, len(list))
	out := make([]RuleCondition, 0, len(list))
	for i, condition := range list {
		out = append(out, c.condition(fmt.Sprintf("%s[%d].", field, i), condition, nested))
	}
	return out
}

// The operators of conditions, by what is compared.
func textOperators() []string   { return []string{"like", "=", "is_null"} }
func numberOperators() []string { return []string{">", ">=", "<", "<=", "=", "!="} }
func selectOperators() []string { return []string{"=", "is_null"} }

// condition checks a condition and gives it in the form in which it is stored.
func (c ruleChecker) condition(at string, given RuleCondition, nested bool) RuleCondition {
	out := RuleCondition{Type: given.Type, Operator: given.Operator}
	switch given.Type {
	case "compound":
		out.Conditions = c.compound(at, given, nested)
		return out
	case "transaction_name", "transaction_notes":
		c.operator(at, given, textOperators()...)
	case "transaction_amount":
		c.operator(at, given, numberOperators()...)
	case "transaction_type":
		c.operator(at, given, "=")
	case "transaction_merchant", "transaction_category", "transaction_account", "transaction_tag":
		c.operator(at, given, selectOperators()...)
	default:
		c.badConditionType(at, given.Type)
		return out
	}
	if len(given.Conditions) > 0 {
		c.problems.Add(at+"sub_conditions", "must be left out: only a compound has any")
	}
	if given.Operator != "is_null" {
		out.Value = c.conditionValue(at+"value", given)
	}
	return out
}

func (c ruleChecker) compound(at string, given RuleCondition, nested bool) []RuleCondition {
	if nested {
		c.problems.Add(at+"condition_type", "must not be compound: compounds cannot be nested")
		return nil
	}
	c.operator(at, given, "and", "or")
	if len(given.Conditions) == 0 && !c.problems.Has(at+"sub_conditions") {
		c.problems.Add(at+"sub_conditions", "must have at least one condition")
	}
	return c.conditions(at+"sub_conditions", given.Conditions, true)
}

func (c ruleChecker) badConditionType(at, kind string) {
	switch {
	case c.problems.Has(at + "condition_type"):
	case kind == foreignCondition:
		c.problems.Add(at+"condition_type", "must be another than transaction_details: no bank's own details are kept here; transaction_notes holds what a file says")
	default:
		c.problems.Add(at+"condition_type", "must be transaction_name, transaction_notes, transaction_amount, transaction_type, transaction_merchant, "+
			"transaction_category, transaction_account, transaction_tag or compound, got %s", Quote(kind))
	}
}

func (c ruleChecker) operator(at string, given RuleCondition, words ...string) {
	if !slices.Contains(words, given.Operator) && !c.problems.Has(at+"operator") {
		c.problems.Add(at+"operator", "must be one of %s for %s, got %s", strings.Join(words, ", "), given.Type, Quote(given.Operator))
	}
}

// conditionValue checks what a condition compares with.
func (c ruleChecker) conditionValue(field string, given RuleCondition) string {
	switch given.Type {
	case "transaction_name", "transaction_notes":
		return c.text(field, given.Value)
	case "transaction_amount":
		return c.number(field, given.Value)
	case "transaction_type":
		if !slices.Contains([]string{"income", "expense", "transfer"}, given.Value) && !c.problems.Has(field) {
			c.problems.Add(field, "must be income, expense or transfer, got %s", Quote(given.Value))
		}
		return given.Value
	}
	return c.reference(field, given.Type, given.Value)
}

func (c ruleChecker) text(field, value string) string {
	if c.problems.Has(field) {
		return ""
	}
	return c.problems.CheckName(field, value)
}

func (c ruleChecker) number(field, value string) string {
	if c.problems.Has(field) {
		return ""
	}
	number, err := ParseDecimal(value)
	c.problems.note(field, err)
	return number.String()
}

// reference checks the id of an account, a category, a merchant or a tag.
func (c ruleChecker) reference(field, kind, value string) string {
	if c.problems.Has(field) {
		return ""
	}
	if c.names == nil {
		return c.text(field, value)
	}
	id, ok := ParseID(strings.TrimSpace(value))
	noun := ruleNoun(kind)
	if !ok {
		c.problems.Add(field, "must be the id (a UUID) of one of the household's own, of %s, got %s", noun, Quote(value))
		return ""
	}
	if _, own := c.names.ruleReference(noun, id); !own {
		c.problems.Add(field, "is not the id of one of the household's own, of %s: %s", noun, id)
	}
	return id.String()
}

// ruleNoun is what the value of a type of condition or action names: account, category, merchant or tag; blank
// for those that name none.
func ruleNoun(kind string) string {
	switch kind {
	case "transaction_account", "set_as_transfer_or_payment":
		return "account"
	case "transaction_category", "set_transaction_category":
		return "category"
	case "transaction_merchant", "set_transaction_merchant":
		return "merchant"
	case "transaction_tag", "set_transaction_tags":
		return "tag"
	}
	return ""
}

// ruleReference is the key of what a rule names.
func (l *labels) ruleReference(noun string, id uuid.UUID) (key int64, own bool) {
	key, own = map[string]map[uuid.UUID]int64{
		"account": l.accounts.keys, "category": l.categories.keys, "merchant": l.merchants.keys, "tag": l.tags.keys,
	}[noun][id]
	return key, own
}

// action checks an action and gives it in the form in which it is stored.
func (c ruleChecker) action(at string, given RuleAction) RuleAction {
	switch {
	case c.problems.Has(at + "action_type"):
	case given.Type == "set_transaction_name":
		given.Value = c.text(at+"value", given.Value)
	case ruleNoun(given.Type) != "" && !strings.HasPrefix(given.Type, "transaction_"):
		given.Value = c.reference(at+"value", given.Type, given.Value)
	default:
		c.problems.Add(at+"action_type", "%s", badAction(given.Type))
	}
	return given
}

// badAction says why an action cannot be taken. What other programs do and this one does not is said by name
// rather than stored and never done.
func badAction(kind string) string {
	const must = "must be set_transaction_name, set_transaction_category, set_transaction_merchant, set_transaction_tags or set_as_transfer_or_payment"
	if why := foreignAction(kind); why != "" {
		return must + "; " + kind + " is not possible: " + why
	}
	return must + ", got " + Quote(kind)
}

// foreignAction says why an action of other programs is not taken here; it is blank for all others.
func foreignAction(kind string) string {
	switch kind {
	case "send_email_notification":
		return "this service sends no mail"
	case "auto_categorize", "auto_detect_merchants":
		return "rules ask no assistant"
	case "set_investment_activity_label":
		return "trades have activity labels, transactions have none"
	case "exclude_transaction":
		return "every transaction counts"
	}
	return ""
}

// foreignCondition is the condition of other programs that cannot be asked here.
const foreignCondition = "transaction_details"

// Portable gives what of a rule of another program can be done here, and in a sentence each which actions are missing in it. The
// reason is not blank where the rule cannot be taken at all: without a condition it would be for more transactions than it was
// made for, and without an action it does nothing.
func (in RuleInput) Portable() (rule RuleInput, leftOut []string, reason string) {
	if hasForeign(in.Conditions.Value) {
		return in, nil, "the condition " + foreignCondition + " cannot be asked here: no bank's own details are kept, and without it the rule would be for more transactions"
	}
	rule = in
	rule.Actions.Value = nil
	for _, action := range in.Actions.Value {
		if why := foreignAction(action.Type); why != "" {
			leftOut = append(leftOut, fmt.Sprintf("action %s is left out: %s", action.Type, why))
		} else {
			rule.Actions.Value = append(rule.Actions.Value, action)
		}
	}
	if len(leftOut) > 0 && len(rule.Actions.Value) == 0 {
		return in, nil, "no action of the rule can be taken here: " + strings.Join(leftOut, "; ")
	}
	return rule, leftOut, ""
}

func hasForeign(list []RuleCondition) bool {
	return slices.ContainsFunc(list, func(c RuleCondition) bool { return c.Type == foreignCondition || hasForeign(c.Conditions) })
}

// stored gives the lists of a rule as the database keeps them.
func (r *Rule) stored() (conditions, actions string, err error) {
	c, err := json.Marshal(append([]RuleCondition{}, r.Conditions...))
	if err != nil {
		return "", "", err
	}
	a, err := json.Marshal(append([]RuleAction{}, r.Actions...))
	return string(c), string(a), err
}
