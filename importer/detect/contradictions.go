package detect

import (
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/text"
)

// refuse puts a question also where the setting was given: the file disproves what it says.
func (f *detector) refuse(setting string, candidates []string, reason string, args ...any) {
	given := f.given
	f.given = record.Settings{}
	f.ask(setting, candidates, "what was given contradicts the file: "+reason, args...)
	f.given = given
}

// whole reports whether a chain says so much of single amounts that a reading may be held against it: all steps add up.
func (p proof) whole() bool { return p.sided() && p.hits() == p.all }

// mayBeOwed reports whether the balances may be what is owed, so that they fall by money in.
func (f *detector) mayBeOwed() bool { return f.defaults.Liability || f.isCard() }

// bothWays reports whether the balances rise by some amounts and fall by others although the sign says nothing else.
func (f *detector) bothWays(p proof) bool {
	const enough = 3
	return p.whole() && p.all >= enough && p.plus > 0 && p.minus > 0 && f.chain.named
}

// allowed are the conventions of signs that the balances leave: both unless every step goes against one, and none where some go against
// either.
func (f *detector) allowed(p proof) []string {
	both := []string{record.InflowsPositive, record.InflowsNegative}
	switch {
	case !p.whole() || !f.chain.named || f.mayBeOwed():
		return both
	case p.plus > 0 && p.minus > 0:
		return nil
	case f.isOwed(p):
		return both
	case p.minus > 0:
		return both[1:]
	case f.likeOwed(p):
		return both
	}
	return both[:1]
}

// likeOwed reports whether most amounts are positive and raise the balances, as purchases with a card do.
func (f *detector) likeOwed(p proof) bool {
	n := f.columns[f.amount].numbers
	return p.plus > 0 && n.minus > 0 && f.unlikely(n) && !f.heardUsual()
}

// onlyOne says in a question why one of two answers is not among those that are offered.
func (f *detector) onlyOne(p proof) string {
	if left := f.allowed(p); len(left) == 1 {
		return ", and " + f.stepsOf(p) + " only with " + left[0]
	}
	return ""
}

// contradictions holds what was given against the running balance, where there is one and it adds up throughout: an answer is not to
// book what the file disproves.
func (f *detector) contradictions() {
	f.contradictFormat()
	f.contradictFee()
	switch {
	case f.debit >= 0 && f.credit >= 0:
		f.contradictPair()
	case f.amount < 0:
	case f.contradictAmount():
	case record.Given(f.out.AmountTypeStrategy) == record.CustomColumn:
		f.contradictWords()
	default:
		f.contradictSign()
	}
}

// contradictFee refuses a fee that is taken besides amounts with which the balances add up as they are.
func (f *detector) contradictFee() {
	const enough = 3
	if f.open("fee_col_label") || f.fee < 0 || !f.chain.named {
		return
	}
	for _, at := range f.money() {
		plain, less := f.chain.proofOf(at), f.chain.proofLess(at, f.fee)
		if plain.all >= enough && plain.hits() == plain.all && less.hits() < plain.hits() {
			f.refuse("fee_col_label", nil, "%s with the amounts in %s as they are, without %s", f.stepsOf(plain), f.title(at), f.title(f.fee))
			return
		}
	}
}

// contradictAmount refuses a column of amounts, or of fees, with which the balances never add up, where they do throughout with another.
func (f *detector) contradictAmount() bool {
	p := f.chain.proof()
	if f.open("amount_col_label") || p.hits() == 0 || p.amount == f.amount || f.proofOfAmount().hits() > 0 || !f.disproved([]int{f.amount}, p) {
		return false
	}
	f.refuse("amount_col_label", f.labels([]int{p.amount}), "%s with the amounts in %s, and never with those in %s", f.stepsOf(p), f.title(p.amount), f.title(f.amount))
	return true
}

