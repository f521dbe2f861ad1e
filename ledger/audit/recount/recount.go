// Package recount counts balances and net worth once more, from the rows that people entered: it proves the ledger. It
// promises that two counts of the same rows are equal, whatever version of the schema they stand in. It shares no code
// with the ledger, neither its sums nor its rates nor its keys, and reads nothing that is kept beside the rows: what
// is wrong there must not be wrong here.
package recount

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// Figures are what the books in a file come to, by what they are of.
type Figures map[Key]Figure

// Key says what a figure is of: the balance of an account at the end of a day (days since 1970-01-01), or the net
// worth of the household when Account is 0.
type Key struct{ Household, Account, Day int64 }

// Figure is a sum in minor units, into the account positive, and what it leaves out for want of an exchange rate, or
// because 64 bits do not hold it, such as "-500 JPY" by commas, amounts in minor units; that of a net worth is not
// kept. A net worth may be beyond 64 bits.
type Figure struct {
	Minor   decimal.Decimal
	LeftOut string
}

// Equal reports whether both say the same.
func (f Figure) Equal(g Figure) bool { return f.Minor.Equal(g.Minor) && f.LeftOut == g.LeftOut }

// sums are amounts in minor units by currency. They have no bounds: nothing that is added up here goes round.
type sums map[string]decimal.Decimal

func (s sums) add(currency string, minor decimal.Decimal) { s[currency] = s[currency].Add(minor) }

// isAmount reports whether a sum is one that an account can have: 64 bits hold it, and what is its opposite.
func isAmount(sum decimal.Decimal) bool {
	whole := sum.BigInt()
	return whole.IsInt64() && whole.Int64() != math.MinInt64
}

// Options say how figures are counted.
type Options struct {
	Decimals func(currency string) (places int, known bool) // of a currency's amounts
	Today    int64                                          // a day that is counted besides the ends of months
	Only     int64                                          // the household that is counted; 0: all
	// is called with every entry in the order of keys; may be nil
	Seen func(Entry) error
}

// Entry is a row that moves cash. A hidden one belongs to an import that is being written: it does not count.
type Entry struct {
	Key, Account, Day, Minor int64
	Currency                 string
	Trade, Hidden            bool
}

// Count counts the balance of every account and the net worth of every household at the end of each month from
// the first entry to the last one or today, and today. It reads all rows once; what it keeps in memory grows with
// accounts and months, not with entries.
func Count(ctx context.Context, q *queries.Queries, how Options) (Figures, error) {
	r := rowReader{ctx, q}
	figures := Figures{}
	homes, err := r.homes(how.Today)
	if err != nil {
		return nil, err
	}
	rates := &rateTable{rows: r, decimals: how.Decimals, pairs: map[pair][]published{}}
	for _, h := range homes {
		if how.Only != 0 && how.Only != h.id {
			continue
		}
		c := counter{rowReader: r, how: how, rates: rates, home: h, figures: figures}
		if err := c.count(); err != nil {
			return nil, fmt.Errorf("count household %d: %w", h.id, err)
		}
	}
	return figures, nil
}

// counter counts one household.
type counter struct {
	rowReader
	how      Options
	rates    *rateTable
	home     home
	figures  Figures
	accounts map[int64]*counted
	order    []*counted
	points   []int64 // days of figures
	marks    []int64 // these and those of valuations
	day      int64   // that is being added up
	sums     map[cashKey]*big.Int
}

type cashKey struct {
	account  int64
	currency string
}

// counted is an account on its way from day to day.
type counted struct {
	id       int64
	currency string
	counts   bool                      // in the net worth
	values   map[int64]decimal.Decimal // valuations by day
	held     map[int64]sums            // what its securities are worth on marks, by currency of the prices
	cash     decimal.Decimal
	left     sums // of what was booked, for want of a rate
	stated   sums // of what was held when a valuation stated the sum
}

func (c *counter) count() error {
	if err := errors.Join(c.readAccounts(), c.readValuations()); err != nil {
		return err
	}
	if err := c.setMarks(); err != nil {
		return err
	}
	// Find out what accounts hold on the days that are looked at.
	var securities []int64
	if err := c.each(func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		securities = append(securities, id)
		return err
	}, "SELECT id FROM securities WHERE household_id = ?", c.home.id); err != nil {
		return err
	}
	for _, security := range securities {
		h, err := c.readHolding(security)
		if err != nil {
			return err
		}
		for account, moves := range h.moves {
			if err := c.value(c.accounts[account], h, moves); err != nil {
				return err
			}
		}
	}
	c.sums = map[cashKey]*big.Int{}
	if err := c.entries(c.home, c.book); err != nil {
		return err
	}
	return c.reach(c.points[len(c.points)-1] + 1)
}

