package handlers

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// TestBadTradeFields: every field, every way to get it wrong, on creation and on change.
func TestBadTradeFields(t *testing.T) {
	t.Parallel()
	h := newTradingHouse(t)
	h.trade(t, "Old", "Broker", `"date":"2026-01-31","qty":5,"price":1,"ticker":"ACME"`)
	h.trade(t, "Paid", "Broker", `"date":"2026-01-31","type":"dividend","amount":5,"ticker":"ACME"`)
	good := members{"account_id": `"{Broker}"`, "date": `"2026-01-31"`, "qty": "2", "price": "1", "ticker": `"ACME"`}
	paid := members{"account_id": `"{Broker}"`, "date": `"2026-01-31"`, "type": `"dividend"`, "amount": "2", "ticker": `"ACME"`}
	notText := []string{"7", "true", "[]", "{}"}
	tooLong := quoted(strings.Repeat("E", 300))
	for _, c := range []struct {
		good     members
		old      string // what is changed; "" where a change ignores the field
		field    string
		bad      []string // wrong always
		required bool     // wrong as well when absent, null or blank on creation
	}{
		{good, "", "account_id", badIDs(), true},
		{good, "", "security_id", append(badIDs(), strangeIDs("Checking")...), false},
		{good, "{Old}", "date", badDates(), true},
		{good, "{Old}", "qty", append(badNumbers(), "0", `"-0.0"`, "1e-19", `"0.0000000000000000001"`, "1000000000000000.1", "1e16", "-1e16"), true},
		{good, "{Old}", "price", append(badNumbers(), "0", "-1", "1e-13", `"0.0000000000001"`, "1000000000000001", "1e16"), true},
		{good, "{Old}", "fee", append(badNumbers(), "-1", "-0.01", "0.001", `"1e15"`), false},
		{good, "{Old}", "currency", append(notText, `"XXQ"`, `"EURO"`, `"€"`, tooLong), false},
		{good, "{Old}", "investment_activity_label", append(notText, `"Bought"`, `"Sweep"`, tooLong), false},
		{good, "{Old}", "category_id", append(badIDs(), strangeIDs("Food")...), false},
		{good, "{Old}", "name", badEntryNames(), false},
		{good, "{Old}", "notes", append(notText, quoted(strings.Repeat("ä", 10_001)), `"a\u0000b"`, `"a\u001bb"`), false},
		{good, "{Old}", "allow_short", []string{`"perhaps"`, "2", "[]", "{}"}, false},
		{good, "", "type", append(notText, `"bought"`, `"buy sell"`, `"reinvestment"`, tooLong), false},
		{good, "", "ticker", []string{"true", "[]", "{}", quoted(strings.Repeat("A", 101)), `"A\u0000B"`, `"|XNAS"`, `"ACME|NASDAQ"`, `"ACME|X-AS"`}, false},
		{paid, "{Paid}", "amount", append(badNumbers(), "0", "-5", "0.001", "1e14"), true},
		{paid, "{Paid}", "fee", []string{"1", "-1", `"0.001"`}, false},
		{paid, "{Paid}", "date", badDates()[:3], true},
	} {
		bad := c.bad
		if c.required {
			bad = append(slices.Clone(bad), "", "null", `""`, `" "`)
		}
		for _, text := range bad {
			h.refuses(t, unprocessable(c.field), "POST", "/trades", `{"trade":{`+c.good.with(c.field, text)+`}}`)
		}
		for _, text := range c.bad {
			if c.old != "" {
				h.refuses(t, unprocessable(c.field), "PATCH", "/trades/"+c.old, `{"trade":{`+members{}.with(c.field, text)+`}}`)
			}
		}
	}
}

