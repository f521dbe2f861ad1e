package intent

import (
	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/parse"
	"finsvc/ledger"
)

// Understand makes a question of what was asked; what it does not say comes from the questions before, the last of
// which is the newest, as far as this one goes on from them.
//
// What asks for no more than what was just shown, such as "difference?", needs an answer before it: behind a refusal
// nothing was shown.
func Understand(a parse.Parsed, past []Question, wasRefused bool, n *household.Names, today ledger.Date) Question {
	var before *Question
	if len(past) > 0 {
		before = &past[len(past)-1]
	}
	if (a.AsksDifference() || a.AsksForThem()) && (wasRefused || len(past) == 0 && a.Pointing) {
		a.Unclear = append(a.Unclear, `no figure was shown before; say what it is about, for example "groceries in May".`)
		return Question{Parsed: a, Topic: Sums, Filter: map[household.Kind][]string{}, Today: today}
	}
	if a.AsksDifference() {
		q, isOne := differenceOf(a, past, today)
		if isOne {
			return q
		}
	}
	if before != nil && a.AsksForThem() {
		q, isOne := before.transactionsOf(a)
		if isOne {
			return q
		}
	}
	q := Question{Parsed: a, Topic: topicOf(a), Filter: map[household.Kind][]string{}, Today: today}
	switch {
	case before != nil && q.isLargestOf(*before):
		takeLargest(&q, *before)
	case q.Topic == noTopic && before != nil && q.goesOn(*before):
		takeOver(&q, *before)
	case before != nil && a.Says(parse.FollowUp) && a.IsFlowAlone() && before.IsOfMoney():
		takeFlow(&q, *before)
	case before != nil && a.Says(parse.FollowUp) && len(q.Periods) == 0 && q.Topic.isOfDay() == before.Topic.isOfDay():
		q.Periods, q.Said, q.borrowed = before.Periods, before.Said, true
	}
	if q.Topic == noTopic {
		q.Topic = weakTopic(a)
	}
	choose(&q)
	q.Begins = n.BeginOf(q.Filter[household.AccountKind])
	if q.Topic == Balances && len(q.Periods) > 0 && len(q.Filter) == 0 {
		takeAll(&q, n)
	}
	direct(&q)
	averageRates(&q)
	groupBy(&q)
	findSubjects(&q)
	setSpans(&q, today)
	placeSubjects(&q)
	groupByItself(&q)
	checkTexts(&q)
	checkCues(&q)
	checkBegin(&q)
	return q
}
