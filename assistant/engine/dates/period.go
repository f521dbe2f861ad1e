// Package dates reads the periods that the words of a question say: "last month", "from 3 to 9 May", "since the end
// of March". What a period is compared with, and what is asked of it, it does not know. Words that something else has
// read are no part of a period.
package dates

import (
	"slices"
	"strings"
	"time"

	"finsvc/assistant/engine/token"
	"finsvc/ledger"
	"finsvc/ledger/calendar"
)

// Period is a span as it stands in a question.
type Period struct {
	calendar.Span
	At       int  // its first word in the question
	Words    int  // how many words it takes
	Yearless bool // the year was not said
	ongoing  bool // it is to end today, when it would end later
	Since    bool // its end was not said
	Edge     bool // it is where another begins, ends or has its middle, which is no period to add up
	starts   bool // of an edge: the beginning
	Open     bool // it is all time before or behind something
}

// Reader finds periods in the words of a question.
type Reader struct {
	Words     []token.Word
	Today     ledger.Date
	Comparing bool // "A to B" are two periods and not one
	Things    bool // what is compared is something else, so that "from A to B" is one
	Changing  bool // "from A to B" says what changed: two months or years, and not all days from one to the other
}

// At reads the period that begins with a word; false when none does. What is begun and not over ends today, unless
// its end was said.
func (r Reader) At(i int) (Period, bool) {
	for _, read := range []func(Reader, int) (Period, bool){readRange, readOpenEnded, Reader.Plain} {
		p, found := read(r, i)
		if !found || p.First.Check() != nil || p.Last.Check() != nil {
			continue
		}
		if p.Unit == calendar.Year && r.are(i+p.Words, "ytd") {
			p.Span = calendar.Year.Whole(r.Today).ToDate(r.Today).InYear(p.First.Time().Year())
			p.Words++
		}
		if r.are(i+p.Words, "so", "far") {
			p.Words += 2
		}
		if p.ongoing {
			p.Span = p.ToDate(r.Today)
		}
		return p, true
	}
	return Period{}, false
}

// text is a word of the question; empty behind its end and for what already has another meaning.
func (r Reader) text(i int) string {
	if i >= len(r.Words) || r.Words[i].Used {
		return ""
	}
	return r.Words[i].Text
}

// isPlural reports whether a word is a plural; "month's" is none.
func (r Reader) isPlural(i int) bool {
	return strings.HasSuffix(r.text(i), "s") && !strings.ContainsAny(r.Words[i].Shown, "'’")
}

func (r Reader) are(i int, texts ...string) bool {
	for n, text := range texts {
		if r.text(i+n) != text {
			return false
		}
	}
	return true
}

func (r Reader) isOneOf(i int, texts ...string) bool {
	return slices.Contains(texts, r.text(i)) && r.text(i) != ""
}

// readRange reads "from A to B", "between A and B" and "A to B". Where one end is but a day of the month, the other
// says which month: "from 3 to 9 May", "May 3 to 9"; what says it of both may stand before or behind them: "the 3rd
// to the 9th of last month".
func readRange(r Reader, i int) (Period, bool) {
	for _, read := range []func(Reader, int) (Period, bool){betweenPeriods, betweenDays} {
		p, found := read(r, i)
		if found && (!r.Comparing || r.Things || isOpposed(r, i, i+p.Words)) {
			return p, true
		}
	}
	return Period{}, false
}

