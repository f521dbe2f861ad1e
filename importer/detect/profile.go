package detect

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/export"
)

// profile is what the passes over a file find: how it is cut, what each of its columns holds, which rows are no payments, and how many steps
// of a running balance add up. It decides no setting, and nothing of it changes once the rows are read.
type profile struct {
	given    record.Settings // with what the form of the file fixes, see readForm
	defaults record.Defaults
	kind     table.Kind
	file     *source.File
	form     map[string]string // settings that the file of this program fixes
	short    bool              // Mint's years have two digits

	// By the beginning of the file.
	sheet    sheet
	charset  string // in which the headers are written, where that is not the likeliest one
	columns  []column
	language lexicon.Language
	sections table.TradeSections // of a file of trades
	pairs    [][2]int            // columns of money out and money in, by their headers

	// By all its rows.
	encoding    string // in which it was read
	rows        int64
	headings    int             // records that head a part of the file
	tail        [][]string      // the last records without a date, to be told from a footer
	latest      [][]string      // the last payments, see keepLatest
	counted     *runningBalance // the steps of the balance that add up
	undivided   *runningBalance // the same without regard to currencies; nil where there are not several
	balanceRows balanceRows
	twoDates    []int // columns of dates that may be read in several ways
	amounts     []int // columns that are called amount
	differ      bool  // and are not all equal in every row
	ids         []*idColumn
}

// readProfile reads the beginning of a file for its shape and its columns.
func readProfile(file *source.File, s record.Settings, d record.Defaults) (*profile, error) {
	p := &profile{given: s, defaults: d, file: file, kind: table.KindNamed(d.Type, d)}
	src, err := p.file.Open()
	if err != nil {
		return p, err
	}
	head, charset, err := readHead(src, p.givenEncoding())
	if err != nil {
		return p, err
	}
	findSheet(p, head)
	if err := findCharset(p, charset); err != nil {
		return p, err
	}
	readForm(p)
	readColumns(p)
	if _, isMint := p.kind.(table.Mint); isMint && record.Given(s.DateFormat) == "" {
		readShortYears(p)
	}
	return p, nil
}

// readForm takes what the form of the file fixes as given: that of a file that this program has written, of which nothing needs a proof,
// that of its kind, and whether there is a header.
func readForm(p *profile) {
	if _, plain := p.kind.(table.Transactions); plain && slices.Contains(p.sheet.header, export.TransactionIDColumn) {
		p.form = map[string]string{"date_format": "%Y-%m-%d", "number_format": "1,234.56", "signage_convention": record.InflowsPositive}
		for _, name := range []string{"date", "amount", "currency", "name", "notes", "category", "tags", "account"} {
			if slices.Contains(p.sheet.header, name) {
				p.form[name+"_col_label"] = name
			}
		}
		maps.DeleteFunc(p.form, func(setting, _ string) bool { return !p.open(setting) })
		for setting, value := range p.form {
			*p.given.Members()[setting] = new(value)
		}
	}
	if p.open("has_header") && len(p.sheet.records) > 0 {
		p.given.HasHeader = new(strconv.FormatBool(p.sheet.header != nil))
	}
	p.given = p.kind.Settings(p.given)
}

// shortYear is how Mint writes dates with two digits of the year.
const shortYear = "%m/%d/%y"

// readShortYears reads Mint's dates, in which the month comes first, with two digits of year where all of the beginning have so many.
func readShortYears(p *profile) {
	at := p.givenColumn("date_col_label")
	if at < 0 {
		return
	}
	for _, fit := range p.columns[at].dates {
		if fit.pattern.Text == shortYear && fit.fits == p.columns[at].seen {
			p.given.DateFormat, p.short = new(shortYear), true
		}
	}
}

// readHead gives the beginning of a file as text, cut at the end of a line, and the character set it was read in.
func readHead(src io.Reader, given encoding.Encoding) (cell, charset string, err error) {
	head, reader := make([]byte, headSize), text.NewDecoder(src, given)
	n, err := io.ReadFull(reader, head)
	head = head[:n]
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return string(head), reader.Name, nil
	case err != nil:
		return "", "", err
	}
	if end := strings.LastIndexAny(string(head), "\r\n"); end > 0 {
		head = head[:end+1]
	}
	return string(head), reader.Name, nil
}

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
	startRunningBalance(p)
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
	chooseRunningBalance(p)
	p.encoding = cell.Name
	return nil
}

