package transfer

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// The states of a transfer. A pending one was matched automatically and gives way to a better match; one that
// was confirmed, or linked by hand, stays.
const (
	TransferPending   = "pending"
	TransferConfirmed = "confirmed"
	TransferRejected  = "rejected" // of a pair that is not matched again
)

// Transfer is two transactions of different accounts that are one movement of money.
type Transfer struct {
	queries.Transfer
	Inflow, Outflow Leg
}

// Leg is a side of a transfer. Kind is what the application whose API this is calls it.
type Leg struct {
	queries.Transaction
	Account *ledger.AccountRef
	Kind    string
}

// RejectedTransfer is a pair that was declared to be no transfer.
type RejectedTransfer struct {
	queries.RejectedTransfer
	Inflow, Outflow Leg
}

// Type is what the movement does: transfer, liability_payment or loan_payment, by the account that receives.
func (t *Transfer) Type() string {
	switch kind, _ := ledger.LookupAccountType(t.Inflow.Account.AccountType); {
	case kind.Name == "loan":
		return "loan_payment"
	case kind.Classification == ledger.Liability:
		return "liability_payment"
	}
	return "transfer"
}

// Fee is what was paid for the movement, in minor units of the outflow's currency: what left and did not
// arrive. Between two currencies it is not known.
func (t *Transfer) Fee() (minor int64, known bool) {
	minor = -t.Outflow.Amount - t.Inflow.Amount
	return minor, t.Inflow.Currency == t.Outflow.Currency && minor > 0
}

// sidesOf puts the accounts and the kinds to the two sides of a movement.
func sidesOf(refs *ledger.Refs, inflow, outflow queries.Transaction) (in, out Leg) {
	to, from := refs.Accounts.ByKey[inflow.AccountID], refs.Accounts.ByKey[outflow.AccountID]
	kind, spent := to.AccountType, "funds_movement"
	switch receives, _ := ledger.LookupAccountType(kind); {
	case kind == "loan":
		spent = "loan_payment"
	case receives.Classification == ledger.Liability:
		spent = "cc_payment"
	case receives.TakesTrades():
		spent = "investment_contribution"
	}
	return Leg{inflow, to, "funds_movement"}, Leg{outflow, from, spent}
}

func transferOf(refs *ledger.Refs, row queries.GetTransferRow) Transfer {
	in, out := sidesOf(refs, row.Transaction, row.Transaction_2)
	return Transfer{row.Transfer, in, out}
}

func rejectedOf(refs *ledger.Refs, row queries.GetRejectedTransferRow) RejectedTransfer {
	in, out := sidesOf(refs, row.Transaction, row.Transaction_2)
	for _, part := range []*Leg{&in, &out} {
		if part.TransferID == nil {
			part.Kind = "standard"
		}
	}
	return RejectedTransfer{row.RejectedTransfer, in, out}
}

// Filter selects transfers; what is not given selects all. A list of ids that is nil is no filter. The
// days are those of either side, both included.
type Filter struct {
	Status             string
	AccountIDs         []uuid.UUID
	StartDate, EndDate ledger.Opt[ledger.Date]
}

// ListTransfers gives a page of the transfers that the filter selects, newest created first, and how many it
// selects in all.
func (s *Service) ListTransfers(ctx context.Context, who ledger.Actor, f Filter, page ledger.Page) (list []Transfer,
	total int64, err error) {
	err = s.WithRefs(ledger.Heavy(ctx, who), s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
		count := f.params(tx.Actor, tx.Refs)
		if f.AccountIDs == nil && !f.StartDate.Has() && !f.EndDate.Has() {
			total, err = tx.CountAllTransfers(ctx, queries.CountAllTransfersParams{HouseholdID: tx.HouseholdID, Status: count.Status})
		} else {
			total, err = tx.CountTransfers(ctx, count)
		}
		if err != nil || page.Offset() >= total {
			return err
		}
		rows, err := tx.ListTransfers(ctx, queries.ListTransfersParams{HouseholdID: tx.HouseholdID,
			Status: count.Status, Accounts: count.Accounts,
			FirstDay: count.FirstDay, LastDay: count.LastDay, Skip: page.Offset(), Count: int64(page.Size)})
		for _, row := range rows {
			list = append(list, transferOf(tx.Refs, queries.GetTransferRow(row)))
		}
		return err
	})
	return list, total, err
}

