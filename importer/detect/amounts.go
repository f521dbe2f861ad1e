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

// decideOrder says of the running balance in which order the rows are, as far as their dates tell.
func decideOrder(d *decisions) {
	up, down := dateSteps(d)
	ordered := *d.counted
	ordered.known, ordered.likely, ordered.newestFirst = up > 0 != (down > 0), up != down, down > up
	d.running = &ordered
}

// decideAmounts decides which columns hold the amounts and how the direction is written.
func decideAmounts(d *decisions) {
	d.debit, d.credit = d.givenColumn("debit_col_label"), d.givenColumn("credit_col_label")
	if !d.open("debit_col_label") || !d.open("credit_col_label") {
		decideFee(d)
		return
	}
	d.amount = d.givenColumn("amount_col_label")
	if d.amount < 0 && d.open("amount_col_label") && record.Given(d.given.AmountTypeStrategy) != record.CustomColumn && decidePair(d) {
		decideFee(d)
		if d.headed {
			provePair(d)
		}
		return
	}
	if d.amount < 0 && d.open("amount_col_label") {
		decideAmountColumn(d)
	}
	if d.amount >= 0 {
		decideFee(d)
		decideDirection(d)
	}
}

// decidePair looks for two columns of amounts, one for each direction.
func decidePair(d *decisions) bool {
	debits, credits := d.byRole(lexicon.RoleDebit, isAmount), d.byRole(lexicon.RoleCredit, isAmount)
	for _, at := range d.byRole(lexicon.RoleAmount, isAmount) {
		n := d.columns[at].numbers
		if n.minus > 0 && n.count > 0 && 2*n.count > d.dataRows() {
			return false // one column has it all, signs included
		}
	}
	named := len(debits) > 0 && len(credits) > 0
	outright := named && d.columns[debits[0]].Roles[lexicon.RoleDebit] >= 900 && d.columns[credits[0]].Roles[lexicon.RoleCredit] >= 900
	if !outright && decideHeadedPair(d) {
		return true
	}
	if !named {
		return decideNamelessPair(d)
	}
	if !takePair(d, debits[0], credits[0], "the headers say so") {
		return false
	}
	d.headed = true
	return true
}

// takePair makes two columns the pair, unless their signs say that they are none.
func takePair(d *decisions, debit, credit int, why string) bool {
	if debit == credit {
		return false
	}
	d.debit, d.credit = debit, credit
	d.set("debit_col_label", d.label(debit), "money out stands in %s and money in in %s: %s", d.title(debit), d.title(credit), why)
	d.set("credit_col_label", d.label(credit), "money in stands in %s: %s", d.title(credit), why)
	for _, at := range []int{debit, credit} {
		if n := d.columns[at].numbers; n.minus > 0 && n.minus+n.zero < n.count {
			d.ask("amount_col_label", d.labels([]int{debit, credit}), "%s has amounts with a minus and without, so it cannot be told which way they went", d.title(at))
		}
	}
	return true
}

// decideNamelessPair looks for two columns of which every row has one, told apart by the balance or by their signs.
func decideNamelessPair(d *decisions) bool {
	proof := d.running.proof()
	list := slices.DeleteFunc(d.where(func(c *column) bool {
		return c.isMoney && len(c.Roles) == 0 && c.moved() > 0 && c.moved() < d.dataRows()
	}), func(at int) bool { return proof.hits() > 0 && at == proof.balance })
	if len(list) != 2 || d.columns[list[0]].moved()+d.columns[list[1]].moved() != d.dataRows() || len(d.byRole(lexicon.RoleAmount, isAmount)) > 0 || overlap(d.profile, list[0], list[1]) {
		return false
	}
	for i, at := range list {
		other := list[1-i]
		if p := d.running.proofOf(at); p.sided() && p.plus*p.minus == 0 && d.columns[at].numbers.minus == 0 {
			if p.minus > 0 {
				return takePair(d, at, other, d.stepsOf(p))
			}
			return takePair(d, other, at, d.stepsOf(p))
		}
		if n := d.columns[at].numbers; n.minus > 0 && d.columns[other].numbers.minus == 0 {
			return takePair(d, at, other, "the numbers of the first have a minus")
		}
	}
	d.debit, d.credit = list[0], list[1]
	d.ask("debit_col_label", d.labels(list), "amounts stand in %s, and nothing says which of them is money out; give credit_col_label, too", d.titles(list))
	return true
}

// moved counts the amounts of a column that are not zero, as some files write where nothing moved.
func (c *column) moved() int { return c.numbers.count - c.numbers.zero }

// overlap says whether a row of the beginning has an amount in both of two columns, which then are no pair.
func overlap(p *profile, a, b int) bool {
	return slices.ContainsFunc(p.headRows(), func(r text.Row) bool {
		return notation.IsSome(text.CellAt(r.Cells, a)) && notation.IsSome(text.CellAt(r.Cells, b))
	})
}