// book takes in an entry; they come by day.
func (c *counter) book(e Entry) error {
	if c.how.Seen != nil {
		if err := c.how.Seen(e); err != nil {
			return err
		}
	}
	if e.Hidden {
		return nil
	}
	if e.Day != c.day {
		if err := c.reach(e.Day); err != nil {
			return err
		}
	}
	key := cashKey{e.Account, e.Currency}
	if c.sums[key] == nil {
		c.sums[key] = new(big.Int)
	}
	c.sums[key].Add(c.sums[key], big.NewInt(e.Minor))
	return nil
}

// reach ends the day that is being added up, and looks at the marks before the next.
func (c *counter) reach(next int64) error {
	for key, minor := range c.sums {
		if err := c.bookDay(key, decimal.NewFromBigInt(minor, 0)); err != nil {
			return err
		}
	}
	clear(c.sums)
	for len(c.marks) > 0 && c.marks[0] < next {
		if err := c.endDay(c.marks[0]); err != nil {
			return err
		}
		c.marks = c.marks[1:]
	}
	c.day = next
	return nil
}

// bookDay counts what was booked on a day: in another currency at its rate, as one sum.
func (c *counter) bookDay(key cashKey, minor decimal.Decimal) error {
	a := c.accounts[key.account]
	if a == nil {
		return nil // it is no account of the household: the audit says so
	}
	converted, known, err := c.rates.convert(minor, key.currency, a.currency, c.day)
	if !known {
		a.left.add(key.currency, minor)
	}
	a.cash = a.cash.Add(converted)
	return err
}

// endDay takes in the valuations at the end of a day, and notes the figures if it is one of theirs.
func (c *counter) endDay(day int64) error {
	var worth decimal.Decimal
	_, noted := slices.BinarySearch(c.points, day)
	for _, a := range c.order {
		held, missing, err := c.worth(a, day)
		if err != nil {
			return err
		}
		if stated, valued := a.values[day]; valued {
			a.cash, a.left, a.stated = stated.Sub(held), sums{}, missing
		}
		if !noted {
			continue
		}
		balance := a.balance(held, missing)
		c.figures[Key{c.home.id, a.id, day}] = balance
		converted, _, err := c.rates.convert(balance.Minor, a.currency, c.home.currency, day)
		if err != nil {
			return err
		}
		if a.counts {
			worth = worth.Add(converted)
		}
	}
	if noted {
		c.figures[Key{c.home.id, 0, day}] = Figure{Minor: worth}
	}
	return nil
}

// worth is what an account's securities are worth in its currency, and what has no rate of that.
func (c *counter) worth(a *counted, day int64) (minor decimal.Decimal, missing sums, err error) {
	for currency, value := range a.held[day] {
		converted, known, err := c.rates.convert(value, currency, a.currency, day)
		if err != nil {
			return minor, nil, err
		}
		minor = minor.Add(converted)
		if !known {
			if missing == nil {
				missing = sums{}
			}
			missing[currency] = value
		}
	}
	return minor, missing, nil
}

// balance is cash and what is held, and what that leaves out: of what a valuation stated only the change since. One of
// which a part is no amount is left out as a whole.
func (a *counted) balance(held decimal.Decimal, missing sums) Figure {
	balance, left := a.cash.Add(held), maps.Clone(a.left)
	for currency, minor := range missing {
		left.add(currency, minor)
	}
	for currency, minor := range a.stated {
		left.add(currency, minor.Neg())
	}
	if !isAmount(a.cash) || !isAmount(held) || !isAmount(balance) {
		left.add(a.currency, balance)
		balance = decimal.Zero
	}
	return Figure{balance, LeftOut(left)}
}

// LeftOut writes sums by currency as a [Figure] has them.
func LeftOut(left map[string]decimal.Decimal) string {
	var texts []string
	for _, currency := range slices.Sorted(maps.Keys(left)) {
		if !left[currency].IsZero() {
			texts = append(texts, left[currency].String()+" "+currency)
		}
	}
	return strings.Join(texts, ", ")
}

// Difference is a figure that is not what it was; nil is none.
type Difference struct {
	Key
	Before, After *Figure
}

// Differences are where two counts differ, by household, account and day.
func (f Figures) Differences(after Figures) (list []Difference) {
	for key, was := range f {
		now, there := after[key]
		switch {
		case !there:
			list = append(list, Difference{key, &was, nil})
		case !now.Equal(was):
			list = append(list, Difference{key, &was, &now})
		}
	}
	for key, now := range after {
		if _, there := f[key]; !there {
			list = append(list, Difference{key, nil, &now})
		}
	}
	slices.SortFunc(list, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.Household, b.Household), cmp.Compare(a.Account, b.Account),
			cmp.Compare(a.Day, b.Day))
	})
	return list
}

// Days are those of a household's figures, in order.
func (f Figures) Days(household int64) []int64 {
	var days []int64
	for key := range f {
		if key.Household == household && key.Account == 0 {
			days = append(days, key.Day)
		}
	}
	slices.Sort(days)
	return days
}
