package notation

import (
	"slices"

	"finsvc/importer/lexicon"
	"finsvc/ledger/money"
)

// CurrencyIn reads what a cell of a column of currencies says: a code, a name or sign of one currency, or a sign of
// several of which that of the account is one.
func CurrencyIn(cell string, home money.Currency) (money.Currency, bool) {
	if c, ok := lexicon.Currency(cell); ok {
		return c, true
	}
	codes, known := lexicon.CellCodes(cell)
	switch {
	case known && home.Code != "" && slices.Contains(codes, home.Code):
		return home, true
	case known && len(codes) == 1:
		return money.LookupCurrency(codes[0])
	}
	return money.LookupCurrency(lexicon.CurrencyNamed(cell))
}

// IsISIN reports whether a cell is an international number of a security: its country, nine characters and a check digit,
// which Luhn's sum over its digits proves, letters counting as 10 to 35 (ISO 6166).
func IsISIN(cell string) bool {
	if len(cell) != 12 {
		return false
	}
	sum, double := 0, false
	for i := len(cell) - 1; i >= 0; i-- {
		digit, isDigit, isLetter := int(cell[i]-'0'), cell[i] >= '0' && cell[i] <= '9', cell[i] >= 'A' && cell[i] <= 'Z'
		switch {
		case isDigit && i > 1:
			sum, double = sum+luhn(digit, double), !double
		case isLetter && i < 11:
			value := int(cell[i]-'A') + 10
			sum += luhn(value%10, double) + luhn(value/10, !double)
		default:
			return false
		}
	}
	return sum%10 == 0
}

// luhn is what a digit adds to the sum: every second one counts twice, less nine when that has two digits.
func luhn(digit int, double bool) int {
	if double {
		digit *= 2
	}
	return digit/10 + digit%10
}
