// Package detect finds the settings with which a table is to be read, by its own content: each with the reason, or the question that must
// be answered because nothing in the file proves one of two readings. It never guesses figures.
package detect

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding"

	"finsvc/importer/lexicon"
	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// Result is how a file is to be read as far as its content says: the settings that were given and those that were
// found, why they were found, and what must be asked because nothing in the file proves one of two readings.
type Result struct {
	Settings  record.Settings
	Reasons   map[string]string // by the name of the setting
	Questions []record.Question
	Rows      int64    // records after the header and before the footer
	Header    []string // nil without a header line
	Unused    []string // columns that nothing is made of
	print     [32]byte // tells files of the same make, see fingerprint
}

// detector works out one detection.
//
// There is no code for one bank. Its words for headers go into the lexicon, a file in its manner into the table
// of detect_cases_test.go; what the file does not prove must be asked.
type detector struct {
	given    record.Settings
	out      record.Settings
	defaults record.Defaults
	kind     table.Kind
	file     *source.File
	sheet    sheet
	charset  string // in which the headers are written, where that is not the likeliest one
	columns  []column
	chain    *runningBalance
	whole    *runningBalance // the same without regard to currencies; nil where there are not several
	tail     [][]string      // the last records without a date, to be told from a footer
	rows     int64
	language lexicon.Language
	twoDates []int // columns of dates that may be read in several ways
	asides   balanceRows
	parts    table.TradeSections // of a file of trades
	amounts  []int               // columns that are called amount
	pairs    [][2]int            // columns of money out and money in, by their headers
	differ   bool                // and are not all equal in every row
	headed   bool                // headers say which columns are money out and money in
	ids      []*idColumn
	latest   [][]string // the last payments, see keepEdge
	headings int        // records that head a part of the file
	found    Result

	date, amount, fee, debit, credit, direction int // columns that were decided on, -1 when there is none
}

// Find reads a file twice, its beginning for its shape and then all of it for the proof, and fills in what the
// settings leave open. What is given is obeyed. A *[text.FileError] is content that cannot be read at all.
func Find(file *source.File, s record.Settings, d record.Defaults) (Result, error) {
	f, err := lookAt(file, s, d)
	if err != nil {
		return f.found, err
	}
	if err := f.profileAll(); err != nil {
		return f.result(), err
	}
	_, isTransactions := f.kind.(table.Transactions)
	switch {
	case f.rows == 0 || f.unknownLabel():
		f.out = f.out.WithDefaults() // reading the file says what is wrong
	case isTransactions:
		f.decide()
	case f.ofTrades():
		f.decideTrades()
	default:
		f.decideFormats()
	}
	if f.rows > 0 && !f.unknownLabel() && f.hasBookings() {
		f.findID()
		if err := f.weighStates(); err != nil {
			return f.result(), err
		}
	}
	return f.result(), nil
}

// Fingerprint tells files of the same make by the beginning of one, see [Result.Fingerprint].
func Fingerprint(file *source.File, s record.Settings, d record.Defaults) ([]byte, error) {
	f, err := lookAt(file, s, d)
	return f.found.Fingerprint(), err
}

// lookAt reads the beginning of a file for its shape.
func lookAt(file *source.File, s record.Settings, d record.Defaults) (*detector, error) {
	f := &detector{given: s, out: s, defaults: d, file: file, kind: table.KindNamed(d.Type, d), date: -1, amount: -1, fee: -1, debit: -1, credit: -1, direction: -1}
	f.found.Reasons = map[string]string{}
	src, err := f.file.Open()
	if err != nil {
		return f, err
	}
	text, charset, err := readHead(src, f.givenEncoding())
	if err != nil {
		return f, err
	}
	f.findSheet(text)
	if err := f.findCharset(charset); err != nil {
		return f, err
	}
	f.useFinsvcExport()
	f.out = f.kind.Settings(f.out)
	f.given = f.kind.Settings(f.given.With(record.Settings{HasHeader: f.out.HasHeader}))
	f.profileHead()
	f.found.print = fingerprint(f.sheet, f.columns)
	if _, isMint := f.kind.(table.Mint); isMint && record.Given(s.DateFormat) == "" {
		f.shortYears()
	}
	return f, nil
}

// hasBookings says whether the rows become transactions or trades.
func (f *detector) hasBookings() bool {
	return record.HasAccount(cmp.Or(f.defaults.Type, record.TransactionImport))
}

// ofTrades says whether the rows are to be read as trades.
func (f *detector) ofTrades() bool {
	_, yes := f.kind.(*table.Trades)
	return yes
}

func (f *detector) result() Result {
	f.found.Settings, f.found.Rows, f.found.Header = f.out, f.rows, f.sheet.header[:f.sheet.named]
	if len(f.found.Questions) == 0 {
		f.found.Unused = f.unused()
	}
	return f.found
}

// givenEncoding is the character set that was given, or that the headers are written in; nil to find it.
func (f *detector) givenEncoding() encoding.Encoding {
	if f.charset != "" {
		e, _ := text.LookupEncoding(f.charset)
		return e
	}
	e, err := text.LookupEncoding(record.Given(f.given.Encoding))
	if err != nil || record.Given(f.given.Encoding) == text.ASCIIName {
		return nil
	}
	return e
}

// set fills in a setting that is open, with the reason.
func (f *detector) set(name, value, reason string, args ...any) {
	member := f.out.Members()[name]
	if *member != nil && strings.Trim(**member, " ") != "" {
		return
	}
	*member = new(value)
	f.found.Reasons[name] = fmt.Sprintf(reason, args...)
}

// add goes on with the reason of a setting, where it has one.
func (f *detector) add(name, more string, args ...any) {
	if reason := f.found.Reasons[name]; reason != "" {
		f.found.Reasons[name] = reason + fmt.Sprintf(more, args...)
	}
}

