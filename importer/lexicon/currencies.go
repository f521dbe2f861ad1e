package lexicon

import (
	"strings"

	"finsvc/importer/text"
	"finsvc/ledger/money"
)

func codesByWord(l *list, form func(string) string) map[string]string {
	codes := map[string]string{}
	for _, entry := range l.entries {
		code := entry.Key
		if code == "any" {
			code = ""
		}
		for _, word := range entry.Words {
			codes[form(word)] = code
		}
	}
	return codes
}

// Currency finds a currency by its code in a file: also by one that is no longer official, or never was, for the very
// same money.
func Currency(code string) (money.Currency, bool) {
	c, ok := money.LookupCurrency(code)
	if ok {
		return c, true
	}
	official, former := words().formerCodes[strings.ToUpper(code)]
	if !former {
		return money.Currency{}, false
	}
	return money.LookupCurrency(official)
}

// codeOf is the currency that a part of a header names, written in capitals or as a sign.
func codeOf(word string) string {
	if word == strings.ToUpper(word) {
		c, ok := Currency(word)
		if ok {
			return c.Code
		}
	}
	return CurrencyNamed(word)
}

// CurrencyNamed is the code of a currency that is known by a word or sign of its own; blank where it is not.
func CurrencyNamed(word string) string {
	return words().currencyNames[text.Fold(strings.TrimSpace(word))]
}

// CurrencyMark understands a symbol or a short local name beside a number. The code is blank where it does not tell
// one currency from another.
func CurrencyMark(mark string) (code string, known bool) {
	code, known = words().currencyMarks[strings.ToLower(mark)]
	return code, known
}

// SignCodes are the codes of the currencies that are written with a sign.
func SignCodes(sign string) (codes []string, known bool) {
	codes, known = words().signs[strings.ToLower(sign)]
	return codes, known
}

// CellCodes are the codes of the currencies that are written with a sign or a short local name, as it may stand in a
// column of currencies.
func CellCodes(cell string) (codes []string, known bool) {
	cell = strings.TrimSpace(cell)
	codes, known = words().abbreviations[strings.ToLower(strings.TrimSuffix(cell, "."))]
	if known {
		return codes, true
	}
	return SignCodes(cell)
}

// Hundredth understands what is written for the hundredth of a currency, in which some markets quote shares: GBX, GBp
// or a p for pence.
func Hundredth(mark string) (code string, known bool) {
	code, known = words().hundredths[mark]
	return code, known
}
