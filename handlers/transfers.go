package handlers

import (
	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/transfer"
)

// transfers answers for transfers, and for pairs that were rejected as such.
type transfers struct {
	ledger  *books.Books
	formats *formatters
}

// listTransfers answers GET /transfers.
func (s *transfers) listTransfers(a *answer, r *request) error {
	q := r.query()
	page, filter := q.page(), q.transferFilter(transfer.TransferPending, transfer.TransferConfirmed)
	if err := q.err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Transfers.ListTransfers(r.Context(), r.who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	listPage(a.json, "transfers", list, page, total, func(t *transfer.Transfer) { writeTransfer(a.json, t, format) })
	return nil
}

// transferFilter reads what selects transfers, of one of some statuses.
func (q *query) transferFilter(statuses ...string) transfer.Filter {
	return transfer.Filter{Status: q.oneOf("status", statuses...), AccountIDs: q.idsOrOne("account_ids", "account_id"),
		StartDate: q.date("start_date"), EndDate: q.date("end_date")}
}

// createTransfer answers POST /transfers: two transactions are linked by hand.
func (s *transfers) createTransfer(a *answer, r *request) error {
	f, err := r.wrapped("transfer")
	if err != nil {
		return err
	}
	in := transfer.Input{InflowID: f.id("inflow_transaction_id"), OutflowID: f.id("outflow_transaction_id"), Notes: f.text("notes")}
	in.Problems = *f.problems
	t, err := s.ledger.Transfers.LinkTransfer(r.Context(), r.who(), in)
	if err != nil {
		return err
	}
	a.created()
	return one(s.formats, writeTransfer)(a, r, &t)
}

// updateTransfer answers PATCH /transfers/{id}: notes, and a status, of which rejected is the same as POST
// /transfers/{id}/reject.
func (s *transfers) updateTransfer(a *answer, r *request) error {
	id, err := r.pathID("id", "Transfer")
	if err != nil {
		return err
	}
	f, err := r.wrapped("transfer")
	if err != nil {
		return err
	}
	in := transfer.Input{Notes: f.text("notes"),
		Status: f.oneOf("status", transfer.TransferPending, transfer.TransferConfirmed, transfer.TransferRejected)}
	in.Problems = *f.problems
	if in.Status.Value == transfer.TransferRejected {
		in.Problems.CheckNotes("notes", in.Notes.Value) // they go with the transfer, but must make sense
		if err := in.Problems.Err(); err != nil {
			return err
		}
		return s.rejectByID(a, r, id)
	}
	return s.changeTransfer(a, r, id, in)
}

func (s *transfers) changeTransfer(a *answer, r *request, id uuid.UUID, in transfer.Input) error {
	t, err := s.ledger.Transfers.UpdateTransfer(r.Context(), r.who(), id, in)
	if err != nil {
		return err
	}
	return one(s.formats, writeTransfer)(a, r, &t)
}

// confirmTransfer answers POST /transfers/{id}/confirm.
func (s *transfers) confirmTransfer(a *answer, r *request) error {
	id, err := r.pathID("id", "Transfer")
	if err != nil {
		return err
	}
	return s.changeTransfer(a, r, id, transfer.Input{Status: ledger.Some(transfer.TransferConfirmed)})
}

// rejectTransfer answers POST /transfers/{id}/reject with the rejected pair.
func (s *transfers) rejectTransfer(a *answer, r *request) error {
	id, err := r.pathID("id", "Transfer")
	if err != nil {
		return err
	}
	return s.rejectByID(a, r, id)
}

func (s *transfers) rejectByID(a *answer, r *request, id uuid.UUID) error {
	rejected, err := s.ledger.Transfers.RejectTransfer(r.Context(), r.who(), id)
	if err != nil {
		return err
	}
	return one(s.formats, writeRejectedTransfer)(a, r, &rejected)
}

// listRejectedTransfers answers GET /rejected_transfers.
func (s *transfers) listRejectedTransfers(a *answer, r *request) error {
	q := r.query()
	page, filter := q.page(), q.transferFilter(transfer.TransferPending, transfer.TransferConfirmed, transfer.TransferRejected)
	if err := q.err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Transfers.ListRejectedTransfers(r.Context(), r.who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	listPage(a.json, "rejected_transfers", list, page, total, func(t *transfer.RejectedTransfer) { writeRejectedTransfer(a.json, t, format) })
	return nil
}
