package rule

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/money"
)

// Check says what is wrong with a rule from a file, whatever household it is for: what it names may be names.
func (in Input) Check() ledger.Problems {
	_, _ = in.fill(Rule{}, nil) // the problems say more than the error
	return in.Problems
}

// AccountNames gives the names of accounts in the values of the rule that are no ids, by the field they stand in.
func (in Input) AccountNames() map[string]string {
	found := map[string]string{}
	in.EachValue(func(field, kind string, value *string) {
		if _, isID := ledger.ParseID(*value); RuleNoun(kind) == "account" && *value != "" && !isID {
			found[field] = *value
		}
	})
	return found
}

// maxRuleParts is how many conditions, sub-conditions or actions a rule may have.
const maxRuleParts = 100

// Condition is a condition of a rule. Value is blank for is_null and compound; it is the public id where the
// condition is about an account, a category, a merchant or a tag. Conditions are those of a compound.
type Condition struct {
	Type       string      `json:"condition_type"`
	Operator   string      `json:"operator"`
	Value      string      `json:"value,omitempty"`
	Conditions []Condition `json:"sub_conditions,omitempty"`
}

// Action is what a rule does with a transaction that its conditions select. Value is a public id, or the
// new name.
type Action struct {
	Type  string `json:"action_type"`
	Value string `json:"value,omitempty"`
}

// Input is what a client says about a rule, new or changed. A new one is active unless it says otherwise.
// Problems are what decoding found.
type Input struct {
	Name, ResourceType ledger.Opt[string]
	Active             ledger.Opt[bool]
	EffectiveDate      ledger.Opt[ledger.Date] // of the first day whose transactions the rule is for; null: of all
	Conditions         ledger.Opt[[]Condition]
	Actions            ledger.Opt[[]Action]
	Problems           ledger.Problems
}

// ruleResource is what all rules are about.
const ruleResource = "transaction"

// fill applies what is given to a rule, new or present, and checks it.
func (in *Input) fill(r Rule, refs *ledger.Refs) (Rule, error) {
	fresh := r.ID == 0
	if fresh {
		r.ResourceType, r.Active = ruleResource, 1
	}
	if in.Name.Set {
		r.Name = in.Problems.OptionalLine("name", in.Name)
	}
	if what := in.ResourceType.Or(ruleResource); what != ruleResource {
		in.Problems.Add("resource_type", "must be %s, got %s", ruleResource, ledger.Quote(what))
	}
	if in.Active.Has() {
		r.Active = ledger.AsInteger(in.Active.Value)
	}
	if in.EffectiveDate.Set {
		r.EffectiveDate = nil
		if in.EffectiveDate.Has() {
			r.EffectiveDate = new(int64(in.EffectiveDate.Value))
		}
	}
	if in.Conditions.Set || fresh {
		in.Problems.Require(in.Conditions.Has(), "conditions",
			"is required: a list, which is empty for a rule that is for all transactions")
		c := checker{refs, &in.Problems}
		r.Conditions = c.conditions("conditions", in.Conditions.Value, false)
	}
	if in.Actions.Set || fresh {
		r.Actions = in.actions(refs)
	}
	return r, in.Problems.Err()
}

func (in *Input) actions(refs *ledger.Refs) []Action {
	if len(in.Actions.Value) == 0 && !in.Problems.Has("actions") {
		in.Problems.Add("actions", "must have at least one action")
	}
	checkCount(&in.Problems, "actions", len(in.Actions.Value))
	c := checker{refs, &in.Problems}
	var list []Action
	for i, a := range in.Actions.Value {
		if slices.ContainsFunc(list, func(b Action) bool { return a.Type == b.Type }) {
			in.Problems.Add(fmt.Sprintf("actions[%d].action_type", i),
				"must be another than that of the actions before: %s is given twice", a.Type)
		}
		list = append(list, c.action(fmt.Sprintf("actions[%d].", i), a))
	}
	return list
}

func checkCount(p *ledger.Problems, field string, count int) {
	if count > maxRuleParts {
		p.Add(field, "must have at most %d members, has %d", maxRuleParts, count)
	}
}

// checker checks the parts of a rule against a household. Without labels it takes any name for one of the
// household's own.
type checker struct {
	refs     *ledger.Refs
	problems *ledger.Problems
}

func (c checker) conditions(field string, list []Condition, nested bool) []Condition {
	checkCount(c.problems, field, len(list))
	out := make([]Condition, 0, len(list))
	for i, condition := range list {
		out = append(out, c.condition(fmt.Sprintf("%s[%d].", field, i), condition, nested))
	}
	return out
}

// The operators of conditions, by what is compared.
func textOperators() []string { return []string{"like", "=", "is_null"} }

