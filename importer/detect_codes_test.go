package importer_test

import (
	"io"
	"strings"
	"testing"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/table"
	moneypkg "finsvc/ledger/money"
)

// TestDetectCodes: amounts are in the currency whose code stands with them, whatever its column is called.
func TestDetectCodes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, want string }{
		"no headers": {"2026-02-10,Interest,179,12.55,CAD\n2026-02-11,Share,130,-38.70,USD\n",
			"02-10 12.55 CAD; 02-11 -38.70 USD"},
		"beside, by other name": {"Datum,Omschrijving,Mutatie,\n17-12-2026,Storting,EUR,\"27,80\"\n15-12-2026,Koop,USD,\"-33,90\"\n", "12-17 27.80 EUR; 12-15 -33.90 USD"},
		"words, not codes":      {"Datum,Omschrijving,Soort,Bedrag\n17-12-2026,Storting,TOP,\"27,80\"\n15-12-2026,Koop,BBB,\"-33,90\"\n", "12-17 27.80 EUR; 12-15 -33.90 EUR"},
		"another's currency":    {"Date,Text,Amount,Currency,To Currency\n2026-12-17,Pay,27.80,USD,GBP\n2026-12-15,Buy,-33.90,USD,\n", "12-17 27.80 USD; 12-15 -33.90 USD"},
	} {
		if got := strings.Join(readCodes(t, c.file, recordpkg.TransactionImport), "; "); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", name, got, c.want)
		}
	}
}

// TestDetectMintYears: Mint's dates begin with the month, and programs that write its columns may shorten the year.
func TestDetectMintYears(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, want string }{
		"four digits": {"6/12/2026,Shop,SHOP,5.00,debit,Food,Checking\n", "06-12 -5.00 EUR"},
		"two digits": {"6/12/26,Shop,SHOP,5.00,debit,Food,Checking\n6/13/26,Pay,PAY,7.00,credit,Pay,Checking\n",
			"06-12 -5.00 EUR; 06-13 7.00 EUR"},
	} {
		if got := strings.Join(readCodes(t, c.file, recordpkg.MintImport), "; "); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", name, got, c.want)
		}
	}
}

// readCodes reads a file into an account in euro: days, amounts and currencies.
func readCodes(t *testing.T, content, kind string) (list []string) {
	t.Helper()
	return readCodesIn(t, content, kind, "EUR")
}

func readCodesIn(t *testing.T, content, kind, account string) (list []string) {
	t.Helper()
	home, _ := moneypkg.LookupCurrency(account)
	d := recordpkg.Defaults{Currency: home, Type: kind}
	settings, open, err := importer.Detect(func() (io.Reader, error) { return strings.NewReader(content), nil },
		recordpkg.Settings{}, d)
	if err != nil || len(open) > 0 {
		return append(open, "asked")
	}
	rows, err := table.NewRows(source.Text(content), settings, d)
	for err == nil {
		var row recordpkg.Record
		if row, err = rows.Next(); err == nil && len(row.Issues) > 0 {
			list = append(list, "bad")
		} else if err == nil {
			list = append(list, row.Date.String()[5:]+" "+row.Currency.Plain(row.Minor)+" "+row.Currency.Code)
		}
	}
	return list
}
