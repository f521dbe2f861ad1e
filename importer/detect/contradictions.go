package detect

import (
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/text"
)

// refuseFee refuses a fee that is taken besides amounts with which the balances add up as they are.
func refuseFee(d *decisions) {
	const enough = 3
	if d.open("fee_col_label") || d.fee < 0 || !d.running.named {
		return
	}
	for _, at := range d.money() {
		plain, less := d.running.proofOf(at), d.running.proofLess(at, d.fee)
		if plain.all >= enough && plain.hits() == plain.all && less.hits() < plain.hits() {
			d.refuse("fee_col_label", nil, "%s with the amounts in %s as they are, without %s", d.stepsOf(plain),
				d.title(at), d.title(d.fee))
			return
		}
	}
}

// refuseAmount refuses a column of amounts, or of fees, with which the balances never add up, where they do throughout
// with another.
func refuseAmount(d *decisions) bool {
	p := d.running.proof()
	if d.open("amount_col_label") || p.hits() == 0 || p.amount == d.amount || d.proofOfAmount().hits() > 0 ||
		!disproved(d, []int{d.amount}, p) {
		return false
	}
	d.refuse("amount_col_label", d.labels([]int{p.amount}), "%s with the amounts in %s, and never with those in %s",
		d.stepsOf(p), d.title(p.amount), d.title(d.amount))
	return true
}

// refuseSign refuses a convention of signs that goes against every step of the balances.
func refuseSign(d *decisions) {
	n, p := d.columns[d.amount].numbers, d.proofOfAmount()
	convention, allowed := record.Given(d.out.SignageConvention), allowedSigns(d, p)
	if d.open("signage_convention") || n.debits+n.credits > 0 || convention == "" ||
		strings.Contains(strings.Join(allowed, " "), convention) {
		return
	}
	d.refuse("signage_convention", allowed, "%s, but not with %s", d.stepsOf(p), convention)
}

// refuseWords refuses a word for money in that goes against every step of the balances, and signs that say what the
// words say, which together would turn every amount. Where the words are known to say the opposite of the balances it
// asks: these may be what is owed.
func refuseWords(d *decisions) {
	at, in := d.direction, record.Given(d.out.AmountTypeInflowValue)
	if given := d.givenColumn("entity_type_col_label"); given >= 0 {
		at = given
	}
	if at < 0 || in == "" {
		return
	}
	agreeing, contrary, plain := signsBeside(d, at, in)
	if agreeing > 0 && contrary == 0 && plain > 0 {
		d.refuse("amount_type_strategy", []string{record.SignedAmount},
			"the amounts in %s have a minus wherever %s says something else than %s, so the sign says already which way money went",
			d.title(d.amount), d.title(at), in)
		return
	}
	p := d.proofOfAmount()
	if at != d.running.words || !p.whole() || !d.running.named || mayBeOwed(d.profile) {
		return
	}
	right, wrong := 0, 0
	for word, n := range p.byWord {
		side := one(!strings.EqualFold(word, in))
		right, wrong = right+n[side], wrong+n[1-side]
	}
	known, out, _, ok := sidesOf(d.profile, at)
	switch {
	case right > 0 || wrong == 0:
	case ok && known == in:
		d.ask("amount_type_inflow_value", []string{in, out},
			"%s says %s, which is money in, but %s only when it is money out, or the balance what is owed", d.title(at),
			in, d.stepsOf(p))
	default:
		d.refuse("amount_type_inflow_value", nil, "%s only when %s does not mean money in", d.stepsOf(p), in)
	}
}

// signsBeside counts in the beginning of the file the amounts with a minus beside another word than that for money in,
// those with a minus beside it, and those without a minus beside it.
func signsBeside(d *decisions, at int, in string) (agreeing, contrary, plain int) {
	for _, r := range d.headRows() {
		s := notation.ShapeOf(text.CellAt(r.Cells, d.amount))
		if !s.Number || s.Zero {
			continue
		}
		isIn := strings.EqualFold(text.CellAt(r.Cells, at), in)
		agreeing += one(!isIn && s.Minus)
		contrary += one(isIn && s.Minus || !isIn && !s.Minus)
		plain += one(isIn && !s.Minus)
	}
	return agreeing, contrary, plain
}

// refusePair refuses columns of money out and money in that go against every step of the balances, unless their
// headers say so: then the balance may be what is owed.
func refusePair(d *decisions) {
	if d.open("debit_col_label") || d.open("credit_col_label") || mayBeOwed(d.profile) || !d.running.named {
		return
	}
	p := proofOfPair(d)
	asHeaded := d.columns[d.debit].Roles[lexicon.RoleDebit] > 0 && d.columns[d.credit].Roles[lexicon.RoleCredit] > 0
	if p.unsettled || p.right > 0 || p.wrong == 0 || asHeaded {
		return
	}
	d.refuse("debit_col_label", d.labels([]int{d.credit}), "%s only when money out stands in %s; give credit_col_label=%s, too", stepsOfPair(d.profile, p), d.title(d.credit), d.label(d.debit))
}

// refuseFormat refuses a number format with which the balances do not add up, where they do with another.
func refuseFormat(d *decisions) {
	if d.open("number_format") || len(d.running.others) == 0 {
		return
	}
	all := *d.running
	all.readings = d.running.others
	proven := all.provenFormat()
	mark := func(name string) string { return name[len(name)-3 : len(name)-2] }
	given := record.Given(d.given.NumberFormat)
	if proven == "" || len(given) < len("1,234.56") || mark(proven) == mark(given) {
		return
	}
	d.refuse("number_format", []string{proven}, "the balances in %s add up when numbers are read as %s, and not as %s",
		d.title(all.proof().balance), proven, given)
}
