package importer

import "strings"

// Members gives every setting by the name that clients use for it, to be read or set.
func (s *Settings) Members() map[string]**string {
	return map[string]**string{
		"date_col_label": &s.DateColLabel, "amount_col_label": &s.AmountColLabel, "name_col_label": &s.NameColLabel,
		"category_col_label": &s.CategoryColLabel, "tags_col_label": &s.TagsColLabel, "notes_col_label": &s.NotesColLabel,
		"account_col_label": &s.AccountColLabel, "qty_col_label": &s.QtyColLabel, "ticker_col_label": &s.TickerColLabel,
		"price_col_label": &s.PriceColLabel, "entity_type_col_label": &s.EntityTypeColLabel, "currency_col_label": &s.CurrencyColLabel,
		"exchange_operating_mic_col_label": &s.ExchangeOperatingMICColLabel, "date_format": &s.DateFormat, "number_format": &s.NumberFormat,
		"signage_convention": &s.SignageConvention, "col_sep": &s.ColSep, "amount_type_strategy": &s.AmountTypeStrategy,
		"amount_type_inflow_value": &s.AmountTypeInflowValue,
		"debit_col_label":          &s.DebitColLabel, "credit_col_label": &s.CreditColLabel, "rows_to_skip": &s.RowsToSkip, "footer": &s.Footer,
		"encoding": &s.Encoding, "has_header": &s.HasHeader, "outflow_value": &s.OutflowValue, "neutral_value": &s.NeutralValue, "row_filter": &s.RowFilter,
		"trade_side_col_label": &s.TradeSideColLabel, "buy_value": &s.BuyValue, "sell_value": &s.SellValue, "fee_col_label": &s.FeeColLabel, "allow_short": &s.AllowShort,
		"id_col_label": &s.IDColLabel, "status_col_label": &s.StatusColLabel, "balance_col_label": &s.BalanceColLabel, "pending_rows": &s.PendingRows,
		"currency": &s.Currency,
	}
}

// withDefaults says of every setting that has a default what it is. A tab is a separator, not a blank.
func (s Settings) withDefaults() Settings {
	for setting, otherwise := range map[**string]string{
		&s.DateFormat: "%Y-%m-%d", &s.NumberFormat: "1,234.56", &s.SignageConvention: inflowsPositive, &s.ColSep: ",",
		&s.AmountTypeStrategy: signedAmount,
	} {
		if *setting == nil || strings.Trim(**setting, " ") == "" {
			*setting = pointer(otherwise)
		}
	}
	return s
}
