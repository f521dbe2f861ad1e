// Package token takes a text apart into words, in the same way a question and the names of a household: without case,
// accents and the endings of plurals. It reads single words that are numbers, amounts or units of the calendar, and
// tells which words are one letter apart. What words mean together it does not know.
package token

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"finsvc/ledger/calendar"
)

// MaxWords is how many words of a question are looked at; one with more is not a question that the engine knows.
const MaxWords = 60

// Word is a word, number or date of a question or a name.
type Word struct {
	Text  string // in lower case, without accents and apostrophes
	Stem  string // of text, without the endings of plurals
	Shown string // as it was written
	Quote int    // the number of the quotation that it is in; 0 for none
	Used  bool   // something knows what it means
}

// Split takes a text apart, at most one word more than the engine looks at. Marks between words mean nothing,
// but for those inside of dates and numbers.
func Split(text string) []Word {
	var words []Word
	quotes, quote, last := 0, 0, ' '
	for text != "" && len(words) <= MaxWords {
		before := len(words)
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case isWordRune(r):
			size = wordLength(text)
			for _, part := range rangeParts(text[:size]) {
				words = append(words, New(part))
			}
		case r == '&':
			words = append(words, New("and"))
		case r == '+' && last == ' ': // not that of a name, such as "Disney+"
			words = append(words, New("plus"))
		case strings.ContainsRune("-–—", r) && isRange(words, text[size:]):
			words = append(words, New("to"))
		case r == '#' && len(text) > 1 && unicode.IsLetter(firstRune(text[1:])):
			words = append(words, Word{Text: "tagged", Stem: "tagged", Shown: "#"})
		case strings.ContainsRune(currencySigns, r):
			words = append(words, New(string(r)))
		case strings.ContainsRune(`"“”„«»`, r):
			quotes++
			quote = (quotes + 1) / 2 * (quotes % 2)
		}
		for i := before; i < len(words); i++ {
			words[i].Quote = quote
		}
		last, text = r, text[size:]
	}
	return words
}

// rangeParts parts two numbers with a hyphen between them, such as the days of "3-17 Sept" and the amounts of "20-50
// EUR". A year and a month, as in "2026-05", are one word.
func rangeParts(text string) []string {
	first, second, isParted := strings.Cut(text, "-")
	_, isFirst := AmountOf(first)
	_, isSecond := AmountOf(second)
	if !isParted || !isFirst || !isSecond || calendar.IsYear(first) && len(second) <= 2 {
		return []string{text}
	}
	return []string{first, "to", second}
}

// isRange reports whether a dash stands between two periods or two amounts: "Jan-Mar", "2024 - 2025", "3rd – 17th",
// "€20-€50".
func isRange(before []Word, behind string) bool {
	behind = strings.TrimLeft(behind, currencySigns+" ")
	if len(before) > 1 && strings.Contains(currencySigns, before[len(before)-1].Text) {
		before = before[:len(before)-1]
	}
	if len(before) == 0 || !isWordRune(firstRune(behind)) {
		return false
	}
	isEnd := func(text string) bool {
		_, isDay := calendar.DayNumber(text)
		_, isAmount := AmountOf(text)
		_, isDate := calendar.SpanOf(text)
		_, _, isPart := calendar.PartNamed(text)
		return isDay || isAmount || isDate || isPart || calendar.MonthNamed(text) != 0
	}
	return isEnd(before[len(before)-1].Text) && isEnd(Plain(rangeParts(behind[:wordLength(behind)])[0]))
}

// currencySigns are the signs of currencies that are words of their own.
const currencySigns = "$€£¥"

func firstRune(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

// wordLength is how many bytes of a text are its first word. A point, comma, slash, hyphen or colon between two
// digits is part of a number or date, an apostrophe between two letters of a word.
func wordLength(text string) int {
	runes := []rune(text[:min(len(text), 256)])
	n := 0
	for n < len(runes) && (isWordRune(runes[n]) || n+1 < len(runes) && joins(runes[n-1], runes[n], runes[n+1])) {
		n++
	}
	return len(string(runes[:n]))
}

func joins(before, r, after rune) bool {
	switch r {
	case '.', ',', '/', '-':
		return IsDigit(before) && IsDigit(after)
	case '\'', '’':
		return unicode.IsLetter(before) && unicode.IsLetter(after)
	}
	return false
}

// IsDigit reports whether a rune is a digit from 0 to 9.
func IsDigit(r rune) bool { return r >= '0' && r <= '9' }

// New makes a word of what was written. The possessive of a word of the calendar is the word: "yesterday's".
func New(shown string) Word {
	text := Plain(shown)
	for _, ending := range []string{"'s", "’s"} {
		base := Plain(strings.TrimSuffix(shown, ending))
		if base != text && IsCalendarWord(base) {
			text = base // "yesterday's"
		}
	}
	if text == "v" {
		text = "vs"
	}
	return Word{Text: text, Stem: Stem(text), Shown: shown}
}

// Plain is a word as it is compared.
func Plain(text string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(text) {
		if !unicode.IsMark(r) && r != '\'' && r != '’' {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// Stem cuts the ending of a plural off, in the same way from a name and from a question: groceries and grocery,
// taxes and tax, shops and shop are the same.
func Stem(text string) string {
	isSibilant := func(ending string) bool { return strings.HasSuffix(text, ending) }
	switch {
	case len(text) < 4:
	case strings.HasSuffix(text, "ies"):
		return text[:len(text)-3] + "y"
	case slices.ContainsFunc([]string{"xes", "ches", "shes", "sses"}, isSibilant):
		return text[:len(text)-2]
	case strings.HasSuffix(text, "s") && !strings.HasSuffix(text, "ss"):
		return text[:len(text)-1]
	}
	return text
}

// Joined is words as they were written, with blanks between them.
func Joined(words []Word) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = w.Shown
	}
	return strings.Join(parts, " ")
}
