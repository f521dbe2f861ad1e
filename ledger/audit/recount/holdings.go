package recount

import (
	"cmp"
	"maps"
	"slices"

	"github.com/shopspring/decimal"
)

const (
	splitPlaces = 8  // the least decimals that a quantity keeps where a split does not come out even
	pricePlaces = 12 // those of an average of prices of trades
)

// holding is a security of a household while it is counted.
type holding struct {
	moves   map[int64]map[int64]decimal.Decimal // quantities bought less those sold, by account and day
	splits  []ratio                             // by day
	markets []quote                             // by day
	// averages of what was paid, by day; they stand in before the first of markets
	paid []quote
}

type ratio struct {
	day      int64
	num, den decimal.Decimal
}

type quote struct {
	day             int64
	price, currency string
}

func (q quote) on() int64 { return q.day }

func (c *counter) readHolding(security int64) (*holding, error) {
	h := &holding{moves: map[int64]map[int64]decimal.Decimal{}}
	if err := c.readMoves(h, security); err != nil || len(h.moves) == 0 {
		return h, err
	}
	if err := c.each(func(scan func(...any) error) error {
		var day, num, den int64
		err := scan(&day, &num, &den)
		h.splits = append(h.splits, ratio{day, decimal.New(num, 0), decimal.New(den, 0)})
		return err
	}, "SELECT date, numerator, denominator FROM security_splits WHERE security_id = ? AND household_id = ? ORDER BY date", security, c.home.id); err != nil {
		return nil, err
	}
	return h, c.each(func(scan func(...any) error) error {
		var q quote
		err := scan(&q.day, &q.price, &q.currency)
		h.markets = append(h.markets, q)
		return err
	}, "SELECT date, price, currency FROM security_prices WHERE security_id = ? AND household_id = ? ORDER BY date",
		security, c.home.id)
}

// payment is what was paid for a security on a day, in the first currency by code of those in which it was.
type payment struct {
	currency         string
	quantity, volume decimal.Decimal
}

func (c *counter) readMoves(h *holding, security int64) error {
	payments := map[int64]payment{}
	if err := c.each(func(scan func(...any) error) error {
		var account, day int64
		var quantityText, priceText, currency string
		if err := scan(&account, &day, &quantityText, &priceText, &currency); err != nil {
			return err
		}
		quantity, err := decimal.NewFromString(quantityText)
		if err != nil {
			return err
		}
		price, err := decimal.NewFromString(priceText)
		if c.accounts[account] == nil || err != nil {
			return err // an account of another household: the audit says so
		}
		if h.moves[account] == nil {
			h.moves[account] = map[int64]decimal.Decimal{}
		}
		h.moves[account][day] = h.moves[account][day].Add(quantity)
		payments[day] = payments[day].with(quantity.Abs(), price, currency)
		return nil
	}, "SELECT account_id, date, quantity, price, currency FROM trades WHERE security_id = ? AND household_id = ? AND kind IN ('buy', 'sell')",
		security, c.home.id); err != nil {
		return err
	}
	for _, day := range slices.Sorted(maps.Keys(payments)) {
		p := payments[day]
		h.paid = append(h.paid, quote{day, p.volume.DivRound(p.quantity, pricePlaces).String(), p.currency})
	}
	return nil
}

func (p payment) with(quantity, price decimal.Decimal, currency string) payment {
	switch {
	case p.currency == currency:
		return payment{currency, p.quantity.Add(quantity), p.volume.Add(quantity.Mul(price))}
	case p.currency == "" || currency < p.currency:
		return payment{currency, quantity, quantity.Mul(price)}
	}
	return p
}

// value notes what an account's holding of a security is worth on every mark.
func (c *counter) value(a *counted, h *holding, moves map[int64]decimal.Decimal) error {
	days := slices.Collect(maps.Keys(moves))
	for _, s := range h.splits {
		days = append(days, s.day)
	}
	slices.Sort(days)
	days = slices.Compact(days)
	var quantity decimal.Decimal
	for _, mark := range c.marks {
		for len(days) > 0 && days[0] <= mark {
			quantity = h.move(quantity, days[0], moves[days[0]])
			days = days[1:]
		}
		if quantity.IsZero() {
			continue
		}
		value, currency, err := h.value(quantity, mark, c.how.Decimals)
		if err != nil {
			return err
		}
		if a.held[mark] == nil {
			a.held[mark] = sums{}
		}
		a.held[mark].add(currency, value)
	}
	return nil
}

// move is what is left of a quantity at the end of a day: a split comes before trades.
func (h *holding) move(quantity decimal.Decimal, day int64, traded decimal.Decimal) decimal.Decimal {
	for _, s := range h.splits {
		if s.day == day {
			quantity = trimmed(quantity)
			quantity = quantity.Mul(s.num).DivRound(s.den, max(splitPlaces, -quantity.Exponent()))
		}
	}
	return quantity.Add(traded)
}

// trimmed is a number without zeros at its end: it has as many decimals as one that was read from a row.
func trimmed(d decimal.Decimal) decimal.Decimal {
	again, err := decimal.NewFromString(d.String())
	if err != nil {
		return d
	}
	return again
}

// value is a quantity at the newest price, which splits since its day have changed, rounded half away from zero.
func (h *holding) value(quantity decimal.Decimal, day int64, decimals func(string) (int, bool)) (decimal.Decimal,
	string, error) {
	q, found := newestBy(h.markets, day, quote.on)
	if !found {
		q, found = newestBy(h.paid, day, quote.on)
	}
	if !found {
		return decimal.Zero, "", nil // a split of nothing
	}
	price, err := decimal.NewFromString(q.price)
	if err != nil {
		return decimal.Zero, "", err
	}
	num, den := decimal.New(1, 0), decimal.New(1, 0)
	for _, s := range h.splits {
		if q.day < s.day && s.day <= day {
			num, den = num.Mul(s.den), den.Mul(s.num)
		}
	}
	places, _ := decimals(q.currency)
	return quantity.Mul(price).Shift(int32(places)).Mul(num).DivRound(den, 0), q.currency, nil
}

// newestBy is the last of a list in order of days that is not after a day; false when all are.
func newestBy[T any](list []T, day int64, dayOf func(T) int64) (newest T, found bool) {
	at, exact := slices.BinarySearchFunc(list, day, func(x T, day int64) int { return cmp.Compare(dayOf(x), day) })
	if !exact {
		at--
	}
	if at < 0 {
		return newest, false
	}
	return list[at], true
}
