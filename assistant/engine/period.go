package engine

import (
	"slices"
	"strings"
	"time"

	"finsvc/ledger"
)

// period is a span as it stands in a question.
type period struct {
	span
	at       int  // its first word in the question
	words    int  // how many words it takes
	yearless bool // the year was not said
	ongoing  bool // it is to end today, when it would end later
	since    bool // its end was not said
	edge     bool // it is where another begins, ends or has its middle, which is no period to add up
	starts   bool // of an edge: the beginning
	open     bool // it is all time before or behind something
}

// calendarReader finds periods in the words of a question.
type calendarReader struct {
	words     []word
	today     ledger.Date
	comparing bool // "A to B" are two periods and not one
	things    bool // what is compared is something else, so that "from A to B" is one
	changing  bool // "from A to B" says what changed: two months or years, and not all days from one to the other
}

// at reads the period that begins with a word; false when none does. What is begun and not over ends today, unless
// its end was said.
func (r calendarReader) at(i int) (period, bool) {
	for _, read := range []func(calendarReader, int) (period, bool){readRange, readOpenEnded, calendarReader.plain} {
		p, found := read(r, i)
		if !found || p.first.Check() != nil || p.last.Check() != nil {
			continue
		}
		if p.unit == aYear && r.are(i+p.words, "ytd") {
			p.span = aYear.whole(r.today).toDate(r.today).inYear(p.first.Time().Year())
			p.words++
		}
		if r.are(i+p.words, "so", "far") {
			p.words += 2
		}
		if p.ongoing {
			p.span = p.toDate(r.today)
		}
		return p, true
	}
	return period{}, false
}

// text is a word of the question; empty behind its end and for what already has another meaning.
func (r calendarReader) text(i int) string {
	if i >= len(r.words) || r.words[i].used {
		return ""
	}
	return r.words[i].text
}

// isPlural says whether a word is a plural; "month's" is none.
func (r calendarReader) isPlural(i int) bool {
	return strings.HasSuffix(r.text(i), "s") && !strings.ContainsAny(r.words[i].shown, "'’")
}

func (r calendarReader) are(i int, texts ...string) bool {
	for n, text := range texts {
		if r.text(i+n) != text {
			return false
		}
	}
	return true
}

func (r calendarReader) isOneOf(i int, texts ...string) bool {
	return slices.Contains(texts, r.text(i)) && r.text(i) != ""
}

// readRange reads "from A to B", "between A and B" and "A to B". Where one end is but a day of the month, the other says which
// month: "from 3 to 9 May", "May 3 to 9"; what says it of both may stand before or behind them: "the 3rd to the 9th of last month".
func readRange(r calendarReader, i int) (period, bool) {
	for _, read := range []func(calendarReader, int) (period, bool){betweenPeriods, betweenDays} {
		p, found := read(r, i)
		if found && (!r.comparing || r.things || isOpposed(r, i, i+p.words)) {
			return p, true
		}
	}
	return period{}, false
}

// rangeStart is where a range begins behind the word that leads to it, and what may join its ends.
func rangeStart(r calendarReader, i int) (at int, connectors []string) {
	connectors = []string{"to", "until", "till", "through", "thru"}
	switch {
	case r.text(i) == "from":
		return i + 1, connectors
	case r.text(i) == "between":
		return i + 1, append(connectors, "and")
	}
	return i, connectors
}

// connectorLength is how many words join the ends of a range at a place; 0 when none do.
func connectorLength(r calendarReader, i int, connectors []string) int {
	switch {
	case r.are(i, "up", "to"), r.are(i, "up", "until"):
		return 2
	case r.isOneOf(i, connectors...):
		return 1
	}
	return 0
}

