package handlers

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"finsvc/handlers/apitest"
)

// zipOf packs files, each with a line in it.
func zipOf(t *testing.T, names ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		name, content, _ := strings.Cut(name, "=")
		entry, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFilesThatAreNoTables: a file that a type of import does not read is named for what its bytes say it is, with what to do, by the
// preflight and by the import that failed, whatever it is called.
func TestFilesThatAreNoTables(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	const (
		csv   = "export the transactions as CSV instead"
		sheet = "open it and save the sheet as CSV (UTF-8)"
		pack  = "unpack it first"
		bank  = "have the bank make CSV, or QIF for QifImport, of it"
	)
	account := g.Do(t, "POST", "/api/v1/accounts", `{"account":{"name":"Depot","account_type":"investment"}}`, "X-Api-Key: write", "Content-Type: application/json")
	_, id, _ := strings.Cut(account.Text, `"id":"`)
	for name, c := range map[string]struct{ kind, content, is, then string }{
		"ofx 1":          {"", "OFXHEADER:100\r\nDATA:OFXSGML\r\n\r\n<OFX><BANKMSGSRSV1>", "a file for finance programs (OFX or QFX)", bank},
		"ofx 2":          {"", "<?xml version=\"1.0\"?>\n<?OFX OFXHEADER=\"200\"?>\n<OFX></OFX>", "a file for finance programs (OFX or QFX)", bank},
		"camt":           {"", "\xef\xbb\xbf<?xml version=\"1.0\"?>\n<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.02\"><BkToCstmrStmt>", "a statement in XML (CAMT, ISO 20022)", bank},
		"mt940":          {"", ":20:STARTUMSE\r\n:25:10020030/1234567\r\n:28C:00001/001\r\n:60F:C260101EUR100,00\r\n", "a statement of the interbank kind (MT940)", bank},
		"mt940 wrapped":  {"", "{1:F01BANKDEFFXXXX0000000000}{2:I940BANKDEFFXXXXN}{4:\r\n:20:X\r\n", "a statement of the interbank kind (MT940)", bank},
		"xlsx":           {"", zipOf(t, "[Content_Types].xml=<Types/>", "xl/workbook.xml=<w/>"), "an Excel workbook (XLSX)", sheet},
		"xlsx of trades": {"TradeImport", zipOf(t, "docProps/app.xml=<a/>", "xl/workbook.xml=<w/>"), "an Excel workbook (XLSX)", sheet},
		"ods":            {"", zipOf(t, "mimetype=application/vnd.oasis.opendocument.spreadsheet", "content.xml=<o/>"), "a spreadsheet (ODS)", sheet},
		"xls":            {"", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600), "an old Excel workbook (XLS)", sheet},
		"xlsx, locked":   {"", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600) + "E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00", "an Excel workbook with a password", "save it without a password"},
		"html as xls":    {"", "\r\n<html xmlns:x=\"urn:schemas-microsoft-com:office:excel\"><table><tr><td>Date</td></tr></table>", "a web page (HTML)", "save it as CSV"},
		"html in UTF-16": {"", "\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00", "a web page (HTML)", "save it as CSV"},
		"pdf":            {"", "%PDF-1.7\n%\xe2\xe3", "a PDF", "choose the type PdfImport"},
		"png":            {"", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "a picture (PNG)", csv},
		"jpeg":           {"AccountImport", "\xff\xd8\xff\xe0\x00\x10JFIF", "a picture (JPEG)", csv},
		"heic":           {"", "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "a picture (HEIC)", csv},
		"jpeg as pdf":    {"PdfImport", "\xff\xd8\xff\xe0\x00\x10JFIF", "a picture (JPEG)", csv},
		"zip":            {"", zipOf(t, "january.csv=a,b"), "an archive (zip)", pack},
		"gzip":           {"", "\x1f\x8b\x08\x00\x00\x00\x00\x00", "a packed file (gzip)", pack},
		"7z":             {"", "7z\xbc\xaf\x27\x1c\x00\x04", "an archive (7z)", pack},
		"rar":            {"", "Rar!\x1a\x07\x01\x00", "an archive (RAR)", pack},
		"json":           {"", "[\n  {\"date\": \"2026-01-13\", \"amount\": 5}\n]", "a file in JSON", csv},
		"rtf":            {"", "{\\rtf1\\ansi Statement", "a text document (RTF)", csv},
		"pgp":            {"", "-----BEGIN PGP MESSAGE-----\n\nhQEMA", "an encrypted file (PGP)", "decrypt it first"},
		"sqlite":         {"", "SQLite format 3\x00\x10\x00", "a database (SQLite)", "as CSV"},
		"qif":            {"", "!Type:Bank\nD1/13'26\nT-5.00\n^\n", "a file of the Quicken Interchange Format", "choose the type QifImport"},
		"qif of camt":    {"QifImport", "<?xml version=\"1.0\"?><Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.052.001.08\">", "a statement in XML (CAMT, ISO 20022)", bank},
		"a backup":       {"", "{\"type\":\"Account\",\"data\":{}}\n", "a backup in lines of JSON", "choose the type ServiceImport"},
		"xlsx backup":    {"ServiceImport", zipOf(t, "xl/workbook.xml=<w/>"), "an Excel workbook (XLSX)", sheet},
	} {
		parts := [][2]string{{`name="file"; filename="transactions.csv"`, c.content}}
		if c.kind != "" {
			parts = append(parts, [2]string{`name="type"`, c.kind})
		}
		if c.kind != "AccountImport" && c.kind != "ServiceImport" {
			parts = append(parts, [2]string{`name="account_id"`, id[:36]})
		}
		for _, path := range []string{"/api/v1/imports/preflight", "/api/v1/imports"} {
			got := g.Do(t, "POST", path, apitest.Multi(parts...), "X-Api-Key: write", "Content-Type: "+apitest.MimePart)
			if !strings.Contains(got.Text, "the file is "+c.is) || !strings.Contains(got.Text, c.then) {
				t.Errorf("%s: %s: got %d %s", name, path, got.StatusCode, got.Text)
			}
			if path == "/api/v1/imports" && !strings.Contains(got.Text, `"status":"failed"`) {
				t.Errorf("%s is not failed: %s", name, got.Text)
			}
		}
	}
}

// What only looks like another format is a table.
func TestTablesThatLookLikeSomethingElse(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	for name, content := range map[string]string{
		"brackets":      "[Date],[Name],[Amount]\n2026-01-13,A,-5.00\n2026-01-14,B,6.00\n",
		"UTF-16":        "\xff\xfe" + strings.ReplaceAll("D.a.t.e.,.N.a.m.e.,.A.m.o.u.n.t.\n.2.0.2.6.-.0.1.-.1.3.,.A.,.-.5...0.0.\n.", ".", "\x00"),
		"PK at the top": "PK,Date,Amount\nx,2026-01-13,-5.00\ny,2026-01-14,6.00\n",
		"tags in texts": "Date,Name,Amount\n2026-01-13,<html> book,-5.00\n2026-01-14,{a},6.00\n",
	} {
		got := g.Do(t, "POST", "/api/v1/imports/preflight", apitest.Multi([2]string{`name="file"; filename="a.xlsx"`, content}), "X-Api-Key: write", "Content-Type: "+apitest.MimePart)
		if got.StatusCode != 200 || strings.Contains(got.Text, "does not read") {
			t.Errorf("%s: got %d %s", name, got.StatusCode, got.Text)
		}
	}
}
