package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/assistant/tools"
	"finsvc/ledger"
)

// weighed is a subject with its figures.
type weighed struct {
	subject
	found
}

func (w weighed) amount() decimal.Decimal { return w.total().of(w.side) }

// answerSubjects puts the sums of several subjects side by side: two in a sentence, more in a list, the largest first.
func (q question) answerSubjects(results []found) []string {
	list, complete := q.weigh(results)
	if !complete {
		return []string{tooMuch}
	}
	sides := map[string]bool{}
	for _, w := range list {
		sides[w.side] = true
	}
	var lines []string
	switch {
	case q.says(saysAverage):
		lines = q.averages(list)
	case sides[""] || len(sides) > 1 && len(list) > 2:
		lines = q.bothWays(list)
	case len(list) == 2:
		lines = []string{q.sentence(list[0], list[1])}
	default:
		lines = q.ranking(list, results)
	}
	return slices.Concat(lines, q.monthly(list), q.overlaps(list, results))
}

// weigh finds the figures of each subject; false when there was no room for all of them.
func (q question) weigh(results []found) (list []weighed, complete bool) {
	for i, s := range q.subjects {
		r := results[min(i, len(results)-1)].sums()
		if strings.Contains(r.Cut, "by_"+q.group+":") {
			return nil, false
		}
		switch {
		case q.isTogether():
			r = r.partOf(s)
		case s.isFlow():
			r = r.sideOnly(s.side)
		}
		list = append(list, weighed{s, r})
	}
	return directed(list), true
}

// directed gives subjects the side that their money went on, where nobody has said which and it is one only.
func directed(list []weighed) []weighed {
	usual := expenseSide
	if slices.ContainsFunc(list, func(w weighed) bool { return !w.Income.IsZero() && w.Expenses.IsZero() }) {
		usual = incomeSide
	}
	for i, w := range list {
		switch {
		case w.side != "":
		case w.Income.IsZero() && w.Expenses.IsZero():
			list[i].side = usual
		case w.Income.IsZero():
			list[i].side = expenseSide
		case w.Expenses.IsZero():
			list[i].side = incomeSide
		}
	}
	return list
}

// partOf adds up what parts a subject has; the sub-categories of a category are parts of it.
func (r found) partOf(s subject) found {
	of := found{Currency: r.Currency}
	for _, p := range r.parts() {
		if slices.ContainsFunc(s.things, func(k thing) bool { return p.isOf(k) }) {
			of.Income, of.Expenses = of.Income.Add(p.Income), of.Expenses.Add(p.Expenses)
		}
	}
	return of.sums()
}

func (p sumPart) isOf(k thing) bool {
	name := ledger.Fold(tools.ClipText(k.name, 100))
	return ledger.Fold(p.Name) == name || k.kind == categoryKind && p.Parent != "" && ledger.Fold(p.Parent) == name
}

// rest says what all subjects are narrowed to.
func (q question) rest() string {
	q.filter = maps.Clone(q.filter)
	delete(q.filter, q.versus)
	return q.scope()
}

// scopeOf says what a subject is: ` on "Groceries"`.
func (q question) scopeOf(w weighed) string {
	if w.isFlow() {
		return " in all"
	}
	return question{topic: q.topic, side: w.side, filter: map[kind][]string{q.versus: w.called()}}.scope()
}

// sentence is the comparison of two subjects.
func (q question) sentence(a, b weighed) string {
	first, second := q.figure(a), moneyText(b.amount(), b.Currency)+q.scopeOf(b)
	if a.side != b.side {
		second = q.figure(b)
	}
	if len(q.spans) > 1 {
		return fmt.Sprintf("You %s%s %s, and %s %s: %s.", first, q.rest(), during(a.span), second, during(b.span), q.verdict(a, b))
	}
	if len(a.called())+len(b.called()) > 2 {
		first += ","
	}
	return fmt.Sprintf("You %s and %s%s%s: %s.", first, second, q.rest(), q.days(), q.verdict(a, b))
}

// figure is what a subject has, in a sentence that begins with "You".
func (q question) figure(w weighed) string {
	return question{parsed: q.parsed, side: w.side}.amounts(w.found) + q.scopeOf(w)
}

