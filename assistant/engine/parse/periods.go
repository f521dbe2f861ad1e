package parse

import (
	"slices"
	"time"

	"finsvc/assistant/engine/dates"
	"finsvc/assistant/engine/token"
	"finsvc/ledger/calendar"
)

// Relation says which other period a period is compared with.
type Relation struct {
	Before bool
	Unit   calendar.Unit // the unit before; day is the period itself
	Years  int           // the same period years before
}

// readPeriods reads all periods, and what one is compared with.
func readPeriods(r *reader) {
	r.calendar.Comparing = r.mentionsAny("compare", "compared", "comparison", "versus", "vs", "difference", "against")
	r.calendar.Things = comparesThings(r)
	r.calendar.Changing = r.mentionsAny("grow", "grew", "grown", "growth", "change", "changed", "increase",
		"increased", "decrease", "decreased", "rise", "rose", "risen",
		"fall", "fell", "fallen", "drop", "dropped", "up", "down")
	for i := range r.words {
		if r.are(i, "in") && r.are(i-1, "came|come|coming") {
			continue // "came in last month"
		}
		words := readRelation(r, i)
		if words > 0 {
			r.use(i, words)
			continue
		}
		p, found := r.calendar.At(i)
		if found {
			p.At = i
			r.use(i, p.Words)
			if !joinPeriod(r, p) {
				r.Periods = append(r.Periods, p)
				r.Against = r.Against || slices.Contains([]string{"with", "to", "than", "against", "versus", "vs"},
					r.before(i))
			}
		}
	}
	// Give the year that one of several periods says to those beside it: "Q1 vs Q2 2025", "May, June and July
	// 2025".
	dated := make([]bool, len(r.Periods))
	for i, p := range r.Periods {
		// Whether a period ends with its year: "May 2025", "May last year".
		last := r.words[p.At+p.Words-1].Text
		dated[i] = calendar.IsYear(last) || last == "year" || calendar.IsYear(r.words[p.At].Text)
	}
	for i := len(r.Periods) - 2; i >= 0; i-- {
		dated[i] = dated[i] || dated[i+1] && takeYear(r, i, i+1)
	}
	for i := 1; i < len(r.Periods); i++ {
		dated[i] = dated[i] || dated[i-1] && takeYear(r, i, i-1)
	}
	for i := range r.words {
		if r.are(i, "in") && r.isCurrency(i+1) {
			r.use(i, 2)
		}
	}
}

// joinPeriod makes one period of one that directly follows another and narrows it: "last year in May", "this year
// until the end of April", "in 2025 since March". A part of the one before that was not understood is not compared
// with it: "the last weekend of June".
func joinPeriod(r *reader, p dates.Period) bool {
	if len(r.Periods) == 0 {
		return false
	}
	last := &r.Periods[len(r.Periods)-1]
	isYear := last.Unit == calendar.Year && p.Yearless && (p.Unit != calendar.Year || p.Open)
	switch {
	case last.At+last.Words != p.At:
		return false
	case last.Unit == calendar.Month && p.Unit == calendar.Half && p.Yearless: // "May, first half"
		middle := last.First.MonthStart().AddDays(15)
		last.Words += p.Words
		if p.First.Time().Month() == time.July {
			last.Span = calendar.Span{First: middle, Last: last.Last}
		} else {
			last.Span = calendar.Span{First: last.First, Last: min(middle-1, last.Last)}
		}
		return true
	case isYear:
		year := r.calendar
		year.Today = min(calendar.Year.Whole(last.First).Last, year.Today)
		year.Words = slices.Clone(r.words)
		for i := range year.Words[p.At:] {
			year.Words[p.At+i].Used = false
		}
		again, found := year.At(p.At)
		if found && again.Words == p.Words {
			again.At = p.At
			p = again
		}
	case p.Open || last.Open:
	case last.Unit == calendar.Year && p.Unit < calendar.Year && last.Covers(p.Span):
	case r.isWord(p.At, "of", "in"):
		r.Missing = append(r.Missing, token.Joined(r.words[last.At:p.At+p.Words]))
		return true
	default:
		return false
	}
	s := calendar.Span{First: max(last.First, p.First), Last: min(last.Last, p.Last), Unit: p.Unit, Moment: p.Moment}
	if s.First > s.Last && !p.Edge {
		r.Missing = append(r.Missing, token.Joined(r.words[last.At:p.At+p.Words]))
	}
	last.Span, last.Words = s, last.Words+p.Words
	last.Edge, last.Open, last.Yearless = p.Edge, p.Open && last.Open, false
	return true
}

// takeYear moves a period to the year of one that it is joined to. The same part of the calendar is that of another
// year: "May vs May 2025".
func takeYear(r *reader, to, from int) bool {
	p, other := &r.Periods[to], r.Periods[from]
	first, second := r.Periods[min(to, from)], r.Periods[max(to, from)]
	behind := first.At + first.Words
	isJoined := second.At == behind || second.At == behind+1 && r.isWord(behind, "vs", "versus", "and", "or")
	isSame := p.First.Time().Month() == other.First.Time().Month()
	if !p.Yearless || !isJoined || isSame || p.Unit != other.Unit || p.Unit < calendar.Month {
		return false
	}
	p.Span = p.Unit.Whole(p.First).InYear(other.First.Time().Year()).ToDate(r.calendar.Today)
	return true
}

// comparesThings reports whether something other than periods is set against each other.
func comparesThings(r *reader) bool {
	for i := range r.words {
		if !r.opposes(i, true) && (r.words[i].Text != "and" || !r.mentionsAny("compare")) {
			continue
		}
		at := i + 1
		_, isPeriod := r.calendar.Plain(at)
		for ; !isPeriod && at < len(r.words) && isFiller(r.words[at].Text); at++ {
			_, isPeriod = r.calendar.Plain(at + 1)
		}
		if !isPeriod && at < len(r.words) {
			return true
		}
	}
	return false
}

// readRelation reads "the previous month", "the year before", "the same month last year", and says how many words
// that are. Without anything to compare with they are read as periods.
func readRelation(r *reader, i int) int {
	if !r.calendar.Comparing && !r.mentionsAny("than", "change", "changed", "grow", "increase", "decrease",
		"increased", "decreased") {
		return 0
	}
	skip := 0
	if r.are(i, "the") {
		skip = 1
	}
	u, known := token.UnitNamed(r.text(i + skip + 1))
	isUnit := known || r.are(i+skip+1, "period|one")
	switch {
	case r.are(i+skip, "previous|prior|preceding") && isUnit:
		r.Relation = Relation{Before: true, Unit: u}
		return skip + 2
	case r.are(i+skip, "day|week|month|quarter|year|one|period", "before"):
		u, _ = token.UnitNamed(r.text(i + skip))
		r.Relation = Relation{Before: true, Unit: u}
		return skip + 2
	case r.are(i+skip, "same", "day|week|month|quarter|period|time|months|days"):
		return readSame(r, i, skip+2)
	}
	return 0
}

// readSame reads which year "the same month" is of.
func readSame(r *reader, i, words int) int {
	if r.are(i+words, "of|in|the") {
		words++
	}
	if r.are(i+words, "the") {
		words++
	}
	switch {
	case r.are(i+words, "last|previous|prior", "year"), r.are(i+words, "year", "before"):
		words += 2
	case r.are(i+words, "a|one", "year", "ago|before|earlier"):
		words += 3
	default:
		return 0
	}
	r.Relation = Relation{Years: 1}
	return words
}