func (f Filter) params(who ledger.Actor, refs *ledger.Refs) queries.CountTransfersParams {
	p := queries.CountTransfersParams{HouseholdID: who.HouseholdID, FirstDay: int64(f.StartDate.Or(ledger.MinDate)),
		LastDay: int64(f.EndDate.Or(ledger.MaxDate))}
	if f.Status != "" {
		p.Status = &f.Status
	}
	if f.AccountIDs != nil {
		keys := []int64{} // ids of nothing match nothing
		for _, id := range f.AccountIDs {
			if key, known := refs.Accounts.Keys[id]; known {
				keys = append(keys, key)
			}
		}
		p.Accounts = ledger.JSONArray(keys)
	}
	return p
}

// GetTransfer gives one transfer.
func (s *Service) GetTransfer(ctx context.Context, who ledger.Actor, id uuid.UUID) (t Transfer, err error) {
	err = s.WithRefs(ctx, s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
		t, err = GetTransfer(ctx, tx, id)
		return err
	})
	return t, err
}

func GetTransfer(ctx context.Context, tx *ledger.Tx, id uuid.UUID) (Transfer, error) {
	row, err := tx.GetTransfer(ctx, queries.GetTransferParams{PublicID: queries.PublicID(id),
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return Transfer{}, ledger.Missing(err, "Transfer")
	}
	return transferOf(tx.Refs, row), nil
}

// ListRejectedTransfers gives a page of the rejected pairs that the filter selects, newest first, and how many it
// selects in all. None has another status than [TransferRejected].
func (s *Service) ListRejectedTransfers(ctx context.Context, who ledger.Actor, f Filter,
	page ledger.Page) (list []RejectedTransfer, total int64, err error) {
	if f.Status != "" && f.Status != TransferRejected {
		return nil, 0, nil
	}
	err = s.WithRefs(ctx, s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
		p := f.params(tx.Actor, tx.Refs)
		total, err = tx.CountRejectedTransfers(ctx, queries.CountRejectedTransfersParams{HouseholdID: p.HouseholdID,
			Accounts: p.Accounts, FirstDay: p.FirstDay, LastDay: p.LastDay})
		if err != nil || page.Offset() >= total {
			return err
		}
		rows, err := tx.ListRejectedTransfers(ctx, queries.ListRejectedTransfersParams{HouseholdID: p.HouseholdID,
			Accounts: p.Accounts,
			FirstDay: p.FirstDay, LastDay: p.LastDay, Skip: page.Offset(), Count: int64(page.Size)})
		for _, row := range rows {
			list = append(list, rejectedOf(tx.Refs, queries.GetRejectedTransferRow(row)))
		}
		return err
	})
	return list, total, err
}

// GetRejectedTransfer gives one rejected pair.
func (s *Service) GetRejectedTransfer(ctx context.Context, who ledger.Actor, id uuid.UUID) (r RejectedTransfer,
	err error) {
	err = s.WithRefs(ctx, s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
		r, err = getRejectedTransfer(ctx, tx, id)
		return err
	})
	return r, err
}

func getRejectedTransfer(ctx context.Context, tx *ledger.Tx, id uuid.UUID) (RejectedTransfer, error) {
	row, err := tx.GetRejectedTransfer(ctx, queries.GetRejectedTransferParams{PublicID: queries.PublicID(id),
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return RejectedTransfer{}, ledger.Missing(err, "Rejected transfer")
	}
	return rejectedOf(tx.Refs, row), nil
}
