package recount

import (
	"slices"

	"github.com/shopspring/decimal"
)

// rateTable has the published rates of the pairs of currencies that were asked for.
type rateTable struct {
	rows     rowReader
	decimals func(string) (int, bool)
	pairs    map[pair][]published
	loaded   bool
	// The answer of the last question: most entries in another currency follow each other.
	asked  rateQuestion
	answer quotient
}

type pair struct{ from, to string }

type published struct {
	day  int64
	rate string
}

func (p published) on() int64 { return p.day }

type rateQuestion struct {
	pair
	day int64
}

// quotient is a rate that stays exact when it is turned round; day is that of the oldest rate in it.
type quotient struct {
	num, den decimal.Decimal
	day      int64
	known    bool
}

// convert turns minor units of a currency into those of another at the rate of a day, rounded half away from zero. It
// is not known when there is no rate, or when either is no amount.
func (t *rateTable) convert(minor decimal.Decimal, from, to string, day int64) (decimal.Decimal, bool, error) {
	if from == to {
		return minor, true, nil
	}
	rate, err := t.on(rateQuestion{pair{from, to}, day})
	if err != nil || !rate.known {
		return decimal.Zero, false, err
	}
	of, knownFrom := t.decimals(from)
	into, knownTo := t.decimals(to)
	whole := minor.Shift(int32(into-of)).Mul(rate.num).DivRound(rate.den, 0)
	if !knownFrom || !knownTo || !isAmount(minor) || !isAmount(whole) {
		return decimal.Zero, false, nil
	}
	return whole, true, nil
}

func (t *rateTable) on(asked rateQuestion) (quotient, error) {
	if t.asked == asked {
		return t.answer, nil
	}
	answer, err := t.find(asked)
	if err == nil {
		t.asked, t.answer = asked, answer
	}
	return answer, err
}

// find takes the youngest rate on or before the day, however old: that of the pair itself or, when it is younger, that
// by way of a third currency, which is as old as the older of its two; of several the first by name.
func (t *rateTable) find(asked rateQuestion) (quotient, error) {
	if err := t.load(); err != nil {
		return quotient{}, err
	}
	best, err := t.leg(asked.from, asked.to, asked.day)
	if err != nil {
		return best, err
	}
	for _, between := range t.codes() {
		first, err := t.leg(asked.from, between, asked.day)
		if err != nil {
			return quotient{}, err
		}
		if !first.known {
			continue
		}
		second, err := t.leg(between, asked.to, asked.day)
		if err != nil {
			return quotient{}, err
		}
		day := min(first.day, second.day)
		if second.known && (!best.known || day > best.day) {
			best = quotient{first.num.Mul(second.num), first.den.Mul(second.den), day, true}
		}
	}
	return best, nil
}

// leg is the rate of a pair as it was published, or the other way round when that is younger.
func (t *rateTable) leg(from, to string, day int64) (quotient, error) {
	direct, err := t.newest(pair{from, to}, day)
	if err != nil {
		return direct, err
	}
	turned, err := t.newest(pair{to, from}, day)
	if turned.known && (!direct.known || turned.day > direct.day) {
		return quotient{turned.den, turned.num, turned.day, true}, err
	}
	return direct, err
}

// newest is the youngest rate of a pair on or before a day.
func (t *rateTable) newest(of pair, day int64) (quotient, error) {
	list, there := t.pairs[of]
	if !there {
		return quotient{}, nil
	}
	if list == nil {
		var err error
		list, err = t.read(of)
		if err != nil {
			return quotient{}, err
		}
		t.pairs[of] = list
	}
	newest, found := newestBy(list, day, published.on)
	if !found {
		return quotient{}, nil
	}
	rate, err := decimal.NewFromString(newest.rate)
	return quotient{rate, decimal.New(1, 0), newest.day, rate.IsPositive()}, err
}

func (t *rateTable) read(of pair) (list []published, err error) {
	err = t.rows.each(func(scan func(...any) error) error {
		var p published
		err := scan(&p.day, &p.rate)
		list = append(list, p)
		return err
	}, "SELECT date, rate FROM exchange_rates WHERE from_currency = ? AND to_currency = ? ORDER BY date", of.from,
		of.to)
	return list, err
}

// load finds out which pairs there are.
func (t *rateTable) load() error {
	if t.loaded {
		return nil
	}
	t.loaded = true
	return t.rows.each(func(scan func(...any) error) error {
		var p pair
		err := scan(&p.from, &p.to)
		t.pairs[p] = nil
		return err
	}, "SELECT DISTINCT from_currency, to_currency FROM exchange_rates")
}

// codes are the currencies that have rates, by name.
func (t *rateTable) codes() []string {
	var codes []string
	for p := range t.pairs {
		codes = append(codes, p.from, p.to)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}
