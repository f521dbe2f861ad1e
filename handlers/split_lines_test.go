package handlers

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"finsvc/handlers/apitest"
)

// bill is a split transaction: 100.00 are 60.00 and 50.00, less 10.00 that came back.
const bill = `"account_id":"{Checking}","date":"2026-01-31","amount":100,"merchant_id":"{Bäcker}","split_lines":[
	{"amount":60,"name":"Bread \"dark\"","notes":"rye","category_id":"{Food}","merchant_id":"{Kiosk}","tag_ids":["{fun}","{Alltag}"],"currency":"eur"},
	{"amount":"50.00","name":null},{"amount":-10,"category_id":"{Salary}"}]`

// TestSplitTransactionBodies holds whole bodies against files worked out by hand.
func TestSplitTransactionBodies(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	created := h.call(t, "POST", "/transactions", `{"transaction":{"name":"Bill",`+bill+`}}`)
	h.golden(t, "transaction_split", created)
	h.ids["Bill"] = idOf(t, created)
	h.clock.move(time.Hour)
	h.golden(t, "transaction_split_update", h.call(t, "PATCH", "/transactions/{Bill}", `{"transaction":{"date":"2026-02-01","amount":1.5,"nature":"income",
		"split_lines":[{"amount":1},{"amount":0.5,"notes":"half"}]}}`))
	for _, none := range []string{"null", "[]", `""`} {
		h.call(t, "PATCH", "/transactions/{Bill}", `{"transaction":{"split_lines":[{"amount":1},{"amount":0.5}]}}`).Is(t, 200, "")
		if p := h.call(t, "PATCH", "/transactions/{Bill}", `{"transaction":{"category_id":"{Food}","split_lines":`+none+`}}`); !strings.Contains(p.Text, `"split_lines":[],`) ||
			!strings.Contains(p.Text, `"category":{"id":"`+h.ids["Food"]) {
			t.Errorf("%s: got %s", none, p.Text)
		}
	}
	h.call(t, "POST", "/transactions/bulk", `{"transactions":[{"name":"a",`+bill+`},{"name":"b",`+bill+`}]}`).Is(t, 201, "")
	h.call(t, "DELETE", "/transactions/{Bill}", "").Is(t, 200, "")
}

// TestSplitFilters: a part is in the list if it has itself what is asked for, and its transaction never. Parts are named by
// their amounts; where they have no names they have that of the transaction.
//
// Decision, Transactions: a split transaction is in lists by its parts, which are rows of their own, filtered by what
// they have and labelled by PATCH.
func TestSplitFilters(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.add(t, "split", bill)
	h.add(t, "twice", `"account_id":"{Checking}","date":"2026-01-30","amount":2,"split_lines":[{"amount":1.25,"category_id":"{Food}"},{"amount":0.75,"category_id":"{Food}"}]`)
	h.add(t, "plain", `"account_id":"{Checking}","date":"2026-01-29","amount":2,"category_id":"{Food}","merchant_id":"{Kiosk}","tag_ids":["{fun}"]`)
	h.add(t, "bare", `"account_id":"{Checking}","date":"2026-01-28","amount":-2`)
	for query, want := range map[string]string{
		"":                  "-6000 -5000 1000 -125 -75 -200 200",
		"per_page=3&page=2": "-125 -75 -200",
		"account_id={Checking}&per_page=2&page=2":  "1000 -125",
		"account_id={Savings}":                     "",
		"category_id={Food}":                       "-6000 -125 -75 -200",
		"category_ids={Food},{Salary}":             "-6000 1000 -125 -75 -200",
		"category_id={Salary}":                     "1000",
		"merchant_id={Kiosk}":                      "-6000 -200",
		"merchant_id={Bäcker}":                     "-5000 1000",
		"merchant_ids={Bäcker},{Kiosk}&per_page=2": "-6000 -5000",
		"tag_ids={fun}":                            "-6000 -200",
		"tag_ids={fun},{Alltag}":                   "-6000 -200",
		"tag_ids={Alltag}&merchant_id={Kiosk}":     "-6000",
		"tag_ids={Alltag}&merchant_id={Bäcker}":    "",
		"category_id={Food}&type=income":           "",
		"type=income":                              "1000 200",
		"type=expense&max_amount=50":               "-5000 -125 -75 -200",
		"type=expense&min_amount=1&max_amount=2":   "-125 -200",
		"min_amount=100":                           "",
		"max_amount=-10":                           "1000",
		"category_id={Food}&max_amount=50":         "-125 -75 -200",
		"category_id={Food}&end_date=2026-01-30":   "-125 -75 -200",
		"start_date=2026-01-31":                    "-6000 -5000 1000",
		"category_id={Food}&account_id={Savings}":  "",
		"search=dark":                              "-6000",
		"search=SPLIT":                             "-6000 -5000 1000",
		"search=ye":                                "-6000",
		"search=rye&category_id={Food}":            "-6000",
		"search=ye&category_id={Food}":             "-6000",
		"search=kiosk":                             "-6000 -200",
		"search=bÄcker":                            "-5000 1000",
	} {
		got := h.list(t, query)
		if want := strings.Fields(want); !strings.Contains(query, "page") && got.Pagination.TotalCount != len(want) || got.signed() != strings.Join(want, " ") {
			t.Errorf("%s: got %q, %d in all; want %q", query, got.signed(), got.Pagination.TotalCount, want)
		}
	}
}

