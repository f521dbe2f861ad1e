package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/intent"
	"finsvc/assistant/engine/parse"
	"finsvc/assistant/engine/prose"
	"finsvc/ledger"
)

// answerSums says what was spent and earned.
func answerSums(q intent.Question, results []figures) []string {
	for i, r := range results {
		if r.Totals != "" {
			return []string{fmt.Sprintf("Those are %s %s, too many to be added up at once. Ask for fewer days.",
				prose.Counted(r.TotalResults, "transaction"), prose.During(q.Spans[min(i, len(q.Spans)-1)]))}
		}
	}
	if isCut(q, results) {
		return []string{tooMuch}
	}
	if q.Search != "" && !slices.ContainsFunc(results, func(r figures) bool { return r.TotalResults > 0 }) {
		return nil // the remark says that there is nothing
	}
	if len(q.Subjects) > 0 {
		return answerSubjects(q, results)
	}
	if len(results) > 1 {
		return append(answerCompared(q, results), partsCompared(q, results)...)
	}
	r, s := results[0].sums(), q.Spans[0]
	if q.Says(parse.Average) {
		return []string{average(q, r, s)}
	}
	// what comes first is asked for, and not the whole
	if q.Group != "" && q.Says(parse.Largest|parse.Most|parse.Often) {
		return ranked(q, r)
	}
	lines := []string{fmt.Sprintf("You %s%s %s.", amounts(q, r), scope(q), prose.During(s))}
	if q.IsBothWays() && q.Says(parse.More|parse.Compare) && !r.isPartial() {
		in, out := subjectFigures{intent.Subject{Side: household.Income}, r},
			subjectFigures{intent.Subject{Side: household.Expense}, r}
		lines = append(lines, fmt.Sprintf("That is %s.", whichIsMore(q, in, out)))
	}
	return append(lines, partLines(q, r)...)
}

// ranked says what comes first, and what comes after it: by amount, or by the number of transactions where it is
// asked how often.
func ranked(q intent.Question, r figures) []string {
	parts := largestFirst(r.parts(), q.Side)
	value := func(p sumPart) string { return short(q, p, r.Currency) }
	all := fmt.Sprintf("the %s that you %s%s %s", short(q, r.total(), r.Currency),
		cmp.Or(didWith(q.Side), "received and spent"), scope(q), prose.During(q.Spans[0]))
	if q.Says(parse.Often) {
		slices.SortStableFunc(parts, func(a, b sumPart) int { return cmp.Compare(b.Count, a.Count) })
		value = func(p sumPart) string { return prose.Counted(p.Count, "time") + ", " + short(q, p, r.Currency) }
	}
	at := slices.IndexFunc(parts, func(p sumPart) bool { return p.Name != "no "+q.Group })
	if at < 0 {
		return []string{fmt.Sprintf("Nothing comes first: there is no %s with a %s%s %s.", entry(q), q.Group,
			scope(q), prose.During(q.Spans[0]))}
	}
	first := parts[at]
	lines := []string{fmt.Sprintf("%s comes first with %s, of %s.", partName(q, first), value(first), all)}
	isEqual := func(p sumPart) bool {
		return p.Name != "no "+q.Group && p.Name+p.Month != first.Name+first.Month && value(p) == value(first)
	}
	again := slices.IndexFunc(parts, isEqual)
	if again >= 0 {
		lines = append(lines, fmt.Sprintf("%s has as much.", partName(q, parts[again])))
	}
	var rows []string
	for _, p := range parts {
		rows = append(rows, fmt.Sprintf("%s: %s", partName(q, p), value(p)))
	}
	cut := r.inAll("by_"+q.Group, len(r.parts())) - int64(len(r.parts()))
	if q.Says(parse.Often) {
		lines = append(lines, "A payment that is split counts once for each of its parts.")
	}
	return append(lines, bulleted(rows, cmp.Or(q.Limit, usualRows), cut)...)
}

// isCut reports whether parts are missing that are put side by side or added up: they are not nothing.
func isCut(q intent.Question, results []figures) bool {
	return (len(results) > 1 || q.Rate.IsOfMonths()) && q.Group != "" &&
		slices.ContainsFunc(results, func(r figures) bool {
			return strings.Contains(r.Cut, "by_"+q.Group+":")
		})
}

// didWith is what was done with the money of a side.
func didWith(side string) string {
	return map[string]string{household.Expense: "spent", household.Income: "received"}[side]
}

