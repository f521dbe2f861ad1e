package detect

import (
	"maps"
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// meant says which amount a header of an amount or a currency is about, as far as it does: "original" of both Original
// amount and Original currency.
func meant(header string) string {
	plain, _ := lexicon.PlainHeader(header)
	var rest []string
	for word := range strings.FieldsSeq(plain) {
		if lexicon.HasPlain(lexicon.AmountWord, word) || lexicon.HasPlain(lexicon.CurrencyWord, word) ||
			lexicon.HasPlain(lexicon.JoiningWord, word) {
			continue
		}
		for _, part := range slices.Concat(lexicon.Words(lexicon.AmountEnding), lexicon.Words(lexicon.CurrencyEnding)) {
			word = strings.TrimSuffix(word, part)
		}
		word = strings.TrimSuffix(word, "s")
		if word != "" {
			rest = append(rest, word)
		}
	}
	return strings.Join(rest, " ")
}

// rivalColumns are the columns of money, besides those of the amounts, that a currency may be about.
func rivalColumns(d *decisions) []int {
	money := d.money()
	return d.where(func(c *column) bool {
		named := c.Roles[lexicon.RoleAmount]+c.Roles[lexicon.RoleOtherAmount] > 0
		return c.isMoney && c.filled > 0 && named && !c.fee && c.Roles[lexicon.RoleBalance] == 0 &&
			!slices.ContainsFunc(text.Words(text.Fold(c.header)), func(word string) bool {
				return lexicon.HasPlain(lexicon.OtherSum, word)
			}) && !slices.ContainsFunc(money, func(at int) bool { return &d.columns[at] == c })
	})
}

// belonging is whether a column of currencies is about the amounts.
type belonging int

const (
	unclear belonging = iota
	ofAmounts
	ofOthers
)

// belongs decides whether a column of currencies is about the amounts that are booked or about other ones. Where all
// rows are in the account's currency it does not matter.
func belongs(d *decisions, at int) belonging {
	money, rivals := d.money(), rivalColumns(d)
	own, name := "", meant(d.columns[at].header)
	if len(money) == 1 {
		own = meant(d.columns[money[0]].header)
	}
	isRival := func(holds func(at int) bool) bool { return slices.ContainsFunc(rivals, holds) }
	beside := func(other int) bool { return other == at-1 || other == at+1 }
	switch {
	case len(money) == 0 || !d.isForeign(at):
		return ofAmounts
	case name != "" && name == own:
		return ofAmounts
	case name != "" && isRival(func(other int) bool { return meant(d.columns[other].header) == name }):
		return ofOthers
	case name != "" && own != "" && d.columns[at].Roles[lexicon.RoleCurrency] > 0 &&
		!lexicon.HasPlain(lexicon.Home, name):
		return unclear
	case slices.Contains(money, at-1) || !isRival(beside):
		return ofAmounts
	}
	return belongsByRows(d, at, rivals[slices.IndexFunc(rivals, beside)])
}

// belongsByRows looks at the rows of the beginning for whose a column of currencies is: the two amounts are equal in
// all rows in the account's currency, of which there are some, and differ in all others, when it tells the currency of
// the other one.
func belongsByRows(d *decisions, at, other int) belonging {
	home, foreign := 0, 0
	for _, r := range d.headRows() {
		amount, beside := text.CellAt(r.Cells, d.money()[0]), text.CellAt(r.Cells, other)
		currency, known := notation.CurrencyIn(text.CellAt(r.Cells, at), d.defaults.Currency)
		if !known || !notation.IsSome(amount) || !notation.IsSome(beside) {
			continue
		}
		isHome := currency.Code == d.defaults.Currency.Code
		if isHome != (amount == beside) {
			return unclear
		}
		home, foreign = home+one(isHome), foreign+one(!isHome)
	}
	if home == 0 || foreign == 0 {
		return unclear
	}
	return ofOthers
}

// sameMeaning are the columns of currencies whose headers name the amount as that of the booked one does.
func sameMeaning(d *decisions) []int {
	money := d.money()
	if len(money) != 1 || meant(d.columns[money[0]].header) == "" {
		return nil
	}
	own := meant(d.columns[money[0]].header)
	return d.where(func(c *column) bool { return c.tellsCurrency() && meant(c.header) == own })
}

// withHome keeps of columns of amounts that each have a currency beside them the one whose currency is always the
// account's; where the file names the accounts, the one whose currency never changes.
func withHome(p *profile, list []int) []int {
	if len(list) < 2 {
		return list
	}
	var home []int
	for _, at := range list {
		c := currencyBeside(p, at, list)
		if c < 0 {
			return list
		}
		words := p.columns[c].words
		if p.defaults.AccountCurrency == nil && !p.isForeign(c) ||
			p.defaults.AccountCurrency != nil && len(words) == 1 {
			home = append(home, at)
		}
	}
	if len(home) != 1 {
		return list
	}
	return home
}

// currencyBeside is the column with the currency of one of several amounts: called like it, else right behind it, else
// right before it; -1 when there is none.
func currencyBeside(p *profile, at int, amounts []int) int {
	own := meant(p.columns[at].header)
	alike := p.where(func(c *column) bool { return c.tellsCurrency() && meant(c.header) == own })
	unlike := !slices.ContainsFunc(amounts, func(other int) bool {
		return other != at &&
			meant(p.columns[other].header) == own
	})
	if len(alike) == 1 && unlike {
		return alike[0]
	}
	behind := func(a int) bool { return a+1 < len(p.columns) && p.columns[a+1].tellsCurrency() }
	before := func(a int) bool { return a > 0 && p.columns[a-1].tellsCurrency() }
	every := func(holds func(int) bool) bool {
		return !slices.ContainsFunc(amounts, func(a int) bool { return !holds(a) })
	}
	switch {
	case every(behind):
		return at + 1
	case every(before):
		return at - 1
	}
	return -1
}

// homePair is another column of amounts than the one that its header makes it seem, where that one has other
// currencies than the account's beside it, and the other one always the account's; -1 when there is none.
func homePair(d *decisions, at int) int {
	others := slices.DeleteFunc(rivalColumns(d), func(other int) bool {
		return other == at || d.columns[other].numbers.count < d.columns[at].numbers.count
	})
	all := append([]int{at}, others...)
	own := currencyBeside(d.profile, at, all)
	if own < 0 || !d.isForeign(own) || d.defaults.AccountCurrency != nil {
		return -1
	}
	home := slices.DeleteFunc(others, func(other int) bool {
		c := currencyBeside(d.profile, other, all)
		return c < 0 || c == own || d.isForeign(c)
	})
	if len(home) != 1 {
		return -1
	}
	return home[0]
}

// takeHomeCurrency settles that amounts are in the account's currency although a column of currencies, about something
// else, has others.
func takeHomeCurrency(d *decisions, list []int) {
	if d.defaults.AccountCurrency == nil && d.defaults.Currency.Code != "" {
		d.set("currency", d.defaults.Currency.Code, "that of the account: %s is about other amounts", d.titles(list))
		return
	}
	d.ask("currency", nil, "%s is about other amounts than those that are booked", d.titles(list))
}

// decideCurrency decides where the currency of a row stands: in a column, in the header of the amounts, or nowhere.
func decideCurrency(d *decisions) {
	if !d.open("currency_col_label") || !d.open("currency") || len(d.money()) == 0 {
		return // which column has the amounts is asked, and it decides which has their currency
	}
	isText := func(c *column) bool {
		return !c.isDate && !c.isNumber && c.filled > 0 && c.Roles[lexicon.RoleOtherCurrency] < 900
	}
	if list := sameMeaning(d); len(list) > 0 {
		takeCurrency(d, nearestToAmounts(d, list))
		return
	}
	called := d.byRole(lexicon.RoleCurrency, isText)
	own := slices.DeleteFunc(slices.Clone(called), func(at int) bool { return belongs(d, at) == ofOthers })
	if len(own) > 0 && !ofOtherAmounts(d, nearestToAmounts(d, own)) {
		if at := nearestToAmounts(d, own); belongs(d, at) == ofAmounts {
			takeCurrency(d, at)
			return
		}
		d.ask("currency_col_label", d.labels(own), "%s may be about other amounts than those in %s; give currency if these are all in one", d.titles(own), d.titles(d.money()))
		return
	}
	others := func(at int) bool { return slices.Contains(called, at) || belongs(d, at) == ofOthers }
	if list := slices.DeleteFunc(codeColumns(d), others); len(list) > 0 {
		takeCurrency(d, nearestToAmounts(d, list))
		return
	}
	if len(called) > 0 && len(own) == 0 {
		takeHomeCurrency(d, called)
		return
	}
	for _, at := range d.money() {
		if code := d.columns[at].Code; code != "" {
			d.set("currency", code, "the header %s says so", d.title(at))
			return
		}
	}
	for _, at := range d.money() {
		c, broken := d.defaults.Currency, d.columns[at].numbers.broken
		if c.Code != "" && c.Exponent == 0 && broken != "" && d.defaults.AccountCurrency == nil {
			d.ask("currency", nil, "%s has decimals, and the account is in %s, which has none", broken, c.Code)
			return
		}
	}
}

// codeColumns are columns that are not called so and have the code of a currency in every row that has an amount:
// right beside the amounts, or, in a file without headers, anywhere.
func codeColumns(d *decisions) []int {
	money := d.money()
	if len(money) == 0 {
		return nil
	}
	rows := d.columns[money[0]].numbers.count
	if len(money) > 1 {
		rows = d.dataRows()
	}
	return slices.DeleteFunc(d.where((*column).holdsCodes), func(at int) bool {
		beside := slices.ContainsFunc(money, func(amount int) bool { return at == amount-1 || at == amount+1 })
		return d.columns[at].filled < rows || d.sheet.header != nil && !beside
	})
}

// ofOtherAmounts reports whether a column of currencies is not about the amounts: their header names one that rows of the
// column contradict, and there is another column of money that it may be about.
func ofOtherAmounts(d *decisions, at int) bool {
	money := d.money()
	if len(money) == 0 {
		return false // which column has the amounts is asked
	}
	code, contradicts := d.columns[money[0]].Code, false
	for word := range d.columns[at].words {
		c, ok := lexicon.Currency(word)
		contradicts = contradicts || ok && c.Code != code
	}
	return code != "" && contradicts && len(d.where(func(c *column) bool {
		return c.isMoney && c.Code != code && c.Roles[lexicon.RoleBalance] == 0
	})) > 0
}

// nearestToAmounts prefers the column right beside the amounts among those that are called currency, outright if there
// are such.
func nearestToAmounts(d *decisions, list []int) int {
	if outright := slices.DeleteFunc(slices.Clone(list), func(at int) bool { return d.columns[at].Roles[lexicon.RoleCurrency] < 900 }); len(outright) > 0 {
		list = outright
	}
	for _, at := range list {
		for _, amount := range d.money() {
			if at == amount+1 {
				return at
			}
		}
	}
	return list[0]
}

// takeCurrency takes a column whose cells are codes; one that says the same by another name everywhere is as good.
func takeCurrency(d *decisions, at int) {
	c, codes, names, open := &d.columns[at], 0, map[string]bool{}, ""
	for word, rows := range c.words {
		_, known := notation.CurrencyIn(word, homeOfRows(d.profile))
		if known {
			codes += rows
		}
		if _, sign := lexicon.CellCodes(word); sign && !known {
			open = first(open, word)
		}
		names[lexicon.CurrencyNamed(word)] = true
	}
	switch {
	case open != "" && len(c.words) > 1:
		d.ask("currency_col_label", d.labels([]int{at}), "%s holds %s, which several currencies are written with, and not that of the account; give currency if all rows are in one", d.title(at), ledger.Quote(open))
	case codes > 0 && 2*codes >= c.filled: // what is no code is an error of its row
		d.set("currency_col_label", d.label(at), "%s holds currencies such as %s", d.title(at),
			slices.Sorted(maps.Keys(c.words))[0])
	case len(names) == 1 && !names[""]:
		d.set("currency", slices.Collect(maps.Keys(names))[0], "%s says %s in every row", d.title(at),
			text.Quoted(slices.Sorted(maps.Keys(c.words))))
	case len(c.words) == 1 && c.filled >= d.dataRows() && d.defaults.AccountCurrency == nil &&
		d.defaults.Currency.Code != "" && isOfHome(d.profile, c.words):
		d.set("currency", d.defaults.Currency.Code, "that of the account: %s is not read, for it holds %s, which is no code", d.title(at), text.Quoted(slices.Sorted(maps.Keys(c.words))))
	default:
		d.ask("currency_col_label", d.labels([]int{at}), "%s holds other things than codes of currencies, such as %s; give currency if all rows are in one", d.title(at), text.Quoted(c.first))
	}
}

// homeOfRows is the currency of the account of every row; zero where the file names the accounts.
func homeOfRows(p *profile) money.Currency {
	if p.defaults.AccountCurrency != nil {
		return money.Currency{}
	}
	return p.defaults.Currency
}

// isOfHome reports whether signs may be those of the account's currency.
func isOfHome(p *profile, words map[string]int) bool {
	for word := range words {
		if !(notation.Number{Sign: word}).IsOf(p.defaults.Currency) {
			return false
		}
	}
	return true
}

// askDecimals asks for the currency where more than a slip of the amounts have decimals that the account's does not
// have, as those of coins do: no row of these could be booked.
func askDecimals(d *decisions) {
	home := d.defaults.Currency
	asked := slices.ContainsFunc(d.questions, func(q record.Question) bool {
		return strings.HasPrefix(q.Setting,
			"currency")
	})
	if asked || record.Given(d.out.CurrencyColLabel) != "" || record.Given(d.out.Currency) != "" || home.Code == "" ||
		d.defaults.AccountCurrency != nil {
		return
	}
	amounts, odd := oddCell(d, func(r text.Row) (string, bool) {
		for _, at := range d.money() {
			cell := text.CellAt(r.Cells, at)
			if s := notation.ShapeOf(cell); s.Number && s.Decimals > home.Exponent && s.Decimals != 3 &&
				!notation.Zeros(cell[len(cell)-s.Decimals+home.Exponent:]) {
				return cell, true
			}
		}
		return "", false
	})
	if odd != "" && home.Exponent > 0 {
		d.ask("currency", nil, "of %d amounts more than one in 10 has more decimals than %s, such as %s", amounts,
			home.Code, odd)
	}
}
