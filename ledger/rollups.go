package ledger

import (
	"context"

	"finsvc/queries"
)

// Rollups are sums and counts that are kept beside transactions and trades by the same write: per account
// and day, per band of amounts, per account. Balances, totals and deep pages come from them.

// bandWidth is how many minor units make a band of amounts.
const bandWidth = 100

// bandOf is the band that an amount lies in; bands count downwards below zero, without a gap.
func bandOf(minor int64) int64 {
	band := minor / bandWidth
	if minor%bandWidth < 0 {
		band--
	}
	return band
}

// Posting is what a transaction or a trade contributes to the rollups.
type Posting struct {
	AccountID int64
	Date      Date
	Currency  string
	Minor     int64
}

func postingOf(t queries.Transaction) Posting {
	return Posting{t.AccountID, Date(t.Date), t.Currency, t.Amount}
}

// dayKey and bandKey name a row of a rollup.
type dayKey struct {
	account  int64
	date     Date
	currency string
}

type bandKey struct {
	currency string
	band     int64
}

type dayTotals struct{ amount, transactions, incomes, trades int64 }

// Rollups gathers postings of one household before they are written.
type Rollups struct {
	days   map[dayKey]dayTotals
	bands  map[bandKey]int64
	counts map[int64]int64
}

// NewRollups is empty.
func NewRollups() *Rollups {
	return &Rollups{map[dayKey]dayTotals{}, map[bandKey]int64{}, map[int64]int64{}}
}

// Add takes in a posting.
func (r *Rollups) Add(p Posting) {
	day := r.days[dayKey{p.AccountID, p.Date, p.Currency}]
	day.amount += p.Minor
	day.transactions++
	if p.Minor > 0 {
		day.incomes++
	}
	r.days[dayKey{p.AccountID, p.Date, p.Currency}] = day
	r.bands[bandKey{p.Currency, bandOf(p.Minor)}]++
	r.counts[p.AccountID]++
}

// AddTrade takes in what a trade moves in cash; bands and counts are of transactions alone.
func (r *Rollups) AddTrade(p Posting) {
	day := r.days[dayKey{p.AccountID, p.Date, p.Currency}]
	day.amount += p.Minor
	day.trades++
	r.days[dayKey{p.AccountID, p.Date, p.Currency}] = day
}

func rollupsOf(postings ...Posting) *Rollups {
	r := NewRollups()
	for _, p := range postings {
		r.Add(p)
	}
	return r
}

// add writes what was gathered on top of what is there.
func (r *Rollups) add(ctx context.Context, q *queries.Queries, householdID int64) error {
	for k, t := range r.days {
		if err := q.AddAccountDay(ctx, queries.AddAccountDayParams{AccountID: k.account, Date: int64(k.date), Currency: k.currency,
			HouseholdID: householdID, Amount: t.amount, Transactions: t.transactions, Incomes: t.incomes, Trades: t.trades}); err != nil {
			return err
		}
	}
	for k, n := range r.bands {
		if err := q.AddAmountBand(ctx, queries.AddAmountBandParams{HouseholdID: householdID, Currency: k.currency, Band: k.band, Transactions: n}); err != nil {
			return err
		}
	}
	return r.count(ctx, q, householdID, 1)
}

// subtract takes what was gathered out of what is there.
func (r *Rollups) subtract(ctx context.Context, q *queries.Queries, householdID int64) error {
	for k, t := range r.days {
		if err := subtractDay(ctx, q, householdID, k, t); err != nil {
			return err
		}
	}
	for k, n := range r.bands {
		if err := subtractBand(ctx, q, householdID, k, n); err != nil {
			return err
		}
	}
	return r.count(ctx, q, householdID, -1)
}

// subtractDay removes the row when nothing would remain in it.
func subtractDay(ctx context.Context, q *queries.Queries, householdID int64, k dayKey, t dayTotals) error {
	n, err := q.SubtractAccountDay(ctx, queries.SubtractAccountDayParams{AccountID: k.account, Date: int64(k.date), Currency: k.currency,
		HouseholdID: householdID, Amount: t.amount, Transactions: t.transactions, Incomes: t.incomes, Trades: t.trades})
	if err != nil || n > 0 {
		return err
	}
	return q.DeleteAccountDay(ctx, queries.DeleteAccountDayParams{AccountID: k.account, Date: int64(k.date), Currency: k.currency, HouseholdID: householdID})
}

func subtractBand(ctx context.Context, q *queries.Queries, householdID int64, k bandKey, n int64) error {
	left, err := q.SubtractAmountBand(ctx, queries.SubtractAmountBandParams{HouseholdID: householdID, Currency: k.currency, Band: k.band, Transactions: n})
	if err != nil || left > 0 {
		return err
	}
	return q.DeleteAmountBand(ctx, queries.DeleteAmountBandParams{HouseholdID: householdID, Currency: k.currency, Band: k.band})
}

func (r *Rollups) count(ctx context.Context, q *queries.Queries, householdID, sign int64) error {
	for account, n := range r.counts {
		if err := q.AddTransactionCount(ctx, queries.AddTransactionCountParams{Count: sign * n, AccountID: account, HouseholdID: householdID}); err != nil {
			return err
		}
	}
	return nil
}
