package token

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"finsvc/ledger/calendar"
	"finsvc/ledger/money"
)

// AmountOf reads 1,234.50 and 1234.5.
func AmountOf(text string) (decimal.Decimal, bool) {
	if text == "" || !IsDigit(rune(text[0])) {
		return decimal.Zero, false
	}
	amount, err := money.ParseDecimal(strings.ReplaceAll(text, ",", ""))
	return amount, err == nil
}

// SmallNumber reads up to four digits, or a word up to twelve.
func SmallNumber(text string) (int, bool) {
	for n, word := range strings.Fields("zero one two three four five six seven eight nine ten eleven twelve") {
		if text == word {
			return n, true
		}
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && len(text) <= 4
}

// UnitNamed is a unit of the calendar by its name.
func UnitNamed(text string) (calendar.Unit, bool) {
	switch Stem(text) {
	case "day":
		return calendar.Day, true
	case "week", "wk":
		return calendar.Week, true
	case "month", "mth":
		return calendar.Month, true
	case "quarter":
		return calendar.Quarter, true
	case "year", "yr":
		return calendar.Year, true
	}
	return calendar.Day, false
}

// CalendarNames are the names of the months and of the days of the week, and words that stand for a time as they do.
func CalendarNames() []string {
	names := []string{"yesterday", "quarter", "weekend"}
	for m := time.January; m <= time.December; m++ {
		names = append(names, strings.ToLower(m.String()))
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		names = append(names, strings.ToLower(d.String()))
	}
	return names
}

// IsCalendarWord reports whether a word alone may be part of a period: a unit, a number, a month, a day or "ago".
func IsCalendarWord(text string) bool {
	_, isUnit := UnitNamed(text)
	_, isNumber := SmallNumber(text)
	days := strings.Fields("monday tuesday wednesday thursday friday saturday sunday today yesterday ever ago time so far")
	return isUnit || isNumber || calendar.MonthNamed(text) != 0 || slices.Contains(days, text)
}
