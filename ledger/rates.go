package ledger

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// freshRate is how many days old a rate may be without being told wherever it is used, see [StaleRate].
const freshRate = 7

// ExchangeRate is what one unit of From was worth in To on a day, as it was published.
type ExchangeRate struct {
	From, To string // codes of currencies
	Date     Date
	Rate     decimal.Decimal
}

// rateBook looks up exchange rates and keeps what it read, for the length of one computation.
//
// Rates are never guessed. The newest on or before the day counts, however old: direct, inverse, or through one other
// currency, then as old as the older of the two; of those of one day the direct one before the inverse. What has none
// is left out of a total, which says so.
type rateBook struct {
	q         *queries.Queries
	pairs     []currencyPair // all that have rates
	loaded    bool
	window    span   // the days that are going to be asked about, when that is known
	days      []Date // or these alone, when they are far from each other
	one       decimal.Decimal
	published map[currencyPair]*published
	exchanges map[currencyPair]*exchange
}

type currencyPair struct{ from, to string }

// span is from a day to another, both included.
type span struct{ first, last Date }

func (s span) has(day Date) bool { return s.first <= day && day <= s.last }

func newRateBook(q *queries.Queries) *rateBook {
	return &rateBook{q: q, one: decimal.New(1, 0), window: span{MaxDate, MinDate}, published: map[currencyPair]*published{}, exchanges: map[currencyPair]*exchange{}}
}

// rate is a quotient, so that the inverse of a rate stays exact. day is that of the oldest rate in it;
// parts are the published rates it is made of.
type rate struct {
	num, den decimal.Decimal
	day      Date
	parts    []ExchangeRate
}

// conversion is an amount in another currency. It is not known when there is no rate on or before the day, or when the
// result would not be an amount: then it is beyond.
type conversion struct {
	minor         int64
	known, beyond bool
	rated         Date // the day of the rate
}

// convert turns an amount into another currency at the rate of a day, rounded half up (away from zero).
func (b *rateBook) convert(ctx context.Context, minor int64, from, to Currency, day Date) (conversion, error) {
	if from == to {
		return conversion{minor: minor, known: true, rated: day}, nil
	}
	r, known, err := b.find(ctx, from.Code, to.Code, day)
	if err != nil || !known {
		return conversion{}, err
	}
	converted, known := r.convert(minor, from, to)
	return conversion{converted, known, !known, r.day}, nil
}

// convert multiplies in 128 bits where that is enough, else in decimals.
func (r rate) convert(minor int64, from, to Currency) (converted int64, known bool) {
	shift := to.Exponent - from.Exponent
	if quick, fits := r.whole(shift).of(minor); fits {
		return quick, true
	}
	return r.exact(minor, shift)
}

// exact is minor * 10^shift * num / den, rounded half away from zero.
func (r rate) exact(minor int64, shift int) (converted int64, known bool) {
	result := decimal.New(minor, int32(shift)).Mul(r.num).DivRound(r.den, 0).BigInt()
	if !result.IsInt64() || result.Int64() == math.MinInt64 { // which has no positive counterpart
		return 0, false
	}
	return result.Int64(), true
}

// wholeRate is a rate between minor units as a quotient of whole numbers; den is 0 where these do not fit.
type wholeRate struct{ num, den uint64 }

// whole is num / den * 10^shift.
func (r rate) whole(shift int) wholeRate {
	shift += int(r.num.Exponent() - r.den.Exponent())
	num, ok := magnified(r.num, max(shift, 0))
	den, fits := magnified(r.den, max(-shift, 0))
	if !ok || !fits {
		return wholeRate{}
	}
	return wholeRate{num, den}
}

// of is the same as exact where every step fits.
func (r wholeRate) of(minor int64) (converted int64, fits bool) {
	size := uint64(minor)
	if minor < 0 {
		size = -size
	}
	high, low := bits.Mul64(size, r.num)
	if high >= r.den {
		return 0, false
	}
	result, rest := bits.Div64(high, low, r.den)
	if rest >= r.den-rest {
		result++
	}
	if result > math.MaxInt64 {
		return 0, false
	}
	if minor < 0 {
		return -int64(result), true
	}
	return int64(result), true
}

// magnified is the coefficient of a positive decimal times a power of ten.
func magnified(d decimal.Decimal, shift int) (n uint64, fits bool) {
	digits := d.NumDigits()
	if digits+shift > 19 || digits > 18 || !d.IsPositive() {
		return 0, false
	}
	n = uint64(d.CoefficientInt64())
	for range shift {
		n *= 10
	}
	return n, true
}

