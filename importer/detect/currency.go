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

// rivals are the columns of money, besides those of the amounts, that a currency may be about.
func (f *detector) rivals() []int {
	money := f.money()
	return f.where(func(c *column) bool {
		named := c.Roles[lexicon.RoleAmount]+c.Roles[lexicon.RoleOtherAmount] > 0
		return c.isMoney && c.filled > 0 && named && !c.fee && c.Roles[lexicon.RoleBalance] == 0 && !slices.ContainsFunc(text.Words(text.Fold(c.header)), func(word string) bool {
			return lexicon.HasPlain(lexicon.OtherSum, word)
		}) && !slices.ContainsFunc(money, func(at int) bool { return &f.columns[at] == c })
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
func (f *detector) belongs(at int) belonging {
	money, rivals := f.money(), f.rivals()
	own, name := "", meant(f.columns[at].header)
	if len(money) == 1 {
		own = meant(f.columns[money[0]].header)
	}
	isRival := func(holds func(at int) bool) bool { return slices.ContainsFunc(rivals, holds) }
	beside := func(other int) bool { return other == at-1 || other == at+1 }
	switch {
	case len(money) == 0 || !f.isForeign(at):
		return ofAmounts
	case name != "" && name == own:
		return ofAmounts
	case name != "" && isRival(func(other int) bool { return meant(f.columns[other].header) == name }):
		return ofOthers
	case name != "" && own != "" && f.columns[at].Roles[lexicon.RoleCurrency] > 0 && !lexicon.HasPlain(lexicon.Home, name):
		return unclear
	case slices.Contains(money, at-1) || !isRival(beside):
		return ofAmounts
	}
	return f.byRows(at, rivals[slices.IndexFunc(rivals, beside)])
}

// isForeign reports whether a column of currencies has another one than the account's.
func (f *detector) isForeign(at int) bool {
	c := &f.columns[at]
	if f.defaults.AccountCurrency != nil || c.words == nil {
		return true
	}
	for word := range c.words {
		if currency, known := notation.CurrencyIn(word, f.defaults.Currency); !known || currency.Code != f.defaults.Currency.Code {
			return true
		}
	}
	return false
}

// byRows looks at the rows of the beginning for whose a column of currencies is: the two amounts are equal in all rows in the account's
// currency, of which there are some, and differ in all others, when it tells the currency of the other one.
func (f *detector) byRows(at, other int) belonging {
	home, foreign := 0, 0
	for _, r := range f.headRows() {
		amount, beside := text.CellAt(r.Cells, f.money()[0]), text.CellAt(r.Cells, other)
		currency, known := notation.CurrencyIn(text.CellAt(r.Cells, at), f.defaults.Currency)
		if !known || !notation.IsSome(amount) || !notation.IsSome(beside) {
			continue
		}
		isHome := currency.Code == f.defaults.Currency.Code
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
func (f *detector) sameMeaning() []int {
	money := f.money()
	if len(money) != 1 || meant(f.columns[money[0]].header) == "" {
		return nil
	}
	own := meant(f.columns[money[0]].header)
	return f.where(func(c *column) bool { return c.tellsCurrency() && meant(c.header) == own })
}

// tellsCurrency reports whether a column is one of currencies, of whichever amount.
func (c *column) tellsCurrency() bool {
	return !c.isDate && !c.isNumber && c.filled > 0 && (c.Roles[lexicon.RoleCurrency]+c.Roles[lexicon.RoleOtherCurrency] > 0 || c.holdsCodes())
}

// withHome keeps of columns of amounts that each have a currency beside them the one whose currency is always the account's; where the
// file names the accounts, the one whose currency never changes.
func (f *detector) withHome(list []int) []int {
	if len(list) < 2 {
		return list
	}
	var home []int
	for _, at := range list {
		c := f.currencyBeside(at, list)
		if c < 0 {
			return list
		}
		words := f.columns[c].words
		if f.defaults.AccountCurrency == nil && !f.isForeign(c) || f.defaults.AccountCurrency != nil && len(words) == 1 {
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
func (f *detector) currencyBeside(at int, amounts []int) int {
	own := meant(f.columns[at].header)
	alike := f.where(func(c *column) bool { return c.tellsCurrency() && meant(c.header) == own })
	unlike := !slices.ContainsFunc(amounts, func(other int) bool { return other != at && meant(f.columns[other].header) == own })
	if len(alike) == 1 && unlike {
		return alike[0]
	}
	behind := func(a int) bool { return a+1 < len(f.columns) && f.columns[a+1].tellsCurrency() }
	before := func(a int) bool { return a > 0 && f.columns[a-1].tellsCurrency() }
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
func (f *detector) homePair(at int) int {
	others := slices.DeleteFunc(f.rivals(), func(other int) bool {
		return other == at || f.columns[other].numbers.count < f.columns[at].numbers.count
	})
	all := append([]int{at}, others...)
	own := f.currencyBeside(at, all)
	if own < 0 || !f.isForeign(own) || f.defaults.AccountCurrency != nil {
		return -1
	}
	home := slices.DeleteFunc(others, func(other int) bool {
		c := f.currencyBeside(other, all)
		return c < 0 || c == own || f.isForeign(c)
	})
	if len(home) != 1 {
		return -1
	}
	return home[0]
}

// homeCurrency settles that amounts are in the account's currency although a column of currencies, about something else, has others.
func (f *detector) homeCurrency(list []int) {
	if f.defaults.AccountCurrency == nil && f.defaults.Currency.Code != "" {
		f.set("currency", f.defaults.Currency.Code, "that of the account: %s is about other amounts", f.titles(list))
		return
	}
	f.ask("currency", nil, "%s is about other amounts than those that are booked", f.titles(list))
}
