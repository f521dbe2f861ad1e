package importer

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"finsvc/importer/lexicon"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// numberFormat is how a file writes its numbers. A number that does not fit is refused, never read
// another way: 12,50 is not 1250.
type numberFormat struct {
	name    string
	decimal byte   // 0: no decimals
	group   string // the thousands separators besides no-break spaces and apostrophes, which all formats have
}

func newNumberFormat(name string) (numberFormat, error) {
	switch name {
	case "1,234.56":
		return numberFormat{name, '.', ", "}, nil
	case "1.234,56":
		return numberFormat{name, ',', "."}, nil
	case "1 234,56":
		return numberFormat{name, ',', " "}, nil
	case "1,234":
		return numberFormat{name, 0, ","}, nil
	}
	return numberFormat{}, fmt.Errorf("must be one of 1,234.56 and 1.234,56 and 1 234,56 and 1,234, got %s", ledger.Quote(name))
}

// minor reads a cell as money: minor units of the currency. The error continues the column's name.
func (f numberFormat) minor(cell string, currency money.Currency) (int64, error) {
	if n, ok := quickMinor(cell, f.decimal, currency.Exponent); ok {
		return n, nil
	}
	n, err := f.parse(cell)
	if err != nil {
		return 0, err
	}
	if !n.isOf(currency) {
		return 0, fmt.Errorf("must be in %s, the currency of the row, got %s", currency.Code, ledger.Quote(cell))
	}
	if m, ok := quickMinor(n.text, '.', currency.Exponent); ok {
		return m, nil
	}
	return exactMinor(n.text, currency)
}

// sideOf is what stands beside the number of a cell.
func (f numberFormat) sideOf(cell string) entrySide {
	if !strings.ContainsAny(cell, "rR") {
		return noSide // nearly always
	}
	n, _ := f.parse(cell)
	return n.side
}

// exactMinor is the way for every number; quickMinor must agree with it wherever it answers.
func exactMinor(text string, currency money.Currency) (int64, error) {
	d, err := money.ParseDecimal(text)
	if err != nil {
		return 0, err
	}
	return currency.Minor(d)
}

// quickMinor reads plain numbers of up to 18 digits, which is nearly all there are: an optional minus,
// digits, and perhaps the decimal separator and more digits. Anything else, and what the ledger cannot
// hold, it leaves to the exact way.
func quickMinor(text string, decimal byte, exponent int) (int64, bool) {
	digits, negative := strings.CutPrefix(text, "-")
	n, places, ok := plainDigits(digits, decimal)
	if !ok {
		return 0, false
	}
	for ; places < exponent; places++ {
		if n > 1e17 {
			return 0, false
		}
		n *= 10
	}
	for ; places > exponent; places-- {
		if n%10 != 0 {
			return 0, false
		}
		n /= 10
	}
	if n > money.MaxMinor {
		return 0, false
	}
	if negative {
		n = -n
	}
	return n, true
}

// plainDigits is the whole number that the digits make, and how many of them stand after the separator.
func plainDigits(text string, decimal byte) (n int64, places int, ok bool) {
	point := len(text)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c >= '0' && c <= '9':
			n = n*10 + int64(c-'0')
		case c == decimal && c != 0 && point == len(text) && i > 0:
			point = i
		default:
			return 0, 0, false
		}
	}
	if point < len(text) {
		places = len(text) - point - 1
		ok = places > 0 && len(text) <= 19
		return n, places, ok
	}
	return n, 0, len(text) > 0 && len(text) <= 18
}

// number is a cell that fits the format, written plainly: an optional minus, digits, perhaps a point
// and digits. Code is the currency that stood beside it, if that is beyond doubt. With side the sign is not a matter of
// convention: a debit is negative, a credit is not.
type number struct {
	text string
	code string
	sign string // of several currencies, such as $
	side entrySide
	cent bool // it was written in hundredths of the currency, such as pence
}

// entrySide is what a bank writes beside an amount or a balance: Dr or Cr.
type entrySide int

const (
	noSide entrySide = iota
	debitSide
	creditSide
)

// parse reads a cell: one sign in front or behind, or parentheses, or Dr or Cr, a currency on either
// side, groups.
func (f numberFormat) parse(cell string) (number, error) {
	first := strings.IndexFunc(cell, isDigit)
	last := strings.LastIndexFunc(cell, isDigit)
	if first < 0 {
		return number{}, f.misfit(cell)
	}
	if f.beginsWithDecimal(cell[:first]) {
		first--
	}
	front, frontErr := readMarks(cell[:first])
	back, backErr := readMarks(cell[last+1:])
	text, err := f.plain(cell[first : last+1])
	if err != nil || frontErr != nil || backErr != nil {
		return number{}, f.misfit(cell)
	}
	if !front.agree(back) {
		return number{}, f.misfit(cell)
	}
	if front.minus || back.minus || front.open {
		text = "-" + text
	}
	n := number{text: text, code: or(front.code, back.code), sign: or(front.sign, back.sign), side: max(front.side, back.side), cent: front.cent || back.cent}
	if n.cent {
		d, err := money.ParseDecimal(text)
		if err != nil {
			return number{}, err
		}
		n.text = d.Shift(-2).String()
	}
	return n, nil
}

