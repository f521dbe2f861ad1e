package answer

import (
	"strings"

	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/intent"
	"finsvc/assistant/engine/prose"
	"finsvc/ledger"
)

// Refusal says what was not understood, with three questions that can be answered.
func Refusal(q intent.Question, n *household.Names) string {
	var first string
	switch {
	case q.Topic == intent.Greeting:
		first = "I look up figures in your books."
	case len(q.Unclear) > 0:
		first = "I cannot answer that yet: " + q.Unclear[0]
	case len(q.Missing) > 0:
		var quoted []string
		for _, m := range q.Missing {
			quoted = append(quoted, ledger.Quote(m))
		}
		first = "I cannot answer that: I do not know what to make of " + prose.Listed(quoted) + "."
	default:
		first = "I cannot answer that: I only look up figures in your books, and do not see which one this asks for."
	}
	return withExamples(first, examples(n))
}

// withExamples adds questions that can be answered.
func withExamples(first string, examples []string) string {
	return first + " You can ask, for example:\n- " + strings.Join(examples, "\n- ")
}

// examples are three questions that can be answered, about what the household has.
func examples(n *household.Names) []string {
	var list []string
	wanted := []struct {
		kind       household.Kind
		class      string
		text, tail string
	}{
		{household.CategoryKind, household.Expense, "How much did I spend on ", " last month?"},
		{household.AccountKind, "", "What is the balance of ", "?"},
		{household.MerchantKind, "", "How much did I spend at ", " this year?"},
	}
	for _, w := range wanted {
		for _, k := range n.All {
			if k.Kind == w.kind && (w.class == "" || k.Class == w.class) {
				list = append(list, w.text+ledger.Quote(k.Name)+w.tail)
				break
			}
		}
	}
	return append(list, "What is my net worth?", "How much did I spend this month compared with last month?",
		"What were my largest expenses this year?")[:3]
}
