package intent

import (
	"cmp"
	"fmt"
	"slices"

	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/parse"
	"finsvc/ledger"
	"finsvc/ledger/calendar"
)

// maxSpans is how many periods are put side by side.
const maxSpans = 4

// MaxMonths is how many months are listed.
const MaxMonths = 36

// maxBalances is how many balances of other days are looked up; each is a call.
const maxBalances = 12

// setSpans decides which days are meant.
func setSpans(q *Question, today ledger.Date) {
	q.Said = len(q.Periods) > 0
	for _, p := range q.Periods {
		q.Spans = append(q.Spans, p.Span)
		switch {
		case p.Edge && !q.Topic.isOfDay() && q.Topic != noTopic:
			q.Unclear = append(q.Unclear, fmt.Sprintf("the beginning, the middle or the end of a period is one day, here %s, "+
				"and does not say which days to look at; say so, for example %s or %s.", p.Last,
				ledger.Quote("the last week of May"), ledger.Quote("the second half of May")))
		case p.Last < p.First && !p.Edge:
			q.Missing = append(q.Missing, fmt.Sprintf("a period from %s to %s", p.First, p.Last))
		}
	}
	if len(q.Spans) > 1 && q.Topic == Sums && q.Says(parse.Total) && !q.Against &&
		!q.Says(parse.Compare|parse.More|parse.Change|parse.Average) && len(q.Subjects) == 0 && q.Group != "month" {
		addSpans(q)
	}
	usual := usual(q, today)
	if len(q.Spans) == 0 {
		q.Spans = []calendar.Span{usual}
	}
	if len(q.Spans) == 1 {
		compareWith(q, usual)
	}
	for i, s := range q.Spans[1:] {
		first := q.Spans[0]
		if s.Unit == calendar.Year && first.Unit >= calendar.Month && first.Unit < calendar.Year {
			q.Spans[i+1] = first.InYear(s.First.Time().Year())
		}
	}
	if q.Topic.isOfDay() { // only a day can be meant
		for i, s := range q.Spans {
			if !q.IsSeries(s) {
				d := s.Day(today)
				q.Spans[i] = calendar.Span{First: d, Last: d}
			}
		}
	}
	checkSpans(q, today)
}

// addSpans makes one span of several that follow each other, where their total is asked for.
func addSpans(q *Question) {
	spans := slices.SortedFunc(slices.Values(q.Spans),
		func(a, b calendar.Span) int { return cmp.Compare(a.First, b.First) })
	for i, s := range spans[1:] {
		if s.First != spans[i].Last+1 {
			q.Unclear = append(q.Unclear,
				"these periods do not follow each other, and I add up the days of one; ask for each of them.")
			return
		}
	}
	q.Spans = []calendar.Span{{First: spans[0].First, Last: spans[len(spans)-1].Last}}
}

// usual is the period of a question that does not say one.
func usual(q *Question, today ledger.Date) calendar.Span {
	soFar := func(first ledger.Date) calendar.Span { return calendar.Span{First: first, Last: today} }
	switch {
	case q.Topic == Sums && q.Says(parse.Average) && q.Against && len(q.Spans) == 1 && q.Spans[0].Unit > calendar.Month:
		return q.Spans[0].Unit.Whole(today).ToDate(today)
	case q.Topic == Sums && q.Says(parse.Average):
		return calendar.Span{First: calendar.AddMonths(today.MonthStart(), -12), Last: today.MonthStart() - 1}
	case q.isOfAllTime():
		return soFar(ledger.MinDate)
	case q.Topic == Sums && q.Group == "month", q.Topic == NetWorth && q.Says(parse.OverTime|parse.Month|parse.Change):
		// The last units of a question that does not say a period: twelve months, four quarters or three years.
		q := *q
		u := q.Rate.Of()
		n := cmp.Or(map[calendar.Unit]int{calendar.Quarter: 4, calendar.Year: 3}[u], 12)
		return calendar.Span{First: u.Back(u.StartOf(today), n-1), Last: today}
	case q.Topic == Sums:
		return calendar.Month.Whole(today).ToDate(today)
	case q.Topic == Entries && q.Says(parse.Largest|parse.Most):
		return calendar.Year.Whole(today).ToDate(today)
	case q.Topic == Entries, q.Topic == HowMany:
		return soFar(ledger.MinDate)
	}
	return soFar(today)
}

