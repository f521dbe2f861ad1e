package handlers

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"finsvc/handlers/apitest"
)

// TestValuationBodies holds whole bodies against files worked out by hand.
//
// Decision, Trades, holdings, valuations, balance sheet: a valuation is the balance at the end of its day;
// opening_anchor or reconciliation; create, change, list.
// Contract, GET /api/v1/valuations/{id}: the valuation, or an error body.
func TestValuationBodies(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.ids["Visa"] = h.make(t, h.key, "accounts", `{"account":{"name":"Visa","account_type":"credit_card","balance":"1234.5","date":"2026-01-31"}}`)
	made := h.call(t, "POST", "/valuations", `{"valuation":{"account_id":"{Visa}","date":"2026-02-28","amount":"-1000.07","notes":"a\nb | <c>","surplus":1}}`)
	h.golden(t, "valuation_create", made)
	h.ids["Stated"] = idOf(t, made)
	h.add(t, "Dinar", `"account_id":"{Dinars}","date":"2026-03-02","amount":1.234`)
	h.golden(t, "valuation_list", h.as(t, h.readKey, "GET", "/valuations?per_page=3", ""))
	h.golden(t, "valuation_list", h.call(t, "GET", "/valuations?per_page=3&account_id=&start_date=&other=1", "", "Content-Type: application/json"))
	h.clock.move(time.Hour)
	h.golden(t, "valuation_update", h.call(t, "PATCH", "/valuations/{Stated}", `{"valuation":{"account_id":"{Dinars}","amount":12,"date":"2026-03-01","notes":null}}`))
	h.golden(t, "valuation_update", h.call(t, "GET", "/valuations/"+strings.ToUpper(h.ids["Stated"]), ""))
	h.call(t, "DELETE", "/valuations/{Stated}", "", "Content-Type: application/json").Is(t, 200, `{"message":"Valuation deleted successfully"}`)
	h.call(t, "GET", "/valuations/{Stated}", "").Is(t, 404, `{"error":"not_found","message":"Valuation not found","details":null}`)
}

// TestValuationStatuses: 201 for what is new and, without upsert, for what is overwritten; 200 with it.
func TestValuationStatuses(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	post := func(status int, want, inside, beside string) string {
		t.Helper()
		p := h.call(t, "POST", "/valuations", `{"valuation":{"account_id":"{Checking}","date":"2026-01-31"`+inside+`}`+beside+`}`)
		if p.StatusCode != status || !strings.Contains(p.Text, `"amount":"`+want+"\u00a0"+`€"`) {
			t.Errorf("%s %s: got %d %s, want %d %s", inside, beside, p.StatusCode, p.Text, status, want)
		}
		return idOf(t, p)
	}
	first := post(201, "1,00", `,"amount":1,"upsert":true`, "")
	for _, id := range []string{
		post(200, "2,00", `,"amount":"2","upsert":true`, ""), post(200, "3,00", `,"amount":3`, `,"upsert":"true"`), post(201, "-4,50", `,"amount":-4.5`, ""),
		post(201, "5,00", `,"amount":5,"upsert":false`, `,"upsert":true`), post(201, "6,00", `,"amount":6,"upsert":null`, `,"upsert":0`), post(200, "6,00", `,"amount":6,"upsert":"1"`, ""),
	} {
		if id != first {
			t.Errorf("%s is another than %s", id, first)
		}
	}
	form := h.call(t, "POST", "/valuations", "valuation[account_id]={Savings}&valuation[amount]=7&valuation[date]=2026-01-31&upsert=1", "Content-Type: application/x-www-form-urlencoded")
	form.Is(t, 201, "")
	h.shows(t, h.call(t, "GET", "/valuations?account_id={Savings}&start_date=2026-01-31&end_date=2026-01-31", ""), 200, `{"valuations":[{"id":"<id 1>","date":"2026-01-31",`+
		`"amount":"7,00`+"\u00a0"+`€","currency":"EUR","notes":null,"kind":"reconciliation","account":{"id":"<Savings>","name":"Savings","account_type":"depository"},`+stamps+`}],`+
		`"pagination":{"page":1,"per_page":25,"total_count":1,"total_pages":1}}`)
	const good = `{"valuation":{"account_id":"{Checking}","date":"2026-01-31","amount":5}}`
	h.as(t, h.readKey, "POST", "/valuations", good).Is(t, 403, "")
	h.as(t, h.readKey, "PATCH", "/valuations/"+first, good).Is(t, 403, "")
	h.as(t, h.readKey, "DELETE", "/valuations/"+first, "").Is(t, 403, "")
}

