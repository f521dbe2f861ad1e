package detect

import (
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/text"
)

// saysFee reports whether a header is that of a fee, in any language, and not that of an amount which tells what became of one.
func saysFee(header string) bool {
	plain, _ := lexicon.PlainHeader(header)
	if lexicon.Has(lexicon.FeeHeader, header) || lexicon.HasPlain(lexicon.ChargeHeader, plain) {
		return true
	}
	if text.Wide(plain) {
		within := func(part string) bool { return strings.Contains(plain, part) }
		return slices.ContainsFunc(lexicon.Words(lexicon.FeePart), within) && !slices.ContainsFunc(lexicon.Words(lexicon.BesideFeePart), within)
	}
	fee := false
	for word := range strings.FieldsSeq(plain) {
		if lexicon.HasPlain(lexicon.BesideFee, word) {
			return false
		}
		fee = fee || lexicon.HasPlain(lexicon.FeeWord, word) || joins(word, lexicon.FeeEnding, strings.HasSuffix) || joins(word, lexicon.FeeBeginning, strings.HasPrefix)
	}
	return fee
}

// joins reports whether a word is made of one of a list and more.
func joins(word string, list lexicon.Meaning, holds func(word, part string) bool) bool {
	for _, part := range lexicon.Words(list) {
		if len(word) > len(part) && holds(word, part) {
			return true
		}
	}
	return false
}

// markFees makes columns that are headed as fees columns of another amount than the one that is booked. Charges stand for
// money out where another column has the money in.
func markFees(p *profile) {
	pair := slices.ContainsFunc(p.columns, func(c column) bool { return c.Roles[lexicon.RoleCredit] >= 900 && !saysFee(c.header) })
	for i := range p.columns {
		c := &p.columns[i]
		if !saysFee(c.header) || pair && c.Roles[lexicon.RoleDebit] >= 900 {
			continue
		}
		c.fee, c.Roles = true, map[lexicon.Role]int{lexicon.RoleOtherAmount: 1_000}
	}
}

// lessFee is an amount, by its index in the chain, and the column of the fee that is taken besides it, or allFees.
type lessFee struct{ amount, fee int }

// allFees stands for all columns of fees together.
const allFees = -2

// width is how many amounts the chain looks at.
func (c *runningBalance) width() int { return len(c.at) + len(c.less) }

// amountAt is the column of an amount.
func (c *runningBalance) amountAt(a int) int {
	if a >= len(c.at) {
		a = c.less[a-len(c.at)].amount
	}
	return c.at[a]
}

// feeColumns are the columns that hold fees.
func feeColumns(p *profile) []int {
	if at := p.givenColumn("fee_col_label"); at >= 0 {
		return []int{at}
	}
	return p.where(func(c *column) bool { return c.isNumber && c.fee })
}

// lessFees are the amounts that the chain looks at besides the columns: each with each fee.
func lessFees(p *profile, c *runningBalance) (list []lessFee) {
	const most = 8
	fees := feeColumns(p)
	c.fees = fees
	if len(fees) > 1 {
		fees = append(slices.Clone(fees), allFees)
	}
	for _, fee := range fees {
		for i, at := range c.at {
			if at != fee && p.columns[at].Roles[lexicon.RoleBalance] == 0 && len(list) < most {
				list = append(list, lessFee{i, fee})
			}
		}
	}
	return list
}

// proofLess is what the chain proves of an amount and a fee that is taken besides.
func (c *runningBalance) proofLess(amount, fee int) proof {
	return c.best(func(a int) bool {
		return a >= len(c.at) && c.amountAt(a) == amount && c.less[a-len(c.at)].fee == fee
	})
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
