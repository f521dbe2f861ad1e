package web

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"finsvc/importer"
	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/queries"
)

// settingKind is a setting in words, and by what it is chosen.
type settingKind struct {
	Name, Label string
	Choices     []option // nil of a text
	column      bool     // it names a column
	trades      bool     // of trades alone
	format      bool     // it is of the form of the file, so that no amount is in it
}

// settingKinds are all settings, in the order in which people look at them.
func settingKinds() []settingKind {
	yes := []option{{ID: "true", Name: "yes"}, {ID: "false", Name: "no"}}
	return []settingKind{
		{Name: "date_col_label", Label: "Day", column: true},
		{Name: "date_format", Label: "Days are written", Choices: dateFormats(), format: true},
		{Name: "amount_col_label", Label: "Amount", column: true},
		{Name: "debit_col_label", Label: "Money out", column: true},
		{Name: "credit_col_label", Label: "Money in", column: true},
		{Name: "number_format", Label: "Numbers are written", format: true, Choices: []option{{ID: "1,234.56", Name: "1,234.56"},
			{ID: "1.234,56", Name: "1.234,56"}, {ID: "1 234,56", Name: "1 234,56"}, {ID: "1,234", Name: "1,234"}}},
		{Name: "signage_convention", Label: "A plus means", format: true, Choices: []option{
			{ID: "inflows_positive", Name: "money in"}, {ID: "inflows_negative", Name: "money out"}}},
		{Name: "name_col_label", Label: "Name", column: true},
		{Name: "notes_col_label", Label: "Notes", column: true},
		{Name: "category_col_label", Label: "Category", column: true},
		{Name: "tags_col_label", Label: "Tags", column: true},
		{Name: "account_col_label", Label: "Account", column: true},
		{Name: "currency_col_label", Label: "Currency", column: true},
		{Name: "currency", Label: "All amounts are in", format: true},
		{Name: "fee_col_label", Label: "Fee", column: true},
		{Name: "balance_col_label", Label: "Balance after each row", column: true},
		{Name: "id_col_label", Label: "The bank's own number", column: true},
		{Name: "status_col_label", Label: "Booked or pending", column: true},
		{Name: "pending_rows", Label: "Rows that are pending", format: true, Choices: []option{{ID: "leave_out", Name: "are left out"}, {ID: "book", Name: "are booked"}}},
		{Name: "amount_type_strategy", Label: "In or out is told", format: true, Choices: []option{
			{ID: "signed_amount", Name: "by the sign"}, {ID: "custom_column", Name: "by a column"}}},
		{Name: "entity_type_col_label", Label: "The column of in and out", column: true},
		{Name: "amount_type_inflow_value", Label: "What it says of money in"},
		{Name: "outflow_value", Label: "What it says of money out"},
		{Name: "neutral_value", Label: "What it says of rows to leave out"},
		{Name: "row_filter", Label: "Only rows with (Column=Value or Column!=Value)"},
		{Name: "ticker_col_label", Label: "Ticker", column: true, trades: true},
		{Name: "qty_col_label", Label: "Quantity", column: true, trades: true},
		{Name: "price_col_label", Label: "Price", column: true, trades: true},
		{Name: "exchange_operating_mic_col_label", Label: "Exchange", column: true, trades: true},
		{Name: "trade_side_col_label", Label: "Purchase or sale", column: true, trades: true},
		{Name: "buy_value", Label: "What it says of a purchase", trades: true},
		{Name: "sell_value", Label: "What it says of a sale", trades: true},
		{Name: "allow_short", Label: "More may be sold than is held", Choices: yes, trades: true, format: true},
		{Name: "col_sep", Label: "Cells are parted by", format: true, Choices: []option{{ID: ",", Name: "a comma"}, {ID: ";", Name: "a semicolon"},
			{ID: "|", Name: "a bar"}, {ID: "\t", Name: "a tab"}}},
		{Name: "has_header", Label: "The columns have names", Choices: yes, format: true},
		{Name: "rows_to_skip", Label: "Lines before them", format: true},
		{Name: "footer", Label: "Rows at the end that are no data", format: true},
		{Name: "encoding", Label: "Character set", format: true},
	}
}

// dateFormats are the usual ways to write days, each with a day that is written so.
func dateFormats() (list []option) {
	for _, pattern := range []string{"%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%Y%m%d",
		"%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d %b %Y", "%b %d, %Y"} {
		list = append(list, option{ID: pattern, Name: sampleDay(pattern)})
	}
	return list
}

