package handlers

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"finsvc/handlers/wire"
	"finsvc/ledger"
)

// TestBadFiles: a file that cannot be used is kept, with what is wrong, and changes nothing else.
//
// Decision, Imports: broken content is 201, failed, with error.
// Contract, POST /api/v1/imports: publish does nothing for an import that cannot be.
func TestBadFiles(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const header = "date,amount,name\n"
	for name, c := range map[string]struct {
		file, status, says string
		rows, valid        int64
		waiting            bool // it can be answered or mended
	}{
		"nothing":            {"", "failed", "no content", 0, 0, true},
		"white space":        {" \n\n", "failed", "", 0, 0, false},
		"unknown column":     {"when,amount,name\nsoon,+1,a\n", "failed", "date_col_label", 0, 0, true},
		"header only":        {header, "failed", "no rows", 0, 0, true},
		"unterminated quote": {header + "2026-01-31,+1,\"a\n2026-01-31,+1,b\n", "failed", "line 2", 0, 0, false},
		"ragged rows":        {header + "2026-01-31,+1\n2026-01-31,+1,b,c\n2026-01-31,+1,b\n", "failed", "row 2 (line 3): column 4", 3, 2, true},
		"NUL bytes":          {header + "2026-01-31,+1,a\x00b\n", "failed", "", 1, 0, true},
		"all NUL":            {strings.Repeat("\x00", 100), "failed", "", 0, 0, false},
		"no amount":          {"date,name\n2026-01-31,a\n", "failed", "amount", 0, 0, true},
		"impossible values":  {header + "2026-02-30,1,a\n0001-01-01,1,a\n9999-12-31,1,a\n2026-01-31,1e400,a\n2026-01-31,NaN,a\n2026-01-31,1.2345,a\n2026-01-31,99999999999999999999,a\n2026-01-31,+1,\n", "failed", "7 of 8 rows", 8, 1, true},
		"other columns":      {"d,b,n\n", "failed", "date_col_label", 0, 0, false},
		"unfit texts": {"date,amount,name,notes,currency\n2026-01-31,+1," + strings.Repeat("x", 256) + ",,\n2026-01-31,+1,a," + strings.Repeat("x", 10_001) + ",\n" +
			"2026-01-31,+1,a\x1bb,,\n2026-01-31,+1,a,b\x00,\n2026-01-31,+1,a,,XXQ\n2026-01-31,1.5,a,,JPY\n2026-01-31,1.5,a,,KWD\n", "failed", "4 of 7 rows", 7, 3, true},
	} {
		made := importOf(t, h.call(t, "POST", "/imports", importBody(c.file, `"publish":"true"`, `"account_id":"{Checking}"`, `"number_format":"1,234.56"`)), 201)
		if made.Status != c.status || made.Error == nil || !strings.Contains(*made.Error, c.says) || made.Stats.Rows != c.rows || made.Stats.Valid != c.valid {
			said := ""
			if made.Error != nil {
				said = *made.Error
			}
			t.Errorf("%s: got %s %+v: %q", name, made.Status, made.Stats, said)
		}
		h.refuses(t, unprocessable("file"), "POST", "/imports/"+made.ID+"/publish", "")
		waits := importOf(t, h.call(t, "POST", "/imports", importBody(c.file, `"publish":"true"`, `"wait_for_answers":"true"`, `"account_id":"{Checking}"`, `"number_format":"1,234.56"`)), 201)
		if want := c.waiting; waits.Status != map[bool]string{true: "pending", false: "failed"}[want] || waits.Error == nil {
			t.Errorf("%s: who waits gets %s", name, waits.Status)
		}
	}
	for setting, label := range map[string]string{"date_col_label": "Wann", "amount_col_label": "Wieviel", "name_col_label": "Was", "category_col_label": "Wozu", "tags_col_label": "x",
		"notes_col_label": "y", "currency_col_label": "z", "entity_type_col_label": "in"} {
		made := importOf(t, h.call(t, "POST", "/imports", importBody(header+"2026-01-31,+1,a\n", `"publish":true`, `"account_id":"{Checking}"`, fmt.Sprintf("%q:%q", setting, label))), 201)
		if made.Status != "failed" || made.Error == nil || !strings.Contains(*made.Error, setting) || !strings.Contains(*made.Error, fmt.Sprintf("%q", label)) {
			t.Errorf("%s: got %s", setting, *made.Error)
		}
	}
	if got := h.list(t, ""); got.Pagination.TotalCount != 0 {
		t.Errorf("got %+v", got)
	}
}

