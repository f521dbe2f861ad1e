package detect

import (
	"maps"
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/text"
)

// decideAmounts decides which columns hold the amounts and how the direction is written.
func decideAmounts(d *decisions) {
	d.debit, d.credit = d.givenColumn("debit_col_label"), d.givenColumn("credit_col_label")
	if !d.open("debit_col_label") || !d.open("credit_col_label") {
		decideFee(d)
		return
	}
	d.amount = d.givenColumn("amount_col_label")
	if d.amount < 0 && d.open("amount_col_label") && record.Given(d.given.AmountTypeStrategy) != record.CustomColumn &&
		decidePair(d) {
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
	outright := named && d.columns[debits[0]].Roles[lexicon.RoleDebit] >= 900 &&
		d.columns[credits[0]].Roles[lexicon.RoleCredit] >= 900
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

// decideNamelessPair looks for two columns of which every row has one, told apart by the balance or by their signs.
func decideNamelessPair(d *decisions) bool {
	proof := d.running.proof()
	list := slices.DeleteFunc(d.where(func(c *column) bool {
		return c.isMoney && len(c.Roles) == 0 && c.moved() > 0 && c.moved() < d.dataRows()
	}), func(at int) bool { return proof.hits() > 0 && at == proof.balance })
	if len(list) != 2 || d.columns[list[0]].moved()+d.columns[list[1]].moved() != d.dataRows() ||
		len(d.byRole(lexicon.RoleAmount, isAmount)) > 0 || overlap(d.profile, list[0], list[1]) {
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

// overlap reports whether a row of the beginning has an amount in both of two columns, which then are no pair.
func overlap(p *profile, a, b int) bool {
	return slices.ContainsFunc(p.headRows(), func(r text.Row) bool {
		return notation.IsSome(text.CellAt(r.Cells, a)) && notation.IsSome(text.CellAt(r.Cells, b))
	})
}

// inEveryRow keeps of the columns of a file without headers, and without a balance that proves one, the only one that
// has an amount of either sign in every row: what a payment comes to is never left blank, what is told besides is.
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
	if p := d.running.proof(); p.hits() > 0 && ((len(list) == 0 || slices.Contains(list, p.amount)) ||
		disproved(d, list, p)) {
		d.amount = p.amount
		d.set("amount_col_label", d.label(d.amount), "%s", d.stepsOf(p))
		return
	}
	if len(list) == 0 {
		list = d.where(func(c *column) bool {
			// "value" may be a day or an amount
			return c.isMoney && c.filled > 0 && (len(c.Roles) == 0 ||
				c.Roles[lexicon.RoleDebit]+c.Roles[lexicon.RoleCredit]+c.Roles[lexicon.RoleOtherDate] > 0)
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
		d.ask("amount_col_label", d.labels([]int{list[0], other}),
			"%s has amounts in several currencies, and %s always in the account's", d.title(list[0]), d.title(other))
	case other >= 0:
		d.amount = other
		d.set("amount_col_label", d.label(other), "%s has the account's currency beside it in every row, and %s others, too", d.title(other), d.title(list[0]))
	case len(list) == 1 && (d.columns[list[0]].Roles[lexicon.RoleDebit]+
		d.columns[list[0]].Roles[lexicon.RoleCredit] == 0 || d.columns[list[0]].numbers.minus > 0):
		d.amount = list[0]
		d.set("amount_col_label", d.label(d.amount), "%s holds amounts in %d of %d rows", d.title(d.amount),
			d.columns[d.amount].numbers.count, d.dataRows())
	case len(list) == 2 && signed(d.profile, list[0]) && d.columns[list[1]].numbers.minus == 0 &&
		len(d.columns[list[1]].Roles) == 0:
		d.amount = list[0]
		d.set("amount_col_label", d.label(d.amount), "of %s only the first has signs", d.titles(list))
	case len(list) > 1 && !d.differ && len(d.amounts) >= len(list):
		d.amount = list[0]
		d.set("amount_col_label", d.label(d.amount), "%s are equal in every row", d.titles(list))
	case len(list) == 0:
		all := d.where(func(*column) bool { return true })
		d.ask("amount_col_label", d.labels(all), "no column is known to hold amounts; the columns are %s",
			d.titles(all))
	default:
		d.ask("amount_col_label", d.labels(list), "amounts may stand in %s", d.titles(list))
	}
}

// signed reports whether a column has enough numbers of both signs to be one of amounts.
func signed(p *profile, at int) bool {
	const enough = 4
	n := p.columns[at].numbers
	return n.count >= enough && n.minus > 0 && n.minus+n.zero < n.count
}

// atHome keeps the one column whose header names the currency of the account, when it has an amount in every row.
func atHome(p *profile, list []int) []int {
	home := slices.DeleteFunc(slices.Clone(list), func(at int) bool {
		return p.columns[at].Code == "" || p.columns[at].Code != p.defaults.Currency.Code ||
			p.columns[at].numbers.count < p.dataRows()
	})
	if len(home) != 1 || p.defaults.AccountCurrency != nil {
		return list
	}
	return home
}

// calledAmount keeps the columns that are called amount as a whole if there are any, and of those that are blank in
// most rows none beside one that is not.
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
			if given := record.Given(d.given.AmountTypeInflowValue); given != "" && given == out {
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
	d.set("amount_type_strategy", record.CustomColumn, "no amount has a minus, and %s says which way money went",
		d.title(at))
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

// decideHeadedPair takes the pair that the headers make. Of several, such as those of the payment's currency and of
// the account's, it takes the first when they are equal throughout, else the one that the balance proves.
func decideHeadedPair(d *decisions) bool {
	pairs := slices.DeleteFunc(slices.Clone(d.pairs), func(p [2]int) bool {
		return !isAmount(&d.columns[p[0]]) || !isAmount(&d.columns[p[1]]) ||
			d.columns[p[0]].filled+d.columns[p[1]].filled == 0
	})
	const why = "their headers differ only in the word for the side"
	switch {
	case len(pairs) == 0:
		return false
	case len(pairs) == 1 || equalPairs(d.profile, pairs):
		return takePair(d, pairs[0][0], pairs[0][1], why)
	}
	proof := d.running.proof()
	for _, p := range pairs {
		if proof.hits() > 0 && slices.Contains(p[:], proof.amount) {
			return takePair(d, p[0], p[1], d.stepsOf(proof))
		}
	}
	var debits []int
	for _, p := range pairs {
		debits = append(debits, p[0])
	}
	d.debit, d.credit = pairs[0][0], pairs[0][1]
	d.ask("debit_col_label", d.labels(debits), "money out may stand in %s; give credit_col_label, too",
		d.titles(debits))
	return true
}

// pairProof is how the balances bear out a pair of columns of money out and money in.
type pairProof struct {
	balance      int // the column
	right, wrong int // steps that add up as the headers have it, and the other way round
	unsettled    bool
}

func proofOfPair(d *decisions) pairProof {
	out, in := d.proofOf(d.debit), d.proofOf(d.credit)
	if d.columns[d.debit].numbers.minus > 0 {
		out.plus, out.minus = out.minus, out.plus
	}
	return pairProof{max(out.balance, in.balance), out.minus + in.plus, out.plus + in.minus, out.open || in.open ||
		out.before || in.before}
}

func stepsOfPair(p *profile, proven pairProof) string {
	return formatInt(proven.right+proven.wrong) + " steps of balance column " + p.title(proven.balance) + " add up"
}

// provePair holds the pair that the headers make against the balances. These fall by money in only if they are what is
// owed.
func provePair(d *decisions) {
	p := proofOfPair(d)
	if p.unsettled || p.right*p.wrong > 0 || p.right+p.wrong == 0 {
		return
	}
	steps := stepsOfPair(d.profile, p)
	switch {
	case p.right > 0:
		d.add("debit_col_label", ", and %s", steps)
	case d.defaults.Liability:
		d.add("debit_col_label", ", and %s when it is what is owed", steps)
	default:
		d.ask("debit_col_label", d.labels([]int{d.debit, d.credit}),
			"the headers say that money out stands in %s, but %s only when it is money in, or the balance what is owed; give credit_col_label, too", d.title(d.debit), steps)
	}
}

// equalPairs reports whether all pairs have the same cells in the rows of the beginning.
func equalPairs(p *profile, pairs [][2]int) bool {
	for _, proven := range pairs[1:] {
		for side, at := range proven {
			if slices.ContainsFunc(p.headRows(), func(r text.Row) bool {
				return strings.Trim(text.CellAt(r.Cells, at), "-") != strings.Trim(text.CellAt(r.Cells, pairs[0][side]),
					"-")
			}) {
				return false
			}
		}
	}
	return true
}

// takePair makes two columns the pair, unless their signs say that they are none.
func takePair(d *decisions, debit, credit int, why string) bool {
	if debit == credit {
		return false
	}
	d.debit, d.credit = debit, credit
	d.set("debit_col_label", d.label(debit), "money out stands in %s and money in in %s: %s", d.title(debit),
		d.title(credit), why)
	d.set("credit_col_label", d.label(credit), "money in stands in %s: %s", d.title(credit), why)
	for _, at := range []int{debit, credit} {
		if n := d.columns[at].numbers; n.minus > 0 && n.minus+n.zero < n.count {
			d.ask("amount_col_label", d.labels([]int{debit, credit}),
				"%s has amounts with a minus and without, so it cannot be told which way they went", d.title(at))
		}
	}
	return true
}

// decideFee takes the fees besides the amounts where only then the balances add up.
func decideFee(d *decisions) {
	d.fee = d.givenColumn("fee_col_label")
	if !d.open("fee_col_label") {
		return
	}
	plain, all := 0, 0
	for _, at := range d.money() {
		p := d.running.proofOf(at)
		plain, all = plain+p.hits(), all+p.all
	}
	hitsWith := func(fee int) (hits int, best proof) {
		for _, at := range d.money() {
			p := d.running.proofLess(at, fee)
			hits += p.hits()
			if p.hits() > best.hits() {
				best = p
			}
		}
		return hits, best
	}
	together, sum := hitsWith(allFees)
	for _, fee := range feeColumns(d.profile) {
		if hits, best := hitsWith(fee); hits > plain && hits >= together {
			d.fee = fee
			d.set("fee_col_label", d.label(fee), "%s, only when the fee is taken besides the amount: it is booked as part of it", d.stepsOf(best))
			return
		}
	}
	if together > plain {
		d.ask("fee_col_label", nil, "%s only when all of %s are taken besides the amount; put what they come to in one column and give that", d.stepsOf(sum), d.titles(feeColumns(d.profile)))
		return
	}
	for _, fee := range feeColumns(d.profile) {
		if n := d.columns[fee].numbers; n.count > n.zero && plain < all+one(all == 0) {
			for _, setting := range []string{"amount_col_label", "debit_col_label"} {
				d.add(setting, "; %s is no part of the amounts, unless fee_col_label names it", d.title(fee))
			}
			return
		}
	}
}
