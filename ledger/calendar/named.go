package calendar

import (
	"strconv"
	"strings"
	"time"

	"finsvc/ledger"
)

// MonthNamed is a month by its name or the first letters of it; 0 for none.
func MonthNamed(text string) time.Month {
	for m := time.January; m <= time.December; m++ {
		name := strings.ToLower(m.String())
		if text == name || len(text) == 3 && strings.HasPrefix(name, text) || text == "sept" && m == time.September {
			return m
		}
	}
	return 0
}

// SpanOf reads 2026-05-03, 2026/05/03, 3.5.2026, 2026-05, and 25/05/2026 where only one order of day and month fits.
func SpanOf(text string) (Span, bool) {
	for _, layout := range []string{"2006-1", "1/2006"} {
		t, err := time.Parse(layout, text)
		if err == nil && len(text) > 5 {
			return Month.Whole(ledger.DateOf(t)), true
		}
	}
	for _, layout := range []string{"2006-1-2", "2006/1/2", "2.1.2006"} {
		t, err := time.Parse(layout, text)
		if err == nil {
			return DaySpan(ledger.DateOf(t)), true
		}
	}
	dayFirst, errDay := time.Parse("2/1/2006", text)
	monthFirst, errMonth := time.Parse("1/2/2006", text)
	switch {
	case errDay == nil && (errMonth != nil || dayFirst.Equal(monthFirst)):
		return DaySpan(ledger.DateOf(dayFirst)), true
	case errDay != nil && errMonth == nil:
		return DaySpan(ledger.DateOf(monthFirst)), true
	}
	return Span{}, false
}

// DaySpan is a single day.
func DaySpan(d ledger.Date) Span { return Span{First: d, Last: d} }

// DayNumber reads 3, 3rd, 21st.
func DayNumber(text string) (int, bool) {
	for _, ending := range []string{"st", "nd", "rd", "th"} {
		text = strings.TrimSuffix(text, ending)
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 1 && n <= 31 && len(text) <= 2
}

// IsYear reports whether a text is a year that the ledger can hold.
func IsYear(text string) bool {
	y, err := strconv.Atoi(text)
	return err == nil && len(text) == 4 && y >= 1900 && y <= 2199
}

// PartNamed reads "Q2" and "H1", which quarter or half of a year is meant.
func PartNamed(text string) (u Unit, n int, found bool) {
	if len(text) == 2 && (text[0] == 'q' || text[0] == 'h') && text[1] >= '1' && text[1] <= '4' {
		return map[byte]Unit{'q': Quarter, 'h': Half}[text[0]], int(text[1] - '0'), true
	}
	return Day, 0, false
}
