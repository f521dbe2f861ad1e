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

// askDays asks for the format of the days where more than a slip of the rows with an amount have one that is no date, such as one
// without a year: these rows would be lost. A day that is written like the others, such as February 30th, is a mistake of its row.
func askDays(d *decisions) {
	day := func(r text.Row) string {
		cell, _, _ := strings.Cut(text.CellAt(r.Cells, d.date), " as of ")
		return cell
	}
	written := map[string]bool{}
	for _, r := range d.headRows() {
		if cell := day(r); len(notation.PatternsOf(cell)) > 0 {
			written[outline(cell)] = true
		}
	}
	days, odd := oddCell(d, func(r text.Row) (string, bool) {
		cell := day(r)
		return cell, strings.ContainsFunc(cell, notation.IsDigit) && len(notation.PatternsOf(cell)) == 0 && !written[outline(cell)]
	})
	if d.date >= 0 && odd != "" {
		d.ask("date_format", nil, "of %d days more than one in 10 is no date, such as %s", days, ledger.Quote(odd))
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

// askDecimals asks for the currency where more than a slip of the amounts have decimals that the account's does not have, as those of
// coins do: no row of these could be booked.
func askDecimals(d *decisions) {
	home := d.defaults.Currency
	asked := slices.ContainsFunc(d.questions, func(q record.Question) bool { return strings.HasPrefix(q.Setting, "currency") })
	if asked || record.Given(d.out.CurrencyColLabel) != "" || record.Given(d.out.Currency) != "" || home.Code == "" || d.defaults.AccountCurrency != nil {
		return
	}
	amounts, odd := oddCell(d, func(r text.Row) (string, bool) {
		for _, at := range d.money() {
			cell := text.CellAt(r.Cells, at)
			if s := notation.ShapeOf(cell); s.Number && s.Decimals > home.Exponent && s.Decimals != 3 && !notation.Zeros(cell[len(cell)-s.Decimals+home.Exponent:]) {
				return cell, true
			}
		}
		return "", false
	})
	if odd != "" && home.Exponent > 0 {
		d.ask("currency", nil, "of %d amounts more than one in 10 has more decimals than %s, such as %s", amounts, home.Code, odd)
	}
}

// oddCell counts the rows of the beginning that have an amount, and gives a cell that a test finds odd if it does so in more
// than one row, and in more than one of ten.
func oddCell(d *decisions, test func(r text.Row) (cell string, odd bool)) (rows int, example string) {
	const few = 10
	found := 0
	for _, r := range d.headRows() {
		if !hasAmount(d, r) {
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

// hasAmount says whether a record has an amount.
func hasAmount(d *decisions, r text.Row) bool {
	for _, at := range d.money() {
		if notation.ShapeOf(text.CellAt(r.Cells, at)).Number {
			return true
		}
	}
	return false
}
