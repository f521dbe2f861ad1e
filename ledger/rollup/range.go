package rollup

import (
	"context"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// ErrDayRange is for what is booked on a day in one currency and is no amount.
func ErrDayRange(ctx context.Context, q *queries.Queries, householdID int64, at DayKey, done string) error {
	name, err := q.GetAccountName(ctx, queries.GetAccountNameParams{ID: at.Account, HouseholdID: householdID})
	if err != nil {
		return err
	}
	currency, _ := money.LookupCurrency(at.Currency) // what is stored was looked up
	return ledger.NewInvalid("amount", "must keep what is %s in the account %s on %s between %s and %s %s; together it would be beyond that",
		done, ledger.Quote(name), at.Date, currency.Plain(-money.MaxBalance), currency.Plain(money.MaxBalance),
		currency.Code)
}
