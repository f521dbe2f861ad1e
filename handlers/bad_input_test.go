package handlers

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// refusal is what a refused request must answer: a status and code, and the field that is to blame ("" when it is
// the body as a whole).
type refusal struct {
	status int
	code   string
	field  string
}

func unprocessable(field string) refusal { return refusal{422, "validation_failed", field} }

// refuses sends a request that must be refused, name the field, and leave everything as it is.
func (h *fixture) refuses(t *testing.T, want refusal, method, path, body string, headers ...string) {
	t.Helper()
	before := h.print(t)
	p := h.call(t, method, path, body, headers...)
	shown := fmt.Sprintf("%s %s %.200q", method, path, body)
	if p.StatusCode != want.status || p.Code() != want.code {
		t.Errorf("%s: got %d %s\nwant %d %s", shown, p.StatusCode, p.Text, want.status, want.code)
		return
	}
	var e struct {
		Message string
		Details []string
		Errors  []string
	}
	if err := json.Unmarshal([]byte(p.Text), &e); err != nil || e.Message == "" {
		t.Errorf("%s: %v, no message in %s", shown, err, p.Text)
	}
	if want.field != "" && !slices.ContainsFunc(e.Details, func(s string) bool { return strings.HasPrefix(s, want.field+" ") }) {
		t.Errorf("%s: details do not name %s: %s", shown, want.field, p.Text)
	}
	if want.field != "" && len(e.Details) != 1 {
		t.Errorf("%s: one thing is wrong, but details have %d: %s", shown, len(e.Details), p.Text)
	}
	if !slices.Equal(e.Details, e.Errors) {
		t.Errorf("%s: errors and details differ: %s", shown, p.Text)
	}
	if h.print(t) != before {
		t.Errorf("%s: refused, but something changed", shown)
	}
}

// members is a body's object as members in JSON, by name.
type members map[string]string

// with gives the members with one changed; an empty text takes it away.
func (m members) with(name, text string) string {
	all := []string{}
	for other, value := range m {
		if other != name {
			all = append(all, strconv.Quote(other)+":"+value)
		}
	}
	if text != "" {
		all = append(all, strconv.Quote(name)+":"+text)
	}
	slices.Sort(all)
	return strings.Join(all, ",")
}

// quoted is a JSON text, not escaped.
func quoted(text string) string { return `"` + text + `"` }

// badLines are texts, and things that are none, that a name may not be.
func badLines() []string {
	return []string{quoted(strings.Repeat("ä", 256)), `"a\u0000b"`, `"a\nb"`, `"a\u007fb"`, `"a\u0085b"`, "7", "true", "[]", "{}", `["a"]`}
}

// badEntryNames are those of trades and split lines: a longer name than others may have is kept in the notes.
func badEntryNames() []string {
	return append(badLines()[1:], quoted(strings.Repeat("ä", 10_001)))
}

// badNames are those of transactions, in which a line break becomes a space.
func badNames() []string {
	return slices.DeleteFunc(badEntryNames(), func(s string) bool { return s == `"a\nb"` })
}

func badDates() []string {
	return []string{`"2026-02-30"`, `"2025-02-29"`, `"0001-01-01"`, `"9999-12-31"`, `"0000-00-00"`, `"2026-1-31"`, `"31.01.2026"`, `"2026-01-31T00:00:00"`,
		`"2026-13-01"`, `"tomorrow"`, `"20260131"`, `"-2026-01-31"`, "20260131", "true", "[]", "{}", `["2026-01-31"]`}
}

func badNumbers() []string {
	return []string{`"abc"`, "1e400", `"1e400"`, "1e-400", `"NaN"`, `"Infinity"`, `"-inf"`, `"0x10"`, `"1,5"`, `"1.234,56"`, `"1 000"`, `"1_000"`, `"12.5 EUR"`, `"١٢"`,
		"true", "[]", "{}", "[1]", "99999999999999999999999999999999999999999999999999"}
}

func badIDs() []string {
	return []string{`"x"`, `"00000000000040008000000000000000"`, `"{00000000-0000-4000-8000-000000000000}"`, `"urn:uuid:00000000-0000-4000-8000-000000000000"`,
		`"00000000-0000-4000-8000-00000000000g"`, `"00000000-0000-4000-8000-000000000000 x"`, "7", "true", "{}", `["00000000-0000-4000-8000-000000000000"]`}
}

