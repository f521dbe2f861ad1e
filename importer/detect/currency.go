package detect

import (
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/text"
)

// meant says which amount a header of an amount or a currency is about, as far as it does: "original" of both Original
// amount and Original currency.
func meant(header string) string {
	plain, _ := lexicon.PlainHeader(header)
	var rest []string
	for word := range strings.FieldsSeq(plain) {
		if lexicon.HasPlain(lexicon.AmountWord, word) || lexicon.HasPlain(lexicon.CurrencyWord, word) || lexicon.HasPlain(lexicon.JoiningWord, word) {
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
		return c.isMoney && c.filled > 0 && named && !c.fee && c.Roles[lexicon.RoleBalance] == 0 && !slices.ContainsFunc(text.Words(text.Fold(c.header)), func(word string) bool {
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

// belongs decides whether a column of currencies is about the amounts that are booked or about other ones. Where all rows are in the
// account's currency it does not matter.
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
	case name != "" && own != "" && d.columns[at].Roles[lexicon.RoleCurrency] > 0 && !lexicon.HasPlain(lexicon.Home, name):
		return unclear
	case slices.Contains(money, at-1) || !isRival(beside):
		return ofAmounts
	}
	return belongsByRows(d, at, rivals[slices.IndexFunc(rivals, beside)])
}

// belongsByRows looks at the rows of the beginning for whose a column of currencies is: the two amounts are equal in all rows in the account's
// currency, of which there are some, and differ in all others, when it tells the currency of the other one.
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

// tellsCurrency reports whether a column is one of currencies, of whichever amount.
func (c *column) tellsCurrency() bool {
	return !c.isDate && !c.isNumber && c.filled > 0 && (c.Roles[lexicon.RoleCurrency]+c.Roles[lexicon.RoleOtherCurrency] > 0 || c.holdsCodes())
}

// withHome keeps of columns of amounts that each have a currency beside them the one whose currency is always the account's; where the
// file names the accounts, the one whose currency never changes.
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
		if p.defaults.AccountCurrency == nil && !p.isForeign(c) || p.defaults.AccountCurrency != nil && len(words) == 1 {
			home = append(home, at)
		}
	}
	if len(home) != 1 {
		return list
	}
	return home
}

// currencyBeside is the column with the currency of one of several amounts: called like it, else right behind it, else right before
// it; -1 when there is none.
func currencyBeside(p *profile, at int, amounts []int) int {
	own := meant(p.columns[at].header)
	alike := p.where(func(c *column) bool { return c.tellsCurrency() && meant(c.header) == own })
	unlike := !slices.ContainsFunc(amounts, func(other int) bool { return other != at && meant(p.columns[other].header) == own })
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

// homePair is another column of amounts than the one that its header makes it seem, where that one has other currencies than the
// account's beside it, and the other one always the account's; -1 when there is none.
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

// takeHomeCurrency settles that amounts are in the account's currency although a column of currencies, about something else, has others.
func takeHomeCurrency(d *decisions, list []int) {
	if d.defaults.AccountCurrency == nil && d.defaults.Currency.Code != "" {
		d.set("currency", d.defaults.Currency.Code, "that of the account: %s is about other amounts", d.titles(list))
		return
	}
	d.ask("currency", nil, "%s is about other amounts than those that are booked", d.titles(list))
}
