package engine

import (
	"slices"
	"strings"

	"finsvc/ledger"
)

// topic is what a question is about.
type topic int

// The topics.
const (
	noTopic   topic = iota
	sums            // what was spent and earned
	entries         // which transactions there are
	howMany         // how many transactions there are
	balances        // what is in accounts
	netWorth        // what the household is worth
	debts           // what it owes
	holdings        // which securities it holds
	nameLists       // which categories, merchants and tags there are
	greeting
)

// question is a question that was understood, unless something is missing.
type question struct {
	parsed
	topic  topic
	side   string // of sums and transactions: expense, income or both when empty
	group  string // of sums: category, merchant, tag, account, month, or none
	filter map[kind][]string
	spans  []span // the period, and those that it is compared with
	said   bool   // the period was said
	parted bool   // a category of the filter has sub-categories
	today  ledger.Date

	named    []namedThings // the mentions, and what they were taken for
	subjects []subject     // what is put side by side, if it is not periods
	versus   kind          // of the subjects
	contrast bool          // the subjects are to be put side by side, by the question before if not by this one
	borrowed bool          // the mentions or the periods are those of the question before
	begins   ledger.Date   // the first day in the books of what is asked for; 0 when they are empty
	pair     []question    // two questions whose figures are compared
	behind   *question     // of a list: the question whose figure the transactions are of
}

// allowed are the marks that a topic can make something of.
func (t topic) allowed() cue {
	const always = saysHowMuch | saysTotal | saysEver | saysList | saysFollowUp | saysHello
	return always | [...]cue{
		noTopic: 0,
		sums: saysSpending | saysIncome | saysSaved | saysTransactions | saysAverage | saysMonth | saysCategory | saysMerchant | saysTag | saysAccount |
			saysCompare | saysMore | saysChange | saysLargest | saysMost | saysOften | saysWhere | saysOverTime | saysInterest,
		entries:   saysInterest | saysTransactions | saysFind | saysLargest | saysMost | saysLatest | saysWhen | saysSpending | saysIncome,
		howMany:   saysInterest | saysOften | saysCount | saysTransactions | saysSpending | saysIncome | saysCompare | saysMore | saysFind,
		balances:  saysDebts | saysCount | saysBalance | saysAccount | saysWorth | saysCompare | saysChange | saysMore,
		netWorth:  saysNetWorth | saysWorth | saysOverTime | saysChange | saysCompare | saysMore | saysMonth | saysDebts,
		debts:     saysDebts | saysAccount | saysBalance,
		holdings:  saysHoldings | saysWorth | saysCount | saysBalance | saysLargest | saysCompare,
		nameLists: saysCategory | saysMerchant | saysTag | saysCount | saysBalance,
		greeting:  saysHello,
	}[t]
}

// kinds are what a topic may be narrowed to, in the order in which a name is understood.
func (t topic) kinds(leading string) []kind {
	switch t {
	case sums, entries, howMany:
		switch {
		case slices.Contains([]string{"at", "to", "from", "did", "pay", "paid"}, leading):
			return []kind{merchantKind, accountKind, categoryKind, tagKind}
		case isMeans(leading):
			return []kind{accountKind, merchantKind, categoryKind, tagKind}
		}
		return []kind{categoryKind, merchantKind, tagKind, accountKind}
	case balances, debts:
		return []kind{accountKind}
	case holdings:
		return []kind{securityKind, accountKind}
	}
	return nil
}

// isMeans says whether what stands behind a word is what was paid with.
func isMeans(word string) bool {
	return slices.Contains([]string{"with", "using", "via", "through"}, word)
}

func (a parsed) says(any cue) bool { return a.marks&any != 0 }

// topicOf finds out what a question is about by itself.
func (a parsed) topicOf() topic {
	flow, listed := a.says(saysSpending|saysIncome|saysSaved), a.says(saysTransactions|saysFind|saysWhen)
	grouped := a.says(saysCategory | saysMerchant | saysTag | saysMonth)
	switch {
	case a.says(saysNetWorth), a.says(saysWorth) && len(a.mentions) == 0 && !a.says(saysHoldings|saysAccount):
		return netWorth
	case a.says(saysDebts) && len(a.mentions) > 0:
		return balances
	case a.says(saysDebts):
		return debts
	case a.says(saysCount) && (flow || listed):
		return howMany
	case a.says(saysMost) && a.says(saysOften):
		return sums
	case a.says(saysLargest|saysMost|saysLatest) && (flow || listed) && !grouped && !a.says(saysAccount):
		if a.says(saysMost) && flow && !listed {
			return sums
		}
		return entries
	case flow && (a.least != nil || a.most != nil) && !a.says(saysHowMuch|saysAverage|saysSaved):
		return entries
	case grouped && a.says(saysLargest|saysMost) && !listed && !flow:
		return sums
	case !a.says(saysFind|saysWhen) && (listed && a.says(saysHowMuch|saysAverage|saysTotal) || flow && (grouped || !listed)):
		return sums
	case listed:
		return entries
	}
	return a.topicOfThings()
}