// open says whether a setting was not given.
func (f *detector) open(name string) bool {
	member := *f.given.Members()[name]
	return member == nil || strings.Trim(*member, " ") == ""
}

// ask puts a question unless the setting was given.
func (f *detector) ask(setting string, candidates []string, reason string, args ...any) {
	if !f.open(setting) {
		return
	}
	f.found.Questions = append(f.found.Questions, record.Question{Setting: setting, Text: fmt.Sprintf(reason, args...), Candidates: candidates})
}

// Obstacle is what an import that waits for answers says.
func (d Result) Obstacle() *string {
	if len(d.Questions) == 0 {
		return nil
	}
	sentences := make([]string, 0, len(d.Questions))
	for _, q := range d.Questions {
		sentences = append(sentences, fmt.Sprintf("%s must be given: %s", q.Setting, q.Text))
	}
	return new(strings.Join(sentences, "; "))
}

// readHead gives the beginning of a file as text, cut at the end of a line, and the character set it was read in.
func readHead(src io.Reader, told encoding.Encoding) (cell, charset string, err error) {
	head, reader := make([]byte, headSize), text.NewDecoder(src, told)
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

// begin opens the whole file at its first record after the header.
func (f *detector) begin() (*text.CSVReader, *text.Decoder, error) {
	src, err := f.file.Open()
	if err != nil {
		return nil, nil, err
	}
	cell := text.NewDecoder(src, f.givenEncoding())
	lines := text.NewLineReader(cell)
	for range f.sheet.skip {
		if _, err := lines.Next(); err != nil {
			return nil, cell, err
		}
	}
	reader := text.NewCSVReader(lines, f.sheet.separator)
	if f.sheet.header != nil {
		_, err = reader.Next()
	}
	return reader, cell, err
}

// profileAll reads the whole file for what every column holds.
func (f *detector) profileAll() error {
	f.startChains()
	f.twoDates = f.where(func(c *column) bool { return c.isDate && len(c.dates) > 1 })
	f.amounts = f.byRole(lexicon.RoleAmount, func(c *column) bool { return isAmount(c) && c.filled > 0 })
	f.watchIDs()
	for i := range f.columns {
		f.columns[i].reset()
	}
	reader, cell, err := f.begin()
	for err == nil {
		var record text.Row
		record, err = reader.Next()
		if err == nil {
			f.rows++
			if f.parts.LeftOut(record.Cells) == "" {
				f.profile(record)
			}
		}
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	f.chooseChain()
	if f.open("encoding") {
		f.setEncoding(cell)
	}
	return nil
}

func (f *detector) setEncoding(cell *text.Decoder) {
	switch cell.Name {
	case text.ASCIIName:
		f.set("encoding", text.ASCIIName, "no byte is beyond ASCII")
	case text.UTF8Name:
		f.set("encoding", text.UTF8Name, "what was looked at beyond ASCII is valid UTF-8, but for a few broken characters at most")
	case f.charset:
		f.set("encoding", cell.Name, "the headers are known names in it, or those of a language that is written in it; it matters for names only")
	default:
		f.set("encoding", cell.Name, "the likeliest by a mark or the frequency of its bytes; it matters for names only")
	}
}

// label is how a setting names a column so that it is found again: its header, or its number from 1.
func (f *detector) label(at int) string {
	number := strconv.Itoa(at + 1)
	if f.sheet.header == nil || at >= len(f.sheet.header) || record.Given(&f.sheet.header[at]) == "" {
		return number
	}
	c := table.Columns{Header: f.sheet.header}
	if found, err := c.Named(f.sheet.header[at], ""); err != nil || found != at {
		return number
	}
	return f.sheet.header[at]
}

// title names a column to people.
func (f *detector) title(at int) string {
	if f.sheet.header != nil && at < len(f.sheet.header) && f.sheet.header[at] != "" {
		return ledger.Quote(f.sheet.header[at])
	}
	return "column " + strconv.Itoa(at+1)
}

func (f *detector) labels(at []int) []string {
	list := make([]string, 0, len(at))
	for _, i := range at {
		list = append(list, f.label(i))
	}
	return list
}

func (f *detector) titles(at []int) string {
	list := make([]string, 0, len(at))
	for _, i := range at {
		list = append(list, f.title(i))
	}
	return strings.Join(list, ", ")
}

// unknownLabel says whether a setting names a column that the file does not have.
func (f *detector) unknownLabel() bool {
	for name := range labelSettings() {
		if !f.open(name) && f.givenColumn(name) < 0 && record.Given(*f.given.Members()[name]) != record.NoColumn {
			return true
		}
	}
	return false
}

// givenColumn is the column that a setting: its place, or -1.
func (f *detector) givenColumn(setting string) int {
	label := record.Given(*f.given.Members()[setting])
	if label == "" {
		return -1
	}
	at, err := table.Columns{Header: f.sheet.header}.Named(label, setting)
	if err != nil || at >= len(f.columns) {
		return -1
	}
	return at
}

// where gives the columns that a test holds for.
func (f *detector) where(holds func(c *column) bool) []int {
	var list []int
	for i := range f.columns {
		if holds(&f.columns[i]) {
			list = append(list, i)
		}
	}
	return list
}

// byRole gives the columns with a role, the best first, then in the order of the file.
func (f *detector) byRole(r lexicon.Role, holds func(c *column) bool) []int {
	list := f.where(func(c *column) bool { return c.Roles[r] > 0 && holds(c) })
	slices.SortStableFunc(list, func(a, b int) int { return f.columns[b].Roles[r] - f.columns[a].Roles[r] })
	return list
}
