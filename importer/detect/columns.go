package detect

import (
	"slices"
	"strings"
	"unicode/utf8"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/text"
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

// readColumns learns from the beginning of the file what each column may be.
func readColumns(p *profile) {
	records := p.sheet.records
	if p.sheet.header != nil {
		records = records[1:]
	}
	width := len(p.sheet.header)
	for _, r := range records {
		if dataLike(r.Cells) {
			width = max(width, len(r.Cells))
		}
	}
	p.columns = make([]column, width)
	for i := range p.columns {
		p.columns[i].words = map[string]int{}
		if p.sheet.header != nil && i < len(p.sheet.header) {
			p.columns[i].header = p.sheet.header[i]
		}
		p.columns[i].Header = lexicon.ReadHeader(p.columns[i].header)
	}
	headers := make([]lexicon.Header, len(p.columns))
	for i := range p.columns {
		headers[i] = p.columns[i].Header
	}
	p.language = lexicon.LanguageOf(headers)
	markFees(p)
	any := firstData(records) >= 0
	for _, r := range records {
		if any && !dataLike(r.Cells) && !hasDate(p, r.Cells) {
			continue
		}
		for i := range p.columns {
			p.columns[i].learn(text.CellAt(r.Cells, i))
		}
	}
	pairHeaders(p)
	for i := range p.columns {
		p.columns[i].classify()
	}
	markGivenColumns(p)
}

// hasDate says whether any cell of a record is a date.
func hasDate(p *profile, cells []string) bool {
	for _, cell := range cells {
		if len(notation.PatternsOf(cell)) > 0 {
			return true
		}
	}
	return false
}

// markGivenColumns obeys the settings about what the columns are.
func markGivenColumns(p *profile) {
	if at := p.givenColumn("date_col_label"); at >= 0 {
		p.columns[at].isDate = true
	}
	for _, setting := range []string{"amount_col_label", "debit_col_label", "credit_col_label"} {
		if at := p.givenColumn(setting); at >= 0 {
			p.columns[at].isNumber, p.columns[at].isMoney, p.columns[at].isDate = true, true, false
		}
	}
	if at := p.givenColumn("entity_type_col_label"); at >= 0 {
		p.columns[at].isWord = true
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

// classify says what a column is by what was learnt of it; half of its cells are enough, the others are errors.
func (c *column) classify() {
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
