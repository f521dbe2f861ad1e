package web

import (
	"net/url"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/transfer"
	"finsvc/queries"
)

// transferView is what a transaction has to do with transfers: the one that it is a side of, what it may be linked with,
// and the pairs that were declared to be none.
type transferView struct {
	Of         uuid.UUID // the transaction
	Transfer   *transfer.Transfer
	Other      transfer.Leg // of the transfer
	Candidates []transfer.Candidate
	Rejected   []rejectedView
	Back       string // the page of the transaction
}

// rejectedView is a pair that is no transfer, seen from one of its sides.
type rejectedView struct {
	ID    uuid.UUID
	Other transfer.Leg
}

// HasAny reports whether there is anything to see of transfers.
func (t *transferView) HasAny() bool {
	return t.Transfer != nil || len(t.Candidates) > 0 || len(t.Rejected) > 0
}

// Confirmed reports whether the transfer stays whatever comes.
func (t *transferView) Confirmed() bool { return t.Transfer.Status == transfer.TransferConfirmed }

// transferOf reads what there is to see of transfers of a transaction; nil of a part of one, which is in none.
func (v *visit) transferOf(t *entry.Transaction) (*transferView, error) {
	if t.SplitOf != (queries.PublicID{}) {
		return nil, nil
	}
	view := &transferView{Of: uuid.UUID(t.PublicID)}
	list := url.Values{"back": {ownPath(v.URL.Query().Get("back"), "/transactions")}}
	view.Back = "/transactions/" + view.Of.String() + "?" + list.Encode()
	if t.Transfer != nil {
		found, err := v.site.Ledger.Transfers.GetTransfer(v.Context(), v.who(), t.Transfer.ID)
		switch {
		case ledger.IsKind(err, ledger.NotFound): // parted a moment ago
		case err != nil:
			return nil, err
		default:
			view.Transfer, view.Other = &found, otherSide(t.PublicID, found.Inflow, found.Outflow)
		}
	}
	var err error
	view.Candidates, err = v.site.Ledger.Transfers.Candidates(v.Context(), v.who(), view.Of)
	if err != nil && !ledger.IsKind(err, ledger.NotFound) {
		return nil, err
	}
	day := ledger.Some(ledger.Date(t.Date))
	rejected, _, err := v.site.Ledger.Transfers.ListRejectedTransfers(v.Context(), v.who(),
		transfer.Filter{AccountIDs: []uuid.UUID{t.Account.ID}, StartDate: day, EndDate: day},
		ledger.Page{Number: 1, Size: 100})
	for _, r := range rejected {
		if r.Inflow.PublicID == t.PublicID || r.Outflow.PublicID == t.PublicID {
			other := otherSide(t.PublicID, r.Inflow, r.Outflow)
			view.Rejected = append(view.Rejected, rejectedView{uuid.UUID(r.PublicID), other})
		}
	}
	return view, err
}

// otherSide is the side that a transaction is not.
func otherSide(of queries.PublicID, in, out transfer.Leg) transfer.Leg {
	if in.PublicID == of {
		return out
	}
	return in
}

// linkTransfer answers POST /transactions/{id}/link: the transaction and the one that was chosen are one movement.
func linkTransfer(v *visit) error {
	id, err := v.id("Transaction")
	if err != nil {
		return err
	}
	t, err := v.site.Ledger.Entries.GetTransaction(v.Context(), v.who(), id)
	if err != nil {
		return err
	}
	other, ok := ledger.ParseID(v.FormValue("other"))
	if !ok {
		return ledger.NewNotFound("Transaction")
	}
	in := transfer.Input{InflowID: ledger.Some(id), OutflowID: ledger.Some(other)}
	if t.Amount < 0 {
		in.InflowID, in.OutflowID = in.OutflowID, in.InflowID
	}
	if _, err := v.site.Ledger.Transfers.LinkTransfer(v.Context(), v.who(), in); err != nil {
		return err
	}
	return v.goOn(v.back("/transactions/" + id.String()))
}

// decideTransfer answers POST /transfers/{id}/confirm, /unlink and /reject.
func decideTransfer(decide func(v *visit, id uuid.UUID) error) func(*visit) error {
	return func(v *visit) error {
		id, err := v.id("Transfer")
		if err == nil {
			err = decide(v, id)
		}
		if err != nil {
			return err
		}
		return v.goOn(v.back("/transactions?q=is:transfer"))
	}
}

func confirmTransfer(v *visit, id uuid.UUID) error {
	_, err := v.site.Ledger.Transfers.UpdateTransfer(v.Context(), v.who(), id,
		transfer.Input{Status: ledger.Some(transfer.TransferConfirmed)})
	return err
}

func unlinkTransfer(v *visit, id uuid.UUID) error {
	return v.site.Ledger.Transfers.UnlinkTransfer(v.Context(), v.who(), id)
}

func rejectTransfer(v *visit, id uuid.UUID) error {
	_, err := v.site.Ledger.Transfers.RejectTransfer(v.Context(), v.who(), id)
	return err
}

// allowTransfer takes back that a pair is no transfer.
func allowTransfer(v *visit, id uuid.UUID) error {
	return v.site.Ledger.Transfers.DeleteRejectedTransfer(v.Context(), v.who(), id)
}
