package balance

import (
	"context"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// Balance is what an account is worth at the end of a day, in minor units of its own currency and in the
// ledger's sign: what is owed is negative. It is cash and what the account holds of securities.
type Balance struct {
	Minor       int64          // of all
	Holdings    int64          // of securities; the rest is cash
	Unconverted []Unconverted  // by currency
	Stale       []fx.StaleRate // by currencies
}

// Cash is the part that is not held in securities.
func (b Balance) Cash() int64 { return b.Minor - b.Holdings }

// Unconverted is a sum that is left out of another because there is no exchange rate for it, however old; or, where it
// is in excess, because no number of 64 bits holds what it comes to at its rate, or the sum with it.
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

func LeftOutReason(excess bool) string {
	if excess {
		return LeftOutRange
	}
	return LeftOutNoRate
}

// Reason says why it is left out, in a word.
func (u Unconverted) Reason() string { return LeftOutReason(u.Excess) }

// Balances gives the balance of every account of the household at the end of a day, by the account's
// inner key: see [Running] for what it is made of.
func (s *Service) Balances(ctx context.Context, who ledger.Actor, day ledger.Date) (all map[int64]Balance, err error) {
	err = s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		all, err = BalancesTx(ctx, tx, day)
		return err
	})
	return all, err
}

func BalancesTx(ctx context.Context, tx *ledger.Tx, day ledger.Date) (map[int64]Balance, error) {
	return Of(ctx, tx, 0, day)
}

// BalanceTx is that of one account.
func BalanceTx(ctx context.Context, tx *ledger.Tx, account int64, day ledger.Date) (Balance, error) {
	all, err := Of(ctx, tx, account, day)
	return all[account], err
}

// Of are those of one account, or of all when it is 0.
func Of(ctx context.Context, tx *ledger.Tx, account int64, day ledger.Date) (map[int64]Balance, error) {
	book := fx.NewRateBook(tx.Queries)
	book.Window = fx.Span{First: day, Last: day}
	tallies, err := ReadRunning(ctx, tx, book, account, day)
	if err != nil {
		return nil, err
	}
	all := make(map[int64]Balance, len(tallies))
	for key, t := range tallies {
		all[key], err = t.Balance(ctx, book, day)
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// runningReader reads what tallies are made of.
type runningReader struct {
	tx      *ledger.Tx
	book    *fx.RateBook
	day     ledger.Date
	starts  []queries.ListBalancesRow
	held    map[accountDay][]Unconverted // by currency
	foreign map[int64][]CurrencyDays
}

// ReadRunning are those of one account at the end of a day, or of all when it is 0, by the account's key.
func ReadRunning(ctx context.Context, tx *ledger.Tx, book *fx.RateBook, account int64,
	day ledger.Date) (map[int64]*Running, error) {
	r := runningReader{tx: tx, book: book, day: day}
	if err := r.read(ctx, account); err != nil {
		return nil, err
	}
	all := make(map[int64]*Running, len(r.starts))
	for _, start := range r.starts {
		t, err := r.running(ctx, start)
		if err != nil {
			return nil, err
		}
		all[start.ID] = t
	}
	return all, nil
}

func (r *runningReader) read(ctx context.Context, account int64) (err error) {
	r.starts, err = r.tx.ListBalances(ctx, queries.ListBalancesParams{
		Day: int64(r.day), MonthStart: int64(r.day.MonthStart()), Month: r.day.Month(), HouseholdID: r.tx.HouseholdID,
		AccountID: account})
	if err != nil {
		return err
	}
	var held, since [][2]int64
	for _, s := range r.starts {
		held = append(held, [2]int64{s.ID, int64(r.day)})
		if ledger.Date(s.Since) > ledger.Dawn && ledger.Date(s.Since) < r.day {
			held = append(held, [2]int64{s.ID, s.Since})
		}
		since = append(since, [2]int64{s.ID, s.Since})
	}
	r.held, err = readHeld(ctx, r.tx, held)
	if err != nil {
		return err
	}
	r.foreign, err = ReadForeign(ctx, r.tx, since, r.day)
	return err
}

// readHeld is what accounts hold at the end of days, given as pairs of account and day.
func readHeld(ctx context.Context, tx *ledger.Tx, days [][2]int64) (map[accountDay][]Unconverted, error) {
	rows, err := tx.ListHoldingLevels(ctx, queries.ListHoldingLevelsParams{Accounts: ledger.JSONArray(days),
		HouseholdID: tx.HouseholdID})
	held := map[accountDay][]Unconverted{}
	for _, row := range rows {
		at := accountDay{row.AccountID, ledger.Date(row.Day)}
		held[at] = withLeftOut(held[at], Unconverted{Currency: row.Currency, Minor: row.Value})
	}
	return held, err
}

// ReadForeign is what was booked in other currencies than the accounts' since days, given as pairs of account
// and day, up to a day.
func ReadForeign(ctx context.Context, tx *ledger.Tx, since [][2]int64, last ledger.Date) (map[int64][]CurrencyDays,
	error) {
	rows, err := tx.PackForeignDays(ctx, queries.PackForeignDaysParams{Accounts: ledger.JSONArray(since),
		HouseholdID: tx.HouseholdID, LastDay: int64(last)})
	foreign := map[int64][]CurrencyDays{}
	for _, row := range rows {
		days, err := UnpackDays(row.Days)
		if err != nil {
			return nil, err
		}
		if len(days) > 0 {
			foreign[row.AccountID] = append(foreign[row.AccountID], CurrencyDays{row.Currency, days})
		}
	}
	return foreign, err
}

// running is that of an account: what a valuation states, and what was booked since.
func (r *runningReader) running(ctx context.Context, start queries.ListBalancesRow) (*Running, error) {
	currency, _ := money.LookupCurrency(start.Currency) // what is stored was looked up
	t := &Running{currency: currency, held: r.held[accountDay{start.ID, ledger.Date(start.Since)}]}
	if err := t.State(ctx, r.book, start.Amount, ledger.Date(start.Since)); err != nil {
		return nil, err
	}
	booked, err := unpackHalves(start.Booked)
	if err != nil {
		return nil, err
	}
	t.Cash = t.Cash.Plus(booked)
	for _, f := range r.foreign[start.ID] {
		if err := r.book.Expect(ctx, f.Currency, currency.Code, f.Span()); err != nil {
			return nil, err
		}
		if err := t.BookDays(ctx, r.book, f.Currency, f.Days); err != nil {
			return nil, err
		}
	}
	t.held = r.held[accountDay{start.ID, r.day}]
	return t, nil
}
