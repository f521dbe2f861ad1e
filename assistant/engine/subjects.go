package engine

import (
	"fmt"
	"maps"
	"slices"

	"finsvc/assistant/model"
	"finsvc/ledger"
)

// subject is one of several things of a kind that a question puts side by side: a category, a merchant, or some of them.
type subject struct {
	things []thing
	said   string // as the question calls it
	side   string // as of a question
	span   span
	from   int // where it begins in the question
}

// namedThings is a mention with what it was taken for.
type namedThings struct {
	mention
	things []thing
}

// findSubjects finds out whether several things are put side by side. Two periods may be as well; then these are what is
// compared, unless each thing has its own.
func (q *question) findSubjects() {
	k, found := q.kindCompared()
	defer q.checkFlows()
	if !found || len(q.missing) > 0 || q.topic != sums && q.topic != howMany && q.topic != balances {
		return
	}
	q.versus = k
	isOpposed := slices.ContainsFunc(q.named, func(n namedThings) bool {
		return n.joint == opposed && (n.things[0].kind == k || n.things[0].kind == flowKind)
	})
	subjects := q.divided(isOpposed)
	isPaired := q.isPaired(subjects)
	if each := q.merged(q.divided(false)); !isPaired && len(q.periods) > 1 && q.isPaired(each) {
		subjects, isPaired = each, true
	}
	same, isOne := sameSubjects(subjects)
	isMoved := isPaired && slices.ContainsFunc(q.periods, func(p period) bool { return p.span != q.periods[0].span })
	switch {
	case len(subjects) < 2, !isOpposed && !isPaired && !q.sayCompared():
	case isOne && isMoved: // the periods are what is compared
	case same != "" && !isMoved:
		q.missing = append(q.missing, same)
	default:
		q.subjects, q.contrast = subjects, true
		q.setSides()
	}
}

// kindCompared is the kind that a question has several names of: one whose names are set against each other, else the first.
func (q *question) kindCompared() (kind, bool) {
	if len(q.mentions) > 0 && q.mentions[0].joint == opposed {
		q.missing = append(q.missing, q.mentions[0].shown()+" compared with "+q.flow())
	}
	var several, against []kind
	for i, n := range q.named {
		k := n.things[0].kind
		if k == flowKind {
			continue
		}
		if i > 0 && n.joint == opposed && !slices.Contains(against, k) {
			against = append(against, k)
		}
		isBeside := func(n namedThings) bool { return n.things[0].kind == k }
		if !slices.Contains(several, k) && (q.hasFlow() || slices.ContainsFunc(q.named[:i], isBeside)) {
			several = append(several, k)
		}
	}
	if len(against) > 1 {
		q.missing = append(q.missing, "two comparisons at once")
	}
	if list := append(against, several...); len(several) > 0 {
		return list[0], true
	}
	return 0, false
}

// flow is what is set against a name that is the only one.
func (q *question) flow() string {
	switch {
	case q.says(saysIncome) && !q.says(saysSpending):
		return "all income"
	case q.says(saysSpending) && !q.says(saysIncome):
		return "all spending"
	}
	return "nothing"
}

// sayCompared says whether names that are joined by "and", "or" and commas are to be told apart rather than added up.
func (q *question) sayCompared() bool {
	isEither := slices.ContainsFunc(q.named, func(n namedThings) bool { return n.joint == either && n.things[0].kind == q.versus })
	isPlain := q.marks&^(saysFollowUp|saysHello|saysMonth|saysOverTime) == 0
	switch {
	case q.contrast, isEither && (isPlain || q.says(saysMore|saysCompare)), q.topic == sums && q.says(saysMost|saysLargest) && q.group == "":
		return true
	}
	return len(q.periods) < 2 && !q.against && q.relation == relation{} && (isPlain || q.says(saysCompare))
}

// divided makes subjects of the names: each is one, unless some are set against others.
func (q *question) divided(isOpposed bool) (subjects []subject) {
	for _, n := range q.named {
		switch last := len(subjects) - 1; {
		case n.things[0].kind != q.versus && n.things[0].kind != flowKind:
		case last < 0 || !isOpposed || n.joint == opposed:
			subjects = append(subjects, subject{things: slices.Clone(n.things), said: n.shown(), from: n.from})
		default:
			subjects[last].things = append(subjects[last].things, n.things...)
			subjects[last].said += " and " + n.shown()
		}
	}
	return subjects
}

// merged puts subjects without a period to those behind them that have one: "A and B in May, C in April".
func (q *question) merged(subjects []subject) (list []subject) {
	isOpen := false
	for i, s := range subjects {
		if isOpen {
			last := &list[len(list)-1]
			last.things, last.said = append(last.things, s.things...), last.said+" and "+s.said
		} else {
			list = append(list, s)
		}
		isOpen = q.periodsOf(subjects, i) == 0
	}
	return list
}

// periodsOf is how many periods are said with a subject: from where it begins to where the next one does.
func (q *question) periodsOf(subjects []subject, i int) (n int) {
	for _, p := range q.periods {
		if (i == 0 || p.at >= subjects[i].from) && (i == len(subjects)-1 || p.at < subjects[i+1].from) {
			n++
		}
	}
	return n
}

