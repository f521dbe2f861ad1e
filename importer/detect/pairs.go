package detect

import (
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/text"
)

// pairHeaders finds columns of numbers whose headers are the same but for a word that says the side, such as "Payment in"
// and "Payment out", and makes each two of them a pair of money out and money in.
func (f *detector) pairHeaders() {
	parts := make([][]string, len(f.columns))
	for i := range f.columns {
		if c := &f.columns[i]; c.mayBeSide() {
			parts[i] = text.Words(text.Fold(c.header))
		}
	}
	for i := range parts {
		for j := i + 1; j < len(parts); j++ {
			in, ok := sideBetween(parts[i], parts[j])
			switch {
			case !ok:
			case in == 0:
				f.addPair(j, i)
			default:
				f.addPair(i, j)
			}
		}
	}
}

// mayBeSide says whether a column may hold the amounts of one side although its header is no known name of one.
func (c *column) mayBeSide() bool {
	return !c.fee && (c.numbers.count > 0 || c.filled == 0) && c.Roles[lexicon.RoleDate]+c.Roles[lexicon.RoleOtherDate]+c.Roles[lexicon.RoleBalance] == 0 && c.Roles[lexicon.RoleDebit]+c.Roles[lexicon.RoleCredit] < 900
}

// sideBetween says which of two headers is that of money in, 0 or 1, when they differ in one word that says so.
func sideBetween(a, b []string) (in int, ok bool) {
	if len(a) < 2 || len(a) != len(b) {
		return 0, false
	}
	at := -1
	for i := range a {
		switch {
		case a[i] == b[i]:
		case at >= 0:
			return 0, false
		default:
			at = i
		}
	}
	if at < 0 || len(a[at]) < 2 || len(b[at]) < 2 {
		return 0, false
	}
	word, _, _, known := sides(map[string]int{a[at]: 1, b[at]: 1})
	return one(word == b[at]), known
}

func (f *detector) addPair(debit, credit int) {
	f.pairs = append(f.pairs, [2]int{debit, credit})
	const score = 800 // less than a name that is known as a whole
	f.columns[debit].Roles = map[lexicon.Role]int{lexicon.RoleDebit: score}
	f.columns[credit].Roles = map[lexicon.Role]int{lexicon.RoleCredit: score}
}

// findPaired takes the pair that the headers make. Of several, such as those of the payment's currency and of the account's,
// it takes the first when they are equal throughout, else the one that the balance proves.
func (f *detector) findPaired() bool {
	pairs := slices.DeleteFunc(slices.Clone(f.pairs), func(p [2]int) bool {
		return !isAmount(&f.columns[p[0]]) || !isAmount(&f.columns[p[1]]) || f.columns[p[0]].filled+f.columns[p[1]].filled == 0
	})
	const why = "their headers differ only in the word for the side"
	switch {
	case len(pairs) == 0:
		return false
	case len(pairs) == 1 || f.equalPairs(pairs):
		return f.takePair(pairs[0][0], pairs[0][1], why)
	}
	proof := f.chain.proof()
	for _, p := range pairs {
		if proof.hits() > 0 && slices.Contains(p[:], proof.amount) {
			return f.takePair(p[0], p[1], f.stepsOf(proof))
		}
	}
	var debits []int
	for _, p := range pairs {
		debits = append(debits, p[0])
	}
	f.debit, f.credit = pairs[0][0], pairs[0][1]
	f.ask("debit_col_label", f.labels(debits), "money out may stand in %s; give credit_col_label, too", f.titles(debits))
	return true
}

// pairProof is how the balances bear out a pair of columns of money out and money in.
type pairProof struct {
	balance      int // the column
	right, wrong int // steps that add up as the headers have it, and the other way round
	unsettled    bool
}

func (f *detector) proofOfPair() pairProof {
	out, in := f.proofOf(f.debit), f.proofOf(f.credit)
	if f.columns[f.debit].numbers.minus > 0 {
		out.plus, out.minus = out.minus, out.plus
	}
	return pairProof{max(out.balance, in.balance), out.minus + in.plus, out.plus + in.minus, out.open || in.open || out.before || in.before}
}

func (f *detector) stepsOfPair(p pairProof) string {
	return formatInt(p.right+p.wrong) + " steps of balance column " + f.title(p.balance) + " add up"
}

// provePair holds the pair that the headers make against the balances. These fall by money in only if they are what is owed.
func (f *detector) provePair() {
	p := f.proofOfPair()
	if p.unsettled || p.right*p.wrong > 0 || p.right+p.wrong == 0 {
		return
	}
	steps := f.stepsOfPair(p)
	switch {
	case p.right > 0:
		f.add("debit_col_label", ", and %s", steps)
	case f.defaults.Liability:
		f.add("debit_col_label", ", and %s when it is what is owed", steps)
	default:
		f.ask("debit_col_label", f.labels([]int{f.debit, f.credit}), "the headers say that money out stands in %s, but %s only when it is money in, or the balance what is owed; give credit_col_label, too", f.title(f.debit), steps)
	}
}

// equalPairs says whether all pairs have the same cells in the rows of the beginning.
func (f *detector) equalPairs(pairs [][2]int) bool {
	for _, p := range pairs[1:] {
		for side, at := range p {
			if slices.ContainsFunc(f.headRows(), func(r text.Row) bool {
				return strings.Trim(text.CellAt(r.Cells, at), "-") != strings.Trim(text.CellAt(r.Cells, pairs[0][side]), "-")
			}) {
				return false
			}
		}
	}
	return true
}