// strangeIDs are well formed, but not the household's own.
func strangeIDs(their string) []string {
	return []string{`"00000000-0000-4000-8000-000000000000"`, `"00000000-0000-0000-0000-000000000000"`, `"{their ` + their + `}"`}
}

// TestBadTransactionFields: every field, every way to get it wrong, on creation and on change.
//
// Decision, Transport: more decimals than the currency has are refused; dates are YYYY-MM-DD, strictly, and real days.
// Decision, Errors: what a body refers to must be the household's: 422 and the field; a failed write leaves nothing
// behind.
// Contract, POST /api/v1/transactions: account_id, date, amount, name are what it needs; amount is a number; failures
// are error bodies.
// Contract, PATCH /api/v1/transactions/{id}: the fields of creation but account_id; failures are error bodies.
func TestBadTransactionFields(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.add(t, "Old", `"account_id":"{Checking}","date":"2026-01-31","amount":5,"external_id":"old","tag_ids":["{fun}"]`)
	good := members{"account_id": `"{Checking}"`, "date": `"2026-01-31"`, "amount": "12.5", "name": `"Bread"`}
	money := []string{"12.345", `"0.001"`, "9223372036854775808", "92233720368547758.08", "-92233720368547758.09", "90000000000000.01", "9e15", "1e-3", "-1e14"}
	lists := []string{`"x"`, "7", "true", "{}", `[7]`, `["x"]`, `[[]]`, `[{}]`, `[true]`, `["{fun}","x"]`}
	for _, c := range []struct {
		field    string
		bad      []string // wrong always
		required bool     // wrong as well when absent, null or blank on creation
		onlyNew  bool     // ignored on change
	}{
		{"account_id", badIDs(), true, true},
		{"date", badDates(), true, false},
		{"amount", append(badNumbers(), money...), true, false},
		{"name", append(badNames(), `""`, `"  "`), true, false},
		{"notes", []string{quoted(strings.Repeat("ä", 10_001)), `"a\u0000b"`, `"a\u001bb"`, `"a\u0085b"`, "7", "true", "[]", "{}"}, false, false},
		{"currency", []string{`"XXQ"`, `"EURO"`, `"€"`, `"EU"`, "7", "true", "[]", "{}", quoted(strings.Repeat("E", 300)), `"E\u0000R"`}, false, false},
		{"nature", []string{`"sideways"`, `"credit"`, "7", "true", "[]", "{}", `"in\u0000come"`, quoted(strings.Repeat("a", 9999))}, false, false},
		{"category_id", append(badIDs(), strangeIDs("Food")...), false, false},
		{"merchant_id", append(badIDs(), strangeIDs("Kiosk")...), false, false},
		{"tag_ids", append(lists, `["00000000-0000-4000-8000-000000000000"]`, `["{fun}","{their fun}"]`), false, false},
		{"external_id", append(slices.DeleteFunc(badLines(), func(s string) bool { return s == "7" }), `""`, `"  "`), false, true},
	} {
		bad := c.bad
		if c.required {
			bad = append(bad, "", "null", `""`, `" "`)
		}
		for _, text := range bad {
			h.refuses(t, unprocessable(c.field), "POST", "/transactions", `{"transaction":{`+good.with(c.field, text)+`}}`)
		}
		for _, text := range c.bad {
			if c.onlyNew {
				continue
			}
			h.refuses(t, unprocessable(c.field), "PATCH", "/transactions/{Old}", `{"transaction":{`+members{}.with(c.field, text)+`}}`)
		}
	}
	for _, text := range badLines() {
		h.refuses(t, unprocessable("source"), "POST", "/transactions", `{"transaction":{`+good.with("source", text)+`,"external_id":"e"}}`)
	}
	h.refuses(t, unprocessable("source"), "POST", "/transactions", `{"transaction":{`+good.with("source", `"bank"`)+`}}`)
	for _, text := range badNames() {
		alone := members{"account_id": good["account_id"], "date": good["date"], "amount": "1"}
		h.refuses(t, unprocessable("description"), "POST", "/transactions", `{"transaction":{`+alone.with("description", text)+`}}`)
	}
	h.add(t, "Cents", `"account_id":"{Checking}","date":"2026-01-31","amount":5.01`)
	for currency, amount := range map[string]string{"JPY": "12.5", "KWD": "1.2345", "BTC": `"0.123456789"`} {
		h.refuses(t, unprocessable("amount"), "POST", "/transactions", `{"transaction":{`+good.with("amount", amount)+`,"currency":"`+currency+`"}}`)
	}
	h.refuses(t, unprocessable("amount"), "PATCH", "/transactions/{Cents}", `{"transaction":{"currency":"JPY"}}`)
}

