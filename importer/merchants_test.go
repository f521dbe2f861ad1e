package importer_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"finsvc/importer/table"
	"finsvc/ledger"
	"finsvc/ledger/intake"
)

// listed is a list of merchants in one line: number, name, colour and address of each.
func listed(rows []intake.MerchantRow) string {
	var parts []string
	for _, r := range rows {
		parts = append(parts, fmt.Sprintf("%d %s|%s|%s", r.Number, r.Input.Name.Value, r.Input.Color.Value,
			r.Input.WebsiteURL.Value))
	}
	return strings.Join(parts, ", ")
}

// utf16LE is a text as spreadsheet programs write it when asked for Unicode.
func utf16LE(text string) string {
	out := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = binary.LittleEndian.AppendUint16(out, unit)
	}
	return string(out)
}

func TestReadMerchants(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, content, want string }{
		{"", "name\nBaker\n", "1 Baker||"},
		{"list.csv", "Name*,Color,Website_URL\nBaker,#AABBCC,https://baker.example\nKiosk,,\n",
			"1 Baker|#AABBCC|https://baker.example, 2 Kiosk||"},
		{"LIST.TXT", "\xEF\xBB\xBFwebsite;name;notes\r\nkiosk.example;Kiosk;left out\r\n\r\n;\"Baker; Sons\";\r\n",
			"1 Kiosk||kiosk.example, 2 Baker; Sons||"},
		{"a.tsv", "name\tcolor\nBaker\t#001122\t\t\n", "1 Baker|#001122|"},
		{"a.csv", "name|website url\nB\xe4cker|b.example\n", "1 Bäcker||b.example"},
		{"a.csv", utf16LE("name,color\nBäcker,#001122\n"), "1 Bäcker|#001122|"},
		{"a.csv", "name,color\n", ""},
		{"a.csv", "name,color\n ,#001122\n", "1 |#001122|"}, // refused by who makes it
	} {
		rows, err := table.ReadMerchants(c.file, []byte(c.content))
		if got := listed(rows); got != c.want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", c.content, got, err, c.want)
		}
	}
}

func TestReadMerchantsRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, content, code, want string }{
		{"list.pdf", "name\nx\n", "invalid_file_type", "file must be a CSV file (.csv, .tsv or .txt)"},
		{"", "PK\x03\x04\x00\x00", "invalid_file_type", "file must be a CSV file"},
		{"", "%PDF-1.7\nname\n", "invalid_file_type", "file must be a CSV file"},
		{"", "", "invalid_csv", "file must not be empty"},
		{"", "\n\r\n", "invalid_csv", "file must not be empty"},
		{"", "title,color\nx,\n", "missing_column", `file must have a column name, its header has "title, color"`},
		{"", "name,Name\nx,y\n", "invalid_csv", `file must name each column once, has "Name" twice`},
		{"", "name,website,website_url\nx,y,z\n", "invalid_csv",
			`file must name each column once, has "website_url" twice`},
		{"", "name,color\n\"x,\n", "invalid_csv", "file cannot be read: line 2 begins a quoted cell that is never closed"},
		{"", "name\nBaker\nBaker, Sons\n", "invalid_csv", "row 2 must have at most 1 cells, as the header has, has 2; is a quote missing?"},
	} {
		_, err := table.ReadMerchants(c.file, []byte(c.content))
		if e := ledger.AsError(err); e == nil || e.Kind != ledger.Invalid || e.Code != c.code ||
			!strings.HasPrefix(e.Message, c.want) {
			t.Errorf("%q: got %v, want %s: %s", c.content, err, c.code, c.want)
		}
	}
}

// FuzzReadMerchants: no file breaks the reader, and errors are meant for clients.
func FuzzReadMerchants(f *testing.F) {
	for _, seed := range []string{"name\nx\n", "name;color\n\"a\";#112233\n", utf16LE("name\nx\n"), "\xff\xfe",
		"name,name\n", "name\n\"", "\x00"} {
		f.Add("a.csv", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, name string, content []byte) {
		rows, err := table.ReadMerchants(name, content)
		if e := ledger.AsError(err); err != nil && (e == nil || e.Kind != ledger.Invalid || len(e.Fields) == 0) {
			t.Errorf("%v", err)
		}
		for i, row := range rows {
			if err == nil && row.Number != i+1 {
				t.Errorf("row %d has the number %d", i+1, row.Number)
			}
		}
	})
}
