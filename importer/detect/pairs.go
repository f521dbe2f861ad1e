package detect

import (
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/text"
)

// pairHeaders finds columns of numbers whose headers are the same but for a word that says the side, such as "Payment in"
// and "Payment out", and makes each two of them a pair of money out and money in.
func pairHeaders(p *profile) {
	parts := make([][]string, len(p.columns))
	for i := range p.columns {
		if c := &p.columns[i]; c.mayBeSide() {
			parts[i] = text.Words(text.Fold(c.header))
		}
	}
	for i := range parts {
		for j := i + 1; j < len(parts); j++ {
			in, ok := sideBetween(parts[i], parts[j])
			switch {
			case !ok:
			case in == 0:
				addPair(p, j, i)
			default:
				addPair(p, i, j)
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

func addPair(p *profile, debit, credit int) {
	p.pairs = append(p.pairs, [2]int{debit, credit})
	const score = 800 // less than a name that is known as a whole
	p.columns[debit].Roles = map[lexicon.Role]int{lexicon.RoleDebit: score}
	p.columns[credit].Roles = map[lexicon.Role]int{lexicon.RoleCredit: score}
}

// decideHeadedPair takes the pair that the headers make. Of several, such as those of the payment's currency and of the account's,
// it takes the first when they are equal throughout, else the one that the balance proves.
func decideHeadedPair(d *decisions) bool {
	pairs := slices.DeleteFunc(slices.Clone(d.pairs), func(p [2]int) bool {
		return !isAmount(&d.columns[p[0]]) || !isAmount(&d.columns[p[1]]) || d.columns[p[0]].filled+d.columns[p[1]].filled == 0
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
	d.ask("debit_col_label", d.labels(debits), "money out may stand in %s; give credit_col_label, too", d.titles(debits))
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
	return pairProof{max(out.balance, in.balance), out.minus + in.plus, out.plus + in.minus, out.open || in.open || out.before || in.before}
}

func stepsOfPair(p *profile, proven pairProof) string {
	return formatInt(proven.right+proven.wrong) + " steps of balance column " + p.title(proven.balance) + " add up"
}

// provePair holds the pair that the headers make against the balances. These fall by money in only if they are what is owed.
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
		d.ask("debit_col_label", d.labels([]int{d.debit, d.credit}), "the headers say that money out stands in %s, but %s only when it is money in, or the balance what is owed; give credit_col_label, too", d.title(d.debit), steps)
	}
}

// equalPairs says whether all pairs have the same cells in the rows of the beginning.
func equalPairs(p *profile, pairs [][2]int) bool {
	for _, proven := range pairs[1:] {
		for side, at := range proven {
			if slices.ContainsFunc(p.headRows(), func(r text.Row) bool {
				return strings.Trim(text.CellAt(r.Cells, at), "-") != strings.Trim(text.CellAt(r.Cells, pairs[0][side]), "-")
			}) {
				return false
			}
		}
	}
	return true
}
