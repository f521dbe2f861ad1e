package handlers

import (
	"github.com/google/uuid"

	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/transfer"
)

// transfers answers for transfers, and for pairs that were rejected as such.
type transfers struct {
	ledger  *books.Books
	formats *wire.Formatters
}

// listTransfers answers GET /transfers.
func (s *transfers) listTransfers(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page, filter := q.Page(), transferFilter(q, transfer.TransferPending, transfer.TransferConfirmed)
	if err := q.Err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Transfers.ListTransfers(r.Context(), r.Who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	wire.ListPage(a.Json, "transfers", list, page, total, func(t *transfer.Transfer) { writeTransfer(a.Json, t, format) })
	return nil
}

// transferFilter reads what selects transfers, of one of some statuses.
func transferFilter(q *wire.Query, statuses ...string) transfer.Filter {
	return transfer.Filter{Status: q.OneOf("status", statuses...), AccountIDs: idsOrOne(q, "account_ids", "account_id"),
		StartDate: q.Date("start_date"), EndDate: q.Date("end_date")}
}

// createTransfer answers POST /transfers: two transactions are linked by hand.
func (s *transfers) createTransfer(a *wire.Answer, r *wire.Request) error {
	f, err := r.Wrapped("transfer")
	if err != nil {
		return err
	}
	in := transfer.Input{InflowID: f.Id("inflow_transaction_id"), OutflowID: f.Id("outflow_transaction_id"), Notes: f.Text("notes")}
	in.Problems = *f.Problems
	t, err := s.ledger.Transfers.LinkTransfer(r.Context(), r.Who(), in)
	if err != nil {
		return err
	}
	a.Created()
	return one(s.formats, writeTransfer)(a, r, &t)
}

// updateTransfer answers PATCH /transfers/{id}: notes, and a status, of which rejected is the same as POST
// /transfers/{id}/reject.
func (s *transfers) updateTransfer(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Transfer")
	if err != nil {
		return err
	}
	f, err := r.Wrapped("transfer")
	if err != nil {
		return err
	}
	in := transfer.Input{Notes: f.Text("notes"),
		Status: f.OneOf("status", transfer.TransferPending, transfer.TransferConfirmed, transfer.TransferRejected)}
	in.Problems = *f.Problems
	if in.Status.Value == transfer.TransferRejected {
		in.Problems.CheckNotes("notes", in.Notes.Value) // they go with the transfer, but must make sense
		if err := in.Problems.Err(); err != nil {
			return err
		}
		return s.rejectByID(a, r, id)
	}
	return s.changeTransfer(a, r, id, in)
}

func (s *transfers) changeTransfer(a *wire.Answer, r *wire.Request, id uuid.UUID, in transfer.Input) error {
	t, err := s.ledger.Transfers.UpdateTransfer(r.Context(), r.Who(), id, in)
	if err != nil {
		return err
	}
	return one(s.formats, writeTransfer)(a, r, &t)
}

// confirmTransfer answers POST /transfers/{id}/confirm.
func (s *transfers) confirmTransfer(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Transfer")
	if err != nil {
		return err
	}
	return s.changeTransfer(a, r, id, transfer.Input{Status: ledger.Some(transfer.TransferConfirmed)})
}

// rejectTransfer answers POST /transfers/{id}/reject with the rejected pair.
func (s *transfers) rejectTransfer(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Transfer")
	if err != nil {
		return err
	}
	return s.rejectByID(a, r, id)
}

func (s *transfers) rejectByID(a *wire.Answer, r *wire.Request, id uuid.UUID) error {
	rejected, err := s.ledger.Transfers.RejectTransfer(r.Context(), r.Who(), id)
	if err != nil {
		return err
	}
	return one(s.formats, writeRejectedTransfer)(a, r, &rejected)
}

// listRejectedTransfers answers GET /rejected_transfers.
func (s *transfers) listRejectedTransfers(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page, filter := q.Page(), transferFilter(q, transfer.TransferPending, transfer.TransferConfirmed, transfer.TransferRejected)
	if err := q.Err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Transfers.ListRejectedTransfers(r.Context(), r.Who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	wire.ListPage(a.Json, "rejected_transfers", list, page, total, func(t *transfer.RejectedTransfer) { writeRejectedTransfer(a.Json, t, format) })
	return nil
}
