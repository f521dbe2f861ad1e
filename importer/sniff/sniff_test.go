package sniff_test

import (
	"errors"
	"strings"
	"testing"

	"finsvc/importer/record"
	"finsvc/importer/sniff"
	"finsvc/importer/source"
	"finsvc/importer/text"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind, content string
		want          []string // words of the sentence; none: the file is taken
	}{
		"a table":                   {record.TransactionImport, "date,amount\n2026-01-31,-1\n", nil},
		"an empty file":             {record.TransactionImport, "", nil},
		"a picture":                 {record.TransactionImport, "\x89PNG\r\n\x1a\n....", []string{"a picture (PNG)", "CSV"}},
		"a workbook":                {record.TransactionImport, "PK\x03\x04......xl/workbook.xml", []string{"XLSX", "save the sheet as CSV"}},
		"an old workbook":           {record.TradeImport, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", []string{"XLS", "save the sheet as CSV"}},
		"an archive":                {record.TransactionImport, "PK\x03\x04......rows.csv", []string{"an archive (zip)", "unpack it"}},
		"an archive for a backup":   {record.ServiceImport, "PK\x03\x04......rows.csv", nil},
		"a backup for transactions": {record.TransactionImport, "PK\x03\x04......all.ndjson", []string{"ServiceImport"}},
		"a PDF for transactions":    {record.TransactionImport, "%PDF-1.7\n", []string{"PdfImport"}},
		"a PDF for its type":        {record.PdfImport, "%PDF-1.7\n", nil},
		"an encrypted file":         {record.QifImport, "age-encryption.org/v1", []string{"encrypted", "decrypt it first"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := sniff.Check(c.kind, source.Text(c.content))
			if len(c.want) == 0 {
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			refused, ok := errors.AsType[*text.FileError](err)
			if !ok {
				t.Fatalf("got %v", err)
			}
			for _, word := range c.want {
				if !strings.Contains(refused.Message, word) {
					t.Errorf("said %q, without %q", refused.Message, word)
				}
			}
		})
	}
}

func TestTypeOf(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"":                                record.TransactionImport,
		"Buchungstag;Betrag\n":            record.TransactionImport,
		"%PDF-1.7\n":                      record.PdfImport,
		"!Type:Bank\n":                    record.QifImport,
		"{\"type\":\"Account\"}\n":        record.ServiceImport,
		"PK\x03\x04......all.ndjson":      record.ServiceImport,
		"PK\x03\x04......xl/workbook.xml": record.TransactionImport,
		"name,parent\nBread,Food\n":       record.CategoryImport,
		"Account type;Name;Balance\n":     record.AccountImport,
		"\"Date\",\"Symbol\",\"Shares\",\"Price\"\n":                                                                                   record.TradeImport,
		"Exported by a broker\n\ndate,ISIN,quantity,price\n":                                                                           record.TradeImport,
		"name,resource_type,active,effective_date,conditions,actions\n":                                                                record.RuleImport,
		"\"Date\",\"Description\",\"Original Description\",\"Amount\",\"Transaction Type\",\"Category\",\"Account Name\",\"Labels\"\n": record.MintImport,
		"date,name,amount,classification\n":                                                                                            record.TransactionImport,
	} {
		if got := sniff.TypeOf([]byte(content)); got != want {
			t.Errorf("%q: %s, want %s", content, got, want)
		}
	}
}
