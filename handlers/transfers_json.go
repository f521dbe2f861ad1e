package handlers

import (
	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/transfer"
)

// writeTransfer writes a transfer: amount, currency and date are those of the inflow.
func writeTransfer(j *jsonWriter, t *transfer.Transfer, format *money.Formatter) {
	j.open("")
	j.id("id", t.PublicID)
	j.text("status", t.Status)
	j.text("reason", t.Reason)
	j.date("date", ledger.Date(t.Inflow.Date))
	j.money("amount", format, t.Inflow.Amount, t.Inflow.Currency)
	j.int("amount_cents", t.Inflow.Amount)
	j.text("currency", t.Inflow.Currency)
	j.text("transfer_type", t.Type())
	j.textOrNull("notes", t.Notes)
	writeFeeOf(j, t, format)
	writeTransferPart(j, "inflow_transaction", &t.Inflow, format)
	writeTransferPart(j, "outflow_transaction", &t.Outflow, format)
	j.stamp("created_at", t.CreatedAt)
	j.stamp("updated_at", t.UpdatedAt)
	j.close()
}

// writeFeeOf writes what left and did not arrive. What is taken out on the way is always the source's: what arrives
// is all that the other account knows of.
func writeFeeOf(j *jsonWriter, t *transfer.Transfer, format *money.Formatter) {
	if fee, known := t.Fee(); known {
		j.money("source_fee_amount", format, fee, t.Outflow.Currency)
		j.int("source_fee_cents", fee)
		j.text("source_fee_currency", t.Outflow.Currency)
	} else {
		j.null("source_fee_amount")
		j.null("source_fee_cents")
		j.null("source_fee_currency")
	}
	j.null("destination_fee_amount")
	j.null("destination_fee_currency")
}

// writeTransferPart writes a side. Its amounts have the sign of the application whose API this is, an outflow
// positive; signed_amount_cents is positive for what comes in.
func writeTransferPart(j *jsonWriter, name string, p *transfer.Leg, format *money.Formatter) {
	j.open(name)
	j.id("id", p.PublicID)
	j.id("entry_id", p.PublicID)
	j.date("date", ledger.Date(p.Date))
	j.money("amount", format, -p.Amount, p.Currency)
	j.int("amount_cents", -p.Amount)
	j.int("signed_amount_cents", p.Amount)
	j.text("currency", p.Currency)
	j.text("name", p.Name)
	j.text("kind", p.Kind)
	writeAccountReference(j, "account", p.Account)
	j.close()
}

// writeRejectedTransfer writes a pair that was declared to be no transfer; it never changes.
func writeRejectedTransfer(j *jsonWriter, t *transfer.RejectedTransfer, format *money.Formatter) {
	j.open("")
	j.id("id", t.PublicID)
	j.text("status", transfer.TransferRejected)
	writeTransferPart(j, "inflow_transaction", &t.Inflow, format)
	writeTransferPart(j, "outflow_transaction", &t.Outflow, format)
	j.stamp("created_at", t.CreatedAt)
	j.stamp("updated_at", t.CreatedAt)
	j.close()
}
