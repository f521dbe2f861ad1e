package answer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/intent"
	"finsvc/assistant/engine/parse"
	"finsvc/assistant/engine/prose"
	"finsvc/ledger"
)

// subjectFigures is a subject with its figures.
type subjectFigures struct {
	intent.Subject
	figures
}

func (w subjectFigures) amount() decimal.Decimal { return w.total().of(w.Side) }

// answerSubjects puts the sums of several subjects side by side: two in a sentence, more in a list, the largest first.
func answerSubjects(q intent.Question, results []figures) []string {
	list, complete := figuresOfSubjects(q, results)
	if !complete {
		return []string{tooMuch}
	}
	sides := map[string]bool{}
	for _, w := range list {
		sides[w.Side] = true
	}
	var lines []string
	switch {
	case q.Says(parse.Average):
		lines = averages(q, list)
	case sides[""] || len(sides) > 1 && len(list) > 2:
		lines = bothWays(q, list)
	case len(list) == 2:
		lines = []string{sentence(q, list[0], list[1])}
	default:
		lines = ranking(q, list, results)
	}
	return slices.Concat(lines, monthly(q, list), overlaps(q, list, results))
}

// figuresOfSubjects finds the figures of each subject; false when there was no room for all of them.
func figuresOfSubjects(q intent.Question, results []figures) (list []subjectFigures, complete bool) {
	for i, s := range q.Subjects {
		r := results[min(i, len(results)-1)].sums()
		if strings.Contains(r.Cut, "by_"+q.Group+":") {
			return nil, false
		}
		switch {
		case q.IsTogether():
			r = r.partOf(s)
		case s.IsFlow():
			r = r.sideOnly(s.Side)
		}
		list = append(list, subjectFigures{s, r})
	}
	return directed(list), true
}

// directed gives subjects the side that their money went on, where the question does not say which and it is one only.
func directed(list []subjectFigures) []subjectFigures {
	usual := household.Expense
	if slices.ContainsFunc(list, func(w subjectFigures) bool { return !w.Income.IsZero() && w.Expenses.IsZero() }) {
		usual = household.Income
	}
	for i, w := range list {
		switch {
		case w.Side != "":
		case w.Income.IsZero() && w.Expenses.IsZero():
			list[i].Side = usual
		case w.Income.IsZero():
			list[i].Side = household.Expense
		case w.Expenses.IsZero():
			list[i].Side = household.Income
		}
	}
	return list
}

// rest says what all subjects are narrowed to.
func rest(q intent.Question) string {
	q.Filter = maps.Clone(q.Filter)
	delete(q.Filter, q.Versus)
	return scope(q)
}

// scopeOf says what a subject is: ` on "Groceries"`.
func scopeOf(q intent.Question, w subjectFigures) string {
	if w.IsFlow() {
		return " in all"
	}
	return scope(intent.Question{Topic: q.Topic, Side: w.Side,
		Filter: map[household.Kind][]string{q.Versus: w.Called()}})
}

// sentence is the comparison of two subjects.
func sentence(q intent.Question, a, b subjectFigures) string {
	first, second := figure(q, a), prose.Money(b.amount(), b.Currency)+scopeOf(q, b)
	if a.Side != b.Side {
		second = figure(q, b)
	}
	if len(q.Spans) > 1 {
		return fmt.Sprintf("You %s%s %s, and %s %s: %s.", first, rest(q), prose.During(a.Span), second,
			prose.During(b.Span), whichIsMore(q, a, b))
	}
	if len(a.Called())+len(b.Called()) > 2 {
		first += ","
	}
	return fmt.Sprintf("You %s and %s%s%s: %s.", first, second, rest(q), days(q), whichIsMore(q, a, b))
}

// figure is what a subject has, in a sentence that begins with "You".
func figure(q intent.Question, w subjectFigures) string {
	return amounts(intent.Question{Parsed: q.Parsed, Side: w.Side}, w.figures) + scopeOf(q, w)
}

// whichIsMore says which of two is more.
func whichIsMore(q intent.Question, a, b subjectFigures) string {
	d := a.amount().Sub(b.amount())
	switch {
	case d.IsZero():
		return "the same"
	case a.Side != b.Side && (a.Side == household.Income) == d.IsPositive():
		return prose.Money(d.Abs(), a.Currency) + " more in than out"
	case a.Side != b.Side:
		return prose.Money(d.Abs(), a.Currency) + " more out than in"
	case d.IsNegative():
		a = b
	}
	return prose.Money(d.Abs(), a.Currency) + " more" + scopeOf(q, a)
}

