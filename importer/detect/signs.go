package detect

import (
	"maps"
	"math"
	"slices"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/text"
)

// signMarks counts the signs of amounts beside what a column of words says of their direction, and the amounts beside which it says
// nothing.
type signMarks struct {
	in, out spoken
	silent  int
}

func (m signMarks) agreeing() int { return m.in.plus + m.out.minus }

func (m signMarks) contrary() int { return m.in.minus + m.out.plus }

// settled says whether the words of both sides go with the signs in every row, or against them in every row.
func (m signMarks) settled() bool {
	return m.in.plus > 0 && m.out.minus > 0 && m.contrary() == 0 || m.in.minus > 0 && m.out.plus > 0 && m.agreeing() == 0
}

// opposed says whether the signs are against the words in every row, also where all rows are on one side.
func (m signMarks) opposed() bool { return m.contrary() > 0 && m.agreeing() == 0 && m.silent == 0 }

// mixed says whether the words go with the signs in some rows and against them in so many others that these are no slips.
func (m signMarks) mixed() bool { return m.contrary() > 0 && 3*m.contrary() > m.agreeing() }

// countMarks looks at the columns that say in or out beside an amount that has signs of its own.
func (f *detector) countMarks() (m signMarks) {
	for _, at := range f.wordColumns() {
		in, out, _, ok := f.sides(at)
		if !ok {
			continue
		}
		for _, r := range f.headRows() {
			s := notation.ShapeOf(text.CellAt(r.Cells, f.amount))
			if !s.Number || s.Zero {
				continue
			}
			heard := map[string]*spoken{in: &m.in, out: &m.out}[text.CellAt(r.Cells, at)]
			if heard == nil {
				m.silent++
				continue
			}
			heard.minus, heard.plus = heard.minus+one(s.Minus), heard.plus+one(!s.Minus)
		}
	}
	return m
}

// wordColumns are the columns of words that may say in or out: those that are called so, then those without a known name.
func (f *detector) wordColumns() []int {
	list := f.byRole(lexicon.RoleDirection, func(c *column) bool { return c.isWord && len(c.words) > 0 })
	return append(list, f.where(func(c *column) bool { return c.isWord && len(c.Roles) == 0 && len(c.words) > 0 })...)
}

// findSign decides whether a positive amount is money in.
func (f *detector) findSign() {
	if !f.open("signage_convention") {
		return
	}
	p := f.proofOfAmount()
	if p.sided() && p.plus*p.minus == 0 && f.signProven(p) {
		f.set("signage_convention", convention(p.plus > 0), "%s", f.stepsOf(p))
		return
	}
	n := f.columns[f.amount].numbers
	if n.debits+n.credits > 0 {
		f.findSides(n)
		return
	}
	marks := f.countMarks()
	gain, loss := f.countSignWords()
	switch out, in := evidence(gain, loss, marks); {
	case f.isPlaid():
		f.set("signage_convention", record.InflowsNegative, "the columns are those of Plaid, in which a positive amount is money out")
	case n.minus > 0 && marks.settled():
		f.set("signage_convention", convention(marks.contrary() == 0), "another column says in or out of every row, and it goes with the signs so")
	case n.minus > 0 && marks.opposed():
		f.set("signage_convention", record.InflowsNegative, "another column says in or out of every row, and the signs are all against it")
	case f.bothWays(p) && len(f.allowed(p)) == 0:
		f.ask("signage_convention", nil, "the balances in %s rise by some of the amounts in %s and fall by others whatever their sign, so that no convention fits; give entity_type_col_label and amount_type_inflow_value if a column says which way money went",
			f.title(p.balance), f.title(f.amount))
	case n.plus > 0 && marks.contrary() == 0:
		f.set("signage_convention", record.InflowsPositive, "%d amounts are written with a plus", n.plus)
	case n.minus == 0 && f.strangeWord():
	case n.minus == 0:
		f.ask("signage_convention", f.allowed(p), "no amount in %s has a minus and nothing says which way money went: with %s a positive amount is money in, with %s money out%s",
			f.title(f.amount), record.InflowsPositive, record.InflowsNegative, f.onlyOne(p))
	case p.before && p.plus == 0 && in == 0:
		f.ask("signage_convention", []string{record.InflowsPositive, record.InflowsNegative}, "the balances in %s are those before the rows if a minus in %s is money in, and add up in no other way", f.title(p.balance), f.title(f.amount))
	case f.isOwed(p) && f.defaults.Liability:
		f.set("signage_convention", record.InflowsPositive, "%s when they are what is owed", f.stepsOf(p))
	case f.isOwed(p) && in == 0:
		f.ask("signage_convention", []string{record.InflowsPositive, record.InflowsNegative}, "most amounts in %s have a minus and raise the balances in %s, as money out does if these are what is owed: with %s a minus is money out, with %s money in",
			f.title(f.amount), f.title(p.balance), record.InflowsPositive, record.InflowsNegative)
	case p.open && in == 0:
		f.ask("signage_convention", []string{record.InflowsPositive, record.InflowsNegative}, "the balances in %s add up from the first row to the last with the one, and from the last to the first with the other", f.title(p.balance))
	case out > 0 && in == 0 && gain.minus > 0 && loss.plus > 0:
		f.set("signage_convention", record.InflowsNegative, "texts that speak of money in stand beside a minus %d times, and those of money out beside a plus %d times", gain.minus, loss.plus)
	case in == 0 && f.isCard() && f.thanks() && n.count-n.minus-n.zero > 2*n.minus:
		f.set("signage_convention", record.InflowsNegative, "it is a card: payments to it, which say thank you, have a minus, and most amounts have none")
	case out > in || in == 0 && f.unlikely(n) || marks.mixed():
		f.ask("signage_convention", []string{record.InflowsPositive, record.InflowsNegative}, "%d of %d amounts have no minus, as if a positive amount were money out, and nothing proves the one or the other%s", n.count-n.minus, n.count, f.noteOwed(p))
	default:
		f.set("signage_convention", record.InflowsPositive, "amounts are written with and without a minus%s", heard(in))
	}
}

