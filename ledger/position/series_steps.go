package position

import (
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
)

// pricePlaces is how many decimals a price keeps that a split since its day divides.
const pricePlaces = 12

// steps makes the steps of a line: one for each day on which its position, its price or a split changes it.
// Nothing is worth nothing at any price, so prices make no steps while nothing is held.
func (r *LineReader) steps(at Key) ([]Step, error) {
	positions := r.positions[at]
	if len(positions) == 0 {
		return nil, nil
	}
	var steps []Step
	for i, p := range positions {
		base := Step{from: ledger.Date(p.Date), costCurrency: p.Currency, costUnknown: p.CostUnknown == 1,
			createdAt: p.UpdatedAt, updatedAt: p.UpdatedAt}
		var err error
		base.Quantity, base.cost, err = money.TwoDecimals(p.Quantity, p.Cost)
		if err != nil {
			return nil, err
		}
		until := r.Last
		if i+1 < len(positions) {
			until = ledger.Date(positions[i+1].Date) - 1
		}
		days := []ledger.Date{base.from}
		if !base.Quantity.IsZero() {
			days = r.PriceDays(at.Security, base.from, until)
		}
		for _, day := range days {
			s := base
			s.from = day
			if err := r.value(&s, at.Security); err != nil {
				return nil, err
			}
			steps = append(steps, s)
		}
	}
	return steps, nil
}

// PriceDays are a first day, or that on which reading begins, and those after it, up to another, on which a
// security has another price. Splits make positions, and so steps, of their own.
func (r *LineReader) PriceDays(security int64, from, until ledger.Date) []ledger.Date {
	days := []ledger.Date{max(from, r.First)}
	for _, list := range [][]QuotedPrice{r.markets[security], r.Trades[security]} {
		at, _ := slices.BinarySearchFunc(list, days[0]+1, func(p QuotedPrice,
			day ledger.Date) int {
			return int(p.Day - day)
		})
		for ; at < len(list) && list[at].Day <= until; at++ {
			days = append(days, list[at].Day)
		}
	}
	slices.Sort(days)
	return slices.Compact(days)
}

// value finds the price of a step's day and what is held is worth at it.
func (r *LineReader) value(s *Step, security int64) error {
	quoted := r.Price(security, s.from)
	if quoted == nil {
		return nil // a position comes from a trade, and a trade has a price
	}
	s.Price, s.PriceCurrency, s.PriceDay, s.Traded = quoted.Price, quoted.Currency, quoted.Day, quoted.traded
	s.updatedAt = max(s.updatedAt, quoted.updatedAt)
	num, den := r.PriceFactor(security, quoted.Day, s.from)
	currency, _ := money.LookupCurrency(s.PriceCurrency) // what is stored was looked up
	exact := s.Quantity.Mul(s.Price).Shift(int32(currency.Exponent))
	if !num.Equal(den) {
		s.Price = s.Price.Mul(num).DivRound(den, pricePlaces)
		exact = exact.Mul(num).DivRound(den, 0)
	}
	minor := exact.Round(0)
	if minor.Abs().GreaterThan(decimal.New(money.MaxMinor, 0)) {
		return ledger.NewInvalid("price", "must keep the value of a holding below %s %s, %s units at %s are more",
			currency.Plain(money.MaxMinor), currency.Code, s.Quantity, s.Price)
	}
	s.Value = minor.IntPart()
	return nil
}

// PriceFactor is what a price of a day is worth on another after the splits between them, as a fraction: the
// splits of the first day are in its price already.
func (r *LineReader) PriceFactor(security int64, from, to ledger.Date) (num, den decimal.Decimal) {
	num, den = decimal.New(1, 0), decimal.New(1, 0)
	for _, s := range r.Splits[security] {
		if from < s.Day && s.Day <= to {
			num, den = num.Mul(s.Den), den.Mul(s.Num)
		}
	}
	return num, den
}

// Price is the newest market price on or before a day, else the newest trade price.
func (r *LineReader) Price(security int64, day ledger.Date) *QuotedPrice {
	for _, list := range [][]QuotedPrice{r.markets[security], r.Trades[security]} {
		at, exact := slices.BinarySearchFunc(list, day, func(p QuotedPrice,
			day ledger.Date) int {
			return int(p.Day - day)
		})
		if !exact {
			at--
		}
		if at >= 0 {
			return &list[at]
		}
	}
	return nil
}