// betweenPeriods reads a range at least one of whose ends is more than a day of the month.
func betweenPeriods(r calendarReader, i int) (period, bool) {
	start, connectors := rangeStart(r, i)
	a, found := r.point(start)
	d, isDay := dayBefore(r, start, connectors)
	if isDay = isDay && !found; isDay {
		a, found = d, true
	}
	connector := connectorLength(r, start+a.words, connectors)
	if !found || connector == 0 {
		return period{}, false
	}
	at := start + a.words + connector
	b, found := r.point(at)
	if !found && r.isOneOf(at, "now", "date", "present") {
		b, found = onDay(r.today, 1), true
	}
	if n, words := r.bareDay(at); !found && words > 0 && a.unit == aDay && !a.edge {
		b, found = onDay(a.first.MonthStart().AddDays(n-1), words), n > a.first.Time().Day() && a.first.MonthEnd() >= a.first.MonthStart().AddDays(n-1)
		if y, more := r.yearAt(at + words); more > 0 && a.yearless { // "May 3 to 9, 2025"
			a.span, b.span = a.inYear(y), b.inYear(y)
			b.words, a.yearless = words+more, false
		}
	}
	if !found {
		return period{}, false
	}
	if r.changing && (r.text(i) == "from" || i > 0 && r.words[i-1].text == "from") && a.unit == b.unit && a.unit >= aMonth && !a.edge {
		return period{}, false
	}
	yearless := (a.yearless || isDay) && b.yearless
	a, b = agreed(r, start, a, b)
	return period{span: span{first: a.first, last: b.last}, words: at + b.words - i, yearless: yearless}, true
}

// betweenDays reads two days of a month that stands before or behind them. Without any it is the latest in which the first of them
// has come, where at least one says that it is a day: "from the 3rd to the 17th".
func betweenDays(r calendarReader, i int) (period, bool) {
	month, isBefore := r.point(i + r.leading(i))
	at := i
	if isBefore = isBefore && month.unit == aMonth; isBefore {
		at = i + r.leading(i) + month.words
	}
	start, connectors := rangeStart(r, at)
	a, wordsA := r.bareDay(start)
	connector := connectorLength(r, start+wordsA, connectors)
	b, wordsB := r.bareDay(start + wordsA + connector)
	if wordsA == 0 || wordsB == 0 || connector == 0 || a >= b {
		return period{}, false
	}
	end := start + wordsA + connector + wordsB
	saysDays := isOrdinal(r, start+wordsA-1) || isOrdinal(r, end-1)
	switch {
	case isBefore && !saysDays && !r.isOneOf(at, "from"):
		return period{}, false
	case isBefore:
	case r.isOneOf(end, "of") || saysDays && r.isOneOf(end, "in"):
		var found bool
		if month, found = r.monthAt(end + 1); !found {
			return period{}, false
		}
		end += 1 + month.words
	case saysDays:
		month.span = aMonth.whole(r.today)
		if r.today.Time().Day() < a {
			month.span = month.before()
		}
	default:
		return period{}, false
	}
	first := month.first.MonthStart()
	s := span{first: first.AddDays(a - 1), last: first.AddDays(b - 1)}
	return period{span: s, words: end - i, yearless: month.yearless}, s.last <= first.MonthEnd()
}

// monthAt reads a month: "May 2025", "last month", "the month".
func (r calendarReader) monthAt(i int) (period, bool) {
	if p, found := r.point(i); found {
		return p, p.unit == aMonth && p.moment == 0
	}
	if r.are(i, "the", "month") || r.are(i, "this", "month") {
		return period{span: aMonth.whole(r.today), words: 2}, true
	}
	return period{}, false
}

// bareDay reads a day of a month that is not said beside it: "3", "the 3rd".
func (r calendarReader) bareDay(i int) (n, words int) {
	if r.text(i) == "the" {
		words = 1
	}
	n, isDay := dayNumber(r.text(i + words))
	if !isDay || monthNamed(r.text(i+words+1)) != 0 {
		return 0, 0
	}
	return n, words + 1
}

// isOrdinal says whether a word is a day such as "3rd".
func isOrdinal(r calendarReader, i int) bool {
	text := r.text(i)
	return text != "" && !isDigit(rune(text[len(text)-1]))
}

// isOpposed says whether words are compared with something before or behind them: "from March to May vs October".
func isOpposed(r calendarReader, from, end int) bool {
	isOne := func(i int, texts ...string) bool {
		return i >= 0 && i < len(r.words) && slices.Contains(texts, r.words[i].text)
	}
	return isOne(from-1, "vs", "versus", "with", "against", "than") || isOne(end, "vs", "versus", "with", "against", "than", "compared")
}

// dayBefore reads the "3" of "3 to 9 May": a day of the month that the end of the range says.
func dayBefore(r calendarReader, i int, connectors []string) (period, bool) {
	n, words := r.bareDay(i)
	end, found := r.point(i + words + connectorLength(r, i+words, connectors))
	if words == 0 || !found || end.unit != aDay || end.first != end.last || end.edge {
		return period{}, false
	}
	d := end.first.MonthStart().AddDays(n - 1)
	return onDay(d, words), d <= end.last
}

