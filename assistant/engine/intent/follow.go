package intent

import (
	"slices"
	"strings"

	"finsvc/assistant/engine/dates"
	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/parse"
	"finsvc/ledger"
	"finsvc/ledger/calendar"
)

// goesOn reports whether a question without a topic can be about that of another.
func (q Question) goesOn(before Question) bool {
	if before.Topic == noTopic || before.Topic == Greeting ||
		q.Says(parse.Hello) && len(q.Mentions)+len(q.Periods) == 0 {
		return false
	}
	if q.Cues&^(before.Topic.allowed()) != 0 {
		return false
	}
	for _, m := range q.Mentions {
		if !slices.ContainsFunc(before.Topic.kinds(m.Leading),
			func(k household.Kind) bool { return len(m.Of(k)) > 0 }) {
			return false
		}
	}
	return len(q.Mentions)+len(q.Periods) > 0 || q.Search != "" || q.Least != nil || q.Most != nil ||
		q.Relation != parse.Relation{} || q.Cues&^(parse.FollowUp|parse.List) != 0
}

// takeOver takes from the question before what this one does not say.
func takeOver(q *Question, before Question) {
	q.Topic, q.Cues = before.Topic,
		q.Cues|before.Cues&^(parse.Category|parse.Merchant|parse.Tag|parse.Account|parse.Month|parse.Compare|parse.More)
	if q.Cues&(parse.Category|parse.Merchant|parse.Tag|parse.Account|parse.Month) == 0 {
		q.Cues |= before.Cues & (parse.Category | parse.Merchant | parse.Tag | parse.Account | parse.Month)
	}
	switch {
	case q.Rate.Said == "":
		q.Rate = before.Rate
	case q.Rate.IsList():
		q.Cues &^= parse.Average
	}
	q.borrowed = len(q.Mentions) > 0 || len(q.Periods) > 0
	isAccount := func(m parse.Mention) bool { return len(m.Of(household.AccountKind)) == len(m.Options) }
	others := slices.DeleteFunc(slices.Clone(before.Mentions), isAccount)
	accounts := slices.DeleteFunc(slices.Clone(before.Mentions), func(m parse.Mention) bool { return !isAccount(m) })
	isTogether := slices.ContainsFunc(q.Phrases, func(p parse.SaidPhrase) bool {
		return strings.Contains(strings.ToLower(p.Text), "together") || p.Cue == parse.Total
	})
	if isTogether && len(q.Mentions)+len(q.Periods) == 0 {
		q.Unclear = append(q.Unclear, `say what is to be added up, for example "groceries and rent in May together".`)
	}
	carried := parse.Compare | parse.More
	if before.contrast {
		carried = 0
	}
	if len(q.Mentions) == 0 && q.Search == "" {
		q.Mentions, q.Search, q.contrast = before.Mentions, before.Search, before.contrast
	} else if len(q.Mentions) > 0 && q.Mentions[0].Connector == parse.Opposed && len(before.Mentions) > 0 {
		q.Mentions = slices.Concat(before.Mentions, q.Mentions)
	} else if before.IsOfMoney() && before.Search == "" && !before.contrast && len(q.Mentions) > 0 &&
		!slices.ContainsFunc(q.Mentions, func(m parse.Mention) bool { return !isAccount(m) }) {
		q.Mentions = slices.Concat(others, apartFrom(q.Mentions)) // an account narrows what was asked
	} else if before.IsOfMoney() && !before.contrast && !slices.ContainsFunc(q.Mentions, isAccount) {
		q.Mentions = slices.Concat(q.Mentions, apartFrom(accounts))
	}
	class := q.class()
	if class != "" && class != before.Side {
		q.Cues &^= parse.Spending | parse.Income
	}
	if len(q.Periods) == 0 && q.Parsed.Says(parse.Ever) && !isTogether { // "and in total?" is of all time
		q.Cues |= parse.Ever
	} else if len(q.Periods) == 0 {
		q.Periods, q.Cues = before.Periods, q.Cues|before.Cues&carried
		if q.Relation == (parse.Relation{}) {
			q.Relation = before.Relation
		}
	} else if q.Parsed.Says(parse.Compare) && len(q.Periods) == 1 && len(before.Periods) > 0 {
		q.Periods = []dates.Period{before.Periods[0], q.Periods[0]}
	}
	if q.Least == nil && q.Most == nil {
		q.Least, q.Most = before.Least, before.Most
	}
	if q.Limit == 0 {
		q.Limit = before.Limit
	}
}

// apartFrom are mentions that are not joined to those before them.
func apartFrom(list []parse.Mention) []parse.Mention {
	list = slices.Clone(list)
	if len(list) > 0 {
		list[0].Connector = parse.Alone
	}
	return list
}

