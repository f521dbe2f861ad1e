// Package rollup is what the same write keeps beside entries: sums of days by account, category, merchant and tag,
// counts, spans of amounts, and the texts that a search looks through. No list and no total reads rows where a rollup
// knows. They are right when the write ends, and the audit counts them again. It knows no rules of entries.
package rollup

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// Rollups are sums and counts that are kept beside transactions and trades by the same write: per account
// and day, per band of amounts, per account. Balances, totals and deep pages come from them.

// BandWidth is how many minor units make a band of amounts.
const BandWidth = 100

// BandOf is the band that an amount lies in; bands count downwards below zero, without a gap.
func BandOf(minor int64) int64 {
	band := minor / BandWidth
	if minor%BandWidth < 0 {
		band--
	}
	return band
}

// Posting is what a transaction or a trade contributes to the rollups. Of a transaction that is split, Parts are the
// amounts of its parts: what is counted is rows of lists, and these are its parts in its place.
type Posting struct {
	AccountID int64
	Date      ledger.Date
	Currency  string
	Minor     int64
	Parts     []int64
}

func PostingOf(t queries.Transaction, lines []queries.SplitLine) Posting {
	p := Posting{AccountID: t.AccountID, Date: ledger.Date(t.Date), Currency: t.Currency, Minor: t.Amount}
	for _, line := range lines {
		p.Parts = append(p.Parts, line.Amount)
	}
	return p
}

func (p Posting) Equal(q Posting) bool {
	return p.AccountID == q.AccountID && p.Date == q.Date && p.Currency == q.Currency && p.Minor == q.Minor &&
		slices.Equal(p.Parts, q.Parts)
}

// DayKey and BandKey name a row of a rollup.
type DayKey struct {
	Account  int64
	Date     ledger.Date
	Currency string
}

type BandKey struct {
	Currency string
	Band     int64
}

// DayTotals are what entries of a day come to; of what was taken out, all of it is negative.
type DayTotals struct {
	Amount                        money.Sum
	Transactions, Incomes, Trades int64
}

// Rollups gathers postings of one household, new ones and those that are taken out, before they are written: at once,
// for what a write leaves counts and not what lies between.
type Rollups struct {
	Days    map[DayKey]DayTotals
	Bands   map[BandKey]int64
	Counts  map[int64]int64
	Removed map[DayKey]bool // the days that have entries which are taken out
}

// NewRollups is empty.
func NewRollups() *Rollups {
	return &Rollups{map[DayKey]DayTotals{}, map[BandKey]int64{}, map[int64]int64{}, map[DayKey]bool{}}
}

// Add takes in a posting.
func (r *Rollups) Add(p Posting) {
	at := DayKey{p.AccountID, p.Date, p.Currency}
	day := r.Days[at]
	day.Amount.Add(p.Minor)
	r.Days[at] = day
	r.countRows(p, 1)
}

// countRows counts the rows of lists that a posting is, or takes them out by -1.
func (r *Rollups) countRows(p Posting, by int64) {
	if len(p.Parts) == 0 {
		r.countRow(p, p.Minor, by)
	}
	for _, minor := range p.Parts {
		r.countRow(p, minor, by)
	}
}

func (r *Rollups) countRow(p Posting, minor, by int64) {
	at := DayKey{p.AccountID, p.Date, p.Currency}
	day := r.Days[at]
	day.Transactions += by
	if minor > 0 {
		day.Incomes += by
	}
	r.Days[at] = day
	band := BandKey{p.Currency, BandOf(minor)}
	r.Bands[band] += by
	if r.Bands[band] == 0 {
		delete(r.Bands, band)
	}
	r.Counts[p.AccountID] += by
}

// CountParts counts, or takes out by -1, the parts of split transactions each of which was taken for one row.
func (r *Rollups) CountParts(rows []queries.ListCountedPartsRow, by int64) {
	for _, row := range rows {
		p := Posting{AccountID: row.AccountID, Date: ledger.Date(row.Date), Currency: row.Currency}
		if row.Position == 1 {
			r.countRow(p, row.Whole, -by)
		}
		r.countRow(p, row.Amount, by)
	}
}

// AddSum takes in a sum of postings of a day.
func (r *Rollups) AddSum(account int64, date ledger.Date, currency string, sum money.Sum) {
	at := DayKey{account, date, currency}
	day := r.Days[at]
	day.Amount = day.Amount.Plus(sum)
	day.Transactions++
	r.Days[at] = day
}

// Remove takes out a posting that is in the rollups.
func (r *Rollups) Remove(p Posting) {
	at := DayKey{p.AccountID, p.Date, p.Currency}
	day := r.Days[at]
	day.Amount.Sub(p.Minor)
	r.Days[at], r.Removed[at] = day, true
	r.countRows(p, -1)
}

