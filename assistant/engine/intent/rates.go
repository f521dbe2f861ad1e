package intent

import (
	"cmp"

	"finsvc/assistant/engine/calendar"
	"finsvc/assistant/engine/parse"
	"finsvc/ledger"
)

// averageRates makes averages of rates that are compared: "did I spend more per month in 2025 than in 2024".
func averageRates(q *Question) {
	isCompared := len(q.Periods) > 1 || q.Against && len(q.Periods) > 0
	if q.Topic == Sums && q.Rate.Said != "" && !q.Rate.IsList() && q.Rate.Of() == calendar.Month && isCompared &&
		q.Says(parse.More|parse.Compare|parse.Change) {
		q.Cues |= parse.Average
	}
}

// checkRates finds units that a topic cannot tell apart, and spans that are too short for an average.
func checkRates(q *Question, today ledger.Date) {
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

// daysOnly ends spans today, and finds those that are shorter than the unit.
func daysOnly(q *Question, today ledger.Date) {
	for i, s := range q.Spans {
		q.Spans[i] = s.ToDate(today)
		switch {
		case s.First == ledger.MinDate:
			q.Missing = append(q.Missing, "an average of all time")
		case q.Rate.Unit == calendar.Week && q.Spans[i].Days() < 7:
			q.Missing = append(q.Missing, "an average of less than a week")
		}
	}
}

// monthsOnly makes spans of whole months that are over.
func monthsOnly(q *Question, today ledger.Date) {
	for i, s := range q.Spans {
		whole, found := s.WholeMonths(today)
		if !found {
			q.Missing = append(q.Missing, "an average of less than a month")
			return
		}
		q.Spans[i] = whole
	}
}

// usualUnits are the last units of a question that does not say a period: twelve months, four quarters or three years.
func usualUnits(q Question, today ledger.Date) calendar.Span {
	u := q.Rate.Of()
	n := cmp.Or(map[calendar.Unit]int{calendar.Quarter: 4, calendar.Year: 3}[u], 12)
	return calendar.Span{First: u.Back(u.StartOf(today), n-1), Last: today}
}