// contradictSign refuses a convention of signs that goes against every step of the balances.
func (f *detector) contradictSign() {
	n, p := f.columns[f.amount].numbers, f.proofOfAmount()
	convention, allowed := record.Given(f.out.SignageConvention), f.allowed(p)
	if f.open("signage_convention") || n.debits+n.credits > 0 || convention == "" || strings.Contains(strings.Join(allowed, " "), convention) {
		return
	}
	f.refuse("signage_convention", allowed, "%s, but not with %s", f.stepsOf(p), convention)
}

// contradictWords refuses a word for money in that goes against every step of the balances, and signs that say what the words say, which
// together would turn every amount. Where the words are known to say the opposite of the balances it asks: these may be what is owed.
func (f *detector) contradictWords() {
	at, in := f.direction, record.Given(f.out.AmountTypeInflowValue)
	if told := f.givenColumn("entity_type_col_label"); told >= 0 {
		at = told
	}
	if at < 0 || in == "" {
		return
	}
	agreeing, contrary, plain := f.signsBeside(at, in)
	if agreeing > 0 && contrary == 0 && plain > 0 {
		f.refuse("amount_type_strategy", []string{record.SignedAmount}, "the amounts in %s have a minus wherever %s says something else than %s, so the sign says already which way money went",
			f.title(f.amount), f.title(at), in)
		return
	}
	p := f.proofOfAmount()
	if at != f.chain.words || !p.whole() || !f.chain.named || f.mayBeOwed() {
		return
	}
	right, wrong := 0, 0
	for word, n := range p.byWord {
		side := one(!strings.EqualFold(word, in))
		right, wrong = right+n[side], wrong+n[1-side]
	}
	known, out, _, ok := f.sides(at)
	switch {
	case right > 0 || wrong == 0:
	case ok && known == in:
		f.ask("amount_type_inflow_value", []string{in, out}, "%s says %s, which is money in, but %s only when it is money out, or the balance what is owed", f.title(at), in, f.stepsOf(p))
	default:
		f.refuse("amount_type_inflow_value", nil, "%s only when %s does not mean money in", f.stepsOf(p), in)
	}
}

// signsBeside counts in the beginning of the file the amounts with a minus beside another word than that for money in, those with a minus
// beside it, and those without a minus beside it.
func (f *detector) signsBeside(at int, in string) (agreeing, contrary, plain int) {
	for _, r := range f.headRows() {
		s := notation.ShapeOf(text.CellAt(r.Cells, f.amount))
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

// contradictPair refuses columns of money out and money in that go against every step of the balances, unless their headers say so: then
// the balance may be what is owed.
func (f *detector) contradictPair() {
	if f.open("debit_col_label") || f.open("credit_col_label") || f.mayBeOwed() || !f.chain.named {
		return
	}
	p := f.proofOfPair()
	asHeaded := f.columns[f.debit].Roles[lexicon.RoleDebit] > 0 && f.columns[f.credit].Roles[lexicon.RoleCredit] > 0
	if p.unsettled || p.right > 0 || p.wrong == 0 || asHeaded {
		return
	}
	f.refuse("debit_col_label", f.labels([]int{f.credit}), "%s only when money out stands in %s; give credit_col_label=%s, too", f.stepsOfPair(p), f.title(f.credit), f.label(f.debit))
}

// contradictFormat refuses a number format with which the balances do not add up, where they do with another.
func (f *detector) contradictFormat() {
	if f.open("number_format") || len(f.chain.others) == 0 {
		return
	}
	all := *f.chain
	all.readings = f.chain.others
	proven := all.provenFormat()
	mark := func(name string) string { return name[len(name)-3 : len(name)-2] }
	told := record.Given(f.given.NumberFormat)
	if proven == "" || len(told) < len("1,234.56") || mark(proven) == mark(told) {
		return
	}
	f.refuse("number_format", []string{proven}, "the balances in %s add up when numbers are read as %s, and not as %s", f.title(all.proof().balance), proven, told)
}
