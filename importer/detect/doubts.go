package detect

import (
	"slices"
	"strings"
	"unicode"

	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// doubtDays asks for the format of the days where more than a slip of the rows with an amount have one that is no date, such as one
// without a year: these rows would be lost. A day that is written like the others, such as February 30th, is a mistake of its row.
func (f *detector) doubtDays() {
	day := func(r text.Row) string {
		cell, _, _ := strings.Cut(text.CellAt(r.Cells, f.date), " as of ")
		return cell
	}
	written := map[string]bool{}
	for _, r := range f.headRows() {
		if cell := day(r); len(notation.PatternsOf(cell)) > 0 {
			written[outline(cell)] = true
		}
	}
	days, odd := f.odd(func(r text.Row) (string, bool) {
		cell := day(r)
		return cell, strings.ContainsFunc(cell, notation.IsDigit) && len(notation.PatternsOf(cell)) == 0 && !written[outline(cell)]
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
	asked := slices.ContainsFunc(f.found.Questions, func(q record.Question) bool { return strings.HasPrefix(q.Setting, "currency") })
	if asked || record.Given(f.out.CurrencyColLabel) != "" || record.Given(f.out.Currency) != "" || home.Code == "" || f.defaults.AccountCurrency != nil {
		return
	}
	amounts, odd := f.odd(func(r text.Row) (string, bool) {
		for _, at := range f.money() {
			cell := text.CellAt(r.Cells, at)
			if s := notation.ShapeOf(cell); s.Number && s.Decimals > home.Exponent && s.Decimals != 3 && !notation.Zeros(cell[len(cell)-s.Decimals+home.Exponent:]) {
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
func (f *detector) odd(test func(r text.Row) (cell string, odd bool)) (rows int, example string) {
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
func (f *detector) moved(r text.Row) bool {
	for _, at := range f.money() {
		if notation.ShapeOf(text.CellAt(r.Cells, at)).Number {
			return true
		}
	}
	return false
}