// condition checks a condition and gives it in the form in which it is stored.
func (c checker) condition(at string, given Condition, nested bool) Condition {
	out := Condition{Type: given.Type, Operator: given.Operator}
	switch given.Type {
	case "compound":
		out.Conditions = c.compound(at, given, nested)
		return out
	case "transaction_name", "transaction_notes":
		c.operator(at, given, textOperators()...)
	case "transaction_amount":
		c.operator(at, given, []string{">", ">=", "<", "<=", "=", "!="}...)
	case "transaction_type":
		c.operator(at, given, "=")
	case "transaction_merchant", "transaction_category", "transaction_account", "transaction_tag":
		c.operator(at, given, []string{"=", "is_null"}...)
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

func (c checker) compound(at string, given Condition, nested bool) []Condition {
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

func (c checker) badConditionType(at, kind string) {
	switch {
	case c.problems.Has(at + "condition_type"):
	case kind == foreignCondition:
		c.problems.Add(at+"condition_type", "must be another than transaction_details: no bank's own details are kept here; transaction_notes holds what a file says")
	default:
		c.problems.Add(at+"condition_type", "must be transaction_name, transaction_notes, transaction_amount, transaction_type, transaction_merchant, "+
			"transaction_category, transaction_account, transaction_tag or compound, got %s", ledger.Quote(kind))
	}
}

func (c checker) operator(at string, given Condition, words ...string) {
	if !slices.Contains(words, given.Operator) && !c.problems.Has(at+"operator") {
		c.problems.Add(at+"operator", "must be one of %s for %s, got %s", strings.Join(words, ", "), given.Type,
			ledger.Quote(given.Operator))
	}
}

// conditionValue checks what a condition compares with.
func (c checker) conditionValue(field string, given Condition) string {
	switch given.Type {
	case "transaction_name", "transaction_notes":
		return c.text(field, given.Value)
	case "transaction_amount":
		value := given.Value
		if c.problems.Has(field) {
			return ""
		}
		number, err := money.ParseDecimal(value)
		c.problems.Note(field, err)
		return number.String()
	case "transaction_type":
		if !slices.Contains([]string{"income", "expense", "transfer"}, given.Value) && !c.problems.Has(field) {
			c.problems.Add(field, "must be income, expense or transfer, got %s", ledger.Quote(given.Value))
		}
		return given.Value
	}
	return c.reference(field, given.Type, given.Value)
}

func (c checker) text(field, value string) string {
	if c.problems.Has(field) {
		return ""
	}
	return c.problems.CheckName(field, value)
}

// reference checks the id of an account, a category, a merchant or a tag.
func (c checker) reference(field, kind, value string) string {
	if c.problems.Has(field) {
		return ""
	}
	if c.refs == nil {
		return c.text(field, value)
	}
	id, ok := ledger.ParseID(strings.TrimSpace(value))
	noun := RuleNoun(kind)
	if !ok {
		c.problems.Add(field, "must be the id (a UUID) of one of the household's own, of %s, got %s", noun,
			ledger.Quote(value))
		return ""
	}
	if _, own := c.refs.RuleReference(noun, id); !own {
		c.problems.Add(field, "is not the id of one of the household's own, of %s: %s", noun, id)
	}
	return id.String()
}

// RuleNoun is what the value of a type of condition or action names: account, category, merchant or tag; blank
// for those that name none.
func RuleNoun(kind string) string {
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

// action checks an action and gives it in the form in which it is stored.
func (c checker) action(at string, given Action) Action {
	switch {
	case c.problems.Has(at + "action_type"):
	case given.Type == "set_transaction_name":
		given.Value = c.text(at+"value", given.Value)
	case RuleNoun(given.Type) != "" && !strings.HasPrefix(given.Type, "transaction_"):
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
	return must + ", got " + ledger.Quote(kind)
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

// Portable gives what of a rule of another program can be done here, and in a sentence each which actions are missing
// in it. The reason is not blank where the rule cannot be taken at all: without a condition it would be for more
// transactions than it was made for, and without an action it does nothing.
func (in Input) Portable() (rule Input, leftOut []string, reason string) {
	if hasForeign(in.Conditions.Value) {
		return in, nil, "the condition " + foreignCondition +
			" cannot be asked here: no bank's own details are kept, and without it the rule would be for more transactions"
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

func hasForeign(list []Condition) bool {
	return slices.ContainsFunc(list, func(c Condition) bool {
		return c.Type == foreignCondition ||
			hasForeign(c.Conditions)
	})
}

// stored gives the lists of a rule as the database keeps them.
func (r *Rule) stored() (conditions, actions string, err error) {
	c, err := json.Marshal(append([]Condition{}, r.Conditions...))
	if err != nil {
		return "", "", err
	}
	a, err := json.Marshal(append([]Action{}, r.Actions...))
	return string(c), string(a), err
}
