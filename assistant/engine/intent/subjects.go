package intent

import (
	"slices"

	"finsvc/assistant/engine/dates"
	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/parse"
	"finsvc/assistant/engine/prose"
	"finsvc/ledger"
	"finsvc/ledger/calendar"
)

// Subject is one of several things of a kind that a question puts side by side: a category, a merchant, or some of
// them.
type Subject struct {
	Items []household.Item
	said  string // as the question calls it
	Side  string // as of a question
	Span  calendar.Span
	from  int // where it begins in the question
}

// IsFlow reports whether a subject is all that came in or went out, besides what else it may be.
func (s Subject) IsFlow() bool {
	return slices.ContainsFunc(s.Items, func(k household.Item) bool { return k.Kind == household.FlowKind })
}

// isLike reports whether two subjects have the same names.
func (s Subject) isLike(other Subject) bool {
	return !slices.ContainsFunc(s.Items, func(k household.Item) bool { return !other.Has(k) }) &&
		!slices.ContainsFunc(other.Items, func(k household.Item) bool { return !s.Has(k) })
}

// Has reports whether a subject has something of a name.
func (s Subject) Has(k household.Item) bool {
	return slices.ContainsFunc(s.Items, func(t household.Item) bool { return ledger.Fold(t.Name) == ledger.Fold(k.Name) })
}

// Called returns the names of a subject, each once.
func (s Subject) Called() (names []string) {
	for _, k := range s.Items {
		if !slices.Contains(names, k.Name) {
			names = append(names, k.Name)
		}
	}
	return names
}

// class says what all categories of a subject are for; empty when they are not for the same.
func (s Subject) class() string {
	class := s.Items[0].Class
	if slices.ContainsFunc(s.Items, func(k household.Item) bool { return k.Class != class }) {
		return ""
	}
	return class
}

// sideBesideFlow is which way the money of a subject went that is compared with all income or spending: that of its
// categories, else what is said beside; empty leaves it to the figures.
func (s Subject) sideBesideFlow(cues parse.Cue) string {
	class := s.class()
	if class != "" || cues&parse.Income == 0 || cues&parse.Spending == 0 {
		return class
	}
	return household.Expense
}

// InWords is what a subject is called in a sentence.
func (s Subject) InWords() string {
	if s.IsFlow() {
		return s.Items[0].Name
	}
	return prose.Quoted(s.Called())
}

// namedItems is a mention with what it was taken for.
type namedItems struct {
	parse.Mention
	Items []household.Item
}

// findSubjects finds out whether several things are put side by side. Two periods may be as well; then these are what
// is compared, unless each thing has its own.
func findSubjects(q *Question) {
	k, found := kindCompared(q)
	defer checkFlows(q)
	if !found || len(q.Missing) > 0 || q.Topic != Sums && q.Topic != HowMany && q.Topic != Balances {
		return
	}
	q.Versus = k
	isOpposed := slices.ContainsFunc(q.named, func(n namedItems) bool {
		return n.Connector == parse.Opposed && (n.Items[0].Kind == k || n.Items[0].Kind == household.FlowKind)
	})
	subjects := divided(q, isOpposed)
	isPaired := q.isPaired(subjects)
	each := merged(q, divided(q, false))
	if !isPaired && len(q.Periods) > 1 && q.isPaired(each) {
		subjects, isPaired = each, true
	}
	same, isOne := sameSubjects(subjects)
	isMoved := isPaired && slices.ContainsFunc(q.Periods, func(p dates.Period) bool { return p.Span != q.Periods[0].Span })
	switch {
	case len(subjects) < 2, !isOpposed && !isPaired && !sayCompared(q):
	case isOne && isMoved: // the periods are what is compared
	case same != "" && !isMoved:
		q.Missing = append(q.Missing, same)
	default:
		q.Subjects, q.contrast = subjects, true
		setSides(q)
	}
}

// kindCompared is the kind that a question has several names of: one whose names are set against each other, else the
// first.
func kindCompared(q *Question) (household.Kind, bool) {
	if len(q.Mentions) > 0 && q.Mentions[0].Connector == parse.Opposed {
		q.Missing = append(q.Missing, q.Mentions[0].Shown()+" compared with "+q.flow())
	}
	var several, against []household.Kind
	for i, n := range q.named {
		k := n.Items[0].Kind
		if k == household.FlowKind {
			continue
		}
		if i > 0 && n.Connector == parse.Opposed && !slices.Contains(against, k) {
			against = append(against, k)
		}
		isBeside := func(n namedItems) bool { return n.Items[0].Kind == k }
		if !slices.Contains(several, k) && (q.hasFlow() || slices.ContainsFunc(q.named[:i], isBeside)) {
			several = append(several, k)
		}
	}
	if len(against) > 1 {
		q.Missing = append(q.Missing, "two comparisons at once")
	}
	list := append(against, several...)
	if len(several) > 0 {
		return list[0], true
	}
	return 0, false
}

