package engine

import (
	"strings"

	"finsvc/ledger"
)

// understood says whether a question can be answered.
func (q question) understood() bool {
	return q.topic != noTopic && q.topic != greeting && len(q.missing)+len(q.unclear) == 0
}

// refusal says what was not understood, with three questions that can be answered.
func (q question) refusal(n *names) string {
	var first string
	switch {
	case q.topic == greeting:
		first = "I look up figures in your books."
	case len(q.unclear) > 0:
		first = "I cannot answer that yet: " + q.unclear[0]
	case len(q.missing) > 0:
		var quoted []string
		for _, m := range q.missing {
			quoted = append(quoted, ledger.Quote(m))
		}
		first = "I cannot answer that: I do not know what to make of " + listed(quoted) + "."
	default:
		first = "I cannot answer that: I only look up figures in your books, and do not see which one this asks for."
	}
	return withExamples(first, n.examples())
}

// withExamples adds questions that can be answered.
func withExamples(first string, examples []string) string {
	return first + " You can ask, for example:\n- " + strings.Join(examples, "\n- ")
}

// examples are three questions that can be answered, about what the household has.
func (n *names) examples() []string {
	var list []string
	wanted := []struct {
		kind       kind
		class      string
		text, tail string
	}{
		{categoryKind, expenseSide, "How much did I spend on ", " last month?"},
		{accountKind, "", "What is the balance of ", "?"},
		{merchantKind, "", "How much did I spend at ", " this year?"},
	}
	for _, w := range wanted {
		for _, k := range n.all {
			if k.kind == w.kind && (w.class == "" || k.class == w.class) {
				list = append(list, w.text+ledger.Quote(k.name)+w.tail)
				break
			}
		}
	}
	return append(list, "What is my net worth?", "How much did I spend this month compared with last month?", "What were my largest expenses this year?")[:3]
}
