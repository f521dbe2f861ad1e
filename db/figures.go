package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// Figures are what the books in a file come to, by what they are of. They are counted from the rows that people
// entered and from nothing that is kept beside them, by code that the ledger does not use, from a file of any schema:
// so they prove the ledger, and an upgrade.
type Figures map[FigureKey]Figure

// FigureKey says what a figure is of: the balance of an account at the end of a day (days since 1970-01-01), or the net
// worth of the household when Account is 0.
type FigureKey struct{ Household, Account, Day int64 }

// Figure is a sum in minor units, into the account positive, and what it leaves out for want of an exchange rate, such as
// "-500 JPY" by commas, amounts in minor units; that of a net worth is not kept.
type Figure struct {
	Minor   int64
	LeftOut string
}

// Counting says how figures are counted.
type Counting struct {
	Decimals func(currency string) (places int, known bool) // of a currency's amounts
	Today    int64                                          // a day that is counted besides the ends of months
	Only     int64                                          // the household that is counted; 0: all
	Seen     func(Entry) error                              // told of every entry in the order of keys; may be nil
}

// Entry is a row that moves cash. A hidden one belongs to an import that is being written: it does not count.
type Entry struct {
	Key, Account, Day, Minor int64
	Currency                 string
	Trade, Hidden            bool
}

// CountFigures counts the balance of every account and the net worth of every household at the end of each month from
// the first entry to the last one or today, and today. It reads all rows once; what it keeps in memory grows with
// accounts and months, not with entries.
func CountFigures(ctx context.Context, q *queries.Queries, how Counting) (Figures, error) {
	r := rowReader{ctx, q}
	schema, err := r.schema()
	if err != nil {
		return nil, err
	}
	figures := Figures{}
	homes, err := r.homes(how.Today)
	if err != nil {
		return nil, err
	}
	rates := &rateTable{rows: r, schema: schema, decimals: how.Decimals, pairs: map[pair][]published{}}
	for _, h := range homes {
		if how.Only != 0 && how.Only != h.id {
			continue
		}
		c := counter{rowReader: r, how: how, schema: schema, rates: rates, home: h, figures: figures}
		if err := c.count(); err != nil {
			return nil, fmt.Errorf("count household %d: %w", h.id, err)
		}
	}
	return figures, nil
}

// counter counts one household.
type counter struct {
	rowReader
	how      Counting
	schema   int64
	rates    *rateTable
	home     home
	figures  Figures
	accounts map[int64]*counted
	order    []*counted
	points   []int64 // days of figures
	marks    []int64 // these and those of valuations
	day      int64   // that is being added up
	sums     map[cashKey]int64
}

type cashKey struct {
	account  int64
	currency string
}

// counted is an account on its way from day to day.
type counted struct {
	id       int64
	currency string
	counts   bool                       // in the net worth
	values   map[int64]int64            // valuations by day
	held     map[int64]map[string]int64 // what its securities are worth on marks, by currency of the prices
	cash     int64
	left     map[string]int64 // of what was booked, for want of a rate
	stated   map[string]int64 // of what was held when a valuation stated the sum
}

func (c *counter) count() error {
	if c.schema >= schemaOfAccounts {
		if err := errors.Join(c.readAccounts(), c.readValuations()); err != nil {
			return err
		}
	}
	if err := c.setMarks(); err != nil {
		return err
	}
	if err := c.readHoldings(); err != nil {
		return err
	}
	c.sums = map[cashKey]int64{}
	if c.schema >= schemaOfAccounts {
		if err := c.entries(c.home, c.schema, c.book); err != nil {
			return err
		}
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
	c.sums[cashKey{e.Account, e.Currency}] += e.Minor
	return nil
}

// reach ends the day that is being added up, and looks at the marks before the next.
func (c *counter) reach(next int64) error {
	for key, minor := range c.sums {
		if err := c.bookDay(key, minor); err != nil {
			return err
		}
	}
	clear(c.sums)
	for len(c.marks) > 0 && c.marks[0] < next {
		if err := c.mark(c.marks[0]); err != nil {
			return err
		}
		c.marks = c.marks[1:]
	}
	c.day = next
	return nil
}

// bookDay counts what was booked on a day: in another currency at its rate, as one sum.
func (c *counter) bookDay(key cashKey, minor int64) error {
	a := c.accounts[key.account]
	if a == nil {
		return nil // it is no account of the household: the audit says so
	}
	converted, known, err := c.rates.convert(minor, key.currency, a.currency, c.day)
	if !known {
		a.left[key.currency] += minor
	}
	a.cash += converted
	return err
}

// mark takes in the valuations at the end of a day, and notes the figures if it is one of theirs.
func (c *counter) mark(day int64) error {
	var worth int64
	_, noted := slices.BinarySearch(c.points, day)
	for _, a := range c.order {
		held, missing, err := c.worth(a, day)
		if err != nil {
			return err
		}
		if stated, valued := a.values[day]; valued {
			a.cash, a.left, a.stated = stated-held, map[string]int64{}, missing
		}
		if !noted {
			continue
		}
		balance := a.cash + held
		c.figures[FigureKey{c.home.id, a.id, day}] = Figure{balance, a.leftOut(missing)}
		converted, _, err := c.rates.convert(balance, a.currency, c.home.currency, day)
		if err != nil {
			return err
		}
		if a.counts {
			worth += converted
		}
	}
	if noted {
		c.figures[FigureKey{c.home.id, 0, day}] = Figure{Minor: worth}
	}
	return nil
}

// worth is what an account's securities are worth in its currency, and what has no rate of that.
func (c *counter) worth(a *counted, day int64) (minor int64, missing map[string]int64, err error) {
	for currency, value := range a.held[day] {
		converted, known, err := c.rates.convert(value, currency, a.currency, day)
		if err != nil {
			return 0, nil, err
		}
		minor += converted
		if !known {
			if missing == nil {
				missing = map[string]int64{}
			}
			missing[currency] = value
		}
	}
	return minor, missing, nil
}

// leftOut is what a balance leaves out: of what a valuation stated only the change since.
func (a *counted) leftOut(missing map[string]int64) string {
	sums := maps.Clone(a.left)
	for currency, minor := range missing {
		sums[currency] += minor
	}
	for currency, minor := range a.stated {
		sums[currency] -= minor
	}
	return LeftOut(sums)
}

// LeftOut writes sums by currency as a [Figure] has them.
func LeftOut(sums map[string]int64) string {
	var texts []string
	for _, currency := range slices.Sorted(maps.Keys(sums)) {
		if sums[currency] != 0 {
			texts = append(texts, fmt.Sprint(sums[currency], " ", currency))
		}
	}
	return strings.Join(texts, ", ")
}

// Difference is a figure that is not what it was; nil is none.
type Difference struct {
	FigureKey
	Before, After *Figure
}

// Differences are where two counts differ, by household, account and day.
func (f Figures) Differences(after Figures) (list []Difference) {
	for key, was := range f {
		now, there := after[key]
		switch {
		case !there:
			list = append(list, Difference{key, &was, nil})
		case now != was:
			list = append(list, Difference{key, &was, &now})
		}
	}
	for key, now := range after {
		if _, there := f[key]; !there {
			list = append(list, Difference{key, nil, &now})
		}
	}
	slices.SortFunc(list, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.Household, b.Household), cmp.Compare(a.Account, b.Account), cmp.Compare(a.Day, b.Day))
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

// amount is minor units of a currency as a person reads them.
func (how Counting) amount(minor int64, currency string) string {
	places, _ := how.Decimals(currency)
	return decimal.New(minor, -int32(places)).StringFixed(int32(places)) + " " + currency
}
