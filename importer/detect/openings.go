package detect

import (
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// balanceRows are rows among the data that tell a balance and are no payments: what stood on the account before, or at the
// end of the day.
type balanceRows struct {
	column   int      // where they say so
	bareAt   int      // where the bare ones do
	words    []string // by what words, each once
	closing  bool     // some are at the end of the file, or call a balance final
	bare     string   // what payments are called that say no more than balance
	bares    int      // how many do
	begins   bool     // the first one does
	opening  []string // words of rows that finance programs have as a payment, too: an opening balance with an amount
	width    int      // the fewest cells of a record but the last
	previous int      // cells of the record before
	last     []string // the last payment
	rows     [][]string
}

// balanceName is what a record with an amount is called that may be none of the payments, and the column that says it.
type balanceName struct {
	opening, bare string
	column        int
}

// readBalanceRow finds the cell that says that a record is a balance, -1 when none does, and what a record is called that may be
// one although it has an amount.
func readBalanceRow(p *profile, cells []string) (at int, called balanceName) {
	const longest = 48
	for i, cell := range cells {
		if len(cell) > longest || len(cell) < 5 || !mayTellBalance(cell) {
			continue
		}
		switch {
		case isBalance(cell):
			return i, called
		case (lexicon.Has(lexicon.BareBalance, cell) || isPhrase(lexicon.BookedOpeningBalance, cell)) && !hasMoney(p, cells):
			return i, called
		case isPhrase(lexicon.BookedOpeningBalance, cell):
			called = balanceName{opening: cell, column: i}
		case lexicon.Has(lexicon.BareBalance, cell):
			called = balanceName{bare: cell, column: i}
		}
	}
	return -1, called
}

// take notes what a payment is called, now that it is known to be one.
func (a *balanceRows) take(p balanceName, cells []string) {
	if p.bare != "" {
		a.bareAt, a.bare, a.bares = p.column, p.bare, a.bares+1
		a.begins = a.begins || a.last == nil
	}
	a.last = cells
	if p.opening != "" {
		a.column, a.opening = p.column, addWordOnce(a.opening, p.opening)
		a.keep(cells)
	}
}

// keep remembers a row that tells a balance.
func (a *balanceRows) keep(cells []string) {
	if len(a.rows) < maxWords {
		a.rows = append(a.rows, cells)
	}
}

// separatingFilter is a filter by a column that has one and the same value in all payments and another one in every row that
// tells a balance, such as the kind of a record; blank when there is none.
func separatingFilter(p *profile) string {
	rows := slices.Concat(p.balanceRows.rows, p.tail)
	for i := range p.columns {
		c := &p.columns[i]
		if c.varies || c.same == "" || c.isDate || len(p.balanceRows.rows) >= maxWords {
			continue
		}
		if !slices.ContainsFunc(rows, func(cells []string) bool { return text.CellAt(cells, i) == c.same }) {
			return p.label(i) + "=" + c.same
		}
	}
	return ""
}

// mayTellBalance is a quick look that spares most cells the slow one: every phrase has one of these parts.
func mayTellBalance(cell string) bool {
	for i := 0; i+3 <= len(cell); i++ {
		switch (rune(cell[i])<<16 | rune(cell[i+1])<<8 | rune(cell[i+2])) | 0x202020 { // in small letters
		case 's'<<16 | 'a'<<8 | 'l', 's'<<16 | 'o'<<8 | 'l', 's'<<16 | ' '<<8 | 'a', 'b'<<16 | 'a'<<8 | 'l',
			't'<<16 | 'o'<<8 | 's', 't'<<16 | 'u'<<8 | 'r', 'l'<<16 | 'i'<<8 | 'k', 'p'<<16 | 'y'<<8 | 'v', 'a'<<16 | 'p'<<8 | 'g', 'i'<<16 | 'v'<<8 | 'e', 'n'<<16 | 'j'<<8 | 'e', 'l'<<16 | 'a'<<8 | 'j':
			return true
		}
	}
	return false
}

// isBalance reports whether a cell says that its record is a balance, which no payment is.
func isBalance(cell string) bool {
	return isPhrase(lexicon.OpeningBalance, cell) || isPhrase(lexicon.ClosingBalance, cell) || isPhrase(lexicon.BalanceRow, cell)
}

// isPhrase reports whether a cell is a phrase of a list, or begins with one and goes on with a day.
func isPhrase(list lexicon.Meaning, cell string) bool {
	plain, _ := lexicon.PlainHeader(cell)
	for end := range len(plain) {
		if plain[end] == ' ' && lexicon.HasPlain(list, plain[:end]) && strings.ContainsAny(plain[end:], "0123456789") {
			return true
		}
	}
	return lexicon.HasPlain(list, plain)
}

// hasMoney says whether a record has a number in a column that is not one of balances.
func hasMoney(p *profile, cells []string) bool {
	for i := range p.columns {
		if p.columns[i].isNumber && p.columns[i].Roles[lexicon.RoleBalance] == 0 && notation.ShapeOf(text.CellAt(cells, i)).Number {
			return true
		}
	}
	return false
}

// passTail looks at the records that might have been a footer, before the one that shows that they are not.
func passTail(p *profile, width int) {
	for _, cells := range p.tail {
		if at := tellsBalance(p, cells); at >= 0 {
			p.balanceRows.column, p.balanceRows.words = at, addWordOnce(p.balanceRows.words, cells[at])
			p.balanceRows.keep(cells)
		}
	}
	p.tail = p.tail[:0]
	if a := &p.balanceRows; a.previous > 0 && (a.width == 0 || a.previous < a.width) {
		a.width = a.previous
	}
	p.balanceRows.previous = width
}

func addWordOnce(list []string, word string) []string {
	if slices.Contains(list, word) || len(list) >= maxWords {
		return list
	}
	return append(list, strings.Clone(word))
}

// decideBalanceRows leaves rows that tell a balance out, or asks about them.
func decideBalanceRows(d *decisions) {
	a := d.balanceRows
	var filters []string
	for _, word := range slices.Concat(a.words, a.opening) {
		filters = append(filters, d.label(a.column)+"!="+word)
	}
	several := len(a.words) > 1 || a.closing && len(a.opening) > 0
	switch filter := separatingFilter(d.profile); {
	case several && filter != "":
		d.set("row_filter", filter, "rows such as %s tell a balance and are no payments, and all others have it", text.Quoted(slices.Concat(a.words, a.opening)))
	case several:
		d.ask("row_filter", filters, "rows such as %s tell a balance and are no payments, and one filter cannot leave out all", text.Quoted(slices.Concat(a.words, a.opening)))
	case len(a.words) == 1:
		d.set("row_filter", filters[0], "such rows tell a balance and are no payments")
	}
	if d.sheet.header == nil && d.date >= 0 && len(d.tail) == 0 && a.previous < a.width {
		d.ask("footer", []string{"0", "1"}, "the last record has %d cells and all others %d or more, as if it were a balance and no payment; its date is %s", a.previous, a.width, ledger.Quote(d.columns[d.date].last))
	}
}

// edgeBalance says whether the first or the last payment is the only one whose name says no more than balance.
func edgeBalance(d *decisions) bool {
	a := d.balanceRows
	ends := a.bares > 0 && text.CellAt(a.last, a.bareAt) == a.bare
	return a.bares == 1 && (a.begins || ends) && d.label(a.bareAt) == record.Given(d.out.NameColLabel)
}