// TestBadImportRequests: what is wrong with a request in itself leaves nothing behind, not even an import.
//
// Decision, Errors: 422 content_too_large names the limit.
// Contract, POST /api/v1/imports: the body itself is required; another type is refused; a file that is too large: 422.
// Contract, Errors: an import that is too large: 422.
// Contract, Limits: an import has a greatest size.
func TestBadImportRequests(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const file = "date,amount,name\n2026-01-31,+1,a\n"
	for field, bad := range map[string][]string{
		"type":                     {`"Nonsense"`, `"transactionimport"`, "7", "[]", "{}", "true", `"TransactionImport\u0000"`},
		"account_id":               append(badIDs(), strangeIDs("Checking")...),
		"publish":                  {`"perhaps"`, "2", "[]", "{}"},
		"skip_invalid_rows":        {`"perhaps"`, "2", "[]", "{}"},
		"wait_for_answers":         {`"perhaps"`, "2", "[]", "{}"},
		"possible_duplicates":      {`"perhaps"`, "2", "[]", "{}"},
		"pending_rows":             {`"perhaps"`, "[]", "{}"},
		"raw_file_content":         {"7", "true", "[]", "{}"},
		"number_format":            {`"1,234,56"`, `"x"`, "[]", "{}"},
		"signage_convention":       {`"inflow"`, "[]", "{}"},
		"col_sep":                  {`"x"`, `";;"`, "[]", "{}"},
		"date_format":              {`"DD.MM.YYYY"`, `"%Q"`, `"%d"`, "[]"},
		"amount_type_strategy":     {`"x"`, "[]"},
		"amount_type_inflow_value": {"[]", "{}"},
		"date_col_label":           {"[]", "{}"}, "amount_col_label": {"[]", "{}"}, "name_col_label": {"[]"}, "category_col_label": {"[]"}, "tags_col_label": {"[]"},
		"notes_col_label": {"[]"}, "account_col_label": {"[]"}, "qty_col_label": {"[]"}, "ticker_col_label": {"[]"}, "price_col_label": {"[]"},
		"entity_type_col_label": {"[]"}, "currency_col_label": {"[]"}, "exchange_operating_mic_col_label": {"[]"},
	} {
		for _, text := range bad {
			if field == "raw_file_content" {
				h.refuses(t, unprocessable(field), "POST", "/imports", `{"raw_file_content":`+text+`}`)
				continue
			}
			h.refuses(t, unprocessable(field), "POST", "/imports", importBody(file, `"`+field+`":`+text))
		}
	}
	malformed, tooLarge := refusal{400, "bad_request", ""}, refusal{422, "content_too_large", ""}
	long := strings.Repeat("x", houseImportMax+1)
	h.refuses(t, malformed, "POST", "/imports", "")
	h.refuses(t, malformed, "POST", "/imports", "", "Content-Type: application/json")
	h.refuses(t, malformed, "POST", "/imports", "[]")
	h.refuses(t, malformed, "POST", "/imports", importBody(file)[:30])
	h.refuses(t, malformed, "POST", "/imports", `{"raw_file_content":"a","raw_file_content":"b"}`)
	h.refuses(t, tooLarge, "POST", "/imports", importBody(long))
	form, contentType := importForm(t, [2]string{"account_id", "x"}, [2]string{"file", long})
	h.refuses(t, tooLarge, "POST", "/imports", form, contentType)
	good, contentType := importForm(t, [2]string{"file", file}, [2]string{"publish", "true"})
	h.refuses(t, malformed, "POST", "/imports", good[:len(good)-10], contentType)
	h.refuses(t, malformed, "POST", "/imports", good[:100], contentType)
	h.refuses(t, malformed, "POST", "/imports", "nonsense", contentType)
	h.refuses(t, malformed, "POST", "/imports", "", contentType)
	twice, contentType := importForm(t, [2]string{"file", file}, [2]string{"file", file})
	h.refuses(t, malformed, "POST", "/imports", twice, contentType)
	twice, contentType = importForm(t, [2]string{"publish", "true"}, [2]string{"file", file}, [2]string{"publish", "true"})
	h.refuses(t, malformed, "POST", "/imports", twice, contentType)
	invalid, contentType := importForm(t, [2]string{"date_format", "\xff"}, [2]string{"file", file})
	h.refuses(t, malformed, "POST", "/imports", invalid, contentType)
	nameless, contentType := importForm(t, [2]string{"", "x"}, [2]string{"file", file})
	h.refuses(t, malformed, "POST", "/imports", nameless, contentType)
	wordy, contentType := importForm(t, [2]string{"date_format", strings.Repeat("x", wire.MaxImportField+1)}, [2]string{"file", file})
	h.refuses(t, malformed, "POST", "/imports", wordy, contentType)
	named := func(fileName string) string {
		return "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + fileName + "\"\r\n\r\n" + file + "\r\n--XX--\r\n"
	}
	for _, fileName := range []string{strings.Repeat("x", 256), "a\tb", "a\xffb"} {
		h.refuses(t, unprocessable("filename"), "POST", "/imports", named(fileName), "Content-Type: multipart/form-data; boundary=XX")
	}
	for _, body := range []string{importBody(strings.Repeat("x", importMargin+houseImportMax)), `{"type":"` + strings.Repeat("x", importMargin+houseImportMax) + `"}`} {
		h.refuses(t, tooLarge, "POST", "/imports", body)
	}
	h.as(t, h.readKey, "POST", "/imports", importBody(file)).Is(t, 403, "")
	h.as(t, "", "POST", "/imports", importBody(file)).Is(t, 401, "")
}