// TestEveryProblemAtOnce: a body with many faults is told all of them, with or without a good account.
//
// Decision, Errors: 422 validation_failed lists every failing field.
func TestEveryProblemAtOnce(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const faults = `"date":"2026-02-30","amount":"x","name":"","notes":7,"currency":"XXQ","nature":"up","category_id":"{their Food}","merchant_id":"x",
		"tag_ids":["{their fun}"],"external_id":"","source":7`
	fields := []string{"date", "amount", "name", "notes", "currency", "nature", "category_id", "merchant_id", "tag_ids", "external_id", "source"}
	for account, want := range map[string][]string{`"account_id":"{Checking}",`: fields, "": append([]string{"account_id"}, fields...), `"account_id":7,`: append([]string{"account_id"}, fields...)} {
		p := h.call(t, "POST", "/transactions", `{"transaction":{`+account+faults+`}}`)
		var e struct{ Details []string }
		if err := json.Unmarshal([]byte(p.Text), &e); err != nil || p.StatusCode != 422 || len(e.Details) != len(want) {
			t.Errorf("%s: got %d %s", account, p.StatusCode, p.Text)
		}
		for _, field := range want {
			if !slices.ContainsFunc(e.Details, func(s string) bool { return strings.HasPrefix(s, field+" ") }) {
				t.Errorf("%s: %s is not named in %s", account, field, p.Text)
			}
		}
	}
	empty := h.call(t, "POST", "/transactions", `{"transaction":{}}`)
	empty.Is(t, 422, `{"error":"validation_failed","message":"account_id is required; name is required and must not be blank; date is required, such as 2026-01-31; amount is required, such as 12.50",`+
		`"details":["account_id is required","name is required and must not be blank","date is required, such as 2026-01-31","amount is required, such as 12.50"],`+
		`"errors":["account_id is required","name is required and must not be blank","date is required, such as 2026-01-31","amount is required, such as 12.50"]}`)
}

// TestBadBatch: a batch is refused whole, and every fault in it is named by its place.
//
// Decision, Transactions: a batch is all or nothing.
func TestBadBatch(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const good = `{"account_id":"{Checking}","date":"2026-01-31","amount":5,"name":"x"}`
	many := strings.TrimSuffix(strings.Repeat(`{},`, 10_001), ",")
	for body, want := range map[string]refusal{
		`{"transactions":[` + good + `,` + strings.Replace(good, "31", "32", 1) + `]}`:                       unprocessable("transactions[1].date"),
		`{"transactions":[` + good + `,` + strings.Replace(good, "{Checking}", "{their Checking}", 1) + `]}`: unprocessable("transactions[1].account_id"),
		`{"transactions":[` + good + `,7]}`: unprocessable("transactions[1]"),
		`{"transactions":"x"}`:              unprocessable("transactions"),
		`{"transactions":[` + many + `]}`:   unprocessable("transactions"),
		`{"transactions":[]}`:               {400, "bad_request", ""},
		`{}`:                                {400, "bad_request", ""},
		``:                                  {400, "bad_request", ""},
		`[` + good + `]`:                    {400, "bad_request", ""},
	} {
		h.refuses(t, want, "POST", "/transactions/bulk", body)
	}
}

