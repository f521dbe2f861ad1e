package parse

import (
	"slices"

	"finsvc/assistant/engine/dates"
	"finsvc/assistant/engine/household"
)

func mentionFlow(r *reader, at int) {
	side := r.flowAt(at)
	name := map[string]string{household.Income: "all income", household.Expense: "all spending"}[side]
	r.Mentions = append(r.Mentions, Mention{Options: []household.Item{{Kind: household.FlowKind, Name: name,
		Class: side}}, at: at, words: 1})
}

// flowAt is the side of the noun at a place; empty where there is none.
func (r *reader) flowAt(i int) string {
	if i < 0 || i >= len(r.words) || r.words[i].Quote != 0 {
		return ""
	}
	switch r.words[i].Stem {
	case "income", "earning", "revenue":
		return household.Income
	case "expense", "spending", "expenditure":
		return household.Expense
	}
	return ""
}

// isFlow reports whether a noun means all income or spending: one that leads to a name, as in "spending on rent",
// does not.
func isFlow(r *reader, i int) bool {
	_, leads := r.led(i)
	return r.flowAt(i) != "" && !leads
}

// led is the name that a noun leads to.
func (r *reader) led(i int) (m Mention, leads bool) {
	for i++; i < len(r.words) && isFiller(r.words[i].Text) && !r.isNamed(i) && !r.opposes(i, true); i++ {
	}
	at := slices.IndexFunc(r.Mentions, func(m Mention) bool { return m.covers(i) })
	if at < 0 {
		return m, false
	}
	return r.Mentions[at], true
}

func (r *reader) isNamed(i int) bool {
	return slices.ContainsFunc(r.Mentions, func(m Mention) bool { return m.covers(i) })
}

// besides is the first word in a direction that says what is compared. "Income and spending of Checking" compares
// nothing with an account.
func besides(r *reader, i, step int) int {
	for i >= 0 && i < len(r.words) && !r.isNamed(i) && isPassed(r, i, step) {
		i += step
	}
	return i
}

// isPassed reports whether a word says nothing about what is compared: fillers, "more", the noun that leads to a
// name, and backwards a period.
func isPassed(r *reader, i, step int) bool {
	if r.flowAt(i) != "" {
		m, leads := r.led(i)
		return leads && len(m.Of(household.AccountKind)) < len(m.Options)
	}
	inPeriod := slices.ContainsFunc(r.Periods, func(p dates.Period) bool { return p.At <= i && i < p.At+p.Words })
	return step < 0 && inPeriod || isFiller(r.words[i].Text) ||
		r.isWord(i, "more", "less", "higher", "lower", "larger", "bigger", "greater", "smaller")
}
