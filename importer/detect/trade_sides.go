package detect

import (
	"maps"
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// halfKnownSides are the columns that speak of purchases and sales among things that are not understood, which are
// errors of their rows then: one whose header says so, else one of which half is understood.
func halfKnownSides(p *profile, phrases *table.Phrases) []int {
	named := p.where(func(c *column) bool {
		return c.isWord && c.Roles[lexicon.RoleDirection] > 0 && saysBoth(phrases, c.words)
	})
	if len(named) > 0 {
		return named
	}
	return p.where(func(c *column) bool { return c.isWord && saysMostly(phrases, c.words) })
}

// ofKinds reports whether the header of a column says that it is about what the rows are.
func ofKinds(p *profile, c *column) bool {
	return c.Roles[lexicon.RoleDirection] > 0 || slices.Contains(p.kind.Headers(record.FieldSide, nil),
		table.NormalLabel(c.header)) || lexicon.Has(lexicon.TradeKindHeader, c.header)
}

// ownSides leaves out columns that only happen to speak of purchases, such as the name Best Buy: beside one whose
// header says that it is about the side, and where there are only purchases in it although some quantities have a
// minus.
func ownSides(d *decisions, phrases *table.Phrases, found []int) []int {
	headed := func(at int) bool { return ofKinds(d.profile, &d.columns[at]) }
	named := slices.DeleteFunc(slices.Clone(found), func(at int) bool { return !headed(at) })
	if len(named) == 1 {
		return named
	}
	return slices.DeleteFunc(found, func(at int) bool {
		return !headed(at) && d.quantity >= 0 && d.columns[d.quantity].numbers.minus > 0 &&
			saysOnly(phrases, d.columns[at].words, table.SideBuy)
	})
}

// saysOnly reports whether all words mean one side.
func saysOnly(phrases *table.Phrases, words map[string]int, s table.Side) bool {
	for word := range words {
		if phrases.Meaning(text.OneLine(word)) != s {
			return false
		}
	}
	return true
}

// takeTradeSide takes the column of sides, unless it has words that are not understood for what seem to be trades.
func takeTradeSide(d *decisions, phrases *table.Phrases, at int) {
	if word, line, any := unknownTrades(d, phrases, at); any {
		d.ask("trade_side_col_label", d.labels([]int{at}), "%s says what each row is, but not what %s means, which has a quantity and a price (line %d); give buy_value and sell_value, too",
			d.title(at), ledger.Quote(word), line)
		return
	}
	said := wordsOf(d.profile, at)
	if said == "" {
		said = text.Quoted(d.columns[at].first)
	}
	d.set("trade_side_col_label", d.label(at), "%s says what each row is: %s", d.title(at), said)
}

// askTradeSigns asks for the side where no column says it and the signs of the quantities do not, either.
func askTradeSigns(d *decisions, phrases *table.Phrases) {
	words := d.labels(d.where(func(c *column) bool { return c.isWord }))
	switch {
	case d.quantity < 0 || !d.open("qty_col_label"):
	case incomeHasUnits(d, phrases):
		d.ask("trade_side_col_label", words, "some rows speak of dividends or interest and have a quantity in %s, and no column says which rows are purchases", d.title(d.quantity))
	case d.columns[d.quantity].numbers.minus == 0 && table.NormalLabel(d.columns[d.quantity].header) != "qty":
		d.ask("trade_side_col_label", words,
			"no quantity in %s has a minus, and no column says which rows are sales; if all are purchases, give qty_col_label", d.title(d.quantity))
	}
}

// decideTradeLetters finds a column of the letters for purchase and sale of a Romance language: A of acquisto, achat
// or C of compra, and V of vendita, vente, venta, venda. The letters for both must be there, and nothing else.
func decideTradeLetters(d *decisions) bool {
	list := speaking(d, d.where(func(c *column) bool {
		return c.isWord && len(c.words) == 2 && c.words["V"] > 0 && c.words["A"]+c.words["C"] > 0
	}))
	if len(list) == 0 {
		return false
	}
	at, buy := list[0], "C"
	if d.columns[at].words["A"] > 0 {
		buy = "A"
	}
	d.set("trade_side_col_label", d.label(at), "%s says what each row is: %s", d.title(at), wordsOf(d.profile, at))
	d.set("buy_value", buy, "it is the first letter of the word for a purchase")
	d.set("sell_value", "V", "it is the first letter of the word for a sale")
	return true
}

// unknownTrades is a word of a column of sides that is not understood although its row of the beginning has a quantity
// and a price, as trades do, and the line of that. The word may be blank.
func unknownTrades(d *decisions, phrases *table.Phrases, at int) (word string, line int, any bool) {
	for _, r := range d.headRows() {
		cell := text.OneLine(text.CellAt(r.Cells, at))
		if unknown := phrases.Of(r.Cells, at) == table.SideUnsaid ||
			table.TakesBack(cell); unknown && seemsTrade(d, r) {
			return cell, r.Line, true
		}
	}
	return "", 0, false
}

// kindColumns are the columns that say of some rows that they are purchases or sales and of others nothing that is
// understood, or nothing at all: one that is called so, or has words for both. The sign of the quantity must not
// decide about the others.
func kindColumns(p *profile, phrases *table.Phrases) []int {
	said := make([]map[table.Side]bool, len(p.columns))
	for i := range p.columns {
		said[i] = map[table.Side]bool{}
		for _, r := range p.headRows() {
			if c := &p.columns[i]; !c.isDate && !c.isNumber {
				said[i][phrases.Of(r.Cells, i)] = true
			}
		}
	}
	named := p.where(func(c *column) bool { return ofKinds(p, c) })
	if list := slices.DeleteFunc(named, func(at int) bool {
		return !said[at][table.SideBuy] &&
			!said[at][table.SideSell]
	}); len(list) > 0 {
		return list
	}
	var both []int
	for at := range said {
		if said[at][table.SideBuy] && said[at][table.SideSell] {
			both = append(both, at)
		}
	}
	return both
}

// seemsTrade reports whether a row has a quantity and a price, as trades do.
func seemsTrade(d *decisions, r text.Row) bool {
	return notation.IsSome(text.CellAt(r.Cells, d.quantity)) && notation.IsSome(text.CellAt(r.Cells, d.amount))
}

// speaking keeps the columns that say something of every row of the beginning that has a quantity and a price: one
// that is silent about some of these is about something else.
func speaking(d *decisions, list []int) []int {
	return slices.DeleteFunc(list, func(at int) bool {
		return slices.ContainsFunc(d.headRows(), func(r text.Row) bool {
			return strings.TrimSpace(text.CellAt(r.Cells, at)) == "" && seemsTrade(d, r)
		})
	})
}

// saysMostly reports whether words are those of a column of sides of which some are not known: a purchase or a sale is
// among them, and half of them or more are understood.
func saysMostly(phrases *table.Phrases, words map[string]int) bool {
	trades, known := false, 0
	for word := range words {
		s := phrases.Meaning(text.OneLine(word))
		trades = trades || s == table.SideBuy || s == table.SideSell
		known += one(s != table.SideUnsaid)
	}
	return trades && 2*known >= len(words)
}

// incomeHasUnits reports whether rows of the beginning speak of income although they have a quantity, which then is no
// purchase.
func incomeHasUnits(d *decisions, phrases *table.Phrases) bool {
	for _, r := range d.headRows() {
		if !notation.IsSome(text.CellAt(r.Cells, d.quantity)) {
			continue
		}
		for i, cell := range r.Cells {
			if i >= len(d.columns) || d.columns[i].isDate || d.columns[i].isNumber {
				continue
			}
			if s := phrases.Meaning(text.OneLine(cell)); s == table.SideDividend || s == table.SideInterest {
				return true
			}
		}
	}
	return false
}

// decideTradeSide finds the column that says whether a row is a purchase or a sale. Without one the sign of the
// quantity says it, if there are signs, or if the column is given or has the API's own name for a quantity with a sign.
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
		d.ask("trade_side_col_label", d.labels(found), "several columns speak of purchases and sales: %s",
			d.titles(found))
	default:
		askTradeSigns(d, &phrases)
	}
}

// saysSides reports whether words are those of a column of sides: some mean a purchase or a sale, and each means
// something.
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

// saysBoth reports whether there are words for purchases and for sales among others.
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
