package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"mime/multipart"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"finsvc/handlers/apitest"
)

const importFile = `date,amount,name,category,tags,account,notes
2026-01-31,-12.50,Bread,Food,"fun,new tag",Checking,two words
2026-02-01,2000.00,Pay,Salary:Bonus,,Fresh account,
2026-01-31,-12.50,Bread,Food,"fun,new tag",Checking,two words
`

// importBody is a JSON body of a file and further members.
func importBody(file string, more ...string) string {
	content, err := json.Marshal(file)
	if err != nil {
		panic(err)
	}
	return `{"raw_file_content":` + string(content) + strings.Join(append([]string{""}, more...), ",") + `}`
}

// form is a multipart body of parts in their order; the one named file is a file.
func importForm(t *testing.T, parts ...[2]string) (body, contentType string) {
	t.Helper()
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	for _, p := range parts {
		if p[0] == "file" {
			part, err := w.CreateFormFile("file", "export.csv")
			if err != nil {
				t.Fatal(err)
			}
			_, _ = part.Write([]byte(p[1]))
			continue
		}
		if err := w.WriteField(p[0], p[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String(), "Content-Type: " + w.FormDataContentType()
}

type wireImport struct {
	ID, Type, Status string
	AccountID        *string `json:"account_id"`
	Error            *string
	Configuration    map[string]*string
	Stats            struct {
		Rows    int64 `json:"rows_count"`
		Valid   int64 `json:"valid_rows_count"`
		Invalid int64 `json:"invalid_rows_count"`
		Done    int64 `json:"done_rows_count"`
	}
}

func importOf(t *testing.T, p apitest.Reply, status int) wireImport {
	t.Helper()
	var v struct{ Data wireImport }
	if err := json.Unmarshal([]byte(p.Text), &v); err != nil || p.StatusCode != status {
		t.Fatalf("got %d %s, want %d", p.StatusCode, p.Text, status)
	}
	return v.Data
}

// work lets the worker run while the test does what a client would do, and waits for it to end.
func (h *fixture) work(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- h.imports.Run(ctx) }()
	return func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// settled asks until the import is no longer being worked on, as clients do.
func (h *fixture) settled(t *testing.T, id string) wireImport {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); ; {
		imp := importOf(t, h.call(t, "GET", "/imports/"+id, ""), 200)
		if imp.Status != "importing" {
			return imp
		}
		if time.Now().After(deadline) {
			t.Fatal("the import is not done")
		}
	}
}

// TestImportBodies holds what was decided.
//
// Decision, Imports: 201 pending with exact stats; what a file names is found or created; list items carry type and
// status.
// Contract, Import detail: stats count rows and valid rows.
// Contract, POST /api/v1/imports: makes an import of raw_file_content: 201 with data, the detail; publish, the text
// true, queues the import when its configuration is valid.
func TestImportBodies(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	made := h.call(t, "POST", "/imports", importBody(importFile, `"publish":"true"`))
	h.golden(t, "import_create", made)
	h.ids["import"] = importOf(t, made, 201).ID
	h.golden(t, "import_rows_before", h.call(t, "GET", "/imports/{import}/rows", ""))
	stop := h.work(t)
	h.settled(t, h.ids["import"])
	stop()
	h.golden(t, "import_complete", h.call(t, "GET", "/imports/{import}", ""))
	h.golden(t, "import_list", h.call(t, "GET", "/imports", ""))
	for i, one := range h.list(t, "").Transactions {
		h.ids[fmt.Sprint("transaction ", i)] = one.ID
	}
	h.golden(t, "import_rows", h.call(t, "GET", "/imports/{import}/rows", ""))
	h.golden(t, "import_transactions", h.call(t, "GET", "/transactions", ""))
	if b, c := h.balance(t, "Fresh account"), h.balance(t, "Checking"); b != 200000 || c != -2500 {
		t.Errorf("balances %d and %d", b, c)
	}
	for _, path := range []string{"/imports/{import}", "/imports/{import}/rows"} {
		h.as(t, h.neighbour, "GET", path, "").Is(t, 404, `{"error":"not_found","message":"Import not found","details":null}`)
	}
	h.as(t, h.neighbour, "POST", "/imports/{import}/publish", "").Is(t, 404, "")
	if got := h.as(t, h.neighbour, "GET", "/imports", ""); !strings.Contains(got.Text, `"data":[]`) {
		t.Errorf("the neighbour sees %s", got.Text)
	}
}

// TestImportSpellings: however the same request is written, it means the same.
//
// Decision, Imports: publish true and "true" are the same.
// Contract, POST /api/v1/imports: account_id is the account to import into.
func TestImportSpellings(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const file = "date,amount,name\n2026-01-31,-12.50,Brötchen & Käse\n"
	form := func(parts ...[2]string) []string {
		body, contentType := importForm(t, parts...)
		return []string{body, contentType}
	}
	values := url.Values{"raw_file_content": {file}, "publish": {"true"}, "account_id": {h.ids["Checking"]}}
	const encoded = "Content-Type: application/x-www-form-urlencoded"
	account := [2]string{"account_id", h.ids["Checking"]}
	for name, sent := range map[string][]string{
		"text":                   {importBody(file, `"publish":"true"`, `"account_id":"{Checking}"`)},
		"boolean":                {importBody(file, `"publish":true`, `"account_id":"{Checking}"`), "Content-Type: application/json"},
		"upper case":             {importBody(file, `"publish":"TRUE"`, `"account_id":"`+strings.ToUpper(h.ids["Checking"])+`"`)},
		"form":                   {values.Encode(), encoded},
		"fields, file":           form(account, [2]string{"publish", "true"}, [2]string{"file", file}),
		"file, fields":           form([2]string{"file", file}, account, [2]string{"publish", "true"}),
		"field, file, field":     form(account, [2]string{"file", file}, [2]string{"publish", "1"}),
		"content as a field":     form([2]string{"raw_file_content", file}, account, [2]string{"publish", "true"}),
		"escapes":                {strings.ReplaceAll(importBody(file, `"publish":"true"`, `"account_id":"{Checking}"`), "ö", `\u00f6`)},
		"JSON that calls itself": {importBody(file, `"publish":"true"`, `"account_id":"{Checking}"`), encoded},
	} {
		made := importOf(t, h.call(t, "POST", "/imports", sent[0], sent[1:]...), 201)
		if made.Status != "importing" || made.Stats.Rows != 1 || made.Stats.Valid != 1 || made.Error != nil || made.AccountID == nil || *made.AccountID != h.ids["Checking"] {
			t.Errorf("%s: got %+v", name, made)
		}
	}
	stop := h.work(t)
	defer stop()
	for _, imp := range h.importList(t, "").Data {
		if got := h.settled(t, imp.ID); got.Status != "complete" || got.Stats.Done != 1 {
			t.Errorf("got %+v", got)
		}
	}
	got := h.list(t, "search=br%C3%B6tchen+%26")
	if got.Pagination.TotalCount != 1 {
		t.Errorf("%d transactions came of ten files with the same row", got.Pagination.TotalCount)
	}
}

type importPage struct {
	Data []wireImport
	Meta struct {
		Current int  `json:"current_page"`
		Pages   int  `json:"total_pages"`
		Count   int  `json:"total_count"`
		PerPage int  `json:"per_page"`
		Next    *int `json:"next_page"`
		Prev    *int `json:"prev_page"`
	}
}

func (h *fixture) importList(t *testing.T, query string) (page importPage) {
	t.Helper()
	p := h.as(t, h.readKey, "GET", "/imports?"+query, "")
	if err := json.Unmarshal([]byte(p.Text), &page); err != nil || p.StatusCode != 200 {
		t.Fatalf("GET /imports?%s: %d %s", query, p.StatusCode, p.Text)
	}
	return page
}

// TestImportOfBytes: a file part is bytes in whatever character set, which text in JSON cannot be.
func TestImportOfBytes(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const file = "date;amount;name\r\n2026-01-31;-12,50;B\xe4cker\r\n"
	form, contentType := importForm(t, [2]string{"file", file}, [2]string{"publish", "true"}, [2]string{"account_id", h.ids["Checking"]},
		[2]string{"col_sep", ";"}, [2]string{"number_format", "1.234,56"})
	made := importOf(t, h.call(t, "POST", "/imports", form, contentType), 201)
	stop := h.work(t)
	defer stop()
	if got := h.settled(t, made.ID); got.Status != "complete" {
		t.Errorf("got %+v", got)
	}
	if got := h.list(t, "search=b%C3%A4cker"); got.names() != "Bäcker" || h.balance(t, "Checking") != -1250 {
		t.Errorf("got %+v", got)
	}
	h.refuses(t, refusal{400, "bad_request", ""}, "POST", "/imports", `{"raw_file_content":"`+"date,amount,name\xe4"+`"}`)
}

// TestImportList holds what was decided.
//
// Contract, GET /api/v1/imports: data and meta, the household's own.
func TestImportList(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for i, file := range []string{"date,amount,name\n2026-01-31,+1,a\n", "date,amount,name\n2026-01-31,x,a\n", "date,amount,name\n\"", ""} {
		h.clock.move(time.Second)
		made := importOf(t, h.call(t, "POST", "/imports", importBody(file, `"publish":"true"`, `"wait_for_answers":true`, `"account_id":"{Checking}"`)), 201)
		h.ids[fmt.Sprint("import", i)] = made.ID
	}
	names := func(p importPage) string {
		var out []string
		for _, imp := range p.Data {
			out = append(out, strings.Trim(h.nameIDs(imp.ID), "<>"))
		}
		return strings.Join(out, " ")
	}
	const all = "import3 import2 import1 import0"
	for query, want := range map[string]string{
		"": all, "status=importing": "import0", "status=pending": "import3 import1", "status=failed": "import2", "status=complete": "", "status=reverting": "",
		"status=pending,failed": "import3 import2 import1", "status[]=pending&status[]=failed": "import3 import2 import1", "status=pending&status=failed": "import3 import2 import1",
		"status=nonsense": "", "status=nonsense,failed": "import2", "status=": all, "type=TransactionImport": all, "type=TradeImport": "", "type=nonsense": "",
		"type=TransactionImport,MintImport&status=failed": "import2", "type=SureImport": "",
		"per_page=2": "import3 import2", "per_page=2&page=2": "import1 import0", "per_page=2&page=3": "", "per_page=0&page=x": all,
	} {
		if got := names(h.importList(t, query)); got != want {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
	page := func(n *int) int {
		if n == nil {
			return 0
		}
		return *n
	}
	for query, want := range map[string][6]int{ // current, pages, count, per page, next, previous
		"": {1, 1, 4, 25, 0, 0}, "per_page=3": {1, 2, 4, 3, 2, 0}, "per_page=3&page=2": {2, 2, 4, 3, 0, 1}, "per_page=3&page=9": {9, 2, 4, 3, 0, 2},
		"per_page=1&page=2": {2, 4, 4, 1, 3, 1}, "status=x": {1, 1, 0, 25, 0, 0}, "per_page=1000": {1, 1, 4, 100, 0, 0},
	} {
		m := h.importList(t, query).Meta
		if got := [6]int{m.Current, m.Pages, m.Count, m.PerPage, page(m.Next), page(m.Prev)}; got != want {
			t.Errorf("%s: got %v, want %v", query, got, want)
		}
	}
}

// TestPublishLater holds what was decided.
//
// Decision, Errors: 409 conflict: the state does not allow it.
// Decision, Imports: every bad row is kept with number, column, raw cell and reason; bad rows hold the import unless
// skip_invalid_rows; POST /imports/{id}/publish later.
func TestPublishLater(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const file = "date,amount,name\n2026-01-31,+1,a\n2026-02-30,+2,b\n"
	made := importOf(t, h.call(t, "POST", "/imports", importBody(file, `"publish":true`, `"account_id":"{Checking}"`)), 201)
	if made.Status != "failed" || made.Error == nil || made.Stats.Rows != 2 || made.Stats.Valid != 1 || made.Stats.Invalid != 1 {
		t.Errorf("got %+v", made)
	}
	h.ids["import"] = made.ID
	h.golden(t, "import_invalid_rows", h.call(t, "GET", "/imports/{import}/rows", ""))
	h.refuses(t, unprocessable("file"), "POST", "/imports/{import}/publish", "")
	h.refuses(t, unprocessable("skip_invalid_rows"), "POST", "/imports/{import}/publish", `{"skip_invalid_rows":"perhaps"}`)
	h.refuses(t, refusal{404, "not_found", ""}, "POST", "/imports/{Checking}/publish", "")
	h.refuses(t, refusal{404, "not_found", ""}, "POST", "/imports/x/publish", "")
	if got := importOf(t, h.call(t, "POST", "/imports/{import}/publish", `{"skip_invalid_rows":"true"}`), 202); got.Status != "importing" {
		t.Errorf("got %+v", got)
	}
	h.refuses(t, refusal{409, "conflict", ""}, "POST", "/imports/{import}/publish", "")
	stop := h.work(t)
	defer stop()
	if got := h.settled(t, made.ID); got.Status != "complete" || got.Error != nil {
		t.Errorf("got %+v", got)
	}
	h.refuses(t, refusal{409, "conflict", ""}, "POST", "/imports/{import}/publish", `{"skip_invalid_rows":true}`)
	if got := h.list(t, ""); got.names() != "a" {
		t.Errorf("got %s", got.names())
	}
	plain := importOf(t, h.call(t, "POST", "/imports", importBody("date,amount,name\n2026-03-01,+1,later\n", `"account_id":"{Checking}"`)), 201)
	if plain.Status != "pending" || plain.Error != nil {
		t.Errorf("got %+v", plain)
	}
	importOf(t, h.call(t, "POST", "/imports/"+plain.ID+"/publish", "", "Content-Type: application/json"), 202)
	if got := h.settled(t, plain.ID); got.Status != "complete" {
		t.Errorf("got %+v", got)
	}
	if got := h.list(t, ""); got.names() != "later a" {
		t.Errorf("got %s", got.names())
	}
}

// TestImportSettingsAreEchoed: every setting of the contract comes back as it was given.
//
// Contract, Import detail: a setting comes back as it was given.
// Contract, POST /api/v1/imports: date_col_label, amount_col_label, name_col_label name the headers of their columns;
// category_col_label, tags_col_label, notes_col_label, account_col_label as well; qty_col_label, ticker_col_label,
// price_col_label, exchange_operating_mic_col_label of trades.
func TestImportSettingsAreEchoed(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	given := everySetting()
	file := "Tag;Betrag;Zweck;Art;Marken;Notiz;Konto;Stück;Kürzel;Kurs;Richtung;Währung;Börse\n31.01.2026;1.234,56;Lohn;Gehalt;m;n;Checking;;;;Haben;EUR;\n"
	body, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	made := importOf(t, h.call(t, "POST", "/imports", importBody(file, strings.Trim(string(body), "{}"))), 201)
	if made.Error != nil || made.Stats.Valid != 1 {
		t.Errorf("got %+v, error %s", made, *made.Error)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if got := made.Configuration[name]; got == nil || *got != given[name] {
			t.Errorf("%s: want %q, got %+v", name, given[name], got)
		}
	}
	var parts [][2]string
	for name, value := range given {
		parts = append(parts, [2]string{name, value})
	}
	form, contentType := importForm(t, append(parts, [2]string{"file", file})...)
	if again := importOf(t, h.call(t, "POST", "/imports", form, contentType), 201); fmt.Sprint(again.Stats) != fmt.Sprint(made.Stats) || len(again.Configuration) != len(made.Configuration) {
		t.Errorf("as a form: got %+v", again)
	}
}

// TestImportRowsPaging: the rows of a file come in its order, page by page.
func TestImportRowsPaging(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	file := "date,amount,name\n"
	for i := range 7 {
		file += fmt.Sprintf("2026-01-%02d,+%d,row%d\n", 28-i, i, i+1)
	}
	made := importOf(t, h.call(t, "POST", "/imports", importBody(file, `"account_id":"{Checking}"`)), 201)
	for query, want := range map[string]string{"": "1 2 3 4 5 6 7", "?per_page=3": "1 2 3", "?per_page=3&page=3": "7", "?per_page=3&page=4": "", "?per_page=0&page=0": "1 2 3 4 5 6 7", "?page=99999999999999999999": ""} {
		var page struct {
			Data []struct {
				Number int `json:"row_number"`
			}
			Meta struct {
				Count int `json:"total_count"`
			}
		}
		p := h.call(t, "GET", "/imports/"+made.ID+"/rows"+query, "")
		if err := json.Unmarshal([]byte(p.Text), &page); err != nil {
			t.Fatal(err, p.Text)
		}
		var got []string
		for _, row := range page.Data {
			got = append(got, fmt.Sprint(row.Number))
		}
		if strings.Join(got, " ") != want || page.Meta.Count != 7 {
			t.Errorf("%s: got %v of %d", query, got, page.Meta.Count)
		}
	}
}

// TestImportIsSeenWhole: while an import is published, others write, and nobody sees a part of it.
//
// Decision, Imports: all or nothing.
func TestImportIsSeenWhole(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const rows = 2100 // two batches
	made := importOf(t, h.call(t, "POST", "/imports", importBody("date,amount,name\n"+strings.Repeat("2026-01-31,+1,aaa\n", rows), `"publish":true`, `"account_id":"{Checking}"`)), 201)
	stop := h.work(t)
	defer stop()
	own := 0
	for status := "importing"; status == "importing"; {
		h.add(t, fmt.Sprint("own ", own), `"account_id":"{Checking}","date":"2026-01-31","amount":-0.01`)
		own++
		total, cents := h.list(t, "per_page=1").Pagination.TotalCount, h.balance(t, "Checking")
		byType := h.list(t, "per_page=1&type=income&account_id={Checking}").Pagination.TotalCount
		searched := h.list(t, "per_page=1&min_amount=-1&search=aaa").Pagination.TotalCount
		if total != own && total != own+rows || byType != own && byType != own+rows || cents != int64(own) && cents != int64(own+100*rows) || searched != 0 && searched != rows {
			t.Fatalf("after %d of our own: %d in the list, %d of the type, %d found, a balance of %d", own, total, byType, searched, cents)
		}
		status = importOf(t, h.call(t, "GET", "/imports/"+made.ID, ""), 200).Status
	}
	if got := h.settled(t, made.ID); got.Status != "complete" || got.Stats.Done != rows || h.balance(t, "Checking") != int64(own+100*rows) {
		t.Errorf("got %+v and a balance of %d", got, h.balance(t, "Checking"))
	}
	seen := map[string]bool{}
	for page := 1; page <= (rows+own+99)/100; page++ {
		for _, one := range h.list(t, fmt.Sprint("per_page=100&page=", page)).Transactions {
			seen[one.ID] = true
		}
	}
	if len(seen) != rows+own {
		t.Errorf("a walk saw %d of %d", len(seen), rows+own)
	}
}
