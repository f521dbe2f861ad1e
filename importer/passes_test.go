package importer

import (
	"math/rand/v2"
	"slices"
	"testing"

	"finsvc/ledger"
)

func TestPasses(t *testing.T) {
	t.Parallel()
	ascending := make([]ledger.Date, 250_000)
	for i := range ascending {
		ascending[i] = ledger.NewDate(2016, 1, 1) + ledger.Date(i/100)
	}
	descending := slices.Clone(ascending)
	slices.Reverse(descending)
	shuffled := slices.Clone(ascending)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) {
		shuffled[i], shuffled[j] = shuffled[j],
			shuffled[i]
	})
	oneDay := slices.Repeat(ascending[:1], len(ascending))
	for name, c := range map[string]struct {
		days []ledger.Date
		want int
	}{
		"nothing": {nil, 1}, "small and in disorder": {shuffled[:100_000], 1}, "oldest first": {ascending, 1},
		"newest first":         {descending, 1},
		"three files in a row": {slices.Concat(ascending, ascending, descending), 1}, "one day": {oneDay, 1},
		"in disorder": {shuffled, 3},
	} {
		list, hold := dayRanges(slices.Clone(c.days))
		if len(list) != c.want || hold < batchRows {
			t.Errorf("%s: %d passes, %d held, want %d passes", name, len(list), hold, c.want)
		}
		next := ledger.MinDate
		for _, p := range list {
			if p.first != next || p.last < p.first {
				t.Errorf("%s: a gap or an overlap at %v", name, p)
			}
			next = p.last + 1
		}
		if next != ledger.MaxDate+1 {
			t.Errorf("%s: the last pass ends at %v", name, next-1)
		}
	}
}
