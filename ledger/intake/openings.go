package intake

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/catalog"
	"finsvc/queries"
)

// Opening is the opening balance that a file states for an account.
type Opening struct {
	AccountID int64
	Date      ledger.Date // at whose end the account has it
	Minor     int64       // minor units of the account's currency; what is owed is negative
	Fresh     bool        // the account was created for the file
}

// StateOpening makes it the opening balance of an account that was created for the file. Any other account keeps
// its own and gets a valuation on the day; one that is there with another amount is a validation error.
func StateOpening(ctx context.Context, tx *ledger.Tx, o Opening) ([]ledger.Created, error) {
	day := int64(o.Date)
	if o.Fresh {
		return nil, setOpening(ctx, tx, o)
	}
	old, err := tx.GetValuationOfDay(ctx, queries.GetValuationOfDayParams{AccountID: o.AccountID, Day: day,
		HouseholdID: tx.HouseholdID})
	switch {
	case err == nil && old.Amount == o.Minor:
		return nil, nil
	case err == nil:
		return nil, ledger.NewInvalid("file", "states an opening balance for %s, and the account has another valuation at the end of that day: delete or correct one of them", o.Date.AddDays(1))
	case !errors.Is(err, db.ErrNotFound):
		return nil, err
	}
	v, err := catalog.InsertValuation(ctx, tx, queries.Valuation{HouseholdID: tx.HouseholdID, AccountID: o.AccountID,
		Date: &day, Amount: o.Minor, Kind: "reconciliation"})
	return []ledger.Created{{Entity: string(ledger.EntityValuation), ID: v.PublicID}}, err
}

// TakeOpening makes what a file proves the opening balance of an account in which nothing is booked and of which
// nobody has said one; taken is false where it has one. Money in the account is positive. With an import it is noted
// for the revert.
func TakeOpening(ctx context.Context, tx *ledger.Tx, importID int64, o Opening) (taken bool, err error) {
	before, err := tx.GetUnstatedOpening(ctx, queries.GetUnstatedOpeningParams{AccountID: o.AccountID,
		HouseholdID: tx.HouseholdID})
	if errors.Is(err, db.ErrNotFound) || err == nil && o.Minor == 0 {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	after := before
	after.Date, after.Amount = new(int64(o.Date)), o.Minor
	if _, err := catalog.ChangeValuation(ctx, tx, before, after); err != nil || importID == 0 || o.Fresh {
		return err == nil, err
	}
	return true, tx.NoteImportChange(ctx, queries.NoteImportChangeParams{ImportID: importID,
		HouseholdID: tx.HouseholdID, Entity: string(ledger.EntityValuation), EntityID: before.PublicID})
}

// RevertOpenings gives accounts the opening balances back that they had before an import set them. One that was
// changed since stays.
func RevertOpenings(ctx context.Context, tx *ledger.Tx, importID int64) error {
	rows, err := tx.ListImportOpenings(ctx, queries.ListImportOpeningsParams{ImportID: importID,
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	for _, row := range rows {
		var before, after queries.Valuation
		if err := errors.Join(json.Unmarshal([]byte(row.Was), &before),
			json.Unmarshal([]byte(row.Became), &after)); err != nil {
			return err
		}
		if row.Valuation.UpdatedAt != after.UpdatedAt {
			continue
		}
		restored := row.Valuation
		restored.Date, restored.Amount = before.Date, before.Amount
		if _, err := catalog.ChangeValuation(ctx, tx, row.Valuation, restored); err != nil {
			return err
		}
	}
	return tx.ForgetImportOpenings(ctx, queries.ForgetImportOpeningsParams{ImportID: importID,
		HouseholdID: tx.HouseholdID})
}

// BalanceOn is the balance of an account at the end of a day, as a write sees it.
func BalanceOn(ctx context.Context, tx *ledger.Tx, account int64, day ledger.Date) (int64, error) {
	b, err := balance.BalanceTx(ctx, tx, account, day)
	return b.Cash(), err
}

// AccountMoves is what moved in an account on each day of a range, in its own currency.
func AccountMoves(ctx context.Context, tx *ledger.Tx, account int64, first, last ledger.Date) (map[ledger.Date]int64,
	error) {
	rows, err := tx.ListAccountMoves(ctx, queries.ListAccountMovesParams{AccountID: account, FirstDay: int64(first),
		LastDay: int64(last), HouseholdID: tx.HouseholdID})
	moves := make(map[ledger.Date]int64, len(rows))
	for _, r := range rows {
		moves[ledger.Date(r.Date)] = r.Amount
	}
	return moves, err
}

// setOpening moves the opening balance that every new account has.
func setOpening(ctx context.Context, tx *ledger.Tx, o Opening) error {
	before, err := tx.GetOpening(ctx, queries.GetOpeningParams{AccountID: o.AccountID, HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	after := before
	after.Date, after.Amount = new(int64(o.Date)), o.Minor
	_, err = catalog.ChangeValuation(ctx, tx, before, after)
	return err
}

// FindOrOpenAccount is [FindOrCreateAccount] for a file that says of which type the account is; blank is
// depository.
func FindOrOpenAccount(ctx context.Context, tx *ledger.Tx, name, accountType, currency string) (int64, []ledger.Created,
	error) {
	return findOrCreateAccount(ctx, tx, name, cmp.Or(accountType, "depository"), currency)
}

// AccountLabels gives the household's accounts by inner key.
func (s *Service) AccountLabels(ctx context.Context, who ledger.Actor) (accounts map[int64]*ledger.AccountRef,
	err error) {
	err = s.WithRefs(ctx, s.DB.Read, who, func(_ context.Context, tx *ledger.Tx) error {
		accounts = tx.Refs.Accounts.ByKey
		return nil
	})
	return accounts, err
}