// beginsWithDecimal tells the point of $.50, which belongs to the number, from that of Rs.50.
func (f numberFormat) beginsWithDecimal(front string) bool {
	if f.decimal == 0 || front == "" || front[len(front)-1] != f.decimal {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(front[:len(front)-1])
	return !unicode.IsLetter(r)
}

func (f numberFormat) misfit(cell string) error {
	return fmt.Errorf("must be a number written as %s, got %s", f.name, ledger.Quote(cell))
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// plain takes the groups out of the digits and writes the decimal separator as a point.
func (f numberFormat) plain(digits string) (string, error) {
	whole, fraction, found := digits, "", false
	if f.decimal != 0 {
		whole, fraction, found = strings.Cut(digits, string(f.decimal))
	}
	if strings.ContainsFunc(fraction, func(r rune) bool { return !isDigit(r) }) {
		return "", errMisfit
	}
	whole, err := f.ungroup(whole)
	switch {
	case err != nil:
		return "", err
	case !found:
		return whole, nil
	}
	return or(whole, "0") + "." + fraction, nil
}

// ungroup joins groups of three digits, or those of India (two, and three at the end), which must all
// be parted by the same separator.
func (f numberFormat) ungroup(whole string) (string, error) {
	at := strings.IndexFunc(whole, func(r rune) bool { return !isDigit(r) })
	if at < 0 {
		return whole, nil
	}
	r, size := utf8.DecodeRuneInString(whole[at:])
	if !f.isGroup(r) {
		return "", errMisfit
	}
	groups := strings.Split(whole, whole[at:at+size])
	if !grouped(groups, 3) && !grouped(groups, 2) {
		return "", errMisfit
	}
	return strings.Join(groups, ""), nil
}

func (f numberFormat) isGroup(r rune) bool {
	switch r {
	case '\u00A0', '\u202F', '\u2009', '\'', '’':
		return true
	case ' ', ',', '.':
		return strings.ContainsRune(f.group, r)
	}
	return f.group == " " && unicode.IsSpace(r)
}

// grouped says whether the groups are digits, the last of them three, those between inner, the first
// one up to inner.
func grouped(groups []string, inner int) bool {
	for i, g := range groups {
		want := inner
		if i == len(groups)-1 {
			want = 3
		}
		fits := len(g) == want || (i == 0 && len(g) >= 1 && len(g) < want)
		if !fits || strings.ContainsFunc(g, func(r rune) bool { return !isDigit(r) }) {
			return false
		}
	}
	return true
}

var errMisfit = errors.New("does not fit the number format")

// marks are what stands on one side of the digits.
type marks struct {
	signs        int
	minus        bool
	open, closed bool
	code, sign   string
	side         entrySide
	cent         bool
}

// agree says whether the marks in front of and behind the digits make sense together: one sign at most,
// or a pair of parentheses, and no two currencies.
func (m marks) agree(back marks) bool {
	signs := m.signs + back.signs
	if m.open != back.closed || m.closed || back.open || signs > 1 || m.open && signs > 0 {
		return false
	}
	return m.code == "" || back.code == "" || m.code == back.code
}

func readMarks(text string) (marks, error) {
	var m marks
	var letters strings.Builder
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
		case r == '+':
			m.signs++
		case r == '-' || r == '−' || r == '–':
			m.signs++
			m.minus = true
		case r == '(' && !m.open:
			m.open = true
		case r == ')' && !m.closed:
			m.closed = true
		default:
			letters.WriteRune(r)
		}
	}
	mark := letters.String()
	var err error
	if m.code, m.cent = lexicon.Hundredth(mark); m.cent {
		return m, nil
	}
	if m.code, err = currencyMark(mark); err == nil {
		m.sign = mark
		return m, nil
	}
	mark, side := cutSide(mark)
	if side != noSide {
		m.side, m.minus = side, m.minus || side == debitSide
		m.signs++
		m.code, err = currencyMark(mark)
		m.sign = mark
	}
	return m, err
}

// cutSide takes Dr or Cr off the end of what stands beside a number.
func cutSide(mark string) (string, entrySide) {
	bare := strings.TrimSuffix(mark, ".")
	if len(bare) < 2 {
		return mark, noSide
	}
	switch rest, word := bare[:len(bare)-2], bare[len(bare)-2:]; {
	case strings.EqualFold(word, "dr"):
		return rest, debitSide
	case strings.EqualFold(word, "cr"):
		return rest, creditSide
	}
	return mark, noSide
}
