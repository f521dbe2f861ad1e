package importer_test

import (
	"encoding/json"
	"testing"

	recordpkg "finsvc/importer/record"
)

// settings reads the JSON that a client would send.
func settings(t testing.TB, text string) recordpkg.Settings {
	t.Helper()
	var s recordpkg.Settings
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSettingsCheck(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, json string
		fields     []string // that fail, in order
	}{
		{"nothing given", `{}`, nil},
		{"blank is absent", `{"col_sep":"","date_format":" ","number_format":"","encoding":"","rows_to_skip":""}`, nil},
		{"everything", `{"date_format":"%d/%m/%y","number_format":"1 234,56","signage_convention":"inflows_negative",
			"col_sep":";","amount_type_strategy":"custom_column","amount_type_inflow_value":"C",
			"entity_type_col_label":"D/C","rows_to_skip":"3","encoding":"ISO-8859-15","footer":"2","row_filter":"State=done"}`, nil},
		{"tab", `{"col_sep":"\t"}`, nil},
		{"tab in words", `{"col_sep":"\\t"}`, nil},
		{"separator", `{"col_sep":"#"}`, []string{"col_sep"}},
		{"number format", `{"number_format":"1'234.56"}`, []string{"number_format"}},
		{"date format", `{"date_format":"%d.%m."}`, []string{"date_format"}},
		{"date specifier", `{"date_format":"%Y-%m-%d %Q"}`, []string{"date_format"}},
		{"date lone percent", `{"date_format":"%Y-%m-%d%"}`, []string{"date_format"}},
		{"signage", `{"signage_convention":"positive"}`, []string{"signage_convention"}},
		{"strategy", `{"amount_type_strategy":"magic"}`, []string{"amount_type_strategy"}},
		{"custom column alone", `{"amount_type_strategy":"custom_column"}`,
			[]string{"amount_type_inflow_value", "entity_type_col_label"}},
		{"skip", `{"rows_to_skip":"-1"}`, []string{"rows_to_skip"}},
		{"skip fraction", `{"rows_to_skip":"1.5"}`, []string{"rows_to_skip"}},
		{"encoding", `{"encoding":"klingon"}`, []string{"encoding"}},
		{"header", `{"has_header":"perhaps"}`, []string{"has_header"}},
		{"labels are numbers", `{"has_header":"false","date_col_label":"Date","amount_col_label":"0"}`,
			[]string{"date_col_label", "amount_col_label"}},
		{"debit alone", `{"debit_col_label":"Out"}`, []string{"credit_col_label"}},
		{"credit alone", `{"credit_col_label":"In"}`, []string{"debit_col_label"}},
		{"pair and amount", `{"debit_col_label":"Out","credit_col_label":"In","amount_col_label":"Sum"}`,
			[]string{"amount_col_label"}},
		{"filter", `{"row_filter":"State"}`, []string{"row_filter"}},
		{"all at once", `{"col_sep":"x","number_format":"x","date_format":"x"}`,
			[]string{"col_sep", "number_format", "date_format"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			problems := settings(t, test.json).Check()
			if len(problems) != len(test.fields) {
				t.Fatalf("got %v, want problems of %v", problems, test.fields)
			}
			for i, field := range test.fields {
				if problems[i].Field != field {
					t.Errorf("problem %d is of %s, want %s", i, problems[i].Field, field)
				}
			}
		})
	}
}

// The configuration of the contract has nineteen members, null when absent.
func TestSettingsJSON(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(recordpkg.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"date_col_label", "amount_col_label", "name_col_label", "category_col_label",
		"tags_col_label", "notes_col_label", "account_col_label", "qty_col_label", "ticker_col_label",
		"price_col_label",
		"entity_type_col_label", "currency_col_label", "exchange_operating_mic_col_label", "date_format",
		"number_format",
		"signage_convention", "col_sep", "amount_type_strategy", "amount_type_inflow_value"} {
		if value, there := members[name]; !there || value != nil {
			t.Errorf("%s is %v (there: %v), want null", name, value, there)
		}
	}
}
