package handlers

import (
	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
)

// readSplitLines reads the lines of a split transaction. Null, a blank text in a form and the empty list say that it is
// not split.
func readSplitLines(f *wire.Fields) ledger.Opt[[]entry.SplitLineInput] {
	switch {
	case !f.Has("split_lines"):
		return ledger.Opt[[]entry.SplitLineInput]{}
	case f.IsBlank("split_lines"):
		return ledger.Opt[[]entry.SplitLineInput]{Set: true, Null: true}
	}
	before := len(*f.Problems)
	objects := f.Objects("split_lines")
	if len(*f.Problems) > before {
		return ledger.Opt[[]entry.SplitLineInput]{}
	}
	lines := make([]entry.SplitLineInput, len(objects))
	for i, line := range objects {
		lines[i] = entry.SplitLineInput{ID: line.Id("id"), Amount: line.Decimal("amount"), AmountIsNumber: line.IsNumber("amount"), Name: line.Text("name"), Notes: line.Text("notes"),
			Currency: line.Text("currency"), CategoryID: line.Id("category_id"), MerchantID: line.Id("merchant_id"), TagIDs: line.Ids("tag_ids")}
	}
	return ledger.Some(lines)
}

// writeSplitLinesOf writes what the parts of a transaction were for, with the signs of the transaction's own amounts.
func writeSplitLinesOf(j *wire.Writer, t *entry.Transaction, format *money.Formatter) {
	j.List("split_lines")
	for _, line := range t.Split {
		j.Open("")
		j.Id("id", line.ID)
		j.Money("amount", format, -line.Minor, t.Currency)
		j.Int("amount_cents", max(line.Minor, -line.Minor))
		j.Int("signed_amount_cents", line.Minor)
		j.Text("currency", t.Currency)
		j.TextOrNull("name", line.Name)
		j.TextOrNull("notes", line.Notes)
		writeCategoryOf(j, line.Category)
		writeMerchantOf(j, line.Merchant)
		writeTagsOf(j, line.Tags)
		j.Close()
	}
	j.EndList()
}
