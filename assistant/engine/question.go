package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"finsvc/ledger"
)

// maxBalances is how many balances of other days are looked up; each is a call.
const maxBalances = 12

// maxSpans is how many periods are put side by side.
const maxSpans = 4

// choose decides what the names of a question mean. Names of one kind widen what is asked for, those of another narrow
// it; so names that are joined by "and" must be of one kind.
func (q *question) choose() {
	last := kind(-1)
	for _, m := range q.mentions {
		if flow := m.of(flowKind); len(flow) > 0 {
			q.named = append(q.named, namedThings{m, flow})
			continue
		}
		kinds := q.topic.kinds(m.leading)
		if m.isSpentFor() && q.isOfMoney() && !q.says(saysInterest) {
			kinds = []kind{categoryKind}
		} else if m.byType && (m.noun || q.says(saysInterest)) {
			kinds = []kind{accountKind}
		} else if m.byType && q.topic != balances && q.topic != holdings && !slices.Contains([]string{"with", "from", "on", "in", "by", "of", "to"}, m.leading) {
			kinds = nil // "savings on groceries" are no account
		}
		if m.joint != alone && last >= 0 && (!m.byType || m.joint > with) {
			kinds = []kind{last}
		}
		at := slices.IndexFunc(kinds, func(k kind) bool { return len(m.of(k)) > 0 })
		if at < 0 {
			q.missing = append(q.missing, m.shown())
			continue
		}
		if last = kinds[at]; last == accountKind {
			q.checkOneAccount(m)
		}
		q.take(m, last)
		q.named = append(q.named, namedThings{m, m.of(last)})
	}
}

// takeAll means all accounts, where each is looked up by itself and they are few.
func (q *question) takeAll(n *names) {
	var all []string
	for _, k := range n.all {
		if k.kind == accountKind {
			all = append(all, k.name)
		}
	}
	if len(all) <= maxMentions {
		q.filter[accountKind] = all
	}
}

// shown is what a mention is called in a sentence.
func (m mention) shown() string {
	if m.said != "" {
		return m.said
	}
	return m.options[0].name
}

// take narrows a question to what a mention means.
func (q *question) take(m mention, k kind) {
	var quoted []string
	for _, o := range m.of(k) {
		if !slices.Contains(q.filter[k], o.name) {
			q.filter[k] = append(q.filter[k], o.name)
		}
		q.parted = q.parted || o.parted
		if q.side == "" && k == categoryKind {
			q.side = o.class
		}
		quoted = append(quoted, ledger.Quote(o.name))
	}
	switch {
	case m.said == "" || m.byType && k == accountKind || ledger.Fold(m.said) == ledger.Fold(m.of(k)[0].name):
	case len(quoted) == 1:
		q.notes = append(q.notes, fmt.Sprintf("I took %s as the %s %s.", ledger.Quote(m.said), k, quoted[0]))
	default:
		q.notes = append(q.notes, fmt.Sprintf("I took %s as the %s %s.", ledger.Quote(m.said), k.plural(), listed(quoted)))
	}
	for _, o := range m.options {
		if o.kind != k && m.said == "" && slices.Contains(q.topic.kinds(""), o.kind) {
			q.notes = append(q.notes, fmt.Sprintf("There is a %s of that name, too: ask for %s.", o.kind, ledger.Quote(o.kind.String()+" "+o.name)))
		}
	}
}

