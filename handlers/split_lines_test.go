package handlers

import (
	"strings"
	"testing"
	"time"
)

// bill is a split transaction: 100.00 are 60.00 and 50.00, less 10.00 that came back.
const bill = `"account_id":"{Checking}","date":"2026-01-31","amount":100,"merchant_id":"{Bäcker}","split_lines":[
	{"amount":60,"name":"Bread \"dark\"","notes":"rye","category_id":"{Food}","merchant_id":"{Kiosk}","tag_ids":["{fun}","{Alltag}"],"currency":"eur"},
	{"amount":"50.00","name":null},{"amount":-10,"category_id":"{Salary}"}]`

// TestSplitTransactionBodies holds whole bodies against files worked out by hand.
func TestSplitTransactionBodies(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	created := h.call(t, "POST", "/transactions", `{"transaction":{"name":"Bill",`+bill+`}}`)
	h.golden(t, "transaction_split", created)
	h.ids["Bill"] = idOf(t, created)
	h.clock.move(time.Hour)
	h.golden(t, "transaction_split_update", h.call(t, "PATCH", "/transactions/{Bill}", `{"transaction":{"date":"2026-02-01","amount":1.5,"nature":"income",
		"split_lines":[{"amount":1},{"amount":0.5,"notes":"half"}]}}`))
	for _, none := range []string{"null", "[]", `""`} {
		h.call(t, "PATCH", "/transactions/{Bill}", `{"transaction":{"split_lines":[{"amount":1},{"amount":0.5}]}}`).is(t, 200, "")
		if p := h.call(t, "PATCH", "/transactions/{Bill}", `{"transaction":{"category_id":"{Food}","split_lines":`+none+`}}`); !strings.Contains(p.body, `"split_lines":[],`) ||
			!strings.Contains(p.body, `"category":{"id":"`+h.ids["Food"]) {
			t.Errorf("%s: got %s", none, p.body)
		}
	}
	h.call(t, "POST", "/transactions/bulk", `{"transactions":[{"name":"a",`+bill+`},{"name":"b",`+bill+`}]}`).is(t, 201, "")
	h.call(t, "DELETE", "/transactions/{Bill}", "").is(t, 200, "")
}

// TestSplitFilters: a transaction with a line that matches is in the list once.
func TestSplitFilters(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.add(t, "split", bill)
	h.add(t, "twice", `"account_id":"{Checking}","date":"2026-01-30","amount":2,"split_lines":[{"amount":1,"category_id":"{Food}"},{"amount":1,"category_id":"{Food}"}]`)
	h.add(t, "plain", `"account_id":"{Checking}","date":"2026-01-29","amount":2,"category_id":"{Food}","merchant_id":"{Kiosk}","tag_ids":["{fun}"]`)
	h.add(t, "bare", `"account_id":"{Checking}","date":"2026-01-28","amount":-2`)
	for query, want := range map[string]string{
		"":                                        "split twice plain bare",
		"category_id={Food}":                      "split twice plain",
		"category_ids={Food},{Salary}":            "split twice plain",
		"category_id={Salary}":                    "split",
		"merchant_id={Kiosk}":                     "split plain",
		"merchant_id={Bäcker}":                    "split",
		"tag_ids={fun}":                           "split plain",
		"tag_ids={fun},{Alltag}":                  "split plain",
		"tag_ids={Alltag}&merchant_id={Bäcker}":   "split",
		"category_id={Food}&type=income":          "",
		"category_id={Food}&max_amount=50":        "twice plain",
		"category_id={Food}&end_date=2026-01-30":  "twice plain",
		"category_id={Food}&account_id={Savings}": "",
		"search=dark":                             "split",
		"search=ye":                               "split",
		"search=rye&category_id={Food}":           "split",
		"search=ye&category_id={Food}":            "split",
		"search=kiosk":                            "split plain",
	} {
		if got := h.list(t, query); got.names() != want || got.Pagination.TotalCount != len(strings.Fields(want)) {
			t.Errorf("%s: got %q, %d in all; want %q", query, got.names(), got.Pagination.TotalCount, want)
		}
	}
}

// TestBadSplitLines: every way to get lines wrong, on creation and on change.
func TestBadSplitLines(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.add(t, "Old", `"account_id":"{Checking}","date":"2026-01-31","amount":100`)
	h.add(t, "Split", bill)
	good := members{"account_id": `"{Checking}"`, "date": `"2026-01-31"`, "amount": "100", "name": `"Bill"`}
	line := members{"amount": "40"}
	bad := [][2]string{
		{"split_lines", `"x"`}, {"split_lines", "7"}, {"split_lines", "true"}, {"split_lines", "{}"},
		{"split_lines", `[{"amount":100}]`}, {"split_lines", `[{"amount":60},{"amount":39.99}]`}, {"split_lines", `[{"amount":60},{"amount":-40}]`},
		{"split_lines", "[" + strings.Repeat(`{"amount":0.4},`, 250) + `{"amount":0}]`},
		{"split_lines[1]", `[{"amount":60},40]`}, {"split_lines[0]", `[null,{"amount":40}]`}, {"split_lines[1]", `[{"amount":60},[]]`},
	}
	for field, texts := range map[string][]string{
		"amount":      append(badNumbers(), "null", `""`, "", "40.001", "9e15", "90000000000000.01"),
		"name":        badEntryNames(),
		"notes":       {quoted(strings.Repeat("ä", 10_001)), `"a\u0000b"`, "7", "{}"},
		"currency":    {`"USD"`, `"XXQ"`, `"Euro"`, "7"},
		"category_id": append(badIDs(), strangeIDs("Food")...),
		"merchant_id": append(badIDs(), strangeIDs("Kiosk")...),
		"tag_ids":     {`"x"`, "7", "{}", `["x"]`, `["00000000-0000-4000-8000-000000000000"]`, `["{their fun}"]`},
	} {
		for _, text := range texts {
			bad = append(bad, [2]string{"split_lines[1]." + field, `[{"amount":60},{` + line.with(field, text) + `}]`})
		}
	}
	for _, c := range bad {
		h.refuses(t, unprocessable(c[0]), "POST", "/transactions", `{"transaction":{`+good.with("split_lines", c[1])+`}}`)
		for _, id := range []string{"{Old}", "{Split}"} {
			h.refuses(t, unprocessable(c[0]), "PATCH", "/transactions/"+id, `{"transaction":{`+members{}.with("split_lines", c[1])+`}}`)
		}
	}
	lines := `"split_lines":[{"amount":60},{"amount":40}]`
	h.refuses(t, unprocessable("category_id"), "POST", "/transactions", `{"transaction":{`+good.with("category_id", `"{Food}"`)+`,`+lines+`}}`)
	h.refuses(t, unprocessable("category_id"), "PATCH", "/transactions/{Old}", `{"transaction":{"category_id":"{Food}",`+lines+`}}`)
	for field, text := range map[string]string{"category_id": `"{Food}"`, "amount": "99", "nature": `"income"`, "currency": `"USD"`} {
		h.refuses(t, unprocessable(field), "PATCH", "/transactions/{Split}", `{"transaction":{`+members{}.with(field, text)+`}}`)
	}
	h.refuses(t, unprocessable("transactions[1].split_lines[1].amount"), "POST", "/transactions/bulk",
		`{"transactions":[{`+good.with("name", `"a"`)+`},{`+good.with("split_lines", `[{"amount":60},{}]`)+`}]}`)
	h.refuses(t, refusal{404, "not_found", ""}, "PATCH", "/transactions/{their Food}", `{"transaction":{`+lines+`}}`)
}
