package engine

import (
	"fmt"
	"time"

	"finsvc/ledger"
)

// unit is a piece of the calendar.
type unit int

// The units, from the shortest to the longest.
const (
	aDay unit = iota
	aWeek
	aMonth
	aQuarter
	aHalf
	aYear
)

// months is how many months a unit is made of; 0 for a day and a week.
func (u unit) months() int {
	return [...]int{aMonth: 1, aQuarter: 3, aHalf: 6, aYear: 12}[u]
}

// startOf is the first day of the unit that a day lies in. Weeks begin on Mondays.
func (u unit) startOf(d ledger.Date) ledger.Date {
	t := d.Time()
	switch {
	case u == aWeek:
		return d.AddDays(-((int(t.Weekday()) + 6) % 7))
	case u >= aMonth:
		of := u.months()
		return ledger.NewDate(t.Year(), time.Month((int(t.Month())-1)/of*of+1), 1)
	}
	return d
}

// back is the day n units before one; where the month is too short, its last day.
func (u unit) back(d ledger.Date, n int) ledger.Date {
	switch u {
	case aDay:
		return d.AddDays(-n)
	case aWeek:
		return d.AddDays(-7 * n)
	}
	return addMonths(d, -n*u.months())
}

// addMonths is the same day of another month, or its last day when it has none.
func addMonths(d ledger.Date, n int) ledger.Date {
	t := d.Time()
	first := ledger.NewDate(t.Year(), t.Month()+time.Month(n), 1)
	return min(first.AddDays(t.Day()-1), monthAfter(first).AddDays(-1))
}

func monthAfter(first ledger.Date) ledger.Date {
	t := first.Time()
	return ledger.NewDate(t.Year(), t.Month()+1, 1)
}

// whole is the unit that a day lies in.
func (u unit) whole(d ledger.Date) span {
	first := u.startOf(d)
	return span{first: first, last: u.back(first, -1).AddDays(-1), unit: u}
}

// span is a range of days, both included.
type span struct {
	first, last ledger.Date
	unit        unit        // what of the calendar it is, even when it is cut at today; day for anything else
	moment      ledger.Date // the day that is meant where only one can be; 0 when it is last
	rolling     int         // how many months back from today it goes; 0 for others
	begins      ledger.Date // of all time: the first day in the books; 0 when it is not to be said
}

// toDate is a span that does not go beyond today, unless all of it does.
func (s span) toDate(today ledger.Date) span {
	if s.first <= today {
		s.last = min(s.last, today)
	}
	return s
}

// day is the one day that is meant by a span: its last, as far as that is over.
func (s span) day(today ledger.Date) ledger.Date {
	if s.moment != 0 {
		return s.moment
	}
	return s.toDate(today).last
}

// before is what lies before a span: the whole unit before its own, or as many days.
func (s span) before() span {
	if s.unit == aDay {
		return span{first: s.first - (s.last - s.first) - 1, last: s.first - 1}
	}
	return s.unit.whole(s.first - 1)
}

// covers says whether a span has all days of another.
func (s span) covers(other span) bool { return s.first <= other.first && other.last <= s.last }

// inYear is the same part of another year. What ends with a month does so there, too.
func (s span) inYear(wanted int) span {
	months := 12 * (wanted - s.first.Time().Year())
	moved := span{first: addMonths(s.first, months), last: addMonths(s.last, months), unit: s.unit}
	if s.unit >= aMonth && s.last == aMonth.whole(s.last).last {
		moved.last = aMonth.whole(moved.last).last
	}
	return moved
}

// wholeMonths are the months of a span that are over, in full; none when it has none.
func (s span) wholeMonths(today ledger.Date) (span, bool) {
	if s.rolling > 0 {
		this := today.MonthStart()
		return span{first: addMonths(this, -s.rolling), last: this - 1}, true
	}
	first, last := s.first, min(s.last, today)
	if first != first.MonthStart() {
		first = monthAfter(first.MonthStart())
	}
	if aMonth.whole(last).last != last {
		last = last.MonthStart() - 1
	}
	return span{first: first, last: last}, first < last
}

// months is how many months a span of whole months has.
func (s span) months() int {
	a, b := s.first.Time(), s.last.Time()
	return (b.Year()-a.Year())*12 + int(b.Month()-a.Month()) + 1
}

// String says which days a span has, in English: "May 2026 (2026-05-01 to 2026-05-31)".
func (s span) String() string {
	t, is := s.first.Time(), func(u unit) bool { w := u.whole(s.first); return w.first == s.first && w.last == s.last }
	days := fmt.Sprintf("%s to %s", s.first, s.last)
	switch {
	case s.first == s.last:
		return s.first.String()
	case s.first == ledger.MinDate:
		return "all time until " + s.last.String()
	case is(aMonth):
		return fmt.Sprintf("%s %d (%s)", t.Month(), t.Year(), days)
	case is(aQuarter):
		return fmt.Sprintf("Q%d %d (%s)", (int(t.Month())+2)/3, t.Year(), days)
	case is(aYear):
		return fmt.Sprintf("%d (%s)", t.Year(), days)
	}
	return days
}
