package importer_test

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	recordpkg "finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/table"
	textpkg "finsvc/importer/text"
	"finsvc/ledger"
	moneypkg "finsvc/ledger/money"
)

func euro(t testing.TB) recordpkg.Defaults {
	t.Helper()
	currency, ok := moneypkg.LookupCurrency("EUR")
	if !ok {
		t.Fatal("no EUR")
	}
	return recordpkg.Defaults{Currency: currency}
}

// read gives all rows of a text; the error is that of the last call, nil for io.EOF.
func read(t testing.TB, text, json string, d recordpkg.Defaults) ([]recordpkg.Record, error) {
	t.Helper()
	rows, err := table.NewRows(source.Text(text), settings(t, json), d)
	if err != nil {
		return nil, err
	}
	var all []recordpkg.Record
	for {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, row)
	}
}

// sketch is a row in one line: what was planned, or why it is left out, or the columns with issues.
func sketch(r recordpkg.Record) string {
	switch {
	case r.Skipped != "":
		return fmt.Sprintf("%d skipped %s", r.Number, r.Skipped)
	case len(r.Issues) > 0:
		text := fmt.Sprintf("%d issue", r.Number)
		for _, issue := range r.Issues {
			text += fmt.Sprintf(" %s %q", issue.Column, issue.Cell)
		}
		return text
	}
	text := fmt.Sprintf("%s %d %s %s", r.Date, r.Minor, r.Currency.Code, r.Name)
	for _, more := range []string{r.Notes, r.Category, strings.Join(r.Tags, "+"), r.Account} {
		text += "|" + more
	}
	return strings.TrimRight(text, "|")
}