// AddTrade takes in what a trade moves in cash; bands and counts are of transactions alone.
func (r *Rollups) AddTrade(p Posting) {
	at := DayKey{p.AccountID, p.Date, p.Currency}
	day := r.Days[at]
	day.Amount.Add(p.Minor)
	day.Trades++
	r.Days[at] = day
}

// RemoveTrade takes out what a trade moves.
func (r *Rollups) RemoveTrade(p Posting) {
	at := DayKey{p.AccountID, p.Date, p.Currency}
	day := r.Days[at]
	day.Amount.Sub(p.Minor)
	day.Trades--
	r.Days[at], r.Removed[at] = day, true
}

// Change is a posting that takes another one's place.
func Change(before, after Posting) *Rollups {
	r := NewRollups()
	r.Remove(before)
	r.Add(after)
	return r
}

// Apply writes what was gathered into what is there. A day or a balance that would be no amount is a validation error.
func (r *Rollups) Apply(ctx context.Context, tx *ledger.Tx) error {
	householdID := tx.HouseholdID
	for _, k := range slices.SortedFunc(maps.Keys(r.Days), CompareDays) {
		if err := r.applyDay(ctx, tx.Queries, householdID, k); err != nil {
			return err
		}
	}
	for k, n := range r.Bands {
		if err := applyBand(ctx, tx.Queries, householdID, k, n); err != nil {
			return err
		}
	}
	for account, n := range r.Counts {
		if n == 0 {
			continue
		}
		if err := tx.AddTransactionCount(ctx, queries.AddTransactionCountParams{Count: n, AccountID: account,
			HouseholdID: householdID}); err != nil {
			return err
		}
	}
	return balance.Check(ctx, tx, r.accounts())
}

// accounts are the keys of those that anything was booked in.
func (r *Rollups) accounts() []int64 {
	keys := make([]int64, 0, 1)
	for k := range r.Days {
		if !slices.Contains(keys, k.Account) {
			keys = append(keys, k.Account)
		}
	}
	slices.Sort(keys)
	return keys
}

// applyDay changes the row of a day, and removes it when nothing remains.
func (r *Rollups) applyDay(ctx context.Context, q *queries.Queries, householdID int64, k DayKey) error {
	t := r.Days[k]
	if t == (DayTotals{}) {
		return nil
	}
	amount, fits := t.Amount.Minor()
	if !fits {
		return ErrDayRange(ctx, q, householdID, k, "booked")
	}
	var rows int64
	var err error
	if r.Removed[k] {
		rows, err = q.ChangeAccountDay(ctx, queries.ChangeAccountDayParams{AccountID: k.Account, Date: int64(k.Date),
			Currency:    k.Currency,
			HouseholdID: householdID, Amount: amount, Transactions: t.Transactions, Incomes: t.Incomes,
			Trades: t.Trades})
	} else {
		err = q.AddAccountDay(ctx, queries.AddAccountDayParams{AccountID: k.Account, Date: int64(k.Date),
			Currency:    k.Currency,
			HouseholdID: householdID, Amount: amount, Transactions: t.Transactions, Incomes: t.Incomes,
			Trades: t.Trades})
	}
	switch {
	case db.IsBeyondInteger(err):
		return ErrDayRange(ctx, q, householdID, k, "booked")
	case err != nil || rows > 0 || !r.Removed[k]:
		return err
	}
	return q.DeleteAccountDay(ctx, queries.DeleteAccountDayParams{AccountID: k.Account, Date: int64(k.Date),
		Currency: k.Currency, HouseholdID: householdID})
}

func CompareDays(a, b DayKey) int {
	return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(a.Account, b.Account), cmp.Compare(a.Currency, b.Currency))
}

// applyBand changes the count of a band, and removes it when nothing remains.
func applyBand(ctx context.Context, q *queries.Queries, householdID int64, k BandKey, n int64) error {
	if n == 0 {
		return nil
	}
	if n > 0 {
		return q.AddAmountBand(ctx, queries.AddAmountBandParams{HouseholdID: householdID, Currency: k.Currency,
			Band: k.Band, Transactions: n})
	}
	left, err := q.SubtractAmountBand(ctx, queries.SubtractAmountBandParams{HouseholdID: householdID,
		Currency: k.Currency, Band: k.Band, Transactions: -n})
	if err != nil || left > 0 {
		return err
	}
	return q.DeleteAmountBand(ctx, queries.DeleteAmountBandParams{HouseholdID: householdID, Currency: k.Currency,
		Band: k.Band})
}

// Span is the range of days of what was gathered, and how many transactions it is.
func (r *Rollups) Span() (first, last ledger.Date, rows int64) {
	first, last = ledger.MaxDate, ledger.MinDate
	for key, day := range r.Days {
		first, last, rows = min(first, key.Date), max(last, key.Date), rows+day.Transactions
	}
	return first, last, rows
}
