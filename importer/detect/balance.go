package detect

import (
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/text"
)

// runningBalance looks for a running balance: a column in which every balance is the one before plus the amount. It
// counts for every number format, column of balances, column of amounts and order of the rows how many steps add up.
type runningBalance struct {
	readings []*balanceReading
	others   []*balanceReading // those, and where the number format was given those that it could be besides
	split    []int             // columns by which rows belong to different balances: currency, account
	words    int               // the column that may say in or out, -1 when there is none
	at       []int             // the columns with money
	balances []int             // indices into at: those that may be balances
	named    bool              // their headers say that they are
	fees     []int             // columns of fees
	less     []lessFee         // what is looked at behind the columns of at: amounts besides which a fee is taken

	known, newestFirst bool // what the dates say of the order of the rows
	likely             bool // most of them say it
}

type balanceReading struct {
	format   notation.NumberFormat
	previous map[string]*rowPair
	steps    []balanceSteps // by balance, amount and order
}

// rowPair is a row as far as it has numbers: those of the row before, then those of the present one.
type rowPair struct {
	value []int64
	has   []bool
	fee   []int64 // taken besides the amount, of those of which the proof looks at that
	word  string
}

// balanceSteps counts the steps from row to row in which the balance rises by the amount, or falls by it.
type balanceSteps struct {
	all, plus, minus int
	fees             int                // steps by a fee without an amount, which say nothing of the sign
	byWord           map[string]*[2]int // plus and minus by the cell of the column of words
}

// newRunningBalance picks the columns to look at and the formats to try, by the beginning of the file.
func newRunningBalance(p *profile, split ...lexicon.Role) *runningBalance {
	c := &runningBalance{words: -1, at: moneyColumns(p)}
	var all numberStyle
	for i, at := range c.at {
		all = all.add(p.columns[at].numbers)
		if col := &p.columns[at]; col.Roles[lexicon.RoleBalance] > 0 {
			c.balances = append(c.balances, i)
		}
	}
	c.named = len(c.balances) > 0
	if !c.named {
		for i, at := range c.at {
			if len(p.columns[at].Roles) == 0 {
				c.balances = append(c.balances, i)
			}
		}
	}
	if list := p.byRole(lexicon.RoleDirection, func(col *column) bool { return col.isWord }); len(list) > 0 {
		c.words = list[0]
	}
	for _, r := range split {
		c.split = append(c.split, p.byRole(r, func(col *column) bool { return col.isWord && len(col.words) > 1 })...)
	}
	c.less = lessFees(p, c)
	for _, format := range notation.ReadableFormats() {
		given := record.Given(p.given.NumberFormat)
		if name := all.format(); name != "" && name != format.Name && given != format.Name {
			continue
		}
		r := &balanceReading{format: format, previous: map[string]*rowPair{},
			steps: make([]balanceSteps, len(c.balances)*c.width()*2)}
		c.others = append(c.others, r)
		if given == "" || given == format.Name {
			c.readings = append(c.readings, r)
		}
	}
	return c
}

// step takes in a row.
func (c *runningBalance) step(cells []string) {
	if c == nil || len(c.balances) == 0 || len(c.at) < 2 {
		return
	}
	key := ""
	for _, at := range c.split {
		key += text.CellAt(cells, at) + "\x00"
	}
	for _, r := range c.others {
		r.step(c, cells, key)
	}
}

const maxBalances = 100 // different balances in one file

func (r *balanceReading) step(c *runningBalance, cells []string, key string) {
	previous := r.previous[key]
	if previous == nil {
		if len(r.previous) >= maxBalances {
			return
		}
		previous = &rowPair{value: make([]int64, 2*c.width()), has: make([]bool, 2*c.width()),
			fee: make([]int64, 2*c.width())}
		r.previous[strings.Clone(key)] = previous
	}
	n := c.width()
	for i, at := range c.at {
		previous.value[n+i], previous.has[n+i] = r.value(text.CellAt(cells, at))
	}
	for i, l := range c.less {
		fee := r.feeOf(c, cells, l.fee)
		at := n + len(c.at) + i
		previous.value[at], previous.has[at], previous.fee[at] = previous.value[n+l.amount], previous.has[n+l.amount] ||
			fee != 0, fee
	}
	word := ""
	if c.words >= 0 {
		word = text.CellAt(cells, c.words)
	}
	filled := false
	for b, balance := range c.balances {
		if !previous.has[n+balance] {
			continue
		}
		filled = true
		if previous.has[balance] {
			r.compare(c, previous, b, balance, word)
		}
	}
	if filled {
		copy(previous.value, previous.value[n:])
		copy(previous.has, previous.has[n:])
		copy(previous.fee, previous.fee[n:])
		previous.word = word
	}
}