// readRow takes in a record of the whole file.
func (p *profile) readRow(record text.Row) {
	if begins, _ := table.PartOf(record.Cells); len(p.sheet.header) > 1 && (begins || slices.Equal(record.Cells, p.sheet.header)) {
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
	passTail(p, len(record.Cells))
	p.balanceRows.take(called, record.Cells)
	for _, id := range p.ids {
		if cell := text.CellAt(record.Cells, id.at); cell != "" || !looksPending(p, record.Cells) { // what is pending has no id yet
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
	compareAmounts(p, record.Cells)
	p.counted.step(record.Cells)
	p.undivided.step(record.Cells)
}

// dated says whether a record has a date in a column of dates, and looks which patterns fit all of them. Where the file
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

// open says whether a setting was not given.
func (p *profile) open(name string) bool {
	member := *p.given.Members()[name]
	return member == nil || strings.Trim(*member, " ") == ""
}

// hasBookings says whether the rows become transactions or trades.
func (p *profile) hasBookings() bool {
	return record.HasAccount(cmp.Or(p.defaults.Type, record.TransactionImport))
}

// ofTrades says whether the rows are to be read as trades.
func (p *profile) ofTrades() bool {
	_, yes := p.kind.(*table.Trades)
	return yes
}

// givenEncoding is the character set that was given, or that the headers are written in; nil to find it.
func (p *profile) givenEncoding() encoding.Encoding {
	if p.charset != "" {
		e, _ := text.LookupEncoding(p.charset)
		return e
	}
	e, err := text.LookupEncoding(record.Given(p.given.Encoding))
	if err != nil || record.Given(p.given.Encoding) == text.ASCIIName {
		return nil
	}
	return e
}

// label is how a setting names a column so that it is found again: its header, or its number from 1.
func (p *profile) label(at int) string {
	number := strconv.Itoa(at + 1)
	if p.sheet.header == nil || at >= len(p.sheet.header) || record.Given(&p.sheet.header[at]) == "" {
		return number
	}
	c := table.Columns{Header: p.sheet.header}
	if found, err := c.Named(p.sheet.header[at], ""); err != nil || found != at {
		return number
	}
	return p.sheet.header[at]
}

// title names a column to people.
func (p *profile) title(at int) string {
	if p.sheet.header != nil && at < len(p.sheet.header) && p.sheet.header[at] != "" {
		return ledger.Quote(p.sheet.header[at])
	}
	return "column " + strconv.Itoa(at+1)
}

func (p *profile) labels(at []int) []string {
	list := make([]string, 0, len(at))
	for _, i := range at {
		list = append(list, p.label(i))
	}
	return list
}

func (p *profile) titles(at []int) string {
	list := make([]string, 0, len(at))
	for _, i := range at {
		list = append(list, p.title(i))
	}
	return strings.Join(list, ", ")
}

// namesUnknownColumn says whether a setting names a column that the file does not have.
func namesUnknownColumn(p *profile) bool {
	for name := range labelSettings() {
		if !p.open(name) && p.givenColumn(name) < 0 && record.Given(*p.given.Members()[name]) != record.NoColumn {
			return true
		}
	}
	return false
}

// givenColumn is the column that a setting: its place, or -1.
func (p *profile) givenColumn(setting string) int {
	label := record.Given(*p.given.Members()[setting])
	if label == "" {
		return -1
	}
	at, err := table.Columns{Header: p.sheet.header}.Named(label, setting)
	if err != nil || at >= len(p.columns) {
		return -1
	}
	return at
}

// where gives the columns that a test holds for.
func (p *profile) where(holds func(c *column) bool) []int {
	var list []int
	for i := range p.columns {
		if holds(&p.columns[i]) {
			list = append(list, i)
		}
	}
	return list
}

// byRole gives the columns with a role, the best first, then in the order of the file.
func (p *profile) byRole(r lexicon.Role, holds func(c *column) bool) []int {
	list := p.where(func(c *column) bool { return c.Roles[r] > 0 && holds(c) })
	slices.SortStableFunc(list, func(a, b int) int { return p.columns[b].Roles[r] - p.columns[a].Roles[r] })
	return list
}

// headRows are the rows of the beginning of the file.
func (p *profile) headRows() []text.Row {
	if p.sheet.header != nil {
		return p.sheet.records[1:]
	}
	return p.sheet.records
}

// dataRows counts the rows that are neither headings nor the end of the file.
func (p *profile) dataRows() int { return int(p.rows) - p.headings - len(p.tail) }

// tellsBalance finds the cell that says that a record is a balance; -1 when none does.
func tellsBalance(p *profile, cells []string) int {
	at, _ := readBalanceRow(p, cells)
	return at
}

// isForeign reports whether a column of currencies has another one than the account's.
func (p *profile) isForeign(at int) bool {
	c := &p.columns[at]
	if p.defaults.AccountCurrency != nil || c.words == nil {
		return true
	}
	for word := range c.words {
		if currency, known := notation.CurrencyIn(word, p.defaults.Currency); !known || currency.Code != p.defaults.Currency.Code {
			return true
		}
	}
	return false
}

// isCard says whether the headers are those of a card, whose exports are often the other way round.
func (p *profile) isCard() bool {
	made, posted := false, false // the two dates of a card
	for i := range p.columns {
		plain, _ := lexicon.PlainHeader(p.columns[i].header)
		made = made || lexicon.HasPlain(lexicon.CardPurchaseDay, plain)
		posted = posted || lexicon.HasPlain(lexicon.CardBookingDay, plain)
		if lexicon.Has(lexicon.Card, p.columns[i].header) {
			return true
		}
	}
	return made && posted
}

// stepsOf says how good a proof is.
func (p *profile) stepsOf(proven proof) string {
	return fmt.Sprintf("balance column %s: %d of %d steps add up", p.title(proven.balance), proven.hits(), proven.all)
}
