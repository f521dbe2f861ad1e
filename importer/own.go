package importer

import (
	"slices"

	"finsvc/ledger/export"
)

// knowOwn takes the form of a file that this program has written as given: nothing of it needs a proof.
func (f *detector) knowOwn() {
	if _, plain := f.kind.(transactions); !plain || !slices.Contains(f.sheet.header, export.TransactionIDColumn) {
		return
	}
	form := map[string]string{"date_format": "%Y-%m-%d", "number_format": "1,234.56", "signage_convention": inflowsPositive}
	for _, name := range []string{"date", "amount", "currency", "name", "notes", "category", "tags", "account"} {
		if slices.Contains(f.sheet.header, name) {
			form[name+"_col_label"] = name
		}
	}
	for setting, value := range form {
		if f.open(setting) {
			f.set(setting, value, "the file is one that was exported from here")
			*f.given.Members()[setting] = pointer(value)
		}
	}
}
