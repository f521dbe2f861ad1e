package catalog

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/queries"
)

// RestoreAccount takes back an update: an account has the name, type, texts, status, currency and opening balance again that
// were changed. Where one of them has been changed since it is a conflict, and so is a currency or type that does not go with
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
	now := AccountState{Account: row.Account, OpeningAmount: row.OpeningAmount, OpeningDate: row.OpeningDate}
	now.OpeningRow, err = readOpening(ctx, tx, now.ID)
	if err != nil {
		return err
	}
	then, err := ledger.WithoutChange(now, change, what, "NameKey", "OpeningStated", "OpeningRow")
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
	then.OpeningRow, err = restoreOpening(ctx, tx, now, then, change)
	if err != nil {
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

// restoreOpening gives an account its opening balance as it was, and what it stands in: a row that came with the change goes,
// one that went with it comes back.
func restoreOpening(ctx context.Context, tx *ledger.Tx, now, then AccountState, change ledger.Change) (*openingRow, error) {
	var was, is AccountState
	if err := json.Unmarshal([]byte(*change.Before), &was); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(*change.After), &is); err != nil {
		return nil, err
	}
	switch {
	case was.OpeningRow == nil && is.OpeningRow != nil && now.OpeningRow != nil:
		return nil, tx.DeleteValuation(ctx, queries.DeleteValuationParams{ID: now.OpeningRow.ID, HouseholdID: tx.HouseholdID})
	case was.OpeningRow != nil && is.OpeningRow == nil && now.OpeningRow == nil:
		row := was.OpeningRow
		err := tx.PutValuation(ctx, queries.PutValuationParams{ID: row.ID, PublicID: row.PublicID, HouseholdID: tx.HouseholdID,
			AccountID: now.ID, Date: then.OpeningDate, Amount: then.OpeningAmount, Kind: "opening_anchor", Stated: row.Stated,
			Notes: row.Notes, CreatedAt: row.CreatedAt, UpdatedAt: then.UpdatedAt})
		return row, openingTaken(err, then)
	}
	return now.OpeningRow, moveOpening(ctx, tx, now, then)
}
