package importer_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
)

// zipped is an archive of files, given as names and contents.
func zipped(t *testing.T, files ...string) string {
	t.Helper()
	var text bytes.Buffer
	w := zip.NewWriter(&text)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, files[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestBackupInArchive(t *testing.T) {
	t.Parallel()
	tag := record("Tag", "'id':'t1','name':'Fun'")
	for name, file := range map[string]string{
		"all.ndjson in a folder":  zipped(t, "version.txt", "2", "export/all.ndjson", tag, "other.ndjson", "x"),
		"the only one":            zipped(t, "accounts.csv", "x", "home.NDJSON", tag),
		"a mark and CRLF":         "\xEF\xBB\xBF\r\n" + strings.ReplaceAll(tag, "\n", "\r\n"),
		"no end of the last line": strings.TrimSuffix(tag, "\n"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			k.publishBackup(file)
			if tags, err := k.ledger.Labels.ListTags(t.Context(), k.who); err != nil || len(tags) != 1 ||
				tags[0].Name != "Fun" {
				t.Errorf("tags %v, %v", tags, err)
			}
		})
	}
}

func TestBackupBroken(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 1_001 {
		many = append(many, fmt.Sprintf("%d.csv", i), "")
	}
	whole := zipped(t, "all.ndjson", record("Tag", "'id':'t1','name':'Fun'"))
	for name, c := range map[string]struct{ file, want string }{
		"a long line": {zipped(t, "all.ndjson", `{"type":"Tag","data":{"id":"1","name":"`+strings.Repeat("a",
			2<<20)+`"}}`), "line 1 is longer than 1 MiB: this is no backup, or it is damaged"},
		"no backup in it": {zipped(t, "a.csv", "x"), "the file is a zip archive without all.ndjson, or one other file whose name ends in .ndjson"},
		"two of them": {zipped(t, "a.ndjson", "{}", "b.ndjson", "{}"),
			"the file is a zip archive without all.ndjson"},
		"an empty archive":  {zipped(t), "the file is a zip archive without all.ndjson"},
		"many files":        {zipped(t, many...), "the file is a zip archive of more than 1,000 files"},
		"a damaged archive": {whole[:len(whole)-30], "the file is a damaged zip archive"},
		"damaged content": {strings.Replace(whole, whole[45:60], "xxxxxxxxxxxxxxx", 1),
			"the file is a zip archive whose all.ndjson cannot be unpacked"},
		"a bomb": {zipped(t, "all.ndjson", strings.Repeat(strings.Repeat(" ", 1<<19)+"\n", 16)),
			"the file is a zip archive whose all.ndjson is longer than 8.0 MiB"},
		"nothing": {" \n", "has a header but no rows"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			imp := k.send(c.file, importer.Request{Type: recordpkg.ServiceImport, Publish: true})
			if imp.Error == nil || !strings.HasPrefix(*imp.Error, c.want) || imp.Status == importer.StatusImporting {
				t.Errorf("%s: %v, want %q", imp.Status, text(imp.Error), c.want)
			}
		})
	}
}

func text(s *string) string {
	if s == nil {
		return "nothing"
	}
	return *s
}

// TestBackupStores: what is written of a household is what was read.
func TestBackupStores(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	k.publishBackup(wholeBackup())
	var out bytes.Buffer
	if _, err := k.ledger.Exports.WriteBackup(t.Context(), k.who, &out); err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).ReplaceAllString(out.String(), "ID")
	got = regexp.MustCompile(`,"created_at":"[^"]*"(,"updated_at":"[^"]*")?`).ReplaceAllString(got, "")
	for _, want := range []string{
		`{"type":"Category","data":{"id":"ID","name":"Food","parent_id":null,"classification":"expense","color":"#ab12cd","lucide_icon":"utensils"}}`,
		`{"type":"Category","data":{"id":"ID","name":"Bread","parent_id":"ID","classification":"expense","color":"#ab12cd","lucide_icon":"wheat"}}`,
		`{"type":"Category","data":{"id":"ID","name":"Pay","parent_id":null,"classification":"income",`,
		`{"type":"Tag","data":{"id":"ID","name":"Fun","color":"#001122"}}`,
		`{"type":"Transaction","data":{"id":"ID","account_id":"ID","date":"2026-01-31","amount":"12.50","currency":"EUR","name":"Bread","notes":null,"category_id":"ID","merchant_id":null,"tag_ids":["ID"],"kind":"standard","external_id":"7","source":"bank"}}`,
		`{"type":"Transfer","data":{"id":"ID","inflow_transaction_id":"ID","outflow_transaction_id":"ID","status":"confirmed","notes":"Card bill","reason":"linked in the backup"}}`,
		`{"type":"RejectedTransfer","data":{"id":"ID","inflow_transaction_id":"ID","outflow_transaction_id":"ID"}}`,
		`"date":"2026-01-05","trade_type":"buy","qty":"10","price":"12.345","amount":"124.95","fee":"1.50","currency":"EUR","name":"Buy 10 shares of ACME"`,
		`"date":"2026-02-01","trade_type":"dividend","qty":"0","price":"0","amount":"-4.00","fee":"0.00","currency":"EUR","name":"Dividend: ACME"`,
		`"ticker":"ACME","security_name":null,"exchange_operating_mic":null,"date":"2026-02-20","price":"15","currency":"EUR","source":"api"}}`,
		`"date":"2026-02-01","numerator":2,"denominator":1}}`,
		`"date":"2025-12-31","undated":false,"amount":"250.00","currency":"EUR","kind":"opening_anchor","name":"Opening balance","notes":"as of the bill"}}`,
		`"date":"2026-01-14","undated":true,"amount":"390000.00","currency":"EUR","kind":"opening_anchor","name":"Opening balance","notes":null}}`,
		`"date":"2026-02-15","undated":false,"amount":"400000.00","currency":"EUR","kind":"reconciliation","name":"Valuation","notes":"estate agent"}}`,
		`{"type":"Rule","version":1,"data":{"id":"ID","name":"Bakery","resource_type":"transaction","active":true,"effective_date":null,` +
			`"conditions":[{"condition_type":"transaction_category","operator":"=","value":"ID","value_ref":{"id":"ID","name":"Food","type":"Category"}}],` +
			`"actions":[{"action_type":"set_transaction_tags","value":"ID","value_ref":{"id":"ID","name":"Fun","type":"Tag"}}]}}`,
		`{"type":"Holding","data":{"account_id":"ID","security_id":"ID","ticker":"ACME","security_name":null,"exchange_operating_mic":null,"date":"2026-03-01","qty":"20","price":"15","amount":"300.00","currency":"EUR"}}`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s", want)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}
