package money

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/shopspring/decimal"
)

// maxPriceDecimals is the most decimals a price is printed with.
const maxPriceDecimals = 8

// Formatter prints money the way of a locale by CLDR's data, with two exceptions that make the text
// safe to read for programs: a negative amount has an ASCII minus in front of everything, and the
// digits are always 0-9. The number of decimals is the currency's own. A Formatter never changes, so any
// number of goroutines may use one; making one costs much more than using it.
//
// It is written here because golang.org/x/text has CLDR 32, puts the symbol in front whatever the locale, takes no
// exact decimals and lacks currencies.
type Formatter struct {
	locale      locale
	first, next int // digits in the group before the decimal point, and in the ones before that
	minimum     int // fewest digits before the first separator
	around      map[string]affixes
}

// affixes are what stands before and after the number.
type affixes struct{ before, after string }

// NewFormatter makes the formatter of a BCP 47 language tag such as de-DE, en or zh-Hant-TW. A region
// or script without data of its own prints like its parent in CLDR. The error continues a sentence
// that begins with the field's name.
func NewFormatter(tag string) (*Formatter, error) {
	data, err := knownLocales()
	if err != nil {
		return nil, err
	}
	key, err := data.key(tag)
	if err != nil {
		return nil, err
	}
	l, err := data.resolve(key)
	if err != nil {
		return nil, err
	}
	minimum, err := strconv.Atoi(l.Minimum)
	if err != nil {
		return nil, fmt.Errorf("minimum grouping digits: %w", err)
	}
	f := &Formatter{locale: l, minimum: minimum, around: make(map[string]affixes, len(Exponents))}
	f.first, f.next = groupSizes(l.Pattern)
	for code := range Exponents {
		f.around[code] = l.affixes(code)
	}
	return f, nil
}

// numberCharacters are those of a pattern that stand for the number.
const numberCharacters = "#,0."

// groupSizes reads the sizes of groups from a pattern: 3 and 3 from #,##0.00, 3 and 2 from #,##,##0.00.
func groupSizes(pattern string) (first, next int) {
	start := strings.IndexAny(pattern, numberCharacters)
	whole, _, _ := strings.Cut(pattern[start:], ".")
	groups := strings.Split(whole, ",")
	first = len(groups[len(groups)-1])
	next = first
	if len(groups) > 2 {
		next = len(groups[len(groups)-2])
	}
	return first, next
}

// affixes are what the locale puts around the number for a currency: the symbol, else the code.
func (l locale) affixes(code string) affixes {
	symbol := cmp.Or(l.Symbols[code], code)
	pattern := cmp.Or(l.Patterns[code], l.Pattern)
	start := strings.IndexAny(pattern, numberCharacters)
	end := strings.LastIndexAny(pattern, numberCharacters)
	before, after := pattern[:start], pattern[end+1:]
	space := ""
	if needsSpace(neighbour(before, after, symbol)) {
		space = "\u00a0"
	}
	return affixes{strings.Replace(before, "¤", symbol+space, 1), strings.Replace(after, "¤", space+symbol, 1)}
}

// neighbour is the character of the symbol that touches the number; utf8.RuneError when none does.
func neighbour(before, after, symbol string) rune {
	near := utf8.RuneError
	if strings.HasSuffix(before, "¤") {
		near, _ = utf8.DecodeLastRuneInString(symbol)
	}
	if strings.HasPrefix(after, "¤") {
		near, _ = utf8.DecodeRuneInString(symbol)
	}
	return near
}

// needsSpace is CLDR's currencySpacing, the same in all locales: a no-break space parts the number from
// anything but a symbol or white space. CLDR's second means to that end, the pattern called
// alphaNextToNumber, says the same, except in some twenty locales that have it from the root only, where
// it contradicts the place that their own pattern gives to the symbol.
func needsSpace(near rune) bool {
	return near != utf8.RuneError && !unicode.IsSymbol(near) && !unicode.Is(unicode.Z, near)
}

// Money prints an amount of minor units.
func (f *Formatter) Money(minor int64, c Currency) string {
	return string(f.AppendMoney(make([]byte, 0, 48), minor, c))
}

// AppendMoney appends what Money prints.
func (f *Formatter) AppendMoney(dst []byte, minor int64, c Currency) []byte {
	var digits [digitsRoom]byte
	if minor < 0 {
		dst = append(dst, '-')
	}
	whole, fraction := c.split(digits[:0], minor)
	return f.append(dst, whole, fraction, c)
}

// Price prints a price, exactly: at least the decimals of the currency, and as many more as it has, up
// to eight. The ninth and further ones are rounded, half of the eighth away from zero.
func (f *Formatter) Price(price decimal.Decimal, c Currency) string {
	price = price.Round(maxPriceDecimals)
	whole, fraction, _ := bytes.Cut([]byte(price.Abs().StringFixed(maxPriceDecimals)), []byte{'.'})
	for len(fraction) > c.Exponent && fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	dst := make([]byte, 0, 48)
	if price.IsNegative() {
		dst = append(dst, '-')
	}
	return string(f.append(dst, whole, fraction, c))
}

// DecimalMark is what parts the decimals from the whole of a number.
func (f *Formatter) DecimalMark() string { return f.locale.Decimal }

// Number prints a number of units, exactly, in the groups and with the mark of the locale.
func (f *Formatter) Number(n decimal.Decimal) string {
	whole, fraction, _ := strings.Cut(n.Abs().String(), ".")
	dst := make([]byte, 0, 48)
	if n.IsNegative() {
		dst = append(dst, '-')
	}
	dst = f.appendGroups(dst, []byte(whole))
	if fraction != "" {
		dst = append(append(dst, f.locale.Decimal...), fraction...)
	}
	return string(dst)
}

func (f *Formatter) append(dst, whole, fraction []byte, c Currency) []byte {
	around, ok := f.around[c.Code]
	if !ok {
		around = f.locale.affixes(c.Code)
	}
	dst = append(dst, around.before...)
	dst = f.appendGroups(dst, whole)
	if len(fraction) > 0 {
		dst = append(append(dst, f.locale.Decimal...), fraction...)
	}
	return append(dst, around.after...)
}

func (f *Formatter) appendGroups(dst, whole []byte) []byte {
	if len(whole) < f.first+f.minimum {
		return append(dst, whole...)
	}
	for i, digit := range whole {
		left := len(whole) - i
		if i > 0 && left >= f.first && (left-f.first)%f.next == 0 {
			dst = append(dst, f.locale.Group...)
		}
		dst = append(dst, digit)
	}
	return dst
}
