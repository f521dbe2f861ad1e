package handlers

import (
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
)

// splitLines reads the lines of a split transaction. Null, a blank text in a form and the empty list say that it is
// not split.
func (f *fields) splitLines() ledger.Opt[[]entry.SplitLineInput] {
	switch {
	case !f.has("split_lines"):
		return ledger.Opt[[]entry.SplitLineInput]{}
	case f.isBlank("split_lines"):
		return ledger.Opt[[]entry.SplitLineInput]{Set: true, Null: true}
	}
	before := len(*f.problems)
	objects := f.objects("split_lines")
	if len(*f.problems) > before {
		return ledger.Opt[[]entry.SplitLineInput]{}
	}
	lines := make([]entry.SplitLineInput, len(objects))
	for i, line := range objects {
		lines[i] = entry.SplitLineInput{ID: line.id("id"), Amount: line.decimal("amount"), AmountIsNumber: line.isNumber("amount"), Name: line.text("name"), Notes: line.text("notes"),
			Currency: line.text("currency"), CategoryID: line.id("category_id"), MerchantID: line.id("merchant_id"), TagIDs: line.ids("tag_ids")}
	}
	return ledger.Some(lines)
}

// writeSplitLinesOf writes what the parts of a transaction were for, with the signs of the transaction's own amounts.
func writeSplitLinesOf(j *jsonWriter, t *entry.Transaction, format *money.Formatter) {
	j.list("split_lines")
	for _, line := range t.Split {
		j.open("")
		j.id("id", line.ID)
		j.money("amount", format, -line.Minor, t.Currency)
		j.int("amount_cents", max(line.Minor, -line.Minor))
		j.int("signed_amount_cents", line.Minor)
		j.text("currency", t.Currency)
		j.textOrNull("name", line.Name)
		j.textOrNull("notes", line.Notes)
		writeCategoryOf(j, line.Category)
		writeMerchantOf(j, line.Merchant)
		writeTagsOf(j, line.Tags)
		j.close()
	}
	j.endList()
}
