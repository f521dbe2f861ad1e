// Package table reads CSV of every kind as records: exports of banks, of brokers and of Mint, and lists of accounts,
// categories and rules.
//
// How a file is written is given by its settings; see the package detect for how they are found.
package table

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/export"
	"finsvc/ledger/money"
)

// Rows reads a file row by row, in constant memory.
type Rows struct {
	record.Counter
	csv      *text.CSVReader
	decoder  *text.Decoder
	Rules    record.Rules
	kind     Kind
	Columns  Columns
	defaults record.Defaults
	ahead    []text.Row // the last records seen, as many as may be the footer
	first    []text.Row // those that were looked at to know how wide the table is, and are still to come
	after    error      // that came behind them
	named    int        // Columns that the header names
	key      []byte     // room to join cells in
	likeness likeness
	days     []int // see otherDays
	stated   statedCell
	// pendingPart says that the rows are in a part of the file that is headed as pending.
	pendingPart bool
	AllStates   bool          // rows are read as if all were booked, to see what the balances say of them
	row         record.Record // room to plan one in
	day         dayCell       // the date that was read last
	err         error         // that ended the file
}

// dayCell is a cell and the date in it.
type dayCell struct {
	cell string
	date ledger.Date
}

// NewRows begins to read: settings, lines to skip, header. The error is a validation error of the
// settings, a *[text.FileError] for content that cannot be read, or that of the reader.
func NewRows(file *source.File, s record.Settings, d record.Defaults) (*Rows, error) {
	k := KindNamed(d.Type, d)
	if t, ok := k.(*Trades); ok {
		if err := t.readFacts(file, s, d); err != nil {
			return nil, err
		}
	}
	return openRows(file, s, d, k)
}

// openRows begins to read a file of a kind that knows of the file what it must.
func openRows(file *source.File, s record.Settings, d record.Defaults, k Kind) (*Rows, error) {
	rules, problems := s.Compile()
	if err := problems.Err(); err != nil {
		return nil, err
	}
	content, err := file.Open()
	if err != nil {
		return nil, err
	}
	cell := text.NewDecoder(content, rules.Encoding)
	lines := text.NewLineReader(cell)
	rows := &Rows{csv: text.NewCSVReader(lines, rules.Separator), decoder: cell, Rules: rules, kind: k, defaults: d}
	for range rows.Rules.Skip {
		line, err := lines.Next()
		if begins, pending := PartOf([]string{strings.Trim(string(line),
			string(rows.Rules.Separator)+"\" \t\ufeff")}); err == nil && begins && hasStates(rows) {
			rows.pendingPart = pending
		}
		if errors.Is(err, io.EOF) {
			return nil, &text.FileError{Message: fmt.Sprintf("has only %d lines, but rows_to_skip is %d", lines.Number,
				rows.Rules.Skip)}
		}
		if err != nil {
			return nil, err
		}
	}
	return rows, rows.begin(s)
}

// begin reads the header, if there is one, and finds the columns.
func (r *Rows) begin(s record.Settings) error {
	var header text.Row
	var err error
	if r.Rules.Header {
		header, err = r.csv.Next()
		r.csv.Number = 0
	}
	if errors.Is(err, io.EOF) {
		return &text.FileError{Message: "has no header line: it is empty, or only blank lines follow the skipped ones"}
	}
	if err != nil {
		return err
	}
	if strings.IndexByte(header.Text, 0) >= 0 {
		return text.BrokenAt(header.Line, "has NUL bytes: this is no CSV file, or not in the character set %s",
			r.decoder.Name)
	}
	r.named = len(header.Cells)
	r.Columns, err = FindColumns(s, r.kind, r.widen(header.Cells), header.Line)
	if err != nil {
		return err
	}
	if r.defaults.AccountCurrency != nil && r.Columns.At[record.FieldAccount] < 0 {
		return text.BrokenAt(header.Line, "has no column for the account: give account_id or account_col_label%s",
			r.Columns.list())
	}
	r.likeness = newLikeness(r.Columns)
	if hasStates(r) {
		r.days = otherDays(r)
	}
	return nil
}

// widen reads the first records ahead and gives the header a blank name for each cell that they have beyond it, see
// widened.
func (r *Rows) widen(header []string) []string {
	const looked = 20
	for header != nil && len(r.first) < looked && r.after == nil {
		var record text.Row
		record, r.after = r.csv.Next()
		if r.after == nil {
			r.first = append(r.first, record)
		}
	}
	return Widened(header, r.first)
}

// next is the following record of the file.
func (r *Rows) next() (text.Row, error) {
	if len(r.first) > 0 {
		record := r.first[0]
		r.first = r.first[1:]
		return record, nil
	}
	if r.after != nil {
		return text.Row{}, r.after
	}
	return r.csv.Next()
}