// noteOwed says in a question that the balances would settle it if they were not what is owed.
func (f *detector) noteOwed(p proof) string {
	if !p.whole() || !f.likeOwed(p) {
		return ""
	}
	return ": the balances in " + f.title(p.balance) + " rise by them, but may be what is owed"
}

// strangeWord asks about a column that says in and out in most rows, and something else in others.
func (f *detector) strangeWord() bool {
	for _, at := range f.byRole(lexicon.RoleDirection, func(c *column) bool { return c.isWord && len(c.words) > 2 }) {
		in, out, strange := knownPair(f.columns[at].words)
		if in == "" {
			continue
		}
		f.ask("amount_type_inflow_value", []string{in}, "%s says %s in %d rows and %s in %d, which is in and out, but also %s; give entity_type_col_label=%s, too, and then every word but this one is money out, and neutral_value leaves rows out",
			f.title(at), in, f.columns[at].words[in], out, f.columns[at].words[out], text.Quoted(strange), f.label(at))
		return true
	}
	return false
}

// knownPair finds the words for in and out among others, and gives these; blank when there are none.
func knownPair(words map[string]int) (in, out string, strange []string) {
	all := slices.Sorted(maps.Keys(words))
	for i, a := range all {
		for _, b := range all[i+1:] {
			if in, out, _, ok := sides(map[string]int{a: 1, b: 1}); ok && words[in]*words[out] > 0 {
				return in, out, slices.DeleteFunc(all, func(word string) bool { return word == in || word == out })
			}
		}
	}
	return "", "", nil
}

// findSides decides by Dr and Cr. Where only those on one side have a mark, the others are on the other side.
func (f *detector) findSides(n tally) {
	bare := n.count - n.debits - n.credits - n.zero
	switch {
	case bare <= 0:
		f.set("signage_convention", record.InflowsPositive, "%d amounts have Dr beside them, which is money out, and %d have Cr", n.debits, n.credits)
	case n.debits == 0 && n.minus == 0:
		f.set("signage_convention", record.InflowsNegative, "%d amounts have Cr beside them, which is money in, so the %d without are money out", n.credits, bare)
	case n.credits == 0 && n.minus == n.debits:
		f.set("signage_convention", record.InflowsPositive, "%d amounts have Dr beside them, which is money out, so the %d without are money in", n.debits, bare)
	default:
		f.ask("signage_convention", []string{record.InflowsPositive, record.InflowsNegative}, "some amounts in %s have Dr or Cr beside them and %d have not, and nothing says which way those went: with %s a positive one is money in, with %s money out",
			f.title(f.amount), bare, record.InflowsPositive, record.InflowsNegative)
	}
}

