package dates

import (
	"strconv"
	"strings"
	"time"

	"finsvc/assistant/engine/token"
	"finsvc/ledger"
	"finsvc/ledger/calendar"
)

// number reads a small number in digits or words; "a" is one.
func (r Reader) number(i int) (int, bool) {
	text := r.text(i)
	if text == "a" || text == "an" {
		return 1, true
	}
	return token.SmallNumber(text)
}

// readDate reads a date of one word.
func readDate(r Reader, i int) (Period, bool) {
	s, found := calendar.SpanOf(r.text(i))
	return Period{Span: s, Words: 1, ongoing: s.Unit == calendar.Month}, found
}

func onDay(d ledger.Date, words int) Period {
	return Period{Span: calendar.Span{First: d, Last: d}, Words: words}
}

// readMonthDay reads "May 3", "May 3rd, 2026", "May the 3rd".
func readMonthDay(r Reader, i int) (Period, bool) {
	at := i + 1
	if r.text(at) == "the" {
		at++
	}
	m := calendar.MonthNamed(r.text(i))
	n, isDay := calendar.DayNumber(r.text(at))
	if m == 0 || !isDay {
		return Period{}, false
	}
	return dated(r, m, n, i, at+1)
}

// readDayMonth reads "3 May", "3rd of May 2026".
func readDayMonth(r Reader, i int) (Period, bool) {
	n, isDay := calendar.DayNumber(r.text(i))
	at := i + 1
	if r.text(at) == "of" {
		at++
	}
	m := calendar.MonthNamed(r.text(at))
	if !isDay {
		return Period{}, false
	}
	if m == 0 {
		// Read "the 3rd of last month", behind whose "of" a word stands.
		month, found := r.monthAt(at)
		if at != i+2 || !found {
			return Period{}, false
		}
		d := month.First.MonthStart().AddDays(n - 1)
		return onDay(d, at+month.Words-i), d <= month.First.MonthEnd()
	}
	return dated(r, m, n, i, at+1)
}

// dated is a day of a month; without a year the latest that has begun. It starts at a word and may go on with a year
// at another.
func dated(r Reader, m time.Month, n, start, at int) (Period, bool) {
	y, words := r.yearAt(at)
	p := Period{Words: at + words - start, Yearless: words == 0}
	if words == 0 {
		y = r.Today.Time().Year()
		if ledger.NewDate(y, m, n) > r.Today {
			y--
		}
	}
	d := ledger.NewDate(y, m, n)
	p.Span = calendar.Span{First: d, Last: d}
	return p, d.Time().Day() == n
}

// readMonth reads "May", "May 2025", "last May", "this May", "May last year". Without a year it is the latest that has
// begun, with "last" the latest that is over.
func readMonth(r Reader, i int) (Period, bool) {
	start, over := i, r.isOneOf(i, "last", "previous")
	if over || r.text(i) == "this" {
		i++
	}
	m := calendar.MonthNamed(r.text(i))
	if m == 0 || r.text(i) == "may" && r.isOneOf(i+1, "i", "we") {
		return Period{}, false
	}
	y, words := r.yearAt(i + 1)
	p := Period{Words: i + 1 + words - start, Yearless: words == 0, ongoing: true}
	if words == 0 {
		y = r.Today.Time().Year()
		latest := calendar.Month.Whole(ledger.NewDate(y, m, 1))
		if latest.First > r.Today || over && latest.Last >= r.Today {
			y--
		}
	}
	p.Span = calendar.Month.Whole(ledger.NewDate(y, m, 1))
	return p, true
}

// yearAt reads the year that belongs to what stands before it: "2025", "of 2025", "last year", "this year".
func (r Reader) yearAt(i int) (y, words int) {
	if r.isOneOf(i, "of", "in") {
		y, words = r.yearAt(i + 1)
		if words > 0 {
			words++
		}
		return y, words
	}
	this := r.Today.Time().Year()
	switch {
	case r.are(i, "last", "year"), r.are(i, "previous", "year"):
		return this - 1, 2
	case r.are(i, "this", "year"), r.are(i, "current", "year"):
		return this, 2
	case r.are(i, "the", "year") && !calendar.IsYear(r.text(i+2)):
		return this, 2
	case calendar.IsYear(r.text(i)):
		y, _ = strconv.Atoi(r.text(i))
		return y, 1
	}
	return 0, 0
}

// readYear reads "2025", "the year 2025".
func readYear(r Reader, i int) (Period, bool) {
	words := 1
	if r.text(i) == "year" {
		words = 2
	}
	text := r.text(i + words - 1)
	if !calendar.IsYear(text) {
		return Period{}, false
	}
	y, _ := strconv.Atoi(text)
	return Period{Span: calendar.Year.Whole(ledger.NewDate(y, time.January, 1)), Words: words, ongoing: true}, true
}