// topicOfThings is what a question is about that says nothing of money spent or earned and of transactions.
func (a parsed) topicOfThings() topic {
	switch {
	case a.says(saysHoldings), a.only(securityKind):
		return holdings
	case a.says(saysAverage) && len(a.mentions) > 0:
		return sums
	case a.says(saysCategory|saysMerchant|saysTag) && !a.apart && len(a.mentions) == 0 && len(a.periods) == 0 && !a.says(saysLargest|saysMost|saysOverTime|saysCompare):
		return nameLists
	case a.says(saysBalance | saysWorth | saysAccount):
		return balances
	case a.says(saysCount) && len(a.mentions) > 0:
		return howMany
	case a.says(saysLatest|saysLargest) && len(a.mentions) > 0:
		return entries
	case a.says(saysTotal) && a.isOverDays() && (len(a.mentions) == 0 || a.only(accountKind)):
		return sums
	}
	return noTopic
}

// isOverDays says whether amounts or more than a day are asked for.
func (a parsed) isOverDays() bool {
	return a.least != nil || a.most != nil || slices.ContainsFunc(a.periods, func(p period) bool { return p.first < p.last || len(a.mentions) == 0 })
}

// weakTopic is what a question that names something or a period, and nothing more, is about.
func (a parsed) weakTopic() topic {
	switch {
	case a.only(accountKind) && a.search == "":
		return balances
	case a.having && a.only(categoryKind) && !a.says(saysHowMuch):
		return entries
	case len(a.mentions) > 0, a.says(saysAverage), a.search != "" && (a.says(saysHowMuch) || len(a.periods) > 0),
		a.says(saysMonth|saysCompare|saysChange) && len(a.periods) > 0:
		return sums
	case a.says(saysHello):
		return greeting
	}
	return noTopic
}

// isOfDay says whether a topic is about what there is on a day, and not about what happened in a period.
func (t topic) isOfDay() bool {
	return slices.Contains([]topic{balances, netWorth, debts, holdings}, t)
}

// only says whether everything that is named can be of one kind, and of no other.
func (a parsed) only(k kind) bool {
	return len(a.mentions) > 0 && !slices.ContainsFunc(a.mentions, func(m mention) bool { return len(m.of(k)) < len(m.options) })
}

// understand makes a question of what was asked; what it does not say comes from the questions before, the last of which is the
// newest, as far as this one goes on from them.
//
// What asks for no more than what was just shown, such as "difference?", needs an answer before it: behind a refusal nothing was shown.
func understand(a parsed, past []question, wasRefused bool, n *names, today ledger.Date) question {
	var before *question
	if len(past) > 0 {
		before = &past[len(past)-1]
	}
	if (a.asksDifference() || a.asksForThem()) && (wasRefused || len(past) == 0 && a.pointing) {
		unclear := `no figure was shown before; say what it is about, for example "groceries in May".`
		return question{parsed: a, topic: sums, filter: map[kind][]string{}, today: today}.isUnclear(unclear)
	}
	if a.asksDifference() {
		if q, isOne := differenceOf(a, past, today); isOne {
			return q
		}
	}
	if before != nil && a.asksForThem() {
		if q, isOne := before.transactionsOf(a); isOne {
			return q
		}
	}
	q := question{parsed: a, topic: a.topicOf(), filter: map[kind][]string{}, today: today}
	switch {
	case before != nil && q.isLargestOf(*before):
		q.takeLargest(*before)
	case q.topic == noTopic && before != nil && q.goesOn(*before):
		q.takeOver(*before)
	case before != nil && a.says(saysFollowUp) && a.isFlowAlone() && before.isOfMoney():
		q.takeFlow(*before)
	case before != nil && a.says(saysFollowUp) && len(q.periods) == 0 && q.topic.isOfDay() == before.topic.isOfDay():
		q.periods, q.said, q.borrowed = before.periods, before.said, true
	}
	if q.topic == noTopic {
		q.topic = a.weakTopic()
	}
	q.choose()
	q.begins = n.beginOf(q.filter[accountKind])
	if q.topic == balances && len(q.periods) > 0 && len(q.filter) == 0 {
		q.takeAll(n)
	}
	q.direct()
	q.averageRates()
	q.groupBy()
	q.findSubjects()
	q.setSpans(today)
	q.placeSubjects()
	q.groupByItself()
	q.checkTexts()
	q.checkMarks()
	q.checkBegin()
	return q
}