// ranking lists three subjects or more, the largest first; where one call gave them, with what they are together.
func ranking(q intent.Question, list []subjectFigures, results []figures) []string {
	q.Side = list[0].Side
	slices.SortStableFunc(list, func(a, b subjectFigures) int { return b.amount().Cmp(a.amount()) })
	var rows []string
	for _, w := range list {
		rows = append(rows, label(q, w)+": "+prose.Money(w.amount(), w.Currency))
	}
	rows = bulleted(rows, len(rows), 0)
	if q.IsTogether() {
		whole := fmt.Sprintf("You %s%s %s.", amounts(q, results[0].sums()), scope(q), prose.During(q.Spans[0]))
		return slices.Concat([]string{whole}, ahead(list[0], list[1]), rows)
	}
	head := "What you " + didWith(q.Side) + rest(q) + days(q) + ":"
	return slices.Concat([]string{head}, rows, ahead(list[0], list[1]))
}

// ahead says by how much the first of several is more than the second.
func ahead(first, second subjectFigures) []string {
	d := "the same as"
	more := first.amount().Sub(second.amount())
	switch {
	case first.amount().IsZero():
		return nil
	case !more.IsZero():
		d = prose.Money(more, first.Currency) + " more than"
	}
	return []string{fmt.Sprintf("%s comes first with %s, %s %s.", first.InWords(),
		prose.Money(first.amount(), first.Currency), d, second.InWords())}
}

// days are those of all subjects, with a blank before them; none where each has its own.
func days(q intent.Question) string {
	if len(q.Spans) > 1 {
		return ""
	}
	return " " + prose.During(q.Spans[0])
}

// label names a subject in a list, with its days where each has its own.
func label(q intent.Question, w subjectFigures) string {
	if len(q.Spans) > 1 {
		return w.InWords() + " " + prose.During(w.Span)
	}
	return w.InWords()
}

// bothWays lists what came in and went out.
func bothWays(q intent.Question, list []subjectFigures) []string {
	q.Side = ""
	lines := []string{fmt.Sprintf("What you received and spent%s%s:", rest(q), days(q))}
	for _, w := range list {
		lines = append(lines, fmt.Sprintf("- %s: %s", label(q, w), short(q, w.total(), w.Currency)))
	}
	a, b := list[0], list[1]
	if len(list) == 2 {
		lines = append(lines, fmt.Sprintf("The first is %s in and %s out.",
			prose.Difference(a.Income, b.Income, a.Currency), prose.Difference(a.Expenses, b.Expenses, a.Currency)))
	}
	return lines
}

// averages says what a month has of each on average.
func averages(q intent.Question, list []subjectFigures) (lines []string) {
	for i, w := range list {
		lines = append(lines, average(q.Only(w.Subject), w.figures, w.Span))
		part := each(q, w.figures, w.Span)
		list[i].Income, list[i].Expenses = part.Income, part.Expenses
	}
	a, b := list[0], list[1]
	if len(list) == 2 && a.Side != "" && b.Side != "" {
		lines = append(lines, "That is "+strings.Replace(whichIsMore(q, a, b), " more",
			fmt.Sprintf(" a %s more", q.Rate.Of()), 1)+".")
	}
	return lines
}

// overlaps says what counts for more than one of the subjects of the same days.
func overlaps(q intent.Question, list []subjectFigures, results []figures) (lines []string) {
	for i, a := range list {
		for n, b := range list {
			for _, k := range a.Items {
				if i != n && a.Span == b.Span && isPart(k, a, b) {
					lines = append(lines, fmt.Sprintf("%s is part of %s, and counts for both.", ledger.Quote(k.Name),
						b.InWords()))
				}
			}
		}
	}
	if len(lines) == 0 && q.Versus == household.TagKind && q.IsTogether() && !addUp(list, results[0].sums()) {
		lines = append(lines, "What has several of these tags counts for each of them.")
	}
	return lines
}

