package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
)

// answerSums says what was spent and earned.
func (q question) answerSums(results []found) []string {
	for i, r := range results {
		if r.Totals != "" {
			return []string{fmt.Sprintf("Those are %s %s, too many to be added up at once. Ask for fewer days.", counted(r.TotalResults, "transaction"), during(q.spans[min(i, len(q.spans)-1)]))}
		}
	}
	if q.isCut(results) {
		return []string{tooMuch}
	}
	if q.search != "" && !slices.ContainsFunc(results, func(r found) bool { return r.TotalResults > 0 }) {
		return nil // the remark says that there is nothing
	}
	if len(q.subjects) > 0 {
		return q.answerSubjects(results)
	}
	if len(results) > 1 {
		return append(q.answerCompared(results), q.partsCompared(results)...)
	}
	r, s := results[0].sums(), q.spans[0]
	if q.says(saysAverage) {
		return []string{q.average(r, s)}
	}
	if q.isRanking() {
		return q.ranked(r)
	}
	lines := []string{fmt.Sprintf("You %s%s %s.", q.amounts(r), q.scope(), during(s))}
	if q.isBothWays() && q.says(saysMore|saysCompare) && !r.isPartial() {
		in, out := weighed{subject{side: incomeSide}, r}, weighed{subject{side: expenseSide}, r}
		lines = append(lines, fmt.Sprintf("That is %s.", q.verdict(in, out)))
	}
	return append(lines, q.partLines(r)...)
}

// isRanking says whether it is asked what comes first, and not what all of it comes to.
func (q question) isRanking() bool {
	return q.topic == sums && q.group != "" && (q.says(saysLargest|saysMost) || q.says(saysOften))
}

// ranked says what comes first, and what comes after it: by amount, or by the number of transactions where it is asked how often.
func (q question) ranked(r found) []string {
	parts := largestFirst(r.parts(), q.side)
	value := func(p sumPart) string { return q.short(p, r.Currency) }
	all := fmt.Sprintf("the %s that you %s%s %s", q.short(r.total(), r.Currency), cmp.Or(didWith(q.side), "received and spent"), q.scope(), during(q.spans[0]))
	if q.says(saysOften) {
		slices.SortStableFunc(parts, func(a, b sumPart) int { return cmp.Compare(b.Count, a.Count) })
		value = func(p sumPart) string { return counted(p.Count, "time") + ", " + q.short(p, r.Currency) }
	}
	at := slices.IndexFunc(parts, func(p sumPart) bool { return p.Name != "no "+q.group })
	if at < 0 {
		return []string{fmt.Sprintf("Nothing comes first: there is no %s with a %s%s %s.", q.entry(), q.group, q.scope(), during(q.spans[0]))}
	}
	first := parts[at]
	lines := []string{fmt.Sprintf("%s comes first with %s, of %s.", q.partName(first), value(first), all)}
	isEqual := func(p sumPart) bool {
		return p.Name != "no "+q.group && p.Name+p.Month != first.Name+first.Month && value(p) == value(first)
	}
	if again := slices.IndexFunc(parts, isEqual); again >= 0 {
		lines = append(lines, fmt.Sprintf("%s has as much.", q.partName(parts[again])))
	}
	var rows []string
	for _, p := range parts {
		rows = append(rows, fmt.Sprintf("%s: %s", q.partName(p), value(p)))
	}
	cut := r.inAll("by_"+q.group, len(r.parts())) - int64(len(r.parts()))
	if q.says(saysOften) {
		lines = append(lines, "A payment that is split counts once for each of its parts.")
	}
	return append(lines, bulleted(rows, cmp.Or(q.limit, usualRows), cut)...)
}

// isBothWays says whether what came in and what went out are both asked for.
func (q question) isBothWays() bool { return q.says(saysIncome) && q.says(saysSpending) }

// isCut says whether parts are missing that are put side by side or added up: they are not nothing.
func (q question) isCut(results []found) bool {
	return (len(results) > 1 || q.rate.isFolded()) && q.group != "" && slices.ContainsFunc(results, func(r found) bool {
		return strings.Contains(r.Cut, "by_"+q.group+":")
	})
}

// didWith is what was done with the money of a side.
func didWith(side string) string {
	return map[string]string{expenseSide: "spent", incomeSide: "received"}[side]
}

// sums are the totals, wherever a tool has put them.
func (r found) sums() found {
	if r.Transactions != nil {
		r.Income, r.Expenses = r.TotalIncome, r.TotalExpenses
	}
	r.Net = r.Income.Sub(r.Expenses)
	return r
}

// total is the whole as a part.
func (r found) total() sumPart { return sumPart{Income: r.Income, Expenses: r.Expenses} }

