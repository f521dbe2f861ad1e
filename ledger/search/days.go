package search

import (
	"strconv"
	"strings"
	"time"

	"finsvc/ledger"
	"finsvc/ledger/calendar"
)

// during narrows the days to a period, the one of the search.
func (p *parser) during(i, n int, span calendar.Span) int {
	switch {
	case p.tokens[i].not:
		return p.problem(i, n, "cannot be turned round: write since: or until: for days")
	case p.period:
		return p.problem(i, n, "is a second period: write since: and until: for days from one to another")
	}
	p.period = true
	p.between(span.First, span.Last)
	return p.word(i, n, span.String(), "")
}

// between narrows the days.
func (p *parser) between(first, last ledger.Date) {
	f := &p.query.Filter
	f.StartDate = ledger.Some(max(first, f.StartDate.Or(ledger.MinDate)))
	f.EndDate = ledger.Some(min(last, f.EndDate.Or(ledger.MaxDate)))
}

// bound takes "since:" from the first day of a period on, and "until:" up to its last.
func (p *parser) bound(i int) int {
	t := &p.tokens[i]
	if t.not {
		return p.problem(i, 1, "cannot be turned round: write since: or until: for days")
	}
	alone := &parser{today: p.today, tokens: tokensOf(t.value)}
	span, n := alone.periodAt(0)
	if n == 0 || n < len(alone.tokens) {
		return p.problem(i, 1, "is followed by no day: write it as in %s2026-03-15, %s2026-03 or %[1]s2026", t.mark, t.mark)
	}
	f := &p.query.Filter
	if t.mark == "since:" {
		f.StartDate = ledger.Some(max(span.First, f.StartDate.Or(ledger.MinDate)))
		return p.means(i, "since %s", span.First)
	}
	f.EndDate = ledger.Some(min(span.Last, f.EndDate.Or(ledger.MaxDate)))
	return p.means(i, "until %s", span.Last)
}

// follows is the word at a place behind another, in small letters; blank where it is quoted, marked or turned round.
func (p *parser) follows(i int) string {
	if i >= len(p.tokens) || p.tokens[i].quoted || p.tokens[i].mark != "" || p.tokens[i].not {
		return ""
	}
	return strings.ToLower(p.tokens[i].value)
}

// periodAt reads a period at a place, and gives of how many words it is: none where there is none.
func (p *parser) periodAt(i int) (span calendar.Span, n int) {
	word := strings.ToLower(p.tokens[i].value)
	switch word {
	case "today":
		return calendar.DaySpan(p.today), 1
	case "yesterday":
		return calendar.DaySpan(p.today - 1), 1
	case "this", "last", "previous":
		return p.relative(i)
	}
	if calendar.IsYear(word) {
		year, _ := strconv.Atoi(word) // as was just looked at
		return calendar.Year.Whole(ledger.NewDate(year, time.January, 1)), 1
	}
	if month := calendar.MonthNamed(word); month != 0 {
		return p.month(i, month)
	}
	if first, last, apart := strings.Cut(word, ".."); apart {
		a, isA := calendar.SpanOf(first)
		b, isB := calendar.SpanOf(last)
		if isA && isB && a.First <= b.Last {
			return calendar.Span{First: a.First, Last: b.Last}, 1
		}
		return span, 0
	}
	if span, found := calendar.SpanOf(word); found && span.First >= ledger.MinDate && span.Last <= ledger.MaxDate {
		return span, 1
	}
	return span, 0
}

// month is a month of a year or, without one, the latest that has begun.
func (p *parser) month(i int, month time.Month) (calendar.Span, int) {
	year, n := p.today.Time().Year(), 1
	if next := p.follows(i + 1); calendar.IsYear(next) {
		year, _ = strconv.Atoi(next) // as was just looked at
		n = 2
	} else if month > p.today.Time().Month() {
		year--
	}
	return calendar.Month.Whole(ledger.NewDate(year, month, 1)), n
}

// mostBack is how many units "last 90 days" may have.
const mostBack = 1000

// relative reads "this month", "last year" and "last 30 days", which end today.
func (p *parser) relative(i int) (span calendar.Span, n int) {
	which, next := strings.ToLower(p.tokens[i].value), p.follows(i+1)
	unit, known := unitNamed(next)
	if count, err := strconv.Atoi(next); err == nil && which == "last" && count > 0 && count <= mostBack {
		unit, known = unitNamed(strings.TrimSuffix(p.follows(i+2), "s"))
		first := unit.Back(p.today, count) + 1
		if !known || first < ledger.MinDate {
			return span, 0
		}
		return calendar.Span{First: first, Last: p.today}, 3
	}
	switch {
	case !known || unit == calendar.Day:
		return span, 0
	case which == "this":
		return unit.Whole(p.today), 2
	}
	return unit.Whole(unit.StartOf(p.today) - 1), 2
}

func unitNamed(word string) (calendar.Unit, bool) {
	for _, u := range []calendar.Unit{calendar.Day, calendar.Week, calendar.Month, calendar.Quarter, calendar.Year} {
		if u.String() == word {
			return u, true
		}
	}
	return 0, false
}