// TestBadTrades: what does not go together, on creation and on change.
//
// Contract, POST /api/v1/trades: two errors: no such account, or what is wrong with the fields.
func TestBadTrades(t *testing.T) {
	t.Parallel()
	h := newTradingHouse(t)
	h.trade(t, "Old", "Broker", `"date":"2026-01-31","qty":5,"price":1.25,"ticker":"ACME","fee":0.5`)
	h.trade(t, "Paid", "Broker", `"date":"2026-01-31","type":"interest","amount":5.5`)
	h.trade(t, "Fee", "Broker", `"date":"2026-01-31","type":"fee","amount":5`)
	for _, c := range []struct{ field, members string }{
		{"qty", `"type":"buy","qty":-2,"price":1,"ticker":"ACME"`},
		{"qty", `"type":"buy","price":1,"ticker":"ACME","amount":5`},
		{"qty", `"qty":9e7,"price":1e6,"fee":0.01,"ticker":"ACME"`}, // 90,000,000,000,000.01 in all
		{"qty", `"qty":-1e15,"price":1e15,"ticker":"ACME","allow_short":true`},
		{"security_id", `"qty":2,"price":1`},
		{"security_id", `"qty":2,"price":1,"security_id":null,"ticker":"","manual_ticker":" "`},
		{"security_id", `"type":"dividend","amount":1`},
		{"manual_ticker", `"qty":2,"price":1,"manual_ticker":"ACME|XNAS"`},
		{"manual_ticker", `"qty":2,"price":1,"manual_ticker":"a\u0000"`},
		{"manual_ticker", `"qty":2,"price":1,"manual_ticker":true`},
		{"price", `"qty":2,"price":null,"ticker":"ACME"`},
		{"fee", `"qty":2,"price":1,"fee":0.5,"currency":"JPY","ticker":"ACME"`},
		{"amount", `"type":"dividend","ticker":"ACME","qty":5,"price":1`},
		{"amount", `"type":"deposit"`},
		{"amount", `"type":"deposit","amount":0`},
		{"amount", `"type":"withdrawal","amount":-5`},
		{"amount", `"type":"withdrawal","amount":"x"`},
		{"amount", `"type":"withdrawal","amount":"0.001"`},
		{"fee", `"type":"withdrawal","amount":5,"fee":1`},
		{"currency", `"type":"deposit","amount":5,"currency":"XXQ"`},
		{"name", `"type":"deposit","amount":5,"name":"a\u0000"`},
		{"category_id", `"type":"deposit","amount":5,"category_id":"{their Food}"`},
	} {
		h.refuses(t, unprocessable(c.field), "POST", "/trades", `{"trade":{"account_id":"{Broker}","date":"2026-01-31",`+c.members+`}}`)
	}
	h.refuses(t, unprocessable("account_id"), "POST", "/trades", `{"trade":{"account_id":"{Checking}","date":"2026-01-31","qty":1,"price":1,"ticker":"ACME"}}`)
	h.refuses(t, unprocessable("account_id"), "POST", "/trades", `{"trade":{"account_id":"{Checking}","date":"2026-01-31","type":"deposit","amount":5}}`)
	h.refuses(t, unprocessable("account_id"), "POST", "/trades", `{"trade":{"date":"2026-01-31","type":"deposit","amount":5}}`)
	h.refuses(t, unprocessable("date"), "POST", "/trades", `{"trade":{"account_id":"{Broker}","type":"deposit","amount":5}}`)
	for _, c := range []struct{ trade, field, members string }{
		{"Old", "amount", `"amount":5`}, {"Old", "type", `"type":"dividend"`}, {"Old", "type", `"type":"deposit"`}, {"Old", "type", `"type":7`},
		{"Old", "qty", `"type":"buy","qty":-2`}, {"Old", "qty", `"nature":"outflow","qty":-2`}, {"Old", "nature", `"nature":"up"`},
		{"Old", "fee", `"currency":"JPY"`}, {"Old", "qty", `"qty":1e15,"price":1e14`},
		{"Paid", "type", `"type":"buy"`}, {"Paid", "type", `"type":"fee"`}, {"Paid", "qty", `"qty":5`}, {"Paid", "price", `"price":5`}, {"Paid", "nature", `"nature":"expense"`},
		{"Paid", "amount", `"currency":"JPY"`}, {"Fee", "nature", `"nature":"inflow"`}, {"Fee", "fee", `"fee":1`},
	} {
		h.refuses(t, unprocessable(c.field), "PATCH", "/trades/{"+c.trade+"}", `{"trade":{`+c.members+`}}`)
	}
	for _, id := range strangeIDs("Checking") {
		h.refuses(t, refusal{404, "not_found", ""}, "POST", "/trades", `{"trade":{"account_id":`+id+`,"date":"2026-01-31","qty":1,"price":1,"ticker":"ACME"}}`)
		h.refuses(t, refusal{404, "not_found", ""}, "POST", "/trades", `{"trade":{"account_id":`+id+`,"type":"deposit"}}`)
	}
	for _, body := range []string{"", "{}", "[]", `{"trade":7}`, `{"trade":null}`, `{"qty":5}`, `{"trade":{"qty":5}`} {
		h.refuses(t, refusal{400, "bad_request", ""}, "POST", "/trades", body)
		h.refuses(t, refusal{400, "bad_request", ""}, "PATCH", "/trades/{Old}", body)
	}
	h.as(t, h.readKey, "POST", "/trades", `{"trade":{}}`).Is(t, 403, "")
	h.as(t, h.readKey, "PATCH", "/trades/{Old}", `{"trade":{}}`).Is(t, 403, "")
	h.as(t, h.readKey, "DELETE", "/trades/{Old}", "").Is(t, 403, "")
}

