package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
)

// isOfMoney says whether a question is about what was spent and earned, added up, listed or counted.
func (q question) isOfMoney() bool {
	return q.topic == sums || q.topic == entries || q.topic == howMany
}

// apartFrom are mentions that are not joined to those before them.
func apartFrom(list []mention) []mention {
	list = slices.Clone(list)
	if len(list) > 0 {
		list[0].joint = alone
	}
	return list
}

// isFlowAlone says whether all income or all spending is asked for, and nothing that has a name.
func (a parsed) isFlowAlone() bool {
	return a.says(saysSpending|saysIncome|saysSaved) && len(a.mentions) == 0 && a.search == "" && !a.says(saysCategory|saysMerchant|saysTag|saysTransactions|saysFind|saysCount)
}

// takeFlow asks what was asked before of all income or of all spending: "the same for income". What the money was for and who
// got it does not go with it; the account, the tag and the period do.
func (q *question) takeFlow(before question) {
	q.topic = before.topic
	q.marks |= before.marks &^ (saysSpending | saysIncome | saysSaved | saysInterest | saysCategory | saysMerchant | saysTag | saysCompare | saysMore | saysHowMuch)
	q.mentions = slices.DeleteFunc(slices.Clone(before.mentions), func(m mention) bool {
		return len(m.of(accountKind))+len(m.of(tagKind)) < len(m.options)
	})
	q.mentions = apartFrom(q.mentions)
	if len(q.periods) == 0 {
		q.periods, q.relation, q.against = before.periods, before.relation, before.against
		q.marks |= before.marks & (saysCompare | saysMore)
	}
	if q.rate.said == "" {
		q.rate = before.rate
	}
	if q.limit == 0 {
		q.limit, q.singular = before.limit, before.singular
	}
	q.least, q.most, q.borrowed = before.least, before.most, true
}

// isLargestOf says whether nothing but the largest or the latest is asked for, behind a figure: that of what it is made of.
func (q question) isLargestOf(before question) bool {
	isBare := q.bare && len(q.mentions)+len(q.periods)+len(q.missing) == 0 && q.search == ""
	return isBare && q.parsed.says(saysLargest|saysLatest|saysWhen) && q.marks&^(saysLargest|saysLatest|saysWhen|saysSpending|saysFollowUp|saysList|saysHello) == 0 &&
		before.isOfMoney() && before.group == "" && len(before.subjects) == 0 && len(before.spans) == 1
}

// takeLargest asks for the largest transaction of a figure.
func (q *question) takeLargest(before question) {
	q.topic, q.singular = entries, q.limit == 0
	q.marks |= before.marks & (saysSpending | saysIncome | saysInterest)
	q.mentions, q.search, q.least, q.most, q.borrowed = before.mentions, before.search, before.least, before.most, true
	s := before.spans[0]
	q.periods = []period{{span: s}}
	if before.side != "" && !q.says(saysSpending|saysIncome) {
		q.marks |= map[string]cue{expenseSide: saysSpending, incomeSide: saysIncome}[before.side]
	}
}

// isUnclear is the question with what should be said first.
func (q question) isUnclear(sentence string) question {
	q.unclear = append(q.unclear, sentence)
	return q
}

// asksDifference says whether nothing but a comparison is asked for: "difference?", "which is more?", "compare them".
func (a parsed) asksDifference() bool {
	isBare := len(a.mentions)+len(a.periods)+len(a.missing) == 0 && a.search == "" && a.least == nil && a.most == nil && a.relation == relation{}
	isHowMuch := slices.ContainsFunc(a.phrases, func(p heardPhrase) bool { return strings.EqualFold(p.text, "by how much") })
	return isBare && (a.says(saysCompare|saysMore|saysChange) || isHowMuch) && a.marks&^(saysCompare|saysMore|saysChange|saysHowMuch|saysFollowUp|saysList|saysHello) == 0 && a.rate.said == ""
}

