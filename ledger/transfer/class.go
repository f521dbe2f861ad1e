package transfer

import (
	"cmp"
	"context"
	"hash/fnv"
	"math/bits"
	"slices"

	"finsvc/ledger"
	"finsvc/queries"
)

// candidate is a transaction that can be a side of a transfer, among those of its amount.
type candidate struct {
	id, account int64
	name        uint64     // a number that is made of its name
	transfer    int64      // the one it is stored in; 0 for none
	with        *candidate // the other side of the transfer that it is in now
	in          bool       // money came in
	known       bool       // with is what it says: the one it is stored in was found
	own         bool       // an import has written it
	rejected    bool       // as a pair with some other
	outside     bool       // only stands for what it is in a transfer with: in another currency or a disabled account
	foreign     bool       // that is in another currency
}

func (x *candidate) day() ledger.Date { return ledger.Key(x.id).Day() }

// place is where a candidate lies among those of its day and account: by its name, and the like-named ones by what
// tells them apart.
func (x *candidate) place() (upper, lower uint64) { return x.name, scatter(uint64(x.id)) }

// nameNumber makes the number of a name.
func nameNumber(name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails
	return scatter(h.Sum64())
}

// scatter spreads numbers that lie close together over the whole range, one to one.
func scatter(n uint64) uint64 {
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

func comparePlaces(a, b *candidate) int {
	upper, lower := a.place()
	upperOfB, lowerOfB := b.place()
	return cmp.Or(cmp.Compare(upper, upperOfB), cmp.Compare(lower, lowerOfB))
}

// gap is how far the places of two candidates lie apart, as a number of 128 bits.
func gap(a, b *candidate) (upper, lower uint64) {
	if comparePlaces(a, b) < 0 {
		a, b = b, a
	}
	upper, lower = a.place()
	lessUpper, lessLower := b.place()
	lower, borrow := bits.Sub64(lower, lessLower, 0)
	upper, _ = bits.Sub64(upper, lessUpper, borrow)
	return upper, lower
}

func compareGaps(a, b, c, d *candidate) int {
	upper, lower := gap(a, b)
	upperOfOthers, lowerOfOthers := gap(c, d)
	return cmp.Or(cmp.Compare(upper, upperOfOthers), cmp.Compare(lower, lowerOfOthers))
}

// candidatePair is two candidates that may be a transfer.
type candidatePair struct{ in, out *candidate }

func pairOfCandidates(x, y *candidate) candidatePair {
	if x.in {
		return candidatePair{x, y}
	}
	return candidatePair{y, x}
}

// offset is the place of a pair in matchOffsets.
func (p candidatePair) offset() int {
	days := int(p.in.day() - p.out.day())
	if days > 0 {
		return 2*days - 1
	}
	return -2 * days
}

func (p candidatePair) isForeign() bool { return p.in.foreign || p.out.foreign }

// comparePairs is the order in which pairs are joined: those of one currency, nearest days first, money that arrives
// after it left before money that arrives earlier, the earlier day, the accounts that were opened first, the names that
// lie closest to each other, which are the same names before all others.
func comparePairs(a, b candidatePair) int {
	return cmp.Or(CompareBools(a.isForeign(), b.isForeign()), cmp.Compare(a.offset(), b.offset()),
		cmp.Compare(a.out.day(), b.out.day()),
		cmp.Compare(a.out.account, b.out.account), cmp.Compare(a.in.account, b.in.account),
		compareGaps(a.in, a.out, b.in, b.out),
		comparePlaces(a.out, b.out), comparePlaces(a.in, b.in))
}

func CompareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// class is the transactions of one amount, as far as they were looked at, and how they are matched.
type class struct {
	*matcher
	key      classKey
	ins      candidateDays
	outs     candidateDays
	complete bool // nothing more is to be read
	touched  []*candidate
}

// candidateDays are the candidates of one sign: those of each day that was read, by account and place, and those in
// transfers by these.
type candidateDays struct {
	days    map[ledger.Date][]*candidate
	matched map[int64]*candidate
}

func (m *matcher) newClass(key classKey) *class {
	return &class{matcher: m, key: key, ins: newCandidateDays(), outs: newCandidateDays()}
}

func newCandidateDays() candidateDays {
	return candidateDays{map[ledger.Date][]*candidate{}, map[int64]*candidate{}}
}

// side is the candidates of one sign.
func (c *class) side(in bool) *candidateDays {
	if in {
		return &c.ins
	}
	return &c.outs
}

// read sees to it that the candidates of some days are there.
func (c *class) read(ctx context.Context, in bool, first, last ledger.Date) error {
	side := c.side(in)
	first, last = max(first, ledger.MinDate), min(last, ledger.MaxDate)
	for first <= last && side.has(first) {
		first++
	}
	for first <= last && side.has(last) {
		last--
	}
	if c.complete || first > last {
		return nil
	}
	amount := c.key.amount
	if !in {
		amount = -amount
	}
	from, to := keysOfDays(c.tx.HouseholdID, first, last)
	rows, err := c.tx.ListMatchCandidates(ctx, queries.ListMatchCandidatesParams{ImportID: ledger.OptionalKey(c.ImportID), HouseholdID: c.tx.HouseholdID, FirstKey: from, LastKey: to,
		Amount: amount, Currency: c.key.currency})
	if err != nil {
		return err
	}
	read := map[ledger.Date][]*candidate{}
	for i := range rows {
		r := &rows[i]
		x := &candidate{id: r.ID, account: r.AccountID, name: nameNumber(r.Name), transfer: r.TransferID, in: in,
			own: r.Own != 0, rejected: r.IsRejected != 0}
		if side.has(x.day()) {
			continue
		}
		read[x.day()] = append(read[x.day()], x)
		if x.transfer != 0 {
			side.matched[x.transfer] = x
		}
	}
	for day := first; day <= last; day++ {
		if side.has(day) {
			continue
		}
		slices.SortFunc(read[day], compareCandidates)
		side.days[day] = read[day]
	}
	return nil
}

func compareCandidates(a, b *candidate) int {
	return cmp.Or(cmp.Compare(a.account, b.account), comparePlaces(a, b))
}

func (s *candidateDays) has(day ledger.Date) bool {
	_, has := s.days[day]
	return has
}

// partner is the other side of the transfer that a candidate is in now; nil when it is in none.
func (c *class) partner(ctx context.Context, x *candidate) (*candidate, error) {
	if x.known || x.transfer == 0 {
		return x.with, nil
	}
	if err := c.read(ctx, !x.in, x.day()-matchDays, x.day()+matchDays); err != nil {
		return nil, err
	}
	x.known, x.with = true, c.side(!x.in).matched[x.transfer]
	if x.with != nil {
		x.with.known, x.with.with = true, x
		return x.with, nil
	}
	pair, err := readPair(ctx, c.tx, x.transfer)
	if err != nil {
		return nil, err
	}
	x.with = outsideCandidate(pair.other(x.id), c.key.currency)
	x.with.with, x.with.transfer = x, x.transfer
	return x.with, nil
}

// outsideCandidate stands for a transaction that is in a transfer with one of a class but does not belong to it itself.
func outsideCandidate(t queries.Transaction, currency string) *candidate {
	return &candidate{id: t.ID, account: t.AccountID, name: nameNumber(t.Name), in: t.Amount > 0, known: true,
		outside: true, foreign: t.Currency != currency}
}

// rematch works in a transaction that looks for a partner, and those that lose theirs by that. Each step joins a pair
// that both its sides would rather have than what they had, so there is an end to it.
func (c *class) rematch(ctx context.Context, side CandidateLeg) error {
	in := side.Amount > 0
	if err := c.read(ctx, !in, side.day()-matchDays, side.day()+matchDays); err != nil ||
		!c.side(!in).around(side.day()) {
		return err
	}
	if err := c.read(ctx, in, side.day()-matchDays, side.day()+matchDays); err != nil {
		return err
	}
	for _, x := range c.side(in).days[side.day()] {
		if x.id == side.ID {
			return c.rematchOne(ctx, x)
		}
	}
	return nil // it takes no part
}

// around reports whether there is a candidate on the days around one.
func (s *candidateDays) around(day ledger.Date) bool {
	for _, offset := range matchOffsets {
		if len(s.days[day+offset]) > 0 {
			return true
		}
	}
	return false
}

func (c *class) rematchOne(ctx context.Context, x *candidate) error {
	for waiting := []*candidate{x}; len(waiting) > 0; {
		freed, err := c.joinBetter(ctx, waiting[len(waiting)-1])
		if err != nil {
			return err
		}
		waiting = append(waiting[:len(waiting)-1], freed...)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// joinBetter joins a candidate with the best of the partners that would have it, if that is better than what it has; it
// gives those that lose their partner by that.
func (c *class) joinBetter(ctx context.Context, x *candidate) (freed []*candidate, err error) {
	has, err := c.partner(ctx, x)
	if err != nil {
		return nil, err
	}
	for at, offset := range matchOffsets {
		if has != nil && !has.foreign && pairOfCandidates(x, has).offset() < at {
			return nil, nil
		}
		day := x.day() + offset
		if x.in {
			day = x.day() - offset
		}
		if err := c.read(ctx, !x.in, day, day); err != nil {
			return nil, err
		}
		best, err := c.best(ctx, x, has, c.side(!x.in).days[day])
		if err != nil {
			return nil, err
		}
		if best != nil {
			return c.join(ctx, x, best)
		}
	}
	return nil, nil
}

// best is the first partner on a day that would have a candidate and is better than what it has; nil when there is
// none.
func (c *class) best(ctx context.Context, x, has *candidate, day []*candidate) (best *candidate, err error) {
	for _, y := range day {
		if best != nil && best.account != y.account {
			return best, nil
		}
		wish := pairOfCandidates(x, y)
		if y.account == x.account || has != nil && comparePairs(wish, pairOfCandidates(x, has)) >= 0 ||
			best != nil && comparePairs(wish, pairOfCandidates(x, best)) >= 0 {
			continue
		}
		taken, err := c.partner(ctx, y)
		if err != nil {
			return nil, err
		}
		if taken != nil && comparePairs(wish, pairOfCandidates(y, taken)) >= 0 {
			continue
		}
		if rejected, err := c.isRejected(ctx, wish); err != nil {
			return nil, err
		} else if !rejected {
			best = y
		}
	}
	return best, nil
}

func (c *class) isRejected(ctx context.Context, p candidatePair) (bool, error) {
	if !p.in.rejected || !p.out.rejected {
		return false, nil
	}
	n, err := c.tx.IsRejectedPair(ctx, queries.IsRejectedPairParams{InflowID: p.in.id, OutflowID: p.out.id,
		HouseholdID: c.tx.HouseholdID})
	return n != 0, err
}

// join makes two candidates a pair in place of those that they were in, and gives those that they leave alone.
func (c *class) join(ctx context.Context, x, y *candidate) (freed []*candidate, err error) {
	for _, side := range []*candidate{x, y} {
		old, err := c.partner(ctx, side)
		if err != nil {
			return nil, err
		}
		c.touched = append(c.touched, side)
		if old == nil {
			continue
		}
		old.with = nil
		if !old.outside {
			freed, c.touched = append(freed, old), append(c.touched, old)
		}
	}
	x.with, x.known = y, true
	y.with, y.known = x, true
	return freed, nil
}

// store writes what has changed of the pairs of the candidates that were touched.
func (c *class) store(ctx context.Context) error {
	var parted []int64
	var joined []candidatePair
	seen := map[*candidate]bool{}
	for _, x := range c.touched {
		if x.with != nil && x.with.transfer == x.transfer && x.transfer != 0 || seen[x] {
			continue
		}
		seen[x] = true
		parted = append(parted, x.transfer)
		if x.with != nil && !seen[x.with] {
			seen[x.with] = true
			parted, joined = append(parted, x.with.transfer), append(joined, pairOfCandidates(x, x.with))
		}
	}
	c.touched = nil
	// Undo transfers, given by their keys, of which some may be 0.
	slices.Sort(parted)
	parted = slices.Compact(parted)
	if len(parted) > 0 && parted[0] == 0 {
		parted = parted[1:]
	}
	for part := range slices.Chunk(parted, SidesAtOnce) {
		if err := PartTransfers(ctx, c.tx, part); err != nil {
			return err
		}
		for _, side := range []*candidateDays{&c.ins, &c.outs} {
			for _, key := range part {
				if x := side.matched[key]; x != nil {
					x.transfer = 0
					delete(side.matched, key)
				}
			}
		}
	}
	for part := range slices.Chunk(joined, SidesAtOnce) {
		if err := c.joinAll(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// SidesAtOnce is how many transfers are parted or made by one statement.
const SidesAtOnce = 500

// joinAll makes transfers of pairs that are in none. The history has what an import has done as a whole; it gets those
// pairs that it has no other sign of.
func (c *class) joinAll(ctx context.Context, pairs []candidatePair) error {
	sides := make(map[int64]int64, 2*len(pairs))
	var noted []int64
	for _, p := range pairs {
		t := queries.Transfer{Status: TransferPending, Reason: p.sides(c.key).reason()}
		if err := insertTransfer(ctx, c.tx, &t); err != nil {
			return err
		}
		sides[p.in.id], sides[p.out.id] = t.ID, t.ID
		p.in.transfer, p.out.transfer = t.ID, t.ID
		c.ins.matched[t.ID], c.outs.matched[t.ID] = p.in, p.out
		if !p.in.own || !p.out.own {
			noted = append(noted, t.ID)
		}
	}
	if err := setTransfers(ctx, c.tx, sides); err != nil || len(noted) == 0 {
		return err
	}
	return recordTransfers(ctx, c.tx, noted...)
}

// sides are the two as far as a reason speaks of them.
func (p candidatePair) sides(of classKey) matchPair {
	return matchPair{CandidateLeg{ID: p.in.id, Amount: of.amount, Currency: of.currency},
		CandidateLeg{ID: p.out.id, Amount: -of.amount, Currency: of.currency}}
}