// agreed gives the ends of a range the years that were not said: the end is the first that follows a beginning with
// a year, and the beginning the last that comes before the end.
func agreed(r calendarReader, at int, a, b period) (period, period) {
	if b.yearless && !a.yearless {
		for next := b.inYear(b.first.Time().Year() - 1); next.last >= a.first; next = b.inYear(b.first.Time().Year() - 1) {
			b.span = next
		}
		for b.last < a.first {
			b.span = b.inYear(b.first.Time().Year() + 1)
		}
	}
	if a.yearless {
		a, _ = calendarReader{words: r.words, today: b.last}.point(at)
	}
	return a, b
}

// readOpenEnded reads "since A", "until A", "before A", "after A".
func readOpenEnded(r calendarReader, i int) (period, bool) {
	word, skipped := r.text(i), 1
	if from, found := r.point(i + 1); word == "from" && found && r.isOneOf(i+1+from.words, "on", "onward", "onwards", "forward") {
		return period{span: span{first: from.first, last: max(r.today, from.first)}, words: from.words + 2, yearless: from.yearless, since: true, open: true}, true
	}
	switch {
	case r.are(i, "up", "to"), r.are(i, "up", "until"), r.are(i, "up", "till"):
		word, skipped = "until", 2
	case r.are(i, "ever", "since"), r.are(i, "starting", "from"), r.are(i, "starting", "in"), r.are(i, "starting", "on"), r.are(i, "beginning", "with"):
		word, skipped = "since", 2
	case word == "starting":
		word = "since"
	}
	p, found := r.point(i + skipped)
	p.words += skipped - 1
	if !found || word == "by" && !p.edge {
		return period{}, false
	}
	all := span{first: ledger.MinDate, last: r.today}
	switch word {
	case "since":
		all.first = p.first
		if p.moment != 0 && !p.edge {
			all.first = p.moment
		}
		all.last = max(all.last, all.first)
	case "until", "till", "through", "by":
		if all.last = p.last; p.starts {
			all.last = p.first - 1
		}
	case "before":
		if all.last = p.first - 1; p.edge && !p.starts && p.moment == 0 { // "before the end of May"
			all.last = p.last
		}
	case "after":
		if all.first = p.last + 1; p.starts {
			all.first = p.first
		}
		all.last = max(r.today, all.first)
	default:
		return period{}, false
	}
	if word == "by" {
		all.moment = all.last
	}
	return period{span: all, words: p.words + 1, yearless: p.yearless, since: word == "since", open: true, ongoing: p.edge && word != "since"}, true
}

// plain reads a period with or without the words that lead to it.
func (r calendarReader) plain(i int) (period, bool) {
	skipped := r.leading(i)
	p, found := r.point(i + skipped)
	p.words += skipped
	return p, found
}

// leading is how many words lead to a period.
func (r calendarReader) leading(i int) (words int) {
	for {
		at := i + words
		switch {
		case r.are(at, "all", "time"), r.are(at, "all", "years"):
			return words
		case r.are(at, "month", "of"), r.are(at, "as", "of"):
			words += 2
		case r.text(at) == "at" && (r.text(at+1) == "the" || r.isOneOf(at+1, "end", "start", "beginning")) && (r.isOneOf(at+2, "end", "close", "beginning", "start", "of")):
			words++
		case r.isOneOf(at, "in", "on", "during", "for", "over", "within", "of", "by", "the", "whole", "all"):
			words++
		default:
			return words
		}
	}
}

// point reads one period that is no range.
func (r calendarReader) point(i int) (period, bool) {
	if r.text(i) == "the" {
		p, found := r.point(i + 1)
		p.words++
		return p, found
	}
	for _, read := range []func(calendarReader, int) (period, bool){readEdge, readPartOf, readHalf, readNamed, readRelative, readAgo, readDate, readMonthDay, readDayMonth, readMonth, readPart, readWeekday, readWeekend, readYear} {
		if p, found := read(r, i); found {
			return p, true
		}
	}
	return period{}, false
}

