package intent

import (
	"finsvc/assistant/engine/parse"
	"finsvc/ledger"
	"finsvc/ledger/calendar"
)

// averageRates makes averages of rates that are compared: "did I spend more per month in 2025 than in 2024".
func averageRates(q *Question) {
	isCompared := len(q.Periods) > 1 || q.Against && len(q.Periods) > 0
	if q.Topic == Sums && q.Rate.Said != "" && !q.Rate.IsList() && q.Rate.Of() == calendar.Month && isCompared &&
		q.Says(parse.More|parse.Compare|parse.Change) {
		q.Cues |= parse.Average
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
