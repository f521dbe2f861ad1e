package detect

import (
	"slices"

	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/ledger/export"
)

// useFinsvcExport takes the form of a file that this program has written as given: nothing of it needs a proof.
func (f *detector) useFinsvcExport() {
	if _, plain := f.kind.(table.Transactions); !plain || !slices.Contains(f.sheet.header, export.TransactionIDColumn) {
		return
	}
	form := map[string]string{"date_format": "%Y-%m-%d", "number_format": "1,234.56", "signage_convention": record.InflowsPositive}
	for _, name := range []string{"date", "amount", "currency", "name", "notes", "category", "tags", "account"} {
		if slices.Contains(f.sheet.header, name) {
			form[name+"_col_label"] = name
		}
	}
	for setting, value := range form {
		if f.open(setting) {
			f.set(setting, value, "the file is one that was exported from here")
			*f.given.Members()[setting] = new(value)
		}
	}
}
