package ledger

import (
	"cmp"
	"slices"
)

// StaleRate says that amounts of From were converted into To by a rate that was more than seven days old on the day for
// which it was wanted. It counts, because leaving the amount out would be further from the truth, and it is told wherever
// it is used.
type StaleRate struct {
	From, To string
	Date     Date // the day for which a rate was wanted
	RateDate Date // that of the rate; of a rate that is made of two, of the older
}

// Days is how old the rate was.
func (s StaleRate) Days() int64 { return int64(s.Date - s.RateDate) }

// isStale reports whether a rate of one day is told when it is used for another.
func isStale(rated, day Date) bool { return day-rated > freshRate }

// staleRates are those by which something was converted, by currencies: of each pair the one that was oldest when it was
// used, then the latest day. Lists are shared: nothing in them is ever changed.
type staleRates []StaleRate

// with is the list with a conversion, if that was by a stale rate.
func (l staleRates) with(from, to string, day Date, c conversion) staleRates {
	if !c.known || !isStale(c.rated, day) {
		return l
	}
	return l.and(StaleRate{from, to, day, c.rated})
}

func (l staleRates) and(more ...StaleRate) staleRates {
	for _, s := range more {
		at, found := slices.BinarySearchFunc(l, s, func(a, b StaleRate) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
		switch {
		case !found:
			l = slices.Insert(slices.Clone(l), at, s)
		case cmp.Or(cmp.Compare(s.Days(), l[at].Days()), cmp.Compare(s.Date, l[at].Date)) > 0:
			l = slices.Clone(l)
			l[at] = s
		}
	}
	return l
}

// UsedRate is a published rate by which something was converted. Stale says that it was more than seven days old then.
type UsedRate struct {
	ExchangeRate
	Stale bool
}

// compactUsed sorts rates by currencies and day, each once: one that was stale for any of its days is.
func compactUsed(list []UsedRate) []UsedRate {
	slices.SortStableFunc(list, func(a, b UsedRate) int { return compareRates(a.ExchangeRate, b.ExchangeRate) })
	var out []UsedRate
	for _, r := range list {
		if last := len(out) - 1; last >= 0 && compareRates(out[last].ExchangeRate, r.ExchangeRate) == 0 {
			out[last].Stale = out[last].Stale || r.Stale
		} else {
			out = append(out, r)
		}
	}
	return out
}

// used are the published rates that a rate is made of when it is used for a day.
func (r rate) used(day Date) []UsedRate {
	list := make([]UsedRate, len(r.parts))
	for i, part := range r.parts {
		list[i] = UsedRate{part, isStale(part.Date, day)}
	}
	return list
}
