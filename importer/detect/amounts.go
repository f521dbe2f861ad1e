package detect

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/text"
)

// decide settles everything about a file of transactions, from the columns to the signs.
func (f *detector) decide() {
	f.findDate()
	up, down := f.dateSteps()
	f.chain.known, f.chain.likely, f.chain.newestFirst = up > 0 != (down > 0), up != down, down > up
	f.findAmounts()
	f.findNumberFormat()
	f.findFooter()
	f.findCurrency()
	f.findTexts()
	f.findStates()
	f.findBalance()
	f.doubtGaps()
	f.doubtDays()
	f.doubtDecimals()
	f.findAsides()
	f.contradictions()
	f.findTotal()
	if len(f.found.Questions) == 0 {
		f.out = f.out.WithDefaults()
	}
}

// findAmounts decides which columns hold the amounts and how the direction is written.
func (f *detector) findAmounts() {
	f.debit, f.credit = f.givenColumn("debit_col_label"), f.givenColumn("credit_col_label")
	if !f.open("debit_col_label") || !f.open("credit_col_label") {
		f.findFee()
		return
	}
	f.amount = f.givenColumn("amount_col_label")
	if f.amount < 0 && f.open("amount_col_label") && record.Given(f.given.AmountTypeStrategy) != record.CustomColumn && f.findPair() {
		f.findFee()
		if f.headed {
			f.provePair()
		}
		return
	}
	if f.amount < 0 && f.open("amount_col_label") {
		f.findAmount()
	}
	if f.amount >= 0 {
		f.findFee()
		f.findDirection()
	}
}

// findPair looks for two columns of amounts, one for each direction.
func (f *detector) findPair() bool {
	debits, credits := f.byRole(lexicon.RoleDebit, isAmount), f.byRole(lexicon.RoleCredit, isAmount)
	for _, at := range f.byRole(lexicon.RoleAmount, isAmount) {
		n := f.columns[at].numbers
		if n.minus > 0 && n.count > 0 && 2*n.count > f.dataRows() {
			return false // one column has it all, signs included
		}
	}
	named := len(debits) > 0 && len(credits) > 0
	outright := named && f.columns[debits[0]].Roles[lexicon.RoleDebit] >= 900 && f.columns[credits[0]].Roles[lexicon.RoleCredit] >= 900
	if !outright && f.findPaired() {
		return true
	}
	if !named {
		return f.findNamelessPair()
	}
	if !f.takePair(debits[0], credits[0], "the headers say so") {
		return false
	}
	f.headed = true
	return true
}

func (f *detector) dataRows() int { return int(f.rows) - f.headings - len(f.tail) }

// takePair makes two columns the pair, unless their signs say that they are none.
func (f *detector) takePair(debit, credit int, why string) bool {
	if debit == credit {
		return false
	}
	f.debit, f.credit = debit, credit
	f.set("debit_col_label", f.label(debit), "money out stands in %s and money in in %s: %s", f.title(debit), f.title(credit), why)
	f.set("credit_col_label", f.label(credit), "money in stands in %s: %s", f.title(credit), why)
	for _, at := range []int{debit, credit} {
		if n := f.columns[at].numbers; n.minus > 0 && n.minus+n.zero < n.count {
			f.ask("amount_col_label", f.labels([]int{debit, credit}), "%s has amounts with a minus and without, so it cannot be told which way they went", f.title(at))
		}
	}
	return true
}

// findNamelessPair looks for two columns of which every row has one, told apart by the balance or by their signs.
func (f *detector) findNamelessPair() bool {
	proof := f.chain.proof()
	list := slices.DeleteFunc(f.where(func(c *column) bool {
		return c.isMoney && len(c.Roles) == 0 && c.moved() > 0 && c.moved() < f.dataRows()
	}), func(at int) bool { return proof.hits() > 0 && at == proof.balance })
	if len(list) != 2 || f.columns[list[0]].moved()+f.columns[list[1]].moved() != f.dataRows() || len(f.byRole(lexicon.RoleAmount, isAmount)) > 0 || f.overlap(list[0], list[1]) {
		return false
	}
	for i, at := range list {
		other := list[1-i]
		if p := f.chain.proofOf(at); p.sided() && p.plus*p.minus == 0 && f.columns[at].numbers.minus == 0 {
			if p.minus > 0 {
				return f.takePair(at, other, f.stepsOf(p))
			}
			return f.takePair(other, at, f.stepsOf(p))
		}
		if n := f.columns[at].numbers; n.minus > 0 && f.columns[other].numbers.minus == 0 {
			return f.takePair(at, other, "the numbers of the first have a minus")
		}
	}
	f.debit, f.credit = list[0], list[1]
	f.ask("debit_col_label", f.labels(list), "amounts stand in %s, and nothing says which of them is money out; give credit_col_label, too", f.titles(list))
	return true
}