// TestUploadCutOff: a client that leaves in the middle of its file leaves nothing behind.
func TestUploadCutOff(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	before := h.print(t)
	conn, err := net.Dial("tcp", strings.TrimPrefix(h.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(conn, "POST /api/v1/imports HTTP/1.1\r\nHost: x\r\nX-Api-Key: %s\r\nContent-Type: multipart/form-data; boundary=XX\r\nContent-Length: 5000\r\n\r\n"+
		"--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\ndate,amount,name\n2026-01-31,+1,a\n", h.key)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); !strings.Contains(h.print(t), "'receiving'"); {
		if time.Now().After(deadline) {
			t.Fatal("the upload does not begin")
		}
	}
	if got := h.importList(t, ""); got.Meta.Count != 0 || len(got.Data) != 0 {
		t.Errorf("an unfinished upload is listed: %+v", got)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); h.print(t) != before; {
		if time.Now().After(deadline) {
			t.Fatal("the upload is still there")
		}
	}
}

// TestUploadThatCannotBeStored: a fault of ours is not called one of the body's.
func TestUploadThatCannotBeStored(t *testing.T) {
	t.Parallel()
	body, contentType := importForm(t, [2]string{"file", "date,amount\n"})
	hr := httptest.NewRequest("POST", "/", strings.NewReader(body))
	hr.Header.Set("Content-Type", strings.TrimPrefix(contentType, "Content-Type: "))
	reader, writer := io.Pipe()
	_ = reader.CloseWithError(io.ErrShortWrite)
	if _, err := receiveImport(&wire.Request{Request: hr}, writer); !errors.Is(err, io.ErrShortWrite) || ledger.AsError(err) != nil {
		t.Errorf("got %v", err)
	}
}