// isPart reports whether one of the things of a subject is part of another subject: a sub-category, or one of several
// things.
func isPart(k household.Item, of, other subjectFigures) bool {
	if of.IsFlow() || other.IsFlow() {
		return !of.IsFlow() && of.Side == other.Side
	}
	return k.Parent != "" && other.Has(household.Item{Name: k.Parent}) ||
		len(other.Called()) > 1 && !slices.Equal(of.Called(), other.Called()) && other.Has(k)
}

// addUp reports whether subjects are the whole: transactions with several tags belong to each.
func addUp(list []subjectFigures, whole figures) bool {
	in, out := decimal.Zero, decimal.Zero
	for _, w := range list {
		in, out = in.Add(w.Income), out.Add(w.Expenses)
	}
	return in.Equal(whole.Income) && out.Equal(whole.Expenses)
}

// answerHowManyEach counts the transactions of each subject.
func answerHowManyEach(q intent.Question, results []figures) (lines []string) {
	for i, s := range q.Subjects {
		lines = append(lines, answerHowMany(q.Only(s), results[i:i+1])...)
	}
	if len(results) != 2 {
		return lines
	}
	d, more := results[0].howMany()-results[1].howMany(), q.Subjects[0]
	switch {
	case d == 0:
		return append(lines, "That is the same number.")
	case d < 0:
		d, more = -d, q.Subjects[1]
	}
	return append(lines, fmt.Sprintf("That is %s more%s.", prose.Grouped(decimal.NewFromInt(d)),
		scopeOf(q, subjectFigures{Subject: more})))
}

// cannotCompare says that amounts which are left out might turn a comparison round, and asks for one subject at a time.
func cannotCompare(q intent.Question, results []figures) string {
	var left, large, examples []string
	for _, r := range results {
		left, large = append(left, gapTexts(r.LeftOut, nil)...), append(large, gapTexts(r.TooLarge, nil)...)
	}
	for _, s := range q.Subjects {
		verb := map[string]string{household.Expense: "spend", household.Income: "receive"}[s.Side]
		if verb == "" {
			verb = "receive and spend"
		}
		examples = append(examples, fmt.Sprintf("How much did I %s%s from %s to %s?", verb,
			scopeOf(q, subjectFigures{Subject: s}), s.Span.First, s.Span.Last))
	}
	examples = append(examples, "What is my net worth?")
	slices.Sort(left)
	why := "there is no exchange rate at all for " + prose.Listed(slices.Compact(left))
	if len(left) == 0 {
		why = "they are too large to be counted without " + prose.Listed(large)
	}
	return withExamples("I cannot compare them: "+why+".", examples[:3])
}

// accountsCompared says which of two accounts has more, where both have or both owe, and in one currency.
func accountsCompared(q intent.Question, all []listedAccount) []string {
	list := accountsOf(q, all)
	if len(list) != 2 || len(q.Subjects) != 2 {
		return nil
	}
	a, b, more, in := list[0], list[1], "more in", "in"
	if a.Balance.Cmp(b.Balance) < 0 {
		a, b = b, a
	}
	switch {
	case a.Currency != b.Currency:
		return []string{fmt.Sprintf("I cannot say which is more: one is in %s, the other in %s.", list[0].Currency,
			list[1].Currency)}
	case a.Classification != b.Classification:
		return []string{"Of these, one is what you have and the other what you owe."}
	case a.Balance.Equal(b.Balance):
		return []string{"That is the same."}
	case a.Classification == ledger.Liability:
		more, in = "more owed on", "on"
	}
	return []string{fmt.Sprintf("That is %s %s %s than %s %s.", prose.Money(a.Balance.Sub(b.Balance), a.Currency),
		more, ledger.Quote(a.Name), in, ledger.Quote(b.Name))}
}

// accountsOf are the accounts that subjects are, with what they are by their types.
func accountsOf(q intent.Question, all []listedAccount) (list []listedAccount) {
	for _, s := range q.Subjects {
		isIt := func(a listedAccount) bool { return s.Has(household.Item{Name: a.Name}) }
		at := slices.IndexFunc(all, isIt)
		if at >= 0 && len(s.Called()) == 1 {
			name, _, _ := strings.Cut(s.Items[0].Types, " ")
			kind, _ := ledger.LookupAccountType(name)
			all[at].Classification = kind.Classification
			list = append(list, all[at])
		}
	}
	return list
}
