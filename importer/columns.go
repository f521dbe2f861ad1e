package importer

import (
	"fmt"
	"strconv"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/export"
)

// field is something a row can hold.
type field int

const (
	fieldDate field = iota
	fieldAmount
	fieldDebit
	fieldCredit
	fieldName
	fieldCurrency
	fieldCategory
	fieldTags
	fieldNotes
	fieldAccount
	fieldDirection
	fieldFilter
	fieldParent
	fieldColor
	fieldIcon
	fieldClassification
	fieldTicker
	fieldISIN
	fieldQty
	fieldPrice
	fieldMIC
	fieldSide
	fieldFee
	fieldResource
	fieldActive
	fieldEffective
	fieldConditions
	fieldActions
	fieldOwn
	fieldID
	fieldStatus
	fieldBalance
	fieldCount
)

// fieldRule says how the column of a field is found.
type fieldRule struct {
	setting   string // that holds its label
	label     func(Settings) *string
	fallbacks []string // headers that are taken when no label was given
	vital     bool     // two columns that could be meant are an error even without a label
}

// fields is in the order of the constants.
var fields = [fieldCount]fieldRule{
	{"date_col_label", func(s Settings) *string { return s.DateColLabel }, []string{"date"}, true},
	{"amount_col_label", func(s Settings) *string { return s.AmountColLabel }, []string{"amount"}, true},
	{"debit_col_label", func(s Settings) *string { return s.DebitColLabel }, nil, true},
	{"credit_col_label", func(s Settings) *string { return s.CreditColLabel }, nil, true},
	{"name_col_label", func(s Settings) *string { return s.NameColLabel }, []string{"name"}, true},
	{"currency_col_label", func(s Settings) *string { return s.CurrencyColLabel }, []string{"currency"}, true},
	{"category_col_label", func(s Settings) *string { return s.CategoryColLabel }, []string{"category"}, false},
	{"tags_col_label", func(s Settings) *string { return s.TagsColLabel }, []string{"tags"}, false},
	{"notes_col_label", func(s Settings) *string { return s.NotesColLabel }, []string{"notes"}, false},
	{"account_col_label", func(s Settings) *string { return s.AccountColLabel }, []string{"account", "account_name"}, true},
	{"entity_type_col_label", func(s Settings) *string { return s.EntityTypeColLabel }, nil, false},
	{"row_filter", filterLabel, nil, false},
	{"parent", noLabel, nil, true},
	{"color", noLabel, nil, true},
	{"icon", noLabel, nil, true},
	{"classification", noLabel, nil, true},
	{"ticker_col_label", func(s Settings) *string { return s.TickerColLabel }, nil, true},
	{"isin", noLabel, nil, false},
	{"qty_col_label", func(s Settings) *string { return s.QtyColLabel }, nil, true},
	{"price_col_label", func(s Settings) *string { return s.PriceColLabel }, nil, true},
	{"exchange_operating_mic_col_label", func(s Settings) *string { return s.ExchangeOperatingMICColLabel }, nil, false},
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
	if given(label) == noColumn {
		return nil
	}
	return label
}

// noLabel belongs to the fields that no setting names: their columns have fixed headers.
func noLabel(Settings) *string { return nil }

func filterLabel(s Settings) *string {
	column, _, _ := strings.Cut(given(s.RowFilter), "=")
	column = strings.TrimSuffix(strings.TrimSpace(column), "!")
	return &column
}

// columns say where each field stands.
type columns struct {
	at     [fieldCount]int // index of the cell, -1 when the file does not have the field
	header []string        // nil without a header line
}

// findColumns looks every label up in the header; the line is the header's, for messages.
func findColumns(s Settings, k kind, header []string, line int) (columns, error) {
	c := columns{header: header}
	var wrong []string
	for f := range fields {
		at, err := c.find(s, fields[f], k.headers(field(f), fields[f].fallbacks))
		if err != nil {
			wrong = append(wrong, err.Error())
		}
		c.at[f] = at
	}
	if given(s.DebitColLabel) != "" {
		c.at[fieldAmount] = -1
	}
	if len(wrong) == 0 {
		wrong = c.missing(k.vital(s))
	}
	if len(wrong) > 0 {
		return c, brokenAt(line, "%s%s", strings.Join(wrong, "; "), c.list())
	}
	return c, nil
}