// find gives the newest rate on or before the day, however old: direct, inverse or through a currency that has rates with
// both, whose rate is as old as the older of its two. Of those of one day the direct one counts, then the inverse, then
// that through the first currency by name. A later rate never counts.
func (b *rateBook) find(ctx context.Context, from, to string, day Date) (rate, bool, error) {
	e, err := b.exchange(ctx, from, to)
	if err != nil {
		return rate{}, false, err
	}
	return e.on(ctx, day)
}

// expect says on which days a rate is going to be asked for, so that they are read at once.
func (b *rateBook) expect(ctx context.Context, from, to string, days span) error {
	e, err := b.exchange(ctx, from, to)
	if err != nil {
		return err
	}
	for _, way := range e.ways {
		for _, l := range way {
			l.direct.expect(days)
			l.inverse.expect(days)
		}
	}
	return nil
}

// exchange is how one currency is turned into another. It remembers the rate of the last day.
type exchange struct {
	ways  []way // the first is without a currency between
	day   Date
	rate  rate
	known bool
}

// way is one leg, or two by a currency between.
type way []leg

// leg is a rate without a currency between. Pairs without rates are nil.
type leg struct{ direct, inverse *published }

// exchange finds the ways from a currency to another.
func (b *rateBook) exchange(ctx context.Context, from, to string) (*exchange, error) {
	pair := currencyPair{from, to}
	if e, have := b.exchanges[pair]; have {
		return e, nil
	}
	if err := b.loadPairs(ctx); err != nil {
		return nil, err
	}
	e := &exchange{ways: []way{{b.leg(from, to)}}, day: MinDate - 1}
	theirs := b.neighbours(to)
	for _, base := range b.neighbours(from) {
		if _, both := slices.BinarySearch(theirs, base); both {
			e.ways = append(e.ways, way{b.leg(from, base), b.leg(base, to)})
		}
	}
	b.exchanges[pair] = e
	return e, nil
}

func (b *rateBook) leg(from, to string) leg { return leg{b.pair(from, to), b.pair(to, from)} }

// pair has the published rates of a pair; nil when there are none.
func (b *rateBook) pair(from, to string) *published {
	pair := currencyPair{from, to}
	p, have := b.published[pair]
	if !have && slices.Contains(b.pairs, pair) {
		p = &published{currencyPair: pair, book: b}
		b.published[pair] = p
	}
	return p
}

// neighbours are the currencies that have rates from or to this one, by name.
func (b *rateBook) neighbours(code string) []string {
	var out []string
	for _, p := range b.pairs {
		switch code {
		case p.from:
			out = append(out, p.to)
		case p.to:
			out = append(out, p.from)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (b *rateBook) loadPairs(ctx context.Context) error {
	if b.loaded {
		return nil
	}
	rows, err := b.q.ListRatePairs(ctx)
	for _, r := range rows {
		b.pairs = append(b.pairs, currencyPair{r.FromCurrency, r.ToCurrency})
	}
	b.loaded = err == nil
	return err
}

// on is the rate of a day: the newest; of those of one day that of the first way.
func (e *exchange) on(ctx context.Context, day Date) (best rate, found bool, err error) {
	if e.day == day {
		return e.rate, e.known, nil
	}
	for _, way := range e.ways {
		r, known, err := way.on(ctx, day)
		if err != nil {
			return rate{}, false, err
		}
		if known && (!found || r.day > best.day) {
			best, found = r, true
		}
		if found && best.day == day {
			break // none can be newer
		}
	}
	e.day, e.rate, e.known = day, best, found
	return best, found, nil
}

func (w way) on(ctx context.Context, day Date) (r rate, known bool, err error) {
	for i, leg := range w {
		part, known, err := leg.on(ctx, day)
		if err != nil || !known {
			return rate{}, false, err
		}
		if i == 0 {
			r = part
		} else {
			r = r.times(part)
		}
	}
	return r, true, nil
}

func (r rate) times(s rate) rate {
	return rate{r.num.Mul(s.num), r.den.Mul(s.den), min(r.day, s.day), slices.Concat(r.parts, s.parts)}
}

func (l leg) on(ctx context.Context, day Date) (rate, bool, error) {
	direct, known, err := l.direct.newest(ctx, day)
	if err != nil || known && direct.day == day {
		return direct, known, err
	}
	inverse, also, err := l.inverse.newest(ctx, day)
	if also && (!known || inverse.day > direct.day) {
		return rate{inverse.den, inverse.num, inverse.day, inverse.parts}, true, err
	}
	return direct, known, err
}
