package detect

import (
	"errors"
	"io"
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/importer/text"
)

// openRows opens the whole file at its first record after the header.
func (p *profile) openRows() (*text.CSVReader, *text.Decoder, error) {
	src, err := p.file.Open()
	if err != nil {
		return nil, nil, err
	}
	cell := text.NewDecoder(src, p.givenEncoding())
	lines := text.NewLineReader(cell)
	for range p.sheet.skip {
		if _, err := lines.Next(); err != nil {
			return nil, cell, err
		}
	}
	reader := text.NewCSVReader(lines, p.sheet.separator)
	if p.sheet.header != nil {
		_, err = reader.Next()
	}
	return reader, cell, err
}

// readRows reads the whole file for what every column holds.
func (p *profile) readRows() error {
	// Begin to look for the running balance, and where a column of currencies may part it, or be about
	// something else, also for one that it does not part.
	p.counted = newRunningBalance(p, lexicon.RoleCurrency, lexicon.RoleAccount)
	if whole := newRunningBalance(p, lexicon.RoleAccount); len(whole.split) < len(p.counted.split) {
		p.undivided = whole
	}
	p.twoDates = p.where(func(c *column) bool { return c.isDate && len(c.dates) > 1 })
	p.amounts = p.byRole(lexicon.RoleAmount, func(c *column) bool { return isAmount(c) && c.filled > 0 })
	watchIDs(p)
	for i := range p.columns {
		p.columns[i].reset()
	}
	reader, cell, err := p.openRows()
	for err == nil {
		var record text.Row
		record, err = reader.Next()
		if err == nil {
			p.rows++
			if p.sections.LeftOut(record.Cells) == "" {
				p.readRow(record)
			}
		}
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	if p.undivided != nil && p.undivided.proof().hits() > p.counted.proof().hits() {
		p.counted = p.undivided
	}
	p.encoding = cell.Name
	return nil
}

// readRow takes in a record of the whole file.
func (p *profile) readRow(record text.Row) {
	if begins, _ := table.PartOf(record.Cells); len(p.sheet.header) > 1 &&
		(begins || slices.Equal(record.Cells, p.sheet.header)) {
		p.headings++
		return
	}
	at, called := readBalanceRow(p, record.Cells)
	if at >= 0 && isBalance(record.Cells[at]) {
		p.balanceRows.closing = true
	}
	if at >= 0 || !dated(p, record.Cells) {
		keepTail(p, record.Cells)
		return
	}
	// Look at the records that might have been a footer, before the one that shows that they are not.
	width := len(record.Cells)
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
	p.balanceRows.take(called, record.Cells)
	for _, id := range p.ids {
		// what is pending has no id yet
		if cell := text.CellAt(record.Cells, id.at); cell != "" || !looksPending(p, record.Cells) {
			id.take(cell)
		}
	}
	keepLatest(p, record.Cells)
	for i := range p.columns {
		c := &p.columns[i]
		cell := text.CellAt(record.Cells, i)
		if called.opening == "" {
			c.keepSame(cell)
		}
		if cell == "" || c.isNumber && notation.IsDash(cell) {
			continue
		}
		c.filled++
		switch {
		case c.isNumber:
			c.count(cell)
		case c.isDate:
		default:
			c.isins += one(notation.IsISIN(cell))
			c.worded += one(text.HasWord(cell))
			c.addWord(cell)
		}
		if len(c.first) < examples {
			c.first = append(c.first, strings.Clone(cell))
		}
	}
	noteGaps(p, record.Cells)
	compareDates(p)
	cells := record.Cells
	for _, at := range p.amounts[min(1, len(p.amounts)):] {
		p.differ = p.differ || text.CellAt(cells, at) != text.CellAt(cells, p.amounts[0])
	}
	p.counted.step(record.Cells)
	p.undivided.step(record.Cells)
}

// dated reports whether a record has a date in a column of dates, and looks which patterns fit all of them. Where the file
// has no column of dates, every record counts.
func dated(p *profile, cells []string) bool {
	any, has := false, false
	for i := range p.columns {
		if c := &p.columns[i]; c.isDate {
			cell := text.CellAt(cells, i)
			has = true
			if !strings.ContainsFunc(cell, notation.IsDigit) && table.EndsTable(cell) {
				return false
			}
			any = c.see(cell) || any
		}
	}
	return any || !has
}

// keepTail holds on to the records without a date at the end of the file.
func keepTail(p *profile, cells []string) {
	if len(p.tail) <= record.MaxFooter {
		p.tail = append(p.tail, cells)
	}
}

// keepLatest remembers the last payments.
func keepLatest(p *profile, cells []string) {
	if len(p.latest) < edge {
		p.latest = append(p.latest, cells)
		return
	}
	p.latest[p.rows%edge] = cells
}

// edge is how many records at the end of a file are looked at for payments that are pending: they are among the
// newest, which stand at its beginning or at its end.
const edge = 200

// looksPending reports whether a record is that of a pending payment, as far as its own cells say.
func looksPending(p *profile, cells []string) bool {
	days, blank := false, false
	for i := range p.columns {
		cell := text.CellAt(cells, i)
		switch c := &p.columns[i]; {
		case c.isDate:
			days, blank = days || cell != "", blank || cell == ""
		case c.isNumber:
		case table.StateOf(cell) == record.StatePending:
			return true
		}
	}
	return days && blank
}

// noteGaps notes on which days a column has a date and another column of dates has none.
func noteGaps(p *profile, cells []string) {
	gap := false
	for i := range p.columns {
		gap = gap || p.columns[i].isDate && text.CellAt(cells, i) == ""
	}
	if !gap {
		return
	}
	for i := range p.columns {
		for j := range p.columns[i].dates {
			if d := &p.columns[i].dates[j]; d.present != 0 && (d.alone == 0 || d.present < d.alone) {
				d.alone = d.present
			}
		}
	}
}

// compareDates compares the two dates of a record: booked and valued are days apart, not months.
func compareDates(p *profile) {
	const near, apart = 7, 25
	if len(p.twoDates) < 2 {
		return
	}
	a, b := &p.columns[p.twoDates[0]], &p.columns[p.twoDates[1]]
	for i := range a.dates {
		for j := range b.dates {
			x, y := &a.dates[i], &b.dates[j]
			if x.pattern.Text != y.pattern.Text || x.present == 0 || y.present == 0 || x.present == y.present {
				continue
			}
			switch distance := max(x.present-y.present, y.present-x.present); {
			case distance <= near:
				x.near, y.near = x.near+1, y.near+1
			case distance > apart:
				x.apart, y.apart = x.apart+1, y.apart+1
			}
		}
	}
}

// balanceRows are rows among the data that tell a balance and are no payments: what stood on the account before, or at
// the end of the day.
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

// tellsBalance finds the cell that says that a record is a balance; -1 when none does.
func tellsBalance(p *profile, cells []string) int {
	at, _ := readBalanceRow(p, cells)
	return at
}

// readBalanceRow finds the cell that says that a record is a balance, -1 when none does, and what a record is called
// that may be one although it has an amount.
func readBalanceRow(p *profile, cells []string) (at int, called balanceName) {
	const longest = 48
	for i, cell := range cells {
		if len(cell) > longest || len(cell) < 5 || !mayTellBalance(cell) {
			continue
		}
		switch {
		case isBalance(cell):
			return i, called
		case (lexicon.Has(lexicon.BareBalance, cell) || isPhrase(lexicon.BookedOpeningBalance, cell)) &&
			!hasMoney(p, cells):
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

// mayTellBalance is a quick look that spares most cells the slow one: every phrase has one of these parts.
func mayTellBalance(cell string) bool {
	for i := 0; i+3 <= len(cell); i++ {
		switch (rune(cell[i])<<16 | rune(cell[i+1])<<8 | rune(cell[i+2])) | 0x202020 { // in small letters
		case 's'<<16 | 'a'<<8 | 'l', 's'<<16 | 'o'<<8 | 'l', 's'<<16 | ' '<<8 | 'a', 'b'<<16 | 'a'<<8 | 'l',
			't'<<16 | 'o'<<8 | 's', 't'<<16 | 'u'<<8 | 'r', 'l'<<16 | 'i'<<8 | 'k', 'p'<<16 | 'y'<<8 | 'v',
			'a'<<16 | 'p'<<8 | 'g', 'i'<<16 | 'v'<<8 | 'e', 'n'<<16 | 'j'<<8 | 'e', 'l'<<16 | 'a'<<8 | 'j':
			return true
		}
	}
	return false
}

// isBalance reports whether a cell says that its record is a balance, which no payment is.
func isBalance(cell string) bool {
	return isPhrase(lexicon.OpeningBalance, cell) || isPhrase(lexicon.ClosingBalance, cell) ||
		isPhrase(lexicon.BalanceRow, cell)
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

// hasMoney reports whether a record has a number in a column that is not one of balances.
func hasMoney(p *profile, cells []string) bool {
	for i := range p.columns {
		if p.columns[i].isNumber && p.columns[i].Roles[lexicon.RoleBalance] == 0 &&
			notation.ShapeOf(text.CellAt(cells, i)).Number {
			return true
		}
	}
	return false
}

func addWordOnce(list []string, word string) []string {
	if slices.Contains(list, word) || len(list) >= maxWords {
		return list
	}
	return append(list, strings.Clone(word))
}
