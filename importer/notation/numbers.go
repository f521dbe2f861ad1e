// Package notation reads how a number, a date or a currency is written, given the way of writing, and tells by a cell
// in which ways it may be written.
//
// It knows nothing of columns and files: what all cells of a column prove is for the readers to say.
package notation

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"finsvc/importer/lexicon"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// IsOf reports whether the number may be in a currency as far as what stands beside it says.
func (n Number) IsOf(currency money.Currency) bool {
	if n.Code != "" || n.Sign == "" {
		return n.Code == "" || n.Code == currency.Code
	}
	codes, known := lexicon.SignCodes(n.Sign)
	return !known || slices.Contains(codes, currency.Code)
}

// CurrencyMark understands what may stand beside a number for its currency: a code, a symbol, or a
// short local name. The code is empty where the mark does not tell one currency from another.
func CurrencyMark(mark string) (string, error) {
	if mark == "" {
		return "", nil
	}
	if code, known := lexicon.CurrencyMark(mark); known {
		return code, nil
	}
	if currency, ok := lexicon.Currency(mark); ok {
		return currency.Code, nil
	}
	if _, known := lexicon.SignCodes(mark); known {
		return "", nil
	}
	if r, size := utf8.DecodeRuneInString(mark); size == len(mark) && unicode.Is(unicode.Sc, r) {
		return "", nil
	}
	return "", errMisfit
}

// NumberFormat is how a file writes its numbers. A number that does not fit is refused, never read
// another way: 12,50 is not 1250.
type NumberFormat struct {
	Name    string
	Decimal byte   // 0: no decimals
	Group   string // the thousands separators besides no-break spaces and apostrophes, which all formats have
}

func NewNumberFormat(name string) (NumberFormat, error) {
	switch name {
	case "1,234.56":
		return NumberFormat{name, '.', ", "}, nil
	case "1.234,56":
		return NumberFormat{name, ',', "."}, nil
	case "1 234,56":
		return NumberFormat{name, ',', " "}, nil
	case "1,234":
		return NumberFormat{name, 0, ","}, nil
	}
	return NumberFormat{}, fmt.Errorf("must be one of 1,234.56 and 1.234,56 and 1 234,56 and 1,234, got %s",
		ledger.Quote(name))
}

// Minor reads a cell as money: minor units of the currency. The error continues the column's name.
func (f NumberFormat) Minor(cell string, currency money.Currency) (int64, error) {
	if n, ok := QuickMinor(cell, f.Decimal, currency.Exponent); ok {
		return n, nil
	}
	n, err := f.Parse(cell)
	if err != nil {
		return 0, err
	}
	if !n.IsOf(currency) {
		return 0, fmt.Errorf("must be in %s, the currency of the row, got %s", currency.Code, ledger.Quote(cell))
	}
	if m, ok := QuickMinor(n.Text, '.', currency.Exponent); ok {
		return m, nil
	}
	return exactMinor(n.Text, currency)
}

// SideOf is what stands beside the number of a cell.
func (f NumberFormat) SideOf(cell string) entrySide {
	if !strings.ContainsAny(cell, "rR") {
		return NoSide // nearly always
	}
	n, _ := f.Parse(cell)
	return n.side
}

// exactMinor is the way for every number; QuickMinor must agree with it wherever it answers.
func exactMinor(text string, currency money.Currency) (int64, error) {
	d, err := money.ParseDecimal(text)
	if err != nil {
		return 0, err
	}
	return currency.Minor(d)
}

