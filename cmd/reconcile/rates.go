package reconcile

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

// rates are exchange rates by pair of currencies, rising by day once they are finished.
type rates map[[2]string][]fx.ExchangeRate

func (r rates) add(rate fx.ExchangeRate) {
	pair := [2]string{rate.From, rate.To}
	r[pair] = append(r[pair], rate)
}

// isAmount reports whether a sum is one that an account can have: 64 bits hold it, and what is its opposite.
func isAmount(minor decimal.Decimal) bool {
	whole := minor.BigInt()
	return whole.IsInt64() && whole.Int64() != math.MinInt64
}

func (r rates) finish() {
	for _, list := range r {
		slices.SortStableFunc(list, func(a, b fx.ExchangeRate) int { return cmp.Compare(a.Date, b.Date) })
	}
}

// quotient is a rate as a fraction; day is that of the older rate in it.
type quotient struct {
	num, den decimal.Decimal
	day      ledger.Date
}

// convert rounds half away from zero; it is not known when there is no rate on or before the day, or when either is no
// amount.
func (r rates) convert(minor decimal.Decimal, from, to money.Currency, day ledger.Date) (decimal.Decimal, bool) {
	if from == to {
		return minor, true
	}
	q, known := r.find(from.Code, to.Code, day)
	if !known {
		return decimal.Zero, false
	}
	converted := minor.Shift(int32(to.Exponent-from.Exponent)).Mul(q.num).DivRound(q.den, 0)
	if !isAmount(minor) || !isAmount(converted) {
		return decimal.Zero, false
	}
	return converted, true
}

// find is the newest rate, however old; of those of one day the direct one, else the inverse, else that through the
// first currency by name.
func (r rates) find(from, to string, day ledger.Date) (best quotient, known bool) {
	best, known = r.leg(from, to, day)
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

// leg is the newest rate of a pair, as it was published or the other way round.
func (r rates) leg(from, to string, day ledger.Date) (quotient, bool) {
	one := decimal.New(1, 0)
	direct, published := r.newest([2]string{from, to}, day)
	inverse, turned := r.newest([2]string{to, from}, day)
	if turned && (!published || inverse.Date > direct.Date) {
		return quotient{one, inverse.Rate, inverse.Date}, true
	}
	return quotient{direct.Rate, one, direct.Date}, published
}

func (r rates) newest(pair [2]string, day ledger.Date) (fx.ExchangeRate, bool) {
	list := r[pair]
	at, _ := slices.BinarySearchFunc(list, day+1, func(x fx.ExchangeRate,
		day ledger.Date) int {
		return cmp.Compare(x.Date, day)
	})
	if at == 0 {
		return fx.ExchangeRate{}, false
	}
	return list[at-1], true
}

// bases are the currencies that have rates, by name.
func (r rates) bases() []string {
	codes := map[string]bool{}
	for pair := range r {
		codes[pair[0]], codes[pair[1]] = true, true
	}
	return slices.Sorted(maps.Keys(codes))
}