// inEveryRow keeps of the columns of a file without headers, and without a balance that proves one, the only one that has an
// amount of either sign in every row: what a payment comes to is never left blank, what is told besides is.
func inEveryRow(p *profile, list []int) []int {
	whole := slices.DeleteFunc(slices.Clone(list), func(at int) bool { return p.columns[at].numbers.count < p.dataRows() })
	if p.sheet.header != nil || len(whole) != 1 || !signed(p, whole[0]) {
		return list
	}
	return whole
}

// decideAmountColumn decides on the one column of amounts.
func decideAmountColumn(d *decisions) {
	list := d.byRole(lexicon.RoleAmount, func(c *column) bool {
		return isAmount(c) && c.filled > 0 && c.Roles[lexicon.RoleOtherAmount] < c.Roles[lexicon.RoleAmount]
	})
	list = atHome(d.profile, calledAmount(d.profile, list))
	if p := d.running.proof(); p.hits() > 0 && ((len(list) == 0 || slices.Contains(list, p.amount)) || disproved(d, list, p)) {
		d.amount = p.amount
		d.set("amount_col_label", d.label(d.amount), "%s", d.stepsOf(p))
		return
	}
	if len(list) == 0 {
		list = d.where(func(c *column) bool {
			return c.isMoney && c.filled > 0 && (len(c.Roles) == 0 || c.Roles[lexicon.RoleDebit]+c.Roles[lexicon.RoleCredit]+c.Roles[lexicon.RoleOtherDate] > 0) // "value" may be a day or an amount
		})
		list = inEveryRow(d.profile, list)
	}
	if one := withHome(d.profile, list); len(one) < len(list) {
		d.amount = one[0]
		d.set("amount_col_label", d.label(d.amount), "of %s only %s has the account's currency, and no other, beside it", d.titles(list), d.title(d.amount))
		return
	}
	if len(list) == 0 {
		list = d.where(func(c *column) bool { return c.fee && isAmount(c) && c.filled > 0 }) // of a list of fees
	}
	other := -1
	if len(list) == 1 {
		other = homePair(d, list[0])
	}
	switch {
	case other >= 0 && d.columns[list[0]].Roles[lexicon.RoleAmount] >= 900:
		d.ask("amount_col_label", d.labels([]int{list[0], other}), "%s has amounts in several currencies, and %s always in the account's", d.title(list[0]), d.title(other))
	case other >= 0:
		d.amount = other
		d.set("amount_col_label", d.label(other), "%s has the account's currency beside it in every row, and %s others, too", d.title(other), d.title(list[0]))
	case len(list) == 1 && (d.columns[list[0]].Roles[lexicon.RoleDebit]+d.columns[list[0]].Roles[lexicon.RoleCredit] == 0 || d.columns[list[0]].numbers.minus > 0):
		d.amount = list[0]
		d.set("amount_col_label", d.label(d.amount), "%s holds amounts in %d of %d rows", d.title(d.amount), d.columns[d.amount].numbers.count, d.dataRows())
	case len(list) == 2 && signed(d.profile, list[0]) && d.columns[list[1]].numbers.minus == 0 && len(d.columns[list[1]].Roles) == 0:
		d.amount = list[0]
		d.set("amount_col_label", d.label(d.amount), "of %s only the first has signs", d.titles(list))
	case len(list) > 1 && !d.differ && len(d.amounts) >= len(list):
		d.amount = list[0]
		d.set("amount_col_label", d.label(d.amount), "%s are equal in every row", d.titles(list))
	case len(list) == 0:
		all := d.where(func(*column) bool { return true })
		d.ask("amount_col_label", d.labels(all), "no column is known to hold amounts; the columns are %s", d.titles(all))
	default:
		d.ask("amount_col_label", d.labels(list), "amounts may stand in %s", d.titles(list))
	}
}

// disproved reports whether the balances add up, throughout, with the amounts of another column than that whose header says that it
// has them, and never with those.
func disproved(d *decisions, list []int, p proof) bool {
	const enough = 3
	return d.running.named && p.all >= enough && p.hits() == p.all && !slices.ContainsFunc(list, func(at int) bool { return d.running.proofOf(at).hits() > 0 })
}

// signed says whether a column has enough numbers of both signs to be one of amounts.
func signed(p *profile, at int) bool {
	const enough = 4
	n := p.columns[at].numbers
	return n.count >= enough && n.minus > 0 && n.minus+n.zero < n.count
}