// takeFlow asks what was asked before of all income or of all spending: "the same for income". What the money was for
// and who got it does not go with it; the account, the tag and the period do.
func takeFlow(q *Question, before Question) {
	q.Topic = before.Topic
	q.Cues |= before.Cues &^ (parse.Spending | parse.Income | parse.Saved | parse.Interest | parse.Category | parse.Merchant | parse.Tag | parse.Compare | parse.More | parse.HowMuch)
	q.Mentions = slices.DeleteFunc(slices.Clone(before.Mentions), func(m parse.Mention) bool {
		return len(m.Of(household.AccountKind))+len(m.Of(household.TagKind)) < len(m.Options)
	})
	q.Mentions = apartFrom(q.Mentions)
	if len(q.Periods) == 0 {
		q.Periods, q.Relation, q.Against = before.Periods, before.Relation, before.Against
		q.Cues |= before.Cues & (parse.Compare | parse.More)
	}
	if q.Rate.Said == "" {
		q.Rate = before.Rate
	}
	if q.Limit == 0 {
		q.Limit, q.Singular = before.Limit, before.Singular
	}
	q.Least, q.Most, q.borrowed = before.Least, before.Most, true
}

// isLargestOf reports whether nothing but the largest or the latest is asked for, behind a figure: that of what it is
// made of.
func (q Question) isLargestOf(before Question) bool {
	isBare := q.Bare && len(q.Mentions)+len(q.Periods)+len(q.Missing) == 0 && q.Search == ""
	return isBare && q.Parsed.Says(parse.Largest|parse.Latest|parse.When) &&
		q.Cues&^(parse.Largest|parse.Latest|parse.When|parse.Spending|parse.FollowUp|parse.List|parse.Hello) == 0 &&
		before.IsOfMoney() && before.Group == "" && len(before.Subjects) == 0 && len(before.Spans) == 1
}

// takeLargest asks for the largest transaction of a figure.
func takeLargest(q *Question, before Question) {
	q.Topic, q.Singular = Entries, q.Limit == 0
	q.Cues |= before.Cues & (parse.Spending | parse.Income | parse.Interest)
	q.Mentions, q.Search, q.Least, q.Most, q.borrowed = before.Mentions, before.Search, before.Least, before.Most, true
	s := before.Spans[0]
	q.Periods = []dates.Period{{Span: s}}
	if before.Side != "" && !q.Says(parse.Spending|parse.Income) {
		q.Cues |= map[string]parse.Cue{household.Expense: parse.Spending, household.Income: parse.Income}[before.Side]
	}
}

// differenceOf compares the two figures that were shown last. Where the last answer was a comparison, that is asked
// again.
func differenceOf(a parse.Parsed, past []Question, today ledger.Date) (Question, bool) {
	if len(past) == 0 {
		return Question{}, false
	}
	last := past[len(past)-1]
	if len(last.Spans) > 1 || len(last.Subjects) > 1 || len(last.Pair) > 0 {
		return last, last.Understood()
	}
	q := Question{Parsed: a, Topic: last.Topic, Today: today, Filter: map[household.Kind][]string{}, Spans: last.Spans}
	if len(past) > 1 {
		q.Pair = []Question{past[len(past)-2], last}
	}
	switch {
	case len(past) < 2:
		q.Unclear = append(q.Unclear,
			`there is one figure so far; say what to compare it with, for example "compared with April".`)
	case q.Pair[0].unit() == "" || q.Pair[0].unit() != q.Pair[1].unit():
		q.Unclear = append(q.Unclear,
			"the last two answers have no two figures of the same kind; say what to compare with what.")
	}
	return q, true
}

// mostBehind is how many transactions are listed that a figure is made of.
const mostBehind = 50

// transactionsOf asks for the transactions of the figure that was shown: those of the same names, accounts, days and
// amounts.
func (q Question) transactionsOf(a parse.Parsed) (Question, bool) {
	list := q
	list.Cues, list.Topic, list.Notes, list.Said = parse.Transactions|parse.List, Entries, nil, true
	list.Group, list.Subjects, list.Pair, list.Limit = "", nil, nil, mostBehind
	if a.Limit > 0 {
		list.Limit = a.Limit
	}
	switch {
	case q.Behind != nil, q.Topic == Entries && !q.Says(parse.Largest|parse.Latest|parse.Most|parse.When):
		return list, true
	case len(q.Pair) > 0, q.hasFlow():
		return Question{}, false
	case q.Topic == Balances && len(q.Filter[household.AccountKind]) > 0 && len(q.Spans) == 1:
		list.Spans = []calendar.Span{{First: ledger.MinDate, Last: q.Spans[0].Last}}
		return list, true
	case q.Topic != Sums && q.Topic != HowMany:
		return Question{}, false
	}
	if len(q.Subjects) > 0 {
		if slices.ContainsFunc(q.Subjects, func(s Subject) bool { return s.Span != q.Subjects[0].Span }) {
			return Question{}, false
		}
		list.Side = q.Subjects[0].Side
		if slices.ContainsFunc(q.Subjects, func(s Subject) bool { return s.Side != q.Subjects[0].Side }) {
			list.Side = ""
		}
	}
	of := q
	list.Behind = &of
	return list, true
}