// sampleDay is the last day of October 2026 as a pattern writes it.
func sampleDay(pattern string) string {
	order := ""
	if first := strings.Index(pattern, "%d"); strings.Contains(pattern, "%m") && first >= 0 {
		order = " (day first)"
		if strings.Index(pattern, "%m") < first {
			order = " (month first)"
		}
	}
	if strings.HasPrefix(pattern, "%Y") {
		order = " (year first)"
	}
	return strings.NewReplacer("%d", "31", "%m", "10", "%Y", "2026", "%y", "26", "%b", "Oct", "%B", "October", "%H", "18", "%M", "05",
		"%S", "00").Replace(pattern) + order
}

// fieldWords says in words what is made of a column by a setting.
func fieldWords(setting string) string {
	for _, k := range settingKinds() {
		if k.Name == setting {
			return k.Label
		}
	}
	return strings.ReplaceAll(strings.TrimSuffix(setting, "_col_label"), "_", " ")
}

// addSettings adds how a file is read: what was found, what must be answered, and the rest.
func (v *visit) addSettings(imp queries.Import, view *importView, look importer.Look) error {
	var settings record.Settings
	reasons, questions := map[string]string{}, []record.Question{}
	for text, into := range map[string]any{imp.Settings: &settings, imp.Reasons: &reasons, imp.Questions: &questions} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			return err
		}
	}
	isTable := table.KindNamed(imp.Type, record.Defaults{}) != nil
	for _, k := range settingKinds() {
		s := v.importSetting(k, settings, look)
		s.Reason = v.show.fileText(reasons[k.Name])
		asked := slices.IndexFunc(questions, func(q record.Question) bool { return q.Setting == k.Name })
		switch {
		case asked >= 0:
			view.Questions = append(view.Questions, v.importQuestion(s, k, questions[asked]))
		case s.Value != "" || s.Reason != "":
			view.Settings = append(view.Settings, s)
		case isTable && (!k.trades || imp.Type == record.TradeImport), imp.Type == record.QifImport &&
			slices.Contains([]string{"date_format", "number_format", "encoding"}, k.Name):
			view.More = append(view.More, s)
		}
	}
	return nil
}

// importSetting is a setting with its value and its control. A column is chosen by its header, or by its number where
// that is not unique, missing or not to be shown.
func (v *visit) importSetting(k settingKind, settings record.Settings, look importer.Look) importSetting {
	s := importSetting{Name: k.Name, Label: k.Label, Value: settings.Written()[k.Name], Choices: slices.Clone(k.Choices)}
	switch {
	case k.column && len(look.Fields) > 0:
		at := slices.Index(look.Fields, k.Name)
		for i := range look.Fields {
			header := ""
			if i < len(look.Header) {
				header = look.Header[i]
			}
			o := option{ID: header, Name: v.show.fileText(header)}
			twins := 0
			for _, h := range look.Header {
				if table.NormalLabel(h) == table.NormalLabel(header) {
					twins++
				}
			}
			if header == "" || twins > 1 || v.show.hidden && hasNumber(header) {
				o = option{ID: strconv.Itoa(i + 1), Name: "column " + strconv.Itoa(i+1) + " " + v.show.fileText(header)}
			}
			if i == at {
				s.Value = o.ID
			}
			s.Choices = append(s.Choices, o)
		}
		if k.Name == "id_col_label" || k.Name == "status_col_label" || k.Name == "balance_col_label" {
			s.Choices = append(s.Choices, option{ID: record.NoColumn, Name: "no column"})
		}
	case !k.format && !k.column && v.show.hidden && hasNumber(s.Value):
		s.Value = "" // it stays as it is
	}
	known := slices.ContainsFunc(s.Choices, func(o option) bool { return o.ID == s.Value })
	switch {
	case known || s.Value == "" || len(s.Choices) == 0:
	case !k.format && v.show.hidden && hasNumber(s.Value):
		s.Value = ""
	default:
		s.Choices = append(s.Choices, option{ID: s.Value, Name: s.Value})
	}
	s.Was = s.Value
	return s
}

// importQuestion is a question with the answers that fit.
func (v *visit) importQuestion(s importSetting, k settingKind, q record.Question) importQuestion {
	out := importQuestion{importSetting: s, Text: v.show.fileText(q.Text)}
	for i, answer := range q.Candidates {
		o := option{ID: strconv.Itoa(i), Name: answer}
		at := slices.IndexFunc(k.Choices, func(c option) bool { return c.ID == answer })
		switch {
		case k.Name == "date_format":
			o.Name = sampleDay(answer)
			out.Text = strings.ReplaceAll(out.Text, answer, o.Name)
		case at >= 0:
			o.Name = k.Choices[at].Name
		case answer == record.NoColumn && k.column:
			o.Name = "no column"
		case !k.format:
			o.Name = v.show.fileText(answer)
		}
		out.Answers = append(out.Answers, o)
	}
	return out
}
