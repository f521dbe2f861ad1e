package pdf

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/pdf/extract"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// pdfDate is a date as it is printed: the year is 0 when it is left out. Open says that day and month are two
// numbers whose order the date itself does not tell.
type pdfDate struct {
	year, month, day int
	open             bool
	text             string
}

// dateReader finds dates among words. DayFirst is the order of day and month where a date has only numbers between
// slashes or hyphens; points always have the day first.
type dateReader struct {
	datePatterns
	lexicon  *wordCache
	dayFirst bool
}

func newPDFDates(lexicon *wordCache, dayFirst bool) *dateReader {
	return &dateReader{lexicon: lexicon, dayFirst: dayFirst, datePatterns: lexicon.dates}
}

// datePatterns are the ways of writing a date: numbers from the day or the month on, from the year on, without a year,
// with the name of the month in the middle, and in front.
type datePatterns struct{ full, iso, short, named, front *regexp.Regexp }

func newDatePatterns() datePatterns {
	const name = `([\p{L}\p{M}]{3,12})\.?`
	return datePatterns{
		full:  regexp.MustCompile(`^(\d{1,2})([./-]) ?(\d{1,2})[./-] ?(\d{4}|\d{2})$`),
		iso:   regexp.MustCompile(`^(\d{4})[./-](\d{1,2})[./-](\d{1,2})\.?$`),
		short: regexp.MustCompile(`^(\d{1,2})([./-])(\d{1,2})[./-]?$`),
		named: regexp.MustCompile(`^(\d{1,2})(?:er|st|nd|rd|th|º|\.)?[ -]?(?:de |of )?` + name +
			`(?:,? ?-?(?:de |del )?(\d{4}|\d{2}))?$`),
		front: regexp.MustCompile(`^` + name + ` (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?,?$`),
	}
}

// at reads the longest date that begins with the word at i, and how many words it takes; 0 when there is none.
func (d *dateReader) at(words []extract.Word, i int) (pdfDate, int) {
	const most = 5 // 1 de enero de 2026
	n := 0
	for n < most && i+n < len(words) && d.may(words[i+n].Text, n > 0) {
		n++
	}
	for ; n > 0; n-- {
		if wideGap(words[i : i+n]) {
			continue
		}
		text := joinedWords(words[i : i+n])
		if date, ok := d.read(strings.TrimRight(text, ",;:"), n == 1); ok {
			date.text = text
			return date, n
		}
	}
	return pdfDate{}, 0
}

// may reports whether a word may be of a date.
func (d *dateReader) may(word string, inside bool) bool {
	return strings.ContainsAny(word, "0123456789") || inside && (word == "de" || word == "del" || word == "of") ||
		d.lexicon.month(word) > 0
}

// leading reads the date that a line begins with and how many words it takes; a short number, such as that of a
// check, may stand before it. First is the place of the date.
func (d *dateReader) leading(line *pdfRow) (date pdfDate, n, first int) {
	date, n = d.at(line.words, 0)
	if n > 0 {
		return date, n, 0
	}
	number := strings.TrimRight(line.words[0].Text, "*")
	if len(line.words) > 1 && number != "" && len(number) <= 8 && strings.Trim(number, "0123456789") == "" {
		date, n = d.at(line.words, 1)
		if n > 0 {
			return date, n, 1
		}
	}
	return date, 0, 0
}

// wideGap reports whether there is a gap between the words that no space makes.
func wideGap(words []extract.Word) bool {
	for i := 1; i < len(words); i++ {
		if words[i].X-words[i-1].Right() > 1.0*words[i].Size {
			return true
		}
	}
	return false
}

// read reads the whole of a text as a date.
func (d *dateReader) read(text string, single bool) (pdfDate, bool) {
	if m := d.iso.FindStringSubmatch(text); m != nil {
		return inCalendar(pdfDate{year: number4(m[1]), month: atoi(m[2]), day: atoi(m[3])})
	}
	if m := d.full.FindStringSubmatch(text); m != nil {
		return d.ordered(m[1], m[2], m[3], number4(m[4]))
	}
	if m := d.short.FindStringSubmatch(text); m != nil && single {
		return d.ordered(m[1], m[2], m[3], 0)
	}
	if m := d.named.FindStringSubmatch(text); m != nil {
		return inCalendar(pdfDate{year: number4(m[3]), month: d.lexicon.month(m[2]), day: atoi(m[1])})
	}
	if m := d.front.FindStringSubmatch(text); m != nil {
		return inCalendar(pdfDate{year: number4(m[3]), month: d.lexicon.month(m[1]), day: atoi(m[2])})
	}
	return pdfDate{}, false
}