// TestStrangeButGood: what looks odd and is right all the same.
//
// Decision, Transport: numbers come as numbers or as texts.
// Contract, POST /api/v1/transactions: description stands in for a missing name.
func TestStrangeButGood(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	good := members{"account_id": `"{Checking}"`, "date": `"2026-01-31"`, "amount": "12.5", "name": `"Bread"`}
	for _, c := range []struct{ field, text, want string }{
		{"amount", "1.25e1", `"signed_amount_cents":-1250`},
		{"amount", `"-1.25E+1"`, `"signed_amount_cents":1250`},
		{"amount", `" 12.50 "`, `"signed_amount_cents":-1250`},
		{"amount", "12.5000000000", `"signed_amount_cents":-1250`},
		{"amount", "-0", `"signed_amount_cents":0`},
		{"amount", "90000000000000.00", `"signed_amount_cents":-9000000000000000`},
		{"date", `"1900-01-01"`, `"date":"1900-01-01"`},
		{"date", `"2199-12-31"`, `"date":"2199-12-31"`},
		{"date", `"2024-02-29"`, `"date":"2024-02-29"`},
		{"name", quoted(strings.Repeat("ä", 255)), quoted(strings.Repeat("ä", 255))},
		{"name", `"  Bread  "`, `"name":"Bread"`},
		{"date", `"2026-01-31T23:30:00-05:00"`, `"date":"2026-01-31"`},
		{"date", `"2026-02-01T00:00:00.000Z"`, `"date":"2026-02-01"`},
		{"amount", "300.29999999999995", `"signed_amount_cents":-30030`},
		{"amount", "-0.30000000000000004", `"signed_amount_cents":30`},
		{"amount", "12.4999990001", `"signed_amount_cents":-1250`},
		{"name", `"\ud83d\ude00"`, `"name":"😀"`},
		{"name", `" SEPA\r\nRef\t7\nRent "`, `"name":"SEPA Ref 7 Rent"`},
		{"notes", quoted(strings.Repeat("ä", 10_000)), quoted(strings.Repeat("ä", 10_000))},
		{"notes", `" a\r\n\tb | [c] <d> "`, `"notes":" a\r\n\tb | [c] <d> "`},
		{"notes", `""`, `"notes":""`},
		{"notes", "null", `"notes":null`},
		{"currency", `"jpy"`, ""},
		{"currency", "null", `"currency":"EUR"`},
		{"account_id", quoted(strings.ToUpper(h.ids["Checking"])), `"id":"` + h.ids["Checking"] + `"`},
		{"category_id", quoted(strings.ToUpper(h.ids["Food"])), `"id":"` + h.ids["Food"] + `"`},
		{"category_id", "null", `"category":null`},
		{"category_id", `""`, `"category":null`},
		{"merchant_id", quoted(strings.ToUpper(h.ids["Kiosk"])), `"id":"` + h.ids["Kiosk"] + `"`},
		{"merchant_id", "null", `"merchant":null`},
		{"tag_ids", `["` + strings.ToUpper(h.ids["fun"]) + `","{fun}"]`, `"tags":[{"id":"` + h.ids["fun"] + `"`},
		{"tag_ids", "null", `"tags":[]`},
		{"tag_ids", `[]`, `"tags":[]`},
		{"tag_ids", `["",null]`, `"tags":[]`},
		{"nature", `""`, `"signed_amount_cents":-1250`},
		{"nature", "null", `"signed_amount_cents":-1250`},
		{"nature", `"InFlow"`, `"signed_amount_cents":1250`},
		{"external_id", "null", `"external_id":null`},
		{"stranger", `{"a":[1,{"b":null}]}`, ""},
	} {
		body := `{"transaction":{` + good.with(c.field, c.text) + `}}`
		if c.want == "" {
			body = strings.Replace(body, "12.5", "12", 1)
		}
		if p := h.call(t, "POST", "/transactions", body); p.StatusCode != 201 || !strings.Contains(p.Text, c.want) {
			t.Errorf("%.200s: got %d %.500s", body, p.StatusCode, p.Text)
		}
	}
	h.add(t, "Old", `"account_id":"{Checking}","date":"2026-01-31","amount":5`)
	upper := strings.ToUpper(h.ids["Old"])
	h.call(t, "GET", "/transactions/"+upper, "").Is(t, 200, "")
	h.call(t, "PATCH", "/transactions/"+upper, `{"transaction":{"name":"Old"}}`).Is(t, 200, "")
	for _, ignored := range []string{`"account_id":"x"`, `"account_id":"{their Checking}"`, `"account_id":[]`, `"external_id":""`, `"external_id":{}`, `"source":7`, `"kind":"x"`, `"date":null`,
		`"amount":null`, `"name":null`, `"currency":null`, `"nature":null`} {
		before := h.print(t)
		if h.call(t, "PATCH", "/transactions/{Old}", `{"transaction":{`+ignored+`}}`).Is(t, 200, ""); h.print(t) != before {
			t.Errorf("a change by %s changed something", ignored)
		}
	}
}