// verdict says which of two is more.
func (q question) verdict(a, b weighed) string {
	d := a.amount().Sub(b.amount())
	switch {
	case d.IsZero():
		return "the same"
	case a.side != b.side && (a.side == incomeSide) == d.IsPositive():
		return moneyText(d.Abs(), a.Currency) + " more in than out"
	case a.side != b.side:
		return moneyText(d.Abs(), a.Currency) + " more out than in"
	case d.IsNegative():
		a = b
	}
	return moneyText(d.Abs(), a.Currency) + " more" + q.scopeOf(a)
}

// ranking lists three subjects or more, the largest first; where one call gave them, with what they are together.
func (q question) ranking(list []weighed, results []found) []string {
	q.side = list[0].side
	slices.SortStableFunc(list, func(a, b weighed) int { return b.amount().Cmp(a.amount()) })
	var rows []string
	for _, w := range list {
		rows = append(rows, q.label(w)+": "+moneyText(w.amount(), w.Currency))
	}
	rows = bulleted(rows, len(rows), 0)
	if q.isTogether() {
		whole := fmt.Sprintf("You %s%s %s.", q.amounts(results[0].sums()), q.scope(), during(q.spans[0]))
		return slices.Concat([]string{whole}, ahead(list[0], list[1]), rows)
	}
	head := "What you " + didWith(q.side) + q.rest() + q.days() + ":"
	return slices.Concat([]string{head}, rows, ahead(list[0], list[1]))
}

// ahead says by how much the first of several is more than the second.
func ahead(first, second weighed) []string {
	d := "the same as"
	switch more := first.amount().Sub(second.amount()); {
	case first.amount().IsZero():
		return nil
	case !more.IsZero():
		d = moneyText(more, first.Currency) + " more than"
	}
	return []string{fmt.Sprintf("%s comes first with %s, %s %s.", first.inWords(), moneyText(first.amount(), first.Currency), d, second.inWords())}
}

// days are those of all subjects, with a blank before them; none where each has its own.
func (q question) days() string {
	if len(q.spans) > 1 {
		return ""
	}
	return " " + during(q.spans[0])
}

// label names a subject in a list, with its days where each has its own.
func (q question) label(w weighed) string {
	if len(q.spans) > 1 {
		return w.inWords() + " " + during(w.span)
	}
	return w.inWords()
}

// bothWays lists what came in and went out.
func (q question) bothWays(list []weighed) []string {
	q.side = ""
	lines := []string{fmt.Sprintf("What you received and spent%s%s:", q.rest(), q.days())}
	for _, w := range list {
		lines = append(lines, fmt.Sprintf("- %s: %s", q.label(w), q.short(w.total(), w.Currency)))
	}
	if a, b := list[0], list[1]; len(list) == 2 {
		lines = append(lines, fmt.Sprintf("The first is %s in and %s out.", difference(a.Income, b.Income, a.Currency), difference(a.Expenses, b.Expenses, a.Currency)))
	}
	return lines
}

// averages says what a month has of each on average.
func (q question) averages(list []weighed) (lines []string) {
	for i, w := range list {
		lines = append(lines, q.only(w.subject).average(w.found, w.span))
		part := q.each(w.found, w.span)
		list[i].Income, list[i].Expenses = part.Income, part.Expenses
	}
	if a, b := list[0], list[1]; len(list) == 2 && a.side != "" && b.side != "" {
		lines = append(lines, "That is "+strings.Replace(q.verdict(a, b), " more", fmt.Sprintf(" a %s more", q.rate.of()), 1)+".")
	}
	return lines
}

// overlaps says what counts for more than one of the subjects of the same days.
func (q question) overlaps(list []weighed, results []found) (lines []string) {
	for i, a := range list {
		for n, b := range list {
			for _, k := range a.things {
				if i != n && a.span == b.span && isPart(k, a, b) {
					lines = append(lines, fmt.Sprintf("%s is part of %s, and counts for both.", ledger.Quote(k.name), b.inWords()))
				}
			}
		}
	}
	if len(lines) == 0 && q.versus == tagKind && q.isTogether() && !addUp(list, results[0].sums()) {
		lines = append(lines, "What has several of these tags counts for each of them.")
	}
	return lines
}

