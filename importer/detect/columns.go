package detect

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
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
	numbers numberStyle
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
	c.filled, c.seen, c.last, c.numbers, c.letters, c.isins, c.worded = 0, 0, "", numberStyle{}, 0, 0, 0
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
	if c.isDate && 2*c.numbers.count >= c.filled && named(lexicon.RoleAmount, lexicon.RoleDebit, lexicon.RoleCredit,
		lexicon.RoleBalance) && !named(lexicon.RoleDate, lexicon.RoleOtherDate) {
		c.isDate = false // twenty million, not a day
	}
	money := named(lexicon.RoleAmount, lexicon.RoleDebit, lexicon.RoleCredit, lexicon.RoleBalance,
		lexicon.RoleOtherAmount)
	c.isNumber = !c.isDate && (filled > 0 && 2*c.numbers.count >= filled || filled == 0 && money)
	c.isMoney = c.isNumber && (money || c.numbers.point+c.numbers.comma+c.numbers.minus+c.numbers.plus+c.numbers.three+
		c.numbers.marked > 0)
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

// isAmount says of a column whether amounts may stand in it.
func isAmount(c *column) bool { return c.isNumber && !c.isDate }

// isNumberColumn reports whether a column holds numbers.
func isNumberColumn(c *column) bool { return c.isNumber && c.filled > 0 }

// see reads a date by every pattern, and says whether one fits.
func (c *column) see(cell string) bool {
	if cell == "" {
		for i := range c.dates {
			c.dates[i].present = 0
		}
		c.last = "" // the same date below is looked at again
		return false
	}
	same, any := cell == c.last && cell != "", false
	for i := range c.dates {
		d := &c.dates[i]
		if !same {
			d.present = 0
			if date, _, exists := d.pattern.Scan(cell); exists {
				d.present = date
			}
		}
		if d.present == 0 {
			continue
		}
		any = true
		d.count()
	}
	if !same {
		c.last = cell
	}
	c.seen += one(any)
	return any
}

// count adds a cell to the tally of the column; what is no number does not count.
func (c *column) count(cell string) {
	s, t := c.shapes.Of(cell), &c.numbers
	if !s.Number {
		c.odd = first(c.odd, cell)
		return
	}
	t.count++
	t.minus += one(s.Minus && !s.Zero)
	t.plus += one(s.Plus)
	t.zero += one(s.Zero)
	t.marked += one(s.Marked)
	t.debits += one(s.Side == notation.DebitSide)
	t.credits += one(s.Side == notation.CreditSide)
	if s.Decimals != 3 && s.Decimals > 0 && !notation.Zeros(cell[len(cell)-s.Decimals:]) {
		t.broken = first(t.broken, cell)
	}
	switch {
	case s.Point && !s.Comma && !s.Spaced:
		t.point++
		t.pointed = first(t.pointed, cell)
		t.decimals = max(t.decimals, s.Decimals)
	case !s.Point:
		t.comma++
		t.spaced += one(!s.Comma)
		t.dotted += one(!s.Spaced)
		t.commaed = first(t.commaed, cell)
		t.decimals = max(t.decimals, s.Decimals)
	case s.Mark:
		t.three++
		t.three1 = first(t.three1, cell)
	}
}

// moved counts the amounts of a column that are not zero, as some files write where nothing moved.
func (c *column) moved() int { return c.numbers.count - c.numbers.zero }

// tellsCurrency reports whether a column is one of currencies, of whichever amount.
func (c *column) tellsCurrency() bool {
	return !c.isDate && !c.isNumber && c.filled > 0 && (c.Roles[lexicon.RoleCurrency]+
		c.Roles[lexicon.RoleOtherCurrency] > 0 || c.holdsCodes())
}

// longAlone reports whether another column of dates is blank beside a date that is far older than the newest one, by
// every reading of both: no payment is pending for so long.
func (c *column) longAlone() bool {
	const pendingDays = 45
	best := 0
	for _, d := range c.dates {
		best = max(best, d.fits)
	}
	for _, d := range c.dates {
		if d.fits == best && (d.alone == 0 || d.high-d.alone <= pendingDays) {
			return false
		}
	}
	return best > 0
}

func (c *column) firstCell() string {
	if len(c.first) == 0 {
		return ""
	}
	return c.first[0]
}

// mayBeSide reports whether a column may hold the amounts of one side although its header is no known name of one.
func (c *column) mayBeSide() bool {
	return !c.fee && (c.numbers.count > 0 || c.filled == 0) &&
		c.Roles[lexicon.RoleDate]+c.Roles[lexicon.RoleOtherDate]+c.Roles[lexicon.RoleBalance] == 0 &&
		c.Roles[lexicon.RoleDebit]+c.Roles[lexicon.RoleCredit] < 900
}

// saysState reports whether a column tells how far its payments have come.
func (c *column) saysState() bool {
	return c.isWord && len(c.words) > 0 && (c.Roles[lexicon.RoleStatus] >= 900 || saysStatus(c.words))
}