func heard(in int) string {
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

// signProven says whether a chain proves the sign as well: the order of the rows must be known, and the balance must not
// be what is owed on a card. No step leads to the first row; where no amount has a minus it might be the only one that
// went the other way, unless many others agree.
func (f *detector) signProven(p proof) bool {
	const many = 12
	n := f.columns[f.amount].numbers
	if n.minus == 0 && (p.hits() < many || p.hits() < p.all) {
		return false
	}
	return p.sided() && !f.likeOwed(p) && !f.isOwed(p) && !(f.isCard() && 2*(n.count-n.minus-n.zero) >= n.count)
}

// isOwed says whether the balances may be what is owed on a card whose purchases have a minus: they rise by what has one, and
// as money in that would be most rows.
func (f *detector) isOwed(p proof) bool {
	n := f.columns[f.amount].numbers
	turned := tally{count: n.count, zero: n.zero, minus: n.count - n.minus - n.zero}
	gain, loss := f.countSignWords()
	contrary, agreeing := evidence(gain, loss, f.countMarks())
	return p.sided() && p.plus == 0 && n.minus > 0 && f.unlikely(turned) && (contrary < 2 || agreeing > 0)
}

// heardUsual says whether texts agree that a minus is money out: then the balance is not what is owed on a card.
func (f *detector) heardUsual() bool {
	gain, loss := f.countSignWords()
	contrary, agreeing := evidence(gain, loss, f.countMarks())
	return contrary == 0 && agreeing >= 2
}

// dateSteps counts the steps forth and back in the order of the rows.
func (f *detector) dateSteps() (up, down int) {
	if f.date < 0 {
		return 0, 0
	}
	for _, d := range f.columns[f.date].dates {
		if d.pattern.Text == record.Given(f.out.DateFormat) {
			return d.up, d.down
		}
	}
	return 0, 0
}

// isCard says whether the headers are those of a card, whose exports are often the other way round.
func (f *detector) isCard() bool {
	made, posted := false, false // the two dates of a card
	for i := range f.columns {
		plain, _ := lexicon.PlainHeader(f.columns[i].header)
		made = made || lexicon.HasPlain(lexicon.CardPurchaseDay, plain)
		posted = posted || lexicon.HasPlain(lexicon.CardBookingDay, plain)
		if lexicon.Has(lexicon.Card, f.columns[i].header) {
			return true
		}
	}
	return made && posted
}

// isOfShops says whether the other side of every amount is called a shop, which pays nobody.
func (f *detector) isOfShops(amounts int) bool {
	return slices.ContainsFunc(f.columns, func(c column) bool { return c.filled >= amounts && lexicon.Has(lexicon.Shop, c.header) })
}

// isPlaid knows the documented columns of an interface that many programs pass on as they are.
func (f *detector) isPlaid() bool {
	known := 0
	for i := range f.columns {
		switch f.columns[i].header {
		case "iso_currency_code", "pending_transaction_id", "authorized_date", "payment_channel", "unofficial_currency_code":
			known++
		}
	}
	return known >= 4
}

// unlikely weighs the shares of positive and negative amounts: of a bank about three in ten are money in, of a card that
// writes purchases as positive nine in ten. It is so when the second is twice as likely, of a card or of shops as soon as half are.
func (f *detector) unlikely(t tally) bool {
	positive, negative := float64(t.count-t.minus-t.zero), float64(t.minus)
	odds := positive*math.Log(3) - negative*math.Log(7)
	if f.isCard() || f.isOfShops(t.count) {
		return positive >= negative
	}
	return odds > math.Log(2)
}

// spoken counts signs beside texts of one meaning.
type spoken struct{ plus, minus int }

// evidence sums up what the texts and marks say: how many contradict the usual sign, and how many agree with it.
func evidence(gain, loss spoken, marks signMarks) (contrary, agreeing int) {
	agreeing, contrary = gain.plus+loss.minus+marks.agreeing(), gain.minus+loss.plus+marks.contrary()
	if agreeing >= 3*contrary {
		contrary = 0
	}
	if contrary >= 3*agreeing {
		agreeing = 0
	}
	return contrary, agreeing
}

// thanks says whether rows say thank you, as payments to a card do, and all of them have a minus.
func (f *detector) thanks() bool {
	plus, minus := 0, 0
	for _, r := range f.headRows() {
		s := notation.ShapeOf(text.CellAt(r.Cells, f.amount))
		if s.Number && !s.Zero && slices.ContainsFunc(r.Cells, func(cell string) bool { return lexicon.Speaks(lexicon.Thanks, cell) }) {
			plus, minus = plus+one(!s.Minus), minus+one(s.Minus)
		}
	}
	return minus > 0 && plus == 0
}

// headRows are the rows of the beginning of the file.
func (f *detector) headRows() []text.Row {
	if f.sheet.header != nil {
		return f.sheet.records[1:]
	}
	return f.sheet.records
}

// countSignWords looks in the beginning of the file for words that say what a payment was, such as salary or purchase.
func (f *detector) countSignWords() (gain, loss spoken) {
	for _, r := range f.headRows() {
		s := notation.ShapeOf(text.CellAt(r.Cells, f.amount))
		if !s.Number || s.Zero {
			continue
		}
		isGain, isLoss := false, false
		for i, cell := range r.Cells {
			if i < len(f.columns) && !f.columns[i].isDate && !f.columns[i].isNumber && cell != "" {
				isGain, isLoss = isGain || lexicon.Speaks(lexicon.Gain, cell), isLoss || lexicon.Speaks(lexicon.Loss, cell)
			}
		}
		if isGain == isLoss {
			continue
		}
		heard := &gain
		if isLoss {
			heard = &loss
		}
		heard.minus += one(s.Minus)
		heard.plus += one(!s.Minus)
	}
	return gain, loss
}
