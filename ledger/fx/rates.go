package fx

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/queries"
)

func CompareRates(a, b ExchangeRate) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Date, b.Date))
}

// freshRate is how many days old a rate may be without being told wherever it is used, see [StaleRate].
const freshRate = 7

// ExchangeRate is what one unit of From was worth in To on a day, as it was published.
type ExchangeRate struct {
	From, To string // codes of currencies
	Date     ledger.Date
	Rate     decimal.Decimal
}

// RateBook looks up exchange rates and keeps what it read, for the length of one computation.
//
// Rates are never guessed. The newest on or before the day counts, however old: direct, inverse, or through one other
// currency, then as old as the older of the two; of those of one day the direct one before the inverse. What has none
// is left out of a total, which says so.
type RateBook struct {
	Q         *queries.Queries
	Pairs     []CurrencyPair // all that have rates
	loaded    bool
	Window    Span          // the days that are going to be asked about, when that is known
	Days      []ledger.Date // or these alone, when they are far from each other
	one       decimal.Decimal
	published map[CurrencyPair]*published
	exchanges map[CurrencyPair]*exchange
}

type CurrencyPair struct{ From, To string }

// Span is from a day to another, both included.
type Span struct{ First, Last ledger.Date }

func (s Span) Has(day ledger.Date) bool { return s.First <= day && day <= s.Last }

func NewRateBook(q *queries.Queries) *RateBook {
	return &RateBook{Q: q, one: decimal.New(1, 0), Window: Span{ledger.MaxDate, ledger.MinDate},
		published: map[CurrencyPair]*published{}, exchanges: map[CurrencyPair]*exchange{}}
}

// Rate is a quotient, so that the inverse of a rate stays exact. day is that of the oldest rate in it;
// parts are the published rates it is made of.
type Rate struct {
	Num, Den decimal.Decimal
	Day      ledger.Date
	parts    []ExchangeRate
}

// Conversion is an amount in another currency. It is not known when there is no rate on or before the day, or when the
// result would not be an amount: then it is beyond.
type Conversion struct {
	Minor         int64
	Known, Beyond bool
	Rated         ledger.Date // the day of the rate
}

// Convert turns an amount into another currency at the rate of a day, rounded half up (away from zero).
func (b *RateBook) Convert(ctx context.Context, minor int64, from, to money.Currency, day ledger.Date) (Conversion,
	error) {
	if from == to {
		return Conversion{Minor: minor, Known: true, Rated: day}, nil
	}
	r, known, err := b.Find(ctx, from.Code, to.Code, day)
	if err != nil || !known {
		return Conversion{}, err
	}
	converted, known := r.Convert(minor, from, to)
	return Conversion{converted, known, !known, r.Day}, nil
}

// Convert multiplies in 128 bits where that is enough, else in decimals.
func (r Rate) Convert(minor int64, from, to money.Currency) (converted int64, known bool) {
	shift := to.Exponent - from.Exponent
	if quick, fits := r.Whole(shift).Of(minor); fits {
		return quick, true
	}
	return r.exact(minor, shift)
}

// exact is minor * 10^shift * num / den, rounded half away from zero.
func (r Rate) exact(minor int64, shift int) (converted int64, known bool) {
	result := decimal.New(minor, int32(shift)).Mul(r.Num).DivRound(r.Den, 0).BigInt()
	if !result.IsInt64() || result.Int64() == math.MinInt64 { // which has no positive counterpart
		return 0, false
	}
	return result.Int64(), true
}

// WholeRate is a rate between minor units as a quotient of whole numbers; den is 0 where these do not fit.
type WholeRate struct{ num, den uint64 }

// Whole is num / den * 10^shift.
func (r Rate) Whole(shift int) WholeRate {
	shift += int(r.Num.Exponent() - r.Den.Exponent())
	num, ok := magnified(r.Num, max(shift, 0))
	den, fits := magnified(r.Den, max(-shift, 0))
	if !ok || !fits {
		return WholeRate{}
	}
	return WholeRate{num, den}
}

