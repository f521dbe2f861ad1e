package importer

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding"

	"finsvc/importer/lexicon"
	"finsvc/ledger"
)

// detection is how a file is to be read as far as its content says: the settings that were given and those that were
// found, why they were found, and what must be asked because nothing in the file proves one of two readings.
type detection struct {
	settings  Settings
	reasons   map[string]string // by the name of the setting
	questions []question
	rows      int64    // records after the header and before the footer
	header    []string // nil without a header line
	unused    []string // columns that nothing is made of
	print     [32]byte // tells files of the same make, see fingerprint
}

// question names a setting that must be given, and the values that fit.
type question struct {
	Setting    string   `json:"setting"`
	Text       string   `json:"text"` // continues "SETTING must be given: "
	Candidates []string `json:"candidates"`
}

// detector works out one detection.
//
// There is no code for one bank. Its words for headers go into the lexicon, a file in its manner into the table
// of detect_cases_test.go; what the file does not prove must be asked.
type detector struct {
	given    Settings
	out      Settings
	defaults Defaults
	kind     kind
	reopen   opener // gives the file once more
	sheet    sheet
	charset  string // in which the headers are written, where that is not the likeliest one
	columns  []column
	chain    *chain
	whole    *chain     // the same without regard to currencies; nil where there are not several
	tail     [][]string // the last records without a date, to be told from a footer
	rows     int64
	language lexicon.Language
	twoDates []int // columns of dates that may be read in several ways
	asides   asides
	parts    tradeSections // of a file of trades
	amounts  []int         // columns that are called amount
	pairs    [][2]int      // columns of money out and money in, by their headers
	differ   bool          // and are not all equal in every row
	headed   bool          // headers say which columns are money out and money in
	ids      []*idColumn
	latest   [][]string // the last payments, see keepEdge
	headings int        // records that head a part of the file
	found    detection

	date, amount, fee, debit, credit, direction int // columns that were decided on, -1 when there is none
}

