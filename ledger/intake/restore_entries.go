package intake

import (
	"context"
	"errors"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/transfer"
	"finsvc/queries"
)

// RestoreValuation states what an account with that key is worth at the end of a day, in minor units and in the
// ledger's sign, unless it has a valuation on that day already; kept says that it has, and another amount.
func RestoreValuation(ctx context.Context, tx *ledger.Tx, account int64, day ledger.Date, minor int64,
	notes *string) (created []ledger.Created, kept bool, err error) {
	old, err := tx.GetValuationOfDay(ctx, queries.GetValuationOfDayParams{AccountID: account, Day: int64(day),
		HouseholdID: tx.HouseholdID})
	if !errors.Is(err, db.ErrNotFound) {
		return nil, err == nil && old.Amount != minor, err
	}
	v, err := catalog.InsertValuation(ctx, tx, queries.Valuation{HouseholdID: tx.HouseholdID, AccountID: account,
		Date: new(int64(day)), Amount: minor,
		Kind: "reconciliation", Notes: notes})
	if err != nil {
		return nil, false, err
	}
	return []ledger.Created{{Entity: string(ledger.EntityValuation), ID: v.PublicID}}, false, nil
}

// BackupTransfer is a transfer of a backup: what it says besides its two sides.
type BackupTransfer struct {
	Status, Reason string
	Notes          *string
}

// RestoreTransfer makes a transfer of two transactions that an import has written; joined is false when they cannot
// be one: one of them is in a transfer, or money does not leave one account and arrive in another. Which of the two
// is the inflow their amounts say.
func RestoreTransfer(ctx context.Context, tx *ledger.Tx, a, b queries.Transaction, in BackupTransfer) (joined bool,
	err error) {
	inflow, outflow, ok := sidesOf(a, b)
	if !ok || inflow.TransferID != nil || outflow.TransferID != nil {
		return false, nil
	}
	_, err = transfer.StoreTransfer(ctx, tx, queries.Transfer{Status: in.Status, Reason: in.Reason, Notes: in.Notes},
		inflow.ID, outflow.ID)
	return err == nil, err
}

// RestoreRejection says of two transactions that an import has written that they are no transfer; noted is false
// when they could be none anyway.
func RestoreRejection(ctx context.Context, tx *ledger.Tx, a, b queries.Transaction) (noted bool, err error) {
	inflow, outflow, ok := sidesOf(a, b)
	if !ok {
		return false, nil
	}
	pair := transfer.Transfer{Inflow: transfer.Leg{Transaction: inflow}, Outflow: transfer.Leg{Transaction: outflow}}
	_, err = transfer.StoreRejection(ctx, tx, pair)
	if db.IsTaken(err) {
		return true, nil // it was rejected before
	}
	return err == nil, err
}

// sidesOf tells inflow and outflow apart; ok is false when the two are no movement between accounts.
func sidesOf(a, b queries.Transaction) (inflow, outflow queries.Transaction, ok bool) {
	inflow, outflow = a, b
	if inflow.Amount < 0 {
		inflow, outflow = outflow, inflow
	}
	return inflow, outflow, inflow.Amount > 0 && outflow.Amount < 0 && inflow.AccountID != outflow.AccountID
}
