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

// aside is what a record with an amount is called that may be none of the payments, and the column that says it.
type aside struct {
	opening, bare string
	column        int
}

// tellsBalance finds the cell that says that a record is a balance; -1 when none does.
func (f *detector) tellsBalance(cells []string) int {
	at, _ := f.readAside(cells)
	return at
}

// readAside finds the cell that says that a record is a balance, -1 when none does, and what a record is called that may be
// one although it has an amount.
func (f *detector) readAside(cells []string) (at int, called aside) {
	const longest = 48
	for i, cell := range cells {
		if len(cell) > longest || len(cell) < 5 || !mayTellBalance(cell) {
			continue
		}
		switch {
		case isBalance(cell):
			f.asides.closing = true
			return i, called
		case (lexicon.Has(lexicon.BareBalance, cell) || isPhrase(lexicon.BookedOpeningBalance, cell)) && !f.moves(cells):
			return i, called
		case isPhrase(lexicon.BookedOpeningBalance, cell):
			called = aside{opening: cell, column: i}
		case lexicon.Has(lexicon.BareBalance, cell):
			called = aside{bare: cell, column: i}
		}
	}
	return -1, called
}

// take notes what a payment is called, now that it is known to be one.
func (a *balanceRows) take(p aside, cells []string) {
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

// separating is a filter by a column that has one and the same value in all payments and another one in every row that
// tells a balance, such as the kind of a record; blank when there is none.
func (f *detector) separating() string {
	rows := slices.Concat(f.asides.rows, f.tail)
	for i := range f.columns {
		c := &f.columns[i]
		if c.varies || c.same == "" || c.isDate || len(f.asides.rows) >= maxWords {
			continue
		}
		if !slices.ContainsFunc(rows, func(cells []string) bool { return text.CellAt(cells, i) == c.same }) {
			return f.label(i) + "=" + c.same
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

// moves says whether a record has a number in a column that is not one of balances.
func (f *detector) moves(cells []string) bool {
	for i := range f.columns {
		if f.columns[i].isNumber && f.columns[i].Roles[lexicon.RoleBalance] == 0 && notation.ShapeOf(text.CellAt(cells, i)).Number {
			return true
		}
	}
	return false
}

// passTail looks at the records that might have been a footer, before the one that shows that they are not.
func (f *detector) passTail(width int) {
	for _, cells := range f.tail {
		if at := f.tellsBalance(cells); at >= 0 {
			f.asides.column, f.asides.words = at, addWordOnce(f.asides.words, cells[at])
			f.asides.keep(cells)
		}
	}
	f.tail = f.tail[:0]
	if a := &f.asides; a.previous > 0 && (a.width == 0 || a.previous < a.width) {
		a.width = a.previous
	}
	f.asides.previous = width
}

func addWordOnce(list []string, word string) []string {
	if slices.Contains(list, word) || len(list) >= maxWords {
		return list
	}
	return append(list, strings.Clone(word))
}

// findAsides leaves rows that tell a balance out, or asks about them.
func (f *detector) findAsides() {
	a := f.asides
	var filters []string
	for _, word := range slices.Concat(a.words, a.opening) {
		filters = append(filters, f.label(a.column)+"!="+word)
	}
	several := len(a.words) > 1 || a.closing && len(a.opening) > 0
	switch filter := f.separating(); {
	case several && filter != "":
		f.set("row_filter", filter, "rows such as %s tell a balance and are no payments, and all others have it", text.Quoted(slices.Concat(a.words, a.opening)))
	case several:
		f.ask("row_filter", filters, "rows such as %s tell a balance and are no payments, and one filter cannot leave out all", text.Quoted(slices.Concat(a.words, a.opening)))
	case len(a.words) == 1:
		f.set("row_filter", filters[0], "such rows tell a balance and are no payments")
	}
	if f.sheet.header == nil && f.date >= 0 && len(f.tail) == 0 && a.previous < a.width {
		f.ask("footer", []string{"0", "1"}, "the last record has %d cells and all others %d or more, as if it were a balance and no payment; its date is %s", a.previous, a.width, ledger.Quote(f.columns[f.date].last))
	}
}

// edgeBalance says whether the first or the last payment is the only one whose name says no more than balance.
func (f *detector) edgeBalance() bool {
	a := f.asides
	ends := a.bares > 0 && text.CellAt(a.last, a.bareAt) == a.bare
	return a.bares == 1 && (a.begins || ends) && f.label(a.bareAt) == record.Given(f.out.NameColLabel)
}
