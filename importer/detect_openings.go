package importer

import (
	"slices"
	"strings"

	"finsvc/ledger"
)

// asides are rows among the data that tell a balance and are no payments: what stood on the account before, or at the
// end of the day.
type asides struct {
	column   int      // where they say so
	words    []string // by what words, each once
	closing  bool     // some are at the end of the file, or call a balance final
	opening  []string // words of rows that finance programs have as a payment, too: an opening balance with an amount
	width    int      // the fewest cells of a record but the last
	previous int      // cells of the record before
}

// Words of rows that tell a balance. Of the first kind no payment is; the second one is a payment in finance programs.
const (
	balanceRows = "saldo anterior;saldo inicial;saldo final;saldo do dia;saldo dia;saldo del dia;s a l d o;anfangssaldo;endsaldo;schlusssaldo;alter saldo;neuer saldo;saldovortrag;alter kontostand;neuer kontostand;ancien solde;nouveau solde;solde initial;solde final;solde precedent;saldo iniziale;saldo finale;saldo precedente;beginsaldo;eindsaldo;vorig saldo;nieuw saldo;saldo poczatkowe;saldo koncowe;ingaende saldo;utgaende saldo;inngaende saldo;alkusaldo;loppusaldo;algsaldo;loppsaldo;closing balance;ending balance;balance brought forward;balance carried forward;previous balance;"
	openingRows = "opening balance;beginning balance;starting balance;"
)

// tellsBalance finds the cell that says that a record is a balance; -1 when none does.
func (f *detector) tellsBalance(cells []string) int {
	const longest = 48
	for i, cell := range cells {
		if len(cell) > longest || len(cell) < 5 || !mayTellBalance(cell) {
			continue
		}
		switch {
		case isPhrase(balanceRows, cell):
			f.asides.closing = true
			return i
		case isPhrase(openingRows, cell) && !f.moves(cells):
			return i
		case isPhrase(openingRows, cell):
			f.asides.opening = addWordOnce(f.asides.opening, cell)
		}
	}
	return -1
}

// mayTellBalance is a quick look that spares most cells the slow one.
func mayTellBalance(cell string) bool {
	for i := 0; i+3 <= len(cell); i++ {
		if a, b := cell[i]|0x20, cell[i+1]|0x20; (a == 's' || a == 'b') && (b == 'a' || b == 'o' || b == ' ') {
			c := cell[i+2] | 0x20
			if c == 'l' || a == 's' && c == 'a' {
				return true
			}
		}
	}
	return false
}

// isPhrase says whether a cell is a phrase of a list, or begins with one and goes on with a day.
func isPhrase(list, cell string) bool {
	if among(list, cell) {
		return true
	}
	plain, _ := plainHeader(cell)
	for phrase := range strings.SplitSeq(strings.TrimSuffix(list, ";"), ";") {
		if rest, found := strings.CutPrefix(plain, phrase+" "); found && strings.ContainsAny(rest, "0123456789") {
			return true
		}
	}
	return false
}

// moves says whether a record has a number in a column that is not one of balances.
func (f *detector) moves(cells []string) bool {
	for i := range f.columns {
		if f.columns[i].isNumber && f.columns[i].roles[roleBalance] == 0 && shapeOf(cellAt(cells, i)).number {
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
	switch {
	case len(a.words) > 1 || a.closing && len(a.opening) > 0:
		f.ask("row_filter", filters, "rows such as %s tell a balance and are no payments, and one filter cannot leave out all", quoted(slices.Concat(a.words, a.opening)))
	case len(a.words) == 1:
		f.set("row_filter", filters[0], "such rows tell a balance and are no payments")
	}
	if f.sheet.header == nil && f.date >= 0 && len(f.tail) == 0 && a.previous < a.width {
		f.ask("footer", []string{"0", "1"}, "the last record has %d cells and all others %d or more, as if it were a balance and no payment; its date is %s", a.previous, a.width, ledger.Quote(f.columns[f.date].last))
	}
}
