package ledger

import (
	"context"

	"finsvc/queries"
)

// Balance is what an account is worth at the end of a day, in minor units of its own currency and in the
// ledger's sign: what is owed is negative.
type Balance struct {
	Minor       int64
	Unconverted []Unconverted // by currency
}

// Unconverted is a sum that is left out of another because no exchange rate is known for it.
type Unconverted struct {
	Currency string
	Minor    int64
}

// Balances gives the balance of every account of the household at the end of a day, by the account's
// inner key: the last valuation on or before the day and what was booked since. What is booked in another
// currency counts at the rate of its own day, or is left out and said when there is none.
func (l *Ledger) Balances(ctx context.Context, who Actor, day Date) (all map[int64]Balance, err error) {
	err = l.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		all, err = l.balances(ctx, q, who, day)
		return err
	})
	return all, err
}

func (l *Ledger) balances(ctx context.Context, q *queries.Queries, who Actor, day Date) (map[int64]Balance, error) {
	rows, err := q.ListBalances(ctx, queries.ListBalancesParams{Day: int64(day), HouseholdID: who.HouseholdID})
	if err != nil {
		return nil, err
	}
	all := make(map[int64]Balance, len(rows))
	book := newRateBook(q)
	for _, r := range rows {
		if all[r.ID], err = book.balance(ctx, who, r, day); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// balance is that of one account.
func (l *Ledger) balance(ctx context.Context, q *queries.Queries, who Actor, account int64, day Date) (Balance, error) {
	r, err := q.GetBalance(ctx, queries.GetBalanceParams{Day: int64(day), AccountID: account, HouseholdID: who.HouseholdID})
	if err != nil {
		return Balance{}, err
	}
	return newRateBook(q).balance(ctx, who, queries.ListBalancesRow(r), day)
}

// balance sorts out of an account's sum what was booked in other currencies: each day's sum is converted
// at the rate of its day and rounded half up to the minor unit.
func (b *rateBook) balance(ctx context.Context, who Actor, r queries.ListBalancesRow, day Date) (Balance, error) {
	out := Balance{Minor: r.Amount}
	if r.Mixed == 0 {
		return out, nil
	}
	days, err := b.q.ListForeignDays(ctx, queries.ListForeignDaysParams{
		AccountID: r.ID, HouseholdID: who.HouseholdID, Since: r.Since, Day: int64(day)})
	if err != nil {
		return out, err
	}
	to, _ := LookupCurrency(r.Currency) // what is stored was looked up
	for _, d := range days {
		from, _ := LookupCurrency(d.Currency)
		minor, known, err := b.convert(ctx, d.Amount, from, to, Date(d.Date))
		if err != nil {
			return out, err
		}
		out.Minor += minor - d.Amount
		if !known {
			out.leaveOut(d.Currency, d.Amount)
		}
	}
	return out, nil
}

// leaveOut notes what could not be converted; the days come by currency.
func (b *Balance) leaveOut(currency string, minor int64) {
	last := len(b.Unconverted) - 1
	if last < 0 || b.Unconverted[last].Currency != currency {
		b.Unconverted = append(b.Unconverted, Unconverted{Currency: currency})
		last++
	}
	b.Unconverted[last].Minor += minor
}