// amounts are the figures of the side that is asked for, in a sentence that begins with "You".
func (q question) amounts(r found) string {
	spent, received := "spent "+moneyText(r.Expenses, r.Currency), "received "+moneyText(r.Income, r.Currency)
	switch {
	case q.side == expenseSide:
		return spent
	case q.side == incomeSide:
		return received
	case q.says(saysSaved) && r.Net.IsNegative():
		return fmt.Sprintf("spent %s more than you received, %s out and %s in,", moneyText(r.Net.Neg(), r.Currency), moneyText(r.Expenses, r.Currency), moneyText(r.Income, r.Currency))
	case q.says(saysSaved):
		return fmt.Sprintf("kept %s, %s in less %s out,", moneyText(r.Net, r.Currency), moneyText(r.Income, r.Currency), moneyText(r.Expenses, r.Currency))
	case r.Income.IsZero() && !q.isBothWays():
		return spent
	case r.Expenses.IsZero() && !q.isBothWays():
		return received
	}
	return received + " and " + spent
}

// short are the figures of the side that is asked for, in a list.
func (q question) short(p sumPart, currency string) string {
	switch q.side {
	case expenseSide:
		return moneyText(p.Expenses, currency)
	case incomeSide:
		return moneyText(p.Income, currency)
	}
	return fmt.Sprintf("%s in, %s out, %s net", moneyText(p.Income, currency), moneyText(p.Expenses, currency), moneyText(p.of(""), currency))
}

// partLines are the parts of a sum, the largest first but for months.
func (q question) partLines(r found) (lines []string) {
	if q.group == "" {
		return nil
	}
	parts := r.parts()
	cut := r.inAll("by_"+q.group, len(parts)) - int64(len(parts))
	most := maxMonths
	if q.group != "month" {
		parts, most = largestFirst(parts, q.side), usualRows
	}
	if q.says(saysCompare|saysMore) && len(parts) == 2 && q.side != "" {
		lines = append(lines, fmt.Sprintf("%s is %s than %s.", q.partName(parts[0]), difference(parts[0].of(q.side), parts[1].of(q.side), r.Currency), q.partName(parts[1])))
	}
	var rows []string
	for _, p := range parts {
		rows = append(rows, fmt.Sprintf("%s: %s", q.partName(p), q.short(p, r.Currency)))
	}
	return append(lines, bulleted(rows, cmp.Or(q.limit, most), cut)...)
}

// maxMonths is how many months are listed.
const maxMonths = 36

func (q question) partName(p sumPart) string {
	switch {
	case q.group == "month":
		return p.Month
	case p.Name == "no "+q.group:
		return p.Name
	}
	return ledger.Quote(p.Name)
}

// answerCompared puts the sums of several spans side by side. With two of them it says the difference.
func (q question) answerCompared(results []found) (lines []string) {
	a, b := results[0].sums(), results[1].sums()
	if q.says(saysAverage) {
		return q.averagesCompared(results)
	}
	if len(results) == 2 && q.side != "" {
		amount := func(r found) decimal.Decimal { return r.total().of(q.side) }
		lines = append(lines, fmt.Sprintf("You %s%s %s, and %s %s: %s.", q.amounts(a), q.scope(), during(q.spans[0]),
			moneyText(amount(b), b.Currency), during(q.spans[1]), difference(amount(a), amount(b), a.Currency)))
		return lines
	}
	lines = append(lines, fmt.Sprintf("What you received and spent%s:", q.scope()))
	if q.side != "" {
		lines[0] = fmt.Sprintf("What you %s%s:", didWith(q.side), q.scope())
	}
	for i, r := range results {
		r = r.sums()
		lines = append(lines, fmt.Sprintf("- %s: %s", q.spans[i], q.short(r.total(), r.Currency)))
	}
	if len(results) == 2 {
		lines = append(lines, fmt.Sprintf("The first is %s in and %s out.", difference(a.Income, b.Income, a.Currency), difference(a.Expenses, b.Expenses, a.Currency)))
	}
	if len(results) == 2 && q.says(saysSaved) {
		lines = append(lines, fmt.Sprintf("What is left of it is %s.", difference(a.Net, b.Net, a.Currency)))
	}
	return lines
}

// partsCompared puts the parts of two spans side by side, the largest of the first span first.
func (q question) partsCompared(results []found) (lines []string) {
	switch q.group {
	case "":
		return nil
	case "month":
		return q.monthsCompared(results)
	}
	first, second := largestFirst(results[0].parts(), q.side), largestFirst(results[1].parts(), q.side)
	named := func(parts []sumPart, name string) sumPart {
		at := slices.IndexFunc(parts, func(p sumPart) bool { return p.Name == name })
		if at < 0 {
			return sumPart{Name: name}
		}
		return parts[at]
	}
	for _, p := range second {
		if named(first, p.Name).of(q.side).IsZero() {
			first = append(first, sumPart{Name: p.Name})
		}
	}
	for _, p := range first {
		lines = append(lines, fmt.Sprintf("%s: %s, and %s", q.partName(p), q.short(p, results[0].Currency), q.short(named(second, p.Name), results[1].Currency)))
	}
	return bulleted(lines, cmp.Or(q.limit, usualRows), 0)
}
