package detect

import (
	"math"
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/text"
)

// decideSign decides whether a positive amount is money in.
func decideSign(d *decisions) {
	if !d.open("signage_convention") {
		return
	}
	p := d.proofOfAmount()
	if p.sided() && p.plus*p.minus == 0 && signProven(d, p) {
		d.set("signage_convention", convention(p.plus > 0), "%s", d.stepsOf(p))
		return
	}
	n := d.columns[d.amount].numbers
	if n.debits+n.credits > 0 {
		decideSidesOfMarks(d, n)
		return
	}
	marks := countMarks(d)
	gain, loss := countSignWords(d)
	switch out, in := evidence(gain, loss, marks); {
	case isPlaid(d.profile):
		d.set("signage_convention", record.InflowsNegative, "the columns are those of Plaid, in which a positive amount is money out")
	case n.minus > 0 && marks.settled():
		d.set("signage_convention", convention(marks.contrary() == 0),
			"another column says in or out of every row, and it goes with the signs so")
	case n.minus > 0 && marks.opposed():
		d.set("signage_convention", record.InflowsNegative, "another column says in or out of every row, and the signs are all against it")
	case bothWays(d, p) && len(allowedSigns(d, p)) == 0:
		d.ask("signage_convention", nil, "the balances in %s rise by some of the amounts in %s and fall by others whatever their sign, so that no convention fits; give entity_type_col_label and amount_type_inflow_value if a column says which way money went",
			d.title(p.balance), d.title(d.amount))
	case n.plus > 0 && marks.contrary() == 0:
		d.set("signage_convention", record.InflowsPositive, "%d amounts are written with a plus", n.plus)
	case n.minus == 0 && askStrangeWord(d):
	case n.minus == 0:
		d.ask("signage_convention", allowedSigns(d, p), "no amount in %s has a minus and nothing says which way money went: with %s a positive amount is money in, with %s money out%s",
			d.title(d.amount), record.InflowsPositive, record.InflowsNegative, onlyOne(d, p))
	case p.before && p.plus == 0 && in == 0:
		d.ask("signage_convention", []string{record.InflowsPositive, record.InflowsNegative},
			"the balances in %s are those before the rows if a minus in %s is money in, and add up in no other way",
			d.title(p.balance), d.title(d.amount))
	case isOwed(d, p) && d.defaults.Liability:
		d.set("signage_convention", record.InflowsPositive, "%s when they are what is owed", d.stepsOf(p))
	case isOwed(d, p) && in == 0:
		d.ask("signage_convention", []string{record.InflowsPositive, record.InflowsNegative},
			"most amounts in %s have a minus and raise the balances in %s, as money out does if these are what is owed: with %s a minus is money out, with %s money in",
			d.title(d.amount), d.title(p.balance), record.InflowsPositive, record.InflowsNegative)
	case p.open && in == 0:
		d.ask("signage_convention", []string{record.InflowsPositive, record.InflowsNegative},
			"the balances in %s add up from the first row to the last with the one, and from the last to the first with the other", d.title(p.balance))
	case out > 0 && in == 0 && gain.minus > 0 && loss.plus > 0:
		d.set("signage_convention", record.InflowsNegative, "texts that speak of money in stand beside a minus %d times, and those of money out beside a plus %d times", gain.minus, loss.plus)
	case in == 0 && d.isCard() && thanks(d) && n.count-n.minus-n.zero > 2*n.minus:
		d.set("signage_convention", record.InflowsNegative, "it is a card: payments to it, which say thank you, have a minus, and most amounts have none")
	case out > in || in == 0 && unlikely(d.profile, n) || marks.mixed():
		d.ask("signage_convention", []string{record.InflowsPositive, record.InflowsNegative},
			"%d of %d amounts have no minus, as if a positive amount were money out, and nothing proves the one or the other%s", n.count-n.minus, n.count, noteOwed(d, p))
	default:
		d.set("signage_convention", record.InflowsPositive, "amounts are written with and without a minus%s",
			alsoTexts(in))
	}
}