// moved counts the amounts of a column that are not zero, as some files write where nothing moved.
func (c *column) moved() int { return c.numbers.count - c.numbers.zero }

// overlap says whether a row of the beginning has an amount in both of two columns, which then are no pair.
func (f *detector) overlap(a, b int) bool {
	return slices.ContainsFunc(f.headRows(), func(r text.Row) bool {
		return notation.IsSome(text.CellAt(r.Cells, a)) && notation.IsSome(text.CellAt(r.Cells, b))
	})
}

// inEveryRow keeps of the columns of a file without headers, and without a balance that proves one, the only one that has an
// amount of either sign in every row: what a payment comes to is never left blank, what is told besides is.
func (f *detector) inEveryRow(list []int) []int {
	whole := slices.DeleteFunc(slices.Clone(list), func(at int) bool { return f.columns[at].numbers.count < f.dataRows() })
	if f.sheet.header != nil || len(whole) != 1 || !f.signed(whole[0]) {
		return list
	}
	return whole
}

// findAmount decides on the one column of amounts.
func (f *detector) findAmount() {
	list := f.byRole(lexicon.RoleAmount, func(c *column) bool {
		return isAmount(c) && c.filled > 0 && c.Roles[lexicon.RoleOtherAmount] < c.Roles[lexicon.RoleAmount]
	})
	list = f.atHome(f.outright(list))
	if p := f.chain.proof(); p.hits() > 0 && ((len(list) == 0 || slices.Contains(list, p.amount)) || f.disproved(list, p)) {
		f.amount = p.amount
		f.set("amount_col_label", f.label(f.amount), "%s", f.stepsOf(p))
		return
	}
	if len(list) == 0 {
		list = f.where(func(c *column) bool {
			return c.isMoney && c.filled > 0 && (len(c.Roles) == 0 || c.Roles[lexicon.RoleDebit]+c.Roles[lexicon.RoleCredit]+c.Roles[lexicon.RoleOtherDate] > 0) // "value" may be a day or an amount
		})
		list = f.inEveryRow(list)
	}
	if one := f.withHome(list); len(one) < len(list) {
		f.amount = one[0]
		f.set("amount_col_label", f.label(f.amount), "of %s only %s has the account's currency, and no other, beside it", f.titles(list), f.title(f.amount))
		return
	}
	if len(list) == 0 {
		list = f.where(func(c *column) bool { return c.fee && isAmount(c) && c.filled > 0 }) // of a list of fees
	}
	other := -1
	if len(list) == 1 {
		other = f.homePair(list[0])
	}
	switch {
	case other >= 0 && f.columns[list[0]].Roles[lexicon.RoleAmount] >= 900:
		f.ask("amount_col_label", f.labels([]int{list[0], other}), "%s has amounts in several currencies, and %s always in the account's", f.title(list[0]), f.title(other))
	case other >= 0:
		f.amount = other
		f.set("amount_col_label", f.label(other), "%s has the account's currency beside it in every row, and %s others, too", f.title(other), f.title(list[0]))
	case len(list) == 1 && (f.columns[list[0]].Roles[lexicon.RoleDebit]+f.columns[list[0]].Roles[lexicon.RoleCredit] == 0 || f.columns[list[0]].numbers.minus > 0):
		f.amount = list[0]
		f.set("amount_col_label", f.label(f.amount), "%s holds amounts in %d of %d rows", f.title(f.amount), f.columns[f.amount].numbers.count, f.dataRows())
	case len(list) == 2 && f.signed(list[0]) && f.columns[list[1]].numbers.minus == 0 && len(f.columns[list[1]].Roles) == 0:
		f.amount = list[0]
		f.set("amount_col_label", f.label(f.amount), "of %s only the first has signs", f.titles(list))
	case len(list) > 1 && !f.differ && len(f.amounts) >= len(list):
		f.amount = list[0]
		f.set("amount_col_label", f.label(f.amount), "%s are equal in every row", f.titles(list))
	case len(list) == 0:
		all := f.where(func(*column) bool { return true })
		f.ask("amount_col_label", f.labels(all), "no column is known to hold amounts; the columns are %s", f.titles(all))
	default:
		f.ask("amount_col_label", f.labels(list), "amounts may stand in %s", f.titles(list))
	}
}

