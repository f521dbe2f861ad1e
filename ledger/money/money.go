package money

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// MaxMinor is the largest amount, in minor units, that the ledger takes; -MaxMinor is the smallest. It
// lies below 2^53, so that a JSON client that keeps numbers as binary floats still reads it exactly.
const MaxMinor = 9_000_000_000_000_000

// maxDigits is the most digits a number may have when it is written out without an exponent.
const maxDigits = 40

// ParseDecimal reads a number exactly: optional sign, digits with at most one decimal point, optional
// power of ten ("1e2" is 100). Neither white space nor separators nor other bases are numbers here. The
// error continues a sentence that begins with the field's name.
func ParseDecimal(text string) (decimal.Decimal, error) {
	whole, fraction, power, ok := splitNumber(text)
	if !ok {
		return decimal.Zero, fmt.Errorf("must be a number such as 12.50, got %s", Clip(text))
	}
	exponent, ok := parsePower(power)
	digits := len(whole) + len(fraction)
	if !ok || digits+max(exponent, 0) > maxDigits || len(fraction)-exponent > maxDigits {
		return decimal.Zero, fmt.Errorf("must be a number of at most %d digits, got %s", maxDigits, Clip(text))
	}
	return decimal.NewFromString(text)
}

// TwoDecimals reads two numbers of a stored row, such as quantity and price.
func TwoDecimals(first, second string) (one, other decimal.Decimal, err error) {
	one, errOne := decimal.NewFromString(first)
	other, errOther := decimal.NewFromString(second)
	return one, other, errors.Join(errOne, errOther)
}

// splitNumber takes a number apart; ok says that it is one. The power keeps its sign.
func splitNumber(text string) (whole, fraction, power string, ok bool) {
	mantissa, power := text, "0"
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, power = text[:i], text[i+1:]
	}
	whole, fraction, _ = strings.Cut(withoutSign(mantissa), ".")
	exponent := withoutSign(power)
	ok = len(whole)+len(fraction) > 0 && exponent != "" && isDigits(whole) && isDigits(fraction) && isDigits(exponent)
	return whole, fraction, power, ok
}

func withoutSign(text string) string {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		return text[1:]
	}
	return text
}

func isDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// parsePower is the value of a power of ten that has few enough digits to matter.
func parsePower(power string) (int, bool) {
	if len(power) > maxDigits {
		return 0, false
	}
	n, err := strconv.Atoi(power)
	return n, err == nil && n >= -maxDigits && n <= maxDigits
}

// Clip quotes a text that may be as long as a whole request body: [ledger.Quote] shows 60 characters, which
// never need more than 256 bytes, and would copy all the others.
func Clip(text string) string {
	const most = 60 // characters, which are four bytes at most
	if runes := []rune(text[:min(len(text), 4*most+4)]); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return strconv.Quote(text)
}

// Minor is the amount in minor units, exactly. An amount with more decimals than the currency has is
// an error (trailing zeros do not count), and so is one beyond [MaxMinor]. The error continues a sentence
// that begins with the field's name.
func (c Currency) Minor(amount decimal.Decimal) (int64, error) {
	if amount.IsZero() {
		return 0, nil
	}
	// The number of digits first: a decimal can stand for a number too large to be written out.
	if amount.NumDigits()+int(amount.Exponent()) > 20 {
		return 0, c.errRange()
	}
	minor := amount.Shift(int32(c.Exponent))
	if !minor.IsInteger() {
		return 0, c.errDecimals(amount)
	}
	if minor.Abs().GreaterThan(decimal.New(MaxMinor, 0)) {
		return 0, c.errRange()
	}
	return minor.IntPart(), nil
}

// noise is how far an amount that was computed in binary floating point may lie beside the one that is meant, as a
// power of ten of a unit.
const noise = -6

// Nearest takes the noise of binary floating point off an amount that a program has computed: one that lies less than
// a millionth of a unit beside an amount of the currency is that amount. Any other stays what it is.
func (c Currency) Nearest(amount decimal.Decimal) decimal.Decimal {
	if amount.NumDigits()+int(amount.Exponent()) > 20 {
		return amount // and too large, see Minor
	}
	near := amount.Round(int32(c.Exponent))
	if near.Sub(amount).Abs().LessThan(decimal.New(1, noise)) {
		return near
	}
	return amount
}

// Meant is an amount as a client gave it: without noise, if the client wrote a JSON number.
func (c Currency) Meant(amount decimal.Decimal, isNumber bool) decimal.Decimal {
	if isNumber {
		return c.Nearest(amount)
	}
	return amount
}

func (c Currency) errRange() error {
	return fmt.Errorf("must lie between %s and %s %s", c.Plain(-MaxMinor), c.Plain(MaxMinor), c.Code)
}

func (c Currency) errDecimals(amount decimal.Decimal) error {
	return fmt.Errorf("has more decimals than %s allows (%d): %s", c.Code, c.Exponent, amount)
}

// Decimal is an amount of minor units as a number of the currency.
func (c Currency) Decimal(minor int64) decimal.Decimal {
	return decimal.New(minor, -int32(c.Exponent))
}

// Plain writes an amount of minor units for programs: all decimals of the currency, a point before them
// and a minus sign if it is negative, as in -1234.50.
func (c Currency) Plain(minor int64) string {
	var digits [digitsRoom]byte
	text := make([]byte, 0, digitsRoom)
	if minor < 0 {
		text = append(text, '-')
	}
	whole, fraction := c.split(digits[:0], minor)
	text = append(text, whole...)
	if len(fraction) > 0 {
		text = append(append(text, '.'), fraction...)
	}
	return string(text)
}

// PlainSum writes a sum in the same manner, however large it is.
func (c Currency) PlainSum(s Sum) string {
	return c.PlainBig(s.Big())
}

func (c Currency) PlainBig(minor *big.Int) string {
	return decimal.NewFromBigInt(minor, -int32(c.Exponent)).StringFixed(int32(c.Exponent))
}

// digitsRoom is enough for the digits of every int64 and a sign.
const digitsRoom = 24

// split writes the digits of an amount, without its sign, behind dst and cuts them at the decimal
// point. At least one digit stands before it.
func (c Currency) split(dst []byte, minor int64) (whole, fraction []byte) {
	magnitude := uint64(minor)
	if minor < 0 {
		magnitude = -magnitude // also right for the smallest int64, which has no positive counterpart
	}
	digits := strconv.AppendUint(dst, magnitude, 10)
	for len(digits) <= c.Exponent {
		digits = slices.Insert(digits, 0, '0')
	}
	point := len(digits) - c.Exponent
	return digits[:point], digits[point:]
}
