package handlers

import (
	"strings"
	"testing"
)

// TestPreflight asks with a key that may only read, of a file without an account, and finds nothing stored.
//
// Decision, Imports: a preflight tells the whole outcome and stores nothing.
func TestPreflight(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	const body = `{"raw_file_content":"date,amount,name,account,category\n2026-08-01,-12.50,Bread,Wallet,Food\n2026-08-02,x,Never,Wallet,\n","skip_invalid_rows":"true"}`
	got := g.Do(t, "POST", "/api/v1/imports/preflight", body, "X-Api-Key: read", "Content-Type: application/json")
	if got.StatusCode != 200 {
		t.Fatalf("got %d %s", got.StatusCode, got.Text)
	}
	for _, want := range []string{
		`{"data":{"type":"TransactionImport","valid":true,"content":{"filename":null,"content_type":"application/json","byte_size":97},"configuration":{`,
		`"stats":{"rows_count":2,"valid_rows_count":1,"invalid_rows_count":1,"skipped_rows_count":0,"already_imported_rows_count":0,"possible_duplicates":0,"pending_rows_count":0}`,
		`"headers":["date","amount","name","account","category"],"unused_columns":[],"required_headers":["date","amount","account"],"missing_required_headers":[],` +
			`"errors":[],"warnings":["1 of 2 rows cannot be imported and would be left out"],`,
		`"issues":[{"row_number":2,"line":3,"column":"amount","cell":"x","message":"`,
		`"possible_duplicates":[],"changed":[],"sums":[{"currency":"EUR","in_cents":0,"out_cents":-1250}],"first_date":"2026-08-01","last_date":"2026-08-01",` +
			`"creates":[{"type":"account","name":"Wallet","currency":"EUR","changes":[]},{"type":"category","name":"Food","currency":null,"changes":[]}],"reconciliation":[],"balances":[]}}`,
	} {
		if !strings.Contains(got.Text, want) {
			t.Errorf("got %s\nwant %s", got.Text, want)
		}
	}
	g.Do(t, "GET", "/api/v1/imports", "", "X-Api-Key: read").Has(t, `{"data":[],`)
	g.Do(t, "GET", "/api/v1/accounts", "", "X-Api-Key: read").Has(t, `{"accounts":[],`)
}

func TestPreflightSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	account := `{"account":{"name":"Giro","account_type":"depository","balance":"10.00","date":"2026-01-01"}}`
	made := g.Do(t, "POST", "/api/v1/accounts", account, "X-Api-Key: write", "Content-Type: application/json")
	_, id, _ := strings.Cut(made.Text, `"id":"`)
	id = id[:36]
	form := func(content string) string {
		return "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n" + content +
			"\r\n--b\r\nContent-Disposition: form-data; name=\"account_id\"\r\n\r\n" + id + "\r\n--b--\r\n"
	}
	for _, c := range []struct {
		content string
		status  int
		want    string
	}{
		{"", 422, "file is missing"},
		{"day,amount\n1,2\n", 200, `"errors":[{"code":"missing_settings","message":"date_col_label must be given: `},
		{"date,amount\n", 200, `"errors":[{"code":"no_data_rows",`},
		{"date,amount\n\"", 200, `"errors":[{"code":"invalid_csv",`},
		{"date,amount\nx,1\n", 200, `"valid":false,"content":{"filename":"a.csv","content_type":"multipart/form-data","byte_size":16}`},
		{"date,amount\nx,1\n", 200, `"errors":[{"code":"missing_settings",`},
		{"date,amount\n2026-02-01,+1\n", 200, `"balances":[{"account_id":"` + id + `","account_name":"Giro","currency":"EUR","before_cents":1000,"after_cents":1100,"unconverted":[],"stale_rates":[]}]`},
	} {
		got := g.Do(t, "POST", "/api/v1/imports/preflight", form(c.content), "X-Api-Key: read", "Content-Type: multipart/form-data; boundary=b")
		if got.StatusCode != c.status || !strings.Contains(got.Text, c.want) {
			t.Errorf("%q: got %d %s\nwant %d %s", c.content, got.StatusCode, got.Text, c.status, c.want)
		}
	}
}