// disproved reports whether the balances add up, throughout, with the amounts of another column than that whose header says that it
// has them, and never with those.
func (f *detector) disproved(list []int, p proof) bool {
	const enough = 3
	return f.chain.named && p.all >= enough && p.hits() == p.all && !slices.ContainsFunc(list, func(at int) bool { return f.chain.proofOf(at).hits() > 0 })
}

// signed says whether a column has enough numbers of both signs to be one of amounts.
func (f *detector) signed(at int) bool {
	const enough = 4
	n := f.columns[at].numbers
	return n.count >= enough && n.minus > 0 && n.minus+n.zero < n.count
}

// atHome keeps the one column whose header names the currency of the account, when it has an amount in every row.
func (f *detector) atHome(list []int) []int {
	home := slices.DeleteFunc(slices.Clone(list), func(at int) bool {
		return f.columns[at].Code == "" || f.columns[at].Code != f.defaults.Currency.Code || f.columns[at].numbers.count < f.dataRows()
	})
	if len(home) != 1 || f.defaults.AccountCurrency != nil {
		return list
	}
	return home
}

// outright keeps the columns that are called amount as a whole if there are any, and of those that are blank in most rows
// none beside one that is not.
func (f *detector) outright(list []int) []int {
	for _, holds := range []func(at int) bool{
		func(at int) bool { return f.columns[at].Roles[lexicon.RoleAmount] >= 900 },
		func(at int) bool { return 2*f.columns[at].filled > f.dataRows() },
	} {
		if some := slices.DeleteFunc(slices.Clone(list), func(at int) bool { return !holds(at) }); len(some) > 0 {
			list = some
		}
	}
	return list
}

// findDirection decides how the column of amounts says which way money went.
func (f *detector) findDirection() {
	n := f.columns[f.amount].numbers
	strategy := record.Given(f.given.AmountTypeStrategy)
	switch {
	case strategy != record.SignedAmount && !f.open("entity_type_col_label") && !f.open("amount_type_inflow_value"):
		f.set("amount_type_strategy", record.CustomColumn, "the column and its word for money in were given")
		if f.open("signage_convention") {
			f.set("signage_convention", record.InflowsPositive, "the direction stands in a column of its own")
		}
	case strategy != record.SignedAmount && (n.minus == 0 || strategy == record.CustomColumn) && f.findWords():
	case n.count == n.zero:
		f.set("signage_convention", record.InflowsPositive, "every amount is zero")
	default:
		f.set("amount_type_strategy", record.SignedAmount, "no column of its own says which way money went")
		f.findSign()
	}
}

// findWords looks for a column that says in or out.
func (f *detector) findWords() bool {
	list := f.wordColumns()
	if at := f.givenColumn("entity_type_col_label"); at >= 0 {
		list = []int{at}
	}
	for _, at := range list {
		if c := &f.columns[at]; len(c.words) == 1 && c.words["CR"] > 0 && c.filled < f.dataRows() {
			return f.takeWords(at, "CR", "", "", "only some rows have it")
		}
		if in, out, neutral, ok := f.sides(at); ok {
			if told := record.Given(f.given.AmountTypeInflowValue); told != "" && told == out {
				in, out = out, in
			}
			return f.takeWords(at, in, out, neutral, "its words are known")
		}
	}
	if p := f.proofOfAmount(); f.chain.words >= 0 && p.sided() && p.plus > 0 && p.minus > 0 {
		return f.wordsByChain(p)
	}
	return false
}

// wordsByChain learns from the balance which word means in.
func (f *detector) wordsByChain(p proof) bool {
	var in, out []string
	for _, word := range slices.Sorted(maps.Keys(p.byWord)) {
		switch n := p.byWord[word]; {
		case n[0] > 0 && n[1] > 0 || word == "":
			return false
		case n[0] > 0:
			in = append(in, word)
		default:
			out = append(out, word)
		}
	}
	if len(in) != 1 || len(in)+len(out) != len(f.columns[f.chain.words].words) {
		return false
	}
	return f.takeWords(f.chain.words, in[0], strings.Join(out[:one(len(out) == 1)], ""), "", f.stepsOf(p))
}