// noteOwed says in a question that the balances would settle it if they were not what is owed.
func noteOwed(d *decisions, p proof) string {
	if !p.whole() || !likeOwed(d, p) {
		return ""
	}
	return ": the balances in " + d.title(p.balance) + " rise by them, but may be what is owed"
}

// askStrangeWord asks about a column that says in and out in most rows, and something else in others.
func askStrangeWord(d *decisions) bool {
	for _, at := range d.byRole(lexicon.RoleDirection, func(c *column) bool { return c.isWord && len(c.words) > 2 }) {
		in, out, strange := lexicon.KnownPair(d.columns[at].words)
		if in == "" {
			continue
		}
		d.ask("amount_type_inflow_value", []string{in}, "%s says %s in %d rows and %s in %d, which is in and out, but also %s; give entity_type_col_label=%s, too, and then every word but this one is money out, and neutral_value leaves rows out",
			d.title(at), in, d.columns[at].words[in], out, d.columns[at].words[out], text.Quoted(strange), d.label(at))
		return true
	}
	return false
}

// decideSidesOfMarks decides by Dr and Cr. Where only those on one side have a mark, the others are on the other side.
func decideSidesOfMarks(d *decisions, n numberStyle) {
	bare := n.count - n.debits - n.credits - n.zero
	switch {
	case bare <= 0:
		d.set("signage_convention", record.InflowsPositive, "%d amounts have Dr beside them, which is money out, and %d have Cr", n.debits, n.credits)
	case n.debits == 0 && n.minus == 0:
		d.set("signage_convention", record.InflowsNegative, "%d amounts have Cr beside them, which is money in, so the %d without are money out", n.credits, bare)
	case n.credits == 0 && n.minus == n.debits:
		d.set("signage_convention", record.InflowsPositive, "%d amounts have Dr beside them, which is money out, so the %d without are money in", n.debits, bare)
	default:
		d.ask("signage_convention", []string{record.InflowsPositive, record.InflowsNegative},
			"some amounts in %s have Dr or Cr beside them and %d have not, and nothing says which way those went: with %s a positive one is money in, with %s money out",
			d.title(d.amount), bare, record.InflowsPositive, record.InflowsNegative)
	}
}

func alsoTexts(in int) string {
	if in == 0 {
		return ""
	}
	return ", and " + formatInt(in) + " texts agree that a minus is money out"
}

func convention(positive bool) string {
	if positive {
		return record.InflowsPositive
	}
	return record.InflowsNegative
}

// signProven reports whether the running balance proves the sign as well: the order of the rows must be known, and the
// balance must not be what is owed on a card. No step leads to the first row; where no amount has a minus it might be
// the only one that went the other way, unless many others agree.
func signProven(d *decisions, p proof) bool {
	const many = 12
	n := d.columns[d.amount].numbers
	if n.minus == 0 && (p.hits() < many || p.hits() < p.all) {
		return false
	}
	return p.sided() && !likeOwed(d, p) && !isOwed(d, p) && !(d.isCard() && 2*(n.count-n.minus-n.zero) >= n.count)
}

// isPlaid knows the documented columns of an interface that many programs pass on as they are.
func isPlaid(p *profile) bool {
	known := 0
	for i := range p.columns {
		switch p.columns[i].header {
		case "iso_currency_code", "pending_transaction_id", "authorized_date", "payment_channel",
			"unofficial_currency_code":
			known++
		}
	}
	return known >= 4
}

// thanks reports whether rows say thank you, as payments to a card do, and all of them have a minus.
func thanks(d *decisions) bool {
	plus, minus := 0, 0
	for _, r := range d.headRows() {
		s := notation.ShapeOf(text.CellAt(r.Cells, d.amount))
		if s.Number && !s.Zero && slices.ContainsFunc(r.Cells,
			func(cell string) bool { return lexicon.Speaks(lexicon.Thanks, cell) }) {
			plus, minus = plus+one(!s.Minus), minus+one(s.Minus)
		}
	}
	return minus > 0 && plus == 0
}

// whole reports whether a running balance says so much of single amounts that a reading may be held against it: all
// steps add up.
func (p proof) whole() bool { return p.sided() && p.hits() == p.all }

