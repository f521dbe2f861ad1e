package handlers

import (
	"github.com/google/uuid"

	"finsvc/handlers/wire"
	"finsvc/importer"
	"finsvc/importer/record"
	"finsvc/ledger/money"
)

// writeImportEntry writes which transaction or which trade a row became, and why the row is left out.
func writeImportEntry(j *wire.Writer, row *importer.Result) {
	j.TextOrNull("skipped", blankAsNull(row.Skipped))
	name, other := "transaction_id", "trade_id"
	if row.Trade() != nil {
		name, other = other, name
	}
	if row.EntryID == uuid.Nil {
		j.Null(name)
	} else {
		j.Id(name, row.EntryID)
	}
	j.Null(other)
}

// writeImportTrade writes what a row says of a trade. As in trades the quantity of a sale is negative.
func writeImportTrade(j *wire.Writer, currency money.Currency, t *record.Trade) {
	quantity := t.Quantity
	if t.Kind == "sell" {
		quantity = quantity.Neg()
	}
	j.Text("type", t.Kind)
	j.Text("qty", quantity.String())
	j.Text("ticker", t.Ticker)
	j.Text("exchange_operating_mic", t.MIC)
	j.Text("price", t.Price.String())
	j.Text("fee", currency.Plain(t.Fee))
}
