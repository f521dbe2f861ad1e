package catalog

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/queries"
)

// RestoreAccount gives an account the name, type, texts, status, currency and opening balance again that an update
// changed. Where one of them has been changed since it is a conflict, and so is a currency or type that does not go with
// what has been booked since.
func (s *Accounts) RestoreAccount(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	what := "the account " + uuid.UUID(change.EntityID).String()
	row, err := tx.GetAccount(ctx, queries.GetAccountParams{PublicID: change.EntityID, HouseholdID: tx.HouseholdID})
	err = ledger.Missing(err, "Account")
	if ledger.IsKind(err, ledger.NotFound) {
		return ledger.ChangedSince(what, "it is gone")
	}
	if err != nil {
		return err
	}
	what = "the account " + ledger.Quote(row.Account.Name)
	if change.Action != ledger.ActionUpdate {
		return ledger.NewConflict("an account that was opened goes by deleting it")
	}
	now := AccountState{Account: row.Account, OpeningAmount: row.OpeningAmount, OpeningDate: row.OpeningDate}
	then, err := ledger.WithoutChange(now, change, what, "NameKey", "OpeningStated")
	if err != nil || then.Equal(now) {
		return err
	}
	used, err := tx.HasAccountEntries(ctx, queries.HasAccountEntriesParams{ID: now.ID, HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	kind, _ := ledger.LookupAccountType(then.AccountType) // the table allows no others
	if used.HasTrades != 0 && !kind.TakesTrades() {
		return ledger.ChangedSince(what, "it has trades")
	}
	if used.HasEntries != 0 && then.Currency != now.Currency {
		return ledger.ChangedSince(what, "it has entries in "+now.Currency)
	}
	then.NameKey = ledger.Fold(then.Name)
	then.UpdatedAt = max(tx.Stamp(), now.UpdatedAt+1)
	if err := tx.UpdateAccount(ctx, UpdateAccountParams(then.Account)); err != nil {
		return err
	}
	if err := moveOpening(ctx, tx, now, then); err != nil {
		if ledger.IsKind(err, ledger.Invalid) {
			return ledger.ChangedSince("the opening balance of "+ledger.Quote(then.Name), "its day has a valuation")
		}
		return err
	}
	if err := balance.Check(ctx, tx, []int64{then.ID}); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityAccount, then.PublicID, now, then)
}