// TestRows holds what was decided.
//
// Contract, POST /api/v1/imports: entity_type_col_label is the column of the type, or of the direction;
// currency_col_label is the column of the currency; amount_type_strategy and amount_type_inflow_value tell the
// direction by a column.
func TestRows(t *testing.T) {
	t.Parallel()
	const bank = `"date_col_label":"Booked on","amount_col_label":"Amount (EUR)","name_col_label":"Payee","date_format":"%d.%m.%Y","number_format":"1.234,56","col_sep":";"`
	tests := []struct {
		name, json, text string
		want             []string
	}{
		{"labels", "{" + bank + "}", "Booked on;Payee;Amount (EUR)\n31.01.2026;Baker;-1.234,56\n01.02.2026;Work;+2.000,00\n",
			[]string{"2026-01-31 -123456 EUR Baker", "2026-02-01 200000 EUR Work"}},
		{"labels by sense", "{" + bank + "}", "\xEF\xBB\xBF*booked-ON ;PAYEE*;amount  (eur)\n31.01.2026;Baker;-1,5\n",
			[]string{"2026-01-31 -150 EUR Baker"}},
		{"no labels", "{}", "Date*,Amount*,Name,Currency,Category,Tags,Notes,Account\n2026-01-31,-5.00,Baker,USD,Food: Bread ,a|b,fresh,Purse\n",
			[]string{"2026-01-31 -500 USD Baker|fresh|Food:Bread|a+b|Purse"}},
		{"header only", "{}", "date,amount\n", nil},
		{"name from notes", "{}", "date,amount,name,notes\n2026-01-31,1,,\" two\nlines\"\n2026-01-31,1,,\n",
			[]string{"2026-01-31 100 EUR two lines|two\nlines", "2026-01-31 100 EUR Imported item"}},
		{"control characters", "{}", "date,amount,name,notes\n2026-01-31,1,a\tb\x01c  d,e\x07f\n",
			[]string{"2026-01-31 100 EUR a b c d|e f"}},
		{"inflows negative", `{"signage_convention":"inflows_negative"}`,
			"date,amount,name\n2026-01-31,5,Shop\n2026-01-31,-5,Refund\n",
			[]string{"2026-01-31 -500 EUR Shop", "2026-01-31 500 EUR Refund"}},
		{"direction column", `{"amount_type_strategy":"custom_column","entity_type_col_label":"D/C","amount_type_inflow_value":"C"}`,
			"date,amount,name,D/C\n2026-01-31,5,Work, C \n2026-01-31,5,Shop,D\n2026-01-31,5,Shop,c\n2026-01-31,-5,Storno,D\n",
			[]string{"2026-01-31 500 EUR Work", "2026-01-31 -500 EUR Shop", "2026-01-31 -500 EUR Shop",
				"2026-01-31 500 EUR Storno"}},
		{"direction column, inflows negative", `{"amount_type_strategy":"custom_column","entity_type_col_label":"D/C","amount_type_inflow_value":"C","signage_convention":"inflows_negative"}`,
			"date,amount,name,D/C\n2026-01-31,5,Work,C\n2026-01-31,5,Shop,D\n",
			[]string{"2026-01-31 -500 EUR Work", "2026-01-31 500 EUR Shop"}},
		{"direction with three values", `{"amount_type_strategy":"custom_column","entity_type_col_label":"way","amount_type_inflow_value":"in","outflow_value":"out","neutral_value":"/"}`,
			"date,amount,name,way\n2026-01-31,5,A,in\n2026-01-31,5,B,out\n2026-01-31,x,C,/\n2026-01-31,5,D,side\n",
			[]string{"2026-01-31 500 EUR A", "2026-01-31 -500 EUR B", "3 skipped neutral_value", `4 issue way "side"`}},
		{"debit and credit", `{"debit_col_label":"Out","credit_col_label":"In"}`,
			"date,Out,In,name\n2026-01-31,5,,A\n2026-01-31,-5,0.00,B\n2026-01-31,,7,C\n2026-01-31,1,1,D\n2026-01-31,,,E\n2026-01-31,0,0,F\n2026-01-31,x,,G\n",
			[]string{"2026-01-31 -500 EUR A", "2026-01-31 -500 EUR B", "2026-01-31 700 EUR C", `4 issue Out "1"`,
				`5 issue Out ""`, "2026-01-31 0 EUR F", `7 issue Out "x"`}},
		{"debit and credit beside amount", `{"debit_col_label":"Out","credit_col_label":"In"}`,
			"date,amount,Out,In\n2026-01-31,99,5,\n",
			[]string{"2026-01-31 -500 EUR Imported item"}},
		{"no header", `{"has_header":"false","date_col_label":"1","amount_col_label":"3","name_col_label":"2"}`,
			"2026-01-31,A,5\n2026-02-01,B\n2026-02-02,C,6,and more\n",
			[]string{"2026-01-31 500 EUR A", `2 issue column 3 ""`, "2026-02-02 600 EUR C"}},
		{"lines to skip", `{"rows_to_skip":"2"}`, "Bank, \"of something\nas of: today\n\ndate,amount\n2026-01-31,5\n",
			[]string{"2026-01-31 500 EUR Imported item"}},
		{"footer", `{"footer":"2"}`, "date,amount\n2026-01-31,5\n2026-01-30,6\n,11\nThe end,\n",
			[]string{"2026-01-31 500 EUR Imported item", "2026-01-30 600 EUR Imported item"}},
		{"footer of a short file", `{"footer":"2"}`, "date,amount\n,11\n", nil},
		{"footer that nobody told", `{}`, "date,amount\n2026-01-31,5\nTotal,\n",
			[]string{"2026-01-31 500 EUR Imported item", `2 issue date "Total" amount ""`}},
		{"filter", `{"row_filter":"State = done"}`, "date,amount,state\n2026-01-31,5,done\nx,y,pending\n",
			[]string{"2026-01-31 500 EUR Imported item", "2 skipped row_filter"}},
		{"ragged", `{}`, "date,amount,name\n2026-01-31,5\n2026-01-31,5,A,,\n2026-01-31,5,B,extra\n",
			[]string{"2026-01-31 500 EUR Imported item", "2026-01-31 500 EUR A", `3 issue column 4 "extra"`}},
		{"blank lines do not count", `{}`, "\ndate,amount\n\n,\nx,5\n", []string{`1 issue date "x"`}},
		{"required", `{}`, "date,amount,name\n,5,A\n2026-01-31,,B\n", []string{`1 issue date ""`, `2 issue amount ""`}},
		{"all issues of a row", `{}`, "date,amount,currency\nx,y,EUR\n2026-01-31,5,XXQ\n",
			[]string{`1 issue date "x" amount "y"`, `2 issue currency "XXQ"`}},
		{"currency of the row", `{}`, "date,amount,currency\n2026-01-31,500,jpy\n2026-01-31,5.5,\n2026-01-31,1.5,JPY\n",
			[]string{"2026-01-31 500 JPY Imported item", "2026-01-31 550 EUR Imported item", `3 issue amount "1.5"`}},
		{"NUL and broken bytes", `{"encoding":"utf-8"}`, "date,amount,name\n2026-01-31,5,a\x00b\n2026-01-31,5,a\xFFb\n2026-01-31,5,a\uFFFDb\n",
			[]string{"1 issue name \"a\\x00b\"", "2 issue name \"a\\xffb\"", "2026-01-31 500 EUR a\uFFFDb"}},
		{"undecodable byte", `{"encoding":"gb18030"}`, "date,amount,name\n2026-01-31,5,a\xFFb\n",
			[]string{"1 issue name \"a\uFFFDb\""}},
		{"duplicate header not used", `{}`, "date,amount,x,X*\n2026-01-31,5,,\n",
			[]string{"2026-01-31 500 EUR Imported item"}},
		{"duplicate header not asked for", `{}`, "date,amount,notes,Notes\n2026-01-31,5,a,b\n",
			[]string{"2026-01-31 500 EUR Imported item"}},
		{"duplicate header written exactly", `{"date_col_label":"date*"}`,
			"date,date*,amount\n2026-01-30,2026-01-31,5\n", []string{"2026-01-31 500 EUR Imported item"}},
		{"duplicate header by number", `{"amount_col_label":"3"}`, "date,amount,amount\n2026-01-31,5,6\n",
			[]string{"2026-01-31 600 EUR Imported item"}},
		{"quote that may hide a cell", `{}`, "date,amount,name\n2026-01-31,5,\"a\"b\"\n2026-01-31,\"5\"x,y\",\n2026-01-31,\"5\"x,y\"\n",
			[]string{`2026-01-31 500 EUR a"b`, "2 issue amount \"5\\\"x,y\"",
				"3 issue row \"2026-01-31|5\\\"x,y\" amount \"5\\\"x,y\""}},
		{"tags", `{}`, "date,amount,name,tags\n2026-01-31,5,A,Food|Weekly\n2026-01-31,5,B,\"Food\\, Dining,essentials\"\n2026-01-31,5,C,\"a|b,c, ,A\"\n2026-01-31,5,D,x\\|y\n2026-01-31,5,E,C:\\dir\\\n",
			[]string{"2026-01-31 500 EUR A|||Food+Weekly", "2026-01-31 500 EUR B|||Food, Dining+essentials",
				"2026-01-31 500 EUR C|||a|b+c+A",
				"2026-01-31 500 EUR D|||x|y", "2026-01-31 500 EUR E|||C:\\dir\\"}},
		{"category", `{}`, "date,amount,category\n2026-01-31,5,:Food\n2026-01-31,5,A: B:C\n2026-01-31,5,:\n",
			[]string{"2026-01-31 500 EUR Imported item||Food", "2026-01-31 500 EUR Imported item||A:B:C",
				"2026-01-31 500 EUR Imported item"}},
		{"cr line ends", `{"date_format":"%m/%d/%y"}`, "date,amount,name\r2/8/15,5,A\r2/28/15,6,B",
			[]string{"2015-02-08 500 EUR A", "2015-02-28 600 EUR B"}},
		{"windows-1252 by itself", `{}`, "date,amount,name\n2026-01-31,5,Caf\xE9 Fran\xE7ais d\xE9j\xE0 \xE9t\xE9\n",
			[]string{"2026-01-31 500 EUR Café Français déjà été"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			rows, err := read(t, test.text, test.json, euro(t))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, row := range rows {
				got = append(got, sketch(row))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestRowsBroken(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, json, text string
		line             int
		says             string
	}{
		{"empty", "{}", "", 0, "no header line"},
		{"only a mark", "{}", "\xEF\xBB\xBF", 0, "no header line"},
		{"blank lines", "{}", "\n \n,,\n", 0, "no header line"},
		{"all skipped", `{"rows_to_skip":"2"}`, "date,amount\n2026-01-31,5\n", 0, "no header line"},
		{"more skipped than there is", `{"rows_to_skip":"3"}`, "date,amount\n2026-01-31,5\n", 0, "only 2 lines"},
		{"no text", "{}", "PK\x03\x04\x14\x00\x08,\n", 1, "no CSV file"},
		{"no date", "{}", "day,amount\n", 1, "date_col_label"},
		{"no amount", "{}", "\ndate,sum\n", 2, "amount_col_label"},
		{"wrong separator", `{"col_sep":";"}`, "date,amount\n", 1, `the columns are "date,amount"`},
		{"label not there", `{"category_col_label":"Kind"}`, "date,amount\n", 1,
			`no column "Kind", which category_col_label names`},
		{"filter not there", `{"row_filter":"State=x"}`, "date,amount\n", 1,
			`no column "State", which row_filter names`},
		{"ambiguous label", `{"name_col_label":"text"}`, "date,amount,Text,TEXT\n", 1, "2 columns named"},
		{"ambiguous without label", "{}", "date,amount,Date\n", 1, "2 columns named"},
		{"column number beyond", `{"name_col_label":"4"}`, "date,amount,name\n", 1, "no column"},
		{"no header and no labels", `{"has_header":"false"}`, "2026-01-31,5\n", 0, "date_col_label"},
		{"unterminated", "{}", "date,amount\n2026-01-31,5\n\"2026-01-31,5\n2026-01-31,5\n", 3, "never closed"},
		{"unterminated header", "{}", "date,\"amount\n2026-01-31,5\n", 1, "never closed"},
		{"unterminated in the footer", `{"footer":"1"}`, "date,amount\n2026-01-31,5\n\"x", 3, "never closed"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := read(t, test.text, test.json, euro(t))
			var broken *textpkg.FileError
			if !errors.As(err, &broken) || broken.Line != test.line || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want line %d and %q", err, test.line, test.says)
			}
		})
	}
}

func TestRowsSettings(t *testing.T) {
	t.Parallel()
	_, err := read(t, "date,amount\n", `{"col_sep":"#","date_format":"x"}`, euro(t))
	if e := ledger.AsError(err); e == nil || e.Kind != ledger.Invalid || len(e.Fields) != 2 {
		t.Errorf("got %v, want a validation error of two fields", err)
	}
}

// The error that ended a file is given by every further call.
func TestRowsErrorStays(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"date,amount\n", "date,amount\n\"x"} {
		rows, err := table.NewRows(source.Text(text), recordpkg.Settings{}, euro(t))
		if err != nil {
			t.Fatal(err)
		}
		_, first := rows.Next()
		if _, second := rows.Next(); first == nil || first != second {
			t.Errorf("got %v, then %v", first, second)
		}
	}
}

func TestRowsLongTexts(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("é", 256)
	text := "date,amount,name,notes,category\n" +
		"2026-01-31,5," + name + ",,\n" +
		"2026-01-31,5," + name + "," + strings.Repeat("n", 9_744) + ",\n" +
		"2026-01-31,5,A," + strings.Repeat("n", 10_001) + ",\n" +
		"2026-01-31,5,A,," + name + "\n" +
		"2026-01-31,5," + name[2:] + ",,\n" +
		"2026-01-31,5," + strings.Repeat("word ", 52) + "end,there,\n"
	rows, err := read(t, text, "{}", euro(t))
	if err != nil || len(rows) != 6 {
		t.Fatalf("got %d rows (%v)", len(rows), err)
	}
	if rows[0].Name != name[2:] || rows[0].Notes != name || rows[0].Issues != nil {
		t.Errorf("the long name became %q with notes %q, %v", rows[0].Name, rows[0].Notes, rows[0].Issues)
	}
	for i, column := range []string{"name", "notes", "category"} {
		if issues := rows[i+1].Issues; len(issues) != 1 || issues[0].Column != column ||
			len([]rune(issues[0].Cell)) > 200 {
			t.Errorf("row %d: got %v, want an issue of %s", i+2, issues, column)
		}
	}
	if rows[4].Name != name[2:] || rows[4].Notes != "" {
		t.Errorf("a name of 255 characters was changed")
	}
	words := strings.Repeat("word ", 52) + "end" // 263 characters; the 255th ends the 51st word
	if rows[5].Name != strings.TrimSpace(strings.Repeat("word ", 51)) || rows[5].Notes != words+"\nthere" ||
		rows[5].Issues != nil {
		t.Errorf("the name of many words became %q with notes %q, %v", rows[5].Name, rows[5].Notes, rows[5].Issues)
	}
}

// With several accounts the row's account decides the currency, and must be named.
func TestRowsAccounts(t *testing.T) {
	t.Parallel()
	d := euro(t)
	d.AccountCurrency = func(name string) (moneypkg.Currency, bool) {
		if name != "Tokyo" {
			return moneypkg.Currency{}, false
		}
		return moneypkg.LookupCurrency("JPY")
	}
	rows, err := read(t, "date,amount,account,currency\n2026-01-31,5,Tokyo,\n2026-01-31,5,New,\n2026-01-31,5,Tokyo,USD\n2026-01-31,5,,\n", "{}", d)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"2026-01-31 5 JPY Imported item||||Tokyo", "2026-01-31 500 EUR Imported item||||New",
		"2026-01-31 500 USD Imported item||||Tokyo", `4 issue account ""`}
	for i, row := range rows {
		if got := sketch(row); got != want[i] {
			t.Errorf("got %q, want %q", got, want[i])
		}
	}
	_, err = read(t, "date,amount\n2026-01-31,5\n", "{}", d)
	var broken *textpkg.FileError
	if !errors.As(err, &broken) || !strings.Contains(err.Error(), "account_col_label") {
		t.Errorf("without an account column: got %v", err)
	}
}

