// Package reconcile proves an export by a second reading: the text is added up once more, by code that shares nothing
// with what wrote it, and its balances are compared with those of the books, account by account and month by month.
//
// Its readers know the form of a text only; sums, rates, prices and splits are counted without a line of the ledger's.
package reconcile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
)

// Books is a household as an exported text has it, and nothing else.
type Books struct {
	accounts map[string]*account    // by id
	markets  map[string][]priceFrom // by security
	traded   map[string]map[ledger.Date]tradedOn
	splits   map[string][]splitOn
	rates    rates
	tradings map[string][]priceFrom // of traded, made when it is whole
}

func newBooks() *Books {
	return &Books{accounts: map[string]*account{}, markets: map[string][]priceFrom{},
		traded: map[string]map[ledger.Date]tradedOn{},
		splits: map[string][]splitOn{}, rates: rates{}}
}

// account is what the text says of an account, and how far it is added up.
type account struct {
	currency money.Currency
	sign     decimal.Decimal // of what the text states: -1 where it writes what is owed as positive
	days     map[ledger.Date]*dayTotals
	order    []ledger.Date
	cash     decimal.Decimal
	left     sums // without a rate
	stated   sums // held without a rate when a valuation stated the sum
	units    map[string]decimal.Decimal
}

// sums are sums in minor units by currency. They have no bounds: nothing that is added up here goes round.
type sums map[string]decimal.Decimal

func (s sums) add(code string, minor decimal.Decimal) { s[code] = s[code].Add(minor) }

// dayTotals is what happens in an account on a day, in minor units.
type dayTotals struct {
	own     decimal.Decimal
	foreign sums // counts at the rate of the day
	bare    sums // the text says that it has no rate
	units   map[string]decimal.Decimal
	states  bool             // the sum is stated
	total   *decimal.Decimal // as this; nil when the text has made cash what it must be
}

// priceFrom is a price of a security from a day on.
type priceFrom struct {
	day      ledger.Date
	price    decimal.Decimal
	currency money.Currency
}

type tradedOn struct {
	currency         string
	quantity, volume decimal.Decimal
}

type splitOn struct {
	day      ledger.Date
	num, den decimal.Decimal
}

// open notes an account.
func (r *Books) open(id string, currency money.Currency, sign decimal.Decimal) {
	r.accounts[id] = &account{currency: currency, sign: sign, days: map[ledger.Date]*dayTotals{}, left: sums{},
		stated: sums{}, units: map[string]decimal.Decimal{}}
}

func (r *Books) account(id string) (*account, error) {
	if a := r.accounts[id]; a != nil {
		return a, nil
	}
	return nil, fmt.Errorf("the text has an entry of the account %s, and no such account", ledger.Quote(id))
}

// on is a day of the account.
func (a *account) on(day ledger.Date) *dayTotals {
	if a.days[day] == nil {
		a.days[day] = &dayTotals{foreign: sums{}, bare: sums{}}
	}
	return a.days[day]
}

// book adds an amount as the text has it.
func (a *account) book(day ledger.Date, amount, code string) error {
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
func readAmount(amount, code string) (money.Currency, decimal.Decimal, error) {
	currency, known := money.LookupCurrency(code)
	number, err := decimal.NewFromString(amount)
	minor := number.Shift(int32(currency.Exponent))
	if err != nil || !known || !minor.IsInteger() {
		return currency, decimal.Zero, fmt.Errorf("the text has the amount %s %s", ledger.Quote(amount),
			ledger.Quote(code))
	}
	return currency, minor, nil
}

// trade adds units of a security; of a sale they are negative.
func (a *account) trade(day ledger.Date, security string, units decimal.Decimal) {
	d := a.on(day)
	if d.units == nil {
		d.units = map[string]decimal.Decimal{}
	}
	d.units[security] = d.units[security].Add(units)
}

// paid notes the price of a trade. Of several on a day the average counts, of several currencies the first by code.
func (r *Books) paid(security string, day ledger.Date, units, price decimal.Decimal, currency string) {
	if r.traded[security] == nil {
		r.traded[security] = map[ledger.Date]tradedOn{}
	}
	t := r.traded[security][day]
	switch {
	case t.currency == "" || currency < t.currency:
		t = tradedOn{currency, units.Abs(), units.Abs().Mul(price)}
	case t.currency == currency:
		t.quantity, t.volume = t.quantity.Add(units.Abs()), t.volume.Add(units.Abs().Mul(price))
	}
	r.traded[security][day] = t
}

// quote notes a price.
func (r *Books) quote(security string, day ledger.Date, price, currency string) error {
	number, err := decimal.NewFromString(price)
	known, found := money.LookupCurrency(currency)
	if err != nil || !found {
		return fmt.Errorf("the text has the price %s %s", ledger.Quote(price), ledger.Quote(currency))
	}
	r.markets[security] = append(r.markets[security], priceFrom{day, number, known})
	return nil
}

// finish sorts what the text has in any order.
func (r *Books) finish() {
	const averagePlaces = 12
	r.tradings = map[string][]priceFrom{}
	for security, days := range r.traded {
		for day, t := range days {
			currency, _ := money.LookupCurrency(t.currency) // it was looked up with the amount
			r.tradings[security] = append(r.tradings[security],
				priceFrom{day, t.volume.DivRound(t.quantity, averagePlaces), currency})
		}
	}
	for _, lists := range []map[string][]priceFrom{r.markets, r.tradings} {
		for _, list := range lists {
			slices.SortStableFunc(list, func(a, b priceFrom) int { return cmp.Compare(a.day, b.day) })
		}
	}
	for security, list := range r.splits {
		slices.SortFunc(list, func(a, b splitOn) int { return cmp.Compare(a.day, b.day) })
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