// amounts are the figures of the side that is asked for, in a sentence that begins with "You".
func amounts(q intent.Question, r figures) string {
	spent, received := "spent "+prose.Money(r.Expenses, r.Currency), "received "+prose.Money(r.Income, r.Currency)
	switch {
	case q.Side == household.Expense:
		return spent
	case q.Side == household.Income:
		return received
	case q.Says(parse.Saved) && r.Net.IsNegative():
		return fmt.Sprintf("spent %s more than you received, %s out and %s in,", prose.Money(r.Net.Neg(), r.Currency),
			prose.Money(r.Expenses, r.Currency), prose.Money(r.Income, r.Currency))
	case q.Says(parse.Saved):
		return fmt.Sprintf("kept %s, %s in less %s out,", prose.Money(r.Net, r.Currency),
			prose.Money(r.Income, r.Currency), prose.Money(r.Expenses, r.Currency))
	case r.Income.IsZero() && !q.IsBothWays():
		return spent
	case r.Expenses.IsZero() && !q.IsBothWays():
		return received
	}
	return received + " and " + spent
}

// short are the figures of the side that is asked for, in a list.
func short(q intent.Question, p sumPart, currency string) string {
	switch q.Side {
	case household.Expense:
		return prose.Money(p.Expenses, currency)
	case household.Income:
		return prose.Money(p.Income, currency)
	}
	return fmt.Sprintf("%s in, %s out, %s net", prose.Money(p.Income, currency), prose.Money(p.Expenses, currency),
		prose.Money(p.of(""), currency))
}

// partLines are the parts of a sum, the largest first but for months.
func partLines(q intent.Question, r figures) (lines []string) {
	if q.Group == "" {
		return nil
	}
	parts := r.parts()
	cut := r.inAll("by_"+q.Group, len(parts)) - int64(len(parts))
	most := intent.MaxMonths
	if q.Group != "month" {
		parts, most = largestFirst(parts, q.Side), usualRows
	}
	if q.Says(parse.Compare|parse.More) && len(parts) == 2 && q.Side != "" {
		lines = append(lines, fmt.Sprintf("%s is %s than %s.", partName(q, parts[0]),
			prose.Difference(parts[0].of(q.Side), parts[1].of(q.Side), r.Currency), partName(q, parts[1])))
	}
	var rows []string
	for _, p := range parts {
		rows = append(rows, fmt.Sprintf("%s: %s", partName(q, p), short(q, p, r.Currency)))
	}
	return append(lines, bulleted(rows, cmp.Or(q.Limit, most), cut)...)
}

func partName(q intent.Question, p sumPart) string {
	switch {
	case q.Group == "month":
		return p.Month
	case p.Name == "no "+q.Group:
		return p.Name
	}
	return ledger.Quote(p.Name)
}

// answerCompared puts the sums of several spans side by side. With two of them it says the difference.
func answerCompared(q intent.Question, results []figures) (lines []string) {
	a, b := results[0].sums(), results[1].sums()
	if q.Says(parse.Average) {
		return averagesCompared(q, results)
	}
	if len(results) == 2 && q.Side != "" {
		amount := func(r figures) decimal.Decimal { return r.total().of(q.Side) }
		lines = append(lines, fmt.Sprintf("You %s%s %s, and %s %s: %s.", amounts(q, a), scope(q),
			prose.During(q.Spans[0]),
			prose.Money(amount(b), b.Currency), prose.During(q.Spans[1]), prose.Difference(amount(a), amount(b),
				a.Currency)))
		return lines
	}
	lines = append(lines, fmt.Sprintf("What you received and spent%s:", scope(q)))
	if q.Side != "" {
		lines[0] = fmt.Sprintf("What you %s%s:", didWith(q.Side), scope(q))
	}
	for i, r := range results {
		r = r.sums()
		lines = append(lines, fmt.Sprintf("- %s: %s", q.Spans[i], short(q, r.total(), r.Currency)))
	}
	if len(results) == 2 {
		lines = append(lines, fmt.Sprintf("The first is %s in and %s out.",
			prose.Difference(a.Income, b.Income, a.Currency), prose.Difference(a.Expenses, b.Expenses, a.Currency)))
	}
	if len(results) == 2 && q.Says(parse.Saved) {
		lines = append(lines, fmt.Sprintf("What is left of it is %s.", prose.Difference(a.Net, b.Net, a.Currency)))
	}
	return lines
}

// partsCompared puts the parts of two spans side by side, the largest of the first span first.
func partsCompared(q intent.Question, results []figures) (lines []string) {
	switch q.Group {
	case "":
		return nil
	case "month":
		return monthsCompared(q, results)
	}
	first, second := largestFirst(results[0].parts(), q.Side), largestFirst(results[1].parts(), q.Side)
	named := func(parts []sumPart, name string) sumPart {
		at := slices.IndexFunc(parts, func(p sumPart) bool { return p.Name == name })
		if at < 0 {
			return sumPart{Name: name}
		}
		return parts[at]
	}
	for _, p := range second {
		if named(first, p.Name).of(q.Side).IsZero() {
			first = append(first, sumPart{Name: p.Name})
		}
	}
	for _, p := range first {
		lines = append(lines, fmt.Sprintf("%s: %s, and %s", partName(q, p), short(q, p, results[0].Currency),
			short(q, named(second, p.Name), results[1].Currency)))
	}
	return bulleted(lines, cmp.Or(q.Limit, usualRows), 0)
}
