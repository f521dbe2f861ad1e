package ledger

import (
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// pricePlaces is how many decimals a price keeps that a split since its day divides.
const pricePlaces = 12

// steps makes the steps of a line: one for each day on which its position, its price or a split changes it.
// Nothing is worth nothing at any price, so prices make no steps while nothing is held.
func (r *lineReader) steps(at line) ([]step, error) {
	positions := r.positions[at]
	if len(positions) == 0 {
		return nil, nil
	}
	var steps []step
	for i, p := range positions {
		base, err := newStep(p)
		if err != nil {
			return nil, err
		}
		until := r.last
		if i+1 < len(positions) {
			until = Date(positions[i+1].Date) - 1
		}
		days := []Date{base.from}
		if !base.quantity.IsZero() {
			days = r.priceDays(at.security, base.from, until)
		}
		for _, day := range days {
			s := base
			s.from = day
			if err := r.value(&s, at.security); err != nil {
				return nil, err
			}
			steps = append(steps, s)
		}
	}
	return steps, nil
}

func newStep(p queries.ListLinePositionsRow) (step, error) {
	s := step{from: Date(p.Date), costCurrency: p.Currency, costUnknown: p.CostUnknown == 1, createdAt: p.UpdatedAt, updatedAt: p.UpdatedAt}
	var err error
	s.quantity, s.cost, err = twoDecimals(p.Quantity, p.Cost)
	return s, err
}

// priceDays are a first day, or that on which reading begins, and those after it, up to another, on which a
// security has another price. Splits make positions, and so steps, of their own.
func (r *lineReader) priceDays(security int64, from, until Date) []Date {
	days := []Date{max(from, r.first)}
	for _, list := range [][]quotedPrice{r.markets[security], r.trades[security]} {
		at, _ := slices.BinarySearchFunc(list, days[0]+1, func(p quotedPrice, day Date) int { return int(p.day - day) })
		for ; at < len(list) && list[at].day <= until; at++ {
			days = append(days, list[at].day)
		}
	}
	slices.Sort(days)
	return slices.Compact(days)
}

// value finds the price of a step's day and what is held is worth at it.
func (r *lineReader) value(s *step, security int64) error {
	quoted := r.price(security, s.from)
	if quoted == nil {
		return nil // a position comes from a trade, and a trade has a price
	}
	s.price, s.priceCurrency, s.priceDay, s.traded = quoted.price, quoted.currency, quoted.day, quoted.traded
	s.updatedAt = max(s.updatedAt, quoted.updatedAt)
	num, den := r.priceFactor(security, quoted.day, s.from)
	currency, _ := LookupCurrency(s.priceCurrency) // what is stored was looked up
	exact := s.quantity.Mul(s.price).Shift(int32(currency.Exponent))
	if !num.Equal(den) {
		s.price = s.price.Mul(num).DivRound(den, pricePlaces)
		exact = exact.Mul(num).DivRound(den, 0)
	}
	minor := exact.Round(0)
	if minor.Abs().GreaterThan(decimal.New(MaxMinor, 0)) {
		return NewInvalid("price", "must keep the value of a holding below %s %s, %s units at %s are more",
			currency.Plain(MaxMinor), currency.Code, s.quantity, s.price)
	}
	s.value = minor.IntPart()
	return nil
}

// priceFactor is what a price of a day is worth on another after the splits between them, as a fraction: the
// splits of the first day are in its price already.
func (r *lineReader) priceFactor(security int64, from, to Date) (num, den decimal.Decimal) {
	num, den = decimal.New(1, 0), decimal.New(1, 0)
	for _, s := range r.splits[security] {
		if from < s.day && s.day <= to {
			num, den = num.Mul(s.den), den.Mul(s.num)
		}
	}
	return num, den
}

// price is the newest market price on or before a day, else the newest trade price.
func (r *lineReader) price(security int64, day Date) *quotedPrice {
	for _, list := range [][]quotedPrice{r.markets[security], r.trades[security]} {
		at, exact := slices.BinarySearchFunc(list, day, func(p quotedPrice, day Date) int { return int(p.day - day) })
		if !exact {
			at--
		}
		if at >= 0 {
			return &list[at]
		}
	}
	return nil
}