// isPart says whether one of the things of a subject is part of another subject: a sub-category, or one of several things.
func isPart(k thing, of, other weighed) bool {
	if of.isFlow() || other.isFlow() {
		return !of.isFlow() && of.side == other.side
	}
	return k.parent != "" && other.has(thing{name: k.parent}) || len(other.called()) > 1 && !slices.Equal(of.called(), other.called()) && other.has(k)
}

// addUp says whether subjects are the whole: transactions with several tags belong to each.
func addUp(list []weighed, whole found) bool {
	in, out := decimal.Zero, decimal.Zero
	for _, w := range list {
		in, out = in.Add(w.Income), out.Add(w.Expenses)
	}
	return in.Equal(whole.Income) && out.Equal(whole.Expenses)
}

// answerHowManyEach counts the transactions of each subject.
func (q question) answerHowManyEach(results []found) (lines []string) {
	for i, s := range q.subjects {
		lines = append(lines, q.only(s).answerHowMany(results[i:i+1])...)
	}
	if len(results) != 2 {
		return lines
	}
	d, more := results[0].howMany()-results[1].howMany(), q.subjects[0]
	switch {
	case d == 0:
		return append(lines, "That is the same number.")
	case d < 0:
		d, more = -d, q.subjects[1]
	}
	return append(lines, fmt.Sprintf("That is %s more%s.", grouped(decimal.NewFromInt(d)), q.scopeOf(weighed{subject: more})))
}

// cannotCompare says that amounts which are left out might turn a comparison round, and asks for one subject at a time.
func (q question) cannotCompare(results []found) string {
	var left, large, examples []string
	for _, r := range results {
		left, large = append(left, gapTexts(r.LeftOut, nil)...), append(large, gapTexts(r.TooLarge, nil)...)
	}
	for _, s := range q.subjects {
		verb := map[string]string{expenseSide: "spend", incomeSide: "receive"}[s.side]
		if verb == "" {
			verb = "receive and spend"
		}
		examples = append(examples, fmt.Sprintf("How much did I %s%s from %s to %s?", verb, q.scopeOf(weighed{subject: s}), s.span.first, s.span.last))
	}
	examples = append(examples, "What is my net worth?")
	slices.Sort(left)
	why := "there is no exchange rate at all for " + listed(slices.Compact(left))
	if len(left) == 0 {
		why = "they are too large to be counted without " + listed(large)
	}
	return withExamples("I cannot compare them: "+why+".", examples[:3])
}

// accountsCompared says which of two accounts has more, where both have or both owe, and in one currency.
func (q question) accountsCompared(all []listedAccount) []string {
	list := q.accountsOf(all)
	if len(list) != 2 || len(q.subjects) != 2 {
		return nil
	}
	a, b, more, in := list[0], list[1], "more in", "in"
	if a.Balance.Cmp(b.Balance) < 0 {
		a, b = b, a
	}
	switch {
	case a.Currency != b.Currency:
		return []string{fmt.Sprintf("I cannot say which is more: one is in %s, the other in %s.", list[0].Currency, list[1].Currency)}
	case a.Classification != b.Classification:
		return []string{"Of these, one is what you have and the other what you owe."}
	case a.Balance.Equal(b.Balance):
		return []string{"That is the same."}
	case a.Classification == ledger.Liability:
		more, in = "more owed on", "on"
	}
	return []string{fmt.Sprintf("That is %s %s %s than %s %s.", moneyText(a.Balance.Sub(b.Balance), a.Currency), more, ledger.Quote(a.Name), in, ledger.Quote(b.Name))}
}

// accountsOf are the accounts that subjects are, with what they are by their types.
func (q question) accountsOf(all []listedAccount) (list []listedAccount) {
	for _, s := range q.subjects {
		isIt := func(a listedAccount) bool { return s.has(thing{name: a.Name}) }
		if at := slices.IndexFunc(all, isIt); at >= 0 && len(s.called()) == 1 {
			name, _, _ := strings.Cut(s.things[0].types, " ")
			kind, _ := ledger.LookupAccountType(name)
			all[at].Classification = kind.Classification
			list = append(list, all[at])
		}
	}
	return list
}
