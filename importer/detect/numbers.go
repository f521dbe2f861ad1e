package detect

import (
	"cmp"
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// tally counts how the numbers of a column are written.
type tally struct {
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

// add sums up two tallies.
func (t tally) add(u tally) tally {
	t.count, t.minus, t.plus, t.zero = t.count+u.count, t.minus+u.minus, t.plus+u.plus, t.zero+u.zero
	t.point, t.comma, t.spaced, t.three = t.point+u.point, t.comma+u.comma, t.spaced+u.spaced, t.three+u.three
	t.dotted, t.marked, t.decimals = t.dotted+u.dotted, t.marked+u.marked, max(t.decimals, u.decimals)
	t.debits, t.credits = t.debits+u.debits, t.credits+u.credits
	t.pointed, t.commaed, t.three1 = cmp.Or(t.pointed, u.pointed), cmp.Or(t.commaed, u.commaed), cmp.Or(t.three1, u.three1)
	t.broken = cmp.Or(t.broken, u.broken)
	return t
}

// format is the name of the one format that explains all numbers; blank when that is open.
func (t tally) format() string {
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

// isAmount says of a column whether amounts may stand in it.
func isAmount(c *column) bool { return c.isNumber && !c.isDate }

// compareAmounts notes whether the columns that are called amount ever differ.
func compareAmounts(p *profile, cells []string) {
	for _, at := range p.amounts[min(1, len(p.amounts)):] {
		p.differ = p.differ || text.CellAt(cells, at) != text.CellAt(cells, p.amounts[0])
	}
}

// decideNumberFormat decides how numbers are written by those of the amounts, then by all others.
func decideNumberFormat(d *decisions) {
	if !d.open("number_format") {
		return
	}
	var own, all tally
	for _, at := range d.money() {
		own = own.add(d.columns[at].numbers)
	}
	for i := range d.columns {
		if d.columns[i].isMoney || slices.Contains(d.money(), i) {
			all = all.add(d.columns[i].numbers)
		}
	}
	const few = 10
	switch format, odd := own.format(), unreadAmount(d); {
	case odd != "":
		d.ask("number_format", nil, "more than one in %d amounts cannot be read as a number, such as %s", few, ledger.Quote(odd))
	case own.spaced > 0 && own.dotted > 0:
		d.ask("number_format", []string{"1.234,56", "1 234,56"}, "some amounts have points between thousands and others spaces")
	case own.point > 0 && own.comma > 0:
		d.ask("number_format", []string{"1,234.56", "1.234,56"}, "%s fits only 1,234.56 and %s only 1.234,56", own.pointed, own.commaed)
	case format != "" && own.three+own.point+own.comma > 0:
		d.set("number_format", format, "%s can be written in no other way", cmp.Or(own.pointed, own.commaed))
	case own.three == 0 && (all.format() == "" || all.point+all.comma == 0):
		d.set("number_format", "1,234.56", "all amounts are whole numbers")
	default:
		askNumberFormat(d, own, all)
	}
}

// unreadAmount is an example of amounts that no format can read, if they are more than a slip.
func unreadAmount(d *decisions) string {
	const few = 10
	for _, at := range d.money() {
		c := &d.columns[at]
		if odd := c.filled - c.numbers.count; odd > 1 && few*odd > c.filled {
			return c.odd
		}
	}
	return ""
}

// askNumberFormat is for amounts that all have three digits behind one mark, or none.
func askNumberFormat(d *decisions, own, all tally) {
	if format := d.running.provenFormat(); format != "" && own.three > 0 {
		d.set("number_format", format, "only read so the balances add up")
		return
	}
	if format := all.format(); format != "" && all.point+all.comma > 0 {
		d.set("number_format", format, "%s in another column can be written in no other way", cmp.Or(all.pointed, all.commaed))
		return
	}
	asGroups := "1,234.56"
	if strings.Contains(own.three1, ".") {
		asGroups = "1.234,56"
	}
	if d.defaults.Currency.Code != "" && d.defaults.Currency.Exponent == 0 {
		d.set("number_format", asGroups, "%s has no decimals, so the mark in %s parts thousands", d.defaults.Currency.Code, own.three1)
		return
	}
	// A comma is left to be asked for: dinars that are never paid in their decimals are written 12,500.
	if d.defaults.Currency.Exponent == 3 && own.three == own.count && asGroups == "1.234,56" {
		d.set("number_format", "1,234.56", "%s has three decimals, as has every amount", d.defaults.Currency.Code)
		return
	}
	d.ask("number_format", []string{"1,234.56", "1.234,56"}, "%s may be thousands or three decimals, and so may every other number with a mark", own.three1)
}

// moneyColumns are those of the running balance: what is called an amount or a balance, or looks like one.
func moneyColumns(p *profile) []int {
	const most = 8
	list := p.where(func(c *column) bool { return c.isMoney && !c.fee })
	late := func(at int) int {
		return one(len(p.columns[at].Roles) == 0) + 2*one(p.columns[at].Roles[lexicon.RoleOtherAmount] >= 900)
	}
	slices.SortStableFunc(list, func(a, b int) int { return late(a) - late(b) })
	return list[:min(len(list), most)]
}

// decideFormats is for the types whose columns have names of their own: only formats are looked for.
func decideFormats(d *decisions) {
	c, err := table.FindColumns(d.out, d.kind, d.sheet.header, 1)
	if err != nil {
		return // reading the file says what is missing
	}
	within := func(at int) bool { return at >= 0 && at < len(d.columns) }
	d.date = c.At[record.FieldDate]
	if within(d.date) && d.columns[d.date].isDate && d.open("date_format") {
		decideDateFormat(d, &d.columns[d.date])
	}
	d.amount = c.At[record.FieldAmount]
	if within(d.amount) {
		decideNumberFormat(d)
	}
	d.out = d.out.WithDefaults()
}
