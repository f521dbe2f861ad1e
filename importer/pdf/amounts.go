package pdf

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"finsvc/importer/notation"
	"finsvc/importer/pdf/extract"
	"finsvc/ledger/money"
)

// pdfAmount is an amount as it is printed. Where a mark such as CR or S says the direction, value has no sign.
type pdfAmount struct {
	left, right float64
	value       int64  // minor units
	mark        int64  // 1: money in, -1: money out, 0: no mark
	money       string // the currency beside it, as printed
	text        string
}

// signed is the amount with the direction of its mark, else with the sign that amounts without a mark have.
func (a pdfAmount) signed(unmarked int64) int64 {
	if a.mark != 0 {
		return a.mark * max(a.value, -a.value)
	}
	return unmarked * a.value
}

// amountReader finds amounts among words.
type amountReader struct {
	currency money.Currency
	decimal  byte
	pattern  *regexp.Regexp
}

// newPDFAmounts knows numbers with exactly the decimals of the currency: others are no amounts.
func newPDFAmounts(currency money.Currency, decimal byte) *amountReader {
	const (
		sign  = `([-+−–]?) ?`
		money = `(\p{Sc}|US\$|R\$|C\$|A\$|[A-Z]{3}|Fr\.|zł|Kč|kr\.?|) ?`
		mark  = `(CR|DR|Cr|Dr|cr|dr|S|H|C|D|OD|)`
	)
	number := `\d{1,3}(?:[., '’]\d{3})+|\d{1,15}`
	if currency.Exponent > 0 {
		group := `[. '’\x{202F}\x{2009}]`
		if decimal == '.' {
			group = `[, '’\x{202F}\x{2009}]`
		}
		digits := fmt.Sprint(currency.Exponent)
		if currency.Exponent > 3 {
			digits = "1," + digits
		}
		number = fmt.Sprintf(`(?:\d{1,3}(?:%s\d{3})+|\d{1,2}(?:%s\d{2})+%s\d{3}|\d{1,15})?\%c\d{%s}`, group, group,
			group, decimal, digits)
	}
	return &amountReader{currency, decimal, regexp.MustCompile(`^(\(?)` + sign + money + sign + `(` + number + `) ?` +
		sign + `(\)?) ?` + money + sign + mark + `$`)}
}

// at reads the longest amount that begins with the word at i, and how many words it takes; 0 when there is none.
func (a *amountReader) at(words []extract.Word, i int) (pdfAmount, int) {
	const most = 6
	n := 0
	for n < most && i+n < len(words) && a.may(words[i+n].Text) {
		n++
	}
	for ; n > 0; n-- {
		if amount, ok := a.read(words[i : i+n]); ok && !(i+n < len(words) && strings.HasPrefix(words[i+n].Text, "%")) {
			return amount, n
		}
	}
	return pdfAmount{}, 0
}

// may reports whether a word may be of an amount: digits, a sign, a currency or a mark.
func (a *amountReader) may(word string) bool {
	if strings.ContainsAny(word, "0123456789") {
		return len(word) < 40
	}
	switch word {
	case "-", "+", "−", "–", "(", ")", "US$", "R$", "C$", "A$", "Fr.", "zł", "Kč", "kr", "kr.":
		return true
	}
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && unicode.Is(unicode.Sc, r) || markSign(word) != 0 ||
		len(word) == 3 && word == strings.ToUpper(word) && a.knows(word)
}

func (a *amountReader) read(words []extract.Word) (pdfAmount, bool) {
	if wideGap(words) {
		return pdfAmount{}, false
	}
	m := a.pattern.FindStringSubmatch(joinedWords(words))
	if m == nil || (m[1] == "") != (m[7] == "") || !a.knows(m[3]) || !a.knows(m[8]) ||
		strings.Contains(m[5], " ") && looseDigits(words) {
		return pdfAmount{}, false
	}
	signs := m[2] + m[4] + m[6] + m[9]
	// Take the digits as minor units, for all decimals are there.
	number := m[5]
	places := a.currency.Exponent
	if at := strings.IndexByte(number, a.decimal); places > 0 && at >= 0 {
		places -= len(number) - at - 1
	} else {
		places = 0
	}
	digits := strings.Map(func(r rune) rune {
		if notation.IsDigit(r) {
			return r
		}
		return -1
	}, number) + strings.Repeat("0", places)
	value, err := strconv.ParseInt(digits, 10, 64)
	ok := err == nil && value <= money.MaxMinor
	if !ok || len([]rune(signs)) > 1 || signs != "" && m[1] != "" {
		return pdfAmount{}, false
	}
	amount := pdfAmount{value: value, mark: markSign(m[10]), money: cmp.Or(m[3], m[8]), text: joinedWords(words)}
	if signs != "" && signs != "+" || m[1] != "" {
		amount.value = -value
	}
	amount.left, amount.right = digitSpan(words)
	return amount, true
}

// knows reports whether letters are a currency that amounts are usually printed with, rather than a word.
func (a *amountReader) knows(money string) bool {
	if len(money) != 3 || strings.ContainsFunc(money, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		return true
	}
	return money == a.currency.Code || strings.Contains("EUR USD GBP CHF JPY CAD AUD NZD SEK NOK DKK PLN CZK HUF RON BGN INR BRL MXN CNY HKD SGD ZAR TRY ILS KWD", money)
}

// looseDigits reports whether gaps between digits are wider than those of groups.
func looseDigits(words []extract.Word) bool {
	for i := 1; i < len(words); i++ {
		before, after := words[i-1], words[i]
		if unicode.IsDigit(rune(before.Text[len(before.Text)-1])) && unicode.IsDigit(rune(after.Text[0])) &&
			after.X-before.Right() > 0.5*after.Size {
			return true
		}
	}
	return false
}

// markSign is the direction that letters behind an amount say: credit and debit, Haben and Soll, overdrawn.
func markSign(mark string) int64 {
	switch strings.ToUpper(mark) {
	case "CR", "C", "H":
		return 1
	case "DR", "D", "S", "OD":
		return -1
	}
	return 0
}

// digitSpan is where the words with digits stand: marks beside them move no column. What follows the last digit is cut
// off by its share of the word's letters.
func digitSpan(words []extract.Word) (left, right float64) {
	found := false
	for _, w := range words {
		last := strings.LastIndexFunc(w.Text, notation.IsDigit)
		if last < 0 {
			continue
		}
		if !found {
			left, found = w.X, true
		}
		right = w.X + w.Width*float64(last+1)/float64(len(w.Text))
	}
	return left, right
}

// inCurrency reports whether a mark beside an amount may be the currency's.
func inCurrency(mark, code string) bool {
	switch mark {
	case "", "kr", "kr.":
		return true
	case "$":
		return strings.Contains("USD CAD AUD NZD MXN SGD HKD TWD ARS CLP COP BBD BSD BZD FJD JMD LRD NAD TTD XCD", code)
	case "US$":
		return code == "USD"
	case "C$":
		return code == "CAD"
	case "A$":
		return code == "AUD"
	case "£":
		return strings.Contains("GBP GIP FKP SHP EGP", code)
	case "¥":
		return code == "JPY" || code == "CNY"
	case "₹":
		return code == "INR"
	case "Fr.":
		return code == "CHF"
	}
	named, err := notation.CurrencyMark(mark)
	return err == nil && (named == "" || named == code)
}