// mayBeOwed reports whether the balances may be what is owed, so that they fall by money in.
func mayBeOwed(p *profile) bool { return p.defaults.Liability || p.isCard() }

// bothWays reports whether the balances rise by some amounts and fall by others although the sign says nothing else.
func bothWays(d *decisions, p proof) bool {
	const enough = 3
	return p.whole() && p.all >= enough && p.plus > 0 && p.minus > 0 && d.running.named
}

// allowedSigns are the conventions of signs that the balances leave: both unless every step goes against one, and none
// where some go against either.
func allowedSigns(d *decisions, p proof) []string {
	both := []string{record.InflowsPositive, record.InflowsNegative}
	switch {
	case !p.whole() || !d.running.named || mayBeOwed(d.profile):
		return both
	case p.plus > 0 && p.minus > 0:
		return nil
	case isOwed(d, p):
		return both
	case p.minus > 0:
		return both[1:]
	case likeOwed(d, p):
		return both
	}
	return both[:1]
}

// isOwed reports whether the balances may be what is owed on a card whose purchases have a minus: they rise by what has
// one, and as money in that would be most rows.
func isOwed(d *decisions, p proof) bool {
	n := d.columns[d.amount].numbers
	turned := numberStyle{count: n.count, zero: n.zero, minus: n.count - n.minus - n.zero}
	gain, loss := countSignWords(d)
	contrary, agreeing := evidence(gain, loss, countMarks(d))
	return p.sided() && p.plus == 0 && n.minus > 0 && unlikely(d.profile, turned) && (contrary < 2 || agreeing > 0)
}

// likeOwed reports whether most amounts are positive and raise the balances, as purchases with a card do.
func likeOwed(d *decisions, p proof) bool {
	n := d.columns[d.amount].numbers
	return p.plus > 0 && n.minus > 0 && unlikely(d.profile, n) && !usualByTexts(d)
}

// unlikely compares the shares of positive and negative amounts: of a bank about three in ten are money in, of a card
// that writes purchases as positive nine in ten. It is so when the second is twice as likely, of a card or of shops as
// soon as half are.
func unlikely(p *profile, t numberStyle) bool {
	positive, negative := float64(t.count-t.minus-t.zero), float64(t.minus)
	odds := positive*math.Log(3) - negative*math.Log(7)
	if p.isCard() || isOfShops(p, t.count) {
		return positive >= negative
	}
	return odds > math.Log(2)
}

// isOfShops reports whether the other side of every amount is called a shop, which pays nobody.
func isOfShops(p *profile, amounts int) bool {
	return slices.ContainsFunc(p.columns, func(c column) bool {
		return c.filled >= amounts &&
			lexicon.Has(lexicon.Shop, c.header)
	})
}

// usualByTexts reports whether texts agree that a minus is money out: then the balance is not what is owed on a card.
func usualByTexts(d *decisions) bool {
	gain, loss := countSignWords(d)
	contrary, agreeing := evidence(gain, loss, countMarks(d))
	return contrary == 0 && agreeing >= 2
}

// countMarks looks at the columns that say in or out beside an amount that has signs of its own.
func countMarks(d *decisions) (m signMarks) {
	for _, at := range wordColumns(d.profile) {
		in, out, _, ok := sidesOf(d.profile, at)
		if !ok {
			continue
		}
		for _, r := range d.headRows() {
			s := notation.ShapeOf(text.CellAt(r.Cells, d.amount))
			if !s.Number || s.Zero {
				continue
			}
			counted := map[string]*signCount{in: &m.in, out: &m.out}[text.CellAt(r.Cells, at)]
			if counted == nil {
				m.silent++
				continue
			}
			counted.minus, counted.plus = counted.minus+one(s.Minus), counted.plus+one(!s.Minus)
		}
	}
	return m
}

// signMarks counts the signs of amounts beside what a column of words says of their direction, and the amounts beside
// which it says nothing.
type signMarks struct {
	in, out signCount
	silent  int
}

func (m signMarks) agreeing() int { return m.in.plus + m.out.minus }

func (m signMarks) contrary() int { return m.in.minus + m.out.plus }

