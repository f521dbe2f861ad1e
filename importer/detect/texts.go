package detect

import (
	"maps"
	"slices"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// findCurrency decides where the currency of a row stands: in a column, in the header of the amounts, or nowhere.
func (f *detector) findCurrency() {
	if !f.open("currency_col_label") || !f.open("currency") || len(f.money()) == 0 {
		return // which column has the amounts is asked, and it decides which has their currency
	}
	isText := func(c *column) bool {
		return !c.isDate && !c.isNumber && c.filled > 0 && c.Roles[lexicon.RoleOtherCurrency] < 900
	}
	if list := f.sameMeaning(); len(list) > 0 {
		f.takeCurrency(f.nearest(list))
		return
	}
	called := f.byRole(lexicon.RoleCurrency, isText)
	own := slices.DeleteFunc(slices.Clone(called), func(at int) bool { return f.belongs(at) == ofOthers })
	if len(own) > 0 && !f.ofOtherAmounts(f.nearest(own)) {
		if at := f.nearest(own); f.belongs(at) == ofAmounts {
			f.takeCurrency(at)
			return
		}
		f.ask("currency_col_label", f.labels(own), "%s may be about other amounts than those in %s; give currency if these are all in one", f.titles(own), f.titles(f.money()))
		return
	}
	others := func(at int) bool { return slices.Contains(called, at) || f.belongs(at) == ofOthers }
	if list := slices.DeleteFunc(f.codeColumns(), others); len(list) > 0 {
		f.takeCurrency(f.nearest(list))
		return
	}
	if len(called) > 0 && len(own) == 0 {
		f.homeCurrency(called)
		return
	}
	for _, at := range f.money() {
		if code := f.columns[at].Code; code != "" {
			f.set("currency", code, "the header %s says so", f.title(at))
			return
		}
	}
	for _, at := range f.money() {
		c, broken := f.defaults.Currency, f.columns[at].numbers.broken
		if c.Code != "" && c.Exponent == 0 && broken != "" && f.defaults.AccountCurrency == nil {
			f.ask("currency", nil, "%s has decimals, and the account is in %s, which has none", broken, c.Code)
			return
		}
	}
}

// codeColumns are columns that are not called so and have the code of a currency in every row that has an amount: right beside the
// amounts, or, in a file without headers, anywhere.
func (f *detector) codeColumns() []int {
	money := f.money()
	if len(money) == 0 {
		return nil
	}
	rows := f.columns[money[0]].numbers.count
	if len(money) > 1 {
		rows = f.dataRows()
	}
	return slices.DeleteFunc(f.where((*column).holdsCodes), func(at int) bool {
		beside := slices.ContainsFunc(money, func(amount int) bool { return at == amount-1 || at == amount+1 })
		return f.columns[at].filled < rows || f.sheet.header != nil && !beside
	})
}

// ofOtherAmounts says whether a column of currencies is not about the amounts: their header names one that rows of the column
// contradict, and there is another column of money that it may be about.
func (f *detector) ofOtherAmounts(at int) bool {
	money := f.money()
	if len(money) == 0 {
		return false // which column has the amounts is asked
	}
	code, contradicts := f.columns[money[0]].Code, false
	for word := range f.columns[at].words {
		c, ok := lexicon.Currency(word)
		contradicts = contradicts || ok && c.Code != code
	}
	return code != "" && contradicts && len(f.where(func(c *column) bool {
		return c.isMoney && c.Code != code && c.Roles[lexicon.RoleBalance] == 0
	})) > 0
}

// nearest prefers the column right beside the amounts among those that are called currency, outright if there are such.
func (f *detector) nearest(list []int) int {
	if outright := slices.DeleteFunc(slices.Clone(list), func(at int) bool { return f.columns[at].Roles[lexicon.RoleCurrency] < 900 }); len(outright) > 0 {
		list = outright
	}
	for _, at := range list {
		for _, amount := range f.money() {
			if at == amount+1 {
				return at
			}
		}
	}
	return list[0]
}

// takeCurrency takes a column whose cells are codes; one that says the same by another name everywhere is as good.
func (f *detector) takeCurrency(at int) {
	c, codes, names, open := &f.columns[at], 0, map[string]bool{}, ""
	for word, rows := range c.words {
		_, known := notation.CurrencyIn(word, f.homeOfRows())
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
		f.ask("currency_col_label", f.labels([]int{at}), "%s holds %s, which several currencies are written with, and not that of the account; give currency if all rows are in one", f.title(at), ledger.Quote(open))
	case codes > 0 && 2*codes >= c.filled: // what is no code is an error of its row
		f.set("currency_col_label", f.label(at), "%s holds currencies such as %s", f.title(at), slices.Sorted(maps.Keys(c.words))[0])
	case len(names) == 1 && !names[""]:
		f.set("currency", slices.Collect(maps.Keys(names))[0], "%s says %s in every row", f.title(at), text.Quoted(slices.Sorted(maps.Keys(c.words))))
	case len(c.words) == 1 && c.filled >= f.dataRows() && f.defaults.AccountCurrency == nil && f.defaults.Currency.Code != "" && f.isOfHome(c.words):
		f.set("currency", f.defaults.Currency.Code, "that of the account: %s is not read, for it holds %s, which is no code", f.title(at), text.Quoted(slices.Sorted(maps.Keys(c.words))))
	default:
		f.ask("currency_col_label", f.labels([]int{at}), "%s holds other things than codes of currencies, such as %s; give currency if all rows are in one", f.title(at), text.Quoted(c.first))
	}
}

// homeOfRows is the currency of the account of every row; zero where the file names the accounts.
func (f *detector) homeOfRows() money.Currency {
	if f.defaults.AccountCurrency != nil {
		return money.Currency{}
	}
	return f.defaults.Currency
}

// isOfHome says whether signs may be those of the account's currency.
func (f *detector) isOfHome(words map[string]int) bool {
	for word := range words {
		if !(notation.Number{Sign: word}).IsOf(f.defaults.Currency) {
			return false
		}
	}
	return true
}

// findTexts finds the columns that say what a payment was. None of them is needed.
func (f *detector) findTexts() {
	taken := []int{f.date, f.amount, f.debit, f.credit, f.direction}
	free := func(c *column) bool { return !c.isDate && !c.isNumber && c.filled > 0 }
	take := func(setting string, list []int) {
		if at := f.givenColumn(setting); at >= 0 {
			taken = append(taken, at)
			return
		}
		list = slices.DeleteFunc(list, func(at int) bool { return slices.Contains(taken, at) })
		if len(list) > 0 && f.open(setting) {
			taken = append(taken, list[0])
			f.set(setting, f.label(list[0]), "%s is called so", f.title(list[0]))
		}
	}
	for _, r := range []lexicon.Role{lexicon.RoleCategory, lexicon.RoleTags} {
		take(string(r)+"_col_label", slices.DeleteFunc(f.byRole(r, free), func(at int) bool { return f.columns[at].Roles[r] < 900 }))
	}
	f.takeAccount(take)
	payees := f.byRole(lexicon.RolePayee, func(c *column) bool { return free(c) && 2*c.filled >= f.dataRows() })
	texts := f.byRole(lexicon.RoleText, free)
	take("name_col_label", f.telling(slices.Concat(payees, texts, f.byRole(lexicon.RolePayee, free), f.byRole(lexicon.RoleNotes, free), f.wordiest(taken))))
	take("notes_col_label", f.telling(slices.Concat(f.purposes(free), f.byRole(lexicon.RoleNotes, free), texts, payees)))
}

// telling moves columns that name nothing behind those that do: they hold no words, or the same ones in every row of many.
func (f *detector) telling(list []int) []int {
	const many = 3
	var names, others []int
	for _, at := range list {
		if c := &f.columns[at]; 2*c.worded < c.filled || !c.varies && c.filled >= many {
			others = append(others, at)
		} else {
			names = append(names, at)
		}
	}
	return slices.Concat(names, others)
}

func (f *detector) takeAccount(take func(string, []int)) {
	var list []int
	for _, at := range f.byRole(lexicon.RoleAccount, func(c *column) bool { return !c.isDate && c.filled > 0 }) {
		if f.columns[at].Roles[lexicon.RoleAccount] >= 900 {
			list = append(list, at)
		}
	}
	take("account_col_label", list)
}

// wordiest is the column with most text, where no header tells.
func (f *detector) wordiest(taken []int) []int {
	best := -1
	for _, at := range f.where(func(c *column) bool { return !c.isDate && !c.isNumber && c.filled > 0 && len(c.Roles) == 0 }) {
		if !slices.Contains(taken, at) && (best < 0 || f.letters(at) > f.letters(best)) {
			best = at
		}
	}
	if best < 0 {
		return nil
	}
	return []int{best}
}

// letters counts the characters of a column in the beginning of the file.
func (f *detector) letters(at int) int {
	n := 0
	for _, r := range f.headRows() {
		n += len(text.CellAt(r.Cells, at))
	}
	return n
}
