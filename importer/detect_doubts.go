package importer

import (
	"slices"
	"strings"
	"unicode"

	"finsvc/ledger"
)

// doubtDays asks for the format of the days where more than a slip of the rows with an amount have one that is no date, such as one
// without a year: these rows would be lost. A day that is written like the others, such as February 30th, is a mistake of its row.
func (f *detector) doubtDays() {
	day := func(r Record) string {
		cell, _, _ := strings.Cut(cellAt(r.Cells, f.date), " as of ")
		return cell
	}
	written := map[string]bool{}
	for _, r := range f.headRows() {
		if cell := day(r); len(patternsOf(cell)) > 0 {
			written[outline(cell)] = true
		}
	}
	days, odd := f.odd(func(r Record) (string, bool) {
		cell := day(r)
		return cell, strings.ContainsFunc(cell, isDigit) && len(patternsOf(cell)) == 0 && !written[outline(cell)]
	})
	if f.date >= 0 && odd != "" {
		f.ask("date_format", nil, "of %d days more than one in 10 is no date, such as %s", days, ledger.Quote(odd))
	}
}

// outline is how a text is written: where its digits, its letters and its marks are.
func outline(cell string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsDigit(r):
			return '0'
		case unicode.IsLetter(r):
			return 'a'
		}
		return r
	}, cell)
}

// doubtDecimals asks for the currency where more than a slip of the amounts have decimals that the account's does not have, as those of
// coins do: no row of these could be booked.
func (f *detector) doubtDecimals() {
	home := f.defaults.Currency
	asked := slices.ContainsFunc(f.found.questions, func(q question) bool { return strings.HasPrefix(q.Setting, "currency") })
	if asked || given(f.out.CurrencyColLabel) != "" || given(f.out.Currency) != "" || home.Code == "" || f.defaults.AccountCurrency != nil {
		return
	}
	amounts, odd := f.odd(func(r Record) (string, bool) {
		for _, at := range f.money() {
			cell := cellAt(r.Cells, at)
			if s := shapeOf(cell); s.number && s.decimals > home.Exponent && s.decimals != 3 && !zeros(cell[len(cell)-s.decimals+home.Exponent:]) {
				return cell, true
			}
		}
		return "", false
	})
	if odd != "" && home.Exponent > 0 {
		f.ask("currency", nil, "of %d amounts more than one in 10 has more decimals than %s, such as %s", amounts, home.Code, odd)
	}
}

// odd counts the rows of the beginning that have an amount, and gives a cell that a test finds odd if it does so in more
// than one row, and in more than one of ten.
func (f *detector) odd(test func(r Record) (cell string, odd bool)) (rows int, example string) {
	const few = 10
	found := 0
	for _, r := range f.headRows() {
		if !f.moved(r) {
			continue
		}
		rows++
		if cell, odd := test(r); odd {
			found++
			example = first(example, cell)
		}
	}
	if found <= 1 || few*found <= rows {
		return rows, ""
	}
	return rows, example
}

// moved says whether a record has an amount.
func (f *detector) moved(r Record) bool {
	for _, at := range f.money() {
		if shapeOf(cellAt(r.Cells, at)).number {
			return true
		}
	}
	return false
}