// TestTradesNameEveryProblem: all that is wrong is said at once.
//
// Decision, Trades, holdings, valuations, balance sheet: all is checked before anything is stored; 404 for the account,
// 422 for the rest.
func TestTradesNameEveryProblem(t *testing.T) {
	t.Parallel()
	h := newTradingHouse(t)
	for body, want := range map[string][]string{
		`{}`: {"account_id is required", "date is required, such as 2026-01-31", "qty is required, such as 10, or -10 for a sale", "price is required, such as 12.50",
			"security_id is required, or in its place a ticker such as AAPL or AAPL|XNAS, or a manual_ticker"},
		`{"type":"withdrawal"}`: {"account_id is required", "amount is required, such as 12.50", "date is required, such as 2026-01-31"},
		`{"account_id":"{Checking}","date":"x","type":"sell","qty":0,"price":-1,"fee":-1,"currency":"XXQ","ticker":"A|B|C","investment_activity_label":"y","category_id":"{their Food}","name":"\u0000","notes":"\u0000","allow_short":7}`: {
			"account_id", "date", "qty", "price", "fee", "currency", "ticker", "investment_activity_label", "category_id", "name", "notes", "allow_short"},
	} {
		p := h.call(t, "POST", "/trades", `{"trade":`+body+`}`)
		var e struct{ Details []string }
		if err := json.Unmarshal([]byte(p.Text), &e); err != nil || p.StatusCode != 422 || len(e.Details) != len(want) {
			t.Fatalf("%s: got %d %s", body, p.StatusCode, p.Text)
		}
		for _, sentence := range want {
			if !slices.ContainsFunc(e.Details, func(s string) bool { return s == sentence || strings.HasPrefix(s, sentence+" ") }) {
				t.Errorf("%s: %q is not among %q", body, sentence, e.Details)
			}
		}
	}
}

// tradeNames are the names on a page of trades, and how many there are in all.
func (h *fixture) tradeNames(t *testing.T, query string) (names string, total int) {
	t.Helper()
	list, counts, _ := strings.Cut(namesIn(t, h.as(t, h.readKey, "GET", "/trades?"+query, ""), "trades"), "] ")
	var page, size int
	if _, err := fmt.Sscan(counts, &page, &size, &total); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(list[1:], " ", ""), total
}