// isOfPrice reports whether a header speaks of the currency of a price.
func (c *column) isOfPrice() bool {
	header := text.Fold(c.header)
	has := func(list lexicon.Meaning) bool {
		return slices.ContainsFunc(lexicon.Words(list), func(word string) bool {
			return strings.Contains(header,
				word)
		})
	}
	return has(lexicon.CurrencyPart) && has(lexicon.PricePart)
}

// holdsCodes reports whether a column holds nothing but the codes of currencies.
func (c *column) holdsCodes() bool {
	if !c.isWord || len(c.words) == 0 {
		return false
	}
	for word := range c.words {
		if _, ok := lexicon.Hundredth(word); ok && len(word) == 3 {
			continue
		}
		if _, ok := lexicon.Currency(word); !ok || len(word) != 3 || word != strings.ToUpper(word) {
			return false
		}
	}
	return true
}

// saysStatus reports whether all words of a column are those of states of payments, whatever its header.
func saysStatus(words map[string]int) bool {
	for word := range words {
		if !lexicon.Has(lexicon.NeverBooked, word) && !lexicon.Has(lexicon.Reversed, word) &&
			!lexicon.Has(lexicon.Booked, word) && !lexicon.Has(lexicon.Pending, word) {
			return false
		}
	}
	return true
}

// numberStyle counts how the numbers of a column are written.
type numberStyle struct {
	count, minus, plus, zero int // plus: with a plus sign
	marked                   int // with a currency beside them
	debits, credits          int // with Dr or Cr beside them
	point, comma             int // that only this decimal mark explains
	spaced, dotted           int // that have spaces between groups and a decimal comma, or points
	three                    int // that have one mark with three digits behind it: groups, or decimals
	decimals                 int // the most digits behind the mark, where it is clear which is the decimal one
	pointed, commaed, three1 string
	broken                   string // one that is no whole number
}

// add sums up two tallies.
func (t numberStyle) add(u numberStyle) numberStyle {
	t.count, t.minus, t.plus, t.zero = t.count+u.count, t.minus+u.minus, t.plus+u.plus, t.zero+u.zero
	t.point, t.comma, t.spaced, t.three = t.point+u.point, t.comma+u.comma, t.spaced+u.spaced, t.three+u.three
	t.dotted, t.marked, t.decimals = t.dotted+u.dotted, t.marked+u.marked, max(t.decimals, u.decimals)
	t.debits, t.credits = t.debits+u.debits, t.credits+u.credits
	t.pointed, t.commaed, t.three1 = cmp.Or(t.pointed, u.pointed), cmp.Or(t.commaed, u.commaed),
		cmp.Or(t.three1, u.three1)
	t.broken = cmp.Or(t.broken, u.broken)
	return t
}

// format is the name of the one format that explains all numbers; blank when that is open.
func (t numberStyle) format() string {
	switch {
	case t.point > 0 && t.comma == 0:
		return "1,234.56"
	case t.comma > 0 && t.point == 0 && t.spaced > 0:
		return "1 234,56"
	case t.comma > 0 && t.point == 0:
		return "1.234,56"
	case t.point+t.comma+t.three == 0:
		return "1,234.56"
	}
	return ""
}

func one(holds bool) int {
	if holds {
		return 1
	}
	return 0
}

// first keeps the first example, as a copy.
func first(kept, cell string) string {
	if kept == "" {
		return strings.Clone(cell)
	}
	return kept
}

func formatInt(n int) string { return strconv.Itoa(n) }

// dateFit is how well a pattern fits the dates of a column.
type dateFit struct {
	pattern     notation.DatePattern
	fits        int
	up, down    int // steps to a later and to an earlier day
	previous    ledger.Date
	low, high   ledger.Date // the first and the last day
	present     ledger.Date // of the record that is being looked at; 0 when it does not fit
	all         uint64      // sums up the days that were read: equal when two readings are
	near, apart int         // distances to the other column of dates, read by the same pattern
	alone       ledger.Date // the first day on which another column of dates is blank; 0 when none is
}

func (d *dateFit) clear() { *d = dateFit{pattern: d.pattern} }

func (d *dateFit) count() {
	d.fits++
	d.all = d.all*31 + uint64(d.present)
	d.low, d.high = min(d.low, d.present), max(d.high, d.present)
	if d.fits == 1 {
		d.low = d.present
	}
	switch {
	case d.previous == 0 || d.present == d.previous:
	case d.present > d.previous:
		d.up++
	default:
		d.down++
	}
	d.previous = d.present
}

// scattered reports whether the days are far closer together when the year of two digits stands at the other end.
func (d dateFit) scattered(list []dateFit) bool {
	const far = 4
	for _, other := range list {
		if d.yearInFront() != other.yearInFront() && d.high-d.low > far*(other.high-other.low) {
			return true
		}
	}
	return false
}

func (d dateFit) yearInFront() bool { return strings.HasPrefix(d.pattern.Text, "%y") }
