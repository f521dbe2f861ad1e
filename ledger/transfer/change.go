package transfer

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// linkDays is how many days the sides of a transfer that is linked by hand may be apart.
const linkDays = 30

// Input is what a client says about a transfer, new or changed. Status is TransferPending,
// TransferConfirmed or TransferRejected and does not count for a new one. Problems are what decoding found.
type Input struct {
	InflowID, OutflowID ledger.Opt[uuid.UUID]
	Status              ledger.Opt[string]
	Notes               ledger.Opt[string]
	Problems            ledger.Problems
}

// LinkTransfer makes a transfer of two transactions, as a person says: of different accounts, one in and one
// out, at most 30 days apart, neither of them in a transfer that was confirmed. In one currency no more may
// arrive than left; what is missing is the fee. A rejection of the pair is taken back by it.
func (s *Service) LinkTransfer(ctx context.Context, who ledger.Actor, in Input) (t Transfer, err error) {
	err = s.WriteWithRefs(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		inflow, outflow, notes, err := checkLink(ctx, tx, &in)
		if err != nil {
			return err
		}
		if err := tx.DeleteRejectedTransfer(ctx, queries.DeleteRejectedTransferParams{InflowID: inflow.ID,
			OutflowID: outflow.ID, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		row, err := s.linkTransfer(ctx, tx, queries.Transfer{Status: TransferConfirmed, Reason: "linked by hand",
			Notes: notes}, inflow.ID, outflow.ID)
		if err != nil {
			return err
		}
		t, err = GetTransfer(ctx, tx, uuid.UUID(row.PublicID))
		return err
	})
	return t, err
}

// checkLink finds the two transactions and says all that keeps them from being a transfer.
func checkLink(ctx context.Context, tx *ledger.Tx, in *Input) (inflow, outflow queries.Transaction, notes *string,
	err error) {
	notes = in.Problems.Notes(in.Notes)
	inflow, err = checkSide(ctx, tx, in, "inflow_transaction_id", in.InflowID, 1)
	if err != nil {
		return inflow, outflow, notes, err
	}
	outflow, err = checkSide(ctx, tx, in, "outflow_transaction_id", in.OutflowID, -1)
	if err != nil {
		return inflow, outflow, notes, err
	}
	if len(in.Problems) == 0 {
		in.checkPair(inflow, outflow)
	}
	return inflow, outflow, notes, in.Problems.Err()
}

// checkSide finds one of the two transactions; sign is that of its amount.
func checkSide(ctx context.Context, tx *ledger.Tx, in *Input, field string, id ledger.Opt[uuid.UUID],
	sign int64) (t queries.Transaction, err error) {
	in.Problems.Require(id.Has(), field, "is required")
	if !id.Has() {
		return t, nil
	}
	t, err = ledger.GetTransaction(ctx, tx, id.Value)
	err = ledger.NotPart(ctx, tx, id.Value, err, field, "give the id of that one")
	if invalid := ledger.AsError(err); invalid != nil && invalid.Kind == ledger.Invalid {
		return t, in.Problems.Gather("", err)
	}
	if ledger.IsKind(err, ledger.NotFound) {
		in.Problems.Add(field, "is not the id of one of the household's own transactions: %s", id.Value)
		return t, nil
	}
	if err != nil {
		return t, err
	}
	if way := [...]string{"takes money out of its account", "brings money into its account"}[(sign+
		1)/2]; t.Amount*sign <= 0 {
		in.Problems.Add(field, "must be a transaction that %s, has %s", way, written(t.Amount, t.Currency))
	}
	pair, err := TransferOf(ctx, tx, t.ID)
	if err == nil && pair != nil && pair.Status == TransferConfirmed {
		in.Problems.Add(field, "must be a transaction that is in no other transfer, is in the confirmed one %s",
			uuid.UUID(pair.PublicID))
	}
	return t, err
}

func (in *Input) checkPair(inflow, outflow queries.Transaction) {
	p := PairOf(SideOf(inflow), SideOf(outflow))
	if inflow.AccountID == outflow.AccountID {
		in.Problems.Add("outflow_transaction_id", "must be a transaction of another account than the inflow's")
	}
	if p.days() > linkDays {
		in.Problems.Add("outflow_transaction_id", "must be at most %d days apart from the inflow, is %d: %s and %s",
			linkDays, p.days(), p.Out.day(), p.In.day())
	}
	if !p.isForeign() && inflow.Amount > -outflow.Amount {
		in.Problems.Add("inflow_transaction_id", "must bring in at most what left, which is %s, has %s",
			written(-outflow.Amount, outflow.Currency), written(inflow.Amount, inflow.Currency))
	}
}

// storeTransferChange writes a changed transfer; a change of nothing writes nothing.
func storeTransferChange(ctx context.Context, tx *ledger.Tx, before, after queries.Transfer) error {
	if before.Status == after.Status && ledger.Same(before.Notes, after.Notes) {
		return nil
	}
	after.UpdatedAt = max(tx.Stamp(), before.UpdatedAt+1)
	if err := tx.UpdateTransfer(ctx, queries.UpdateTransferParams{Status: after.Status, Reason: after.Reason,
		Notes:     after.Notes,
		UpdatedAt: after.UpdatedAt, ID: after.ID, HouseholdID: tx.HouseholdID}); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityTransfer, after.PublicID, before, after)
}

