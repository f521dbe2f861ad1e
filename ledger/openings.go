package ledger

import (
	"cmp"
	"context"
	"errors"

	"finsvc/db"
	"finsvc/queries"
)

// Opening is the opening balance that a file states for an account.
type Opening struct {
	AccountID int64
	Date      Date  // at whose end the account has it
	Minor     int64 // minor units of the account's currency; what is owed is negative
	Fresh     bool  // the account was created for the file
}

// StateOpening makes it the opening balance of an account that was created for the file. Any other account keeps
// its own and gets a valuation on the day; one that is there with another amount is a validation error.
func (l *Ledger) StateOpening(ctx context.Context, q *queries.Queries, who Actor, o Opening) ([]Created, error) {
	day := int64(o.Date)
	if o.Fresh {
		return nil, l.setOpening(ctx, q, who, o)
	}
	old, err := q.GetValuationOfDay(ctx, queries.GetValuationOfDayParams{AccountID: o.AccountID, Day: day, HouseholdID: who.HouseholdID})
	switch {
	case err == nil && old.Amount == o.Minor:
		return nil, nil
	case err == nil:
		return nil, NewInvalid("file", "states an opening balance for %s, and the account has another valuation at the end of that day: delete or correct one of them", o.Date.AddDays(1))
	case !errors.Is(err, db.ErrNotFound):
		return nil, err
	}
	v, err := l.insertValuation(ctx, q, who, queries.Valuation{HouseholdID: who.HouseholdID, AccountID: o.AccountID, Date: &day, Amount: o.Minor, Kind: "reconciliation"})
	return []Created{{string(entityValuation), v.PublicID}}, err
}

// setOpening moves the opening balance that every new account has.
func (l *Ledger) setOpening(ctx context.Context, q *queries.Queries, who Actor, o Opening) error {
	before, err := q.GetOpening(ctx, queries.GetOpeningParams{AccountID: o.AccountID, HouseholdID: who.HouseholdID})
	if err != nil {
		return err
	}
	after := before
	after.Date, after.Amount = new(int64(o.Date)), o.Minor
	_, err = l.changeValuation(ctx, q, who, before, after)
	return err
}

// FindOrOpenAccount is [Ledger.FindOrCreateAccount] for a file that says of which type the account is; blank is
// depository.
func (l *Ledger) FindOrOpenAccount(ctx context.Context, q *queries.Queries, who Actor, name, accountType, currency string) (int64, []Created, error) {
	return l.findOrCreateAccount(ctx, q, who, name, cmp.Or(accountType, "depository"), currency)
}

// AccountLabels gives the household's accounts by inner key.
func (l *Ledger) AccountLabels(ctx context.Context, who Actor) (accounts map[int64]*AccountLabel, err error) {
	err = l.withLabels(ctx, l.db.Read, who, func(_ context.Context, _ *queries.Queries, names *labels) error {
		accounts = names.accounts.byKey
		return nil
	})
	return accounts, err
}
