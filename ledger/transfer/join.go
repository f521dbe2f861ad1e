package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// joined is how the history keeps a transfer.
type joined struct {
	queries.Transfer
	InflowID, OutflowID queries.PublicID
}

// JoinTransfer makes a transfer of two transactions, given by their keys. Automatic transfers in the way give
// way, and what they leave may be matched anew; one that was confirmed is a conflict.
func (s *Service) JoinTransfer(ctx context.Context, tx *ledger.Tx, inflow, outflow int64, status,
	reason string) (queries.Transfer, error) {
	return s.linkTransfer(ctx, tx, queries.Transfer{Status: status, Reason: reason}, inflow, outflow)
}

func (s *Service) linkTransfer(ctx context.Context, tx *ledger.Tx, t queries.Transfer, inflow,
	outflow int64) (queries.Transfer, error) {
	var freed []CandidateLeg
	for _, key := range []int64{inflow, outflow} {
		other, err := clearWay(ctx, tx, key)
		if err != nil {
			return queries.Transfer{}, err
		}
		freed = append(freed, other...)
	}
	t, err := StoreTransfer(ctx, tx, t, inflow, outflow)
	if err != nil {
		return t, err
	}
	pair, err := readPair(ctx, tx, t.ID)
	if err != nil {
		return t, err
	}
	refs, err := tx.RefsNow(ctx)
	if err != nil {
		return t, err
	}
	return t, s.Rematch(ctx, tx.With(refs), freed, []CandidateLeg{SideOf(pair.in), SideOf(pair.out)})
}

// clearWay parts the automatic transfer that a transaction is in, and gives the other side.
func clearWay(ctx context.Context, tx *ledger.Tx, key int64) ([]CandidateLeg, error) {
	pair, err := TransferOf(ctx, tx, key)
	if err != nil || pair == nil {
		return nil, err
	}
	if side := pair.side(key); pair.Status == TransferConfirmed {
		return nil, ledger.NewConflict("the transaction %s of %s is a side of another transfer, which was confirmed",
			ledger.Quote(side.Name), ledger.Date(side.Date))
	}
	return []CandidateLeg{SideOf(pair.other(key))}, partTransfer(ctx, tx, pair)
}

// StoreTransfer writes a transfer of two transactions that are in none.
func StoreTransfer(ctx context.Context, tx *ledger.Tx, t queries.Transfer, inflow, outflow int64) (queries.Transfer,
	error) {
	if err := insertTransfer(ctx, tx, &t); err != nil {
		return t, err
	}
	if err := setTransfers(ctx, tx, map[int64]int64{inflow: t.ID, outflow: t.ID}); err != nil {
		return t, err
	}
	return t, recordTransfers(ctx, tx, t.ID)
}

// insertTransfer gives the row its key, and its id if it has none, and writes it, without its sides.
func insertTransfer(ctx context.Context, tx *ledger.Tx, t *queries.Transfer) (err error) {
	if t.PublicID == (queries.PublicID{}) {
		t.PublicID, err = ledger.NewID()
	}
	if err != nil {
		return err
	}
	t.HouseholdID, t.CreatedAt = tx.HouseholdID, tx.Stamp()
	t.UpdatedAt = t.CreatedAt
	t.ID, err = tx.InsertTransfer(ctx, queries.InsertTransferParams{PublicID: t.PublicID, HouseholdID: t.HouseholdID,
		Status: t.Status,
		Reason: t.Reason, Notes: t.Notes, CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt})
	return err
}

// setTransfers makes transactions the sides of transfers, keys by keys.
func setTransfers(ctx context.Context, tx *ledger.Tx, sides map[int64]int64) error {
	text, err := json.Marshal(sides)
	if err != nil {
		return err
	}
	return tx.SetTransfers(ctx, tx.HouseholdID, tx.Stamp(), string(text))
}

