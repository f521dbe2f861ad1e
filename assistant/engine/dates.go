package engine

import (
	"strconv"
	"strings"
	"time"

	"finsvc/ledger"
)

// unitNamed is a unit of the calendar by its name.
func unitNamed(text string) (unit, bool) {
	switch stem(text) {
	case "day":
		return aDay, true
	case "week", "wk":
		return aWeek, true
	case "month", "mth":
		return aMonth, true
	case "quarter":
		return aQuarter, true
	case "year", "yr":
		return aYear, true
	}
	return aDay, false
}

// monthNamed is a month by its name or the first letters of it; 0 for none.
func monthNamed(text string) time.Month {
	for m := time.January; m <= time.December; m++ {
		name := strings.ToLower(m.String())
		if text == name || len(text) == 3 && strings.HasPrefix(name, text) || text == "sept" && m == time.September {
			return m
		}
	}
	return 0
}

// number reads a small number in digits or words; "a" is one.
func (r calendarReader) number(i int) (int, bool) {
	text := r.text(i)
	if text == "a" || text == "an" {
		return 1, true
	}
	return smallNumber(text)
}

// smallNumber reads up to four digits, or a word up to twelve.
func smallNumber(text string) (int, bool) {
	for n, word := range strings.Fields("zero one two three four five six seven eight nine ten eleven twelve") {
		if text == word {
			return n, true
		}
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && len(text) <= 4
}

// readDate reads a date of one word.
func readDate(r calendarReader, i int) (period, bool) {
	s, found := spanOf(r.text(i))
	return period{span: s, words: 1, ongoing: s.unit == aMonth}, found
}

// spanOf reads 2026-05-03, 2026/05/03, 3.5.2026, 2026-05, and 25/05/2026 where only one order of day and month fits.
func spanOf(text string) (span, bool) {
	for _, layout := range []string{"2006-1", "1/2006"} {
		if t, err := time.Parse(layout, text); err == nil && len(text) > 5 {
			return aMonth.whole(ledger.DateOf(t)), true
		}
	}
	for _, layout := range []string{"2006-1-2", "2006/1/2", "2.1.2006"} {
		if t, err := time.Parse(layout, text); err == nil {
			return daySpan(ledger.DateOf(t)), true
		}
	}
	dayFirst, errDay := time.Parse("2/1/2006", text)
	monthFirst, errMonth := time.Parse("1/2/2006", text)
	switch {
	case errDay == nil && (errMonth != nil || dayFirst.Equal(monthFirst)):
		return daySpan(ledger.DateOf(dayFirst)), true
	case errDay != nil && errMonth == nil:
		return daySpan(ledger.DateOf(monthFirst)), true
	}
	return span{}, false
}

// daySpan is a single day.
func daySpan(d ledger.Date) span { return span{first: d, last: d} }

func onDay(d ledger.Date, words int) period {
	return period{span: span{first: d, last: d}, words: words}
}

// readMonthDay reads "May 3", "May 3rd, 2026", "May the 3rd".
func readMonthDay(r calendarReader, i int) (period, bool) {
	at := i + 1
	if r.text(at) == "the" {
		at++
	}
	m := monthNamed(r.text(i))
	n, isDay := dayNumber(r.text(at))
	if m == 0 || !isDay {
		return period{}, false
	}
	return dated(r, m, n, i, at+1)
}

// readDayMonth reads "3 May", "3rd of May 2026".
func readDayMonth(r calendarReader, i int) (period, bool) {
	n, isDay := dayNumber(r.text(i))
	at := i + 1
	if r.text(at) == "of" {
		at++
	}
	m := monthNamed(r.text(at))
	if !isDay {
		return period{}, false
	}
	if m == 0 {
		return dayOf(r, n, i, at)
	}
	return dated(r, m, n, i, at+1)
}

// dayOf reads "the 3rd of last month", behind whose "of" a word stands.
func dayOf(r calendarReader, n, start, at int) (period, bool) {
	month, found := r.monthAt(at)
	if at != start+2 || !found {
		return period{}, false
	}
	d := month.first.MonthStart().AddDays(n - 1)
	return onDay(d, at+month.words-start), d <= month.first.MonthEnd()
}

// dated is a day of a month; without a year the latest that has begun. It starts at a word and may go on with a year
// at another.
func dated(r calendarReader, m time.Month, n, start, at int) (period, bool) {
	y, words := r.yearAt(at)
	p := period{words: at + words - start, yearless: words == 0}
	if words == 0 {
		y = r.today.Time().Year()
		if ledger.NewDate(y, m, n) > r.today {
			y--
		}
	}
	d := ledger.NewDate(y, m, n)
	p.span = span{first: d, last: d}
	return p, d.Time().Day() == n
}

// dayNumber reads 3, 3rd, 21st.
func dayNumber(text string) (int, bool) {
	for _, ending := range []string{"st", "nd", "rd", "th"} {
		text = strings.TrimSuffix(text, ending)
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 1 && n <= 31 && len(text) <= 2
}

// readMonth reads "May", "May 2025", "last May", "this May", "May last year". Without a year it is the latest that has
// begun, with "last" the latest that is over.
func readMonth(r calendarReader, i int) (period, bool) {
	start, over := i, r.isOneOf(i, "last", "previous")
	if over || r.text(i) == "this" {
		i++
	}
	m := monthNamed(r.text(i))
	if m == 0 || r.text(i) == "may" && r.isOneOf(i+1, "i", "we") {
		return period{}, false
	}
	y, words := r.yearAt(i + 1)
	p := period{words: i + 1 + words - start, yearless: words == 0, ongoing: true}
	if words == 0 {
		y = r.today.Time().Year()
		latest := aMonth.whole(ledger.NewDate(y, m, 1))
		if latest.first > r.today || over && latest.last >= r.today {
			y--
		}
	}
	p.span = aMonth.whole(ledger.NewDate(y, m, 1))
	return p, true
}

// yearAt reads the year that belongs to what stands before it: "2025", "of 2025", "last year", "this year".
func (r calendarReader) yearAt(i int) (y, words int) {
	if r.isOneOf(i, "of", "in") {
		if y, words = r.yearAt(i + 1); words > 0 {
			words++
		}
		return y, words
	}
	this := r.today.Time().Year()
	switch {
	case r.are(i, "last", "year"), r.are(i, "previous", "year"):
		return this - 1, 2
	case r.are(i, "this", "year"), r.are(i, "current", "year"):
		return this, 2
	case r.are(i, "the", "year") && !isYear(r.text(i+2)):
		return this, 2
	case isYear(r.text(i)):
		y, _ = strconv.Atoi(r.text(i))
		return y, 1
	}
	return 0, 0
}

// isYear says whether a text is a year that the ledger can hold.
func isYear(text string) bool {
	y, err := strconv.Atoi(text)
	return err == nil && len(text) == 4 && y >= 1900 && y <= 2199
}

// readYear reads "2025", "the year 2025".
func readYear(r calendarReader, i int) (period, bool) {
	words := 1
	if r.text(i) == "year" {
		words = 2
	}
	text := r.text(i + words - 1)
	if !isYear(text) {
		return period{}, false
	}
	y, _ := strconv.Atoi(text)
	return period{span: aYear.whole(ledger.NewDate(y, time.January, 1)), words: words, ongoing: true}, true
}

// readPart reads "Q2", "2025 Q2", "second quarter of 2025", "H1 2025", "first half of last year".
func readPart(r calendarReader, i int) (period, bool) {
	start := i
	y, before := 0, 0
	if isYear(r.text(i)) {
		y, before = r.yearAt(i)
		i++
	}
	u, n, words := ordinalPart(r, i)
	if words == 0 || n > 12/u.months() {
		return period{}, false
	}
	if before == 0 {
		if y, before = r.yearAt(i + words); before == 0 && r.isOneOf(i+words, "of") {
			return period{}, false // part of something else
		}
	} else {
		before = 0
	}
	p := period{words: i + words + before - start, yearless: y == 0, ongoing: true}
	begin := func(y int) ledger.Date { return ledger.NewDate(y, time.Month((n-1)*u.months()+1), 1) }
	if y == 0 {
		if y = r.today.Time().Year(); begin(y) > r.today {
			y--
		}
	}
	p.span = u.whole(begin(y))
	return p, true
}

// partNamed reads "Q2" and "H1", which quarter or half of a year is meant.
func partNamed(text string) (u unit, n int, found bool) {
	if len(text) == 2 && (text[0] == 'q' || text[0] == 'h') && text[1] >= '1' && text[1] <= '4' {
		return map[byte]unit{'q': aQuarter, 'h': aHalf}[text[0]], int(text[1] - '0'), true
	}
	return aDay, 0, false
}

// ordinalPart reads which quarter or half of a year is meant.
func ordinalPart(r calendarReader, i int) (u unit, n, words int) {
	text := r.text(i)
	if u, n, found := partNamed(text); found {
		return u, n, 1
	}
	for at, names := range []string{"first 1st", "second 2nd", "third 3rd", "fourth 4th"} {
		for _, name := range strings.Fields(names) {
			switch {
			case text != name:
			case r.text(i+1) == "quarter":
				return aQuarter, at + 1, 2
			case r.are(i+1, "half", "year"):
				return aHalf, at + 1, 3
			case r.text(i+1) == "half":
				return aHalf, at + 1, 2
			}
		}
	}
	return aDay, 0, 0
}

// readHalf reads a half of a month or a year: "the first half of September", "second half of last month", "latter half of the year". The
// first half of a month ends with its 15th.
func readHalf(r calendarReader, i int) (period, bool) {
	second := r.isOneOf(i, "second", "2nd", "latter", "last")
	if !second && !r.isOneOf(i, "first", "1st") || r.text(i+1) != "half" {
		return period{}, false
	}
	at := i + 2
	if r.text(at) == "year" && r.isOneOf(at+1, "of", "in") { // "the second half-year of 2025"
		at++
	}
	if r.isOneOf(at, "of", "in") {
		at++
	} else if r.text(i) == "last" || r.text(at) == "year" { // that ends today
		return period{}, false
	}
	p, found := r.whole(at)
	if !found || p.edge || p.moment != 0 || p.unit != aMonth && p.unit != aYear {
		return period{}, false
	}
	all := p.unit.whole(p.first)
	middle := all.first.AddDays(15)
	if p.unit == aYear {
		middle = ledger.NewDate(all.first.Time().Year(), time.July, 1)
	}
	s := span{first: all.first, last: middle - 1}
	if second {
		s = span{first: middle, last: all.last}
	}
	if p.unit == aYear {
		s.unit = aHalf
	}
	return period{span: s, words: at + p.words - i, yearless: p.yearless, ongoing: true}, true
}

// readWeekday reads "Friday", "last Friday": the latest that has begun, with "last" the latest before today.
func readWeekday(r calendarReader, i int) (period, bool) {
	words, latest := 1, r.today
	if r.text(i) == "last" {
		words, latest = 2, r.today-1
	}
	for d := latest; d > latest-7; d-- {
		if r.text(i+words-1) == strings.ToLower(d.Time().Weekday().String()) {
			return onDay(d, words), true
		}
	}
	return period{}, false
}

// readWeekend reads "the weekend", the latest that has begun; "last weekend", the latest before this; "this weekend".
func readWeekend(r calendarReader, i int) (period, bool) {
	which := r.text(i)
	words := map[string]int{"this": 2, "last": 2, "weekend": 1}[which]
	if words == 0 || r.text(i+words-1) != "weekend" {
		return period{}, false
	}
	saturday := aWeek.startOf(r.today).AddDays(5)
	if which == "last" || which == "weekend" && saturday > r.today {
		saturday = saturday.AddDays(-7)
	}
	return period{span: span{first: saturday, last: saturday + 1}, words: words, ongoing: true}, true
}

// readPartOf reads "the last week of October", "the first 10 days of 2026": so many days, weeks or months of a period, from its
// beginning or its end.
func readPartOf(r calendarReader, i int) (period, bool) {
	n, words := 1, 1
	if number, isNumber := smallNumber(r.text(i + 1)); isNumber {
		n, words = number, 2
	}
	u, known := unitNamed(r.text(i + words))
	isVague := words == 1 && r.isPlural(i+1) // "the last days of May"
	if !r.isOneOf(i, "first", "last") || !known || isVague || n == 0 || !r.isOneOf(i+words+1, "of", "in") {
		return period{}, false
	}
	p, found := r.whole(i + words + 2)
	if found = found && !p.edge && (p.unit == aDay || u < p.unit); !found { // "last year in May" is no part of May
		return period{}, false
	}
	if r.text(i) == "first" {
		p.last = min(p.last, u.back(p.first, -n)-1)
	} else {
		p.first = max(p.first, u.back(p.last+1, n))
	}
	return period{span: span{first: p.first, last: p.last}, words: words + 2 + p.words, ongoing: true}, found
}

// shareYears gives the year that one of several periods says to those beside it: "Q1 vs Q2 2025", "May, June and July 2025".
func (r *reader) shareYears() {
	dated := make([]bool, len(r.periods))
	for i, p := range r.periods {
		dated[i] = r.saysYear(p)
	}
	for i := len(r.periods) - 2; i >= 0; i-- {
		dated[i] = dated[i] || dated[i+1] && r.takeYear(i, i+1)
	}
	for i := 1; i < len(r.periods); i++ {
		dated[i] = dated[i] || dated[i-1] && r.takeYear(i, i-1)
	}
}

// takeYear moves a period to the year of one that it is joined to. The same part of the calendar is that of another year:
// "May vs May 2025".
func (r *reader) takeYear(to, from int) bool {
	p, other := &r.periods[to], r.periods[from]
	first, second := r.periods[min(to, from)], r.periods[max(to, from)]
	behind := first.at + first.words
	isJoined := second.at == behind || second.at == behind+1 && r.isWord(behind, "vs", "versus", "and", "or")
	isSame := p.first.Time().Month() == other.first.Time().Month()
	if !p.yearless || !isJoined || isSame || p.unit != other.unit || p.unit < aMonth {
		return false
	}
	p.span = p.unit.whole(p.first).inYear(other.first.Time().Year()).toDate(r.calendar.today)
	return true
}

// saysYear says whether a period ends with its year: "May 2025", "May last year".
func (r *reader) saysYear(p period) bool {
	last := r.words[p.at+p.words-1].text
	return isYear(last) || last == "year" || isYear(r.words[p.at].text)
}
