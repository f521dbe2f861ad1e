package detect

import (
	"slices"

	"finsvc/importer/lexicon"
	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/ledger/export"
)

// labelSettings are the settings that name columns, and the role of the column that each means.
func labelSettings() map[string]lexicon.Role {
	return map[string]lexicon.Role{
		"date_col_label": lexicon.RoleDate, "amount_col_label": lexicon.RoleAmount, "debit_col_label": lexicon.RoleDebit, "credit_col_label": lexicon.RoleCredit,
		"name_col_label": lexicon.RolePayee, "notes_col_label": lexicon.RoleNotes, "category_col_label": lexicon.RoleCategory, "tags_col_label": lexicon.RoleTags,
		"account_col_label": lexicon.RoleAccount, "currency_col_label": lexicon.RoleCurrency, "entity_type_col_label": lexicon.RoleDirection,
		"qty_col_label": lexicon.RoleQuantity, "price_col_label": lexicon.RolePrice, "ticker_col_label": lexicon.RoleTicker, "exchange_operating_mic_col_label": lexicon.RoleMIC,
		"id_col_label": lexicon.RoleID, "status_col_label": lexicon.RoleStatus, "balance_col_label": lexicon.RoleBalance,
	}
}

// NoteMembers says of every setting that was remembered, and not given, what became of it; a reason that there is already
// is kept behind it.
func (d *Result) NoteMembers(given, old record.Settings, what string) {
	mine := given.Members()
	for name, member := range old.Members() {
		if *member == nil || *mine[name] != nil {
			continue
		}
		if before := d.Reasons[name]; before != "" {
			d.Reasons[name] = what + ": " + before
			continue
		}
		d.Reasons[name] = what
	}
}

// Fingerprint is nil for files that have no columns.
func (d Result) Fingerprint() []byte {
	if d.print == [32]byte{} {
		return nil
	}
	return d.print[:]
}

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
