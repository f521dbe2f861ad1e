package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxWords is how many words of a question are looked at; one with more is not a question that the engine knows.
const maxWords = 60

// word is a word, number or date of a question or a name.
type word struct {
	text  string // in lower case, without accents and apostrophes
	stem  string // of text, without the endings of plurals
	shown string // as it was written
	quote int    // the number of the quotation that it is in; 0 for none
	used  bool   // something knows what it means
}

// splitWords takes a text apart, at most one word more than the engine looks at. Marks between words mean nothing,
// but for those inside of dates and numbers.
func splitWords(text string) []word {
	var words []word
	quotes, quote, last := 0, 0, ' '
	for text != "" && len(words) <= maxWords {
		before := len(words)
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case isWordRune(r):
			size = wordLength(text)
			for _, part := range rangeParts(text[:size]) {
				words = append(words, newWord(part))
			}
		case r == '&':
			words = append(words, newWord("and"))
		case r == '+' && last == ' ': // not that of a name, such as "Disney+"
			words = append(words, newWord("plus"))
		case strings.ContainsRune("-–—", r) && isRange(words, text[size:]):
			words = append(words, newWord("to"))
		case r == '#' && len(text) > 1 && unicode.IsLetter(firstRune(text[1:])):
			words = append(words, word{text: "tagged", stem: "tagged", shown: "#"})
		case strings.ContainsRune(currencySigns, r):
			words = append(words, newWord(string(r)))
		case strings.ContainsRune(`"“”„«»`, r):
			quotes++
			quote = (quotes + 1) / 2 * (quotes % 2)
		}
		for i := before; i < len(words); i++ {
			words[i].quote = quote
		}
		last, text = r, text[size:]
	}
	return words
}

// rangeParts parts two numbers with a hyphen between them, such as the days of "3-17 Sept" and the amounts of "20-50 EUR". A
// year and a month, as in "2026-05", are one word.
func rangeParts(text string) []string {
	first, second, isParted := strings.Cut(text, "-")
	_, isFirst := amountOf(first)
	_, isSecond := amountOf(second)
	if !isParted || !isFirst || !isSecond || isYear(first) && len(second) <= 2 {
		return []string{text}
	}
	return []string{first, "to", second}
}

// isRange says whether a dash stands between two periods or two amounts: "Jan-Mar", "2024 - 2025", "3rd – 17th", "€20-€50".
func isRange(before []word, behind string) bool {
	behind = strings.TrimLeft(behind, currencySigns+" ")
	if len(before) > 1 && strings.Contains(currencySigns, before[len(before)-1].text) {
		before = before[:len(before)-1]
	}
	if len(before) == 0 || !isWordRune(firstRune(behind)) {
		return false
	}
	isEnd := func(text string) bool {
		_, isDay := dayNumber(text)
		_, isAmount := amountOf(text)
		return isDay || isAmount || monthNamed(text) != 0 || isDatePart(text)
	}
	return isEnd(before[len(before)-1].text) && isEnd(plainText(rangeParts(behind[:wordLength(behind)])[0]))
}

// currencySigns are the signs of currencies that are words of their own.
const currencySigns = "$€£¥"

// isDatePart reports whether a text is a date, "Q2" or "H1".
func isDatePart(text string) bool {
	_, isDate := spanOf(text)
	_, _, isPart := partNamed(text)
	return isDate || isPart
}

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
		return isDigit(before) && isDigit(after)
	case '\'', '’':
		return unicode.IsLetter(before) && unicode.IsLetter(after)
	}
	return false
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func newWord(shown string) word {
	text := plainText(shown)
	for _, ending := range []string{"'s", "’s"} {
		if base := plainText(strings.TrimSuffix(shown, ending)); base != text && isCalendarWord(base) {
			text = base // "yesterday's"
		}
	}
	if text == "v" {
		text = "vs"
	}
	return word{text: text, stem: stem(text), shown: shown}
}

// plainText is a word as it is compared.
func plainText(text string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(text) {
		if !unicode.IsMark(r) && r != '\'' && r != '’' {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// stem cuts the ending of a plural off, in the same way from a name and from a question: groceries and grocery,
// taxes and tax, shops and shop are the same.
func stem(text string) string {
	switch {
	case len(text) < 4:
	case strings.HasSuffix(text, "ies"):
		return text[:len(text)-3] + "y"
	case hasAnySuffix(text, "xes", "ches", "shes", "sses"):
		return text[:len(text)-2]
	case strings.HasSuffix(text, "s") && !strings.HasSuffix(text, "ss"):
		return text[:len(text)-1]
	}
	return text
}

func hasAnySuffix(text string, suffixes ...string) bool {
	for _, s := range suffixes {
		if strings.HasSuffix(text, s) {
			return true
		}
	}
	return false
}

// typoLength is how many letters a word has at least that may have a wrong one.
const typoLength = 4

// isTypo says whether a word becomes the other when a letter is changed, added, left out or swapped with the next.
func isTypo(a, b string) bool {
	if len(a) < typoLength || len(b) < typoLength || a == b || len(a) == typoLength && a[0] != b[0] {
		return false
	}
	if a[0] != b[0] && a[len(a)-1] != b[len(b)-1] { // a single mistake leaves one of the ends, which tells nearly all others
		return false
	}
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	at := 0
	for at < len(x) && x[at] == y[at] {
		at++
	}
	switch len(y) - len(x) {
	case 0:
		swapped := at+1 < len(x) && x[at] == y[at+1] && x[at+1] == y[at] && string(x[at+2:]) == string(y[at+2:])
		return swapped || string(x[at+1:]) == string(y[at+1:])
	case 1:
		return string(x[at:]) == string(y[at+1:])
	}
	return false
}

// joined is words as they were written, with blanks between them.
func joined(words []word) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = w.shown
	}
	return strings.Join(parts, " ")
}
