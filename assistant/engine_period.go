package assistant

import (
	"slices"

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
}

// calendarReader finds periods in the words of a question.
type calendarReader struct {
	words     []word
	today     ledger.Date
	comparing bool // "A to B" are two periods and not one
	things    bool // what is compared is something else, so that "from A to B" is one
}

// at reads the period that begins with a word; false when none does. What is begun and not over ends today, unless
// its end was said.
func (r calendarReader) at(i int) (period, bool) {
	for _, read := range []func(int) (period, bool){r.fromTo, r.openEnded, r.plain} {
		p, found := read(i)
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

// fromTo reads "from A to B", "between A and B" and "A to B".
func (r calendarReader) fromTo(i int) (period, bool) {
	start, enders := i, []string{"to", "until", "till", "through", "thru"}
	switch r.text(i) {
	case "from":
		start++
	case "between":
		start, enders = i+1, []string{"and", "to"}
	}
	a, found := r.point(start)
	if d, isDay := r.dayBefore(start); isDay && !found {
		a, found = d, true
	}
	if !found || !r.isOneOf(start+a.words, enders...) {
		return period{}, false
	}
	at := start + a.words + 1
	b, found := r.point(at)
	if !found || r.comparing && !r.things && !r.isOpposed(i, at+b.words) {
		return period{}, false
	}
	a, b = r.agreed(start, a, b)
	return period{span: span{first: a.first, last: b.last}, words: at + b.words - i}, true
}

// isOpposed says whether words are compared with something before or behind them: "from March to May vs October".
func (r calendarReader) isOpposed(from, end int) bool {
	isOne := func(i int, texts ...string) bool {
		return i >= 0 && i < len(r.words) && slices.Contains(texts, r.words[i].text)
	}
	return isOne(from-1, "vs", "versus", "with", "against", "than") || isOne(end, "vs", "versus", "with", "against", "than", "compared")
}

// dayBefore reads the "3" of "3 to 9 May": a day of the month that the end of the range says.
func (r calendarReader) dayBefore(i int) (period, bool) {
	words := 1
	if r.text(i) == "the" {
		words = 2
	}
	n, isDay := dayNumber(r.text(i + words - 1))
	end, found := r.point(i + words + 1)
	if !isDay || !found || end.first != end.last {
		return period{}, false
	}
	d := end.first.MonthStart().AddDays(n - 1)
	return onDay(d, words), d <= end.last
}

// agreed gives the ends of a range the years that were not said: the end is the first that follows a beginning with
// a year, and the beginning the last that comes before the end.
func (r calendarReader) agreed(at int, a, b period) (period, period) {
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

// openEnded reads "since A", "until A", "before A", "after A".
func (r calendarReader) openEnded(i int) (period, bool) {
	word := r.text(i)
	p, found := r.point(i + 1)
	if r.are(i, "up", "to") {
		word = "until"
		p, found = r.point(i + 2)
		p.words++
	}
	if !found {
		return period{}, false
	}
	all := span{first: ledger.MinDate, last: r.today}
	switch word {
	case "since":
		all.first = p.first
		if p.moment != 0 {
			all.first = p.moment
		}
		all.last = max(all.last, all.first)
	case "until", "till", "through":
		all.last = p.last
	case "before":
		all.last = p.first - 1
	case "after":
		all.first, all.last = p.last+1, max(r.today, p.last+1)
	default:
		return period{}, false
	}
	return period{span: all, words: p.words + 1, since: word == "since"}, true
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
		case r.are(at, "at", "the", "end"), r.are(at, "at", "the", "beginning"), r.are(at, "at", "the", "start"):
			words += 2
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
	for _, read := range []func(int) (period, bool){r.edge, r.partOf, r.named, r.relative, r.ago, r.date, r.monthDay, r.dayMonth, r.monthOf, r.part, r.weekday, r.weekend, r.year} {
		if p, found := read(i); found {
			return p, true
		}
	}
	return period{}, false
}

// edge reads "the end of May", "the beginning of the year": a single day.
func (r calendarReader) edge(i int) (period, bool) {
	first := r.isOneOf(i, "beginning", "start")
	if r.text(i+1) != "of" || !first && r.text(i) != "end" {
		return period{}, false
	}
	p, found := r.point(i + 2)
	if u, known := unitNamed(r.text(i + 3)); !found && known && r.text(i+2) == "the" {
		p, found = period{span: u.whole(r.today), words: 2}, true
	}
	if found && first {
		p.last = p.first
	}
	p.span = span{first: p.last, last: p.last}
	p.words += 2
	return p, found
}

// named reads days and spans that have a name.
func (r calendarReader) named(i int) (period, bool) {
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

// relative reads "this month", "last year", "previous quarter", "last 30 days", "past three months", "past year". "The
// last year" ends today; "last year" is the one before this.
func (r calendarReader) relative(i int) (period, bool) {
	which := r.text(i)
	switch which {
	case "this", "current", "last", "previous", "prior", "past":
	default:
		return period{}, false
	}
	if n, isNumber := r.number(i + 1); isNumber && which != "this" {
		u, known := unitNamed(r.text(i + 2))
		p := r.rolling(u, n)
		p.words = 3
		return p, known && n > 0
	}
	u, known := unitNamed(r.text(i + 1))
	switch {
	case !known:
		return period{}, false
	case which == "past", which == "last" && i > 0 && r.words[i-1].text == "the":
		p := r.rolling(u, 1)
		p.words = 2
		return p, true
	case which == "this" || which == "current":
		return period{span: u.whole(r.today), words: 2, ongoing: true}, true
	}
	return period{span: u.whole(u.startOf(r.today) - 1), words: 2}, true
}

// rolling is the last n units that end today.
func (r calendarReader) rolling(u unit, n int) period {
	n = min(n, 4000)
	return period{span: span{first: u.back(r.today, n) + 1, last: r.today, rolling: n * u.months()}}
}

// ago reads "3 days ago", "a year ago": the unit that the day lies in, or the day where one is meant.
func (r calendarReader) ago(i int) (period, bool) {
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
