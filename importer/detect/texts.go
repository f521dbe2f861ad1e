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

// codeColumns are columns that are not called so and have the code of a currency in every row that has an amount: right beside the
// amounts, or, in a file without headers, anywhere.
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

// ofOtherAmounts says whether a column of currencies is not about the amounts: their header names one that rows of the column
// contradict, and there is another column of money that it may be about.
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

// nearestToAmounts prefers the column right beside the amounts among those that are called currency, outright if there are such.
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
		d.set("currency_col_label", d.label(at), "%s holds currencies such as %s", d.title(at), slices.Sorted(maps.Keys(c.words))[0])
	case len(names) == 1 && !names[""]:
		d.set("currency", slices.Collect(maps.Keys(names))[0], "%s says %s in every row", d.title(at), text.Quoted(slices.Sorted(maps.Keys(c.words))))
	case len(c.words) == 1 && c.filled >= d.dataRows() && d.defaults.AccountCurrency == nil && d.defaults.Currency.Code != "" && isOfHome(d.profile, c.words):
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

// isOfHome says whether signs may be those of the account's currency.
func isOfHome(p *profile, words map[string]int) bool {
	for word := range words {
		if !(notation.Number{Sign: word}).IsOf(p.defaults.Currency) {
			return false
		}
	}
	return true
}

// decideTexts finds the columns that say what a payment was. None of them is needed.
func decideTexts(d *decisions) {
	taken := []int{d.date, d.amount, d.debit, d.credit, d.direction}
	free := func(c *column) bool { return !c.isDate && !c.isNumber && c.filled > 0 }
	take := func(setting string, list []int) {
		if at := d.givenColumn(setting); at >= 0 {
			taken = append(taken, at)
			return
		}
		list = slices.DeleteFunc(list, func(at int) bool { return slices.Contains(taken, at) })
		if len(list) > 0 && d.open(setting) {
			taken = append(taken, list[0])
			d.set(setting, d.label(list[0]), "%s is called so", d.title(list[0]))
		}
	}
	for _, r := range []lexicon.Role{lexicon.RoleCategory, lexicon.RoleTags} {
		take(string(r)+"_col_label", slices.DeleteFunc(d.byRole(r, free), func(at int) bool { return d.columns[at].Roles[r] < 900 }))
	}
	takeAccount(d.profile, take)
	payees := d.byRole(lexicon.RolePayee, func(c *column) bool { return free(c) && 2*c.filled >= d.dataRows() })
	texts := d.byRole(lexicon.RoleText, free)
	take("name_col_label", tellingFirst(d.profile, slices.Concat(payees, texts, d.byRole(lexicon.RolePayee, free), d.byRole(lexicon.RoleNotes, free), wordiest(d.profile, taken))))
	take("notes_col_label", tellingFirst(d.profile, slices.Concat(purposeColumns(d.profile, free), d.byRole(lexicon.RoleNotes, free), texts, payees)))
}

// tellingFirst moves columns that name nothing behind those that do: they hold no words, or the same ones in every row of many.
func tellingFirst(p *profile, list []int) []int {
	const many = 3
	var names, others []int
	for _, at := range list {
		if c := &p.columns[at]; 2*c.worded < c.filled || !c.varies && c.filled >= many {
			others = append(others, at)
		} else {
			names = append(names, at)
		}
	}
	return slices.Concat(names, others)
}

func takeAccount(p *profile, take func(string, []int)) {
	var list []int
	for _, at := range p.byRole(lexicon.RoleAccount, func(c *column) bool { return !c.isDate && c.filled > 0 }) {
		if p.columns[at].Roles[lexicon.RoleAccount] >= 900 {
			list = append(list, at)
		}
	}
	take("account_col_label", list)
}

// wordiest is the column with most text, where no header tells.
func wordiest(p *profile, taken []int) []int {
	best := -1
	for _, at := range p.where(func(c *column) bool { return !c.isDate && !c.isNumber && c.filled > 0 && len(c.Roles) == 0 }) {
		if !slices.Contains(taken, at) && (best < 0 || lettersOf(p, at) > lettersOf(p, best)) {
			best = at
		}
	}
	if best < 0 {
		return nil
	}
	return []int{best}
}

// lettersOf counts the characters of a column in the beginning of the file.
func lettersOf(p *profile, at int) int {
	n := 0
	for _, r := range p.headRows() {
		n += len(text.CellAt(r.Cells, at))
	}
	return n
}