// TestBadQueries: every parameter of the list, every way to get it wrong.
//
// Decision, Transport: a malformed id in a filter or body is 422 and names the field.
// Contract, GET /api/v1/transactions: what a filter cannot be is refused.
func TestBadQueries(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	ids := []string{"x", "7", "00000000000040008000000000000000", "{Checking}x", "{Checking}\x00"}
	dates := []string{"2026-02-30", "2025-02-29", "0001-01-01", "9999-12-31", "31.01.2026", "2026-1-1", "x", "2026-01-31T00:00:00", "2026-01-31\x00"}
	numbers := []string{"x", "1e400", "NaN", "inf", "-Infinity", "0x1", "1,5", "1e-400", strings.Repeat("9", 100), "1 2", "1\x00"}
	for name, bad := range map[string][]string{
		"account_id": append(ids, "{Checking},{Savings}"), "category_id": ids, "merchant_id": ids,
		"account_ids": ids, "category_ids": append(ids, "{Food},x"), "merchant_ids": ids, "tag_ids": ids,
		"start_date": dates, "end_date": dates, "min_amount": numbers, "max_amount": numbers,
		"type": {"transfer", "in", "income,expense", "income\x00"}, "search": {strings.Repeat("ä", 256), "a\x00", "\x00", "a\nb", "\u0085a\u0085b"},
	} {
		for _, text := range bad {
			h.refuses(t, unprocessable(name), "GET", "/transactions?"+name+"="+url.QueryEscape(h.fill(text)), "")
		}
		if strings.HasSuffix(name, "_ids") {
			h.refuses(t, unprocessable(name), "GET", "/transactions?"+name+"[]=x", "")
			h.refuses(t, unprocessable(name), "GET", "/transactions?"+name+"[]={Food}&"+name+"[]=x", "")
			continue
		}
		twice := url.QueryEscape(bad[0])
		h.refuses(t, unprocessable(name), "GET", "/transactions?"+name+"="+twice+"&"+name+"="+twice, "")
	}
	for _, query := range []string{"search=%ff", "search=%zz", "%ff=1", "search=%c0%80", "search=%ed%a0%80"} {
		h.refuses(t, refusal{400, "bad_request", ""}, "GET", "/transactions?"+query, "")
	}
	all := h.call(t, "GET", "/transactions?account_id=x&category_ids=x&start_date=x&min_amount=x&type=x", "")
	if n := strings.Count(all.Text, " must be "); all.StatusCode != 422 || n != 15 {
		t.Errorf("five parameters are wrong, each told thrice: got %d, %d %s", n, all.StatusCode, all.Text)
	}
	h.add(t, "Old", `"account_id":"{Checking}","date":"2026-01-31","amount":5,"category_id":"{Food}","merchant_id":"{Kiosk}","tag_ids":["{fun}"]`)
	for name, id := range map[string]string{"account_id": "Checking", "account_ids[]": "Checking", "category_id": "Food", "category_ids": "Food", "merchant_id": "Kiosk", "merchant_ids": "Kiosk", "tag_ids": "fun"} {
		for query, want := range map[string]string{name + "=" + strings.ToUpper(h.ids[id]): "Old", name + "={their " + id + "}": "", name + "=00000000-0000-4000-8000-000000000000": ""} {
			if got := h.list(t, query).names(); got != want {
				t.Errorf("%s: got %q", query, got)
			}
		}
	}
	for _, query := range []string{"min_amount=99999999999999999999&type=income", "min_amount=99999999999999999999", "max_amount=-99999999999999999999", "min_amount=1e30",
		"start_date=2199-12-31", "end_date=1900-01-01"} {
		if got := h.list(t, query); len(got.Transactions) != 0 || got.Pagination.TotalCount != 0 {
			t.Errorf("%s: got %+v", query, got)
		}
	}
	for _, query := range []string{"max_amount=99999999999999999999", "min_amount=-1e30", "start_date=1900-01-01&end_date=2199-12-31", "min_amount=&type=&search=&start_date=&account_id=&tag_ids="} {
		if got := h.list(t, query); got.names() != "Old" {
			t.Errorf("%s: got %+v", query, got)
		}
	}
}