// readEdge reads where a period begins, ends or has its middle: "the end of May", "mid-March", "start of the year". The middle of a
// month is its 15th; that of a year lies between June and July, so that what is since then begins in July, and what is until
// then ends in June.
func readEdge(r calendarReader, i int) (period, bool) {
	which, words := r.text(i), 1
	switch which {
	case "end", "close", "beginning", "start", "middle":
		if words = 2; r.text(i+1) != "of" {
			return period{}, false
		}
	case "mid":
	default:
		return period{}, false
	}
	p, found := r.whole(i + words)
	if !found || p.edge || p.unit == aDay && p.first == p.last {
		return period{}, false
	}
	p.words, p.edge = p.words+words, true
	switch {
	case which == "end" || which == "close":
		p.span = span{first: p.last, last: p.last}
	case which == "beginning" || which == "start":
		p.starts = true
		p.span = span{first: p.first, last: p.first}
	case p.unit == aMonth:
		middle := p.first.AddDays(14)
		p.span = span{first: middle, last: middle, moment: middle}
	case p.unit == aYear:
		july := ledger.NewDate(p.first.Time().Year(), time.July, 1)
		p.span = span{first: july, last: july - 1, moment: july}
	default:
		return period{}, false
	}
	p.ongoing = false
	return p, true
}

// whole is a period that something is a part of. What "the year" and "the month" are is the one that today lies in.
func (r calendarReader) whole(i int) (period, bool) {
	skipped := 0
	if r.text(i) == "the" {
		skipped = 1
	}
	u, isUnit := unitNamed(r.text(i + skipped))
	if isUnit && u != aDay && !isYear(r.text(i+skipped+1)) {
		return period{span: u.whole(r.today), words: skipped + 1}, true
	}
	return r.point(i)
}

// readNamed reads days and spans that have a name.
func readNamed(r calendarReader, i int) (period, bool) {
	on := func(d ledger.Date, words int) (period, bool) {
		return period{span: span{first: d, last: d}, words: words}, true
	}
	switch {
	case r.text(i) == "today":
		return on(r.today, 1)
	case r.text(i) == "yesterday":
		return on(r.today-1, 1)
	case r.are(i, "day", "before", "yesterday"):
		return on(r.today-2, 3)
	case r.text(i) == "ytd":
		return period{span: aYear.whole(r.today), words: 1, ongoing: true}, true
	case r.are(i, "year", "to", "date"):
		return period{span: aYear.whole(r.today), words: 3, ongoing: true}, true
	case r.text(i) == "mtd":
		return period{span: aMonth.whole(r.today), words: 1, ongoing: true}, true
	case r.are(i, "month", "to", "date"):
		return period{span: aMonth.whole(r.today), words: 3, ongoing: true}, true
	case r.text(i) == "ever":
		return period{span: span{first: ledger.MinDate, last: r.today}, words: 1}, true
	case r.are(i, "all", "time"), r.are(i, "all", "years"):
		return period{span: span{first: ledger.MinDate, last: r.today}, words: 2}, true
	}
	return period{}, false
}

// readRelative reads "this month", "last year", "previous quarter", "last 30 days", "past three months", "past year". "The
// last year" ends today; "last year" is the one before this.
func readRelative(r calendarReader, i int) (period, bool) {
	which := r.text(i)
	switch which {
	case "this", "current", "last", "previous", "prior", "past":
	default:
		return period{}, false
	}
	if n, isNumber := r.number(i + 1); isNumber && which != "this" {
		u, known := unitNamed(r.text(i + 2))
		p := rolling(r, u, n)
		p.words = 3
		return p, known && n > 0
	}
	u, known := unitNamed(r.text(i + 1))
	switch {
	case !known, r.isPlural(i + 1): // "the last months" are not said to be how many
		return period{}, false
	case which == "past", which == "last" && i > 0 && r.words[i-1].text == "the":
		p := rolling(r, u, 1)
		p.words = 2
		return p, true
	case which == "this" || which == "current":
		return period{span: u.whole(r.today), words: 2, ongoing: true}, true
	}
	return period{span: u.whole(u.startOf(r.today) - 1), words: 2}, true
}

// rolling is the last n units that end today.
func rolling(r calendarReader, u unit, n int) period {
	n = min(n, 4000)
	return period{span: span{first: u.back(r.today, n) + 1, last: r.today, rolling: n * u.months()}}
}

// readAgo reads "3 days ago", "a year ago": the unit that the day lies in, or the day where one is meant.
func readAgo(r calendarReader, i int) (period, bool) {
	n, isNumber := r.number(i)
	u, known := unitNamed(r.text(i + 1))
	if !isNumber || !known || !r.isOneOf(i+2, "ago", "earlier") {
		return period{}, false
	}
	d := u.back(r.today, min(n, 4000))
	s := u.whole(d)
	s.moment = d
	return period{span: s, words: 3, ongoing: true}, true
}
