package qif

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/ledger"
)

// Order is the order in which a file writes its dates.
type Order int

const (
	dayFirst Order = iota
	monthFirst
	yearFirst
	qifOrders
)

// pattern is what a person would give as date_format.
func (o Order) pattern() string { return [...]string{"%d/%m/%Y", "%m/%d/%Y", "%y/%m/%d"}[o] }

// orderOf takes the order from a date_format: how the parts are written and parted varies within a QIF file.
func orderOf(p notation.DatePattern) Order {
	for _, part := range p.Parts {
		switch part.Verb {
		case 'Y', 'y':
			return yearFirst
		case 'd', 'e':
			return dayFirst
		case 'm', 'b', 'B', 'h':
			return monthFirst
		}
	}
	return yearFirst
}

// date is a date whose parts are known, but not what they mean.
type date struct {
	numbers [3]int
	digits  [3]int
	named   bool // the third number is the month, which was written as a word
}

// cutDate finds the parts of a date, whatever stands between them: 6/ 4'20, 04.06.2020, 26 Jan 2026, 20260126.
func cutDate(text string) (d date, ok bool) {
	parts := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) ||
			strings.ContainsRune("/.-'’,", r)
	})
	if len(parts) == 1 && len(parts[0]) == 8 {
		parts = []string{parts[0][:4], parts[0][4:6], parts[0][6:]}
	}
	if len(parts) != 3 {
		return d, false
	}
	n := 0
	for _, part := range parts {
		month := lexicon.Month(part)
		if month > 0 && !d.named {
			d.named, d.numbers[2], d.digits[2] = true, month, 2
			continue
		}
		value, places, ok := notation.PlainDigits(part, 0)
		if !ok || len(part) > 4 || len(part) == 3 || places > 0 || n == len(d.numbers) || n == 2 && d.named {
			return d, false
		}
		d.numbers[n], d.digits[n] = int(value), len(part)
		n++
	}
	return d, true
}

// in reads the date in an order; false when no such day exists. A year of four digits is a year wherever it
// stands first, and so is a month that is a word.
func (d date) in(order Order) (ledger.Date, bool) {
	at := [...][3]int{dayFirst: {2, 1, 0}, monthFirst: {2, 0, 1}, yearFirst: {0, 1, 2}}[order] // year, month, day
	switch {
	case d.named && d.digits[0] == 4:
		at = [3]int{0, 2, 1}
	case d.named:
		at = [3]int{1, 2, 0}
	case d.digits[0] == 4:
		at = [3]int{0, 1, 2}
	}
	year, month, day := d.numbers[at[0]], d.numbers[at[1]], d.numbers[at[2]]
	if d.digits[at[0]] <= 2 {
		year += notation.Century(year)
	}
	if d.digits[at[1]] > 2 || d.digits[at[2]] > 2 || month < 1 || month > 12 || day < 1 ||
		day > notation.DaysIn(year, month) {
		return 0, false
	}
	date := ledger.NewDate(year, time.Month(month), day)
	return date, date.Check() == nil
}

// dateProof gathers what the dates of a file prove about their order.
type dateProof struct {
	fits    [qifOrders]int     // how many dates fit an order
	only    [qifOrders]example // the first that fits no other
	spread  [qifOrders]qifSpread
	either  example // the first that means different days
	counted int
}

// qifSpread is how the dates of a file lie when they are read in an order.
type qifSpread struct {
	first, last, before ledger.Date
	ups, downs          int
}

func (s *qifSpread) add(d ledger.Date) {
	if s.before == 0 {
		s.first, s.last = d, d
	} else {
		if d > s.before {
			s.ups++
		}
		if d < s.before {
			s.downs++
		}
	}
	s.first, s.last, s.before = min(s.first, d), max(s.last, d), d
}

// likelier reports whether dates lie closer together than in another order, and are no less sorted.
func (s *qifSpread) likelier(than *qifSpread) bool {
	return s.last-s.first < than.last-than.first && min(s.ups, s.downs) <= min(than.ups, than.downs)
}

// example is a cell to show to a person.
type example struct {
	text string
	line int
}

func (e example) String() string { return fmt.Sprintf("%s (line %d)", ledger.Quote(e.text), e.line) }

func (e *example) note(text string, line int) {
	if e.line == 0 {
		*e = example{text, line}
	}
}

func (q *dateProof) add(text string, line int) {
	d, ok := cutDate(text)
	if !ok {
		return // an issue of its row
	}
	var dates [qifOrders]ledger.Date
	var fit []Order
	for order := range qifOrders {
		dates[order], ok = d.in(order)
		if ok {
			fit = append(fit, order)
			q.fits[order]++
			q.spread[order].add(dates[order])
		}
	}
	if len(fit) == 0 {
		return
	}
	q.counted++
	if len(fit) == 1 {
		q.only[fit[0]].note(text, line)
	}
	if dates[dayFirst] != dates[monthFirst] && dates[dayFirst] != 0 && dates[monthFirst] != 0 {
		q.either.note(text, line)
	}
}

// yearsFirst reports whether the dates may just as well begin with the year: 26/01/30 and 26/02/01 are rather two days of
// a winter than days of 2030 and 2001.
func (q *dateProof) yearsFirst(order Order) bool {
	return order != yearFirst && q.fits[yearFirst] == q.counted && q.spread[yearFirst].likelier(&q.spread[order])
}

// proved is the order that every date fits. The year counts as first only where some date allows nothing else.
func (q *dateProof) proved() (Order, error) {
	var all []Order
	for order := range qifOrders {
		if q.fits[order] == q.counted && (order != yearFirst || q.only[yearFirst].line > 0) {
			all = append(all, order)
		}
	}
	switch {
	case len(all) == 1 && q.yearsFirst(all[0]):
		return 0, &record.OpenQuestion{Setting: "date_format",
			Message: fmt.Sprintf("must be given: all dates of the file fit %s, and %s, which puts them closer together",
				all[0].pattern(), yearFirst.pattern())}
	case len(all) == 1 || len(all) > 1 && q.either.line == 0:
		return all[0], nil
	case len(all) > 1:
		return 0, &record.OpenQuestion{Setting: "date_format",
			Message: fmt.Sprintf("must be given: %s and all other dates of the file fit %s and %s",
				q.either, dayFirst.pattern(), monthFirst.pattern())}
	}
	var proofs []string
	for order := range qifOrders {
		if q.only[order].line > 0 {
			proofs = append(proofs, fmt.Sprintf("%s fits only %s", q.only[order], order.pattern()))
		}
	}
	return 0, &record.OpenQuestion{Setting: "date_format", Message: "must be given: the dates of the file fit no order all together; " + strings.Join(proofs, ", ")}
}