// TestBadBodies: what is wrong with a body as a whole, on every route that takes one.
//
// Decision, Errors: 400 bad_request: malformed JSON, no wrapper, no body.
func TestBadBodies(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.add(t, "Old", `"account_id":"{Checking}","date":"2026-01-31","amount":5`)
	const object = `{"account_id":"{Checking}","date":"2026-01-31","amount":5,"name":"x"}`
	const good = `{"transaction":` + object + `}`
	malformed := refusal{400, "bad_request", ""}
	type sent struct {
		body    string
		want    refusal
		headers []string
	}
	bodies := []sent{
		{good[:len(good)-1], malformed, nil}, {good[:20], malformed, nil}, {`{"transaction":{"name":"x`, malformed, nil}, {good + good, malformed, nil}, {good + "x", malformed, nil},
		{strings.Repeat("[", 100), malformed, nil}, {`{"transaction":{"a":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}}`, malformed, nil},
		{`{"transaction":{"name":"x","name":"y"}}`, malformed, nil}, {`{"transaction":{},"transaction":{}}`, malformed, nil}, {`{"transaction":{"a":{"b":1,"b":2}}}`, malformed, nil},
		{strings.Replace(good, `"x"`, "\"\xff\"", 1), malformed, nil}, {strings.Replace(good, `"x"`, "\"\xed\xa0\x80\"", 1), malformed, nil}, {strings.Replace(good, `"x"`, `"\ud800"`, 1), malformed, nil},
		{strings.Replace(good, `"x"`, "\"a\x00b\"", 1), malformed, nil}, {strings.Replace(good, `"x"`, "\"a\nb\"", 1), malformed, nil},
		{strings.Replace(good, ":5,", ":NaN,", 1), malformed, nil}, {strings.Replace(good, ":5,", ":Infinity,", 1), malformed, nil}, {strings.Replace(good, ":5,", ":05,", 1), malformed, nil},
		{strings.Replace(good, ":5,", ":.5,", 1), malformed, nil}, {strings.Replace(good, ":5,", ":0x5,", 1), malformed, nil}, {strings.Replace(good, ":5,", ":+5,", 1), malformed, nil},
		{"transaction", refusal{415, "unsupported_media_type", ""}, []string{"Content-Type: text/plain"}},
		{good, refusal{415, "unsupported_media_type", ""}, []string{"Content-Encoding: gzip"}},
		{`null`, malformed, []string{"Content-Type: application/json"}}, {`7`, malformed, []string{"Content-Type: application/json"}}, {"\xef\xbb\xbf" + good, malformed, []string{"Content-Type: application/json"}},
		{"transaction[name]=a&transaction[name]=b", malformed, []string{"Content-Type: application/x-www-form-urlencoded"}},
		{"transaction[name]=%ff", malformed, []string{"Content-Type: application/x-www-form-urlencoded"}}, {"transaction[name]=%zz", malformed, []string{"Content-Type: application/x-www-form-urlencoded"}},
		{"transaction[name]=a&transaction=b", malformed, []string{"Content-Type: application/x-www-form-urlencoded"}},
		{"--XX\r\nContent-Disposition: form-data; name=\"transaction[name]\"\r\n\r\na\r\n--XX\r\nContent-Disp", malformed, []string{"Content-Type: multipart/form-data; boundary=XX"}},
		{strings.Replace(good, `"x"`, quoted(strings.Repeat("x", houseBodyMax)), 1), refusal{422, "content_too_large", ""}, nil},
	}
	for _, c := range bodies {
		h.refuses(t, c.want, "POST", "/transactions", c.body, c.headers...)
		h.refuses(t, c.want, "PATCH", "/transactions/{Old}", c.body, c.headers...)
	}
	for _, c := range bodies {
		if len(c.body) > houseBodyMax { // many may be longer than one
			c.body = strings.Replace(good, `"x"`, quoted(strings.Repeat("x", bulkBodyMax)), 1)
		}
		bulk := strings.Replace(strings.Replace(c.body, `"transaction":{`, `"transactions":[{`, 1), "}}", "}]}", 1)
		h.refuses(t, c.want, "POST", "/transactions/bulk", bulk, c.headers...)
	}
}

// TestFingerprintSeesWrites: else "nothing was changed" would always be true.
func TestFingerprintSeesWrites(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	before := h.print(t)
	if again := h.print(t); again != before {
		t.Error("it differs although nothing was written")
	}
	if p := h.call(t, "POST", "/tags", `{"tag":{"name":"Seen"}}`); p.StatusCode != 201 {
		t.Fatal(p.StatusCode, p.Text)
	}
	if after := h.print(t); after == before {
		t.Error("it does not see a new tag")
	}
}