// settled reports whether the words of both sides go with the signs in every row, or against them in every row.
func (m signMarks) settled() bool {
	return m.in.plus > 0 && m.out.minus > 0 && m.contrary() == 0 ||
		m.in.minus > 0 && m.out.plus > 0 && m.agreeing() == 0
}

// opposed reports whether the signs are against the words in every row, also where all rows are on one side.
func (m signMarks) opposed() bool { return m.contrary() > 0 && m.agreeing() == 0 && m.silent == 0 }

// mixed reports whether the words go with the signs in some rows and against them in so many others that these are no
// slips.
func (m signMarks) mixed() bool { return m.contrary() > 0 && 3*m.contrary() > m.agreeing() }

// countSignWords looks in the beginning of the file for words that say what a payment was, such as salary or purchase.
func countSignWords(d *decisions) (gain, loss signCount) {
	for _, r := range d.headRows() {
		s := notation.ShapeOf(text.CellAt(r.Cells, d.amount))
		if !s.Number || s.Zero {
			continue
		}
		isGain, isLoss := false, false
		for i, cell := range r.Cells {
			if i < len(d.columns) && !d.columns[i].isDate && !d.columns[i].isNumber && cell != "" {
				isGain, isLoss = isGain || lexicon.Speaks(lexicon.Gain, cell), isLoss ||
					lexicon.Speaks(lexicon.Loss, cell)
			}
		}
		if isGain == isLoss {
			continue
		}
		counted := &gain
		if isLoss {
			counted = &loss
		}
		counted.minus += one(s.Minus)
		counted.plus += one(!s.Minus)
	}
	return gain, loss
}

// signCount counts signs beside texts of one meaning.
type signCount struct{ plus, minus int }

// evidence sums up what the texts and marks say: how many contradict the usual sign, and how many agree with it.
func evidence(gain, loss signCount, marks signMarks) (contrary, agreeing int) {
	agreeing, contrary = gain.plus+loss.minus+marks.agreeing(), gain.minus+loss.plus+marks.contrary()
	if agreeing >= 3*contrary {
		contrary = 0
	}
	if contrary >= 3*agreeing {
		agreeing = 0
	}
	return contrary, agreeing
}

// wordColumns are the columns of words that may say in or out: those that are called so, then those without a known
// name.
func wordColumns(p *profile) []int {
	list := p.byRole(lexicon.RoleDirection, func(c *column) bool { return c.isWord && len(c.words) > 0 })
	return append(list, p.where(func(c *column) bool { return c.isWord && len(c.Roles) == 0 && len(c.words) > 0 })...)
}

// sidesOf reads the words of a column. Without a header that says so, both words must be there, and be more than
// letters; a letter other than C and D means what it does in the language of the headers.
func sidesOf(p *profile, at int) (in, out, neutral string, ok bool) {
	c := &p.columns[at]
	in, out, neutral, ok = lexicon.Sides(c.words)
	if !ok {
		in, out, ok = lexicon.SidesOfParts(c.words)
		return in, out, "", ok
	}
	short := len([]rune(in)) == 1 && !text.Wide(in) && strings.ToUpper(in) != strings.ToLower(in)
	if c.Roles[lexicon.RoleDirection] == 0 && p.givenColumn("entity_type_col_label") != at {
		both := c.words[in] > 0 && c.words[out] > 0
		return in, out, neutral, both && (!short || p.sheet.header != nil && c.header == "" &&
			lexicon.KnownLetters(p.language.Name, in, out))
	}
	return in, out, neutral, !short || lexicon.KnownLetters(p.language.Name, in, out)
}

// disproved reports whether the balances add up, throughout, with the amounts of another column than that whose header
// says that it has them, and never with those.
func disproved(d *decisions, list []int, p proof) bool {
	const enough = 3
	return d.running.named && p.all >= enough && p.hits() == p.all &&
		!slices.ContainsFunc(list, func(at int) bool { return d.running.proofOf(at).hits() > 0 })
}

// onlyOne says in a question why one of two answers is not among those that are offered.
func onlyOne(d *decisions, p proof) string {
	if left := allowedSigns(d, p); len(left) == 1 {
		return ", and " + d.stepsOf(p) + " only with " + left[0]
	}
	return ""
}
