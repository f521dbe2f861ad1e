package record

import (
	"strings"

	"finsvc/ledger/export"
)

// Field is something a row can hold.
type Field int

const (
	FieldDate Field = iota
	FieldAmount
	FieldDebit
	FieldCredit
	FieldName
	FieldCurrency
	FieldCategory
	FieldTags
	FieldNotes
	FieldAccount
	FieldDirection
	FieldFilter
	FieldParent
	FieldColor
	FieldIcon
	FieldClassification
	FieldTicker
	FieldISIN
	FieldQty
	FieldPrice
	FieldMIC
	FieldSide
	FieldFee
	FieldResource
	FieldActive
	FieldEffective
	FieldConditions
	FieldActions
	FieldFinsvcID
	FieldID
	FieldStatus
	FieldBalance
	FieldCount
)

// FieldRule says how the column of a field is found.
type FieldRule struct {
	Setting   string // that holds its label
	Label     func(Settings) *string
	Fallbacks []string // headers that are taken when no label was given
	Vital     bool     // two columns that could be meant are an error even without a label
}

// Fields is in the order of the constants.
var Fields = [FieldCount]FieldRule{
	{"date_col_label", func(s Settings) *string { return s.DateColLabel }, []string{"date"}, true},
	{"amount_col_label", func(s Settings) *string { return s.AmountColLabel }, []string{"amount"}, true},
	{"debit_col_label", func(s Settings) *string { return s.DebitColLabel }, nil, true},
	{"credit_col_label", func(s Settings) *string { return s.CreditColLabel }, nil, true},
	{"name_col_label", func(s Settings) *string { return s.NameColLabel }, []string{"name"}, true},
	{"currency_col_label", func(s Settings) *string { return s.CurrencyColLabel }, []string{"currency"}, true},
	{"category_col_label", func(s Settings) *string { return s.CategoryColLabel }, []string{"category"}, false},
	{"tags_col_label", func(s Settings) *string { return s.TagsColLabel }, []string{"tags"}, false},
	{"notes_col_label", func(s Settings) *string { return s.NotesColLabel }, []string{"notes"}, false},
	{"account_col_label", func(s Settings) *string { return s.AccountColLabel }, []string{"account", "account_name"},
		true},
	{"entity_type_col_label", func(s Settings) *string { return s.EntityTypeColLabel }, nil, false},
	{"row_filter", FilterLabel, nil, false},
	{"parent", noLabel, nil, true},
	{"color", noLabel, nil, true},
	{"icon", noLabel, nil, true},
	{"classification", noLabel, nil, true},
	{"ticker_col_label", func(s Settings) *string { return s.TickerColLabel }, nil, true},
	{"isin", noLabel, nil, false},
	{"qty_col_label", func(s Settings) *string { return s.QtyColLabel }, nil, true},
	{"price_col_label", func(s Settings) *string { return s.PriceColLabel }, nil, true},
	{"exchange_operating_mic_col_label", func(s Settings) *string { return s.ExchangeOperatingMICColLabel }, nil,
		false},
	{"trade_side_col_label", func(s Settings) *string { return s.TradeSideColLabel }, nil, false},
	{"fee_col_label", func(s Settings) *string { return s.FeeColLabel }, nil, false},
	{"resource_type", noLabel, nil, true},
	{"active", noLabel, nil, true},
	{"effective_date", noLabel, nil, true},
	{"conditions", noLabel, nil, true},
	{"actions", noLabel, nil, true},
	{export.TransactionIDColumn, noLabel, nil, false},
	{"id_col_label", func(s Settings) *string { return unlessNone(s.IDColLabel) }, nil, false},
	{"status_col_label", func(s Settings) *string { return unlessNone(s.StatusColLabel) }, nil, false},
	{"balance_col_label", func(s Settings) *string { return unlessNone(s.BalanceColLabel) }, nil, false},
}

// unlessNone is the label of a column, and nil where it is said that there is no such column.
func unlessNone(label *string) *string {
	if Given(label) == NoColumn {
		return nil
	}
	return label
}

// noLabel belongs to the fields that no setting names: their columns have fixed headers.
func noLabel(Settings) *string { return nil }

func FilterLabel(s Settings) *string {
	column, _, _ := strings.Cut(Given(s.RowFilter), "=")
	column = strings.TrimSuffix(strings.TrimSpace(column), "!")
	return &column
}

// NoColumn says of a setting that no column of the file is what it names.
const NoColumn = "none"
