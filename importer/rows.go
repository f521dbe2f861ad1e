package importer

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"finsvc/importer/lexicon"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// Rows reads a file row by row, in constant memory.
type Rows struct {
	census
	csv      *csvReader
	decoder  *decoder
	rules    rules
	kind     kind
	columns  columns
	defaults Defaults
	ahead    []Record // the last records seen, as many as may be the footer
	first    []Record // those that were looked at to know how wide the table is, and are still to come
	after    error    // that came behind them
	named    int      // columns that the header names
	key      []byte   // room to join cells in
	likeness likeness
	days     []int // see otherDays
	stated   statedCell
	// pendingPart says that the rows are in a part of the file that is headed as pending.
	pendingPart bool
	allStates   bool    // rows are read as if all were booked, to see what the balances say of them
	row         Row     // room to plan one in
	day         dayCell // the date that was read last
	err         error   // that ended the file
}

// dayCell is a cell and the date in it.
type dayCell struct {
	cell string
	date ledger.Date
}

// NewRows begins to read: settings, lines to skip, header. The error is a validation error of the
// settings, a *[FileError] for content that cannot be read, or that of the reader.
func NewRows(r io.Reader, s Settings, d Defaults) (*Rows, error) {
	k := kindNamed(d.Type, d)
	if t, ok := k.(*trades); ok {
		r = twice(r)
		if err := t.survey(r, s, d); err != nil {
			return nil, err
		}
		r = r.(rereader).again()
	}
	return openRows(r, s, d, k)
}

// openRows begins to read a file of a kind that knows of the file what it must.
func openRows(r io.Reader, s Settings, d Defaults, k kind) (*Rows, error) {
	rules, problems := s.compile()
	if err := problems.Err(); err != nil {
		return nil, err
	}
	text := newDecoder(r, rules.encoding)
	lines := newLineReader(text)
	rows := &Rows{csv: newCSVReader(lines, rules.separator), decoder: text, rules: rules, kind: k, defaults: d}
	if err := rows.skipLines(lines); err != nil {
		return nil, err
	}
	return rows, rows.begin(s)
}

