package ledger

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// maxRateAge is how many days old a rate may be and still count.
const maxRateAge = 7

// ExchangeRate is what one unit of From was worth in To on a day, as it was published.
type ExchangeRate struct {
	From, To string // codes of currencies
	Date     Date
	Rate     decimal.Decimal
}

// rateBook looks up exchange rates and keeps what it read, for the length of one computation.
type rateBook struct {
	q      *queries.Queries
	pairs  []currencyPair // all that have rates
	loaded bool
	blocks map[rateBlock][]ExchangeRate // by day, rising
}

type currencyPair struct{ from, to string }

// rateBlock is the unit in which rates are read: those of a pair that can count on any of blockDays days.
type rateBlock struct {
	currencyPair
	first Date
}

const blockDays = 256

func newRateBook(q *queries.Queries) *rateBook {
	return &rateBook{q: q, blocks: map[rateBlock][]ExchangeRate{}}
}

// rate is a quotient, so that the inverse of a rate stays exact. day is that of the oldest rate in it;
// parts are the published rates it is made of.
type rate struct {
	num, den decimal.Decimal
	day      Date
	parts    []ExchangeRate
}

// convert turns an amount into another currency at the rate of a day, rounded half up (away from zero).
// It is not known when no rate is, or when the result would not be an amount.
func (b *rateBook) convert(ctx context.Context, minor int64, from, to Currency, day Date) (converted int64, known bool, err error) {
	if from == to {
		return minor, true, nil
	}
	r, known, err := b.find(ctx, from.Code, to.Code, day)
	if err != nil || !known {
		return 0, false, err
	}
	converted, known = r.convert(minor, from, to)
	return converted, known, nil
}

func (r rate) convert(minor int64, from, to Currency) (converted int64, known bool) {
	exact := decimal.New(minor, int32(to.Exponent-from.Exponent)).Mul(r.num)
	result := exact.DivRound(r.den, 0).BigInt()
	if !result.IsInt64() {
		return 0, false
	}
	return result.Int64(), true
}

// find gives the newest rate on or before the day: direct, else inverse, else through the currency that
// has rates with both. Of several such currencies the one with the newest rates counts, then the first by
// name.
func (b *rateBook) find(ctx context.Context, from, to string, day Date) (rate, bool, error) {
	if r, known, err := b.leg(ctx, from, to, day); err != nil || known {
		return r, known, err
	}
	var best rate
	found := false
	for _, base := range b.neighbours(from) {
		first, known, err := b.leg(ctx, from, base, day)
		if err != nil {
			return rate{}, false, err
		}
		if !known {
			continue
		}
		second, known, err := b.leg(ctx, base, to, day)
		if err != nil {
			return rate{}, false, err
		}
		if r := first.times(second); known && (!found || r.day > best.day) {
			best, found = r, true
		}
	}
	return best, found, nil
}

func (r rate) times(s rate) rate {
	return rate{r.num.Mul(s.num), r.den.Mul(s.den), min(r.day, s.day), slices.Concat(r.parts, s.parts)}
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

// leg is a rate without a currency between: direct or inverse.
func (b *rateBook) leg(ctx context.Context, from, to string, day Date) (rate, bool, error) {
	if r, known, err := b.newest(ctx, currencyPair{from, to}, day); err != nil || known {
		return r, known, err
	}
	r, known, err := b.newest(ctx, currencyPair{to, from}, day)
	return rate{r.den, r.num, r.day, r.parts}, known, err
}

// newest is the youngest published rate of a pair that still counts on the day.
func (b *rateBook) newest(ctx context.Context, pair currencyPair, day Date) (rate, bool, error) {
	list, err := b.rates(ctx, pair, day)
	if err != nil {
		return rate{}, false, err
	}
	at, exact := slices.BinarySearchFunc(list, day, func(r ExchangeRate, day Date) int { return int(r.Date - day) })
	if !exact {
		at--
	}
	if at < 0 || day-list[at].Date > maxRateAge {
		return rate{}, false, nil
	}
	return rate{list[at].Rate, decimal.New(1, 0), list[at].Date, list[at : at+1]}, list[at].Rate.IsPositive(), nil
}

// rates are the rates of a pair around a day.
func (b *rateBook) rates(ctx context.Context, pair currencyPair, day Date) (list []ExchangeRate, err error) {
	if err := b.loadPairs(ctx); err != nil || !slices.Contains(b.pairs, pair) {
		return nil, err
	}
	first := MinDate + (day-MinDate)/blockDays*blockDays
	block := rateBlock{pair, first}
	list, have := b.blocks[block]
	if !have {
		list, err = b.read(ctx, pair, first-maxRateAge, first+blockDays-1)
		b.blocks[block] = list
	}
	return list, err
}

func (b *rateBook) read(ctx context.Context, pair currencyPair, first, last Date) ([]ExchangeRate, error) {
	packed, err := b.q.PackRates(ctx, queries.PackRatesParams{FromCurrency: pair.from, ToCurrency: pair.to, FirstDay: int64(first), LastDay: int64(last)})
	if err != nil || packed == "" {
		return nil, err
	}
	list := make([]ExchangeRate, 0, blockDays+maxRateAge)
	for part := range strings.SplitSeq(packed, ",") {
		date, text, _ := strings.Cut(part, " ")
		day, err := strconv.ParseInt(date, 10, 32)
		if err != nil {
			return nil, err
		}
		value, err := decimal.NewFromString(text)
		if err != nil {
			return nil, err
		}
		list = append(list, ExchangeRate{pair.from, pair.to, Date(day), value})
	}
	slices.SortFunc(list, func(a, b ExchangeRate) int { return int(a.Date - b.Date) }) // SQLite promises no order
	return list, nil
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
