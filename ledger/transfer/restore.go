package transfer

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// Restore takes back what a change did to a transfer, without matching anything else. One that was matched automatically
// does not come back where one of its sides is in another one by now.
func (s *Service) Restore(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	switch change.Action {
	case ledger.ActionCreate:
		return dissolve(ctx, tx, change)
	case ledger.ActionUpdate:
		return restoreFields(ctx, tx, change)
	}
	return s.relink(ctx, tx, change)
}

// dissolve makes the sides of a transfer that was created ordinary transactions again.
func dissolve(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	t, err := GetTransfer(ctx, tx, uuid.UUID(change.EntityID))
	if ledger.IsKind(err, ledger.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return partTransfer(ctx, tx, t.pair())
}

// restoreFields gives a transfer the state and the notes that it had.
func restoreFields(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	t, err := GetTransfer(ctx, tx, uuid.UUID(change.EntityID))
	if ledger.IsKind(err, ledger.NotFound) {
		return ledger.ChangedSince("the transfer", "it is gone")
	}
	if err != nil {
		return err
	}
	var was, is queries.Transfer
	if err := readImages(change, &was, &is); err != nil {
		return err
	}
	if t.Status != is.Status || !ledger.Same(t.Notes, is.Notes) {
		return ledger.ChangedSince(fmt.Sprintf("the transfer between %s and %s", ledger.Quote(t.Outflow.Name),
			ledger.Quote(t.Inflow.Name)), "it is "+t.Status)
	}
	after := t.Transfer
	after.Status, after.Reason, after.Notes = was.Status, was.Reason, was.Notes
	return storeTransferChange(ctx, tx, t.Transfer, after)
}

// relink makes two transactions the transfer again that was parted.
func (s *Service) relink(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	var was joined
	if err := readImages(change, &was, nil); err != nil {
		return err
	}
	var keys [2]int64
	free := true
	for i, id := range []queries.PublicID{was.InflowID, was.OutflowID} {
		side, err := ledger.GetTransaction(ctx, tx, uuid.UUID(id))
		if ledger.IsKind(err, ledger.NotFound) && was.Status == TransferPending {
			return nil
		}
		if ledger.IsKind(err, ledger.NotFound) {
			return ledger.ChangedSince("the transfer", "one of its transactions is gone")
		}
		if err != nil {
			return err
		}
		if side.TransferID != nil && was.Status == TransferPending {
			return nil // it has another one by now
		}
		keys[i], free = side.ID, free && side.TransferID == nil
	}
	again := queries.Transfer{PublicID: was.PublicID, Status: was.Status, Reason: was.Reason, Notes: was.Notes}
	if free {
		_, err := StoreTransfer(ctx, tx, again, keys[0], keys[1])
		return err
	}
	_, err := s.linkTransfer(ctx, tx, again, keys[0], keys[1])
	return err
}

// RestoreRejection takes back what a change did to a rejected pair. One that is no longer rejected is not matched: what
// the same operation did to the transfer is taken back as well.
func (s *Service) RestoreRejection(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	if change.Action == ledger.ActionDelete {
		return rejectAgain(ctx, tx, change)
	}
	r, err := getRejectedTransfer(ctx, tx, uuid.UUID(change.EntityID))
	if ledger.IsKind(err, ledger.NotFound) {
		return ledger.ChangedSince("the rejected pair", "the rejection is gone")
	}
	if err != nil {
		return err
	}
	if err := tx.DeleteRejectedTransfer(ctx, queries.DeleteRejectedTransferParams{InflowID: r.InflowID,
		OutflowID: r.OutflowID, HouseholdID: tx.HouseholdID}); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityRejection, r.PublicID,
		rejection{r.RejectedTransfer, r.Inflow.PublicID, r.Outflow.PublicID}, nil)
}

// rejectAgain rejects a pair that was, and parts it where it was matched meanwhile.
func rejectAgain(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	var was rejection
	if err := readImages(change, &was, nil); err != nil {
		return err
	}
	inflow, err := ledger.GetTransaction(ctx, tx, uuid.UUID(was.InflowPublicID))
	if err != nil {
		return gone(err)
	}
	outflow, err := ledger.GetTransaction(ctx, tx, uuid.UUID(was.OutflowPublicID))
	if err != nil {
		return gone(err)
	}
	was.InflowID, was.OutflowID = inflow.ID, outflow.ID
	err = tx.InsertRejectedTransfer(ctx, queries.InsertRejectedTransferParams(was.RejectedTransfer))
	if db.IsTaken(err) {
		return ledger.ChangedSince("the rejected pair", "it was rejected again")
	}
	if err != nil {
		return err
	}
	if err := tx.Record(ctx, ledger.EntityRejection, was.PublicID, nil, was); err != nil {
		return err
	}
	if inflow.TransferID == nil || !ledger.Same(inflow.TransferID, outflow.TransferID) {
		return nil
	}
	pair, err := readPair(ctx, tx, *inflow.TransferID)
	if err != nil {
		return err
	}
	return partTransfer(ctx, tx, pair)
}

func gone(err error) error {
	if ledger.IsKind(err, ledger.NotFound) {
		return ledger.ChangedSince("the rejected pair", "one of its transactions is gone")
	}
	return err
}

// RecordRejections notes in the history the rejected pairs of transactions, given by their keys, that are about to be
// deleted, which go with them.
func RecordRejections(ctx context.Context, tx *ledger.Tx, keys []int64) error {
	rows, err := tx.ListRejectionsOf(ctx, queries.ListRejectionsOfParams{HouseholdID: tx.HouseholdID, Ids: ledger.JSONArray(keys)})
	if err != nil {
		return err
	}
	for _, r := range rows {
		if err := tx.Record(ctx, ledger.EntityRejection, r.RejectedTransfer.PublicID,
			rejection{r.RejectedTransfer, r.InflowPublicID, r.OutflowPublicID}, nil); err != nil {
			return err
		}
	}
	return nil
}

// readImages reads what the history keeps of a change; is may be nil.
func readImages(change ledger.Change, was, is any) error {
	if change.Before == nil {
		return nil
	}
	if err := json.Unmarshal([]byte(*change.Before), was); err != nil || is == nil || change.After == nil {
		return err
	}
	return json.Unmarshal([]byte(*change.After), is)
}