func (d *dateReader) ordered(first, separator, second string, year int) (pdfDate, bool) {
	date := pdfDate{year: year, day: atoi(first), month: atoi(second), open: separator != "."}
	if date.open && !d.dayFirst {
		date.day, date.month = date.month, date.day
	}
	return inCalendar(date)
}

// inCalendar refuses what is in no calendar; a 29 February without a year may be.
func inCalendar(d pdfDate) (pdfDate, bool) {
	year := d.year
	if year == 0 {
		year = 2000
	}
	return d, d.month >= 1 && d.month <= 12 && d.day >= 1 && d.day <= notation.DaysIn(year, d.month)
}

// number4 is a year of four digits or two; 0 of none.
func number4(text string) int {
	year := atoi(text)
	if len(text) == 2 {
		year += notation.Century(year)
	}
	return year
}

// atoi reads digits that an expression has let through.
func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// date is the day, when the year is known.
func (d pdfDate) date() (ledger.Date, bool) {
	if d.year == 0 || d.day > notation.DaysIn(d.year, d.month) {
		return 0, false
	}
	date := ledger.NewDate(d.year, time.Month(d.month), d.day)
	return date, date.Check() == nil
}

// pdfPeriod is the time that a statement says it covers; the zero value when it says nothing.
type pdfPeriod struct{ first, last ledger.Date }

// near is how many days before and after its period a statement may show: bookings of the last days before it.
const nearPeriod = 45

// periodOf finds the period of a statement: two days in one line, else the days of its balances or of the statement
// itself, else a month that is named.
func (d *dateReader) periodOf(lines []*pdfRow) pdfPeriod {
	var labelled []ledger.Date
	for _, line := range lines {
		days, others := d.fullDates(line)
		if _, n := d.at(line.words, 0); n > 0 && others > 1 {
			continue // a row
		}
		if len(days) == 2 && days[0] < days[1] && days[1]-days[0] <= 400 {
			return pdfPeriod{days[0], days[1]}
		}
		if len(days) == 1 && d.isLabelled(line) {
			labelled = append(labelled, days[0])
		}
	}
	if len(labelled) > 0 {
		return spanOf(labelled)
	}
	// Find a month and a year beside each other in a line without amounts, such as December 2025.
	for _, line := range lines {
		for i := 1; i < len(line.words) && len(line.words) <= 6; i++ {
			year, month := line.words[i].Text, d.lexicon.month(line.words[i-1].Text)
			if len(year) == 4 && strings.Trim(year, "0123456789") == "" && atoi(year) >= 1970 && month > 0 {
				first := ledger.NewDate(atoi(year), time.Month(month), 1)
				return pdfPeriod{first, first.AddDays(notation.DaysIn(atoi(year), month) - 1)}
			}
		}
	}
	return pdfPeriod{}
}

// spanOf is from the first to the last day; a single one ends a month.
func spanOf(days []ledger.Date) pdfPeriod {
	p := pdfPeriod{days[0], days[0]}
	for _, day := range days {
		p.first, p.last = min(p.first, day), max(p.last, day)
	}
	if p.first == p.last {
		p.first -= 31
	}
	if p.last-p.first > 400 {
		return pdfPeriod{}
	}
	return p
}

// fullDates are the dates with a year in a line, and how many words are none of them.
func (d *dateReader) fullDates(line *pdfRow) (days []ledger.Date, others int) {
	for i := 0; i < len(line.words); {
		found, n := d.at(line.words, i)
		if day, ok := found.date(); n > 0 && ok {
			days = append(days, day)
		} else if pair := d.pair(line.words[i].Text); len(pair) == 2 {
			days = append(days, pair...)
		} else {
			others += max(n, 1)
		}
		i += max(n, 1)
	}
	return days, others
}

// pair reads two dates that are written together: 01.12.2025-31.12.2025.
func (d *dateReader) pair(text string) (days []ledger.Date) {
	if !strings.ContainsAny(text, "0123456789") || len(text) < len("1.1.25-1.2.25") {
		return nil
	}
	middle := strings.FieldsFunc(text, func(r rune) bool { return r == '–' || r == '-' })
	for _, part := range middle {
		found, ok := d.read(part, true)
		if day, known := found.date(); ok && known {
			days = append(days, day)
		}
	}
	if len(middle) != 2 {
		return nil
	}
	return days
}

// isLabelled reports whether a line says of its date that it is the statement's, or a balance's.
func (d *dateReader) isLabelled(line *pdfRow) bool {
	plain := text.Plain(line.text())
	for i := range line.words {
		if kind, _ := d.lexicon.balance(line.words[i:]); kind != noBalance {
			return true
		}
	}
	return slices.ContainsFunc(lexicon.Words(lexicon.PrintedStatement),
		func(word string) bool { return strings.Contains(plain, word) })
}