// sayCompared reports whether names that are joined by "and", "or" and commas are to be told apart rather than added
// up.
func sayCompared(q *Question) bool {
	isEither := slices.ContainsFunc(q.named,
		func(n namedItems) bool { return n.Connector == parse.Either && n.Items[0].Kind == q.Versus })
	isPlain := q.Cues&^(parse.FollowUp|parse.Hello|parse.Month|parse.OverTime) == 0
	switch {
	case q.contrast, isEither && (isPlain || q.Says(parse.More|parse.Compare)),
		q.Topic == Sums && q.Says(parse.Most|parse.Largest) && q.Group == "":
		return true
	}
	return len(q.Periods) < 2 && !q.Against && q.Relation == parse.Relation{} && (isPlain || q.Says(parse.Compare))
}

// divided makes subjects of the names: each is one, unless some are set against others.
func divided(q *Question, isOpposed bool) (subjects []Subject) {
	for _, n := range q.named {
		last := len(subjects) - 1
		switch {
		case n.Items[0].Kind != q.Versus && n.Items[0].Kind != household.FlowKind:
		case last < 0 || !isOpposed || n.Connector == parse.Opposed:
			subjects = append(subjects, Subject{Items: slices.Clone(n.Items), said: n.Shown(), from: n.From})
		default:
			subjects[last].Items = append(subjects[last].Items, n.Items...)
			subjects[last].said += " and " + n.Shown()
		}
	}
	return subjects
}

// merged puts subjects without a period to those behind them that have one: "A and B in May, C in April".
func merged(q *Question, subjects []Subject) (list []Subject) {
	isOpen := false
	for i, s := range subjects {
		if isOpen {
			last := &list[len(list)-1]
			last.Items, last.said = append(last.Items, s.Items...), last.said+" and "+s.said
		} else {
			list = append(list, s)
		}
		isOpen = q.periodsOf(subjects, i) == 0
	}
	return list
}

// periodsOf is how many periods are said with a subject: from where it begins to where the next one does.
func (q *Question) periodsOf(subjects []Subject, i int) (n int) {
	for _, p := range q.Periods {
		if (i == 0 || p.At >= subjects[i].from) && (i == len(subjects)-1 || p.At < subjects[i+1].from) {
			n++
		}
	}
	return n
}

// isPaired reports whether each subject has a period of its own.
func (q *Question) isPaired(subjects []Subject) bool {
	for i := range subjects {
		if q.periodsOf(subjects, i) != 1 {
			return false
		}
	}
	return len(subjects) > 1 && !q.borrowed
}

// sameSubjects says which two subjects are the same, empty when none are, and whether all are.
func sameSubjects(subjects []Subject) (text string, isOne bool) {
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

// setSides decides for each subject which way the money went: what is said, else what its category is for.
func setSides(q *Question) {
	isSaid := q.Says(parse.Spending | parse.Income | parse.Saved | parse.Largest | parse.Most | parse.Transactions)
	for i := range q.Subjects {
		s := &q.Subjects[i]
		if q.hasFlow() {
			s.Side = s.sideBesideFlow(q.Cues)
			continue
		}
		s.Side = q.Side
		if q.Versus == household.CategoryKind && q.Topic == Sums && !isSaid {
			s.Side = s.class()
		}
	}
}

// placeSubjects gives the subjects their days. Where the periods are compared after all, each is told apart by subject.
func placeSubjects(q *Question) {
	if len(q.Subjects) == 0 {
		return
	}
	isPaired := len(q.Spans) == len(q.Subjects) && q.isPaired(q.Subjects)
	if !slices.ContainsFunc(q.Spans, func(s calendar.Span) bool { return s != q.Spans[0] }) {
		q.Spans, isPaired = q.Spans[:1], false
	}
	// Find what subjects cannot be told apart by, and more periods than can be compared beside them.
	switch {
	case len(q.Missing) > 0:
	case q.Search != "":
		q.Missing = append(q.Missing, q.Search)
	case len(q.Spans) > 1 && !isPaired && q.hasFlow():
		q.Missing = append(q.Missing, "more than one period here")
	case q.Group == "month" && len(q.Spans) == 1:
	case q.Group != "" && (q.Group != q.Versus.String() || isPaired):
		q.Missing = append(q.Missing, "a comparison by "+q.Group)
	case len(q.Spans) > 2 && !isPaired && q.Topic == Sums:
		q.Missing = append(q.Missing, "more than two periods by "+q.Versus.String())
	case len(q.Spans) > 1 && !isPaired && q.Topic == HowMany:
		q.Missing = append(q.Missing, "more than one period here")
	}
	switch {
	case len(q.Spans) > 1 && !isPaired && q.Topic == Sums:
		if slices.ContainsFunc(q.Subjects, func(s Subject) bool { return s.Side != q.Subjects[0].Side }) {
			q.Side = ""
		}
		q.Group, q.Subjects = q.Versus.String(), nil
	case len(q.Spans) > 1 && !isPaired:
		q.Subjects = nil
	default:
		for i := range q.Subjects {
			q.Subjects[i].Span = q.Spans[min(i, len(q.Spans)-1)]
		}
		if q.IsTogether() {
			q.Group = q.Versus.String()
		}
	}
}

// checkFlows finds all income or spending where it cannot be compared.
func checkFlows(q *Question) {
	isMixed := slices.ContainsFunc(q.Subjects, func(s Subject) bool { return s.IsFlow() && len(s.Items) > 1 })
	if q.hasFlow() && len(q.Missing) == 0 && (len(q.Subjects) < 2 || q.Topic != Sums || isMixed) {
		q.Missing = append(q.Missing, "a comparison with "+q.flow())
	}
}
