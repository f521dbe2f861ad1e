package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"finsvc/ledger"
)

// monthly lists what each month has of each subject, in the order of the calendar.
func (q question) monthly(list []weighed) []string {
	if q.group != "month" {
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
			figure := question{side: w.side}.short(w.month(month), w.Currency)
			if len(list) > 2 {
				figure = w.inWords() + " " + figure
			}
			parts = append(parts, figure)
		}
		rows = append(rows, month+": "+strings.Join(parts, map[bool]string{false: "; ", true: ", and "}[len(list) == 2]))
	}
	return bulleted(rows, maxMonths, 0)
}

// month is what one month has; nothing when it is not there.
func (r found) month(month string) sumPart {
	at := slices.IndexFunc(r.ByMonth, func(p sumPart) bool { return p.Month == month })
	if at < 0 {
		return sumPart{Month: month}
	}
	return r.ByMonth[at]
}

// monthsCompared puts the months of several spans side by side: the first of each, then the second, as far as it goes.
func (q question) monthsCompared(results []found) []string {
	var rows []string
	for n := range maxMonths {
		var parts []string
		isAny := false
		for i, s := range q.spans {
			first := addMonths(s.first.MonthStart(), n)
			if first > s.last {
				continue
			}
			p := results[i].month(first.String()[:len("2006-01")])
			isAny = isAny || !p.Income.IsZero() || !p.Expenses.IsZero()
			parts = append(parts, fmt.Sprintf("%s %s", p.Month, q.short(p, results[i].Currency)))
		}
		if isAny {
			rows = append(rows, strings.Join(parts, "; "))
		}
	}
	return bulleted(rows, maxMonths, 0)
}

// tooLong says whether spans have more months than are put side by side.
func tooLong(spans []span) bool {
	return slices.ContainsFunc(spans, func(s span) bool { return s.first == ledger.MinDate || s.months() > maxMonths })
}