func TestBadValuations(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.ids["Old"] = h.make(t, h.key, "valuations", `{"valuation":{"account_id":"{Checking}","date":"2026-01-31","amount":5}}`)
	h.make(t, h.key, "valuations", `{"valuation":{"account_id":"{Checking}","date":"2026-02-28","amount":5}}`)
	good := members{"account_id": `"{Checking}"`, "date": `"2026-01-31"`, "amount": "12.5"}
	for _, c := range []struct {
		field             string
		bad               []string
		required, onlyNew bool
	}{
		{"account_id", badIDs(), true, true},
		{"date", badDates(), true, false},
		{"amount", append(badNumbers(), "12.345", `"0.001"`, "9223372036854775808", "90000000000000.01", "1e-3", "-1e14"), true, false},
		{"notes", []string{quoted(strings.Repeat("ä", 10_001)), `"a\u0000b"`, `"a\u001bb"`, "7", "true", "[]", "{}"}, false, false},
		{"upsert", []string{`"perhaps"`, "2", "[]", "{}"}, false, true},
	} {
		bad := c.bad
		if c.required {
			bad = append(bad, "", "null", `""`, `" "`)
		}
		for _, text := range bad {
			h.refuses(t, unprocessable(c.field), "POST", "/valuations", `{"valuation":{`+good.with(c.field, text)+`}}`)
		}
		for _, text := range c.bad {
			if !c.onlyNew {
				h.refuses(t, unprocessable(c.field), "PATCH", "/valuations/{Old}", `{"valuation":{`+members{}.with(c.field, text)+`}}`)
			}
		}
	}
	h.refuses(t, unprocessable("upsert"), "POST", "/valuations", `{"valuation":{`+good.with("", "")+`},"upsert":"perhaps"}`)
	h.refuses(t, unprocessable("amount"), "POST", "/valuations", `{"valuation":{"account_id":"{Dinars}","date":"2026-01-31","amount":"1.2345"}}`)
	h.refuses(t, unprocessable("date"), "PATCH", "/valuations/{Old}", `{"valuation":{"date":"2026-02-28"}}`)
	for _, id := range strangeIDs("Checking") {
		h.refuses(t, refusal{404, "not_found", ""}, "POST", "/valuations", `{"valuation":{`+good.with("account_id", id)+`}}`)
	}
	for _, body := range []string{"", "{}", "[]", `{"valuation":7}`, `{"valuation":null}`, `{"amount":5}`, `{"valuation":{"amount":5}`} {
		h.refuses(t, refusal{400, "bad_request", ""}, "POST", "/valuations", body)
		h.refuses(t, refusal{400, "bad_request", ""}, "PATCH", "/valuations/{Old}", body)
	}
	all := h.call(t, "POST", "/valuations", `{"valuation":{"account_id":"x","date":"2026-02-30","amount":"x","notes":7,"upsert":"x"}}`)
	var e struct{ Details []string }
	if err := json.Unmarshal([]byte(all.Text), &e); err != nil || all.StatusCode != 422 || len(e.Details) != 5 {
		t.Errorf("five things are wrong: got %d %s", all.StatusCode, all.Text)
	}
	h.call(t, "POST", "/valuations", `{"valuation":{}}`).Is(t, 422, `{"error":"validation_failed","message":"account_id is required; date is required, such as 2026-01-31; amount is required, such as 12.50",`+
		`"details":["account_id is required","date is required, such as 2026-01-31","amount is required, such as 12.50"],`+
		`"errors":["account_id is required","date is required, such as 2026-01-31","amount is required, such as 12.50"]}`)
	for _, ignored := range []string{`"account_id":"x"`, `"account_id":"{Savings}"`, `"upsert":"x"`, `"kind":"opening_anchor"`, `"date":null`, `"amount":null`, `"amount":""`} {
		before := h.print(t)
		if h.call(t, "PATCH", "/valuations/{Old}", `{"valuation":{`+ignored+`}}`).Is(t, 200, ""); h.print(t) != before {
			t.Errorf("a change by %s changed something", ignored)
		}
	}
}

// TestBadBalanceQueries: every parameter of the two lists, every way to get it wrong.
func TestBadBalanceQueries(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	dates := []string{"2026-02-30", "0001-01-01", "9999-12-31", "31.01.2026", "2026-1-1", "x", "2026-01-31T00:00:00"}
	for _, path := range []string{"/valuations", "/balances"} {
		for name, bad := range map[string][]string{
			"account_id": {"x", "7", "00000000000040008000000000000000", "{Checking},{Savings}"}, "start_date": dates, "end_date": dates, "currency": {"XXQ", "EURO", "€", "7", "EUR,USD"},
		} {
			if path == "/valuations" && name == "currency" {
				continue
			}
			for _, text := range bad {
				h.refuses(t, unprocessable(name), "GET", path+"?"+name+"="+url.QueryEscape(h.fill(text)), "")
			}
			h.refuses(t, unprocessable(name), "GET", path+"?"+name+"=x&"+name+"=x", "")
		}
		h.call(t, "GET", path+"?account_id=x&start_date=x&end_date=x&page=x&per_page=0", "").Is(t, 422, "")
		for _, id := range []string{"{their Checking}", "00000000-0000-4000-8000-000000000000"} {
			p := h.call(t, "GET", path+"?page=7&per_page=500&account_id="+id, "")
			p.Is(t, 200, `{"`+path[1:]+`":[],"pagination":{"page":7,"per_page":100,"total_count":0,"total_pages":1}}`)
		}
	}
}