// Header is the header line; nil when the file has none.
func (r *Rows) Header() []string { return r.Columns.Header[:r.named] }

// Encoding is the character set the file was read in. It is final after the last row: as long as only
// ASCII has come it is us-ascii.
func (r *Rows) Encoding() string { return r.decoder.Name }

// Next is the following row. The error is io.EOF after the last row, a *[text.FileError] for content that
// ends the file, or that of the reader; it is repeated by every further call.
func (r *Rows) Next() (record.Record, error) {
	if r.err != nil {
		return record.Record{}, r.err
	}
	rec, err := r.record()
	var row record.Record
	if err == nil {
		row = r.plan(rec)
		err = r.Counter.Count(&row)
	}
	if err != nil {
		r.err = err
		return record.Record{}, err
	}
	return row, nil
}

// record is the following record that is not one of the footer's.
func (r *Rows) record() (text.Row, error) {
	for len(r.ahead) < r.Rules.Footer {
		record, err := r.next()
		if err != nil {
			return text.Row{}, err
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

func (r *Rows) plan(rec text.Row) record.Record {
	r.mend(&rec)
	r.row = record.Record{Number: rec.Number, Line: rec.Line, Raw: rec.Cells}
	r.row.Key, r.key = record.SourceHash(r.key, rec.Cells)
	r.row.Like, r.key = r.likeness.key(r.key, rec.Cells, r.row.Key)
	if id := r.Columns.cell(rec.Cells, record.FieldID); id != "" {
		r.row.Bank, r.key = record.SourceHash(r.key, []string{ledger.NormalText(id)})
	}
	r.row.Skipped = r.leftOut(rec.Cells)
	if r.row.Skipped != "" {
		return r.row
	}
	state, section := readState(r, rec.Cells)
	if section {
		r.row.Skipped = record.SkippedSection
		return r.row
	}
	r.row.State = state
	bare := r.row
	checkShape(r, &r.row, rec)
	r.kind.plan(r, &r.row)
	if why := leftOutFor(r, state); why != "" {
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

func (r *Rows) mend(record *text.Row) {
	m, ok := r.kind.(mender)
	if !ok || !record.Loose || record.AsIs == "" {
		return
	}
	if cells := m.mend(record.AsIs, r.Rules.Separator, len(r.Columns.Header)); cells != nil {
		record.Cells, record.Loose = cells, false
	}
}

// LeftOut says why the settings leave a row out.
func (r *Rows) leftOut(cells []string) string {
	if r.Rules.FilterColumn != "" && (r.Columns.cell(cells, record.FieldFilter) == r.Rules.FilterValue) == r.Rules.FilterNot {
		return "row_filter"
	}
	if r.Rules.Neutral != "" && r.Columns.At[record.FieldDirection] >= 0 &&
		r.Columns.cell(cells, record.FieldDirection) == r.Rules.Neutral {
		return "neutral_value"
	}
	return ""
}

// checkShape looks for bytes that are no text and for cells beyond the header.
func checkShape(r *Rows, row *record.Record, record text.Row) {
	if text.Broken(record.Text, r.decoder.Lossy) {
		for i, cell := range record.Cells {
			if text.Broken(cell, r.decoder.Lossy) {
				row.AddIssue(r.Columns.TitleAt(i), cell, "has bytes that are not text in "+r.decoder.Name)
			}
		}
	}
	width := len(r.Columns.Header)
	if width == 0 {
		return
	}
	if record.Loose && len(record.Cells) != width {
		row.AddIssue("row", strings.Join(record.Cells, "|"), fmt.Sprintf(
			"must have %d cells, has %d, and a quote that is not doubled", width, len(record.Cells)))
	}
	for i := width; i < len(record.Cells); i++ {
		if cell := record.Cells[i]; cell != "" {
			row.AddIssue(r.Columns.number(i), cell, fmt.Sprintf("must be blank: the header has only %d columns",
				r.named))
		}
	}
}

func (r *Rows) issue(row *record.Record, f record.Field, message string) {
	row.AddIssue(r.Columns.title(f), r.Columns.cell(row.Raw, f), message)
}

func (r *Rows) readDate(row *record.Record) {
	cell := r.Columns.cell(row.Raw, record.FieldDate)
	if cell == "" && row.State == record.StatePending {
		cell = otherDay(r, row.Raw)
	}
	if cell == "" {
		r.issue(row, record.FieldDate, "is required and must not be blank")
		return
	}
	if cell == r.day.cell { // many rows of one day follow one another
		row.Date = r.day.date
		return
	}
	date, err := r.Rules.Dates.Parse(cell)
	// what follows is the day from which it counts
	if booked, _, found := strings.Cut(cell, " as of "); err != nil && found {
		date, err = r.Rules.Dates.Parse(booked)
	}
	if err != nil {
		r.issue(row, record.FieldDate, err.Error())
		return
	}
	r.day = dayCell{cell, date}
	row.Date = date
}

func (r *Rows) readAccount(row *record.Record) {
	row.Account = lineOf(r, row, record.FieldAccount)
	if row.Account == "" && r.defaults.AccountCurrency != nil {
		r.issue(row, record.FieldAccount, "is required and must not be blank")
	}
}

// readCurrency takes the row's own currency, else the one that the settings give, else its account's, else the default.
func (r *Rows) readCurrency(row *record.Record) bool {
	home := r.homeOf(row)
	code := r.Columns.cell(row.Raw, record.FieldCurrency)
	switch told := r.Rules.Currency.Code != ""; {
	case r.inHundredths(row, code):
	case code != "" && (r.Rules.CurrencyGiven || !told):
		currency, ok := notation.CurrencyIn(code, home)
		if !ok {
			r.issue(row, record.FieldCurrency, "must be an ISO 4217 code such as EUR, got "+ledger.Quote(code))
		}
		row.Currency = currency
		return ok
	case told:
		row.Currency = r.Rules.Currency
	default:
		row.Currency = home
	}
	return true
}

// inHundredths reads the code of the hundredth of a currency, such as GBX. It says in what a price is; other amounts
// are refused in it.
func (r *Rows) inHundredths(row *record.Record, cell string) bool {
	code, hundredths := lexicon.Hundredth(cell)
	if !hundredths {
		return false
	}
	row.Currency, _ = money.LookupCurrency(code)
	if row.Trade() == nil {
		r.issue(row, record.FieldCurrency, fmt.Sprintf("must be %s: in hundredths of it only prices are read, got %s",
			code, ledger.Quote(cell)))
	}
	return true
}

// homeOf is the currency of the account that a row belongs to.
func (r *Rows) homeOf(row *record.Record) money.Currency {
	if r.defaults.AccountCurrency != nil && row.Account != "" {
		if currency, ok := r.defaults.AccountCurrency(row.Account); ok {
			return currency
		}
	}
	return r.defaults.Currency
}

// readAmount finds the signed amount, whichever way the file writes it.
func (r *Rows) readAmount(row *record.Record) {
	if r.Columns.At[record.FieldDebit] >= 0 {
		r.readPair(row)
		return
	}
	if notation.Empty(r.Columns.cell(row.Raw, record.FieldAmount)) {
		if r.hasFee(row) {
			return
		}
		r.issue(row, record.FieldAmount, "is required and must not be blank")
		return
	}
	amount, ok := r.money(row, record.FieldAmount)
	switch {
	case !ok:
	case r.Rules.Numbers.SideOf(r.Columns.cell(row.Raw, record.FieldAmount)) != notation.NoSide:
		row.Minor = amount
	default:
		row.Minor = amount * r.Rules.Sign * r.direction(row)
	}
}

// hasFee reports whether a row has a fee, which may be all that it books.
func (r *Rows) hasFee(row *record.Record) bool {
	return notation.IsSome(r.Columns.cell(row.Raw, record.FieldFee))
}

// takeFee takes what stands in the column of fees from the amount: whatever its sign, it is money out.
func (r *Rows) takeFee(row *record.Record) {
	if r.Columns.At[record.FieldFee] < 0 {
		return
	}
	fee, ok := r.money(row, record.FieldFee)
	if unit, code := unitOf(r, row, record.FieldFee); ok && unit == unitHundredth {
		ok = code == row.Currency.Code && fee%100 == 0
		if !ok {
			r.issue(row, record.FieldFee, fmt.Sprintf("must be a whole number of hundredths of %s, the currency of the row, got %s", row.Currency.Code, ledger.Quote(r.Columns.cell(row.Raw, record.FieldFee))))
		}
		fee /= 100
	}
	if ok && fee != 0 {
		row.Minor -= max(fee, -fee)
		if row.Minor < -money.MaxMinor {
			r.issue(row, record.FieldFee, fmt.Sprintf("must leave an amount of at least %s %s together with the amount",
				row.Currency.Plain(-money.MaxMinor), row.Currency.Code))
		}
		row.Remarks = append(row.Remarks, "the fee of "+row.Currency.Plain(max(fee, -fee))+" is part of the amount")
	}
}

// direction is 1, or in files with a direction column -1 where that does not say inflow.
func (r *Rows) direction(row *record.Record) int64 {
	if !r.Rules.ByColumn {
		return 1
	}
	value := r.Columns.cell(row.Raw, record.FieldDirection)
	switch {
	case value == r.Rules.Inflow:
		return 1
	case r.Rules.Outflow == "" || value == r.Rules.Outflow:
	case strings.EqualFold(value, r.Rules.Inflow): // both words are known, so the case of letters decides nothing
		return 1
	case !strings.EqualFold(value, r.Rules.Outflow):
		r.issue(row, record.FieldDirection, fmt.Sprintf("must be %s or %s, got %s",
			ledger.Quote(r.Rules.Inflow), ledger.Quote(r.Rules.Outflow), ledger.Quote(value)))
	}
	return -1
}

// readPair reads a debit and a credit column. Their signs are not trusted: banks write debits both ways.
func (r *Rows) readPair(row *record.Record) {
	if notation.Empty(r.Columns.cell(row.Raw, record.FieldDebit)) &&
		notation.Empty(r.Columns.cell(row.Raw, record.FieldCredit)) {
		if r.hasFee(row) {
			return
		}
		r.issue(row, record.FieldDebit, "or "+r.Columns.title(record.FieldCredit)+" must have an amount")
		return
	}
	debit, ok := r.money(row, record.FieldDebit)
	credit, fine := r.money(row, record.FieldCredit)
	if !ok || !fine {
		return
	}
	if debit != 0 && credit != 0 {
		r.issue(row, record.FieldDebit, "and "+r.Columns.title(record.FieldCredit)+" must not both have an amount")
		return
	}
	row.Minor = max(credit, -credit) - max(debit, -debit)
}

// money reads a cell in the row's currency; one that is blank or a dash is 0.
func (r *Rows) money(row *record.Record, f record.Field) (int64, bool) {
	cell := r.Columns.cell(row.Raw, f)
	if notation.Empty(cell) {
		return 0, true
	}
	amount, err := r.Rules.Numbers.Minor(cell, row.Currency)
	if err != nil {
		r.issue(row, f, err.Error())
	}
	return amount, err == nil
}

// Required are the labels of the columns that must be there, and those that are not.
func (r *Rows) Required(s record.Settings) (labels, missing []string) {
	vital := r.kind.vital(s)
	if r.defaults.AccountCurrency != nil {
		vital = append(vital, record.FieldAccount)
	}
	for _, f := range vital {
		label := record.Given(record.Fields[f].Label(s))
		if label == "" {
			label = r.kind.Headers(f, record.Fields[f].Fallbacks)[0]
		}
		labels = append(labels, label)
		if r.Columns.At[f] < 0 {
			missing = append(missing, label)
		}
	}
	return labels, missing
}

// readBalance reads the balance beside a row. A cell that is none is no error: it only proves nothing.
func (r *Rows) readBalance(row *record.Record) {
	cell := r.Columns.cell(row.Raw, record.FieldBalance)
	if notation.Empty(cell) {
		return
	}
	minor, err := r.Rules.Numbers.Minor(cell, row.Currency)
	row.Balance, row.HasBalance = minor, err == nil
}

// readTexts sets name and notes. A name that is too long is cut, and kept whole in front of the notes.
func readTexts(r *Rows, row *record.Record) {
	row.Notes = text.Notes(textOf(r, row, record.FieldNotes))
	if text.Longer(row.Notes, ledger.MaxNotes) {
		r.issue(row, record.FieldNotes, text.TooLong(row.Notes, ledger.MaxNotes))
	}
	name := text.OneLine(textOf(r, row, record.FieldName))
	if name == "" {
		row.Name = text.CutName(cmp.Or(text.OneLine(row.Notes), record.DefaultName))
		return
	}
	row.Name, row.Notes = ledger.FitName(name, row.Notes)
	if row.Name != name && len(row.Issues) == 0 && text.Longer(row.Notes, ledger.MaxNotes) {
		r.issue(row, record.FieldName, fmt.Sprintf("is kept whole in front of the notes, and must have at most %d characters together with them", ledger.MaxNotes))
	}
}

// readLabels sets category and tags.
func readLabels(r *Rows, row *record.Record) {
	row.Category = text.CategoryPath(lineOf(r, row, record.FieldCategory))
	cell := textOf(r, row, record.FieldTags)
	if cell == "" {
		return
	}
	row.Tags = text.SplitTags(cell)
	for _, tag := range row.Tags {
		if text.Longer(tag, ledger.MaxName) {
			r.issue(row, record.FieldTags, text.TooLong(tag, ledger.MaxName))
		}
	}
}

// lineOf is a cell as a text of one line, of the length that names may have.
func lineOf(r *Rows, row *record.Record, f record.Field) string {
	cell := text.OneLine(textOf(r, row, f))
	if text.Longer(cell, ledger.MaxName) {
		r.issue(row, f, text.TooLong(cell, ledger.MaxName))
	}
	return cell
}

// textOf is a cell without the apostrophe that keeps spreadsheets from running it.
func textOf(r *Rows, row *record.Record, f record.Field) string {
	return export.FromHarmless(r.Columns.cell(row.Raw, f))
}