// rangeStart is where a range begins behind the word that leads to it, and what may join its ends.
func rangeStart(r Reader, i int) (at int, connectors []string) {
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
func connectorLength(r Reader, i int, connectors []string) int {
	switch {
	case r.are(i, "up", "to"), r.are(i, "up", "until"):
		return 2
	case r.isOneOf(i, connectors...):
		return 1
	}
	return 0
}

// betweenPeriods reads a range at least one of whose ends is more than a day of the month.
func betweenPeriods(r Reader, i int) (Period, bool) {
	start, connectors := rangeStart(r, i)
	a, found := r.Point(start)
	d, isDay := dayBefore(r, start, connectors)
	isDay = isDay && !found
	if isDay {
		a, found = d, true
	}
	connector := connectorLength(r, start+a.Words, connectors)
	if !found || connector == 0 {
		return Period{}, false
	}
	at := start + a.Words + connector
	b, found := r.Point(at)
	if !found && r.isOneOf(at, "now", "date", "present") {
		b, found = onDay(r.Today, 1), true
	}
	n, words := r.bareDay(at)
	if !found && words > 0 && a.Unit == calendar.Day && !a.Edge {
		b, found = onDay(a.First.MonthStart().AddDays(n-1), words),
			n > a.First.Time().Day() && a.First.MonthEnd() >= a.First.MonthStart().AddDays(n-1)
		y, more := r.yearAt(at + words)
		if more > 0 && a.Yearless { // "May 3 to 9, 2025"
			a.Span, b.Span = a.InYear(y), b.InYear(y)
			b.Words, a.Yearless = words+more, false
		}
	}
	if !found {
		return Period{}, false
	}
	if r.Changing && (r.text(i) == "from" || i > 0 && r.Words[i-1].Text == "from") && a.Unit == b.Unit &&
		a.Unit >= calendar.Month && !a.Edge {
		return Period{}, false
	}
	yearless := (a.Yearless || isDay) && b.Yearless
	a, b = agreed(r, start, a, b)
	return Period{Span: calendar.Span{First: a.First, Last: b.Last}, Words: at + b.Words - i, Yearless: yearless}, true
}

// betweenDays reads two days of a month that stands before or behind them. Without any it is the latest in which the
// first of them has come, where at least one says that it is a day: "from the 3rd to the 17th".
func betweenDays(r Reader, i int) (Period, bool) {
	month, isBefore := r.Point(i + r.leading(i))
	at := i
	isBefore = isBefore && month.Unit == calendar.Month
	if isBefore {
		at = i + r.leading(i) + month.Words
	}
	start, connectors := rangeStart(r, at)
	a, wordsA := r.bareDay(start)
	connector := connectorLength(r, start+wordsA, connectors)
	b, wordsB := r.bareDay(start + wordsA + connector)
	if wordsA == 0 || wordsB == 0 || connector == 0 || a >= b {
		return Period{}, false
	}
	end := start + wordsA + connector + wordsB
	saysDays := isOrdinal(r, start+wordsA-1) || isOrdinal(r, end-1)
	switch {
	case isBefore && !saysDays && !r.isOneOf(at, "from"):
		return Period{}, false
	case isBefore:
	case r.isOneOf(end, "of") || saysDays && r.isOneOf(end, "in"):
		var found bool
		month, found = r.monthAt(end + 1)
		if !found {
			return Period{}, false
		}
		end += 1 + month.Words
	case saysDays:
		month.Span = calendar.Month.Whole(r.Today)
		if r.Today.Time().Day() < a {
			month.Span = month.Before()
		}
	default:
		return Period{}, false
	}
	first := month.First.MonthStart()
	s := calendar.Span{First: first.AddDays(a - 1), Last: first.AddDays(b - 1)}
	return Period{Span: s, Words: end - i, Yearless: month.Yearless}, s.Last <= first.MonthEnd()
}

// monthAt reads a month: "May 2025", "last month", "the month".
func (r Reader) monthAt(i int) (Period, bool) {
	p, found := r.Point(i)
	if found {
		return p, p.Unit == calendar.Month && p.Moment == 0
	}
	if r.are(i, "the", "month") || r.are(i, "this", "month") {
		return Period{Span: calendar.Month.Whole(r.Today), Words: 2}, true
	}
	return Period{}, false
}

// bareDay reads a day of a month that is not said beside it: "3", "the 3rd".
func (r Reader) bareDay(i int) (n, words int) {
	if r.text(i) == "the" {
		words = 1
	}
	n, isDay := calendar.DayNumber(r.text(i + words))
	if !isDay || calendar.MonthNamed(r.text(i+words+1)) != 0 {
		return 0, 0
	}
	return n, words + 1
}

// isOrdinal reports whether a word is a day such as "3rd".
func isOrdinal(r Reader, i int) bool {
	text := r.text(i)
	return text != "" && !token.IsDigit(rune(text[len(text)-1]))
}

// isOpposed reports whether words are compared with something before or behind them: "from March to May vs October".
func isOpposed(r Reader, from, end int) bool {
	isOne := func(i int, texts ...string) bool {
		return i >= 0 && i < len(r.Words) && slices.Contains(texts, r.Words[i].Text)
	}
	return isOne(from-1, "vs", "versus", "with", "against", "than") ||
		isOne(end, "vs", "versus", "with", "against", "than", "compared")
}

// dayBefore reads the "3" of "3 to 9 May": a day of the month that the end of the range says.
func dayBefore(r Reader, i int, connectors []string) (Period, bool) {
	n, words := r.bareDay(i)
	end, found := r.Point(i + words + connectorLength(r, i+words, connectors))
	if words == 0 || !found || end.Unit != calendar.Day || end.First != end.Last || end.Edge {
		return Period{}, false
	}
	d := end.First.MonthStart().AddDays(n - 1)
	return onDay(d, words), d <= end.Last
}

// agreed gives the ends of a range the years that were not said: the end is the first that follows a beginning with
// a year, and the beginning the last that comes before the end.
func agreed(r Reader, at int, a, b Period) (Period, Period) {
	if b.Yearless && !a.Yearless {
		for next := b.InYear(b.First.Time().Year() - 1); next.Last >= a.First; next = b.InYear(b.First.Time().Year() - 1) {
			b.Span = next
		}
		for b.Last < a.First {
			b.Span = b.InYear(b.First.Time().Year() + 1)
		}
	}
	if a.Yearless {
		a, _ = Reader{Words: r.Words, Today: b.Last}.Point(at)
	}
	return a, b
}

// readOpenEnded reads "since A", "until A", "before A", "after A".
func readOpenEnded(r Reader, i int) (Period, bool) {
	word, skipped := r.text(i), 1
	from, isFrom := r.Point(i + 1)
	if word == "from" && isFrom && r.isOneOf(i+1+from.Words, "on", "onward", "onwards", "forward") {
		return Period{Span: calendar.Span{First: from.First, Last: max(r.Today, from.First)}, Words: from.Words + 2,
			Yearless: from.Yearless, Since: true, Open: true}, true
	}
	switch {
	case r.are(i, "up", "to"), r.are(i, "up", "until"), r.are(i, "up", "till"):
		word, skipped = "until", 2
	case r.are(i, "ever", "since"), r.are(i, "starting", "from"), r.are(i, "starting", "in"),
		r.are(i, "starting", "on"), r.are(i, "beginning", "with"):
		word, skipped = "since", 2
	case word == "starting":
		word = "since"
	}
	p, found := r.Point(i + skipped)
	p.Words += skipped - 1
	if !found || word == "by" && !p.Edge {
		return Period{}, false
	}
	all := calendar.Span{First: ledger.MinDate, Last: r.Today}
	switch word {
	case "since":
		all.First = p.First
		if p.Moment != 0 && !p.Edge {
			all.First = p.Moment
		}
		all.Last = max(all.Last, all.First)
	case "until", "till", "through", "by":
		all.Last = p.Last
		if p.starts {
			all.Last = p.First - 1
		}
	case "before":
		all.Last = p.First - 1
		if p.Edge && !p.starts && p.Moment == 0 { // "before the end of May"
			all.Last = p.Last
		}
	case "after":
		all.First = p.Last + 1
		if p.starts {
			all.First = p.First
		}
		all.Last = max(r.Today, all.First)
	default:
		return Period{}, false
	}
	if word == "by" {
		all.Moment = all.Last
	}
	return Period{Span: all, Words: p.Words + 1, Yearless: p.Yearless, Since: word == "since", Open: true,
		ongoing: p.Edge && word != "since"}, true
}

// Plain reads a period with or without the words that lead to it.
func (r Reader) Plain(i int) (Period, bool) {
	skipped := r.leading(i)
	p, found := r.Point(i + skipped)
	p.Words += skipped
	return p, found
}

// leading is how many words lead to a period.
func (r Reader) leading(i int) (words int) {
	for {
		at := i + words
		switch {
		case r.are(at, "all", "time"), r.are(at, "all", "years"):
			return words
		case r.are(at, "month", "of"), r.are(at, "as", "of"):
			words += 2
		case r.text(at) == "at" && (r.text(at+1) == "the" || r.isOneOf(at+1, "end", "start", "beginning")) &&
			(r.isOneOf(at+2, "end", "close", "beginning", "start", "of")):
			words++
		case r.isOneOf(at, "in", "on", "during", "for", "over", "within", "of", "by", "the", "whole", "all"):
			words++
		default:
			return words
		}
	}
}

// Point reads one period that is no range.
func (r Reader) Point(i int) (Period, bool) {
	if r.text(i) == "the" {
		p, found := r.Point(i + 1)
		p.Words++
		return p, found
	}
	for _, read := range []func(Reader, int) (Period, bool){readEdge, readPartOf, readHalf, readNamed, readRelative,
		readAgo, readDate, readMonthDay, readDayMonth, readMonth, readPart, readWeekday, readWeekend, readYear} {
		p, found := read(r, i)
		if found {
			return p, true
		}
	}
	return Period{}, false
}

// readEdge reads where a period begins, ends or has its middle: "the end of May", "mid-March", "start of the year".
// The middle of a month is its 15th; that of a year lies between June and July, so that what is since then begins in
// July, and what is until then ends in June.
func readEdge(r Reader, i int) (Period, bool) {
	which, words := r.text(i), 1
	switch which {
	case "end", "close", "beginning", "start", "middle":
		words = 2
		if r.text(i+1) != "of" {
			return Period{}, false
		}
	case "mid":
	default:
		return Period{}, false
	}
	p, found := r.whole(i + words)
	if !found || p.Edge || p.Unit == calendar.Day && p.First == p.Last {
		return Period{}, false
	}
	p.Words, p.Edge = p.Words+words, true
	switch {
	case which == "end" || which == "close":
		p.Span = calendar.Span{First: p.Last, Last: p.Last}
	case which == "beginning" || which == "start":
		p.starts = true
		p.Span = calendar.Span{First: p.First, Last: p.First}
	case p.Unit == calendar.Month:
		middle := p.First.AddDays(14)
		p.Span = calendar.Span{First: middle, Last: middle, Moment: middle}
	case p.Unit == calendar.Year:
		july := ledger.NewDate(p.First.Time().Year(), time.July, 1)
		p.Span = calendar.Span{First: july, Last: july - 1, Moment: july}
	default:
		return Period{}, false
	}
	p.ongoing = false
	return p, true
}

// whole is a period that something is a part of. What "the year" and "the month" are is the one that today lies in.
func (r Reader) whole(i int) (Period, bool) {
	skipped := 0
	if r.text(i) == "the" {
		skipped = 1
	}
	u, isUnit := token.UnitNamed(r.text(i + skipped))
	if isUnit && u != calendar.Day && !calendar.IsYear(r.text(i+skipped+1)) {
		return Period{Span: u.Whole(r.Today), Words: skipped + 1}, true
	}
	return r.Point(i)
}

// readNamed reads days and spans that have a name.
func readNamed(r Reader, i int) (Period, bool) {
	on := func(d ledger.Date, words int) (Period, bool) {
		return Period{Span: calendar.Span{First: d, Last: d}, Words: words}, true
	}
	switch {
	case r.text(i) == "today":
		return on(r.Today, 1)
	case r.text(i) == "yesterday":
		return on(r.Today-1, 1)
	case r.are(i, "day", "before", "yesterday"):
		return on(r.Today-2, 3)
	case r.text(i) == "ytd":
		return Period{Span: calendar.Year.Whole(r.Today), Words: 1, ongoing: true}, true
	case r.are(i, "year", "to", "date"):
		return Period{Span: calendar.Year.Whole(r.Today), Words: 3, ongoing: true}, true
	case r.text(i) == "mtd":
		return Period{Span: calendar.Month.Whole(r.Today), Words: 1, ongoing: true}, true
	case r.are(i, "month", "to", "date"):
		return Period{Span: calendar.Month.Whole(r.Today), Words: 3, ongoing: true}, true
	case r.text(i) == "ever":
		return Period{Span: calendar.Span{First: ledger.MinDate, Last: r.Today}, Words: 1}, true
	case r.are(i, "all", "time"), r.are(i, "all", "years"):
		return Period{Span: calendar.Span{First: ledger.MinDate, Last: r.Today}, Words: 2}, true
	}
	return Period{}, false
}

// readRelative reads "this month", "last year", "previous quarter", "last 30 days", "past three months", "past year".
// "The last year" ends today; "last year" is the one before this.
func readRelative(r Reader, i int) (Period, bool) {
	which := r.text(i)
	switch which {
	case "this", "current", "last", "previous", "prior", "past":
	default:
		return Period{}, false
	}
	n, isNumber := r.number(i + 1)
	if isNumber && which != "this" {
		u, known := token.UnitNamed(r.text(i + 2))
		p := rolling(r, u, n)
		p.Words = 3
		return p, known && n > 0
	}
	u, known := token.UnitNamed(r.text(i + 1))
	switch {
	case !known, r.isPlural(i + 1): // "the last months" are not said to be how many
		return Period{}, false
	case which == "past", which == "last" && i > 0 && r.Words[i-1].Text == "the":
		p := rolling(r, u, 1)
		p.Words = 2
		return p, true
	case which == "this" || which == "current":
		return Period{Span: u.Whole(r.Today), Words: 2, ongoing: true}, true
	}
	return Period{Span: u.Whole(u.StartOf(r.Today) - 1), Words: 2}, true
}

// rolling is the last n units that end today.
func rolling(r Reader, u calendar.Unit, n int) Period {
	n = min(n, 4000)
	return Period{Span: calendar.Span{First: u.Back(r.Today, n) + 1, Last: r.Today, Rolling: n * u.Months()}}
}

// readAgo reads "3 days ago", "a year ago": the unit that the day lies in, or the day where one is meant.
func readAgo(r Reader, i int) (Period, bool) {
	n, isNumber := r.number(i)
	u, known := token.UnitNamed(r.text(i + 1))
	if !isNumber || !known || !r.isOneOf(i+2, "ago", "earlier") {
		return Period{}, false
	}
	d := u.Back(r.Today, min(n, 4000))
	s := u.Whole(d)
	s.Moment = d
	return Period{Span: s, Words: 3, ongoing: true}, true
}