// detect reads a file twice, its beginning for its shape and then all of it for the proof, and fills in what the
// settings leave open. What is given is obeyed. A *[FileError] is content that cannot be read at all.
func detect(open func() (io.Reader, error), s Settings, d Defaults) (detection, error) {
	f := &detector{given: s, out: s, defaults: d, reopen: open, kind: kindNamed(d.Type, d), date: -1, amount: -1, fee: -1, debit: -1, credit: -1, direction: -1}
	f.found.reasons = map[string]string{}
	src, err := open()
	if err != nil {
		return f.found, err
	}
	text, charset, err := readHead(src, f.told())
	if err != nil {
		return f.found, err
	}
	f.findSheet(text)
	if err := f.findCharset(open, charset); err != nil {
		return f.found, err
	}
	f.knowOwn()
	f.out = f.kind.settings(f.out)
	f.given = f.kind.settings(f.given.with(Settings{HasHeader: f.out.HasHeader}))
	f.profileHead()
	if _, isMint := f.kind.(mint); isMint && given(s.DateFormat) == "" {
		f.shortYears()
	}
	if err := f.profileAll(open); err != nil {
		return f.result(), err
	}
	_, isTransactions := f.kind.(transactions)
	switch {
	case f.rows == 0 || f.unknownLabel():
		f.out = f.out.withDefaults() // reading the file says what is wrong
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

// hasBookings says whether the rows become transactions or trades.
func (f *detector) hasBookings() bool { return hasAccount(or(f.defaults.Type, TransactionImport)) }

// ofTrades says whether the rows are to be read as trades.
func (f *detector) ofTrades() bool {
	_, yes := f.kind.(*trades)
	return yes
}

func (f *detector) result() detection {
	f.found.settings, f.found.rows, f.found.header = f.out, f.rows, f.sheet.header[:f.sheet.named]
	f.found.print = fingerprint(f.sheet, f.columns)
	if len(f.found.questions) == 0 {
		f.found.unused = f.unused()
	}
	return f.found
}

// told is the character set that was given, or that the headers are written in; nil to find it.
func (f *detector) told() encoding.Encoding {
	if f.charset != "" {
		e, _ := lookupEncoding(f.charset)
		return e
	}
	e, err := lookupEncoding(given(f.given.Encoding))
	if err != nil || given(f.given.Encoding) == asciiName {
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
	*member = pointer(value)
	f.found.reasons[name] = fmt.Sprintf(reason, args...)
}

// add goes on with the reason of a setting, where it has one.
func (f *detector) add(name, more string, args ...any) {
	if reason := f.found.reasons[name]; reason != "" {
		f.found.reasons[name] = reason + fmt.Sprintf(more, args...)
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
	f.found.questions = append(f.found.questions, question{setting, fmt.Sprintf(reason, args...), candidates})
}

// obstacle is what an import that waits for answers says.
func (d detection) obstacle() *string {
	if len(d.questions) == 0 {
		return nil
	}
	sentences := make([]string, 0, len(d.questions))
	for _, q := range d.questions {
		sentences = append(sentences, fmt.Sprintf("%s must be given: %s", q.Setting, q.Text))
	}
	return pointer(strings.Join(sentences, "; "))
}

// readHead gives the beginning of a file as text, cut at the end of a line, and the character set it was read in.
func readHead(src io.Reader, told encoding.Encoding) (text, charset string, err error) {
	head, reader := make([]byte, headSize), newDecoder(src, told)
	n, err := io.ReadFull(reader, head)
	head = head[:n]
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return string(head), reader.name, nil
	case err != nil:
		return "", "", err
	}
	if end := strings.LastIndexAny(string(head), "\r\n"); end > 0 {
		head = head[:end+1]
	}
	return string(head), reader.name, nil
}

// begin opens the whole file at its first record after the header.
func (f *detector) begin(open func() (io.Reader, error)) (*csvReader, *decoder, error) {
	src, err := open()
	if err != nil {
		return nil, nil, err
	}
	text := newDecoder(src, f.told())
	lines := newLineReader(text)
	for range f.sheet.skip {
		if _, err := lines.next(); err != nil {
			return nil, text, err
		}
	}
	reader := newCSVReader(lines, f.sheet.separator)
	if f.sheet.header != nil {
		_, err = reader.next()
	}
	return reader, text, err
}

// profileAll reads the whole file for what every column holds.
func (f *detector) profileAll(open func() (io.Reader, error)) error {
	f.startChains()
	f.twoDates = f.where(func(c *column) bool { return c.isDate && len(c.dates) > 1 })
	f.amounts = f.byRole(lexicon.RoleAmount, func(c *column) bool { return isAmount(c) && c.filled > 0 })
	f.watchIDs()
	for i := range f.columns {
		f.columns[i].reset()
	}
	reader, text, err := f.begin(open)
	for err == nil {
		var record Record
		if record, err = reader.next(); err == nil {
			f.rows++
			if f.parts.leftOut(record.Cells) == "" {
				f.profile(record)
			}
		}
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	f.chooseChain()
	if f.open("encoding") {
		f.setEncoding(text)
	}
	return nil
}

func (f *detector) setEncoding(text *decoder) {
	switch text.name {
	case asciiName:
		f.set("encoding", asciiName, "no byte is beyond ASCII")
	case utf8Name:
		f.set("encoding", utf8Name, "what was looked at beyond ASCII is valid UTF-8, but for a few broken characters at most")
	case f.charset:
		f.set("encoding", text.name, "the headers are known names in it, or those of a language that is written in it; it matters for names only")
	default:
		f.set("encoding", text.name, "the likeliest by a mark or the frequency of its bytes; it matters for names only")
	}
}

// label is how a setting names a column so that it is found again: its header, or its number from 1.
func (f *detector) label(at int) string {
	number := strconv.Itoa(at + 1)
	if f.sheet.header == nil || at >= len(f.sheet.header) || given(&f.sheet.header[at]) == "" {
		return number
	}
	c := columns{header: f.sheet.header}
	if found, err := c.named(f.sheet.header[at], ""); err != nil || found != at {
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
		if !f.open(name) && f.toldColumn(name) < 0 && given(*f.given.Members()[name]) != noColumn {
			return true
		}
	}
	return false
}

// toldColumn is the column that a setting: its place, or -1.
func (f *detector) toldColumn(setting string) int {
	label := given(*f.given.Members()[setting])
	if label == "" {
		return -1
	}
	at, err := columns{header: f.sheet.header}.named(label, setting)
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