func TestValuationsOfNeighbours(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.ids["theirs"] = h.make(t, h.neighbour, "valuations", `{"valuation":{"account_id":"{their Checking}","date":"2026-01-31","amount":5}}`)
	h.ids["their day"] = firstBalance(t, h.as(t, h.neighbour, "GET", "/balances", ""))
	before := h.print(t)
	for _, id := range []string{"{theirs}", "{their Checking}", "{Checking}", "00000000-0000-7000-8000-000000000000", "7", strings.Repeat("a", 36)} {
		const want = `{"error":"not_found","message":"Valuation not found","details":null}`
		h.call(t, "GET", "/valuations/"+id, "").Is(t, 404, want)
		h.call(t, "PATCH", "/valuations/"+id, `{"valuation":{"amount":1}}`).Is(t, 404, want)
		h.call(t, "DELETE", "/valuations/"+id, "").Is(t, 404, want)
	}
	for _, id := range []string{"{their day}", "{Checking}", "00000000-0000-7000-8000-000000000000", "7", strings.Repeat("a", 36)} {
		h.call(t, "GET", "/balances/"+id, "").Is(t, 404, `{"error":"not_found","message":"Balance not found","details":null}`)
	}
	for _, path := range []string{"/valuations", "/balances"} {
		if p := h.call(t, "GET", path, ""); !strings.Contains(p.Text, `"total_count":3,`) || strings.Contains(p.Text, h.ids["their Checking"]) {
			t.Errorf("%s: got %s", path, p.Text)
		}
	}
	if h.print(t) != before {
		t.Error("something was written")
	}
}

// TestBalanceBodies: a card with 50.00 owed at the end of 2026-08-19; on the 20th 30.00 are spent and 20.00
// paid back, 5.00 USD have no rate; at the end of the 21st 70.00 are owed. The day is 2026-08-22.
//
// Decision, Accounts, categories, tags, merchants: GET /balances has the history.
func TestBalanceBodies(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.ids["Visa"] = h.make(t, h.key, "accounts", `{"account":{"name":"Visa","account_type":"credit_card","balance":50,"date":"2026-08-19"}}`)
	h.add(t, "Shoes", `"account_id":"{Visa}","date":"2026-08-20","amount":30`)
	h.add(t, "Back", `"account_id":"{Visa}","date":"2026-08-20","amount":-20`)
	h.add(t, "Taxi", `"account_id":"{Visa}","date":"2026-08-20","amount":5,"currency":"USD"`)
	h.make(t, h.key, "valuations", `{"valuation":{"account_id":"{Visa}","date":"2026-08-21","amount":70}}`)
	list := h.as(t, h.readKey, "GET", "/balances?account_id={Visa}&start_date=2026-08-20&end_date=2026-08-21", "")
	h.golden(t, "balance_list", list)
	for query, want := range map[string]string{
		"": "2026-08-22 Checking, 2026-08-22 Savings, 2026-08-22 Dinars, 2026-08-22 Visa, 2026-08-21 Visa, 2026-08-20 Visa, 2026-08-19 Visa", "currency=kwd": "2026-08-22 Dinars",
		"currency=&per_page=2&page=2": "2026-08-22 Dinars, 2026-08-22 Visa", "end_date=2026-08-19": "2026-08-19 Visa", "start_date=2026-08-23": "", "currency=USD": "",
	} {
		if got := h.balances(t, query); got != want {
			t.Errorf("%q: got %s, want %s", query, got, want)
		}
	}
	h.ids["Day"] = firstBalance(t, list)
	one := h.call(t, "GET", "/balances/"+strings.ToUpper(h.ids["Day"]), "")
	if one.StatusCode != 200 || !strings.Contains(list.Text, one.Text) {
		t.Errorf("got %d %s", one.StatusCode, one.Text)
	}
}

// firstBalance is the id of the first balance of a page.
func firstBalance(t *testing.T, p apitest.Reply) string {
	t.Helper()
	var page struct{ Balances []struct{ ID string } }
	if err := json.Unmarshal([]byte(p.Text), &page); err != nil || len(page.Balances) == 0 {
		t.Fatal(p.StatusCode, p.Text, err)
	}
	return page.Balances[0].ID
}

// balances lists a page of balances by day and account.
func (h *fixture) balances(t *testing.T, query string) string {
	t.Helper()
	var page struct {
		Balances []struct {
			Date    string
			Account struct{ Name string }
		}
	}
	p := h.call(t, "GET", "/balances?"+query, "")
	if err := json.Unmarshal([]byte(p.Text), &page); err != nil {
		t.Fatal(p.StatusCode, p.Text)
	}
	var out []string
	for _, b := range page.Balances {
		out = append(out, fmt.Sprint(b.Date, " ", b.Account.Name))
	}
	return strings.Join(out, ", ")
}
