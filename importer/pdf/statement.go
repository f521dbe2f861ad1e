package pdf

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"finsvc/importer/notation"
	"finsvc/importer/pdf/extract"
	"finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// Statement is what the words of a bank's statement come to. Where Doubt is not blank nothing proves that the rows
// are right; it continues a sentence that begins with the file.
type Statement struct {
	Rows   []StatementRow
	Doubt  string
	Header []string        // of the table
	Found  record.Settings // as far as they are proven

	Opening, Closing int64 // the balances that the statement prints, money in the account positive
	Proven           bool  // the rows lead from the one to the other
}

// StatementRow is a row of a statement. Minor is positive for money into the account.
type StatementRow struct {
	Line        int // of the whole text, from 1
	Date        ledger.Date
	Minor       int64
	Name, Notes string
	Raw         []string // date, text and amount as printed
}

// StatementAccount is the account that a statement is of.
type StatementAccount struct {
	Currency  money.Currency
	Liability bool // a card or a loan: its statements may print what is owed as positive
}

// Read finds the rows of a statement. Of all the ways in which its dates, numbers, columns and signs may be
// meant only one that leads from its opening balance to its closing one is taken, and only if no other does.
// Date_format (for the order of day and month), number_format, signage_convention and the labels of columns are
// obeyed where they are given.
func Read(words []extract.Word, s record.Settings, account StatementAccount) Statement {
	read := statementReader{settings: s, account: account, lines: linesOf(words)}
	best, proven := read.all()
	switch {
	case best == nil:
		return Statement{Doubt: "has no rows that could be read: no line of it begins with a date and has an amount in " + account.Currency.Code}
	case len(proven) == 0:
		return read.result(*best, best.doubt(account.Currency))
	}
	chosen, doubt := read.choose(proven)
	return read.result(chosen, doubt)
}

// statementReader tries what a statement may mean.
type statementReader struct {
	settings record.Settings
	account  StatementAccount
	lines    []*pdfRow
}

// all gives the readings that are proven and differ, and the likeliest one when there are none.
func (sr *statementReader) all() (best *reading, proven []reading) {
	for _, sheet := range sr.sheets() {
		for _, r := range sr.try(sheet, &best) {
			if !slices.ContainsFunc(proven, func(other reading) bool {
				return slices.EqualFunc(other.rows, r.rows, func(x, y pdfBooked) bool {
					dayX, _ := other.guess.day(x.entry)
					dayY, _ := r.guess.day(y.entry)
					return x.minor == y.minor && dayX == dayY && x.entry.line == y.entry.line
				})
			}) {
				proven = append(proven, r)
			}
		}
	}
	return best, proven
}

// sheets are the looks at the statement with every way of writing dates and numbers that fits it.
func (sr *statementReader) sheets() (sheets []*sheet) {
	lexicon := newPDFLexicon()
	for _, decimal := range sr.decimals() {
		for _, dayFirst := range sr.orders() {
			sheet := readSheet(lexicon, sr.lines, sr.labels(), newPDFAmounts(sr.account.Currency, decimal), dayFirst)
			sheet.joinHeaders()
			sheets = append(sheets, sheet)
		}
	}
	fits := func(s *sheet) bool { return !s.misfit }
	if slices.ContainsFunc(sheets, fits) {
		sheets = slices.DeleteFunc(sheets, func(s *sheet) bool { return !fits(s) })
	}
	return sheets
}

// decimals are the characters that may stand before the decimals.
func (sr *statementReader) decimals() []byte {
	format, err := notation.NewNumberFormat(record.Given(sr.settings.NumberFormat))
	switch {
	case sr.account.Currency.Exponent == 0:
		return []byte{'.'}
	case err == nil && format.Decimal != 0:
		return []byte{format.Decimal}
	}
	return []byte{'.', ','}
}