// keyCafe is the start of the SHA-256 of three cells joined by U+001F.
const keyCafe = 2138640470796957688

// The key is stored with every imported row, so it must stay what it is: these values were worked out
// by another program.
func TestRowsKey(t *testing.T) {
	t.Parallel()
	rows, err := read(t, "date,amount,name\n2026-01-31, 5.00 ,Café\n2026-01-31,5.00,\"Café\"\n2026-01-31,5.00,Cafe\n",
		"{}", euro(t))
	if err != nil {
		t.Fatal(err)
	}
	if rows[0].Key != keyCafe || rows[1].Key != keyCafe || rows[2].Key == keyCafe {
		t.Errorf("got keys %d, %d, %d; want twice %d and another", rows[0].Key, rows[1].Key, rows[2].Key,
			int64(keyCafe))
	}
	if want := []string{"2026-01-31", "5.00", "Café"}; !reflect.DeepEqual(rows[0].Raw, want) {
		t.Errorf("got cells %q, want %q", rows[0].Raw, want)
	}
}

// Rows stay what they are when more are read.
func TestRowsKeep(t *testing.T) {
	t.Parallel()
	text := export(5000)
	first, err := read(t, text, exportSettings, euro(t))
	if err != nil || len(first) != 5000 {
		t.Fatalf("got %d rows (%v)", len(first), err)
	}
	lines := strings.Split(text, "\n")
	for i, row := range first {
		if got := strings.Join(row.Raw, ";"); got != lines[i+1] || row.Number != i+1 || row.Line != i+2 ||
			row.Issues != nil {
			t.Fatalf("row %d (line %d) holds %q, %v; want %q", row.Number, row.Line, got, row.Issues, lines[i+1])
		}
	}
}

const exportSettings = `{"date_format":"%d.%m.%Y","number_format":"1.234,56","col_sep":";","name_col_label":"payee"}`

// export is a bank's file of that many rows.
func export(rows int) string {
	var text strings.Builder
	text.WriteString("date;amount;payee;notes;category;currency\n")
	for i := range rows {
		fmt.Fprintf(&text, "%02d.%02d.%d;-%d,%02d;Grocery store No %d;card 1234 ref %08d;Food:Shop %d;EUR\n",
			i%28+1, i%12+1, 2015+i%10, i%2000, i%100, i%500, i, i%40)
	}
	return text.String()
}

func BenchmarkRows(b *testing.B) {
	text := export(100_000)
	s, d := settings(b, exportSettings), euro(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		rows, err := table.NewRows(source.Text(text), s, d)
		if err != nil {
			b.Fatal(err)
		}
		count := 0
		for {
			row, err := rows.Next()
			if err == io.EOF {
				break
			}
			if err != nil || row.Issues != nil {
				b.Fatal(err, row.Issues)
			}
			count++
		}
		if count != 100_000 {
			b.Fatal(count)
		}
	}
}