// isPaired says whether each subject has a period of its own.
func (q *question) isPaired(subjects []subject) bool {
	for i := range subjects {
		if q.periodsOf(subjects, i) != 1 {
			return false
		}
	}
	return len(subjects) > 1 && !q.borrowed
}

// sameSubjects says which two subjects are the same, empty when none are, and whether all are.
func sameSubjects(subjects []subject) (text string, isOne bool) {
	isOne = true
	for i, b := range subjects {
		for _, a := range subjects[:i] {
			switch {
			case !a.isLike(b):
				isOne = false
			case ledger.Fold(a.said) == ledger.Fold(b.said):
				text = a.said + " compared with itself"
			default:
				text = a.said + " compared with " + b.said + ", which is the same"
			}
		}
	}
	return text, isOne
}

// isLike says whether two subjects have the same names.
func (s subject) isLike(other subject) bool {
	return !slices.ContainsFunc(s.things, func(k thing) bool { return !other.has(k) }) && !slices.ContainsFunc(other.things, func(k thing) bool { return !s.has(k) })
}

func (s subject) has(k thing) bool {
	return slices.ContainsFunc(s.things, func(t thing) bool { return ledger.Fold(t.name) == ledger.Fold(k.name) })
}

func (s subject) called() (names []string) {
	for _, k := range s.things {
		if !slices.Contains(names, k.name) {
			names = append(names, k.name)
		}
	}
	return names
}

// setSides decides for each subject which way the money went: what is said, else what its category is for.
func (q *question) setSides() {
	isSaid := q.says(saysSpending | saysIncome | saysSaved | saysLargest | saysMost | saysTransactions)
	for i := range q.subjects {
		s := &q.subjects[i]
		if q.hasFlow() {
			s.side = s.sideBesideFlow(q.marks)
		} else if s.side = q.side; q.versus == categoryKind && q.topic == sums && !isSaid {
			s.side = s.class()
		}
	}
}

// class says what all categories of a subject are for; empty when they are not for the same.
func (s subject) class() string {
	class := s.things[0].class
	if slices.ContainsFunc(s.things, func(k thing) bool { return k.class != class }) {
		return ""
	}
	return class
}

// placeSubjects gives the subjects their days. Where the periods are compared after all, each is told apart by subject.
func (q *question) placeSubjects() {
	if len(q.subjects) == 0 {
		return
	}
	isPaired := len(q.spans) == len(q.subjects) && q.isPaired(q.subjects)
	if !slices.ContainsFunc(q.spans, func(s span) bool { return s != q.spans[0] }) {
		q.spans, isPaired = q.spans[:1], false
	}
	q.checkSubjects(isPaired)
	switch {
	case len(q.spans) > 1 && !isPaired && q.topic == sums:
		if slices.ContainsFunc(q.subjects, func(s subject) bool { return s.side != q.subjects[0].side }) {
			q.side = ""
		}
		q.group, q.subjects = q.versus.String(), nil
	case len(q.spans) > 1 && !isPaired:
		q.subjects = nil
	default:
		for i := range q.subjects {
			q.subjects[i].span = q.spans[min(i, len(q.spans)-1)]
		}
		if q.isTogether() {
			q.group = q.versus.String()
		}
	}
}

// checkSubjects finds what subjects cannot be told apart by, and more periods than can be compared beside them.
func (q *question) checkSubjects(isPaired bool) {
	switch {
	case len(q.missing) > 0:
	case q.search != "":
		q.missing = append(q.missing, q.search)
	case len(q.spans) > 1 && !isPaired && q.hasFlow():
		q.missing = append(q.missing, "more than one period here")
	case q.group == "month" && len(q.spans) == 1:
	case q.group != "" && (q.group != q.versus.String() || isPaired):
		q.missing = append(q.missing, "a comparison by "+q.group)
	case len(q.spans) > 2 && !isPaired && q.topic == sums:
		q.missing = append(q.missing, "more than two periods by "+q.versus.String())
	case len(q.spans) > 1 && !isPaired && q.topic == howMany:
		q.missing = append(q.missing, "more than one period here")
	}
}

// isTogether says whether one call gives the figures of all subjects.
func (q question) isTogether() bool {
	return len(q.subjects) > 0 && len(q.spans) == 1 && q.topic == sums && !q.hasFlow() && q.group != "month" && !q.bySearch() && !q.says(saysAverage)
}

// isEach says whether each subject is a call of its own.
func (q question) isEach() bool {
	return len(q.subjects) > 0 && !q.isTogether() && (q.topic != balances || q.said)
}

// only is the question about one of its subjects.
func (q question) only(s subject) question {
	q.filter = maps.Clone(q.filter)
	q.filter[q.versus] = s.called()
	if s.isFlow() {
		delete(q.filter, q.versus)
	}
	q.side, q.spans, q.subjects = s.side, []span{s.span}, nil
	if q.group != "month" {
		q.group = ""
	}
	return q
}

func (q question) callsOfEach() (list []model.Call) {
	for _, s := range q.subjects {
		for _, c := range q.only(s).calls() {
			c.ID = fmt.Sprint("call_", len(list)+1)
			list = append(list, c)
		}
	}
	return list
}
