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

// decideTradeColumns decides which columns have the security, the quantity and the price.
func decideTradeColumns(d *decisions) {
	ticker := decideTradeColumn(d, "ticker_col_label", record.FieldTicker, func(c *column) bool { return !c.isDate && c.filled > 0 })
	d.quantity = decideTradeColumn(d, "qty_col_label", record.FieldQty, isNumberColumn)
	d.amount = decideTradeColumn(d, "price_col_label", record.FieldPrice, func(c *column) bool {
		return isNumberColumn(c) && (d.quantity < 0 || c != &d.columns[d.quantity]) && !isTotal(d.profile, c, ticker, d.quantity)
	})
}

// isNumberColumn says whether a column holds numbers.
func isNumberColumn(c *column) bool { return c.isNumber && c.filled > 0 }

// isTotal says whether a column of numbers is what trades came to and no price: its sign goes with the side, or of one security it
// is the greater the more was traded. A column that is called a price needs more of a proof.
func isTotal(p *profile, c *column, ticker, quantity int) bool {
	named := c.Roles[lexicon.RolePrice] > 0
	if minus := c.numbers.minus; minus > 0 && !named || 10*minus > c.numbers.count {
		return true
	}
	at := -1
	for i := range p.columns {
		if &p.columns[i] == c {
			at = i
		}
	}
	if ticker < 0 || quantity < 0 || at == quantity {
		return false
	}
	grows, stays := growsWith(p, at, ticker, quantity)
	return stays == 0 && (grows > 1 || grows == 1 && !named)
}

// growsWith compares the rows of a security, each with the one before, where at least twice as much was traded in one of the two: in how
// many a number has grown likewise, as a total does, and in how many it stayed about the same, as a price does.
func growsWith(p *profile, at, ticker, quantity int) (grows, stays int) {
	read := func(r text.Row, i int) decimal.Decimal {
		numbers, _ := notation.NewNumberFormat(cmp.Or(p.columns[i].numbers.format(), "1,234.56")) // they are formats
		s := table.TradeScales{Numbers: numbers}
		return s.Figure(r.Cells, i)
	}
	like := func(one, other decimal.Decimal) bool {
		return one.Sub(other).Abs().LessThan(decimal.Max(one, other).Mul(decimal.New(2, -1)))
	}
	last := map[string][2]decimal.Decimal{}
	for _, r := range p.headRows() {
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

// decideTradeColumn is the column of a setting: the one that was given, has the usual header, or is called so in any language.
// It is asked when there is none; -1 then, and when what was given is not there.
func decideTradeColumn(d *decisions, setting string, usual record.Field, holds func(*column) bool) int {
	if !d.open(setting) {
		return d.givenColumn(setting)
	}
	named := table.Columns{Header: d.sheet.header}
	for _, header := range d.kind.Headers(usual, nil) {
		if at := named.Matches(header); len(at) == 1 && (usual != record.FieldPrice || at[0] >= len(d.columns) || !isNumberColumn(&d.columns[at[0]]) || holds(&d.columns[at[0]])) {
			return at[0]
		}
	}
	found := d.byRole(labelSettings()[setting], holds)
	if isins := d.where(func(c *column) bool { return c.isins > 0 && 2*c.isins >= c.filled }); len(found) == 0 && usual == record.FieldTicker && len(isins) == 1 {
		d.set(setting, d.label(isins[0]), "%s holds ISINs, such as %s", d.title(isins[0]), text.Quoted(d.columns[isins[0]].first))
		return isins[0]
	}
	if len(found) == 0 {
		all := d.where(holds)
		d.ask(setting, d.labels(all), "no column is known to hold it; it may be one of %s", d.titles(all))
		return -1
	}
	d.set(setting, d.label(found[0]), "%s is called so", d.title(found[0]))
	return found[0]
}

// decideTradeSide finds the column that says whether a row is a purchase or a sale. Without one the sign of the quantity says
// it, if there are signs, or if the column is given or has the API's own name for a quantity with a sign.
func decideTradeSide(d *decisions) {
	var phrases table.Phrases
	if !d.open("trade_side_col_label") {
		return
	}
	found := speaking(d, d.where(func(c *column) bool { return c.isWord && saysSides(&phrases, c.words) }))
	if len(found) == 0 && decideTradeLetters(d) {
		return
	}
	if len(found) == 0 {
		found = speaking(d, halfKnownSides(d.profile, &phrases))
	}
	if len(found) == 0 {
		found = kindColumns(d.profile, &phrases)
	}
	found = ownSides(d, &phrases, found)
	switch {
	case len(found) == 1:
		takeTradeSide(d, &phrases, found[0])
	case len(found) > 1:
		d.ask("trade_side_col_label", d.labels(found), "several columns speak of purchases and sales: %s", d.titles(found))
	default:
		askTradeSigns(d, &phrases)
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

func wordsOf(p *profile, at int) string {
	return strings.Join(slices.Sorted(maps.Keys(p.columns[at].words)), ", ")
}
