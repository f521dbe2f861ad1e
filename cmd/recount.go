package cmd

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
)

// recount is a household as an exported text has it, and nothing else: what was exported is proved by adding it up
// once more, by code that shares nothing with what wrote it.
//
// Its readers know the text's form only; sums, rates, prices and splits are counted without a line of the ledger's.
type recount struct {
	accounts map[string]*recountAccount // by id
	markets  map[string][]recountPrice  // by security
	traded   map[string]map[ledger.Date]recountTraded
	splits   map[string][]recountSplit
	rates    recountRates
	tradings map[string][]recountPrice // of traded, made when it is whole
}

func newRecount() *recount {
	return &recount{accounts: map[string]*recountAccount{}, markets: map[string][]recountPrice{}, traded: map[string]map[ledger.Date]recountTraded{},
		splits: map[string][]recountSplit{}, rates: recountRates{}}
}

// recountAccount is what the text says of an account, and how far it is added up.
type recountAccount struct {
	currency ledger.Currency
	sign     decimal.Decimal // of what the text states: -1 where it writes what is owed as positive
	days     map[ledger.Date]*recountDay
	order    []ledger.Date
	cash     decimal.Decimal
	left     recountSums // without a rate
	stated   recountSums // held without a rate when a valuation stated the sum
	units    map[string]decimal.Decimal
}

// recountSums are sums in minor units by currency. They have no bounds: nothing that is added up here goes round.
type recountSums map[string]decimal.Decimal

func (s recountSums) add(code string, minor decimal.Decimal) { s[code] = s[code].Add(minor) }

// recountDay is what happens in an account on a day, in minor units.
type recountDay struct {
	own     decimal.Decimal
	foreign recountSums // counts at the rate of the day
	bare    recountSums // the text says that it has no rate
	units   map[string]decimal.Decimal
	states  bool             // the sum is stated
	total   *decimal.Decimal // as this; nil when the text has made cash what it must be
}

// recountPrice is a price of a security from a day on.
type recountPrice struct {
	day      ledger.Date
	price    decimal.Decimal
	currency ledger.Currency
}

type recountTraded struct {
	currency         string
	quantity, volume decimal.Decimal
}

type recountSplit struct {
	day      ledger.Date
	num, den decimal.Decimal
}

// open notes an account.
func (r *recount) open(id string, currency ledger.Currency, sign decimal.Decimal) {
	r.accounts[id] = &recountAccount{currency: currency, sign: sign, days: map[ledger.Date]*recountDay{}, left: recountSums{},
		stated: recountSums{}, units: map[string]decimal.Decimal{}}
}

func (r *recount) account(id string) (*recountAccount, error) {
	if a := r.accounts[id]; a != nil {
		return a, nil
	}
	return nil, fmt.Errorf("the text has an entry of the account %s, and no such account", ledger.Quote(id))
}

// on is a day of the account.
func (a *recountAccount) on(day ledger.Date) *recountDay {
	if a.days[day] == nil {
		a.days[day] = &recountDay{foreign: recountSums{}, bare: recountSums{}}
	}
	return a.days[day]
}

// book adds an amount as the text has it.
func (a *recountAccount) book(day ledger.Date, amount, code string) error {
	currency, minor, err := readAmount(amount, code)
	switch {
	case err != nil:
		return err
	case currency == a.currency:
		a.on(day).own = a.on(day).own.Add(minor)
	default:
		a.on(day).foreign.add(code, minor)
	}
	return nil
}

// readAmount reads an amount exactly, in minor units: one that is no whole number of them is an error. It may be larger
// than what can be entered, as what a rate makes of that.
func readAmount(amount, code string) (ledger.Currency, decimal.Decimal, error) {
	currency, known := ledger.LookupCurrency(code)
	number, err := decimal.NewFromString(amount)
	minor := number.Shift(int32(currency.Exponent))
	if err != nil || !known || !minor.IsInteger() {
		return currency, decimal.Zero, fmt.Errorf("the text has the amount %s %s", ledger.Quote(amount), ledger.Quote(code))
	}
	return currency, minor, nil
}

// trade adds units of a security; of a sale they are negative.
func (a *recountAccount) trade(day ledger.Date, security string, units decimal.Decimal) {
	d := a.on(day)
	if d.units == nil {
		d.units = map[string]decimal.Decimal{}
	}
	d.units[security] = d.units[security].Add(units)
}

// paid notes the price of a trade. Of several on a day the average counts, of several currencies the first by code.
func (r *recount) paid(security string, day ledger.Date, units, price decimal.Decimal, currency string) {
	if r.traded[security] == nil {
		r.traded[security] = map[ledger.Date]recountTraded{}
	}
	t := r.traded[security][day]
	switch {
	case t.currency == "" || currency < t.currency:
		t = recountTraded{currency, units.Abs(), units.Abs().Mul(price)}
	case t.currency == currency:
		t.quantity, t.volume = t.quantity.Add(units.Abs()), t.volume.Add(units.Abs().Mul(price))
	}
	r.traded[security][day] = t
}

// quote notes a price.
func (r *recount) quote(security string, day ledger.Date, price, currency string) error {
	number, err := decimal.NewFromString(price)
	known, found := ledger.LookupCurrency(currency)
	if err != nil || !found {
		return fmt.Errorf("the text has the price %s %s", ledger.Quote(price), ledger.Quote(currency))
	}
	r.markets[security] = append(r.markets[security], recountPrice{day, number, known})
	return nil
}

// finish sorts what the text has in any order.
func (r *recount) finish() {
	const averagePlaces = 12
	r.tradings = map[string][]recountPrice{}
	for security, days := range r.traded {
		for day, t := range days {
			currency, _ := ledger.LookupCurrency(t.currency) // it was looked up with the amount
			r.tradings[security] = append(r.tradings[security], recountPrice{day, t.volume.DivRound(t.quantity, averagePlaces), currency})
		}
	}
	for _, lists := range []map[string][]recountPrice{r.markets, r.tradings} {
		for _, list := range lists {
			slices.SortStableFunc(list, func(a, b recountPrice) int { return cmp.Compare(a.day, b.day) })
		}
	}
	for security, list := range r.splits {
		slices.SortFunc(list, func(a, b recountSplit) int { return cmp.Compare(a.day, b.day) })
		for _, a := range r.accounts {
			for _, s := range list {
				if len(a.days) > 0 {
					a.trade(s.day, security, decimal.Zero) // on that day the units change
				}
			}
		}
	}
	for _, a := range r.accounts {
		a.order = slices.Sorted(maps.Keys(a.days))
	}
	r.rates.finish()
}
