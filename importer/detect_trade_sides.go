package importer

import (
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// halfKnownSides are the columns that speak of purchases and sales among things that are not understood, which are errors of
// their rows then: one whose header says so, else one of which half is understood.
func (f *detector) halfKnownSides(p *phrases) []int {
	named := f.where(func(c *column) bool { return c.isWord && c.Roles[lexicon.RoleDirection] > 0 && saysBoth(p, c.words) })
	if len(named) > 0 {
		return named
	}
	return f.where(func(c *column) bool { return c.isWord && saysMostly(p, c.words) })
}

// ofKinds says whether the header of a column says that it is about what the rows are.
func (f *detector) ofKinds(c *column) bool {
	return c.Roles[lexicon.RoleDirection] > 0 || slices.Contains(f.kind.headers(fieldSide, nil), normalLabel(c.header)) || lexicon.Has(lexicon.TradeKindHeader, c.header)
}

// ownSides leaves out columns that only happen to speak of purchases, such as the name Best Buy: beside one whose header says
// that it is about the side, and where there are only purchases in it although some quantities have a minus.
func (f *detector) ownSides(p *phrases, quantity int, found []int) []int {
	headed := func(at int) bool { return f.ofKinds(&f.columns[at]) }
	named := slices.DeleteFunc(slices.Clone(found), func(at int) bool { return !headed(at) })
	if len(named) == 1 {
		return named
	}
	return slices.DeleteFunc(found, func(at int) bool {
		return !headed(at) && quantity >= 0 && f.columns[quantity].numbers.minus > 0 && saysOnly(p, f.columns[at].words, sideBuy)
	})
}

// saysOnly says whether all words mean one side.
func saysOnly(p *phrases, words map[string]int, s side) bool {
	for word := range words {
		if p.meaning(oneLine(word)) != s {
			return false
		}
	}
	return true
}

// takeTradeSide takes the column of sides, unless it has words that are not understood for what seem to be trades.
func (f *detector) takeTradeSide(p *phrases, at, quantity int) {
	if word, line, any := f.unknownTrades(p, at, quantity); any {
		f.ask("trade_side_col_label", f.labels([]int{at}), "%s says what each row is, but not what %s means, which has a quantity and a price (line %d); give buy_value and sell_value, too",
			f.title(at), ledger.Quote(word), line)
		return
	}
	said := f.wordsOf(at)
	if said == "" {
		said = quoted(f.columns[at].first)
	}
	f.set("trade_side_col_label", f.label(at), "%s says what each row is: %s", f.title(at), said)
}

// doubtSigns asks for the side where no column says it and the signs of the quantities do not, either.
func (f *detector) doubtSigns(p *phrases, quantity int) {
	words := f.labels(f.where(func(c *column) bool { return c.isWord }))
	switch {
	case quantity < 0 || !f.open("qty_col_label"):
	case f.incomeHasUnits(p, quantity):
		f.ask("trade_side_col_label", words, "some rows speak of dividends or interest and have a quantity in %s, and no column says which rows are purchases", f.title(quantity))
	case f.columns[quantity].numbers.minus == 0 && normalLabel(f.columns[quantity].header) != "qty":
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
func (f *detector) unknownTrades(p *phrases, at, quantity int) (word string, line int, any bool) {
	for _, r := range f.headRows() {
		cell := oneLine(cellAt(r.Cells, at))
		if unknown := p.of(r.Cells, at) == sideUnsaid || takesBack(cell); unknown && f.seemsTrade(r, quantity) {
			return cell, r.Line, true
		}
	}
	return "", 0, false
}

// kinds are the columns that say of some rows that they are purchases or sales and of others nothing that is understood, or nothing
// at all: one that is called so, or has words for both. The sign of the quantity must not decide about the others.
func (f *detector) kinds(p *phrases) []int {
	said := make([]map[side]bool, len(f.columns))
	for i := range f.columns {
		said[i] = map[side]bool{}
		for _, r := range f.headRows() {
			if c := &f.columns[i]; !c.isDate && !c.isNumber {
				said[i][p.of(r.Cells, i)] = true
			}
		}
	}
	named := f.where(f.ofKinds)
	if list := slices.DeleteFunc(named, func(at int) bool { return !said[at][sideBuy] && !said[at][sideSell] }); len(list) > 0 {
		return list
	}
	var both []int
	for at := range said {
		if said[at][sideBuy] && said[at][sideSell] {
			both = append(both, at)
		}
	}
	return both
}

// takesBack says whether a phrase speaks of a trade that is undone. It moves the units back, so to leave it out would be wrong,
// and of what it undoes it does not say whether it was a purchase.
func takesBack(phrase string) bool {
	plain := text.Plain(phrase)
	return !strings.Contains(plain, "split") && slices.ContainsFunc(strings.Fields(plain), func(word string) bool {
		return slices.ContainsFunc(lexicon.Words(lexicon.TradeUndone), func(stem string) bool { return strings.HasPrefix(word, stem) })
	})
}

// seemsTrade says whether a row has a quantity and a price, as trades do.
func (f *detector) seemsTrade(r Record, quantity int) bool {
	return isSome(cellAt(r.Cells, quantity)) && isSome(cellAt(r.Cells, f.amount))
}

// speaking keeps the columns that say something of every row of the beginning that has a quantity and a price: one that is
// silent about some of these is about something else.
func (f *detector) speaking(list []int, quantity int) []int {
	return slices.DeleteFunc(list, func(at int) bool {
		return slices.ContainsFunc(f.headRows(), func(r Record) bool {
			return strings.TrimSpace(cellAt(r.Cells, at)) == "" && f.seemsTrade(r, quantity)
		})
	})
}

// saysMostly says whether words are those of a column of sides of which some are not known: a purchase or a sale is among
// them, and half of them or more are understood.
func saysMostly(p *phrases, words map[string]int) bool {
	trades, known := false, 0
	for word := range words {
		s := p.meaning(oneLine(word))
		trades = trades || s == sideBuy || s == sideSell
		known += one(s != sideUnsaid)
	}
	return trades && 2*known >= len(words)
}

// incomeHasUnits says whether rows of the beginning speak of income although they have a quantity, which then is no
// purchase.
func (f *detector) incomeHasUnits(p *phrases, quantity int) bool {
	for _, r := range f.headRows() {
		if !isSome(cellAt(r.Cells, quantity)) {
			continue
		}
		for i, cell := range r.Cells {
			if i >= len(f.columns) || f.columns[i].isDate || f.columns[i].isNumber {
				continue
			}
			if s := p.meaning(oneLine(cell)); s == sideDividend || s == sideInterest {
				return true
			}
		}
	}
	return false
}

// isISIN says whether a cell is an international number of a security: its country, nine characters and a check digit,
// which Luhn's sum over its digits proves, letters counting as 10 to 35 (ISO 6166).
func isISIN(cell string) bool {
	if len(cell) != 12 {
		return false
	}
	sum, double := 0, false
	for i := len(cell) - 1; i >= 0; i-- {
		digit, isDigit, isLetter := int(cell[i]-'0'), cell[i] >= '0' && cell[i] <= '9', cell[i] >= 'A' && cell[i] <= 'Z'
		switch {
		case isDigit && i > 1:
			sum, double = sum+luhn(digit, double), !double
		case isLetter && i < 11:
			value := int(cell[i]-'A') + 10
			sum += luhn(value%10, double) + luhn(value/10, !double)
		default:
			return false
		}
	}
	return sum%10 == 0
}

// luhn is what a digit adds to the sum: every second one counts twice, less nine when that has two digits.
func luhn(digit int, double bool) int {
	if double {
		digit *= 2
	}
	return digit/10 + digit%10
}
