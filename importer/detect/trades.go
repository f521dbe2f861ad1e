package detect

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/importer/text"
)

// decideTrades settles everything about a broker's file that was not given.
func (f *detector) decideTrades() {
	f.findDate()
	isNumber := isNumberColumn
	ticker := f.findTradeColumn("ticker_col_label", record.FieldTicker, func(c *column) bool { return !c.isDate && c.filled > 0 })
	quantity := f.findTradeColumn("qty_col_label", record.FieldQty, isNumber)
	isPrice := func(c *column) bool {
		return isNumber(c) && (quantity < 0 || c != &f.columns[quantity]) && !f.isTotal(c, ticker, quantity)
	}
	f.amount = f.findTradeColumn("price_col_label", record.FieldPrice, isPrice)
	if f.amount >= 0 {
		f.columns[f.amount].isMoney = true
		f.findTradeNumbers(quantity)
	}
	f.findTradeSide(quantity)
	f.findTradeFee()
	f.findTradeCurrency(quantity)
	f.doubtTradeAmounts(quantity)
	f.findStates()
	if len(f.found.Questions) == 0 {
		f.out = f.out.WithDefaults()
	}
}

// isNumberColumn says whether a column holds numbers.
func isNumberColumn(c *column) bool { return c.isNumber && c.filled > 0 }

// isTotal says whether a column of numbers is what trades came to and no price: its sign goes with the side, or of one security it
// is the greater the more was traded. A column that is called a price needs more of a proof.
func (f *detector) isTotal(c *column, ticker, quantity int) bool {
	named := c.Roles[lexicon.RolePrice] > 0
	if minus := c.numbers.minus; minus > 0 && !named || 10*minus > c.numbers.count {
		return true
	}
	at := -1
	for i := range f.columns {
		if &f.columns[i] == c {
			at = i
		}
	}
	if ticker < 0 || quantity < 0 || at == quantity {
		return false
	}
	grows, stays := f.growsWith(at, ticker, quantity)
	return stays == 0 && (grows > 1 || grows == 1 && !named)
}

// growsWith compares the rows of a security, each with the one before, where at least twice as much was traded in one of the two: in how
// many a number has grown likewise, as a total does, and in how many it stayed about the same, as a price does.
func (f *detector) growsWith(at, ticker, quantity int) (grows, stays int) {
	read := func(r text.Row, i int) decimal.Decimal {
		numbers, _ := notation.NewNumberFormat(cmp.Or(f.columns[i].numbers.format(), "1,234.56")) // they are formats
		s := table.TradeScales{Numbers: numbers}
		return s.Figure(r.Cells, i)
	}
	like := func(one, other decimal.Decimal) bool {
		return one.Sub(other).Abs().LessThan(decimal.Max(one, other).Mul(decimal.New(2, -1)))
	}
	last := map[string][2]decimal.Decimal{}
	for _, r := range f.headRows() {
		units, value := read(r, quantity), read(r, at)
		if units.IsZero() || value.IsZero() {
			continue
		}
		before, known := last[text.CellAt(r.Cells, ticker)]
		last[text.CellAt(r.Cells, ticker)] = [2]decimal.Decimal{units, value}
		if !known || decimal.Max(units, before[0]).LessThan(decimal.Min(units, before[0]).Mul(decimal.New(2, 0))) {
			continue
		}
		grows += one(like(value.Mul(before[0]), before[1].Mul(units)))
		stays += one(like(value, before[1]))
	}
	return grows, stays
}

// findTradeColumn is the column of a setting: the one that was given, has the usual header, or is called so in any language.
// It is asked when there is none; -1 then, and when what was given is not there.
func (f *detector) findTradeColumn(setting string, usual record.Field, holds func(*column) bool) int {
	if !f.open(setting) {
		return f.givenColumn(setting)
	}
	named := table.Columns{Header: f.sheet.header}
	for _, header := range f.kind.Headers(usual, nil) {
		if at := named.Matches(header); len(at) == 1 && (usual != record.FieldPrice || at[0] >= len(f.columns) || !isNumberColumn(&f.columns[at[0]]) || holds(&f.columns[at[0]])) {
			return at[0]
		}
	}
	found := f.byRole(labelSettings()[setting], holds)
	if isins := f.where(func(c *column) bool { return c.isins > 0 && 2*c.isins >= c.filled }); len(found) == 0 && usual == record.FieldTicker && len(isins) == 1 {
		f.set(setting, f.label(isins[0]), "%s holds ISINs, such as %s", f.title(isins[0]), text.Quoted(f.columns[isins[0]].first))
		return isins[0]
	}
	if len(found) == 0 {
		all := f.where(holds)
		f.ask(setting, f.labels(all), "no column is known to hold it; it may be one of %s", f.titles(all))
		return -1
	}
	f.set(setting, f.label(found[0]), "%s is called so", f.title(found[0]))
	return found[0]
}

// findTradeSide finds the column that says whether a row is a purchase or a sale. Without one the sign of the quantity says
// it, if there are signs, or if the column is given or has the API's own name for a quantity with a sign.
func (f *detector) findTradeSide(quantity int) {
	var p table.Phrases
	if !f.open("trade_side_col_label") {
		return
	}
	found := f.speaking(f.where(func(c *column) bool { return c.isWord && saysSides(&p, c.words) }), quantity)
	if len(found) == 0 && f.findTradeLetters(quantity) {
		return
	}
	if len(found) == 0 {
		found = f.speaking(f.halfKnownSides(&p), quantity)
	}
	if len(found) == 0 {
		found = f.kinds(&p)
	}
	found = f.ownSides(&p, quantity, found)
	switch {
	case len(found) == 1:
		f.takeTradeSide(&p, found[0], quantity)
	case len(found) > 1:
		f.ask("trade_side_col_label", f.labels(found), "several columns speak of purchases and sales: %s", f.titles(found))
	default:
		f.doubtSigns(&p, quantity)
	}
}

// saysSides says whether words are those of a column of sides: some mean a purchase or a sale, and each means something.
func saysSides(p *table.Phrases, words map[string]int) bool {
	trades := false
	for word := range words {
		switch p.Meaning(text.OneLine(word)) {
		case table.SideBuy, table.SideSell:
			trades = true
		case table.SideUnsaid:
			return false
		}
	}
	return trades
}

// saysBoth says whether there are words for purchases and for sales among others.
func saysBoth(p *table.Phrases, words map[string]int) bool {
	said := map[table.Side]bool{}
	for word := range words {
		said[p.Meaning(text.OneLine(word))] = true
	}
	return said[table.SideBuy] && said[table.SideSell]
}

func (f *detector) wordsOf(at int) string {
	return strings.Join(slices.Sorted(maps.Keys(f.columns[at].words)), ", ")
}