func (f *detector) takeWords(at int, in, out, neutral, why string) bool {
	f.direction = at
	f.set("amount_type_strategy", record.CustomColumn, "no amount has a minus, and %s says which way money went", f.title(at))
	f.set("entity_type_col_label", f.label(at), "%s says which way money went: %s", f.title(at), why)
	f.set("amount_type_inflow_value", in, "it means money in: %s", why)
	f.set("signage_convention", record.InflowsPositive, "the direction stands in a column of its own")
	if out != "" {
		f.set("outflow_value", out, "it means money out: %s", why)
	}
	if neutral != "" {
		f.set("neutral_value", neutral, "it means neither in nor out, so these rows are left out")
	}
	return true
}

// sides reads the words of a column. Without a header that says so, both words must be there, and be more than letters;
// a letter other than C and D means what it does in the language of the headers.
func (f *detector) sides(at int) (in, out, neutral string, ok bool) {
	c := &f.columns[at]
	in, out, neutral, ok = sides(c.words)
	if !ok {
		in, out, ok = sidesOfParts(c.words)
		return in, out, "", ok
	}
	short := len([]rune(in)) == 1 && !text.Wide(in) && strings.ToUpper(in) != strings.ToLower(in)
	if c.Roles[lexicon.RoleDirection] == 0 && f.givenColumn("entity_type_col_label") != at {
		both := c.words[in] > 0 && c.words[out] > 0
		return in, out, neutral, both && (!short || f.sheet.header != nil && c.header == "" && lexicon.KnownLetters(f.language.Name, in, out))
	}
	return in, out, neutral, !short || lexicon.KnownLetters(f.language.Name, in, out)
}

// sidesOfParts reads two cells that say their side several times over, such as "Cr (credit)": each part must say it, and all
// the same.
func sidesOfParts(words map[string]int) (in, out string, ok bool) {
	full := slices.Sorted(maps.Keys(words))
	if len(full) != 2 {
		return "", "", false
	}
	first, second := text.Words(full[0]), text.Words(full[1])
	if len(first) < 2 || len(first) != len(second) {
		return "", "", false
	}
	votes := 0
	for i := range first {
		part, _, _, known := sides(map[string]int{first[i]: 1, second[i]: 1})
		if !known {
			return "", "", false
		}
		votes += one(part == first[i])
	}
	switch votes {
	case len(first):
		return full[0], full[1], true
	case 0:
		return full[1], full[0], true
	}
	return "", "", false
}

// sides sorts the words of a column into in, out and neutral; ok when all are known, and one of each at most. A word
// that is missing is supplied by its pair.
func sides(words map[string]int) (in, out, neutral string, ok bool) {
	rest := slices.Sorted(maps.Keys(words))
	for _, word := range rest {
		if lexicon.Has(lexicon.Neutral, word) || word == "/" {
			neutral = word
		}
	}
	rest = slices.DeleteFunc(rest, func(word string) bool { return word == neutral })
	if len(rest) == 0 || len(rest) > 2 {
		return "", "", "", false
	}
	for _, pair := range lexicon.Directions() {
		in, out, ok = matchPair(rest, pair.In, pair.Out)
		if ok {
			return in, out, neutral, true
		}
	}
	return "", "", "", false
}

// matchPair says which of the words is the one for in and which that for out; a single letter proves nothing alone.
func matchPair(words []string, a, b string) (in, out string, ok bool) {
	for i, word := range words {
		same := func(name string) bool {
			return strings.EqualFold(word, name) || text.Fold(word) == text.Fold(name)
		}
		other := ""
		if len(words) == 2 {
			other = words[1-i]
		}
		isOther := func(name string) bool {
			return other == "" && (len([]rune(word)) > 1 || text.Wide(word)) || text.Fold(other) == text.Fold(name)
		}
		switch {
		case same(a) && isOther(b):
			return word, cmp.Or(other, inCaseOf(word, b)), true
		case len(words) == 1 && same(b) && isOther(a):
			return inCaseOf(word, a), word, true
		}
	}
	return "", "", false
}

// inCaseOf writes the pair of a word the way the word is written.
func inCaseOf(word, pair string) string {
	switch {
	case word == strings.ToUpper(word):
		return strings.ToUpper(pair)
	case word[:1] == strings.ToUpper(word[:1]):
		return strings.ToUpper(pair[:1]) + pair[1:]
	}
	return pair
}