// checkMarks finds what a question says that its topic can make nothing of.
func (q *question) checkMarks() {
	rest := q.marks &^ q.topic.allowed()
	if rest == 0 || len(q.missing) > 0 {
		return
	}
	for _, p := range q.phrases {
		if q.topic != noTopic && p.mark&rest != 0 {
			q.missing = append(q.missing, p.text)
		}
	}
	q.topic = noTopic
}

// goesOn says whether a question without a topic can be about that of another.
func (q question) goesOn(before question) bool {
	if before.topic == noTopic || before.topic == greeting || q.says(saysHello) && len(q.mentions)+len(q.periods) == 0 {
		return false
	}
	if q.marks&^(before.topic.allowed()) != 0 {
		return false
	}
	for _, m := range q.mentions {
		if !slices.ContainsFunc(before.topic.kinds(m.leading), func(k kind) bool { return len(m.of(k)) > 0 }) {
			return false
		}
	}
	return len(q.mentions)+len(q.periods) > 0 || q.search != "" || q.least != nil || q.most != nil || q.relation != relation{} || q.marks&^(saysFollowUp|saysList) != 0
}

// class says what the category that is named first is for: income or expense; empty when none is named.
func (q question) class() string {
	for _, m := range q.mentions {
		for _, k := range m.of(categoryKind) {
			return k.class
		}
	}
	return ""
}

// takeOver takes from the question before what this one does not say.
func (q *question) takeOver(before question) {
	q.topic, q.marks = before.topic, q.marks|before.marks&^(saysCategory|saysMerchant|saysTag|saysAccount|saysMonth|saysCompare|saysMore)
	if q.marks&(saysCategory|saysMerchant|saysTag|saysAccount|saysMonth) == 0 {
		q.marks |= before.marks & (saysCategory | saysMerchant | saysTag | saysAccount | saysMonth)
	}
	switch {
	case q.rate.said == "":
		q.rate = before.rate
	case q.rate.isList():
		q.marks &^= saysAverage
	}
	q.borrowed = len(q.mentions) > 0 || len(q.periods) > 0
	isAccount := func(m mention) bool { return len(m.of(accountKind)) == len(m.options) }
	others := slices.DeleteFunc(slices.Clone(before.mentions), isAccount)
	accounts := slices.DeleteFunc(slices.Clone(before.mentions), func(m mention) bool { return !isAccount(m) })
	isTogether := slices.ContainsFunc(q.phrases, func(p heardPhrase) bool {
		return strings.Contains(strings.ToLower(p.text), "together") || p.mark == saysTotal
	})
	if isTogether && len(q.mentions)+len(q.periods) == 0 {
		q.unclear = append(q.unclear, `say what is to be added up, for example "groceries and rent in May together".`)
	}
	carried := saysCompare | saysMore
	if before.contrast {
		carried = 0
	}
	if len(q.mentions) == 0 && q.search == "" {
		q.mentions, q.search, q.contrast = before.mentions, before.search, before.contrast
	} else if len(q.mentions) > 0 && q.mentions[0].joint == opposed && len(before.mentions) > 0 {
		q.mentions = slices.Concat(before.mentions, q.mentions)
	} else if before.isOfMoney() && before.search == "" && !before.contrast && len(q.mentions) > 0 && !slices.ContainsFunc(q.mentions, func(m mention) bool { return !isAccount(m) }) {
		q.mentions = slices.Concat(others, apartFrom(q.mentions)) // an account narrows what was asked
	} else if before.isOfMoney() && !before.contrast && !slices.ContainsFunc(q.mentions, isAccount) {
		q.mentions = slices.Concat(q.mentions, apartFrom(accounts))
	}
	if class := q.class(); class != "" && class != before.side {
		q.marks &^= saysSpending | saysIncome
	}
	if len(q.periods) == 0 && q.parsed.says(saysEver) && !isTogether { // "and in total?" is of all time
		q.marks |= saysEver
	} else if len(q.periods) == 0 {
		q.periods, q.marks = before.periods, q.marks|before.marks&carried
		if q.relation == (relation{}) {
			q.relation = before.relation
		}
	} else if q.parsed.says(saysCompare) && len(q.periods) == 1 && len(before.periods) > 0 {
		q.periods = []period{before.periods[0], q.periods[0]}
	}
	if q.least == nil && q.most == nil {
		q.least, q.most = before.least, before.most
	}
	if q.limit == 0 {
		q.limit = before.limit
	}
}
