package detect

import "finsvc/importer/lexicon"

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
