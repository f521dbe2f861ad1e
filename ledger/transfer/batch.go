package transfer

import (
	"cmp"
	"container/heap"
	"context"
	"slices"

	"finsvc/ledger"
)

// Around many changes all transactions of an amount are matched anew: offset by offset the pairs of each two days, and
// of those the pairs of each two accounts. What comes out is what working in each change by itself comes to.

const (
	// recomputedDays is how many days are matched anew at once, beside those around them that have to be looked at.
	recomputedDays = 120
	// seenDays is how many days around those that are matched anew have to be looked at: what changes there can be felt
	// here, and a transfer there may have its other side farther away.
	seenDays = matchReach + 2*matchDays
)

// recompute matches all transactions of an amount anew around some days on which there were changes.
func (m *matcher) recompute(ctx context.Context, key classKey, days []ledger.Date) error {
	slices.Sort(days)
	for len(days) > 0 {
		first, last, n := days[0], days[0], 0
		for n < len(days) && days[n]-last <= matchReach && days[n]-first < recomputedDays {
			last = days[n]
			n++
		}
		if err := m.recomputeDays(ctx, key, first-matchReach, last+matchReach); err != nil {
			return err
		}
		days = days[n:]
	}
	return nil
}

// recomputeDays matches those of some days anew, and stores what has changed.
func (m *matcher) recomputeDays(ctx context.Context, key classKey, first, last ledger.Date) error {
	c := m.newClass(key)
	for _, in := range []bool{false, true} {
		if err := c.read(ctx, in, first-seenDays, last+seenDays); err != nil {
			return err
		}
	}
	c.complete = true
	candidates := c.between(first-seenDays, last+seenDays)
	if m.ImportID != 0 && !slices.ContainsFunc(candidates, func(x *candidate) bool { return x.own }) {
		return nil // nothing has changed here
	}
	apart, err := c.release(ctx, candidates, first-matchReach-matchDays, last+matchReach+matchDays)
	if err != nil {
		return err
	}
	if err := c.joinFree(ctx, first-seenDays, last+seenDays, apart); err != nil {
		return err
	}
	for _, x := range apart {
		if err := c.rematchOne(ctx, x); err != nil {
			return err
		}
	}
	c.touched = c.between(first, last)
	return c.store(ctx)
}

// between are those of some days, of both signs.
func (c *class) between(first, last ledger.Date) (list []*candidate) {
	for day := first; day <= last; day++ {
		list = append(append(list, c.outs.days[day]...), c.ins.days[day]...)
	}
	return list
}

// release makes all candidates free, to be matched anew, and gives those that have to be worked in one by one
// afterwards: those of rejected pairs, and those whose other side is outside the class. Beyond some days it does not
// matter where the other side is.
func (c *class) release(ctx context.Context, candidates []*candidate, first, last ledger.Date) (apart []*candidate,
	err error) {
	for _, x := range candidates {
		lost := x.transfer != 0 && c.side(!x.in).matched[x.transfer] == nil && x.day() >= first && x.day() <= last
		if lost {
			if _, err := c.partner(ctx, x); err != nil {
				return nil, err
			}
		}
		x.known = true
		if lost || x.rejected {
			apart = append(apart, x)
		}
	}
	return apart, nil
}

// joinFree joins free candidates, but for those that are set apart.
func (c *class) joinFree(ctx context.Context, first, last ledger.Date, apart []*candidate) error {
	except := make(map[*candidate]bool, len(apart))
	for _, x := range apart {
		except[x] = true
	}
	outs, ins := c.outs.byAccount(except), c.ins.byAccount(except)
	for _, offset := range matchOffsets {
		for day := first; day <= last; day++ {
			if len(outs[day]) == 0 || len(ins[day+offset]) == 0 {
				continue
			}
			outs[day], ins[day+offset] = joinDays(outs[day], ins[day+offset])
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// byAccount are the candidates of each day account by account, but for some.
func (s *candidateDays) byAccount(except map[*candidate]bool) map[ledger.Date][][]*candidate {
	days := make(map[ledger.Date][][]*candidate, len(s.days))
	for day, candidates := range s.days {
		if len(except) > 0 {
			candidates = slices.DeleteFunc(slices.Clone(candidates), func(x *candidate) bool { return except[x] })
		}
		for len(candidates) > 0 {
			n := 1
			for n < len(candidates) && candidates[n].account == candidates[0].account {
				n++
			}
			days[day], candidates = append(days[day], candidates[:n]), candidates[n:]
		}
	}
	return days
}

// joinDays joins what left on a day with what arrived on another, and gives those that remain.
func joinDays(outs, ins [][]*candidate) (outsLeft, insLeft [][]*candidate) {
	for _, out := range outs {
		for at := 0; at < len(ins) && len(out) > 0; {
			if ins[at][0].account == out[0].account {
				at++
				continue
			}
			out, ins[at] = joinNearest(out, ins[at])
			if len(ins[at]) == 0 {
				ins = slices.Delete(ins, at, at+1)
			}
		}
		if len(out) > 0 {
			outsLeft = append(outsLeft, out)
		}
	}
	return outsLeft, ins
}

// joinNearest joins what left an account with what arrived in another until one of them has no more, those first that
// lie closest to each other, and gives those that remain. Of all that remain at any time, the two closest have nothing
// between them.
func joinNearest(outs, ins []*candidate) (outsLeft, insLeft []*candidate) {
	candidates := slices.SortedFunc(slices.Values(slices.Concat(outs, ins)), comparePlaces)
	before, after := make([]int, len(candidates)), make([]int, len(candidates))
	var near adjacentPairs
	meet := func(a, b int) {
		if a >= 0 && b < len(candidates) && candidates[a].in != candidates[b].in {
			upper, lower := gap(candidates[a], candidates[b])
			heap.Push(&near, adjacentPair{pairOfCandidates(candidates[a], candidates[b]), upper, lower, a, b})
		}
	}
	for i := range candidates {
		before[i], after[i] = i-1, i+1
		meet(i-1, i)
	}
	for near.Len() > 0 {
		n := heap.Pop(&near).(adjacentPair)
		if n.in.with != nil || n.out.with != nil {
			continue
		}
		n.in.with, n.out.with = n.out, n.in
		a, b := before[n.a], after[n.b]
		if a >= 0 {
			after[a] = b
		}
		if b < len(candidates) {
			before[b] = a
		}
		meet(a, b)
	}
	isJoined := func(x *candidate) bool { return x.with != nil }
	return slices.DeleteFunc(slices.Clone(outs), isJoined), slices.DeleteFunc(slices.Clone(ins), isJoined)
}

// adjacentPair is two candidates with nothing between them.
type adjacentPair struct {
	candidatePair
	upper, lower uint64 // how far they lie apart
	a, b         int    // their places among all
}

// adjacentPairs is a heap of them, the closest first.
type adjacentPairs []adjacentPair

// Len says how many there are.
func (h adjacentPairs) Len() int { return len(h) }

// Less reports whether one comes before another.
func (h adjacentPairs) Less(i, j int) bool {
	a, b := &h[i], &h[j]
	return cmp.Or(cmp.Compare(a.upper, b.upper), cmp.Compare(a.lower, b.lower), comparePlaces(a.out, b.out),
		comparePlaces(a.in, b.in)) < 0
}

// Swap exchanges two.
func (h adjacentPairs) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push adds one.
func (h *adjacentPairs) Push(x any) { *h = append(*h, x.(adjacentPair)) }

// Pop takes the last.
func (h *adjacentPairs) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
