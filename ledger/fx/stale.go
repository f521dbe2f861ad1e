package fx

import (
	"cmp"
	"slices"

	"finsvc/ledger"
)

// StaleRate says that amounts of From were converted into To by a rate that was more than seven days old on the day for
// which it was wanted. It counts, because leaving the amount out would be further from the truth, and it is told
// wherever it is used.
type StaleRate struct {
	From, To string
	Date     ledger.Date // the day for which a rate was wanted
	RateDate ledger.Date // that of the rate; of a rate that is made of two, of the older
}

// Days is how old the rate was.
func (s StaleRate) Days() int64 { return int64(s.Date - s.RateDate) }

// IsStale reports whether a rate of one day is told when it is used for another.
func IsStale(rated, day ledger.Date) bool { return day-rated > freshRate }

// StaleRates are those by which something was converted, by currencies: of each pair the one that was oldest when it
// was used, then the latest day. Lists are shared: nothing in them is ever changed.
type StaleRates []StaleRate

// With is the list with a conversion, if that was by a stale rate.
func (s StaleRates) With(from, to string, day ledger.Date, c Conversion) StaleRates {
	if !c.Known || !IsStale(c.Rated, day) {
		return s
	}
	return s.And(StaleRate{from, to, day, c.Rated})
}

func (s StaleRates) And(more ...StaleRate) StaleRates {
	for _, rate := range more {
		at, found := slices.BinarySearchFunc(s, rate, func(a,
			b StaleRate) int {
			return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
		})
		switch {
		case !found:
			s = slices.Insert(slices.Clone(s), at, rate)
		case cmp.Or(cmp.Compare(rate.Days(), s[at].Days()), cmp.Compare(rate.Date, s[at].Date)) > 0:
			s = slices.Clone(s)
			s[at] = rate
		}
	}
	return s
}

// UsedRate is a published rate by which something was converted. Stale says that it was more than seven days old then.
type UsedRate struct {
	ExchangeRate
	Stale bool
}

// CompactUsed sorts rates by currencies and day, each once: one that was stale for any of its days is.
func CompactUsed(list []UsedRate) []UsedRate {
	slices.SortStableFunc(list, func(a, b UsedRate) int { return CompareRates(a.ExchangeRate, b.ExchangeRate) })
	var out []UsedRate
	for _, r := range list {
		if last := len(out) - 1; last >= 0 && CompareRates(out[last].ExchangeRate, r.ExchangeRate) == 0 {
			out[last].Stale = out[last].Stale || r.Stale
		} else {
			out = append(out, r)
		}
	}
	return out
}

// Used are the published rates that a rate is made of when it is used for a day.
func (r Rate) Used(day ledger.Date) []UsedRate {
	list := make([]UsedRate, len(r.parts))
	for i, part := range r.parts {
		list[i] = UsedRate{part, IsStale(part.Date, day)}
	}
	return list
}