func (r *Rows) skipLines(lines *lineReader) error {
	for range r.rules.skip {
		line, err := lines.next()
		if begins, pending := partOf([]string{strings.Trim(string(line), string(r.rules.separator)+"\" \t\ufeff")}); err == nil && begins && r.hasStates() {
			r.pendingPart = pending
		}
		if errors.Is(err, io.EOF) {
			return &FileError{Message: fmt.Sprintf("has only %d lines, but rows_to_skip is %d", lines.number, r.rules.skip)}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// begin reads the header, if there is one, and finds the columns.
func (r *Rows) begin(s Settings) error {
	var header Record
	var err error
	if r.rules.header {
		header, err = r.csv.next()
		r.csv.number = 0
	}
	if errors.Is(err, io.EOF) {
		return &FileError{Message: "has no header line: it is empty, or only blank lines follow the skipped ones"}
	}
	if err != nil {
		return err
	}
	if strings.IndexByte(header.text, 0) >= 0 {
		return brokenAt(header.Line, "has NUL bytes: this is no CSV file, or not in the character set %s", r.decoder.name)
	}
	r.named = len(header.Cells)
	if r.columns, err = findColumns(s, r.kind, r.widen(header.Cells), header.Line); err != nil {
		return err
	}
	if r.defaults.AccountCurrency != nil && r.columns.at[fieldAccount] < 0 {
		return brokenAt(header.Line, "has no column for the account: give account_id or account_col_label%s", r.columns.list())
	}
	r.likeness = newLikeness(r.columns)
	if r.hasStates() {
		r.days = r.otherDays()
	}
	return nil
}

// widen reads the first records ahead and gives the header a blank name for each cell that they have beyond it, see widened.
func (r *Rows) widen(header []string) []string {
	const looked = 20
	for header != nil && len(r.first) < looked && r.after == nil {
		var record Record
		if record, r.after = r.csv.next(); r.after == nil {
			r.first = append(r.first, record)
		}
	}
	return widened(header, r.first)
}

// next is the following record of the file.
func (r *Rows) next() (Record, error) {
	if len(r.first) > 0 {
		record := r.first[0]
		r.first = r.first[1:]
		return record, nil
	}
	if r.after != nil {
		return Record{}, r.after
	}
	return r.csv.next()
}

// Header is the header line; nil when the file has none.
func (r *Rows) Header() []string { return r.columns.header[:r.named] }

// Encoding is the character set the file was read in. It is final after the last row: as long as only
// ASCII has come it is us-ascii.
func (r *Rows) Encoding() string { return r.decoder.name }

// Next is the following row. The error is io.EOF after the last row, a *[FileError] for content that
// ends the file, or that of the reader; it is repeated by every further call.
func (r *Rows) Next() (Row, error) {
	if r.err != nil {
		return Row{}, r.err
	}
	record, err := r.record()
	var row Row
	if err == nil {
		row = r.plan(record)
		err = r.census.take(&row)
	}
	if err != nil {
		r.err = err
		return Row{}, err
	}
	return row, nil
}

// record is the following record that is not one of the footer's.
func (r *Rows) record() (Record, error) {
	for len(r.ahead) < r.rules.footer {
		record, err := r.next()
		if err != nil {
			return Record{}, err
		}
		r.ahead = append(r.ahead, record)
	}
	record, err := r.next()
	if err != nil || len(r.ahead) == 0 {
		return record, err
	}
	first := r.ahead[0]
	copy(r.ahead, r.ahead[1:])
	r.ahead[len(r.ahead)-1] = record
	return first, nil
}

func (r *Rows) plan(record Record) Row {
	r.mend(&record)
	r.row = Row{Number: record.Number, Line: record.Line, Raw: record.Cells}
	r.row.Key, r.key = sourceHash(r.key, record.Cells)
	r.row.Like, r.key = r.likeness.key(r.key, record.Cells, r.row.Key)
	if id := r.columns.cell(record.Cells, fieldID); id != "" {
		r.row.Bank, r.key = sourceHash(r.key, []string{ledger.NormalText(id)})
	}
	if r.row.Skipped = r.leftOut(record.Cells); r.row.Skipped != "" {
		return r.row
	}
	state, section := r.readState(record.Cells)
	if section {
		r.row.Skipped = skippedSection
		return r.row
	}
	r.row.State = state
	bare := r.row
	r.checkShape(&r.row, record)
	r.kind.plan(r, &r.row)
	if why := r.leftOutFor(state); why != "" {
		if len(r.row.Issues) > 0 { // it is no error, for nothing is to be made of it
			r.row = bare
		}
		r.row.Skipped = why
	}
	return r.row
}

// mender is a kind that knows how to cut a line whose quotes were not doubled. It gives nil when it does not.
type mender interface {
	mend(line string, separator byte, width int) []string
}

func (r *Rows) mend(record *Record) {
	m, ok := r.kind.(mender)
	if !ok || !record.loose || record.line == "" {
		return
	}
	if cells := m.mend(record.line, r.rules.separator, len(r.columns.header)); cells != nil {
		record.Cells, record.loose = cells, false
	}
}

// leftOut says why the settings leave a row out.
func (r *Rows) leftOut(cells []string) string {
	if r.rules.filterColumn != "" && (r.columns.cell(cells, fieldFilter) == r.rules.filterValue) == r.rules.filterNot {
		return "row_filter"
	}
	if r.rules.neutral != "" && r.columns.at[fieldDirection] >= 0 && r.columns.cell(cells, fieldDirection) == r.rules.neutral {
		return "neutral_value"
	}
	return ""
}

// checkShape looks for bytes that are no text and for cells beyond the header.
func (r *Rows) checkShape(row *Row, record Record) {
	if broken(record.text, r.decoder.lossy) {
		for i, cell := range record.Cells {
			if broken(cell, r.decoder.lossy) {
				row.addIssue(r.columns.titleAt(i), cell, "has bytes that are not text in "+r.decoder.name)
			}
		}
	}
	width := len(r.columns.header)
	if width == 0 {
		return
	}
	if record.loose && len(record.Cells) != width {
		row.addIssue("row", strings.Join(record.Cells, "|"), fmt.Sprintf(
			"must have %d cells, has %d, and a quote that is not doubled", width, len(record.Cells)))
	}
	for i := width; i < len(record.Cells); i++ {
		if cell := record.Cells[i]; cell != "" {
			row.addIssue(r.columns.number(i), cell, fmt.Sprintf("must be blank: the header has only %d columns", r.named))
		}
	}
}

// broken says whether a text has bytes that could not be decoded, or NUL.
func broken(text string, lossy bool) bool {
	return strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text) || lossy && strings.Contains(text, replacement)
}

func (row *Row) addIssue(column, cell, message string) {
	const most = 200
	if utf8.RuneCountInString(cell) > most {
		cell = string([]rune(cell)[:most])
	}
	row.Issues = append(row.Issues, Issue{row.Number, row.Line, column, cell, message})
}

func (r *Rows) issue(row *Row, f field, message string) {
	row.addIssue(r.columns.title(f), r.columns.cell(row.Raw, f), message)
}

func (r *Rows) readDate(row *Row) {
	cell := r.columns.cell(row.Raw, fieldDate)
	if cell == "" && row.State == statePending {
		cell = r.otherDay(row.Raw)
	}
	if cell == "" {
		r.issue(row, fieldDate, "is required and must not be blank")
		return
	}
	if cell == r.day.cell { // many rows of one day follow one another
		row.Date = r.day.date
		return
	}
	date, err := r.rules.dates.parse(cell)
	if booked, _, found := strings.Cut(cell, " as of "); err != nil && found { // what follows is the day from which it counts
		date, err = r.rules.dates.parse(booked)
	}
	if err != nil {
		r.issue(row, fieldDate, err.Error())
		return
	}
	r.day = dayCell{cell, date}
	row.Date = date
}

func (r *Rows) readAccount(row *Row) {
	row.Account = r.line(row, fieldAccount)
	if row.Account == "" && r.defaults.AccountCurrency != nil {
		r.issue(row, fieldAccount, "is required and must not be blank")
	}
}

// readCurrency takes the row's own currency, else the one that the settings give, else its account's, else the default.
func (r *Rows) readCurrency(row *Row) bool {
	home := r.homeOf(row)
	code := r.columns.cell(row.Raw, fieldCurrency)
	switch told := r.rules.currency.Code != ""; {
	case r.inHundredths(row, code):
	case code != "" && (r.rules.currencyTold || !told):
		currency, ok := currencyIn(code, home)
		if !ok {
			r.issue(row, fieldCurrency, "must be an ISO 4217 code such as EUR, got "+ledger.Quote(code))
		}
		row.Currency = currency
		return ok
	case told:
		row.Currency = r.rules.currency
	default:
		row.Currency = home
	}
	return true
}

// inHundredths reads the code of the hundredth of a currency, such as GBX. It says in what a price is; other amounts are refused in it.
func (r *Rows) inHundredths(row *Row, cell string) bool {
	code, hundredths := lexicon.Hundredth(cell)
	if !hundredths {
		return false
	}
	row.Currency, _ = money.LookupCurrency(code)
	if row.Trade() == nil {
		r.issue(row, fieldCurrency, fmt.Sprintf("must be %s: in hundredths of it only prices are read, got %s", code, ledger.Quote(cell)))
	}
	return true
}

// homeOf is the currency of the account that a row belongs to.
func (r *Rows) homeOf(row *Row) money.Currency {
	if r.defaults.AccountCurrency != nil && row.Account != "" {
		if currency, ok := r.defaults.AccountCurrency(row.Account); ok {
			return currency
		}
	}
	return r.defaults.Currency
}

// readAmount finds the signed amount, whichever way the file writes it.
func (r *Rows) readAmount(row *Row) {
	if r.columns.at[fieldDebit] >= 0 {
		r.readPair(row)
		return
	}
	if empty(r.columns.cell(row.Raw, fieldAmount)) {
		if r.hasFee(row) {
			return
		}
		r.issue(row, fieldAmount, "is required and must not be blank")
		return
	}
	amount, ok := r.money(row, fieldAmount)
	switch {
	case !ok:
	case r.rules.numbers.sideOf(r.columns.cell(row.Raw, fieldAmount)) != noSide:
		row.Minor = amount
	default:
		row.Minor = amount * r.rules.sign * r.direction(row)
	}
}

// hasFee reports whether a row has a fee, which may be all that it books.
func (r *Rows) hasFee(row *Row) bool { return isSome(r.columns.cell(row.Raw, fieldFee)) }

// takeFee takes what stands in the column of fees from the amount: whatever its sign, it is money out.
func (r *Rows) takeFee(row *Row) {
	if r.columns.at[fieldFee] < 0 {
		return
	}
	fee, ok := r.money(row, fieldFee)
	if unit, code := r.unitOf(row, fieldFee); ok && unit == unitHundredth {
		if ok = code == row.Currency.Code && fee%100 == 0; !ok {
			r.issue(row, fieldFee, fmt.Sprintf("must be a whole number of hundredths of %s, the currency of the row, got %s", row.Currency.Code, ledger.Quote(r.columns.cell(row.Raw, fieldFee))))
		}
		fee /= 100
	}
	if ok && fee != 0 {
		row.Minor -= abs(fee)
		if row.Minor < -money.MaxMinor {
			r.issue(row, fieldFee, fmt.Sprintf("must leave an amount of at least %s %s together with the amount", row.Currency.Plain(-money.MaxMinor), row.Currency.Code))
		}
		row.Remarks = append(row.Remarks, "the fee of "+row.Currency.Plain(abs(fee))+" is part of the amount")
	}
}

// direction is 1, or in files with a direction column -1 where that does not say inflow.
func (r *Rows) direction(row *Row) int64 {
	if !r.rules.byColumn {
		return 1
	}
	value := r.columns.cell(row.Raw, fieldDirection)
	switch {
	case value == r.rules.inflow:
		return 1
	case r.rules.outflow == "" || value == r.rules.outflow:
	case strings.EqualFold(value, r.rules.inflow): // both words are known, so the case of letters decides nothing
		return 1
	case !strings.EqualFold(value, r.rules.outflow):
		r.issue(row, fieldDirection, fmt.Sprintf("must be %s or %s, got %s",
			ledger.Quote(r.rules.inflow), ledger.Quote(r.rules.outflow), ledger.Quote(value)))
	}
	return -1
}

// readPair reads a debit and a credit column. Their signs are not trusted: banks write debits both ways.
func (r *Rows) readPair(row *Row) {
	if empty(r.columns.cell(row.Raw, fieldDebit)) && empty(r.columns.cell(row.Raw, fieldCredit)) {
		if r.hasFee(row) {
			return
		}
		r.issue(row, fieldDebit, "or "+r.columns.title(fieldCredit)+" must have an amount")
		return
	}
	debit, ok := r.money(row, fieldDebit)
	credit, fine := r.money(row, fieldCredit)
	if !ok || !fine {
		return
	}
	if debit != 0 && credit != 0 {
		r.issue(row, fieldDebit, "and "+r.columns.title(fieldCredit)+" must not both have an amount")
		return
	}
	row.Minor = abs(credit) - abs(debit)
}

// money reads a cell in the row's currency; one that is blank or a dash is 0.
func (r *Rows) money(row *Row, f field) (int64, bool) {
	cell := r.columns.cell(row.Raw, f)
	if empty(cell) {
		return 0, true
	}
	amount, err := r.rules.numbers.minor(cell, row.Currency)
	if err != nil {
		r.issue(row, f, err.Error())
	}
	return amount, err == nil
}

func abs(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}

// isDash says whether a cell is one dash or several, as some banks write for no amount.
func isDash(cell string) bool {
	for _, r := range cell {
		if r != '-' && r != '–' && r != '—' {
			return false
		}
	}
	return cell != ""
}

// empty says whether a cell has no amount: it is blank, or a dash.
func empty(cell string) bool { return cell == "" || isDash(cell) }
