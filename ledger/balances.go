package ledger

import (
	"context"

	"finsvc/queries"
)

// Balance is what an account is worth at the end of a day, in minor units of its own currency and in the
// ledger's sign: what is owed is negative. It is cash and what the account holds of securities.
type Balance struct {
	Minor       int64         // of all
	Holdings    int64         // of securities; the rest is cash
	Unconverted []Unconverted // by currency
	Stale       []StaleRate   // by currencies
}

// Cash is the part that is not held in securities.
func (b Balance) Cash() int64 { return b.Minor - b.Holdings }

// Unconverted is a sum that is left out of another because there is no exchange rate for it, however old; or, where it is in excess,
// because no number of 64 bits holds what it comes to at its rate, or the sum with it.
type Unconverted struct {
	Currency string
	Minor    int64
	Excess   bool
}

// Why something is left out of a sum.
const (
	LeftOutNoRate = "no_rate"
	LeftOutRange  = "out_of_range"
)

func leftOutReason(excess bool) string {
	if excess {
		return LeftOutRange
	}
	return LeftOutNoRate
}

// Reason says why it is left out, in a word.
func (u Unconverted) Reason() string { return leftOutReason(u.Excess) }

// Balances gives the balance of every account of the household at the end of a day, by the account's
// inner key: see [tally] for what it is made of.
func (l *Ledger) Balances(ctx context.Context, who Actor, day Date) (all map[int64]Balance, err error) {
	err = l.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		all, err = l.balances(ctx, q, who, day)
		return err
	})
	return all, err
}

func (l *Ledger) balances(ctx context.Context, q *queries.Queries, who Actor, day Date) (map[int64]Balance, error) {
	return balancesOf(ctx, q, who, 0, day)
}

// balance is that of one account.
func (l *Ledger) balance(ctx context.Context, q *queries.Queries, who Actor, account int64, day Date) (Balance, error) {
	all, err := balancesOf(ctx, q, who, account, day)
	return all[account], err
}

// balancesOf are those of one account, or of all when it is 0.
func balancesOf(ctx context.Context, q *queries.Queries, who Actor, account int64, day Date) (map[int64]Balance, error) {
	book := newRateBook(q)
	book.window = span{day, day}
	tallies, err := readTallies(ctx, book, who, account, day)
	if err != nil {
		return nil, err
	}
	all := make(map[int64]Balance, len(tallies))
	for key, t := range tallies {
		if all[key], err = t.balance(ctx, book, day); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// tallyReader reads what tallies are made of.
type tallyReader struct {
	book    *rateBook
	who     Actor
	day     Date
	starts  []queries.ListBalancesRow
	held    map[accountDay][]Unconverted // by currency
	foreign map[int64][]currencyDays
}

// readTallies are those of one account at the end of a day, or of all when it is 0, by the account's key.
func readTallies(ctx context.Context, book *rateBook, who Actor, account int64, day Date) (map[int64]*tally, error) {
	r := tallyReader{book: book, who: who, day: day}
	if err := r.read(ctx, account); err != nil {
		return nil, err
	}
	all := make(map[int64]*tally, len(r.starts))
	for _, start := range r.starts {
		t, err := r.tally(ctx, start)
		if err != nil {
			return nil, err
		}
		all[start.ID] = t
	}
	return all, nil
}

func (r *tallyReader) read(ctx context.Context, account int64) (err error) {
	q := r.book.q
	if r.starts, err = q.ListBalances(ctx, queries.ListBalancesParams{
		Day: int64(r.day), MonthStart: int64(r.day.MonthStart()), Month: r.day.Month(), HouseholdID: r.who.HouseholdID, AccountID: account}); err != nil {
		return err
	}
	var held, since [][2]int64
	for _, s := range r.starts {
		held = append(held, [2]int64{s.ID, int64(r.day)})
		if Date(s.Since) > dawn && Date(s.Since) < r.day {
			held = append(held, [2]int64{s.ID, s.Since})
		}
		since = append(since, [2]int64{s.ID, s.Since})
	}
	if r.held, err = readHeld(ctx, q, r.who, held); err != nil {
		return err
	}
	r.foreign, err = readForeign(ctx, q, r.who, since, r.day)
	return err
}

// readHeld is what accounts hold at the end of days, given as pairs of account and day.
func readHeld(ctx context.Context, q *queries.Queries, who Actor, days [][2]int64) (map[accountDay][]Unconverted, error) {
	rows, err := q.ListHoldingLevels(ctx, queries.ListHoldingLevelsParams{Accounts: jsonArray(days), HouseholdID: who.HouseholdID})
	held := map[accountDay][]Unconverted{}
	for _, row := range rows {
		at := accountDay{row.AccountID, Date(row.Day)}
		held[at] = withLeftOut(held[at], Unconverted{Currency: row.Currency, Minor: row.Value})
	}
	return held, err
}

// readForeign is what was booked in other currencies than the accounts' since days, given as pairs of account
// and day, up to a day.
func readForeign(ctx context.Context, q *queries.Queries, who Actor, since [][2]int64, last Date) (map[int64][]currencyDays, error) {
	rows, err := q.PackForeignDays(ctx, queries.PackForeignDaysParams{Accounts: jsonArray(since), HouseholdID: who.HouseholdID, LastDay: int64(last)})
	foreign := map[int64][]currencyDays{}
	for _, row := range rows {
		days, err := unpackDays(row.Days)
		if err != nil {
			return nil, err
		}
		if len(days) > 0 {
			foreign[row.AccountID] = append(foreign[row.AccountID], currencyDays{row.Currency, days})
		}
	}
	return foreign, err
}

// tally is that of an account: what a valuation states, and what was booked since.
func (r *tallyReader) tally(ctx context.Context, start queries.ListBalancesRow) (*tally, error) {
	currency, _ := LookupCurrency(start.Currency) // what is stored was looked up
	t := &tally{currency: currency, held: r.held[accountDay{start.ID, Date(start.Since)}]}
	if err := t.state(ctx, r.book, start.Amount, Date(start.Since)); err != nil {
		return nil, err
	}
	booked, err := unpackHalves(start.Booked)
	if err != nil {
		return nil, err
	}
	t.cash = t.cash.Plus(booked)
	for _, f := range r.foreign[start.ID] {
		if err := r.book.expect(ctx, f.currency, currency.Code, f.span()); err != nil {
			return nil, err
		}
		if err := t.rebook(ctx, r.book, f.currency, f.days); err != nil {
			return nil, err
		}
	}
	t.held = r.held[accountDay{start.ID, r.day}]
	return t, nil
}
