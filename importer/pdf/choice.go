package pdf

import (
	"fmt"
	"slices"

	"finsvc/importer/record"
	"finsvc/ledger"
)

// choose takes the one reading that is proven, or the one of several for which there is more than the sum. Otherwise
// it says which setting decides.
func (sr *statementReader) choose(proven []reading) (reading, string) {
	// Leave out readings whose days are outside of the statement's period, or in no order, when others of the
	// same amounts are not.
	readings := fullest(proven)
	for _, good := range []func(reading) bool{reading.inPeriod, reading.inOrder} {
		kept := slices.Clone(readings)
		kept = slices.DeleteFunc(kept, func(r reading) bool { return !good(r) })
		if len(kept) > 0 && len(kept) < len(readings) && sameBut(readings,
			func(a, b pdfBooked) bool { return a.minor == b.minor }) {
			readings = kept
		}
	}
	proven = readings
	if len(proven) == 1 {
		return proven[0], ""
	}
	if sameBut(proven, func(a, b pdfBooked) bool { return a.minor == b.minor }) {
		return proven[0], "can be read with the day or with the month first, and both add up: give date_format, such as %d/%m/%Y or %m/%d/%Y"
	}
	if sr.account.Liability && len(proven) == 2 && sameBut(proven,
		func(a, b pdfBooked) bool { return a.minor == -b.minor }) {
		for _, r := range proven {
			if r.likelySign() {
				return r, ""
			}
		}
		return proven[0], askSign
	}
	if sameBut(proven, func(a, b pdfBooked) bool { return max(a.minor, -a.minor) == max(b.minor, -b.minor) }) {
		return proven[0], askSign
	}
	return proven[0], fmt.Sprintf("can be read in %d ways that all add up: get the bank's CSV instead", len(proven))
}

const askSign = "can be read with its amounts as money in or as money out, and both add up: give signage_convention, inflows_positive or inflows_negative"

// sameBut reports whether all readings have the same entries, with amounts that are alike.
func sameBut(readings []reading, alike func(a, b pdfBooked) bool) bool {
	first := readings[0]
	return !slices.ContainsFunc(readings[1:], func(r reading) bool {
		return !slices.EqualFunc(first.rows, r.rows, func(a,
			b pdfBooked) bool {
			return a.entry.line == b.entry.line && alike(a, b)
		})
	})
}

// likelySign says of a card's or a loan's reading whether both its balances and most of its rows speak for its sign:
// what is spent there is money out, and what is owed is a balance below zero.
func (r *reading) likelySign() bool {
	out := 0
	for _, row := range r.rows {
		if row.minor < 0 {
			out++
		}
	}
	return r.opening <= 0 && r.closing <= 0 && 2*out > len(r.rows)
}

// fullest leaves out readings that miss entries, when another one has them all: amounts of one column may happen to
// add up without those of another.
func fullest(readings []reading) []reading {
	misses := func(r reading) bool { return len(r.rows) < len(r.guess.sheet.entries) }
	if !slices.ContainsFunc(readings, func(r reading) bool { return !misses(r) }) {
		return readings
	}
	return slices.DeleteFunc(readings, misses)
}

func (r reading) days() []ledger.Date {
	var days []ledger.Date
	for _, row := range r.rows {
		day, _ := r.guess.day(row.entry)
		days = append(days, day)
	}
	return days
}

func (r reading) inPeriod() bool {
	p := r.guess.sheet.period
	const slack = 5 // days that a booking may come late
	return p != pdfPeriod{} && !slices.ContainsFunc(r.days(),
		func(day ledger.Date) bool { return day < p.first-slack || day > p.last+slack })
}

func (r reading) inOrder() bool {
	days := r.days()
	forward := slices.IsSorted(days)
	slices.Reverse(days)
	return forward || slices.IsSorted(days)
}

// header is that of the table that most rows stand in.
func (r *reading) header() []string {
	counts, best := map[int]int{}, -1
	for _, row := range r.rows {
		at := row.entry.header
		counts[at]++
		if at >= 0 && (best < 0 || counts[at] > counts[best]) {
			best = at
		}
	}
	if best < 0 {
		return nil
	}
	var titles []string
	for _, cell := range r.guess.sheet.headers[best].cells {
		titles = append(titles, cell.text)
	}
	return titles
}

// found are the settings that come to this reading, beside those that were given.
func (r *reading) found(s record.Settings) record.Settings {
	g := r.guess
	if g.sheet.amounts.currency.Exponent > 0 {
		record.Otherwise(&s.NumberFormat, map[byte]string{'.': "1,234.56", ',': "1.234,56"}[g.sheet.amounts.decimal])
	}
	if slices.ContainsFunc(r.rows, func(b pdfBooked) bool { return b.entry.date.open }) {
		record.Otherwise(&s.DateFormat, map[bool]string{true: "%d/%m/%Y", false: "%m/%d/%Y"}[g.sheet.dates.dayFirst])
	}
	if slices.Contains(g.roles, pdfRoleAmount) && g.sections == noSections {
		record.Otherwise(&s.SignageConvention, map[int64]string{1: record.InflowsPositive,
			-1: record.InflowsNegative}[g.amounts])
	}
	for _, row := range r.rows[:1] {
		if row.entry.header >= 0 {
			nameColumns(&s, g.sheet.headers[row.entry.header])
		}
	}
	return s
}

// nameColumns sets the labels of the columns that a header has. Of debits and credits only both together are a setting.
func nameColumns(s *record.Settings, h header) {
	label := map[role]string{}
	for _, cell := range h.cells {
		if label[cell.role] == "" {
			label[cell.role] = cell.text
		}
	}
	labels := map[role]**string{pdfRoleDate: &s.DateColLabel, pdfRoleText: &s.NameColLabel,
		pdfRoleAmount: &s.AmountColLabel}
	if label[pdfRoleDebit] != "" && label[pdfRoleCredit] != "" && label[pdfRoleAmount] == "" {
		labels[pdfRoleDebit], labels[pdfRoleCredit] = &s.DebitColLabel, &s.CreditColLabel
	}
	for role, setting := range labels {
		if label[role] != "" {
			record.Otherwise(setting, label[role])
		}
	}
}