// atHome keeps the one column whose header names the currency of the account, when it has an amount in every row.
func atHome(p *profile, list []int) []int {
	home := slices.DeleteFunc(slices.Clone(list), func(at int) bool {
		return p.columns[at].Code == "" || p.columns[at].Code != p.defaults.Currency.Code || p.columns[at].numbers.count < p.dataRows()
	})
	if len(home) != 1 || p.defaults.AccountCurrency != nil {
		return list
	}
	return home
}

// calledAmount keeps the columns that are called amount as a whole if there are any, and of those that are blank in most rows
// none beside one that is not.
func calledAmount(p *profile, list []int) []int {
	for _, holds := range []func(at int) bool{
		func(at int) bool { return p.columns[at].Roles[lexicon.RoleAmount] >= 900 },
		func(at int) bool { return 2*p.columns[at].filled > p.dataRows() },
	} {
		if some := slices.DeleteFunc(slices.Clone(list), func(at int) bool { return !holds(at) }); len(some) > 0 {
			list = some
		}
	}
	return list
}

// decideDirection decides how the column of amounts says which way money went.
func decideDirection(d *decisions) {
	n := d.columns[d.amount].numbers
	strategy := record.Given(d.given.AmountTypeStrategy)
	switch {
	case strategy != record.SignedAmount && !d.open("entity_type_col_label") && !d.open("amount_type_inflow_value"):
		d.set("amount_type_strategy", record.CustomColumn, "the column and its word for money in were given")
		if d.open("signage_convention") {
			d.set("signage_convention", record.InflowsPositive, "the direction stands in a column of its own")
		}
	case strategy != record.SignedAmount && (n.minus == 0 || strategy == record.CustomColumn) && decideSideWords(d):
	case n.count == n.zero:
		d.set("signage_convention", record.InflowsPositive, "every amount is zero")
	default:
		d.set("amount_type_strategy", record.SignedAmount, "no column of its own says which way money went")
		decideSign(d)
	}
}

// decideSideWords looks for a column that says in or out.
func decideSideWords(d *decisions) bool {
	list := wordColumns(d.profile)
	if at := d.givenColumn("entity_type_col_label"); at >= 0 {
		list = []int{at}
	}
	for _, at := range list {
		if c := &d.columns[at]; len(c.words) == 1 && c.words["CR"] > 0 && c.filled < d.dataRows() {
			return takeWords(d, at, "CR", "", "", "only some rows have it")
		}
		if in, out, neutral, ok := sidesOf(d.profile, at); ok {
			if told := record.Given(d.given.AmountTypeInflowValue); told != "" && told == out {
				in, out = out, in
			}
			return takeWords(d, at, in, out, neutral, "its words are known")
		}
	}
	if p := d.proofOfAmount(); d.running.words >= 0 && p.sided() && p.plus > 0 && p.minus > 0 {
		return takeWordsByBalance(d, p)
	}
	return false
}

// takeWordsByBalance learns from the balance which word means in.
func takeWordsByBalance(d *decisions, p proof) bool {
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
	if len(in) != 1 || len(in)+len(out) != len(d.columns[d.running.words].words) {
		return false
	}
	return takeWords(d, d.running.words, in[0], strings.Join(out[:one(len(out) == 1)], ""), "", d.stepsOf(p))
}

func takeWords(d *decisions, at int, in, out, neutral, why string) bool {
	d.direction = at
	d.set("amount_type_strategy", record.CustomColumn, "no amount has a minus, and %s says which way money went", d.title(at))
	d.set("entity_type_col_label", d.label(at), "%s says which way money went: %s", d.title(at), why)
	d.set("amount_type_inflow_value", in, "it means money in: %s", why)
	d.set("signage_convention", record.InflowsPositive, "the direction stands in a column of its own")
	if out != "" {
		d.set("outflow_value", out, "it means money out: %s", why)
	}
	if neutral != "" {
		d.set("neutral_value", neutral, "it means neither in nor out, so these rows are left out")
	}
	return true
}

// sidesOf reads the words of a column. Without a header that says so, both words must be there, and be more than letters;
// a letter other than C and D means what it does in the language of the headers.
func sidesOf(p *profile, at int) (in, out, neutral string, ok bool) {
	c := &p.columns[at]
	in, out, neutral, ok = sides(c.words)
	if !ok {
		in, out, ok = sidesOfParts(c.words)
		return in, out, "", ok
	}
	short := len([]rune(in)) == 1 && !text.Wide(in) && strings.ToUpper(in) != strings.ToLower(in)
	if c.Roles[lexicon.RoleDirection] == 0 && p.givenColumn("entity_type_col_label") != at {
		both := c.words[in] > 0 && c.words[out] > 0
		return in, out, neutral, both && (!short || p.sheet.header != nil && c.header == "" && lexicon.KnownLetters(p.language.Name, in, out))
	}
	return in, out, neutral, !short || lexicon.KnownLetters(p.language.Name, in, out)
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
