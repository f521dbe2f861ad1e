package answer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"finsvc/assistant/engine/intent"
	"finsvc/ledger/calendar"
)

// monthly lists what each month has of each subject, in the order of the calendar.
func monthly(q intent.Question, list []subjectFigures) []string {
	if q.Group != "month" {
		return nil
	}
	months := map[string]bool{}
	for _, w := range list {
		for _, p := range w.ByMonth {
			months[p.Month] = true
		}
	}
	var rows []string
	for _, month := range slices.Sorted(maps.Keys(months)) {
		var parts []string
		for _, w := range list {
			figure := short(intent.Question{Side: w.Side}, w.month(month), w.Currency)
			if len(list) > 2 {
				figure = w.InWords() + " " + figure
			}
			parts = append(parts, figure)
		}
		rows = append(rows, month+": "+strings.Join(parts, map[bool]string{false: "; ",
			true: ", and "}[len(list) == 2]))
	}
	return bulleted(rows, intent.MaxMonths, 0)
}

// monthsCompared puts the months of several spans side by side: the first of each, then the second, as far as it goes.
func monthsCompared(q intent.Question, results []figures) []string {
	var rows []string
	for n := range intent.MaxMonths {
		var parts []string
		isAny := false
		for i, s := range q.Spans {
			first := calendar.AddMonths(s.First.MonthStart(), n)
			if first > s.Last {
				continue
			}
			p := results[i].month(first.String()[:len("2006-01")])
			isAny = isAny || !p.Income.IsZero() || !p.Expenses.IsZero()
			parts = append(parts, fmt.Sprintf("%s %s", p.Month, short(q, p, results[i].Currency)))
		}
		if isAny {
			rows = append(rows, strings.Join(parts, "; "))
		}
	}
	return bulleted(rows, intent.MaxMonths, 0)
}