// UpdateTransfer changes notes and confirms. A transfer that is confirmed does not become pending again. To
// reject is RejectTransfer.
func (s *Service) UpdateTransfer(ctx context.Context, who ledger.Actor, id uuid.UUID, in Input) (t Transfer,
	err error) {
	err = s.WriteWithRefs(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		before, err := GetTransfer(ctx, tx, id)
		if err != nil {
			return err
		}
		after := before.Transfer
		if in.Notes.Set {
			after.Notes = in.Problems.Notes(in.Notes)
		}
		if in.Status.Has() && in.Status.Value == TransferPending && before.Status == TransferConfirmed {
			in.Problems.Add("status", "must stay confirmed or become rejected: pending is only what was matched automatically")
		}
		if err := in.Problems.Err(); err != nil {
			return err
		}
		after.Status = in.Status.Or(after.Status)
		if err := storeTransferChange(ctx, tx, before.Transfer, after); err != nil {
			return err
		}
		if before.Status != after.Status {
			if err := s.Rematch(ctx, tx, nil, before.sides()); err != nil {
				return err
			}
		}
		t, err = GetTransfer(ctx, tx, id)
		return err
	})
	return t, err
}

// UnlinkTransfer makes the sides ordinary transactions again. They are matched anew only when one of them, or
// something that could be joined with them, changes.
func (s *Service) UnlinkTransfer(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	return s.WriteWithRefs(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		t, err := GetTransfer(ctx, tx, id)
		if err != nil {
			return err
		}
		return partTransfer(ctx, tx, t.pair())
	})
}

func (t *Transfer) pair() *transferPair {
	return &transferPair{t.Transfer, t.Inflow.Transaction, t.Outflow.Transaction}
}

// RejectTransfer says that the two are no transfer, for good: they are never matched with each other again,
// but may be with others.
func (s *Service) RejectTransfer(ctx context.Context, who ledger.Actor, id uuid.UUID) (r RejectedTransfer, err error) {
	err = s.WriteWithRefs(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		t, err := GetTransfer(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := partTransfer(ctx, tx, t.pair()); err != nil {
			return err
		}
		rejected, err := StoreRejection(ctx, tx, t)
		if err != nil {
			return err
		}
		if err := s.Rematch(ctx, tx, t.sides(), nil); err != nil {
			return err
		}
		r, err = getRejectedTransfer(ctx, tx, uuid.UUID(rejected))
		return err
	})
	return r, err
}

func StoreRejection(ctx context.Context, tx *ledger.Tx, t Transfer) (queries.PublicID, error) {
	id, err := ledger.NewID()
	if err != nil {
		return id, err
	}
	row := queries.RejectedTransfer{InflowID: t.Inflow.ID, OutflowID: t.Outflow.ID, PublicID: id,
		HouseholdID: tx.HouseholdID, CreatedAt: tx.Stamp()}
	if err := tx.InsertRejectedTransfer(ctx, queries.InsertRejectedTransferParams(row)); err != nil {
		return id, err
	}
	return id, tx.Record(ctx, ledger.EntityRejection, id, nil, rejection{row, t.Inflow.PublicID, t.Outflow.PublicID})
}

// rejection is how the history keeps a rejected pair.
type rejection struct {
	queries.RejectedTransfer
	InflowPublicID, OutflowPublicID queries.PublicID
}

func (t *Transfer) sides() []CandidateLeg {
	return []CandidateLeg{SideOf(t.Inflow.Transaction), SideOf(t.Outflow.Transaction)}
}

// DeleteRejectedTransfer takes a rejection back: the two may be matched again, and are at once where nothing
// better stands in the way.
func (s *Service) DeleteRejectedTransfer(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	return s.WriteWithRefs(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		r, err := getRejectedTransfer(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := tx.DeleteRejectedTransfer(ctx, queries.DeleteRejectedTransferParams{InflowID: r.InflowID,
			OutflowID: r.OutflowID, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		if err := tx.Record(ctx, ledger.EntityRejection, r.PublicID,
			rejection{r.RejectedTransfer, r.Inflow.PublicID, r.Outflow.PublicID}, nil); err != nil {
			return err
		}
		return s.Rematch(ctx, tx, []CandidateLeg{SideOf(r.Inflow.Transaction), SideOf(r.Outflow.Transaction)}, nil)
	})
}
