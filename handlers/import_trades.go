package handlers

import (
	"github.com/google/uuid"

	"finsvc/importer"
	"finsvc/importer/record"
	"finsvc/ledger/money"
)

// writeImportEntry writes which transaction or which trade a row became, and why the row is left out.
func writeImportEntry(j *jsonWriter, row *importer.Result) {
	j.textOrNull("skipped", blankAsNull(row.Skipped))
	name, other := "transaction_id", "trade_id"
	if row.Trade() != nil {
		name, other = other, name
	}
	if row.EntryID == uuid.Nil {
		j.null(name)
	} else {
		j.id(name, row.EntryID)
	}
	j.null(other)
}

// writeImportTrade writes what a row says of a trade. As in trades the quantity of a sale is negative.
func writeImportTrade(j *jsonWriter, currency money.Currency, t *record.Trade) {
	quantity := t.Quantity
	if t.Kind == "sell" {
		quantity = quantity.Neg()
	}
	j.text("type", t.Kind)
	j.text("qty", quantity.String())
	j.text("ticker", t.Ticker)
	j.text("exchange_operating_mic", t.MIC)
	j.text("price", t.Price.String())
	j.text("fee", currency.Plain(t.Fee))
}