// differenceOf compares the two figures that were shown last. Where the last answer was a comparison, that is asked again.
func differenceOf(a parsed, past []question, today ledger.Date) (question, bool) {
	if len(past) == 0 {
		return question{}, false
	}
	last := past[len(past)-1]
	if len(last.spans) > 1 || len(last.subjects) > 1 || len(last.pair) > 0 {
		return last, last.understood()
	}
	q := question{parsed: a, topic: last.topic, today: today, filter: map[kind][]string{}, spans: last.spans}
	if len(past) > 1 {
		q.pair = []question{past[len(past)-2], last}
	}
	switch {
	case len(past) < 2:
		q.unclear = append(q.unclear, `there is one figure so far; say what to compare it with, for example "compared with April".`)
	case q.pair[0].unit() == "" || q.pair[0].unit() != q.pair[1].unit():
		q.unclear = append(q.unclear, "the last two answers have no two figures of the same kind; say what to compare with what.")
	}
	return q, true
}

// unit is what the one figure of an answer counts; empty where there is none or more than one.
func (q question) unit() string {
	isOne := len(q.spans) == 1 && len(q.subjects) == 0 && len(q.pair) == 0 && (!q.says(saysLargest|saysMost) || q.topic != sums)
	switch {
	case !isOne || q.behind != nil:
	case q.topic == sums && q.rate.isList(), q.topic == netWorth && q.isSeries(q.spans[0]), q.topic == balances && len(q.filter[accountKind]) != 1:
	case q.topic == sums && q.says(saysAverage):
		return "money a " + q.rate.of().String()
	case q.topic == sums:
		return "money"
	case q.topic == balances, q.topic == netWorth, q.topic == debts:
		return "worth"
	case q.topic == howMany:
		return "transactions"
	}
	return ""
}

// shownFigure is the one figure of an answer, with what it is in a sentence.
func (q question) shownFigure(results []found) (amount decimal.Decimal, currency, text string) {
	r := results[0]
	switch q.topic {
	case howMany:
		return decimal.NewFromInt(r.howMany()), "", counted(r.howMany(), q.entry()) + q.scope() + " " + during(q.spans[0])
	case balances:
		name := q.filter[accountKind][0]
		amount, currency = r.Total, r.Currency
		for _, a := range r.Accounts {
			if ledger.Fold(a.Name) == ledger.Fold(name) {
				amount, currency = a.Balance, a.Currency
			}
		}
		return amount, currency, moneyText(amount, currency) + " in " + ledger.Quote(name) + " " + during(q.spans[0])
	case netWorth:
		return r.NetWorth, r.Currency, moneyText(r.NetWorth, r.Currency) + " of net worth " + during(q.spans[0])
	case debts:
		return r.Liabilities, r.Currency, moneyText(r.Liabilities, r.Currency) + " of debts " + during(q.spans[0])
	}
	part := r.sums().total()
	each := ""
	if q.says(saysAverage) {
		part, each = q.each(r.sums(), q.spans[0]), " a "+q.rate.of().String()
	}
	way := map[string]string{expenseSide: " spent", incomeSide: " received", "": " kept"}[q.side]
	return part.of(q.side), r.Currency, moneyText(part.of(q.side), r.Currency) + way + each + q.scope() + " " + during(q.spans[0])
}

// answerPair says the difference between two figures.
func (q question) answerPair(results []found) []string {
	first, second := q.pair[0], q.pair[1]
	n := len(first.calls())
	a, currency, textA := first.shownFigure(results[:n])
	b, other, textB := second.shownFigure(results[n:])
	if currency != other {
		return []string{fmt.Sprintf("I cannot say the difference, because one is in %s, the other in %s: %s, and %s.", currency, other, textA, textB)}
	}
	if slices.ContainsFunc(results, found.isPartial) {
		return []string{fmt.Sprintf("I cannot say the difference, as not all of it can be added up: %s, and %s.", textA, textB)}
	}
	d := a.Sub(b)
	size, more := moneyText(d.Abs(), currency), "more"
	if currency == "" {
		size = grouped(d.Abs())
	}
	if d.IsNegative() {
		more = "less"
	}
	lines := []string{fmt.Sprintf("The difference is %s: %s, and %s. The first is %s %s.", size, textA, textB, size, more)}
	if d.IsZero() {
		lines[0] = fmt.Sprintf("There is no difference: %s, and %s.", textA, textB)
	}
	for _, p := range q.pair {
		if s := p.spans[0]; s.last == q.today && s.unit != aDay && s.unit.whole(s.first).last > s.last {
			lines = append(lines, "The period "+s.String()+" is not over yet.")
		}
	}
	return lines
}

