package reconcile

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
)

// textBalance is a balance as the text has it, in minor units.
type textBalance struct {
	cash, held decimal.Decimal
	left       sums // without a rate
}

// until adds up what happens in an account up to the end of a day, and gives its balance then. Days only go forward.
func (r *Books) until(a *account, day ledger.Date) textBalance {
	for len(a.order) > 0 && a.order[0] <= day {
		r.pass(a, a.order[0])
		a.order = a.order[1:]
	}
	held, left := r.worth(a, day)
	for code, minor := range a.stated {
		left.add(code, minor.Neg())
	}
	for code, minor := range a.left {
		left.add(code, minor)
	}
	return textBalance{a.cash, held, left}
}

// pass adds a day.
func (r *Books) pass(a *account, day ledger.Date) {
	d := a.days[day]
	a.cash = a.cash.Add(d.own)
	for code, minor := range d.foreign {
		from, _ := money.LookupCurrency(code) // it was looked up when it was read
		if converted, known := r.rates.convert(minor, from, a.currency, day); known {
			a.cash = a.cash.Add(converted)
		} else {
			a.left.add(code, minor)
		}
	}
	for code, minor := range d.bare {
		a.left.add(code, minor)
	}
	for security, units := range d.units {
		a.units[security] = r.split(security, day, a.units[security]).Add(units)
	}
	if d.states {
		// Make the sum what a valuation says: the cash is what the holdings leave of it.
		held, left := r.worth(a, day)
		a.stated = left
		if d.total != nil {
			a.cash = d.total.Sub(held)
			clear(a.left)
		}
	}
}

// split is a quantity after the split of a day, if there is one.
func (r *Books) split(security string, day ledger.Date, units decimal.Decimal) decimal.Decimal {
	const leastPlaces = 8
	for _, s := range r.splits[security] {
		if s.day == day {
			units = units.Mul(s.num).DivRound(s.den, max(leastPlaces, -units.Exponent()))
		}
	}
	return units
}

// worth is what an account holds on a day in its own currency, and what has no rate of it.
func (r *Books) worth(a *account, day ledger.Date) (held decimal.Decimal, left sums) {
	worth := map[money.Currency]decimal.Decimal{}
	for security, units := range a.units {
		if price, found := r.price(security, day); found && !units.IsZero() {
			num, den := r.since(security, price.day, day)
			exact := units.Mul(price.price).Shift(int32(price.currency.Exponent)).Mul(num)
			worth[price.currency] = worth[price.currency].Add(exact.DivRound(den, 0))
		}
	}
	left = sums{}
	for currency, minor := range worth {
		if converted, known := r.rates.convert(minor, currency, a.currency, day); known {
			held = held.Add(converted)
		} else {
			left[currency.Code] = minor
		}
	}
	return held, left
}

// price is the market price in force on a day, else that of a trade.
func (r *Books) price(security string, day ledger.Date) (priceFrom, bool) {
	for _, list := range [][]priceFrom{r.markets[security], r.tradings[security]} {
		at, found := slices.BinarySearchFunc(list, day, func(p priceFrom,
			day ledger.Date) int {
			return cmp.Compare(p.day, day)
		})
		if found {
			return list[at], true
		}
		if at > 0 {
			return list[at-1], true
		}
	}
	return priceFrom{}, false
}

// since is what splits have made of a price since its day, as a fraction.
func (r *Books) since(security string, from, to ledger.Date) (num, den decimal.Decimal) {
	num, den = decimal.New(1, 0), decimal.New(1, 0)
	for _, s := range r.splits[security] {
		if from < s.day && s.day <= to {
			num, den = num.Mul(s.den), den.Mul(s.num)
		}
	}
	return num, den
}
