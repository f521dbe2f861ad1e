package cmd

import (
	"cmp"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
)

// recountRates are exchange rates by pair of currencies, rising by day once they are finished.
type recountRates map[[2]string][]ledger.ExchangeRate

func (r recountRates) add(rate ledger.ExchangeRate) {
	pair := [2]string{rate.From, rate.To}
	r[pair] = append(r[pair], rate)
}

func (r recountRates) finish() {
	for _, list := range r {
		slices.SortStableFunc(list, func(a, b ledger.ExchangeRate) int { return cmp.Compare(a.Date, b.Date) })
	}
}

// quotient is a rate as a fraction; day is that of the older rate in it.
type quotient struct {
	num, den decimal.Decimal
	day      ledger.Date
}

// convert rounds half away from zero; it is not known when there is no rate of the last seven days.
func (r recountRates) convert(minor int64, from, to ledger.Currency, day ledger.Date) (int64, bool) {
	if from == to {
		return minor, true
	}
	q, known := r.find(from.Code, to.Code, day)
	if !known {
		return 0, false
	}
	exact := decimal.New(minor, int32(to.Exponent-from.Exponent)).Mul(q.num).DivRound(q.den, 0).BigInt()
	return exact.Int64(), exact.IsInt64()
}

// find is the direct rate, else the inverse, else that through the currency with the newest rates.
func (r recountRates) find(from, to string, day ledger.Date) (best quotient, known bool) {
	if best, known = r.leg(from, to, day); known {
		return best, true
	}
	for _, base := range r.bases() {
		first, have := r.leg(from, base, day)
		second, both := r.leg(base, to, day)
		through := quotient{first.num.Mul(second.num), first.den.Mul(second.den), min(first.day, second.day)}
		if have && both && (!known || through.day > best.day) {
			best, known = through, true
		}
	}
	return best, known
}

// leg is the newest rate that is not too old: the direct one, else the inverse.
func (r recountRates) leg(from, to string, day ledger.Date) (quotient, bool) {
	one := decimal.New(1, 0)
	if rate, found := r.newest([2]string{from, to}, day); found {
		return quotient{rate.Rate, one, rate.Date}, true
	}
	rate, found := r.newest([2]string{to, from}, day)
	return quotient{one, rate.Rate, rate.Date}, found
}

func (r recountRates) newest(pair [2]string, day ledger.Date) (ledger.ExchangeRate, bool) {
	const oldest = 7 // days
	list := r[pair]
	at, _ := slices.BinarySearchFunc(list, day+1, func(x ledger.ExchangeRate, day ledger.Date) int { return cmp.Compare(x.Date, day) })
	if at == 0 || day-list[at-1].Date > oldest {
		return ledger.ExchangeRate{}, false
	}
	return list[at-1], true
}

// bases are the currencies that have rates, by name.
func (r recountRates) bases() []string {
	codes := map[string]bool{}
	for pair := range r {
		codes[pair[0]], codes[pair[1]] = true, true
	}
	return slices.Sorted(maps.Keys(codes))
}
