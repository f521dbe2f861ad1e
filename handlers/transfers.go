package handlers

import (
	"github.com/google/uuid"

	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/money"
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
	wire.ListPage(a.Json, "transfers", list, page, total, func(t *transfer.Transfer) {
		writeTransfer(a.Json, t,
			format)
	})
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
	in := transfer.Input{InflowID: f.Id("inflow_transaction_id"), OutflowID: f.Id("outflow_transaction_id"),
		Notes: f.Text("notes")}
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
	page, filter := q.Page(), transferFilter(q, transfer.TransferPending, transfer.TransferConfirmed,
		transfer.TransferRejected)
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
	wire.ListPage(a.Json, "rejected_transfers", list, page, total,
		func(t *transfer.RejectedTransfer) { writeRejectedTransfer(a.Json, t, format) })
	return nil
}

// writeTransfer writes a transfer: amount, currency and date are those of the inflow.
func writeTransfer(j *wire.Writer, t *transfer.Transfer, format *money.Formatter) {
	j.Open("")
	j.Id("id", t.PublicID)
	j.Text("status", t.Status)
	j.Text("reason", t.Reason)
	j.Date("date", ledger.Date(t.Inflow.Date))
	j.Money("amount", format, t.Inflow.Amount, t.Inflow.Currency)
	j.Int("amount_cents", t.Inflow.Amount)
	j.Text("currency", t.Inflow.Currency)
	j.Text("transfer_type", t.Type())
	j.TextOrNull("notes", t.Notes)
	// Write what left and did not arrive. What is taken out on the way is always the source's: what arrives is
	// all that the other account knows of.
	if fee, known := t.Fee(); known {
		j.Money("source_fee_amount", format, fee, t.Outflow.Currency)
		j.Int("source_fee_cents", fee)
		j.Text("source_fee_currency", t.Outflow.Currency)
	} else {
		j.Null("source_fee_amount")
		j.Null("source_fee_cents")
		j.Null("source_fee_currency")
	}
	j.Null("destination_fee_amount")
	j.Null("destination_fee_currency")
	writeTransferPart(j, "inflow_transaction", &t.Inflow, format)
	writeTransferPart(j, "outflow_transaction", &t.Outflow, format)
	j.Stamp("created_at", t.CreatedAt)
	j.Stamp("updated_at", t.UpdatedAt)
	j.Close()
}

// writeTransferPart writes a side. Its amounts have the sign of the application whose API this is, an outflow
// positive; signed_amount_cents is positive for what comes in.
func writeTransferPart(j *wire.Writer, name string, p *transfer.Leg, format *money.Formatter) {
	j.Open(name)
	j.Id("id", p.PublicID)
	j.Id("entry_id", p.PublicID)
	j.Date("date", ledger.Date(p.Date))
	j.Money("amount", format, -p.Amount, p.Currency)
	j.Int("amount_cents", -p.Amount)
	j.Int("signed_amount_cents", p.Amount)
	j.Text("currency", p.Currency)
	j.Text("name", p.Name)
	j.Text("kind", p.Kind)
	writeAccountReference(j, "account", p.Account)
	j.Close()
}

// writeRejectedTransfer writes a pair that was declared to be no transfer; it never changes.
func writeRejectedTransfer(j *wire.Writer, t *transfer.RejectedTransfer, format *money.Formatter) {
	j.Open("")
	j.Id("id", t.PublicID)
	j.Text("status", transfer.TransferRejected)
	writeTransferPart(j, "inflow_transaction", &t.Inflow, format)
	writeTransferPart(j, "outflow_transaction", &t.Outflow, format)
	j.Stamp("created_at", t.CreatedAt)
	j.Stamp("updated_at", t.CreatedAt)
	j.Close()
}
