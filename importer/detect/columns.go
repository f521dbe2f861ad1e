package detect

import (
	"slices"
	"strings"
	"unicode/utf8"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// column is what is known of one column of a file.
type column struct {
	lexicon.Header
	header string

	// By the beginning of the file.
	isDate, isNumber, isMoney, isWord bool

	filled  int
	seen    int // cells that are a date by one pattern at least
	dates   []dateFit
	last    string // the date seen last, whose fits need no second look
	numbers tally
	shapes  notation.Shapes
	words   map[string]int // distinct cells; nil when there are too many
	first   []string       // cells that show what the column holds
	odd     string         // a cell of a column of numbers that is none
	letters int            // characters of the texts in it
	isins   int            // cells that are international numbers of securities
	worded  int            // cells with a word of three letters, or of two that are not ASCII
	same    string         // what all rows have in it, unless it varies
	varies  bool
	dashes  int  // cells that are a dash, for nothing
	fee     bool // the header is that of a fee
}

const maxWords = 24

func (c *column) reset() {
	c.filled, c.seen, c.last, c.numbers, c.letters, c.isins, c.worded = 0, 0, "", tally{}, 0, 0, 0
	c.words, c.first, c.odd = map[string]int{}, nil, ""
	for i := range c.dates {
		c.dates[i].clear()
	}
}

// content names the kind of a column, for files without a header.
func (c *column) content() string {
	switch {
	case c.isDate:
		return "date"
	case c.isMoney:
		return "money"
	case c.isNumber:
		return "number"
	}
	return "text"
}

// profileHead learns from the beginning of the file what each column may be.
func (f *detector) profileHead() {
	records := f.sheet.records
	if f.sheet.header != nil {
		records = records[1:]
	}
	width := len(f.sheet.header)
	for _, r := range records {
		if dataLike(r.Cells) {
			width = max(width, len(r.Cells))
		}
	}
	f.columns = make([]column, width)
	for i := range f.columns {
		f.columns[i].words = map[string]int{}
		if f.sheet.header != nil && i < len(f.sheet.header) {
			f.columns[i].header = f.sheet.header[i]
		}
		f.columns[i].Header = lexicon.ReadHeader(f.columns[i].header)
	}
	headers := make([]lexicon.Header, len(f.columns))
	for i := range f.columns {
		headers[i] = f.columns[i].Header
	}
	f.language = lexicon.LanguageOf(headers)
	f.knowFees()
	any := firstData(records) >= 0
	for _, r := range records {
		if any && !dataLike(r.Cells) && !f.hasDate(r.Cells) {
			continue
		}
		for i := range f.columns {
			f.columns[i].learn(text.CellAt(r.Cells, i))
		}
	}
	f.pairHeaders()
	for i := range f.columns {
		f.columns[i].judge()
	}
	f.tellColumns()
}

// hasDate says whether any cell of a record is a date.
func (f *detector) hasDate(cells []string) bool {
	for _, cell := range cells {
		if len(notation.PatternsOf(cell)) > 0 {
			return true
		}
	}
	return false
}

// tellColumns obeys the settings about what the columns are.
func (f *detector) tellColumns() {
	if at := f.givenColumn("date_col_label"); at >= 0 {
		f.columns[at].isDate = true
	}
	for _, setting := range []string{"amount_col_label", "debit_col_label", "credit_col_label"} {
		if at := f.givenColumn(setting); at >= 0 {
			f.columns[at].isNumber, f.columns[at].isMoney, f.columns[at].isDate = true, true, false
		}
	}
	if at := f.givenColumn("entity_type_col_label"); at >= 0 {
		f.columns[at].isWord = true
	}
}

// learn takes in a cell of the beginning, without knowing what the column is.
func (c *column) learn(cell string) {
	if cell == "" {
		return
	}
	c.filled++
	c.dashes += one(notation.IsDash(cell))
	patterns := notation.PatternsOf(cell)
	for _, p := range patterns {
		c.addPattern(p)
	}
	c.seen += one(len(patterns) > 0)
	c.count(cell)
	c.addWord(cell)
}

func (c *column) addPattern(text string) {
	const most = 12
	for i := range c.dates {
		if c.dates[i].pattern.Text == text {
			c.dates[i].fits++
			return
		}
	}
	if p, err := notation.NewDatePattern(text); err == nil && len(c.dates) < most {
		c.dates = append(c.dates, dateFit{pattern: p, fits: 1})
	}
}

func (c *column) addWord(cell string) {
	const longest = 80
	if n := utf8.RuneCountInString(cell); n > 0 {
		c.letters += n
	}
	if c.words == nil {
		return
	}
	if _, known := c.words[cell]; !known && (len(c.words) >= maxWords || len(cell) > longest) {
		c.words = nil
		return
	}
	c.words[strings.Clone(cell)]++
}

// judge says what a column is by what was learnt of it; half of its cells are enough, the others are errors.
func (c *column) judge() {
	dates := 0
	for _, d := range c.dates {
		dates = max(dates, d.fits)
	}
	named := func(list ...lexicon.Role) bool {
		for _, r := range list {
			if c.Roles[r] > 0 {
				return true
			}
		}
		return false
	}
	filled := c.filled - c.dashes
	c.isDate = filled > 0 && 2*dates >= filled
	if c.isDate && 2*c.numbers.count >= c.filled && named(lexicon.RoleAmount, lexicon.RoleDebit, lexicon.RoleCredit, lexicon.RoleBalance) && !named(lexicon.RoleDate, lexicon.RoleOtherDate) {
		c.isDate = false // twenty million, not a day
	}
	money := named(lexicon.RoleAmount, lexicon.RoleDebit, lexicon.RoleCredit, lexicon.RoleBalance, lexicon.RoleOtherAmount)
	c.isNumber = !c.isDate && (filled > 0 && 2*c.numbers.count >= filled || filled == 0 && money)
	c.isMoney = c.isNumber && (money || c.numbers.point+c.numbers.comma+c.numbers.minus+c.numbers.plus+c.numbers.three+c.numbers.marked > 0)
	c.isWord = !c.isDate && c.words != nil && (!c.isNumber || c.filled == 0)
	if !c.isDate {
		c.dates = nil
	}
	if dates == c.seen { // no other pattern can fit all dates any more
		c.dates = slices.DeleteFunc(c.dates, func(d dateFit) bool { return d.fits < c.seen })
	}
}

// profile takes in a record of the whole file.
func (f *detector) profile(record text.Row) {
	if begins, _ := table.PartOf(record.Cells); len(f.sheet.header) > 1 && (begins || slices.Equal(record.Cells, f.sheet.header)) {
		f.headings++
		return
	}
	at, called := f.readAside(record.Cells)
	if at >= 0 || !f.dated(record.Cells) {
		f.keepTail(record.Cells)
		return
	}
	f.passTail(len(record.Cells))
	f.asides.take(called, record.Cells)
	for _, id := range f.ids {
		if cell := text.CellAt(record.Cells, id.at); cell != "" || !f.looksPending(record.Cells) { // what is pending has no id yet
			id.take(cell)
		}
	}
	f.keepEdge(record.Cells)
	for i := range f.columns {
		c := &f.columns[i]
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
	f.noteGaps(record.Cells)
	f.closeness()
	f.compareAmounts(record.Cells)
	f.chain.step(record.Cells)
	f.whole.step(record.Cells)
}

const examples = 3

// keepSame notes whether a column has the same text in every row.
func (c *column) keepSame(cell string) {
	switch {
	case c.varies || cell == c.same && cell != "":
	case c.same == "" && cell != "": // the first row
		c.same = strings.Clone(cell)
	default:
		c.varies = true
	}
}

// dated says whether a record has a date in a column of dates, and looks which patterns fit all of them. Where the file
// has no column of dates, every record counts.
func (f *detector) dated(cells []string) bool {
	any, has := false, false
	for i := range f.columns {
		if c := &f.columns[i]; c.isDate {
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
func (f *detector) keepTail(cells []string) {
	if len(f.tail) <= record.MaxFooter {
		f.tail = append(f.tail, cells)
	}
}

// findFooter counts the records at the end that are no data: no date, and no amount unless it is called a total.
func (f *detector) findFooter() {
	if !f.open("footer") || len(f.tail) == 0 || len(f.tail) > record.MaxFooter || f.date < 0 {
		return
	}
	n := 0
	for i := len(f.tail) - 1; i >= 0 && f.isFooter(f.tail[i]); i-- {
		n++
	}
	if n > 0 {
		f.set("footer", formatInt(n), "the last of the records have no date and no amount of their own, such as %s", ledger.Quote(strings.Join(f.tail[len(f.tail)-n], " ")))
	}
}

func (f *detector) isFooter(cells []string) bool {
	if f.tellsBalance(cells) >= 0 {
		return true
	}
	if strings.ContainsAny(text.CellAt(cells, f.date), "0123456789") && len(cells) > 1 && len(text.CellAt(cells, f.date)) < 12 {
		return false // a date that is written wrong
	}
	for _, cell := range cells {
		plain, _ := lexicon.PlainHeader(cell)
		first, _, _ := strings.Cut(plain, " ")
		last := plain[strings.LastIndex(plain, " ")+1:]
		if table.EndsTable(plain) || table.EndsTable(first) || table.EndsTable(last) {
			return true
		}
	}
	for _, at := range []int{f.amount, f.debit, f.credit} {
		if at >= 0 && notation.ShapeOf(text.CellAt(cells, at)).Number {
			return false
		}
	}
	return true
}
