package ledger

import (
	"fmt"
	"time"
)

// Date is a calendar day, counted in days since 1970-01-01. It has no time of day and no zone, so no
// zone can shift it.
type Date int32

// The days the ledger can hold. The range fits the 17 bits that a [Key] gives to the day.
const (
	MinDate Date = -25567 // 1900-01-01
	MaxDate Date = 84005  // 2199-12-31
)

const secondsPerDay = 24 * 60 * 60

// DateOf is the calendar day that t shows in its own zone.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / secondsPerDay)
}

// NewDate is the day of a year, month and day, which must exist in the calendar.
func NewDate(year int, month time.Month, day int) Date {
	return DateOf(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
}

// ParseDate reads YYYY-MM-DD strictly: four, two and two digits of a day that exists and lies between
// MinDate and MaxDate. The error continues a sentence that begins with the field's name.
func ParseDate(text string) (Date, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return 0, fmt.Errorf("must be a calendar date such as 2026-01-31, got %s", Quote(text))
	}
	d := DateOf(t)
	return d, d.Check()
}

// ParseDay reads a date as [ParseDate] does, and of an instant of RFC 3339, such as 2026-01-31T23:30:00+01:00, the day
// as it is written: no time zone shifts it.
func ParseDay(text string) (Date, error) {
	if len(text) > len(time.DateOnly) && text[len(time.DateOnly)] == 'T' {
		if _, err := time.Parse(time.RFC3339, text); err == nil {
			text = text[:len(time.DateOnly)]
		}
	}
	return ParseDate(text)
}

// Check reports whether the ledger can hold the day.
func (d Date) Check() error {
	if d < MinDate || d > MaxDate {
		return fmt.Errorf("must lie between %s and %s, got %s", MinDate, MaxDate, d)
	}
	return nil
}

// Time is midnight UTC of the day.
func (d Date) Time() time.Time { return time.Unix(int64(d)*secondsPerDay, 0).UTC() }

// String is YYYY-MM-DD.
func (d Date) String() string { return d.Time().Format(time.DateOnly) }

// AddDays is the day n days later.
func (d Date) AddDays(n int) Date { return d + Date(n) }

// MonthStart is the first day of the day's month.
func (d Date) MonthStart() Date { return d - Date(d.Time().Day()) + 1 }

// MonthEnd is the last day of the day's month.
func (d Date) MonthEnd() Date { return DateOf(d.MonthStart().Time().AddDate(0, 1, -1)) }

// Month is the day's month as a number, year * 100 + month.
func (d Date) Month() int64 {
	t := d.Time()
	return int64(t.Year())*100 + int64(t.Month())
}

// Dawn is before all days.
const Dawn Date = -1_000_000