// orders say whether the day comes first.
func (sr *statementReader) orders() []bool {
	pattern, err := notation.NewDatePattern(record.Given(sr.settings.DateFormat))
	if err != nil {
		return []bool{true, false}
	}
	for _, part := range pattern.Parts {
		switch part.Verb {
		case 'd', 'e':
			return []bool{true}
		case 'm', 'b', 'B', 'h':
			return []bool{false}
		}
	}
	return []bool{true, false}
}

// labels are the headers that the request names.
func (sr *statementReader) labels() map[string]role {
	labels := map[string]role{}
	for role, label := range map[role]*string{
		pdfRoleDate: sr.settings.DateColLabel, pdfRoleText: sr.settings.NameColLabel,
		pdfRoleAmount: sr.settings.AmountColLabel,
		pdfRoleDebit:  sr.settings.DebitColLabel, pdfRoleCredit: sr.settings.CreditColLabel,
	} {
		if text := record.Given(label); text != "" {
			labels[ledger.Fold(text)] = role
		}
	}
	return labels
}

// try reads a sheet in every way: by its headers, and only when that proves nothing by its columns alone.
func (sr *statementReader) try(sheet *sheet, best **reading) (proven []reading) {
	// Find the columns of amounts, from left to right below each header, and tell each amount its own. Amounts
	// whose places overlap are in one column.
	var columns []column
	for header := -1; header < len(sheet.headers); header++ {
		var pieces []*piece
		for _, e := range sheet.entries {
			for i := range e.pieces {
				if e.header == header && e.pieces[i].amount != nil {
					pieces = append(pieces, &e.pieces[i])
				}
			}
		}
		slices.SortStableFunc(pieces, func(a, b *piece) int { return cmp.Compare(a.amount.left, b.amount.left) })
		columns = addColumns(columns, header, pieces)
	}
	// Give each column the role of the header that it stands below, else of the nearest one.
	named := make([]role, len(columns))
	for i, c := range columns {
		if c.header < 0 {
			continue
		}
		best := math.Inf(1)
		for _, cell := range sheet.headers[c.header].cells {
			if away := cell.distance(c); away < best {
				best, named[i] = away, cell.role
			}
		}
		if named[i] < pdfRoleAmount {
			named[i] = pdfRoleNone
		}
	}
	if slices.ContainsFunc(named, func(r role) bool { return r >= pdfRoleAmount && r != pdfRoleBalance }) {
		proven = sr.tryRoles(sheet, columns, named, best)
		if len(proven) > 0 {
			return proven
		}
	}
	if slices.ContainsFunc(columns, func(c column) bool { return c.header != columns[0].header }) ||
		slices.Contains(named, pdfRoleBalance) {
		return nil
	}
	for _, roles := range columnGuesses(columns) {
		proven = append(proven, sr.tryRoles(sheet, columns, roles, best)...)
	}
	return proven
}

func (sr *statementReader) tryRoles(sheet *sheet, columns []column, roles []role, best **reading) (proven []reading) {
	for _, g := range sr.guessesOf(sheet, columns, roles) {
		r, ok := g.read()
		if !ok {
			continue
		}
		if r.proven {
			proven = append(proven, r)
		}
		if *best == nil || !(*best).known && r.known || (*best).known == r.known && len(r.rows) > len((*best).rows) {
			*best = &r
		}
	}
	return proven
}

// guessesOf are all combinations of what the roles of the columns leave open.
func (sr *statementReader) guessesOf(sheet *sheet, columns []column, roles []role) (list []guess) {
	sections, dateless := []sectionUse{noSections}, []bool{false}
	if slices.ContainsFunc(sheet.entries, func(e *entry) bool { return e.section != 0 }) {
		sections = []sectionUse{noSections, sectionSigns, sectionRelative}
	}
	if slices.ContainsFunc(sheet.entries, func(e *entry) bool { return !e.own }) {
		dateless = []bool{false, true}
	}
	for _, balances := range sr.balanceSigns() {
		for _, amounts := range sr.amountSigns() {
			for _, use := range sections {
				for _, less := range dateless {
					for _, relative := range []bool{false, true} {
						list = append(list, guess{sheet, columns, roles, use, less, relative, amounts, balances})
					}
				}
			}
		}
	}
	return list
}