// signed are the amounts of a page.
func (p transactionPage) signed() string {
	texts := make([]string, len(p.Transactions))
	for i, one := range p.Transactions {
		texts[i] = strconv.FormatInt(one.Signed, 10)
	}
	return strings.Join(texts, " ")
}

// TestPartsOnTheWire: a part is a transaction in all that programs do with one: it is read by its id, labelled, and sent back
// as a whole row.
func TestPartsOnTheWire(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.add(t, "Bill", bill+`,"notes":"by card","tag_ids":["{Alltag}"],"external_id":"b-1"`)
	page := h.list(t, "")
	for i, name := range []string{"bread", "rest", "refund"} {
		h.ids[name] = page.Transactions[i].ID
	}
	h.golden(t, "transaction_part", h.as(t, h.readKey, "GET", "/transactions/{rest}", ""))
	h.clock.move(time.Hour)
	h.golden(t, "transaction_part_update", h.call(t, "PATCH", "/transactions/{rest}", `{"transaction":{"category_id":"{Food}","merchant_id":null,"tag_ids":["{fun}"],
		"notes":null,"name":"Cheese","id":"{rest}","account_id":"{Savings}","date":"2026-01-31","amount":"50.00","nature":"expense","currency":"EUR","external_id":"b-1","split_lines":[]}}`))
	h.golden(t, "transaction_part_whole", h.as(t, h.readKey, "GET", "/transactions/{Bill}", ""))
	for query, want := range map[string]string{
		"category_id={Food}": "-6000 -5000", "merchant_id={Bäcker}": "1000", "tag_ids={Alltag}": "-6000 1000", "tag_ids={fun}": "-6000 -5000", "search=by%20card": "1000", "search=cheese": "-5000",
	} {
		if got := h.list(t, query).signed(); got != want {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
	if again := h.call(t, "PATCH", "/transactions/{rest}", `{"transaction":{"amount":50,"tag_ids":["{fun}"],"category_id":"{Food}"}}`); !strings.Contains(again.Text, `"updated_at":"2026-08-22T13:00:00.000Z"`) {
		t.Errorf("the same once more is a change: %s", again.Text)
	}
	if again := h.call(t, "POST", "/transactions", `{"transaction":{"name":"Bill",`+bill+`,"external_id":"b-1"}}`); again.StatusCode != 200 || idOf(t, again) != h.ids["Bill"] {
		t.Errorf("its external id sent again: %d %s", again.StatusCode, again.Text)
	}
}

// TestPartsRefuse: what would keep the parts from adding up to the whole, or put them elsewhere, is changed on the whole,
// whose id the refusal has.
func TestPartsRefuse(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.add(t, "Bill", bill)
	h.add(t, "In", `"account_id":"{Savings}","date":"2026-01-31","amount":-60`)
	h.ids["bread"] = h.list(t, "").Transactions[1].ID
	for field, change := range map[string]string{
		"amount": `"amount":61`, "nature": `"nature":"income"`, "date": `"date":"2026-02-01"`, "currency": `"currency":"USD"`, "split_lines": `"split_lines":[{"amount":30},{"amount":30}]`,
		"category_id": `"category_id":"{their Food}"`, "name": `"name":" "`,
	} {
		h.refuses(t, unprocessable(field), "PATCH", "/transactions/{bread}", `{"transaction":{"tag_ids":["{fun}"],`+change+`}}`)
	}
	h.refuses(t, unprocessable("id"), "DELETE", "/transactions/{bread}", "")
	h.refuses(t, unprocessable("outflow_transaction_id"), "POST", "/transfers", `{"transfer":{"inflow_transaction_id":"{In}","outflow_transaction_id":"{bread}"}}`)
	for _, p := range []apitest.Reply{h.call(t, "PATCH", "/transactions/{bread}", `{"transaction":{"amount":61}}`), h.call(t, "PATCH", "/transactions/{bread}", `{"transaction":{"date":"2026-02-01"}}`),
		h.call(t, "DELETE", "/transactions/{bread}", ""), h.call(t, "POST", "/transfers", `{"transfer":{"inflow_transaction_id":"{In}","outflow_transaction_id":"{bread}"}}`)} {
		if !strings.Contains(p.Text, h.ids["Bill"]) {
			t.Errorf("the whole is not named: %s", p.Text)
		}
	}
	if got := h.list(t, "tag_ids={Alltag}").signed(); got != "-6000" {
		t.Errorf("a refusal has changed something: %s", got)
	}
}

// TestPartsKeepTheirIDs when the transaction gets other lines: by the id that is given, or by saying the same.
func TestPartsKeepTheirIDs(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.add(t, "Bill", `"account_id":"{Checking}","date":"2026-01-31","amount":9,"split_lines":[{"amount":1},{"amount":2,"name":"two"},{"amount":6}]`)
	before := h.list(t, "").Transactions
	h.call(t, "PATCH", "/transactions/{Bill}", `{"transaction":{"split_lines":[{"amount":4,"id":"`+before[2].ID+`"},{"amount":2,"name":"two"},{"amount":3}]}}`).Is(t, 200, "")
	after := h.list(t, "").Transactions
	if after[0].ID != before[2].ID || after[1].ID != before[1].ID || after[2].ID == before[0].ID || after[2].ID == before[2].ID {
		t.Errorf("got %+v after %+v", after, before)
	}
	h.refuses(t, refusal{404, "not_found", ""}, "GET", "/transactions/"+before[0].ID, "")
	for _, id := range []string{before[0].ID, h.ids["Bill"], "x"} {
		h.refuses(t, unprocessable("split_lines[1].id"), "PATCH", "/transactions/{Bill}", `{"transaction":{"split_lines":[{"amount":4},{"amount":5,"id":"`+id+`"}]}}`)
	}
	h.call(t, "PATCH", "/transactions/{Bill}", `{"transaction":{"split_lines":null}}`).Is(t, 200, "")
	if got := h.list(t, ""); got.signed() != "-900" || got.Transactions[0].ID != h.ids["Bill"] {
		t.Errorf("not split any more it is %+v", got)
	}
}

// TestBadSplitLines: every way to get lines wrong, on creation and on change.
func TestBadSplitLines(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
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
