package notation

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"finsvc/importer/lexicon"
	"finsvc/ledger"
)

// DatePattern is a strptime pattern made ready: literals and numbers in their order.
type DatePattern struct {
	Text  string
	Parts []DatePart
}

// DatePart is a specifier, or a literal when verb is 0.
type DatePart struct {
	Verb    byte
	literal string
	fixed   bool // digits follow or precede directly, so all digits must be written
}

// What the composite specifiers stand for.
func expandVerb(verb byte) string {
	switch verb {
	case 'F':
		return "%Y-%m-%d"
	case 'D':
		return "%m/%d/%y"
	case 'T':
		return "%H:%M:%S"
	case 'R':
		return "%H:%M"
	}
	return ""
}

const (
	numericVerbs = "YymdeHIMSjfLN"
	knownVerbs   = numericVerbs + "bBhaAzZpP"
)

// NewDatePattern checks a pattern: it must know every specifier and name a whole date.
func NewDatePattern(text string) (DatePattern, error) {
	p := DatePattern{Text: text}
	if err := p.add(text); err != nil {
		return p, err
	}
	if !p.whole() {
		return p, fmt.Errorf("must name year, month and day, such as %%d.%%m.%%Y, got %s", ledger.Quote(text))
	}
	for i := 1; i < len(p.Parts); i++ {
		if p.Parts[i-1].numeric() && p.Parts[i].numeric() {
			p.Parts[i-1].fixed, p.Parts[i].fixed = true, true
		}
	}
	return p, nil
}

func (p *DatePattern) add(text string) error {
	for text != "" {
		i := strings.IndexByte(text, '%')
		if i < 0 {
			i = len(text)
		}
		if i > 0 {
			p.Parts = append(p.Parts, DatePart{literal: text[:i]})
			text = text[i:]
			continue
		}
		verb := strings.TrimLeft(text[1:], "-_0") // padding flags of other dialects
		if verb == "" {
			return fmt.Errorf("must not end in a lone %%, got %s", ledger.Quote(p.Text))
		}
		if err := p.addVerb(verb[0]); err != nil {
			return err
		}
		text = verb[1:]
	}
	return nil
}

func (p *DatePattern) addVerb(verb byte) error {
	if composite := expandVerb(verb); composite != "" {
		return p.add(composite)
	}
	switch {
	case verb == '%':
		p.Parts = append(p.Parts, DatePart{literal: "%"})
	case strings.IndexByte(knownVerbs, verb) >= 0:
		p.Parts = append(p.Parts, DatePart{Verb: verb})
	default:
		return fmt.Errorf("has a specifier that is not understood: %s", ledger.Quote("%"+string(verb)))
	}
	return nil
}

func (p DatePattern) whole() bool {
	has := func(verbs string) bool {
		for _, part := range p.Parts {
			if part.Verb != 0 && strings.IndexByte(verbs, part.Verb) >= 0 {
				return true
			}
		}
		return false
	}
	return has("Yy") && (has("j") || has("mbBh") && has("de"))
}

func (d DatePart) numeric() bool { return d.Verb != 0 && strings.IndexByte(numericVerbs, d.Verb) >= 0 }

// Parse reads a cell strictly: all of it must fit and the day must exist. Times and zones are read only
// where the pattern has them, and never move the day. The error continues the column's name.
func (p DatePattern) Parse(cell string) (ledger.Date, error) {
	date, fits, exists := p.Scan(cell)
	switch {
	case !fits:
		return 0, fmt.Errorf("must be a date written as %s, got %s", p.Text, ledger.Quote(cell))
	case !exists:
		return 0, fmt.Errorf("must be a day that exists, got %s", ledger.Quote(cell))
	}
	return date, date.Check()
}

// Scan reads a cell without saying what is wrong with it: whether it fits the pattern, and whether the day exists.
func (p DatePattern) Scan(cell string) (date ledger.Date, fits, exists bool) {
	f := DateFields{month: 1, day: 1}
	rest, ok := cell, true
	for _, part := range p.Parts {
		rest, ok = f.take(part, rest)
		if !ok {
			return 0, false, false
		}
	}
	if rest != "" {
		return 0, false, false
	}
	if f.day > DaysIn(f.year, f.month) || f.yearDay > 365 && DaysIn(f.year, 2) == 28 {
		return 0, true, false
	}
	if f.yearDay > 0 {
		f.month, f.day = 1, f.yearDay
	}
	return ledger.NewDate(f.year, time.Month(f.month), f.day), true, true
}

