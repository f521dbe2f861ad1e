package report

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"finsvc/ledger"
	"finsvc/queries"
)

// What the transactions of a month add up to is kept as numbers in the manner of [binary.AppendUvarint]: how many
// combinations of tags there are and each with its length before it; then of each sum its day, its currency in three
// letters, its category, its part, income, expenses and count. Days count from 1; amounts in the household's currency
// need no rate of a day, and have 0. A part is a key, or the place of a combination of tags. Sums come in the order of
// days, and within one in that in which they began.

// monthKey is what the transactions of a month are added up by.
type monthKey struct {
	day, category, part int64
	currency            currencyCode
}

type monthSum struct {
	monthKey
	incomeSum
}

// monthTally adds up the transactions of a month, which are told apart by one part.
type monthTally struct {
	first  ledger.Date
	Part   queries.Part
	own    currencyCode
	places map[monthKey]int
	sums   []monthSum
	sets   tagSets
}

func newMonthTally(first ledger.Date, part queries.Part, own currencyCode) *monthTally {
	return &monthTally{first: first, Part: part, own: own, places: map[monthKey]int{}}
}

// errTotalRange is for sums of a month that are no amounts; they are not kept.
var errTotalRange = errors.New("what a month comes to does not fit into 64 bits")

// take adds a booking; those of earlier days were taken before.
func (t *monthTally) take(b *booking) error {
	key := monthKey{int64(b.day-t.first) + 1, b.category, t.partOf(b), b.currency}
	if b.currency == t.own {
		key.day = 0
	}
	place, known := t.places[key]
	if !known {
		place = len(t.sums)
		t.places[key] = place
		t.sums = append(t.sums, monthSum{monthKey: key})
	}
	if !t.sums[place].grow(b.sum()) {
		return errTotalRange
	}
	return nil
}

func (t *monthTally) partOf(b *booking) int64 {
	switch t.Part {
	case queries.PartAccount:
		return b.account
	case queries.PartMerchant:
		return b.merchant
	case queries.PartTags:
		return t.sets.number(b.tags)
	}
	return 0
}

// Bytes are what is kept.
func (t *monthTally) Bytes() []byte {
	kept := binary.AppendUvarint(nil, uint64(len(t.sets.texts)))
	for _, tags := range t.sets.texts {
		kept = binary.AppendUvarint(kept, uint64(len(tags)))
		kept = append(kept, tags...)
	}
	slices.SortStableFunc(t.sums, func(a, b monthSum) int { return cmp.Compare(a.day, b.day) })
	for _, s := range t.sums {
		kept = binary.AppendUvarint(kept, uint64(s.day))
		kept = append(kept, s.currency[:3]...)
		for _, n := range []int64{s.category, s.part, s.income, s.expenses, s.count} {
			kept = binary.AppendUvarint(kept, uint64(n))
		}
	}
	return kept
}

// errMonthSums: the bytes are not what [monthTally.Bytes] makes.
var errMonthSums = errors.New("the sums that are kept of a month cannot be read")

// monthReader reads what is kept of a month.
type monthReader struct {
	first ledger.Date
	part  queries.Part
	kept  []byte
	at    int
	bad   bool
	tags  []string
	one   booking // for all sums, which their takers must not keep
}

// each gives the sums, each as a booking that stands for several.
func (r *monthReader) each(take func(*booking, incomeSum) error) error {
	for n := r.number(); n > 0 && !r.bad; n-- {
		r.tags = append(r.tags, string(r.bytes(r.number())))
	}
	for r.at < len(r.kept) && !r.bad {
		sum := r.next()
		if r.bad {
			break
		}
		if err := take(&r.one, sum); err != nil {
			return err
		}
	}
	if r.bad {
		return errMonthSums
	}
	return nil
}

func (r *monthReader) next() (sum incomeSum) {
	day := r.number()
	r.one.day = r.first + ledger.Date(max(day-1, 0))
	copy(r.one.currency[:], r.bytes(3))
	r.one.category = r.number()
	switch part := r.number(); r.part {
	case queries.PartAccount:
		r.one.account = part
	case queries.PartMerchant:
		r.one.merchant = part
	case queries.PartTags:
		r.bad = r.bad || part >= int64(len(r.tags))
		if !r.bad {
			r.one.tags = r.tags[part]
		}
	}
	sum.income, sum.expenses, sum.count = r.number(), r.number(), r.number()
	r.bad = r.bad || day > maxMonthDays
	return sum
}

const maxMonthDays = 31

func (r *monthReader) number() int64 {
	if r.at < len(r.kept) && r.kept[r.at] < 0x80 { // as most are
		r.at++
		return int64(r.kept[r.at-1])
	}
	n, size := binary.Uvarint(r.kept[r.at:])
	if size <= 0 || n > math.MaxInt64 {
		r.bad, r.at = true, len(r.kept)
		return 0
	}
	r.at += size
	return int64(n)
}

func (r *monthReader) bytes(n int64) []byte {
	if n > int64(len(r.kept)-r.at) {
		r.bad, r.at = true, len(r.kept)
		return nil
	}
	r.at += int(n)
	return r.kept[r.at-int(n) : r.at]
}
