package importer_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/table"
	moneypkg "finsvc/ledger/money"
)

// readDetected detects how a text is to be read and reads it: "asked SETTING ..." or the rows as DATE AMOUNT, bad rows
// as "bad".
func readDetected(t testing.TB, content, currency string) string {
	t.Helper()
	home, ok := moneypkg.LookupCurrency(currency)
	if !ok {
		t.Fatalf("no currency %q", currency)
	}
	return readGiven(t, content, recordpkg.Settings{}, recordpkg.Defaults{Currency: home})
}

// readGiven is the same with settings that are given.
func readGiven(t testing.TB, content string, given recordpkg.Settings, d recordpkg.Defaults) string {
	t.Helper()
	settings, open, err := importer.Detect(func() (io.Reader, error) { return strings.NewReader(content), nil }, given,
		d)
	if err != nil {
		return "broken " + err.Error()
	}
	if len(open) > 0 {
		return "asked " + strings.Join(open, " ")
	}
	rows, err := table.NewRows(source.Text(content), settings, d)
	if err != nil {
		return "refused " + err.Error()
	}
	var list []string
	for {
		row, err := rows.Next()
		switch {
		case err == io.EOF:
			return strings.Join(list, "; ")
		case err != nil:
			return "broken " + err.Error()
		case row.Skipped != "":
		case len(row.Issues) > 0:
			list = append(list, "bad")
		default:
			list = append(list, fmt.Sprintf("%s %s %s", row.Date.String()[2:], row.Currency.Plain(row.Minor), row.Name))
		}
	}
}

// What files of many makes are read as. Figures were worked out by hand.
func TestDetect(t *testing.T) {
	t.Parallel()
	for name, c := range detectCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := readDetected(t, c.file, orElse(c.currency, "EUR")); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

type detectCase struct{ file, currency, want string }

// Many steps of a balance prove the sign of amounts that have none; a few do not, see the cases.
//
// Decision, Imports: a column of balances proves.
func TestDetectProvesByTheBalance(t *testing.T) {
	t.Parallel()
	file, want, balance := "Date;Text;Amount;Balance\n", []string(nil), 100_000
	for day := 1; day <= 14; day++ {
		balance -= day * 100
		file += fmt.Sprintf("2026-02-%02d;Shop;%d,00;%d,00\n", day, day, balance/100)
		want = append(want, fmt.Sprintf("26-02-%02d -%d.00 Shop", day, day))
	}
	if got := readDetected(t, file, "EUR"); got != strings.Join(want, "; ") {
		t.Errorf("got  %s\nwant %s", got, strings.Join(want, "; "))
	}
}

// What is given is obeyed, whatever the file looks like, and answers its question.
//
// Decision, Imports: what is given is obeyed, what is omitted is detected and shown.
func TestDetectObeysWhatIsGiven(t *testing.T) {
	t.Parallel()
	const file = "Date,Text,Amount,Other\n02/03/2026,Shop,5.00,7.00\n02/01/2026,Shop,6.00,8.00\n"
	given := settings(t, `{"date_format":"%d/%m/%Y","signage_convention":"inflows_negative","amount_col_label":"Other","number_format":"1 234,56","col_sep":","}`)
	got, open, err := importer.Detect(func() (io.Reader, error) { return strings.NewReader(file), nil }, given, euro(t))
	if err != nil || len(open) > 0 {
		t.Fatalf("asked %v, %v", open, err)
	}
	for name, member := range given.Members() {
		if now := *got.Members()[name]; *member != nil && (now == nil || *now != **member) {
			t.Errorf("%s was given and changed", name)
		}
	}
}