type DateFields struct {
	year, month, day, yearDay int
}

// take reads one part off the text and gives the rest.
func (f *DateFields) take(part DatePart, text string) (string, bool) {
	switch part.Verb {
	case 0:
		return takeLiteral(part.literal, text)
	case 'b', 'B', 'h':
		return takeName(text, lexicon.Month, &f.month)
	case 'a', 'A':
		return takeName(text, lexicon.Weekday, new(int))
	case 'z', 'Z':
		return TakeZone(text)
	case 'p', 'P':
		if len(text) < 2 || !strings.EqualFold(text[:2], "am") && !strings.EqualFold(text[:2], "pm") {
			return "", false
		}
		return text[2:], true
	}
	return f.TakeNumber(part, text)
}

func (f *DateFields) TakeNumber(part DatePart, text string) (string, bool) {
	if part.Verb == 'd' || part.Verb == 'e' {
		text = strings.TrimLeft(text, " ")
	}
	least, most, digits := limits(part.Verb)
	n, value := 0, 0
	for n < digits && n < len(text) && text[n] >= '0' && text[n] <= '9' {
		value = value*10 + int(text[n]-'0')
		n++
	}
	whole := part.fixed && digits < 9 || part.Verb == 'Y' || part.Verb == 'y'
	if n == 0 || whole && n < digits || value < least || value > most {
		return "", false
	}
	switch part.Verb {
	case 'Y':
		f.year = value
	case 'y':
		f.year = Century(value) + value
	case 'm':
		f.month = value
	case 'd', 'e':
		f.day = value
	case 'j':
		f.yearDay = value
	}
	return text[n:], true
}

// limits of a number: its least and greatest value, and how many digits it may have.
func limits(verb byte) (least, most, digits int) {
	switch verb {
	case 'Y':
		return 0, 9999, 4
	case 'y':
		return 0, 99, 2
	case 'm', 'I':
		return 1, 12, 2
	case 'd', 'e':
		return 1, 31, 2
	case 'j':
		return 1, 366, 3
	case 'H':
		return 0, 23, 2
	case 'M':
		return 0, 59, 2
	case 'S':
		return 0, 60, 2
	}
	return 0, 999_999_999, 9 // fractions of a second
}

// Century of a two-digit year: 69 to 99 are of the twentieth, 00 to 68 of the twenty-first.
func Century(year int) int {
	if year >= 69 {
		return 1900
	}
	return 2000
}

// takeLiteral wants the literal as it is written; white space in it stands for any amount of it.
func takeLiteral(literal, text string) (string, bool) {
	if rest, ok := strings.CutPrefix(text, literal); ok && !strings.ContainsFunc(literal, unicode.IsSpace) {
		return rest, true
	}
	for _, r := range literal {
		if unicode.IsSpace(r) {
			trimmed := strings.TrimLeftFunc(text, unicode.IsSpace)
			if len(trimmed) == len(text) {
				return "", false
			}
			text = trimmed
			continue
		}
		rest, ok := strings.CutPrefix(text, string(r))
		if !ok {
			return "", false
		}
		text = rest
	}
	return text, true
}

// takeName reads a name of a month or a day of the week, whole or shortened.
func takeName(text string, number func(name string) int, into *int) (string, bool) {
	end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	if end < 0 {
		end = len(text)
	}
	*into = number(text[:end])
	return text[end:], *into > 0
}

// TakeZone reads Z, a name such as UTC, or an offset such as +02:00.
func TakeZone(text string) (string, bool) {
	end := strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) })
	if end < 0 {
		end = len(text)
	}
	if end > 0 {
		return text[end:], end <= 5
	}
	if text == "" || text[0] != '+' && text[0] != '-' {
		return "", false
	}
	rest := strings.TrimLeft(text[1:], "0123456789:")
	digits := len(text) - 1 - len(rest)
	return rest, digits >= 2 && digits <= 5
}

// DaysIn is the length of a month; the calendar is asked only where it matters.
func DaysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
	default:
		return 31
	}
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}