func (c columns) missing(vital []field) []string {
	var wrong []string
	for _, f := range vital {
		if c.at[f] >= 0 {
			continue
		}
		give := fields[f].setting
		if f == fieldAmount {
			give += ", or debit_col_label and credit_col_label"
		}
		wrong = append(wrong, fmt.Sprintf("has no column for the %s: give %s", strings.TrimSuffix(fields[f].setting, "_col_label"), give))
	}
	return wrong
}

// list shows the header at the end of a message.
func (c columns) list() string {
	if c.header == nil {
		return ""
	}
	const most = 40
	quoted := make([]string, 0, most)
	for _, h := range c.header[:min(len(c.header), most)] {
		quoted = append(quoted, ledger.Quote(h))
	}
	return "; the columns are " + strings.Join(quoted, ", ")
}

func (c columns) find(s Settings, rule fieldRule, fallbacks []string) (int, error) {
	if label := given(rule.label(s)); label != "" {
		return c.named(label, rule.setting)
	}
	for _, fallback := range fallbacks {
		matches := c.matches(fallback)
		if len(matches) > 1 && rule.vital {
			return -1, fmt.Errorf("has %d columns named %q: give %s, or its column number", len(matches), fallback, rule.setting)
		}
		if len(matches) == 1 {
			return matches[0], nil
		}
	}
	return -1, nil
}

// named is the column with a given label: a header, or else a column number.
func (c columns) named(label, setting string) (int, error) {
	n, isNumber := columnNumber(label)
	matches := c.matches(label)
	switch {
	case len(matches) == 1:
		return matches[0], nil
	case len(matches) > 1:
		return c.exact(label, setting, matches)
	case isNumber && (c.header == nil || n <= len(c.header)):
		return n - 1, nil
	}
	return -1, fmt.Errorf("has no column %s, which %s names", ledger.Quote(label), setting)
}

// exact chooses among headers that are equal but for case and punctuation the one that is written
// exactly as the label.
func (c columns) exact(label, setting string, matches []int) (int, error) {
	found := -1
	for _, i := range matches {
		if c.header[i] == label && found >= 0 {
			found = -1
			break
		}
		if c.header[i] == label {
			found = i
		}
	}
	if found < 0 {
		return -1, fmt.Errorf("has %d columns named %s: give the column number as %s", len(matches), ledger.Quote(label), setting)
	}
	return found, nil
}

func (c columns) matches(label string) []int {
	var found []int
	want := normalLabel(label)
	for i, h := range c.header {
		if normalLabel(h) == want {
			found = append(found, i)
		}
	}
	return found
}

// normalLabel is the form in which labels and headers are compared: lower case, without asterisks,
// spaces and hyphens as one underscore.
func normalLabel(label string) string {
	label = strings.ToLower(strings.TrimSpace(strings.ReplaceAll(label, "*", "")))
	var out strings.Builder
	parted := false
	for _, r := range label {
		if r == ' ' || r == '-' || r == '\t' || r == '\u00A0' {
			parted = true
			continue
		}
		if parted {
			out.WriteByte('_')
			parted = false
		}
		out.WriteRune(r)
	}
	if parted {
		out.WriteByte('_')
	}
	return out.String()
}

// title names the column of a field in an issue: its header, its number, or the field itself.
func (c columns) title(f field) string {
	if c.at[f] < 0 {
		return strings.TrimSuffix(fields[f].setting, "_col_label")
	}
	return c.titleAt(c.at[f])
}

func (c columns) number(at int) string { return "column " + strconv.Itoa(at+1) }

// cell is the text of a field in a record, blank when it has none.
func (c columns) cell(cells []string, f field) string {
	at := c.at[f]
	if at < 0 || at >= len(cells) {
		return ""
	}
	return cells[at]
}

// titleAt names a column by its place.
func (c columns) titleAt(at int) string {
	if at < len(c.header) && c.header[at] != "" {
		return c.header[at]
	}
	return c.number(at)
}