// asksForThem says whether the transactions are asked for that a figure is made of: "show me the transactions", "list them".
func (a parsed) asksForThem() bool {
	isBare := len(a.mentions)+len(a.periods)+len(a.missing) == 0 && a.search == "" && a.least == nil && a.most == nil
	return isBare && a.them && a.marks&^(saysTransactions|saysFind|saysList|saysFollowUp|saysHello|saysSpending|saysIncome|saysHowMuch) == 0
}

// mostBehind is how many transactions are listed that a figure is made of.
const mostBehind = 50

// transactionsOf asks for the transactions of the figure that was shown: those of the same names, accounts, days and amounts.
func (q question) transactionsOf(a parsed) (question, bool) {
	list := q
	list.marks, list.topic, list.notes, list.said = saysTransactions|saysList, entries, nil, true
	list.group, list.subjects, list.pair, list.limit = "", nil, nil, mostBehind
	if a.limit > 0 {
		list.limit = a.limit
	}
	switch {
	case q.behind != nil, q.topic == entries && !q.says(saysLargest|saysLatest|saysMost|saysWhen):
		return list, true
	case len(q.pair) > 0, q.hasFlow():
		return question{}, false
	case q.topic == balances && len(q.filter[accountKind]) > 0 && len(q.spans) == 1:
		list.spans = []span{{first: ledger.MinDate, last: q.spans[0].last}}
		return list, true
	case q.topic != sums && q.topic != howMany:
		return question{}, false
	}
	if len(q.subjects) > 0 {
		if slices.ContainsFunc(q.subjects, func(s subject) bool { return s.span != q.subjects[0].span }) {
			return question{}, false
		}
		list.side = q.subjects[0].side
		if slices.ContainsFunc(q.subjects, func(s subject) bool { return s.side != q.subjects[0].side }) {
			list.side = ""
		}
	}
	of := q
	list.behind = &of
	return list, true
}

// sidesBehind are the ways of the money of a figure; both where it is what is left.
func (q question) sidesBehind() []string {
	if q.side != "" {
		return []string{q.side}
	}
	if q.behind.topic == howMany {
		return []string{""}
	}
	return []string{incomeSide, expenseSide}
}

// callsBehind list the transactions of a figure, and add it up once more: what trades cost and bring in is part of a figure and no
// transaction.
func (q question) callsBehind(call func(string, callArguments)) {
	for _, s := range q.spans {
		for _, side := range q.sidesBehind() {
			list := q
			list.side = side
			call("get_transactions", list.entriesOf(s))
		}
		if !q.bySearch() && q.behind.topic == sums {
			a := q.filtered(callArguments{"start_date": s.first.String(), "end_date": s.last.String(), "group_by": "none"}, categoryKind, merchantKind, tagKind, accountKind)
			call("get_income_statement", a)
		}
	}
}

// answerBehind lists the transactions of a figure and says what they come to.
func (q question) answerBehind(results []found) (lines []string) {
	at := 0
	for _, s := range q.spans {
		income, expenses := decimal.Zero, decimal.Zero
		currency := ""
		for _, side := range q.sidesBehind() {
			r := results[at]
			list := q
			list.side, list.spans = side, []span{s}
			lines = append(lines, list.answerEntries(r)...)
			income, expenses, currency = income.Add(r.TotalIncome), expenses.Add(r.TotalExpenses), r.Currency
			at++
		}
		if q.behind.topic != sums {
			continue
		}
		together := q.short(sumPart{Income: income, Expenses: expenses}, currency)
		lines = append(lines, fmt.Sprintf("Together: %s.", together))
		if q.bySearch() {
			continue
		}
		whole := results[at].sums()
		at++
		if q.side != incomeSide && !whole.Expenses.Equal(expenses) || q.side != expenseSide && !whole.Income.Equal(income) {
			lines = append(lines, fmt.Sprintf("With what trades brought in and cost, which are no transactions, it is %s.", q.short(whole.total(), currency)))
		}
	}
	return lines
}
