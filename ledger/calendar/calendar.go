// Package calendar is days, weeks, months and years, and spans of days: what lies before a span, where it is in
// another year, how many months it has, and what the names of its units are in a text. It promises that a span has
// both its ends. It knows neither questions nor what today is: that is given.
package calendar

import (
	"fmt"
	"time"

	"finsvc/ledger"
)

// Unit is a piece of the calendar.
type Unit int

// The units, from the shortest to the longest.
const (
	Day Unit = iota
	Week
	Month
	Quarter
	Half
	Year
)

// String is the word for one.
func (u Unit) String() string {
	return [...]string{"day", "week", "month", "quarter", "half", "year"}[u]
}

// Months is how many months a unit is made of; 0 for a day and a week.
func (u Unit) Months() int {
	return [...]int{Month: 1, Quarter: 3, Half: 6, Year: 12}[u]
}

// StartOf is the first day of the unit that a day lies in. Weeks begin on Mondays.
func (u Unit) StartOf(d ledger.Date) ledger.Date {
	t := d.Time()
	switch {
	case u == Week:
		return d.AddDays(-((int(t.Weekday()) + 6) % 7))
	case u >= Month:
		of := u.Months()
		return ledger.NewDate(t.Year(), time.Month((int(t.Month())-1)/of*of+1), 1)
	}
	return d
}

// Back is the day n units before one; where the month is too short, its last day.
func (u Unit) Back(d ledger.Date, n int) ledger.Date {
	switch u {
	case Day:
		return d.AddDays(-n)
	case Week:
		return d.AddDays(-7 * n)
	}
	return AddMonths(d, -n*u.Months())
}

// AddMonths is the same day of another month, or its last day when it has none.
func AddMonths(d ledger.Date, n int) ledger.Date {
	t := d.Time()
	first := ledger.NewDate(t.Year(), t.Month()+time.Month(n), 1)
	return min(first.AddDays(t.Day()-1), monthAfter(first).AddDays(-1))
}

func monthAfter(first ledger.Date) ledger.Date {
	t := first.Time()
	return ledger.NewDate(t.Year(), t.Month()+1, 1)
}

// Whole is the unit that a day lies in.
func (u Unit) Whole(d ledger.Date) Span {
	first := u.StartOf(d)
	return Span{First: first, Last: u.Back(first, -1).AddDays(-1), Unit: u}
}

// Span is a range of days, both included.
type Span struct {
	First, Last ledger.Date
	Unit        Unit        // what of the calendar it is, even when it is cut at today; day for anything else
	Moment      ledger.Date // the day that is meant where only one can be; 0 when it is last
	Rolling     int         // how many months back from today it goes; 0 for others
	Begins      ledger.Date // of all time: the first day in the books; 0 when it is not to be said
}

// ToDate is a span that does not go beyond today, unless all of it does.
func (s Span) ToDate(today ledger.Date) Span {
	if s.First <= today {
		s.Last = min(s.Last, today)
	}
	return s
}

// Day is the one day that is meant by a span: its last, as far as that is over.
func (s Span) Day(today ledger.Date) ledger.Date {
	if s.Moment != 0 {
		return s.Moment
	}
	return s.ToDate(today).Last
}

// Before is what lies before a span: the whole unit before its own, or as many days.
func (s Span) Before() Span {
	if s.Unit == Day {
		return Span{First: s.First - (s.Last - s.First) - 1, Last: s.First - 1}
	}
	return s.Unit.Whole(s.First - 1)
}

// Covers reports whether a span has all days of another.
func (s Span) Covers(other Span) bool { return s.First <= other.First && other.Last <= s.Last }

// InYear is the same part of another year. What ends with a month does so there, too.
func (s Span) InYear(wanted int) Span {
	months := 12 * (wanted - s.First.Time().Year())
	moved := Span{First: AddMonths(s.First, months), Last: AddMonths(s.Last, months), Unit: s.Unit}
	if s.Unit >= Month && s.Last == Month.Whole(s.Last).Last {
		moved.Last = Month.Whole(moved.Last).Last
	}
	return moved
}

// WholeMonths are the months of a span that are over, in full; none when it has none.
func (s Span) WholeMonths(today ledger.Date) (Span, bool) {
	if s.Rolling > 0 {
		this := today.MonthStart()
		return Span{First: AddMonths(this, -s.Rolling), Last: this - 1}, true
	}
	first, last := s.First, min(s.Last, today)
	if first != first.MonthStart() {
		first = monthAfter(first.MonthStart())
	}
	if Month.Whole(last).Last != last {
		last = last.MonthStart() - 1
	}
	return Span{First: first, Last: last}, first < last
}

// Months is how many months a span of whole months has.
func (s Span) Months() int {
	a, b := s.First.Time(), s.Last.Time()
	return (b.Year()-a.Year())*12 + int(b.Month()-a.Month()) + 1
}

// String says which days a span has, in English: "May 2026 (2026-05-01 to 2026-05-31)".
func (s Span) String() string {
	t, is := s.First.Time(), func(u Unit) bool { w := u.Whole(s.First); return w.First == s.First && w.Last == s.Last }
	days := fmt.Sprintf("%s to %s", s.First, s.Last)
	switch {
	case s.First == s.Last:
		return s.First.String()
	case s.First == ledger.MinDate:
		return "all time until " + s.Last.String()
	case is(Month):
		return fmt.Sprintf("%s %d (%s)", t.Month(), t.Year(), days)
	case is(Quarter):
		return fmt.Sprintf("Q%d %d (%s)", (int(t.Month())+2)/3, t.Year(), days)
	case is(Year):
		return fmt.Sprintf("%d (%s)", t.Year(), days)
	}
	return days
}

// Days is how many days a span has.
func (s Span) Days() int64 { return int64(s.Last-s.First) + 1 }