// compare counts a step for every column of amounts and both orders. The present row stands behind the previous one.
// What a row makes of the balance is its amount, and the fee less.
func (r *balanceReading) compare(c *runningBalance, row *rowPair, b, balance int, word string) {
	n := c.width()
	rise := row.value[n+balance] - row.value[balance]
	for a := range n {
		if a == balance {
			continue
		}
		if row.moves(n + a) {
			r.steps[(b*n+a)*2].count(rise+row.fee[n+a], row.value[n+a], word, c.words >= 0)
		}
		if row.moves(a) {
			r.steps[(b*n+a)*2+1].count(row.fee[a]-rise, row.value[a], row.word, c.words >= 0)
		}
	}
}

// moves reports whether a row has an amount other than zero, or a fee.
func (r *rowPair) moves(a int) bool { return r.has[a] && (r.value[a] != 0 || r.fee[a] != 0) }

func (s *balanceSteps) count(rise, amount int64, word string, words bool) {
	s.all++
	side := 0
	switch {
	case amount == 0:
		s.fees += one(rise == 0)
		return
	case rise == amount:
		s.plus++
	case rise == -amount:
		s.minus++
		side = 1
	default:
		return
	}
	if !words {
		return
	}
	if s.byWord == nil {
		s.byWord = map[string]*[2]int{}
	}
	if s.byWord[word] == nil && len(s.byWord) < maxWords {
		s.byWord[strings.Clone(word)] = &[2]int{}
	}
	if n := s.byWord[word]; n != nil {
		n[side]++
	}
}

// feeOf is what is taken in a row, by the column of a fee or all of them.
func (r *balanceReading) feeOf(c *runningBalance, cells []string, column int) int64 {
	if column != allFees {
		fee, _ := r.value(text.CellAt(cells, column))
		return max(fee, -fee)
	}
	sum := int64(0)
	for _, at := range c.fees {
		fee, _ := r.value(text.CellAt(cells, at))
		sum += max(fee, -fee)
	}
	return sum
}

// value reads a number in ten-thousandths. It is none beyond the largest amount, so what is added up of the cells of
// two rows, of which none has more than MaxColumns, does not go round.
func (r *balanceReading) value(cell string) (int64, bool) {
	const places = 4
	if cell == "" {
		return 0, false
	}
	if n, ok := notation.QuickMinor(cell, r.format.Decimal, places); ok {
		return n, true
	}
	n, err := r.format.Parse(cell)
	if err != nil {
		return 0, false
	}
	return notation.QuickMinor(n.Text, '.', places)
}

// proof is what the running balance proves; the zero value is nothing.
type proof struct {
	balanceSteps
	format          string
	balance, amount int  // columns
	newestFirst     bool // the order of the rows
	open            bool // as many steps add up the other way round, with the opposite sign
	before          bool // the balances are those before the rows, which proves no side
}

// proof is the reading under which most steps add up, if they are enough to be no chance.
// Of columns without a name it proves nothing when as many steps add up with the amounts in another one.
func (c *runningBalance) proof() proof {
	best := c.proofOf(-1)
	for _, at := range c.at {
		if at != best.amount && !c.named && c.proofOf(at).hits() == best.hits() {
			return proof{}
		}
	}
	return best
}

// provenFormat is the number format by which more steps add up than by any other. Where every number has three digits
// behind a mark, they add up whatever it means.
func (c *runningBalance) provenFormat() string {
	format, most := "", 0
	for _, r := range c.readings {
		alone := *c
		alone.readings = []*balanceReading{r}
		switch n := alone.proof().hits(); {
		case n > most:
			format, most = r.format.Name, n
		case n == most:
			format = ""
		}
	}
	return format
}

