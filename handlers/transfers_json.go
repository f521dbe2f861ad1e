package handlers

import (
	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/transfer"
)

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
	writeFeeOf(j, t, format)
	writeTransferPart(j, "inflow_transaction", &t.Inflow, format)
	writeTransferPart(j, "outflow_transaction", &t.Outflow, format)
	j.Stamp("created_at", t.CreatedAt)
	j.Stamp("updated_at", t.UpdatedAt)
	j.Close()
}

// writeFeeOf writes what left and did not arrive. What is taken out on the way is always the source's: what arrives
// is all that the other account knows of.
func writeFeeOf(j *wire.Writer, t *transfer.Transfer, format *money.Formatter) {
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
