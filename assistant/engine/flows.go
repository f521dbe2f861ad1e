package engine

import (
	"slices"

	"github.com/shopspring/decimal"
)

// readFlows finds where all income or all spending is set against something that has a name: "income vs rent".
func (r *reader) readFlows() {
	for i := range r.words {
		if !r.opposes(i, true) && (r.words[i].text != "and" || !r.mentionsAny("compare")) {
			continue
		}
		before, behind := r.besides(i-1, -1), r.besides(i+1, 1)
		switch {
		case r.isNamed(before) == r.isNamed(behind):
		case r.isFlow(before):
			r.mentionFlow(before)
		case r.isFlow(behind):
			r.mentionFlow(behind)
		}
	}
}

func (r *reader) mentionFlow(at int) {
	side := r.flowAt(at)
	name := map[string]string{incomeSide: "all income", expenseSide: "all spending"}[side]
	r.mentions = append(r.mentions, mention{options: []thing{{kind: flowKind, name: name, class: side}}, at: at, words: 1})
}

// flowAt is the side of the noun at a place; empty where there is none.
func (r *reader) flowAt(i int) string {
	if i < 0 || i >= len(r.words) || r.words[i].quote != 0 {
		return ""
	}
	switch r.words[i].stem {
	case "income", "earning", "revenue":
		return incomeSide
	case "expense", "spending", "expenditure":
		return expenseSide
	}
	return ""
}

// isFlow says whether a noun means all income or spending: one that leads to a name, as in "spending on rent", does not.
func (r *reader) isFlow(i int) bool {
	_, leads := r.led(i)
	return r.flowAt(i) != "" && !leads
}

// led is the name that a noun leads to.
func (r *reader) led(i int) (m mention, leads bool) {
	for i++; i < len(r.words) && isFiller(r.words[i].text) && !r.isNamed(i) && !r.opposes(i, true); i++ {
	}
	at := slices.IndexFunc(r.mentions, func(m mention) bool { return m.covers(i) })
	if at < 0 {
		return m, false
	}
	return r.mentions[at], true
}

func (m mention) covers(i int) bool { return m.at <= i && i < m.at+m.words }

func (r *reader) isNamed(i int) bool {
	return slices.ContainsFunc(r.mentions, func(m mention) bool { return m.covers(i) })
}

// besides is the first word in a direction that says what is compared. "Income and spending of Checking" compares nothing
// with an account.
func (r *reader) besides(i, step int) int {
	for i >= 0 && i < len(r.words) && !r.isNamed(i) && r.isPassed(i, step) {
		i += step
	}
	return i
}

// isPassed says whether a word says nothing about what is compared: fillers, "more", the noun that leads to a name, and
// backwards a period.
func (r *reader) isPassed(i, step int) bool {
	if r.flowAt(i) != "" {
		m, leads := r.led(i)
		return leads && len(m.of(accountKind)) < len(m.options)
	}
	inPeriod := slices.ContainsFunc(r.periods, func(p period) bool { return p.at <= i && i < p.at+p.words })
	return step < 0 && inPeriod || isFiller(r.words[i].text) || r.isWord(i, "more", "less", "higher", "lower", "larger", "bigger", "greater", "smaller")
}

// hasFlow says whether all income or spending is among what a question puts side by side.
func (q question) hasFlow() bool {
	return slices.ContainsFunc(q.named, func(n namedThings) bool { return n.things[0].kind == flowKind })
}

// checkFlows finds all income or spending where it cannot be compared.
func (q *question) checkFlows() {
	isMixed := slices.ContainsFunc(q.subjects, func(s subject) bool { return s.isFlow() && len(s.things) > 1 })
	if q.hasFlow() && len(q.missing) == 0 && (len(q.subjects) < 2 || q.topic != sums || isMixed) {
		q.missing = append(q.missing, "a comparison with "+q.flow())
	}
}

func (s subject) isFlow() bool {
	return slices.ContainsFunc(s.things, func(k thing) bool { return k.kind == flowKind })
}

// sideBesideFlow is which way the money of a subject went that is compared with all income or spending: that of its
// categories, else what is said beside; empty leaves it to the figures.
func (s subject) sideBesideFlow(marks cue) string {
	if class := s.class(); class != "" || marks&saysIncome == 0 || marks&saysSpending == 0 {
		return class
	}
	return expenseSide
}

// inWords is what a subject is called in a sentence.
func (s subject) inWords() string {
	if s.isFlow() {
		return s.things[0].name
	}
	return quoted(s.called())
}

// sideOnly leaves out what went the other way.
func (r found) sideOnly(side string) found {
	if side == incomeSide {
		r.Expenses = decimal.Zero
	} else {
		r.Income = decimal.Zero
	}
	r.Net = r.Income.Sub(r.Expenses)
	return r
}
