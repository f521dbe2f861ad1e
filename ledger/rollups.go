package ledger

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"finsvc/db"
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

// Posting is what a transaction or a trade contributes to the rollups. Of a transaction that is split, Parts are the
// amounts of its parts: what is counted is rows of lists, and these are its parts in its place.
type Posting struct {
	AccountID int64
	Date      Date
	Currency  string
	Minor     int64
	Parts     []int64
}

func postingOf(t queries.Transaction, lines []queries.SplitLine) Posting {
	p := Posting{AccountID: t.AccountID, Date: Date(t.Date), Currency: t.Currency, Minor: t.Amount}
	for _, line := range lines {
		p.Parts = append(p.Parts, line.Amount)
	}
	return p
}

func (p Posting) equal(q Posting) bool {
	return p.AccountID == q.AccountID && p.Date == q.Date && p.Currency == q.Currency && p.Minor == q.Minor && slices.Equal(p.Parts, q.Parts)
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

// dayTotals are what entries of a day come to; of what was taken out, all of it is negative.
type dayTotals struct {
	amount                        Sum
	transactions, incomes, trades int64
}

// Rollups gathers postings of one household, new ones and those that are taken out, before they are written: at once, for
// what a write leaves counts and not what lies between.
type Rollups struct {
	days    map[dayKey]dayTotals
	bands   map[bandKey]int64
	counts  map[int64]int64
	removed map[dayKey]bool // the days that have entries which are taken out
}

// NewRollups is empty.
func NewRollups() *Rollups {
	return &Rollups{map[dayKey]dayTotals{}, map[bandKey]int64{}, map[int64]int64{}, map[dayKey]bool{}}
}

// Add takes in a posting.
func (r *Rollups) Add(p Posting) {
	at := dayKey{p.AccountID, p.Date, p.Currency}
	day := r.days[at]
	day.amount.Add(p.Minor)
	r.days[at] = day
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
	at := dayKey{p.AccountID, p.Date, p.Currency}
	day := r.days[at]
	day.transactions += by
	if minor > 0 {
		day.incomes += by
	}
	r.days[at] = day
	band := bandKey{p.Currency, bandOf(minor)}
	if r.bands[band] += by; r.bands[band] == 0 {
		delete(r.bands, band)
	}
	r.counts[p.AccountID] += by
}

// countParts counts, or takes out by -1, the parts of split transactions each of which was taken for one row.
func (r *Rollups) countParts(rows []queries.ListCountedPartsRow, by int64) {
	for _, row := range rows {
		p := Posting{AccountID: row.AccountID, Date: Date(row.Date), Currency: row.Currency}
		if row.Position == 1 {
			r.countRow(p, row.Whole, -by)
		}
		r.countRow(p, row.Amount, by)
	}
}

// AddSum takes in a sum of postings of a day.
func (r *Rollups) AddSum(account int64, date Date, currency string, sum Sum) {
	at := dayKey{account, date, currency}
	day := r.days[at]
	day.amount = day.amount.Plus(sum)
	day.transactions++
	r.days[at] = day
}

// Remove takes out a posting that is in the rollups.
func (r *Rollups) Remove(p Posting) {
	at := dayKey{p.AccountID, p.Date, p.Currency}
	day := r.days[at]
	day.amount.Sub(p.Minor)
	r.days[at], r.removed[at] = day, true
	r.countRows(p, -1)
}

// AddTrade takes in what a trade moves in cash; bands and counts are of transactions alone.
func (r *Rollups) AddTrade(p Posting) {
	at := dayKey{p.AccountID, p.Date, p.Currency}
	day := r.days[at]
	day.amount.Add(p.Minor)
	day.trades++
	r.days[at] = day
}

// RemoveTrade takes out what a trade moves.
func (r *Rollups) RemoveTrade(p Posting) {
	at := dayKey{p.AccountID, p.Date, p.Currency}
	day := r.days[at]
	day.amount.Sub(p.Minor)
	day.trades--
	r.days[at], r.removed[at] = day, true
}

// change is a posting that takes another one's place.
func change(before, after Posting) *Rollups {
	r := NewRollups()
	r.Remove(before)
	r.Add(after)
	return r
}

// apply writes what was gathered into what is there. A day or a balance that would be no amount is a validation error.
func (r *Rollups) apply(ctx context.Context, q *queries.Queries, who Actor) error {
	householdID := who.HouseholdID
	for _, k := range slices.SortedFunc(maps.Keys(r.days), compareDays) {
		if err := r.applyDay(ctx, q, householdID, k); err != nil {
			return err
		}
	}
	for k, n := range r.bands {
		if err := applyBand(ctx, q, householdID, k, n); err != nil {
			return err
		}
	}
	for account, n := range r.counts {
		if n == 0 {
			continue
		}
		if err := q.AddTransactionCount(ctx, queries.AddTransactionCountParams{Count: n, AccountID: account, HouseholdID: householdID}); err != nil {
			return err
		}
	}
	return checkBalances(ctx, q, who, r.accounts())
}

// accounts are the keys of those that anything was booked in.
func (r *Rollups) accounts() []int64 {
	keys := make([]int64, 0, 1)
	for k := range r.days {
		if !slices.Contains(keys, k.account) {
			keys = append(keys, k.account)
		}
	}
	slices.Sort(keys)
	return keys
}

// applyDay changes the row of a day, and removes it when nothing remains.
func (r *Rollups) applyDay(ctx context.Context, q *queries.Queries, householdID int64, k dayKey) error {
	t := r.days[k]
	if t == (dayTotals{}) {
		return nil
	}
	amount, fits := t.amount.Minor()
	if !fits {
		return errDayRange(ctx, q, householdID, k, "booked")
	}
	var rows int64
	var err error
	if r.removed[k] {
		rows, err = q.ChangeAccountDay(ctx, queries.ChangeAccountDayParams{AccountID: k.account, Date: int64(k.date), Currency: k.currency,
			HouseholdID: householdID, Amount: amount, Transactions: t.transactions, Incomes: t.incomes, Trades: t.trades})
	} else {
		err = q.AddAccountDay(ctx, queries.AddAccountDayParams{AccountID: k.account, Date: int64(k.date), Currency: k.currency,
			HouseholdID: householdID, Amount: amount, Transactions: t.transactions, Incomes: t.incomes, Trades: t.trades})
	}
	switch {
	case db.IsBeyondInteger(err):
		return errDayRange(ctx, q, householdID, k, "booked")
	case err != nil || rows > 0 || !r.removed[k]:
		return err
	}
	return q.DeleteAccountDay(ctx, queries.DeleteAccountDayParams{AccountID: k.account, Date: int64(k.date), Currency: k.currency, HouseholdID: householdID})
}

func compareDays(a, b dayKey) int {
	return cmp.Or(cmp.Compare(a.date, b.date), cmp.Compare(a.account, b.account), cmp.Compare(a.currency, b.currency))
}

// applyBand changes the count of a band, and removes it when nothing remains.
func applyBand(ctx context.Context, q *queries.Queries, householdID int64, k bandKey, n int64) error {
	if n == 0 {
		return nil
	}
	if n > 0 {
		return q.AddAmountBand(ctx, queries.AddAmountBandParams{HouseholdID: householdID, Currency: k.currency, Band: k.band, Transactions: n})
	}
	left, err := q.SubtractAmountBand(ctx, queries.SubtractAmountBandParams{HouseholdID: householdID, Currency: k.currency, Band: k.band, Transactions: -n})
	if err != nil || left > 0 {
		return err
	}
	return q.DeleteAmountBand(ctx, queries.DeleteAmountBandParams{HouseholdID: householdID, Currency: k.currency, Band: k.band})
}