// QuickMinor reads plain numbers of up to 18 digits, which is nearly all there are: an optional minus,
// digits, and perhaps the decimal separator and more digits. Anything else, and what the ledger cannot
// hold, it leaves to the exact way.
func QuickMinor(text string, decimal byte, exponent int) (int64, bool) {
	digits, negative := strings.CutPrefix(text, "-")
	n, places, ok := PlainDigits(digits, decimal)
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

// PlainDigits is the whole number that the digits make, and how many of them stand after the separator.
func PlainDigits(text string, decimal byte) (n int64, places int, ok bool) {
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

// Number is a cell that fits the format, written plainly: an optional minus, digits, perhaps a point
// and digits. Code is the currency that stood beside it, if that is beyond doubt. With side the sign is not a matter of
// convention: a debit is negative, a credit is not.
type Number struct {
	Text string
	Code string
	Sign string // of several currencies, such as $
	side entrySide
	Cent bool // it was written in hundredths of the currency, such as pence
}

// entrySide is what a bank writes beside an amount or a balance: Dr or Cr.
type entrySide int

const (
	NoSide entrySide = iota
	DebitSide
	CreditSide
)

// Parse reads a cell: one sign in front or behind, or parentheses, or Dr or Cr, a currency on either
// side, groups.
func (f NumberFormat) Parse(cell string) (Number, error) {
	first := strings.IndexFunc(cell, IsDigit)
	last := strings.LastIndexFunc(cell, IsDigit)
	if first < 0 {
		return Number{}, f.misfit(cell)
	}
	if f.beginsWithDecimal(cell[:first]) {
		first--
	}
	front, frontErr := readMarks(cell[:first])
	back, backErr := readMarks(cell[last+1:])
	text, err := f.plain(cell[first : last+1])
	if err != nil || frontErr != nil || backErr != nil {
		return Number{}, f.misfit(cell)
	}
	if !front.agree(back) {
		return Number{}, f.misfit(cell)
	}
	if front.minus || back.minus || front.open {
		text = "-" + text
	}
	n := Number{Text: text, Code: cmp.Or(front.code, back.code), Sign: cmp.Or(front.sign, back.sign),
		side: max(front.side, back.side), Cent: front.cent || back.cent}
	if n.Cent {
		d, err := money.ParseDecimal(text)
		if err != nil {
			return Number{}, err
		}
		n.Text = d.Shift(-2).String()
	}
	return n, nil
}

// beginsWithDecimal tells the point of $.50, which belongs to the number, from that of Rs.50.
func (f NumberFormat) beginsWithDecimal(front string) bool {
	if f.Decimal == 0 || front == "" || front[len(front)-1] != f.Decimal {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(front[:len(front)-1])
	return !unicode.IsLetter(r)
}

func (f NumberFormat) misfit(cell string) error {
	return fmt.Errorf("must be a number written as %s, got %s", f.Name, ledger.Quote(cell))
}

func IsDigit(r rune) bool { return r >= '0' && r <= '9' }

// plain takes the groups out of the digits and writes the decimal separator as a point.
func (f NumberFormat) plain(digits string) (string, error) {
	whole, fraction, found := digits, "", false
	if f.Decimal != 0 {
		whole, fraction, found = strings.Cut(digits, string(f.Decimal))
	}
	if strings.ContainsFunc(fraction, func(r rune) bool { return !IsDigit(r) }) {
		return "", errMisfit
	}
	whole, err := f.ungroup(whole)
	switch {
	case err != nil:
		return "", err
	case !found:
		return whole, nil
	}
	return cmp.Or(whole, "0") + "." + fraction, nil
}

// ungroup joins groups of three digits, or those of India (two, and three at the end), which must all
// be parted by the same separator.
func (f NumberFormat) ungroup(whole string) (string, error) {
	at := strings.IndexFunc(whole, func(r rune) bool { return !IsDigit(r) })
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

func (f NumberFormat) isGroup(r rune) bool {
	switch r {
	case '\u00A0', '\u202F', '\u2009', '\'', '’':
		return true
	case ' ', ',', '.':
		return strings.ContainsRune(f.Group, r)
	}
	return f.Group == " " && unicode.IsSpace(r)
}

// grouped reports whether the groups are digits, the last of them three, those between inner, the first
// one up to inner.
func grouped(groups []string, inner int) bool {
	for i, g := range groups {
		want := inner
		if i == len(groups)-1 {
			want = 3
		}
		fits := len(g) == want || (i == 0 && len(g) >= 1 && len(g) < want)
		if !fits || strings.ContainsFunc(g, func(r rune) bool { return !IsDigit(r) }) {
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

// agree reports whether the marks in front of and behind the digits make sense together: one sign at most,
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
	m.code, m.cent = lexicon.Hundredth(mark)
	if m.cent {
		return m, nil
	}
	m.code, err = CurrencyMark(mark)
	if err == nil {
		m.sign = mark
		return m, nil
	}
	mark, side := cutSide(mark)
	if side != NoSide {
		m.side, m.minus = side, m.minus || side == DebitSide
		m.signs++
		m.code, err = CurrencyMark(mark)
		m.sign = mark
	}
	return m, err
}

// cutSide takes Dr or Cr off the end of what stands beside a number.
func cutSide(mark string) (string, entrySide) {
	bare := strings.TrimSuffix(mark, ".")
	if len(bare) < 2 {
		return mark, NoSide
	}
	switch rest, word := bare[:len(bare)-2], bare[len(bare)-2:]; {
	case strings.EqualFold(word, "dr"):
		return rest, DebitSide
	case strings.EqualFold(word, "cr"):
		return rest, CreditSide
	}
	return mark, NoSide
}

// IsDash reports whether a cell is one dash or several, as some banks write for no amount.
func IsDash(cell string) bool {
	for _, r := range cell {
		if r != '-' && r != '–' && r != '—' {
			return false
		}
	}
	return cell != ""
}

// Empty reports whether a cell has no amount: it is blank, or a dash.
func Empty(cell string) bool { return cell == "" || IsDash(cell) }
