package recount

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// rowReader reads the rows that figures are counted from.
type rowReader struct {
	ctx context.Context
	q   *queries.Queries
}

// each is [queries.Queries.EachRow].
func (r rowReader) each(use func(scan func(...any) error) error, text string, args ...any) error {
	return r.q.EachRow(r.ctx, use, text, args...)
}

// home is a household; what lies between two creation numbers is hidden.
type home struct {
	id                   int64
	name, currency       string
	hiddenFrom, hiddenTo int64
}

// homes leaves out households that are being deleted, or soon will be: a part of them may be gone.
func (r rowReader) homes(today int64) (all []home, err error) {
	const days, milliseconds = 29, 86_400_000
	err = r.each(func(scan func(...any) error) error {
		var h home
		err := scan(&h.id, &h.name, &h.currency, &h.hiddenFrom, &h.hiddenTo)
		all = append(all, h)
		return err
	}, "SELECT id, name, currency, hidden_from, hidden_to FROM households WHERE abandoned_at IS NULL OR abandoned_at > ? ORDER BY id", (today-days)*milliseconds)
	return all, err
}

func (c *counter) readAccounts() error {
	c.accounts = map[int64]*counted{}
	return c.each(func(scan func(...any) error) error {
		a := &counted{values: map[int64]decimal.Decimal{}, held: map[int64]sums{}, left: sums{}}
		err := scan(&a.id, &a.currency, &a.counts)
		c.accounts[a.id], c.order = a, append(c.order, a)
		return err
	}, "SELECT id, currency, status <> 'disabled' FROM accounts WHERE household_id = ? ORDER BY id", c.home.id)
}

// readValuations takes an opening balance without a date for what is there before everything.
func (c *counter) readValuations() error {
	return c.each(func(scan func(...any) error) error {
		var account, minor int64
		var day sql.NullInt64
		if err := scan(&account, &day, &minor); err != nil {
			return err
		}
		a := c.accounts[account]
		switch {
		case a == nil: // of another household: the audit says so
		case day.Valid:
			a.values[day.Int64] = decimal.New(minor, 0)
		default:
			a.cash = decimal.New(minor, 0)
		}
		return nil
	}, "SELECT account_id, date, amount FROM valuations WHERE household_id = ?", c.home.id)
}

// setMarks finds out the days that are looked at.
func (c *counter) setMarks() error {
	first, last := c.how.Today, c.how.Today
	for _, a := range c.order {
		for day := range a.values {
			first, last = min(first, day), max(last, day)
			c.marks = append(c.marks, day)
		}
	}
	for _, table := range []string{"transactions", "trades"} {
		if err := c.each(func(scan func(...any) error) error {
			var from, to sql.NullInt64
			err := scan(&from, &to)
			if from.Valid {
				first, last = min(first, dayOfKey(from.Int64)), max(last, dayOfKey(to.Int64))
			}
			return err
		}, "SELECT (SELECT min(id) FROM "+table+" WHERE id >= ?1 AND id < ?2), (SELECT max(id) FROM "+table+
			" WHERE id >= ?1 AND id < ?2)",
			firstKey(c.home.id), firstKey(c.home.id+1)); err != nil {
			return err
		}
	}
	c.points = append(monthEnds(first, last), c.how.Today)
	slices.Sort(c.points)
	c.points = slices.Compact(c.points)
	c.marks = append(c.marks, c.points...)
	slices.Sort(c.marks)
	c.marks = slices.Compact(c.marks)
	return nil
}

// monthEnds are the last days of the months from that of a day to that of another.
func monthEnds(first, last int64) (days []int64) {
	for day := first; ; {
		year, month, _ := time.Unix(day*86400, 0).UTC().Date()
		end := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Unix() / 86400
		days = append(days, end)
		if end >= last {
			return days
		}
		day = end + 1
	}
}

// Keys of entries are household, day since 1900 and creation number; see the table of transactions.
const (
	keyDayBits, keySequenceBits = 17, 26
	keyFirstDay                 = -25567
	keySequenceMask             = 1<<keySequenceBits - 1
)

func firstKey(household int64) int64 { return household << (keyDayBits + keySequenceBits) }

func dayOfKey(key int64) int64 { return key>>keySequenceBits&(1<<keyDayBits-1) + keyFirstDay }

// entries gives all that moves cash in a household, by key and so by day.
func (r rowReader) entries(h home, use func(Entry) error) error {
	return r.each(func(scan func(...any) error) error {
		var e Entry
		if err := scan(&e.Key, &e.Account, &e.Day, &e.Minor, &e.Currency, &e.Trade); err != nil {
			return err
		}
		sequence := e.Key & keySequenceMask
		e.Hidden = !e.Trade && sequence >= h.hiddenFrom && sequence <= h.hiddenTo
		return use(e)
	}, `SELECT id, account_id, date, amount, currency, 0 FROM transactions WHERE id >= ?1 AND id < ?2
		UNION ALL SELECT id, account_id, date, amount, currency, 1 FROM trades WHERE id >= ?1 AND id < ?2
		ORDER BY 1`, firstKey(h.id), firstKey(h.id+1))
}