// listed is parts of a sentence with commas and an "and".
func listed(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// direct decides whether money out, money in or both is meant: what is said, else what the category is for.
func (q *question) direct() {
	out, in := q.says(saysSpending), q.says(saysIncome)
	q.checkMoneyTo()
	if q.says(saysSaved) && len(q.mentions) > 0 && !q.isFlowOfAccount() {
		q.missing = append(q.missing, "savings on "+q.mentions[0].shown())
	}
	switch {
	case q.topic != sums && q.topic != entries && q.topic != howMany, out && in, q.says(saysSaved):
		q.side = ""
	case out:
		q.side = expenseSide
	case in:
		q.side = incomeSide
	case q.topic == sums && q.says(saysLargest|saysMost):
		q.side = expenseSide
	case q.topic == sums && (q.says(saysTransactions) || len(q.filter[categoryKind]) == 0):
		q.side = ""
	case q.topic == entries && q.says(saysLargest|saysMost) || q.topic == sums:
	default:
		q.side = ""
	}
	q.directInterest()
}

// isFlowOfAccount says whether what came in and went out of accounts is asked for. What was saved in one is a transfer.
func (q *question) isFlowOfAccount() bool {
	isSaving := func(p heardPhrase) bool {
		return p.mark&saysSaved != 0 && (strings.Contains(strings.ToLower(p.text), "sav") || strings.Contains(strings.ToLower(p.text), "aside"))
	}
	isOther := func(n namedThings) bool { return n.things[0].kind != accountKind && n.things[0].kind != tagKind }
	return !slices.ContainsFunc(q.phrases, isSaving) && !slices.ContainsFunc(q.named, isOther)
}

// isCharged says whether what is "charged to" an account is asked for, which is spent with it.
func (q *question) isCharged() bool {
	return slices.ContainsFunc(q.phrases, func(p heardPhrase) bool { return strings.HasPrefix(strings.ToLower(p.text), "charge") })
}

// checkMoneyTo finds what is no spending: money that goes to an account of the household is a transfer, and what is bought
// for one that holds securities is a trade.
func (q *question) checkMoneyTo() {
	for _, n := range q.named {
		isTrading := strings.HasPrefix(n.things[0].types, "investment") || strings.HasPrefix(n.things[0].types, "crypto")
		isLoan := !slices.ContainsFunc(n.things, func(k thing) bool { return !k.isOfType("loan") })
		switch {
		case n.things[0].kind != accountKind:
		case isLoan && q.isOfMoney() && q.says(saysSpending) && !q.says(saysInterest) && slices.Contains([]string{"on", "for", "to", "off"}, n.leading):
			q.unclear = append(q.unclear, fmt.Sprintf("what is paid to %s is a transfer and not spent; ask for its balance, its interest, or for what was spent in the account.", ledger.Quote(n.shown())))
		case q.topic == sums && !q.says(saysIncome) && !q.isCharged() && slices.Contains([]string{"to", "into"}, n.leading):
			q.missing = append(q.missing, "money to "+n.shown())
		case isTrading && q.says(saysTransactions) && q.says(saysSpending):
			q.missing = append(q.missing, "trades of "+n.shown())
		}
	}
}

// The sides of money.
const (
	expenseSide = "expense"
	incomeSide  = "income"
)

// groupBy decides what sums are told apart by.
func (q *question) groupBy() {
	for _, g := range []struct {
		mark cue
		name string
	}{{saysMonth | saysOverTime, "month"}, {saysCategory, "category"}, {saysMerchant, "merchant"}, {saysTag, "tag"}, {saysAccount, "account"}} {
		if q.group == "" && q.says(g.mark) {
			q.group = g.name
		}
	}
	if q.topic != sums || q.says(saysAverage) {
		q.group = ""
		return
	}
	if q.group == "" && (q.says(saysOften) || q.says(saysWhere) && q.says(saysMost|saysLargest)) {
		q.group = merchantKind.String()
	}
}

// groupByItself tells a single sum apart by what it has several names of, and a sum of everything by category.
func (q *question) groupByItself() {
	if q.topic != sums || q.says(saysAverage) || q.group != "" || q.bySearch() || len(q.spans) > 1 {
		return
	}
	for k := categoryKind; k <= accountKind; k++ {
		if q.group == "" && (len(q.filter[k]) > 1 || k == categoryKind && q.parted) {
			q.group = k.String()
		}
	}
	if q.group == "" && q.side != "" && len(q.filter) == 0 {
		q.group = categoryKind.String()
	}
}

// checkTexts finds texts and amounts that a topic can make nothing of: only transactions have them, and sums of those
// are not told apart.
func (q *question) checkTexts() {
	ofTransactions := q.topic == sums && q.group == "" || q.topic == entries || q.topic == howMany
	switch {
	case ofTransactions:
	case q.search != "":
		q.missing = append(q.missing, q.search)
	case q.least != nil || q.most != nil:
		q.missing = append(q.missing, "an amount here")
	}
}

// setSpans decides which days are meant.
func (q *question) setSpans(today ledger.Date) {
	q.said = len(q.periods) > 0
	for _, p := range q.periods {
		q.spans = append(q.spans, p.span)
		switch {
		case p.edge && !q.topic.isOfDay() && q.topic != noTopic:
			q.unclear = append(q.unclear, edgeUnclear(p))
		case p.last < p.first && !p.edge:
			q.missing = append(q.missing, fmt.Sprintf("a period from %s to %s", p.first, p.last))
		}
	}
	if len(q.spans) > 1 && q.topic == sums && q.says(saysTotal) && !q.against && !q.says(saysCompare|saysMore|saysChange|saysAverage) && len(q.subjects) == 0 && q.group != "month" {
		q.addSpans()
	}
	usual := q.usual(today)
	if len(q.spans) == 0 {
		q.spans = []span{usual}
	}
	if len(q.spans) == 1 {
		q.compareWith(usual)
	}
	for i, s := range q.spans[1:] {
		if first := q.spans[0]; s.unit == aYear && first.unit >= aMonth && first.unit < aYear {
			q.spans[i+1] = first.inYear(s.first.Time().Year())
		}
	}
	if q.topic.isOfDay() {
		q.toDays(today)
	}
	q.checkSpans(today)
}

// addSpans makes one span of several that follow each other, where their total is asked for.
func (q *question) addSpans() {
	spans := slices.SortedFunc(slices.Values(q.spans), func(a, b span) int { return cmp.Compare(a.first, b.first) })
	for i, s := range spans[1:] {
		if s.first != spans[i].last+1 {
			q.unclear = append(q.unclear, "these periods do not follow each other, and I add up the days of one; ask for each of them.")
			return
		}
	}
	q.spans = []span{{first: spans[0].first, last: spans[len(spans)-1].last}}
}

// edgeUnclear says why the end of a month is not added up.
func edgeUnclear(p period) string {
	return fmt.Sprintf("the beginning, the middle or the end of a period is one day, here %s, and does not say which days to look at; "+
		"say so, for example %s or %s.", p.last, ledger.Quote("the last week of May"), ledger.Quote("the second half of May"))
}

// toDays makes days of the spans, where only a day can be meant.
func (q *question) toDays(today ledger.Date) {
	for i, s := range q.spans {
		if !q.isSeries(s) {
			d := s.day(today)
			q.spans[i] = span{first: d, last: d}
		}
	}
}

// usual is the period of a question that does not say one.
func (q *question) usual(today ledger.Date) span {
	soFar := func(first ledger.Date) span { return span{first: first, last: today} }
	switch {
	case q.topic == sums && q.says(saysAverage) && q.against && len(q.spans) == 1 && q.spans[0].unit > aMonth:
		return q.spans[0].unit.whole(today).toDate(today)
	case q.topic == sums && q.says(saysAverage):
		return span{first: addMonths(today.MonthStart(), -12), last: today.MonthStart() - 1}
	case q.isOfAllTime():
		return soFar(ledger.MinDate)
	case q.topic == sums && q.group == "month", q.topic == netWorth && q.says(saysOverTime|saysMonth|saysChange):
		return q.usualUnits(today)
	case q.topic == sums:
		return aMonth.whole(today).toDate(today)
	case q.topic == entries && q.says(saysLargest|saysMost):
		return aYear.whole(today).toDate(today)
	case q.topic == entries, q.topic == howMany:
		return soFar(ledger.MinDate)
	}
	return soFar(today)
}

// isOfAllTime says whether a question that says no period means all time: it asks for a total, or for what is with a merchant, with
// a tag or in a text; but not when it compares periods or wants each month.
func (q *question) isOfAllTime() bool {
	isList := q.topic == entries && q.says(saysLargest|saysMost)
	isNarrow := len(q.filter[merchantKind]) > 0 || len(q.filter[tagKind]) > 0 || q.search != ""
	comparesPeriods := q.relation != relation{} || q.says(saysChange|saysCompare|saysMore) && len(q.subjects) == 0 && !q.isBothWays()
	return !q.said && (q.topic == sums && !comparesPeriods || isList) && (q.says(saysEver) || isNarrow && q.group != "month")
}

// compareWith adds the period that a single one is compared with.
func (q *question) compareWith(usual span) {
	first := q.spans[0]
	switch {
	case len(q.subjects) > 0 && !q.against && q.relation == relation{}: // these are what is compared
	case q.says(saysSpending) && q.says(saysIncome) && q.relation == relation{}: // these are what is compared
	case q.relation.years > 0:
		q.spans = append(q.spans, first.inYear(first.first.Time().Year()-q.relation.years))
	case q.relation.before && q.relation.unit > first.unit && q.relation.unit == aYear:
		q.spans = append(q.spans, first.inYear(first.first.Time().Year()-1))
	case q.relation.before:
		q.spans = append(q.spans, first.before())
	case q.says(saysCompare) && q.said && first != usual && (q.against || q.topic != sums || len(q.mentions) < 2 && !first.covers(usual)):
		q.spans = []span{usual, first}
	case q.topic == sums && q.says(saysChange) && q.group == "" && q.said && q.periods[0].since: // what lies before is not what is meant
		q.missing = append(q.missing, "a change since "+first.first.String())
	case q.topic == sums && q.says(saysChange|saysMore) && q.group == "", q.topic == sums && q.says(saysCompare) && len(q.mentions) < 2:
		q.spans = append(q.spans, first.before())
	case (q.topic == netWorth || q.topic == balances) && q.says(saysChange) && !q.says(saysOverTime|saysMonth):
		q.spans = []span{{first: first.last, last: first.last}, {first: first.first - 1, last: first.first - 1}}
	}
}

// checkSpans finds periods that a topic can make nothing of.
func (q *question) checkSpans(today ledger.Date) {
	several := q.topic == sums || q.topic == howMany || q.topic == balances || q.topic == netWorth
	switch {
	case len(q.spans) == 2 && q.spans[0] == q.spans[1] && len(q.subjects) == 0:
		q.missing = append(q.missing, q.spans[0].String()+" compared with itself")
	case len(q.spans) > maxSpans:
		q.missing = append(q.missing, "so many periods")
	case len(q.spans) > 1 && q.group == "month" && tooLong(q.spans):
		q.missing = append(q.missing, "such long periods by month")
	case len(q.spans) > 2 && q.group != "" && q.group != "month":
		q.missing = append(q.missing, "more than two periods by "+q.group)
	case len(q.spans) > 1 && !several:
		q.missing = append(q.missing, "more than one period here")
	case !q.said && q.topic == balances && q.says(saysChange):
		q.missing = append(q.missing, "a change of a balance on no day")
	case q.said && q.topic == nameLists:
		q.missing = append(q.missing, q.spans[0].String())
	case q.said && q.topic == balances && (len(q.filter[accountKind]) == 0 || len(q.spans)*len(q.filter[accountKind]) > maxBalances):
		q.missing = append(q.missing, "all accounts on another day")
	}
	q.checkRates(today)
}
