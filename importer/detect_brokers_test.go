package importer_test

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/table"
	moneypkg "finsvc/ledger/money"
)

// TestDetectBrokers reads made-up files in the layouts of real brokers with nothing told: never is a sale booked as a
// purchase, nor income as a trade. Each stands in testdata/brokers.txt as those of banks do; a row is KIND QUANTITY
// SECURITY, "left" or "bad".
func TestDetectBrokers(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/brokers.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split("\n"+string(text), "\n### ")[1:] {
		title, content, _ := strings.Cut(part, "\n")
		say := strings.Split(title, " | ")
		t.Run(say[0], func(t *testing.T) {
			t.Parallel()
			if got := readBroker(t, content+"\n", say[1]); got != say[2] {
				t.Errorf("got  %s\nwant %s", got, say[2])
			}
		})
	}
}

func readBroker(t *testing.T, content, currency string) string {
	t.Helper()
	home, _ := moneypkg.LookupCurrency(currency)
	d := recordpkg.Defaults{Currency: home, Type: recordpkg.TradeImport}
	settings, open, err := importer.Detect(func() (io.Reader, error) { return strings.NewReader(content), nil },
		recordpkg.Settings{}, d)
	if err != nil || len(open) > 0 {
		return fmt.Sprint("asked ", strings.Join(open, " "))
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
			list = append(list, "left")
		case len(row.Issues) > 0:
			list = append(list, "bad")
		default:
			foreign := strings.TrimPrefix(" "+row.Currency.Code, " "+currency)
			list = append(list, fmt.Sprintf("%s %s %s%s", row.Trade().Kind, row.Trade().Quantity, row.Trade().Ticker,
				foreign))
		}
	}
}
