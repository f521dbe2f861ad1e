package answer

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/intent"
	"finsvc/assistant/engine/parse"
	"finsvc/assistant/engine/prose"
	"finsvc/ledger"
	"finsvc/ledger/calendar"
)

// shownFigure is the one figure of an answer, with what it is in a sentence.
func shownFigure(q intent.Question, results []figures) (amount decimal.Decimal, currency, text string) {
	r := results[0]
	switch q.Topic {
	case intent.HowMany:
		return decimal.NewFromInt(r.howMany()), "",
			prose.Counted(r.howMany(), entry(q)) + scope(q) + " " + prose.During(q.Spans[0])
	case intent.Balances:
		name := q.Filter[household.AccountKind][0]
		amount, currency = r.Total, r.Currency
		for _, a := range r.Accounts {
			if ledger.Fold(a.Name) == ledger.Fold(name) {
				amount, currency = a.Balance, a.Currency
			}
		}
		return amount, currency, prose.Money(amount, currency) + " in " + ledger.Quote(name) + " " +
			prose.During(q.Spans[0])
	case intent.NetWorth:
		return r.NetWorth, r.Currency, prose.Money(r.NetWorth, r.Currency) + " of net worth " + prose.During(q.Spans[0])
	case intent.Debts:
		return r.Liabilities, r.Currency, prose.Money(r.Liabilities,
			r.Currency) + " of debts " + prose.During(q.Spans[0])
	}
	part := r.sums().total()
	per := ""
	if q.Says(parse.Average) {
		part, per = each(q, r.sums(), q.Spans[0]), " a "+q.Rate.Of().String()
	}
	way := map[string]string{household.Expense: " spent", household.Income: " received", "": " kept"}[q.Side]
	return part.of(q.Side), r.Currency, prose.Money(part.of(q.Side), r.Currency) + way + per + scope(q) + " " +
		prose.During(q.Spans[0])
}

// answerPair says the difference between two figures.
func answerPair(q intent.Question, results []figures) []string {
	first, second := q.Pair[0], q.Pair[1]
	n := len(Calls(first))
	a, currency, textA := shownFigure(first, results[:n])
	b, other, textB := shownFigure(second, results[n:])
	if currency != other {
		return []string{fmt.Sprintf("I cannot say the difference, because one is in %s, the other in %s: %s, and %s.",
			currency, other, textA, textB)}
	}
	if slices.ContainsFunc(results, figures.isPartial) {
		return []string{fmt.Sprintf("I cannot say the difference, as not all of it can be added up: %s, and %s.",
			textA, textB)}
	}
	d := a.Sub(b)
	size, more := prose.Money(d.Abs(), currency), "more"
	if currency == "" {
		size = prose.Grouped(d.Abs())
	}
	if d.IsNegative() {
		more = "less"
	}
	lines := []string{fmt.Sprintf("The difference is %s: %s, and %s. The first is %s %s.", size, textA, textB, size,
		more)}
	if d.IsZero() {
		lines[0] = fmt.Sprintf("There is no difference: %s, and %s.", textA, textB)
	}
	for _, p := range q.Pair {
		s := p.Spans[0]
		if s.Last == q.Today && s.Unit != calendar.Day && s.Unit.Whole(s.First).Last > s.Last {
			lines = append(lines, "The period "+s.String()+" is not over yet.")
		}
	}
	return lines
}

// answerBehind lists the transactions of a figure and says what they come to.
func answerBehind(q intent.Question, results []figures) (lines []string) {
	at := 0
	for _, s := range q.Spans {
		income, expenses := decimal.Zero, decimal.Zero
		currency := ""
		for _, side := range q.SidesBehind() {
			r := results[at]
			list := q
			list.Side, list.Spans = side, []calendar.Span{s}
			lines = append(lines, answerEntries(list, r)...)
			income, expenses, currency = income.Add(r.TotalIncome), expenses.Add(r.TotalExpenses), r.Currency
			at++
		}
		if q.Behind.Topic != intent.Sums {
			continue
		}
		together := short(q, sumPart{Income: income, Expenses: expenses}, currency)
		lines = append(lines, fmt.Sprintf("Together: %s.", together))
		if q.BySearch() {
			continue
		}
		whole := results[at].sums()
		at++
		if q.Side != household.Income && !whole.Expenses.Equal(expenses) ||
			q.Side != household.Expense && !whole.Income.Equal(income) {
			lines = append(lines,
				fmt.Sprintf("With what trades brought in and cost, which are no transactions, it is %s.",
					short(q, whole.total(), currency)))
		}
	}
	return lines
}
