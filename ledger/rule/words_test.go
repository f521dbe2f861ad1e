package rule_test

import (
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger/rule"
)

// TestWords: what a rule says in words is read as the same rule.
func TestWords(t *testing.T) {
	t.Parallel()
	refs := called()
	for _, text := range []string{
		`name contains "rewe" and amount > 50 -> name "Shop"`, `everything -> name "A, and b"`, `notes is blank and is income -> name "Pay"`,
		`name is "x and y" and account is blank -> name "z"`,
	} {
		in, err := rule.ParseText(refs, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := rule.Words(refs, &rule.Rule{Conditions: in.Conditions.Value, Actions: in.Actions.Value}); got != text {
			t.Errorf("%s\nis said as %s", text, got)
		}
	}
	gone := uuid.Max.String()
	either := rule.Rule{Conditions: []rule.Condition{{Type: "compound", Operator: "or", Conditions: []rule.Condition{{Type: "transaction_name", Operator: "=", Value: "a"},
		{Type: "transaction_type", Operator: "=", Value: "income"}}}}, Actions: []rule.Action{{"set_transaction_category", gone}}}
	if got := rule.Words(refs, &either); got != `(name is "a" or is income) -> category `+gone {
		t.Error(got)
	}
}
