package rule

import (
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/names"
)

// Words says what a rule does as people write it, which [ParseText] reads, but for conditions of which any is enough.
func Words(refs *ledger.Refs, r *Rule) string {
	var conditions, actions []string
	for _, c := range r.Conditions {
		conditions = append(conditions, conditionWords(refs, c))
	}
	for _, a := range r.Actions {
		word := map[string]string{"set_transaction_name": "name", "set_transaction_category": "category", "set_transaction_merchant": "merchant",
			"set_transaction_tags": "tag", "set_as_transfer_or_payment": "transfer"}[a.Type]
		actions = append(actions, word+" "+valueWords(refs, a.Type, a.Value))
	}
	if len(conditions) == 0 {
		conditions = []string{"everything"}
	}
	return strings.Join(conditions, " and ") + " -> " + strings.Join(actions, ", ")
}

func conditionWords(refs *ledger.Refs, c Condition) string {
	if c.Type == "compound" {
		var parts []string
		for _, part := range c.Conditions {
			parts = append(parts, conditionWords(refs, part))
		}
		return "(" + strings.Join(parts, " "+c.Operator+" ") + ")"
	}
	subject := strings.TrimPrefix(c.Type, "transaction_")
	switch {
	case c.Operator == "is_null":
		return subject + " is blank"
	case subject == "type":
		return "is " + c.Value
	case subject == "amount":
		return subject + " " + c.Operator + " " + c.Value
	case c.Operator == "like":
		return subject + " contains " + quoted(c.Value)
	}
	return subject + " is " + valueWords(refs, c.Type, c.Value)
}

// valueWords is a text in quotes, or the name of what an id is of: with its parent's where others have it as well, and the
// id itself where no name is enough.
func valueWords(refs *ledger.Refs, kind, value string) string {
	noun := RuleNoun(kind)
	if noun == "" {
		return quoted(value)
	}
	all := names.Of(refs, names.Kind(noun))
	for _, n := range names.Called(all, value) {
		for _, name := range append([]string{n.Name}, n.Paths...) {
			if len(names.Called(all, name)) == 1 && !strings.Contains(name, `"`) {
				return quoted(name)
			}
		}
	}
	return value
}

func quoted(text string) string { return `"` + text + `"` }
