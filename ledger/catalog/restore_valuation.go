package catalog

import (
	"context"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/queries"
)

// RestoreValuation takes back what a change did to a valuation: one that was created goes, one that was deleted comes
// back with its id, and of one that was changed the date, amount and notes that were changed are what they were. It is a
// conflict where these have been changed since, or where the account has another valuation on that day by now.
func (s *Accounts) RestoreValuation(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	if change.Action == ledger.ActionDelete {
		return insertValuationAgain(ctx, tx, change)
	}
	now, err := getValuation(ctx, tx, uuid.UUID(change.EntityID))
	if ledger.IsKind(err, ledger.NotFound) {
		return ledger.ChangedSince("the valuation "+uuid.UUID(change.EntityID).String(), "it is gone")
	}
	if err != nil {
		return err
	}
	what := valuationInWords(tx.Refs, now)
	if change.Action == ledger.ActionCreate {
		changed, err := ledger.ChangedLater(ctx, tx, change)
		if err != nil {
			return err
		}
		if changed {
			return ledger.ChangedSince(what, "it has another amount, day or notes")
		}
		return removeValuation(ctx, tx, now)
	}
	then, err := ledger.WithoutChange(now, change, what)
	if err != nil {
		return err
	}
	then, err = ChangeValuation(ctx, tx, now, then)
	if err != nil {
		return takenSince(err, tx.Refs, then)
	}
	return balance.Check(ctx, tx, []int64{then.AccountID})
}

// insertValuationAgain writes a valuation that was deleted, as it was.
func insertValuationAgain(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	v, err := ledger.ReadDeleted[queries.Valuation](change, "the valuation")
	if err != nil {
		return err
	}
	if tx.Refs.Accounts.ByKey[v.AccountID] == nil {
		return ledger.ChangedSince("the account of a valuation", "it is gone")
	}
	v.ImportID, err = ledger.ImportStillThere(ctx, tx, v.ImportID, v.CreatedAt)
	if err != nil {
		return err
	}
	v.UpdatedAt = max(tx.Stamp(), v.UpdatedAt+1)
	_, err = tx.InsertValuation(ctx, queries.InsertValuationParams{ID: &v.ID, PublicID: v.PublicID,
		HouseholdID: tx.HouseholdID, AccountID: v.AccountID, Date: v.Date, Amount: v.Amount, Kind: v.Kind, Notes: v.Notes,
		ImportID: v.ImportID, CreatedAt: v.CreatedAt, UpdatedAt: v.UpdatedAt, Stated: v.Stated})
	if err != nil {
		return takenSince(err, tx.Refs, v)
	}
	if err := balance.Check(ctx, tx, []int64{v.AccountID}); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityValuation, v.PublicID, nil, v)
}

// takenSince explains that a valuation cannot have its day again; other errors pass.
func takenSince(err error, refs *ledger.Refs, v queries.Valuation) error {
	if db.IsTaken(err) || ledger.IsKind(err, ledger.Invalid) {
		return ledger.ChangedSince(valuationInWords(refs, v), "the account has another one in its place")
	}
	return err
}

func valuationInWords(refs *ledger.Refs, v queries.Valuation) string {
	text := "the valuation of " + ledger.Quote(refs.Accounts.ByKey[v.AccountID].Name)
	if v.Date == nil {
		return text + " before its first entry"
	}
	return text + " on " + ledger.Date(*v.Date).String()
}
