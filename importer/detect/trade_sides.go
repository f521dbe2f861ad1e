package detect

import (
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// halfKnownSides are the columns that speak of purchases and sales among things that are not understood, which are errors of
// their rows then: one whose header says so, else one of which half is understood.
func (f *detector) halfKnownSides(p *table.Phrases) []int {
	named := f.where(func(c *column) bool { return c.isWord && c.Roles[lexicon.RoleDirection] > 0 && saysBoth(p, c.words) })
	if len(named) > 0 {
		return named
	}
	return f.where(func(c *column) bool { return c.isWord && saysMostly(p, c.words) })
}

// ofKinds says whether the header of a column says that it is about what the rows are.
func (f *detector) ofKinds(c *column) bool {
	return c.Roles[lexicon.RoleDirection] > 0 || slices.Contains(f.kind.Headers(record.FieldSide, nil), table.NormalLabel(c.header)) || lexicon.Has(lexicon.TradeKindHeader, c.header)
}

// ownSides leaves out columns that only happen to speak of purchases, such as the name Best Buy: beside one whose header says
// that it is about the side, and where there are only purchases in it although some quantities have a minus.
func (f *detector) ownSides(p *table.Phrases, quantity int, found []int) []int {
	headed := func(at int) bool { return f.ofKinds(&f.columns[at]) }
	named := slices.DeleteFunc(slices.Clone(found), func(at int) bool { return !headed(at) })
	if len(named) == 1 {
		return named
	}
	return slices.DeleteFunc(found, func(at int) bool {
		return !headed(at) && quantity >= 0 && f.columns[quantity].numbers.minus > 0 && saysOnly(p, f.columns[at].words, table.SideBuy)
	})
}

// saysOnly says whether all words mean one side.
func saysOnly(p *table.Phrases, words map[string]int, s table.Side) bool {
	for word := range words {
		if p.Meaning(text.OneLine(word)) != s {
			return false
		}
	}
	return true
}

// takeTradeSide takes the column of sides, unless it has words that are not understood for what seem to be trades.
func (f *detector) takeTradeSide(p *table.Phrases, at, quantity int) {
	if word, line, any := f.unknownTrades(p, at, quantity); any {
		f.ask("trade_side_col_label", f.labels([]int{at}), "%s says what each row is, but not what %s means, which has a quantity and a price (line %d); give buy_value and sell_value, too",
			f.title(at), ledger.Quote(word), line)
		return
	}
	said := f.wordsOf(at)
	if said == "" {
		said = text.Quoted(f.columns[at].first)
	}
	f.set("trade_side_col_label", f.label(at), "%s says what each row is: %s", f.title(at), said)
}

// doubtSigns asks for the side where no column says it and the signs of the quantities do not, either.
func (f *detector) doubtSigns(p *table.Phrases, quantity int) {
	words := f.labels(f.where(func(c *column) bool { return c.isWord }))
	switch {
	case quantity < 0 || !f.open("qty_col_label"):
	case f.incomeHasUnits(p, quantity):
		f.ask("trade_side_col_label", words, "some rows speak of dividends or interest and have a quantity in %s, and no column says which rows are purchases", f.title(quantity))
	case f.columns[quantity].numbers.minus == 0 && table.NormalLabel(f.columns[quantity].header) != "qty":
		f.ask("trade_side_col_label", words,
			"no quantity in %s has a minus, and no column says which rows are sales; if all are purchases, give qty_col_label", f.title(quantity))
	}
}

// findTradeLetters finds a column of the letters for purchase and sale of a Romance language: A of acquisto, achat or C of
// compra, and V of vendita, vente, venta, venda. The letters for both must be there, and nothing else.
func (f *detector) findTradeLetters(quantity int) bool {
	list := f.speaking(f.where(func(c *column) bool {
		return c.isWord && len(c.words) == 2 && c.words["V"] > 0 && c.words["A"]+c.words["C"] > 0
	}), quantity)
	if len(list) == 0 {
		return false
	}
	at, buy := list[0], "C"
	if f.columns[at].words["A"] > 0 {
		buy = "A"
	}
	f.set("trade_side_col_label", f.label(at), "%s says what each row is: %s", f.title(at), f.wordsOf(at))
	f.set("buy_value", buy, "it is the first letter of the word for a purchase")
	f.set("sell_value", "V", "it is the first letter of the word for a sale")
	return true
}

// unknownTrades is a word of a column of sides that is not understood although its row of the beginning has a quantity and a price, as
// trades do, and the line of that. The word may be blank.
func (f *detector) unknownTrades(p *table.Phrases, at, quantity int) (word string, line int, any bool) {
	for _, r := range f.headRows() {
		cell := text.OneLine(text.CellAt(r.Cells, at))
		if unknown := p.Of(r.Cells, at) == table.SideUnsaid || table.TakesBack(cell); unknown && f.seemsTrade(r, quantity) {
			return cell, r.Line, true
		}
	}
	return "", 0, false
}

// kinds are the columns that say of some rows that they are purchases or sales and of others nothing that is understood, or nothing
// at all: one that is called so, or has words for both. The sign of the quantity must not decide about the others.
func (f *detector) kinds(p *table.Phrases) []int {
	said := make([]map[table.Side]bool, len(f.columns))
	for i := range f.columns {
		said[i] = map[table.Side]bool{}
		for _, r := range f.headRows() {
			if c := &f.columns[i]; !c.isDate && !c.isNumber {
				said[i][p.Of(r.Cells, i)] = true
			}
		}
	}
	named := f.where(f.ofKinds)
	if list := slices.DeleteFunc(named, func(at int) bool { return !said[at][table.SideBuy] && !said[at][table.SideSell] }); len(list) > 0 {
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

// seemsTrade says whether a row has a quantity and a price, as trades do.
func (f *detector) seemsTrade(r text.Row, quantity int) bool {
	return notation.IsSome(text.CellAt(r.Cells, quantity)) && notation.IsSome(text.CellAt(r.Cells, f.amount))
}

// speaking keeps the columns that say something of every row of the beginning that has a quantity and a price: one that is
// silent about some of these is about something else.
func (f *detector) speaking(list []int, quantity int) []int {
	return slices.DeleteFunc(list, func(at int) bool {
		return slices.ContainsFunc(f.headRows(), func(r text.Row) bool {
			return strings.TrimSpace(text.CellAt(r.Cells, at)) == "" && f.seemsTrade(r, quantity)
		})
	})
}

// saysMostly says whether words are those of a column of sides of which some are not known: a purchase or a sale is among
// them, and half of them or more are understood.
func saysMostly(p *table.Phrases, words map[string]int) bool {
	trades, known := false, 0
	for word := range words {
		s := p.Meaning(text.OneLine(word))
		trades = trades || s == table.SideBuy || s == table.SideSell
		known += one(s != table.SideUnsaid)
	}
	return trades && 2*known >= len(words)
}

// incomeHasUnits says whether rows of the beginning speak of income although they have a quantity, which then is no
// purchase.
func (f *detector) incomeHasUnits(p *table.Phrases, quantity int) bool {
	for _, r := range f.headRows() {
		if !notation.IsSome(text.CellAt(r.Cells, quantity)) {
			continue
		}
		for i, cell := range r.Cells {
			if i >= len(f.columns) || f.columns[i].isDate || f.columns[i].isNumber {
				continue
			}
			if s := p.Meaning(text.OneLine(cell)); s == table.SideDividend || s == table.SideInterest {
				return true
			}
		}
	}
	return false
}