func (sr *statementReader) balanceSigns() []int64 {
	if sr.account.Liability {
		return []int64{1, -1}
	}
	return []int64{1}
}

func (sr *statementReader) amountSigns() []int64 {
	switch record.Given(sr.settings.SignageConvention) {
	case record.InflowsPositive:
		return []int64{1}
	case record.InflowsNegative:
		return []int64{-1}
	}
	return []int64{1, -1}
}

func (g guess) day(e *entry) (ledger.Date, bool) {
	// Find the year of a date that has none: the one in which it is within the period, or nearest to it.
	p := g.sheet.period
	d := e.date
	if d.year != 0 {
		return d.date()
	}
	if p == (pdfPeriod{}) {
		return 0, false
	}
	best, distance, found := ledger.Date(0), ledger.Date(nearPeriod+1), false
	for d.year = p.first.Time().Year() - 1; d.year <= p.last.Time().Year()+1; d.year++ {
		date, ok := d.date()
		if away := max(p.first-date, date-p.last, 0); ok && away < distance {
			best, distance, found = date, away, true
		}
	}
	return best, found
}

// result is the statement as it was read.
func (sr *statementReader) result(r reading, doubt string) Statement {
	s := Statement{Doubt: doubt}
	missing := 0
	for _, booked := range r.rows {
		row, ok := r.guess.statementRow(booked)
		if !ok {
			missing++
		}
		s.Rows = append(s.Rows, row)
	}
	if doubt == "" && missing > 0 {
		s.Doubt = fmt.Sprintf("has %d of %d rows whose date has no year, or one outside of the statement's period: it says nowhere that can be read which time it covers", missing, len(r.rows))
	}
	if mark := r.guess.foreign(r.rows, sr.account.Currency.Code); s.Doubt == "" && mark != "" {
		s.Doubt = fmt.Sprintf("has amounts in %s, but the account is in %s: give the account of the statement", mark,
			sr.account.Currency.Code)
	}
	s.Header, s.Opening, s.Closing, s.Proven = r.header(), r.opening, r.closing, r.proven
	if s.Doubt == "" {
		s.Found = r.found(sr.settings)
	}
	return s
}

// foreign is a currency beside a row's amount or a balance that is not the account's; blank when there is none.
func (g guess) foreign(rows []pdfBooked, code string) string {
	for _, row := range rows {
		for _, p := range row.entry.pieces {
			if p.amount != nil && g.roles[p.column] != pdfRoleNone && !inCurrency(p.amount.money, code) {
				return p.amount.money
			}
		}
	}
	for _, b := range g.sheet.balances {
		if !inCurrency(b.amount.money, code) {
			return b.amount.money
		}
	}
	return ""
}

// statementRow is a row with its texts; ok is false when its day is not known.
func (g guess) statementRow(b pdfBooked) (row StatementRow, ok bool) {
	e := b.entry
	var words, amounts []string
	for _, p := range e.pieces {
		switch {
		case p.amount == nil || g.roles[p.column] == pdfRoleNone:
			words = append(words, p.text)
		case g.roles[p.column] != pdfRoleBalance:
			amounts = append(amounts, p.text)
		}
	}
	texts := slices.Concat(e.before, []string{strings.Trim(strings.Join(words, " "), " $€£")}, e.after)
	texts = slices.DeleteFunc(texts, func(text string) bool { return text == "" })
	row = StatementRow{Line: e.line.number, Minor: b.minor, Raw: []string{e.date.text, strings.Join(texts, " "),
		strings.Join(amounts, " ")}}
	if len(texts) > 0 {
		row.Name, row.Notes = texts[0], strings.Join(texts[1:], "\n")
	}
	row.Date, ok = g.day(e)
	return row, ok
}