// proofOf looks at one column of amounts only, or at all for -1.
func (c *runningBalance) proofOf(column int) proof {
	return c.best(func(a int) bool { return a < len(c.at) && (column < 0 || c.at[a] == column) })
}

// best is the best proof of the amounts that a condition holds for, of which there are width.
func (c *runningBalance) best(holds func(a int) bool) proof {
	var best proof
	n := c.width()
	for _, r := range c.readings {
		for b, balance := range c.balances {
			for a := range n {
				if !holds(a) {
					continue
				}
				for i := range 2 {
					order := i
					if c.newestFirst {
						order = 1 - i // of two orders that are as good the one of the dates wins
					}
					p := proof{balanceSteps: r.steps[(b*n+a)*2+order], format: r.format.Name, balance: c.at[balance],
						amount: c.amountAt(a), newestFirst: order == 1}
					other := r.steps[(b*n+a)*2+1-order]
					p.open = !c.known && p.hits() == other.hits()
					p = p.knowing(c)
					if p.enough() && p.better(best) {
						best = p
					}
				}
			}
		}
	}
	return best
}

// knowing makes sense of a proof whose order of the rows is not that of their dates: the balance is the one before the
// row then, so a step that seems to fall by the amount rises by it. That proves which column has the amounts, but not
// their side: few balances are written so, and with the rows of each day in the other order they would say the
// opposite. Where no dates tell the order, amounts with the opposite sign and balances before the rows look the same.
func (p proof) knowing(c *runningBalance) proof {
	switch {
	case !c.known:
		p.open = p.open || p.minus > 0 && p.plus == 0 && (!c.likely || p.newestFirst != c.newestFirst)
	case p.newestFirst == c.newestFirst:
	case p.hits() == p.all:
		p.plus, p.minus, p.before = p.minus, p.plus, true
	default:
		p.open = p.open || p.minus > 0
	}
	return p
}

// sided reports whether a proof says on which side the amounts are.
func (p proof) sided() bool { return p.plus+p.minus > 0 && !p.open && !p.before }

// better compares two proofs by the steps that add up; of as many, the one that leaves nothing open.
func (p proof) better(than proof) bool {
	return p.hits() > than.hits() || p.hits() == than.hits() &&
		(!p.open && than.open || !p.before && than.before && !p.open)
}

func (s balanceSteps) hits() int { return s.plus + s.minus + s.fees }

// enough reports whether the steps that add up cannot be chance.
func (s balanceSteps) enough() bool {
	hits := s.hits()
	return hits > 0 && (hits == s.all || hits >= 3 && 2*hits >= s.all)
}

// lessFee is an amount, by its index among those that are looked at, and the column of the fee that is taken besides
// it, or allFees.
type lessFee struct{ amount, fee int }

// allFees stands for all columns of fees together.
const allFees = -2

// feeColumns are the columns that hold fees.
func feeColumns(p *profile) []int {
	if at := p.givenColumn("fee_col_label"); at >= 0 {
		return []int{at}
	}
	return p.where(func(c *column) bool { return c.isNumber && c.fee })
}

// lessFees are the amounts that are looked at besides the columns: each with each fee.
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

// moneyColumns are those of the running balance: what is called an amount or a balance, or looks like one.
func moneyColumns(p *profile) []int {
	const most = 8
	list := p.where(func(c *column) bool { return c.isMoney && !c.fee })
	late := func(at int) int {
		return one(len(p.columns[at].Roles) == 0) + 2*one(p.columns[at].Roles[lexicon.RoleOtherAmount] >= 900)
	}
	slices.SortStableFunc(list, func(a, b int) int { return late(a) - late(b) })
	return list[:min(len(list), most)]
}

// width is how many amounts are looked at.
func (c *runningBalance) width() int { return len(c.at) + len(c.less) }

// amountAt is the column of an amount.
func (c *runningBalance) amountAt(a int) int {
	if a >= len(c.at) {
		a = c.less[a-len(c.at)].amount
	}
	return c.at[a]
}

// proofLess is what the running balance proves of an amount and a fee that is taken besides.
func (c *runningBalance) proofLess(amount, fee int) proof {
	return c.best(func(a int) bool {
		return a >= len(c.at) && c.amountAt(a) == amount && c.less[a-len(c.at)].fee == fee
	})
}