func TestTradeFilters(t *testing.T) {
	t.Parallel()
	h := newTradingHouse(t)
	for _, c := range []struct{ name, account, members string }{
		{"a", "Broker", `"date":"2026-01-02","qty":5,"price":1,"ticker":"ACME"`},
		{"b", "Broker", `"date":"2026-01-04","qty":-1,"price":1,"ticker":"ACME"`},
		{"c", "Wallet", `"date":"2026-01-03","qty":5,"price":1,"ticker":"BTC"`},
		{"d", "Broker", `"date":"2026-01-03","type":"dividend","amount":1,"ticker":"ACME"`},
		{"e", "Wallet", `"date":"2026-01-03","type":"interest","amount":1`},
		{"f", "Tokyo", `"date":"2026-01-05","type":"fee","amount":1`},
		{"g", "Tokyo", `"date":"2026-01-03","qty":5,"price":1,"ticker":"ACME"`},
	} {
		h.trade(t, c.name, c.account, `"name":"`+c.name+`",`+c.members)
	}
	h.ids["ACME"] = traded(t, h.call(t, "GET", "/trades/{a}", ""), 200).Security.ID
	h.ids["BTC"] = traded(t, h.call(t, "GET", "/trades/{c}", ""), 200).Security.ID
	for query, want := range map[string]string{
		"": "fbgedca", "account_id={Broker}": "bda", "account_ids={Broker},{Wallet}": "bedca", "account_ids[]={Tokyo}&account_ids[]={Wallet}": "fgec",
		"account_ids={Broker},{Wallet}&account_id={Wallet}": "ec", "account_ids={Broker}&account_id={Wallet}": "", "security_id={ACME}": "bgda",
		"security_ids={ACME},{BTC}": "bgdca", "security_id={BTC}&account_id={Broker}": "", "start_date=2026-01-03": "fbgedc", "end_date=2026-01-03": "gedca",
		"start_date=2026-01-03&end_date=2026-01-03": "gedc", "start_date=2026-01-04&end_date=2026-01-03": "", "type=buy": "gca", "type=SELL": "b", "type=dividend": "d",
		"type=interest": "e", "type=fee": "f", "type=buy&security_id={ACME}&account_id={Tokyo}": "g",
		"account_id={their Checking}": "", "security_id=00000000-0000-4000-8000-000000000000": "", "account_id=&type=&start_date=&other=1": "fbgedca",
	} {
		names, total := h.tradeNames(t, query)
		if names != want || total != len(want) {
			t.Errorf("%q: got %s of %d, want %s", query, names, total, want)
		}
	}
	var pages string
	for _, page := range []string{"1", "2", "3", "4"} {
		names, total := h.tradeNames(t, "per_page=3&page="+page)
		pages += names + "|"
		if total != 7 {
			t.Errorf("page %s: %d in all", page, total)
		}
	}
	if pages != "fbg|edc|a||" {
		t.Errorf("pages are %s", pages)
	}
	h.call(t, "PATCH", "/trades/{f}", `{"trade":{"date":"2026-01-01"}}`).Is(t, 200, "")
	if names, _ := h.tradeNames(t, ""); names != "bgedcaf" {
		t.Errorf("after a change of the date: %s", names)
	}
	for name, bad := range map[string][]string{"account_id": {"x", "{Broker},{Wallet}"}, "account_ids": {"{Broker},x"}, "security_id": {"7"}, "security_ids": {"x"},
		"start_date": {"2026-02-30", "x"}, "end_date": {"31.01.2026"}, "type": {"deposit", "bought"}} {
		for _, text := range bad {
			h.refuses(t, unprocessable(name), "GET", "/trades?"+name+"="+url.QueryEscape(h.fill(text)), "")
		}
	}
}

func TestTradesOfNeighbours(t *testing.T) {
	t.Parallel()
	h := newTradingHouse(t)
	h.ids["their Broker"] = h.make(t, h.neighbour, "accounts", `{"account":{"name":"Broker","account_type":"investment"}}`)
	theirs := h.as(t, h.neighbour, "POST", "/trades", `{"trade":{"account_id":"{their Broker}","date":"2026-01-31","qty":5,"price":1,"ticker":"ACME"}}`)
	row := traded(t, theirs, 201)
	h.ids["theirs"], h.ids["their ACME"] = row.ID, row.Security.ID
	h.refuses(t, unprocessable("security_id"), "POST", "/trades", `{"trade":{"account_id":"{Broker}","date":"2026-01-31","qty":5,"price":1,"security_id":"{their ACME}","ticker":"ACME"}}`)
	h.refuses(t, unprocessable("qty"), "POST", "/trades", `{"trade":{"account_id":"{Broker}","date":"2026-01-31","qty":-5,"price":1,"ticker":"ACME"}}`)
	h.refuses(t, refusal{404, "not_found", ""}, "POST", "/trades", `{"trade":{"account_id":"{their Broker}","date":"2026-01-31","qty":5,"price":1,"ticker":"ACME"}}`)
	before := h.print(t)
	for _, id := range []string{"{theirs}", "{Broker}", "00000000-0000-7000-8000-000000000000", "7", strings.Repeat("a", 36)} {
		const want = `{"error":"not_found","message":"Trade not found","details":null}`
		h.call(t, "GET", "/trades/"+id, "").Is(t, 404, want)
		h.call(t, "PATCH", "/trades/"+id, `{"trade":{"qty":1}}`).Is(t, 404, want)
		h.call(t, "DELETE", "/trades/"+id, "").Is(t, 404, want)
	}
	h.call(t, "GET", "/trades?account_id={their Broker}&security_id={their ACME}", "").Is(t, 200, `{"trades":[],"pagination":{"page":1,"per_page":25,"total_count":0,"total_pages":1}}`)
	if names, total := h.tradeNames(t, ""); total != 0 || names != "" {
		t.Errorf("got %s", names)
	}
	if h.print(t) != before {
		t.Error("something was written")
	}
}
