package importer

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"finsvc/importer/lexicon"
	"finsvc/ledger/money"
)

// isOf says whether the number may be in a currency as far as what stands beside it says.
func (n number) isOf(currency money.Currency) bool {
	if n.code != "" || n.sign == "" {
		return n.code == "" || n.code == currency.Code
	}
	codes, known := lexicon.SignCodes(n.sign)
	return !known || slices.Contains(codes, currency.Code)
}

// currencyMark understands what may stand beside a number for its currency: a code, a symbol, or a
// short local name. The code is empty where the mark does not tell one currency from another.
func currencyMark(mark string) (string, error) {
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