// recordTransfers appends new transfers, given by their keys, to the history.
func recordTransfers(ctx context.Context, tx *ledger.Tx, keys ...int64) error {
	rows, err := tx.ListTransfersByKey(ctx, queries.ListTransfersByKeyParams{Ids: ledger.JSONArray(keys),
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	changes := make([]queries.InsertChangeParams, len(rows))
	for i, p := range rows {
		changes[i], err = tx.ChangeOf(ledger.EntityTransfer, p.Transfer.PublicID, nil, nil)
		if err != nil {
			return err
		}
	}
	return tx.InsertChanges(ctx, changes)
}

// transferPair is a transfer with its sides as they are stored.
type transferPair struct {
	queries.Transfer
	in, out queries.Transaction
}

func (p *transferPair) side(key int64) queries.Transaction {
	if p.in.ID == key {
		return p.in
	}
	return p.out
}

func (p *transferPair) other(key int64) queries.Transaction {
	if p.in.ID == key {
		return p.out
	}
	return p.in
}

// TransferOf is the transfer that a transaction is a side of; nil when it is in none.
func TransferOf(ctx context.Context, tx *ledger.Tx, key int64) (*transferPair, error) {
	row, err := tx.GetTransactionRow(ctx, key)
	if err != nil || row.TransferID == nil {
		return nil, err
	}
	return readPair(ctx, tx, *row.TransferID)
}

func readPair(ctx context.Context, tx *ledger.Tx, transfer int64) (*transferPair, error) {
	row, err := tx.GetTransferByKey(ctx, queries.GetTransferByKeyParams{ID: transfer, HouseholdID: tx.HouseholdID})
	if err != nil {
		return nil, err
	}
	return &transferPair{row.Transfer, row.Transaction, row.Transaction_2}, nil
}

// partTransfer makes the two sides ordinary transactions again.
func partTransfer(ctx context.Context, tx *ledger.Tx, p *transferPair) error {
	if err := tx.FreeSides(ctx, queries.FreeSidesParams{Stamp: tx.Stamp(), TransferID: &p.ID,
		HouseholdID: tx.HouseholdID}); err != nil {
		return err
	}
	if err := tx.DeleteTransfer(ctx, queries.DeleteTransferParams{ID: p.ID, HouseholdID: tx.HouseholdID}); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityTransfer, p.PublicID, joined{p.Transfer, p.in.PublicID, p.out.PublicID}, nil)
}

// PartTransfers does so for many, given by their keys, at once.
func PartTransfers(ctx context.Context, tx *ledger.Tx, keys []int64) error {
	ids := ledger.JSONArray(keys)
	rows, err := tx.ListTransfersByKey(ctx, queries.ListTransfersByKeyParams{Ids: ids, HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	changes := make([]queries.InsertChangeParams, len(rows))
	var sides []int64
	for i, p := range rows {
		sides = append(sides, p.Transaction.ID, p.Transaction_2.ID)
		before := joined{p.Transfer, p.Transaction.PublicID, p.Transaction_2.PublicID}
		changes[i], err = tx.ChangeOf(ledger.EntityTransfer, p.Transfer.PublicID, before, nil)
		if err != nil {
			return err
		}
	}
	if err := tx.FreeSidesByKey(ctx, queries.FreeSidesByKeyParams{Stamp: tx.Stamp(), Ids: ledger.JSONArray(sides),
		HouseholdID: tx.HouseholdID}); err != nil {
		return err
	}
	if err := tx.DeleteTransfers(ctx, queries.DeleteTransfersParams{HouseholdID: tx.HouseholdID,
		Ids: ids}); err != nil {
		return err
	}
	return tx.InsertChanges(ctx, changes)
}

// Unmatch brings the transfer of a transaction up to date with a change of it, and gives what is to be matched anew by
// [Service.Rematch], of many at once; nothing where the change does not matter. A transfer that was matched
// automatically is parted when day, amount or currency of a side change, for the better match may be another; one that
// was confirmed stays as long as money still leaves on one side and arrives on the other.
func Unmatch(ctx context.Context, tx *ledger.Tx, before, after queries.Transaction) (here, gone []CandidateLeg,
	err error) {
	was, is := SideOf(before), SideOf(after)
	if was == is {
		return nil, nil, nil
	}
	here, gone = []CandidateLeg{is}, []CandidateLeg{was}
	if before.TransferID == nil {
		return here, gone, nil
	}
	pair, err := changedPair(ctx, tx, before, after)
	if errors.Is(err, db.ErrNotFound) { // parted with its other side, which changed as well
		return here, gone, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if pair.Status == TransferConfirmed && (before.Amount > 0) == (after.Amount > 0) && after.Amount != 0 {
		return nil, nil, nil
	}
	renamed := before.Date == after.Date && before.Amount == after.Amount && before.Currency == after.Currency
	if !renamed {
		if err := partTransfer(ctx, tx, pair); err != nil {
			return nil, nil, err
		}
	}
	return append(here, SideOf(pair.other(after.ID))), gone, nil
}

// changedPair is the transfer of a transaction that has changed since, so that its amounts may not fit any more.
func changedPair(ctx context.Context, tx *ledger.Tx, before, after queries.Transaction) (*transferPair, error) {
	transfer, err := tx.GetTransferRow(ctx, queries.GetTransferRowParams{ID: *before.TransferID,
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return nil, err
	}
	pair := &transferPair{Transfer: transfer, in: after, out: after}
	sides, err := tx.ListTransferSides(ctx, queries.ListTransferSidesParams{TransferID: before.TransferID,
		HouseholdID: tx.HouseholdID})
	for _, side := range sides {
		switch {
		case side.ID == after.ID:
		case before.Amount > 0:
			pair.out = side
		default:
			pair.in = side
		}
	}
	return pair, err
}

// PartOf undoes those transfers of transactions that end, given the transaction and the other side, when what is about to
// happen to the transactions has happened. It gives the other sides, which may be matched anew then, but for those among
// the transactions themselves.
func PartOf(ctx context.Context, tx *ledger.Tx, list []queries.Transaction, ends func(own, other queries.Transaction) bool) (
	freed []CandidateLeg, err error) {
	own, keys := map[int64]queries.Transaction{}, []int64(nil)
	for _, t := range list {
		own[t.ID] = t
		if t.TransferID != nil {
			keys = append(keys, *t.TransferID)
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	slices.Sort(keys)
	pairs, err := tx.ListTransfersByKey(ctx, queries.ListTransfersByKeyParams{Ids: ledger.JSONArray(slices.Compact(keys)),
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return nil, err
	}
	var parted []int64
	for _, row := range pairs {
		p := transferPair{row.Transfer, row.Transaction, row.Transaction_2}
		this := p.in
		if _, among := own[this.ID]; !among {
			this = p.out
		}
		other := p.other(this.ID)
		if !ends(this, other) {
			continue
		}
		parted = append(parted, p.ID)
		if _, among := own[other.ID]; !among {
			freed = append(freed, SideOf(other))
		}
	}
	if len(parted) == 0 {
		return nil, nil
	}
	return freed, PartTransfers(ctx, tx, parted)
}