// isOfAllTime reports whether a question that says no period means all time: it asks for a total, or for what is with
// a merchant, with a tag or in a text; but not when it compares periods or wants each month.
func (q *Question) isOfAllTime() bool {
	isList := q.Topic == Entries && q.Says(parse.Largest|parse.Most)
	isNarrow := len(q.Filter[household.MerchantKind]) > 0 || len(q.Filter[household.TagKind]) > 0 || q.Search != ""
	comparesPeriods := q.Relation != parse.Relation{} ||
		q.Says(parse.Change|parse.Compare|parse.More) && len(q.Subjects) == 0 && !q.IsBothWays()
	return !q.Said && (q.Topic == Sums && !comparesPeriods || isList) &&
		(q.Says(parse.Ever) || isNarrow && q.Group != "month")
}

// compareWith adds the period that a single one is compared with.
func compareWith(q *Question, usual calendar.Span) {
	first := q.Spans[0]
	switch {
	case len(q.Subjects) > 0 && !q.Against && q.Relation == parse.Relation{}: // these are what is compared
	case q.Says(parse.Spending) && q.Says(parse.Income) && q.Relation == parse.Relation{}: // these are what is compared
	case q.Relation.Years > 0:
		q.Spans = append(q.Spans, first.InYear(first.First.Time().Year()-q.Relation.Years))
	case q.Relation.Before && q.Relation.Unit > first.Unit && q.Relation.Unit == calendar.Year:
		q.Spans = append(q.Spans, first.InYear(first.First.Time().Year()-1))
	case q.Relation.Before:
		q.Spans = append(q.Spans, first.Before())
	case q.Says(parse.Compare) && q.Said && first != usual &&
		(q.Against || q.Topic != Sums || len(q.Mentions) < 2 && !first.Covers(usual)):
		q.Spans = []calendar.Span{usual, first}
	case q.Topic == Sums && q.Says(parse.Change) && q.Group == "" && q.Said && q.Periods[0].Since: // what lies before is not what is meant
		q.Missing = append(q.Missing, "a change since "+first.First.String())
	case q.Topic == Sums && q.Says(parse.Change|parse.More) && q.Group == "",
		q.Topic == Sums && q.Says(parse.Compare) && len(q.Mentions) < 2:
		q.Spans = append(q.Spans, first.Before())
	case (q.Topic == NetWorth || q.Topic == Balances) && q.Says(parse.Change) && !q.Says(parse.OverTime|parse.Month):
		q.Spans = []calendar.Span{{First: first.Last, Last: first.Last},
			{First: first.First - 1, Last: first.First - 1}}
	}
}

// checkSpans finds periods that a topic can make nothing of.
func checkSpans(q *Question, today ledger.Date) {
	isLong := func(s calendar.Span) bool { return s.First == ledger.MinDate || s.Months() > MaxMonths }
	several := q.Topic == Sums || q.Topic == HowMany || q.Topic == Balances || q.Topic == NetWorth
	switch {
	case len(q.Spans) == 2 && q.Spans[0] == q.Spans[1] && len(q.Subjects) == 0:
		q.Missing = append(q.Missing, q.Spans[0].String()+" compared with itself")
	case len(q.Spans) > maxSpans:
		q.Missing = append(q.Missing, "so many periods")
	case len(q.Spans) > 1 && q.Group == "month" && slices.ContainsFunc(q.Spans, isLong):
		q.Missing = append(q.Missing, "such long periods by month")
	case len(q.Spans) > 2 && q.Group != "" && q.Group != "month":
		q.Missing = append(q.Missing, "more than two periods by "+q.Group)
	case len(q.Spans) > 1 && !several:
		q.Missing = append(q.Missing, "more than one period here")
	case !q.Said && q.Topic == Balances && q.Says(parse.Change):
		q.Missing = append(q.Missing, "a change of a balance on no day")
	case q.Said && q.Topic == NameLists:
		q.Missing = append(q.Missing, q.Spans[0].String())
	case q.Said && q.Topic == Balances && (len(q.Filter[household.AccountKind]) == 0 ||
		len(q.Spans)*len(q.Filter[household.AccountKind]) > maxBalances):
		q.Missing = append(q.Missing, "all accounts on another day")
	}
	// Find units that a topic cannot tell apart, and spans that are too short for an average.
	isAverage := q.Topic == Sums && q.Says(parse.Average)
	switch {
	case q.Rate.Said == "" && !isAverage:
	case isAverage && q.Rate.Said == "" && q.PerEntry:
		q.Missing = append(q.Missing, "an average of single transactions")
	case q.Rate.Of() != calendar.Month && q.Topic != Sums && len(q.Missing) == 0:
		q.Missing = append(q.Missing, q.Rate.Said)
	case q.Rate.IsOfMonths() && (isAverage || len(q.Spans) > 1):
		q.Missing = append(q.Missing, "averages and comparisons by "+q.Rate.Unit.String())
	case isAverage && q.Rate.IsByDays():
		daysOnly(q, today)
	case isAverage:
		monthsOnly(q, today)
	}
}