// Of is the same as exact where every step fits.
func (r WholeRate) Of(minor int64) (converted int64, fits bool) {
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

// Find gives the newest rate on or before the day, however old: direct, inverse or through a currency that has rates
// with both, whose rate is as old as the older of its two. Of those of one day the direct one counts, then the
// inverse, then that through the first currency by name. A later rate never counts.
func (b *RateBook) Find(ctx context.Context, from, to string, day ledger.Date) (Rate, bool, error) {
	e, err := b.exchange(ctx, from, to)
	if err != nil {
		return Rate{}, false, err
	}
	return e.on(ctx, day)
}

// Expect says on which days a rate is going to be asked for, so that they are read at once.
func (b *RateBook) Expect(ctx context.Context, from, to string, days Span) error {
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
	day   ledger.Date
	rate  Rate
	known bool
}

// way is one leg, or two by a currency between.
type way []leg

// leg is a rate without a currency between. Pairs without rates are nil.
type leg struct{ direct, inverse *published }

// exchange finds the ways from a currency to another.
func (b *RateBook) exchange(ctx context.Context, from, to string) (*exchange, error) {
	pair := CurrencyPair{from, to}
	if e, have := b.exchanges[pair]; have {
		return e, nil
	}
	if err := b.LoadPairs(ctx); err != nil {
		return nil, err
	}
	e := &exchange{ways: []way{{b.leg(from, to)}}, day: ledger.MinDate - 1}
	theirs := b.neighbours(to)
	for _, base := range b.neighbours(from) {
		if _, both := slices.BinarySearch(theirs, base); both {
			e.ways = append(e.ways, way{b.leg(from, base), b.leg(base, to)})
		}
	}
	b.exchanges[pair] = e
	return e, nil
}

func (b *RateBook) leg(from, to string) leg { return leg{b.pair(from, to), b.pair(to, from)} }

// pair has the published rates of a pair; nil when there are none.
func (b *RateBook) pair(from, to string) *published {
	pair := CurrencyPair{from, to}
	p, have := b.published[pair]
	if !have && slices.Contains(b.Pairs, pair) {
		p = &published{CurrencyPair: pair, book: b}
		b.published[pair] = p
	}
	return p
}

// neighbours are the currencies that have rates from or to this one, by name.
func (b *RateBook) neighbours(code string) []string {
	var out []string
	for _, p := range b.Pairs {
		switch code {
		case p.From:
			out = append(out, p.To)
		case p.To:
			out = append(out, p.From)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (b *RateBook) LoadPairs(ctx context.Context) error {
	if b.loaded {
		return nil
	}
	rows, err := b.Q.ListRatePairs(ctx)
	for _, r := range rows {
		b.Pairs = append(b.Pairs, CurrencyPair{r.FromCurrency, r.ToCurrency})
	}
	b.loaded = err == nil
	return err
}

// on is the rate of a day: the newest; of those of one day that of the first way.
func (e *exchange) on(ctx context.Context, day ledger.Date) (best Rate, found bool, err error) {
	if e.day == day {
		return e.rate, e.known, nil
	}
	for _, way := range e.ways {
		r, known, err := way.on(ctx, day)
		if err != nil {
			return Rate{}, false, err
		}
		if known && (!found || r.Day > best.Day) {
			best, found = r, true
		}
		if found && best.Day == day {
			break // none can be newer
		}
	}
	e.day, e.rate, e.known = day, best, found
	return best, found, nil
}

func (w way) on(ctx context.Context, day ledger.Date) (r Rate, known bool, err error) {
	for i, leg := range w {
		part, known, err := leg.on(ctx, day)
		if err != nil || !known {
			return Rate{}, false, err
		}
		if i == 0 {
			r = part
		} else {
			r = r.times(part)
		}
	}
	return r, true, nil
}

func (r Rate) times(s Rate) Rate {
	return Rate{r.Num.Mul(s.Num), r.Den.Mul(s.Den), min(r.Day, s.Day), slices.Concat(r.parts, s.parts)}
}

func (l leg) on(ctx context.Context, day ledger.Date) (Rate, bool, error) {
	direct, known, err := l.direct.newest(ctx, day)
	if err != nil || known && direct.Day == day {
		return direct, known, err
	}
	inverse, also, err := l.inverse.newest(ctx, day)
	if also && (!known || inverse.Day > direct.Day) {
		return Rate{inverse.Den, inverse.Num, inverse.Day, inverse.parts}, true, err
	}
	return direct, known, err
}