// readPart reads "Q2", "2025 Q2", "second quarter of 2025", "H1 2025", "first half of last year".
func readPart(r Reader, i int) (Period, bool) {
	start := i
	y, before := 0, 0
	if calendar.IsYear(r.text(i)) {
		y, before = r.yearAt(i)
		i++
	}
	u, n, words := ordinalPart(r, i)
	if words == 0 || n > 12/u.Months() {
		return Period{}, false
	}
	if before == 0 {
		y, before = r.yearAt(i + words)
		if before == 0 && r.isOneOf(i+words, "of") {
			return Period{}, false // part of something else
		}
	} else {
		before = 0
	}
	p := Period{Words: i + words + before - start, Yearless: y == 0, ongoing: true}
	begin := func(y int) ledger.Date { return ledger.NewDate(y, time.Month((n-1)*u.Months()+1), 1) }
	if y == 0 {
		y = r.Today.Time().Year()
		if begin(y) > r.Today {
			y--
		}
	}
	p.Span = u.Whole(begin(y))
	return p, true
}

// ordinalPart reads which quarter or half of a year is meant.
func ordinalPart(r Reader, i int) (u calendar.Unit, n, words int) {
	text := r.text(i)
	u, n, found := calendar.PartNamed(text)
	if found {
		return u, n, 1
	}
	for at, names := range []string{"first 1st", "second 2nd", "third 3rd", "fourth 4th"} {
		for _, name := range strings.Fields(names) {
			switch {
			case text != name:
			case r.text(i+1) == "quarter":
				return calendar.Quarter, at + 1, 2
			case r.are(i+1, "half", "year"):
				return calendar.Half, at + 1, 3
			case r.text(i+1) == "half":
				return calendar.Half, at + 1, 2
			}
		}
	}
	return calendar.Day, 0, 0
}

// readHalf reads a half of a month or a year: "the first half of September", "second half of last month", "latter
// half of the year". The first half of a month ends with its 15th.
func readHalf(r Reader, i int) (Period, bool) {
	second := r.isOneOf(i, "second", "2nd", "latter", "last")
	if !second && !r.isOneOf(i, "first", "1st") || r.text(i+1) != "half" {
		return Period{}, false
	}
	at := i + 2
	if r.text(at) == "year" && r.isOneOf(at+1, "of", "in") { // "the second half-year of 2025"
		at++
	}
	if r.isOneOf(at, "of", "in") {
		at++
	} else if r.text(i) == "last" || r.text(at) == "year" { // that ends today
		return Period{}, false
	}
	p, found := r.whole(at)
	if !found || p.Edge || p.Moment != 0 || p.Unit != calendar.Month && p.Unit != calendar.Year {
		return Period{}, false
	}
	all := p.Unit.Whole(p.First)
	middle := all.First.AddDays(15)
	if p.Unit == calendar.Year {
		middle = ledger.NewDate(all.First.Time().Year(), time.July, 1)
	}
	s := calendar.Span{First: all.First, Last: middle - 1}
	if second {
		s = calendar.Span{First: middle, Last: all.Last}
	}
	if p.Unit == calendar.Year {
		s.Unit = calendar.Half
	}
	return Period{Span: s, Words: at + p.Words - i, Yearless: p.Yearless, ongoing: true}, true
}

// readWeekday reads "Friday", "last Friday": the latest that has begun, with "last" the latest before today.
func readWeekday(r Reader, i int) (Period, bool) {
	words, latest := 1, r.Today
	if r.text(i) == "last" {
		words, latest = 2, r.Today-1
	}
	for d := latest; d > latest-7; d-- {
		if r.text(i+words-1) == strings.ToLower(d.Time().Weekday().String()) {
			return onDay(d, words), true
		}
	}
	return Period{}, false
}

// readWeekend reads "the weekend", the latest that has begun; "last weekend", the latest before this; "this weekend".
func readWeekend(r Reader, i int) (Period, bool) {
	which := r.text(i)
	words := map[string]int{"this": 2, "last": 2, "weekend": 1}[which]
	if words == 0 || r.text(i+words-1) != "weekend" {
		return Period{}, false
	}
	saturday := calendar.Week.StartOf(r.Today).AddDays(5)
	if which == "last" || which == "weekend" && saturday > r.Today {
		saturday = saturday.AddDays(-7)
	}
	return Period{Span: calendar.Span{First: saturday, Last: saturday + 1}, Words: words, ongoing: true}, true
}

// readPartOf reads "the last week of October", "the first 10 days of 2026": so many days, weeks or months of a
// period, from its beginning or its end.
func readPartOf(r Reader, i int) (Period, bool) {
	n, words := 1, 1
	number, isNumber := token.SmallNumber(r.text(i + 1))
	if isNumber {
		n, words = number, 2
	}
	u, known := token.UnitNamed(r.text(i + words))
	isVague := words == 1 && r.isPlural(i+1) // "the last days of May"
	if !r.isOneOf(i, "first", "last") || !known || isVague || n == 0 || !r.isOneOf(i+words+1, "of", "in") {
		return Period{}, false
	}
	p, found := r.whole(i + words + 2)
	found = found && !p.Edge && (p.Unit == calendar.Day || u < p.Unit)
	if !found { // "last year in May" is no part of May
		return Period{}, false
	}
	if r.text(i) == "first" {
		p.Last = min(p.Last, u.Back(p.First, -n)-1)
	} else {
		p.First = max(p.First, u.Back(p.Last+1, n))
	}
	return Period{Span: calendar.Span{First: p.First, Last: p.Last}, Words: words + 2 + p.Words, ongoing: true}, found
}
