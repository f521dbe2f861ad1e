package handlers

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"finsvc/handlers/apitest"
)

// TestSecurityBodies holds whole bodies against files worked out by hand.
func TestSecurityBodies(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	made := h.call(t, "POST", "/securities", `{"security":{"ticker":" acme ","exchange_operating_mic":"xnas","name":"Acme & Söhne","manual":false}}`)
	h.golden(t, "security_create", made)
	h.ids["Acme"] = idOf(t, made)
	h.ids["Wine"] = h.make(t, h.key, "securities", `{"security":{"ticker":"WINE","manual":"true"}}`)
	h.call(t, "POST", "/security_prices", `{"security_price":{"security_id":"{Acme}","date":"2026-08-20","price":"1234.5678","currency":"usd"}}`).Is(t, 201, `{"added":1,"replaced":0,"unchanged":0}`)
	list := h.as(t, h.readKey, "GET", "/securities", "")
	h.golden(t, "security_list", list)
	h.clock.move(time.Hour)
	h.golden(t, "security_update", h.call(t, "PATCH", "/securities/{Wine}", `{"security":{"name":"Old Wine","manual":false,"exchange_operating_mic":"","ticker":null}}`))
	h.golden(t, "security_update", h.call(t, "GET", "/securities/"+strings.ToUpper(h.ids["Wine"]), ""))
	h.call(t, "DELETE", "/securities/{Wine}", "").Is(t, 200, `{"message":"Security deleted successfully"}`)
	h.call(t, "GET", "/securities/{Wine}", "").Is(t, 404, `{"error":"not_found","message":"Security not found","details":null}`)
	for query, want := range map[string]int{"": 1, "ticker=Acme": 1, "ticker=ACME|XNAS": 1, "ticker=ACME|XETR": 0, "ticker=BOND": 0, "exchange_operating_mic=xnas": 1, "exchange_operating_mic=XETR": 0,
		"kind=standard": 1, "kind=cash": 0, "offline=false": 1, "offline=1": 0, "ticker=&kind=&offline=&other=1": 1} {
		p := h.call(t, "GET", "/securities?"+query, "")
		if p.StatusCode != 200 || strings.Count(p.Text, `"ticker":`) != want {
			t.Errorf("%s: got %d %s", query, p.StatusCode, p.Text)
		}
	}
}

func TestBadSecurities(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.ids["Acme"] = h.make(t, h.key, "securities", `{"security":{"ticker":"ACME","exchange_operating_mic":"XNAS"}}`)
	h.make(t, h.key, "securities", `{"security":{"ticker":"BOND","exchange_operating_mic":"XNAS"}}`)
	for _, c := range []struct {
		field string
		bad   []string
	}{
		{"ticker", []string{`""`, `" "`, `"A|B"`, `"a\u0000b"`, quoted(strings.Repeat("A", 101)), "7", "true", "[]", "{}", `"BOND"`}},
		{"exchange_operating_mic", []string{`"NASDAQ"`, `"XNA"`, `"X-AS"`, `"ÄNAS"`, "7", "true", "[]", "{}"}},
		{"name", []string{quoted(strings.Repeat("ä", 256)), `"a\nb"`, "7", "true", "[]", "{}"}},
		{"manual", []string{`"perhaps"`, "2", "[]", "{}"}},
	} {
		for _, text := range c.bad {
			good := members{"ticker": `"NEW"`, "exchange_operating_mic": `"XNAS"`}
			h.refuses(t, unprocessable(c.field), "POST", "/securities", `{"security":{`+good.with(c.field, text)+`}}`)
			h.refuses(t, unprocessable(c.field), "PATCH", "/securities/{Acme}", `{"security":{`+members{}.with(c.field, text)+`}}`)
		}
	}
	h.refuses(t, unprocessable("ticker"), "POST", "/securities", `{"security":{}}`)
	for _, body := range []string{"", "{}", "[]", `{"security":7}`, `{"ticker":"A"}`} {
		h.refuses(t, refusal{400, "bad_request", ""}, "POST", "/securities", body)
		h.refuses(t, refusal{400, "bad_request", ""}, "PATCH", "/securities/{Acme}", body)
	}
	for name, bad := range map[string][]string{"ticker": {"a\x00", strings.Repeat("A", 101), "A|B"}, "exchange_operating_mic": {"NASDAQ", "x"}, "kind": {"share", "CASH"}, "offline": {"2", "yes"}} {
		for _, text := range bad {
			h.refuses(t, unprocessable(name), "GET", "/securities?"+name+"="+url.QueryEscape(text), "")
		}
	}
}

// TestPriceBodies: a price has as many decimals as it needs; what is formatted has at most eight.
func TestPriceBodies(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.ids["Acme"] = h.make(t, h.key, "securities", `{"security":{"ticker":"ACME","exchange_operating_mic":"XNAS","name":"Acme"}}`)
	h.ids["Bond"] = h.make(t, h.key, "securities", `{"security":{"ticker":"BOND"}}`)
	const batch = `{"security_prices":[{"security_id":"{Acme}","date":"2026-08-20","price":1234.5678,"currency":"USD"},` +
		`{"ticker":"bond","date":"2026-08-20","price":"1.50","currency":"kwd"},{"ticker":"ACME|XNAS","date":"2026-08-21","price":"0.000000000001","currency":"USD"}]}`
	h.call(t, "POST", "/security_prices", batch).Is(t, 201, `{"added":3,"replaced":0,"unchanged":0}`)
	h.call(t, "POST", "/security_prices", batch).Is(t, 201, `{"added":0,"replaced":0,"unchanged":3}`)
	list := h.as(t, h.readKey, "GET", "/security_prices?per_page=2", "")
	h.golden(t, "security_price_list", list)
	h.call(t, "GET", "/security_prices?per_page=2&provisional=false", "").Is(t, 200, strings.TrimSpace(list.Text))
	h.call(t, "GET", "/security_prices?provisional=1", "").Is(t, 200, `{"security_prices":[],"pagination":{"page":1,"per_page":25,"total_count":0,"total_pages":1}}`)
	h.refuses(t, unprocessable("provisional"), "GET", "/security_prices?provisional=maybe", "")
	h.clock.move(time.Hour)
	h.call(t, "POST", "/security_prices", `{"security_price":{"ticker":"BOND","date":"2026-08-20","price":2,"currency":"EUR"}}`).Is(t, 201, `{"added":0,"replaced":1,"unchanged":0}`)
	one := h.call(t, "GET", "/security_prices?security_id={Bond}&currency=eur&start_date=2026-08-20&end_date=2026-08-20", "")
	h.golden(t, "security_price_replaced", one)
	h.ids["Price"] = firstOf(t, "security_prices", one)
	h.call(t, "DELETE", "/security_prices/"+strings.ToUpper(h.ids["Price"]), "").Is(t, 200, `{"message":"Security price deleted successfully"}`)
	h.call(t, "GET", "/security_prices/{Price}", "").Is(t, 404, `{"error":"not_found","message":"Security price not found","details":null}`)
	h.ids["Old"] = firstOf(t, "security_prices", h.call(t, "GET", "/security_prices?end_date=2026-08-20", ""))
	h.golden(t, "security_price", h.call(t, "GET", "/security_prices/{Old}", ""))
}

func TestBadPrices(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.ids["Acme"] = h.make(t, h.key, "securities", `{"security":{"ticker":"ACME"}}`)
	h.ids["their Acme"] = h.make(t, h.neighbour, "securities", `{"security":{"ticker":"ACME"}}`)
	h.make(t, h.neighbour, "securities", `{"security":{"ticker":"ELSE"}}`)
	good := members{"security_id": `"{Acme}"`, "date": `"2026-01-31"`, "price": "12.5", "currency": `"EUR"`}
	for _, c := range []struct {
		field string
		bad   []string
	}{
		{"security_id", append(append(badIDs(), strangeIDs("Acme")...), "", "null", `""`)},
		{"date", append(badDates(), "", "null", `""`)},
		{"price", append(badNumbers(), "0", `"-1"`, "1e-13", "", "null", `""`)},
		{"currency", []string{`"XXQ"`, `"EURO"`, `""`, "7", "[]", "{}", "", "null"}},
	} {
		for _, text := range c.bad {
			one := `{` + good.with(c.field, text) + `}`
			h.refuses(t, unprocessable(c.field), "POST", "/security_prices", `{"security_price":`+one+`}`)
			h.refuses(t, unprocessable("security_prices[1]."+c.field), "POST", "/security_prices", `{"security_prices":[{`+good.with("", "")+`},`+one+`]}`)
		}
	}
	byTicker := members{"date": `"2026-01-31"`, "price": "12.5", "currency": `"EUR"`}
	for _, text := range []string{`"ELSE"`, `"ACME|XNAS"`, `" "`, `"A\u0000"`, `"A|B"`, "7", "[]", "{}"} {
		h.refuses(t, unprocessable("ticker"), "POST", "/security_prices", `{"security_price":{`+byTicker.with("ticker", text)+`}}`)
	}
	h.refuses(t, unprocessable("security_prices[1].price"), "POST", "/security_prices", `{"security_prices":[{`+good.with("", "")+`},{`+good.with("price", "13")+`}]}`)
	h.refuses(t, unprocessable("security_prices[1]"), "POST", "/security_prices", `{"security_prices":[{`+good.with("", "")+`},7]}`)
	h.refuses(t, unprocessable("security_prices"), "POST", "/security_prices", `{"security_prices":"x"}`)
	h.refuses(t, unprocessable("security_prices"), "POST", "/security_prices", `{"security_prices":[`+strings.TrimSuffix(strings.Repeat("{},", 10_001), ",")+`]}`)
	for _, body := range []string{"", "{}", "[]", `{"security_prices":[]}`, `{"security_price":7}`, `{"security_price":null}`} {
		h.refuses(t, refusal{400, "bad_request", ""}, "POST", "/security_prices", body)
	}
	for name, bad := range map[string][]string{"security_id": {"x", "7"}, "currency": {"XXQ", "EURO"}, "start_date": {"2026-02-30", "x"}, "end_date": {"2026-02-30", "x"}} {
		for _, text := range bad {
			h.refuses(t, unprocessable(name), "GET", "/security_prices?"+name+"="+text, "")
			if name != "currency" {
				h.refuses(t, unprocessable(name), "GET", "/security_splits?"+name+"="+text, "")
			}
		}
	}
}

// TestManyPrices: as many as one request may hold are taken at once.
func TestManyPrices(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.make(t, h.key, "securities", `{"security":{"ticker":"ACME"}}`)
	var body strings.Builder
	body.WriteString(`{"security_prices":[`)
	day := time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 10_000 {
		if i > 0 {
			body.WriteByte(',')
		}
		body.WriteString(`{"ticker":"ACME","currency":"EUR","price":"1234.567890123456","date":"` + day.AddDate(0, 0, i).Format(time.DateOnly) + `"}`)
	}
	body.WriteString(`]}`)
	h.call(t, "POST", "/security_prices", body.String()).Is(t, 201, `{"added":10000,"replaced":0,"unchanged":0}`)
}

// TestSplitBodies holds what was decided.
//
// Decision, Trades, holdings, valuations, balance sheet: splits are facts with a date and a ratio and touch no trade.
func TestSplitBodies(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.ids["Acme"] = h.make(t, h.key, "securities", `{"security":{"ticker":"ACME","name":"Acme"}}`)
	made := h.call(t, "POST", "/security_splits", `{"security_split":{"security_id":"{Acme}","date":"2026-06-09","numerator":3,"denominator":"2"}}`)
	h.golden(t, "security_split_create", made)
	h.ids["Split"] = idOf(t, made)
	h.make(t, h.key, "security_splits", `{"security_split":{"ticker":"acme","date":"2025-06-09","ratio":"1:10"}}`)
	h.golden(t, "security_split_list", h.as(t, h.readKey, "GET", "/security_splits?security_id={Acme}&end_date=2026-06-09", ""))
	h.call(t, "DELETE", "/security_splits/{Split}", "").Is(t, 200, `{"message":"Security split deleted successfully"}`)
	h.call(t, "DELETE", "/security_splits/{Split}", "").Is(t, 404, `{"error":"not_found","message":"Security split not found","details":null}`)
	good := members{"ticker": `"ACME"`, "date": `"2026-01-31"`, "numerator": "2", "denominator": "1"}
	for field, bad := range map[string][]string{
		"ticker": {`"NONE"`, `" "`, "7"}, "date": append(badDates(), "", "null", `"2025-06-09"`), "numerator": {"0", "-1", "1.5", `"x"`, "1000001", "1", "", "null", "[]"},
		"denominator": {"0", "-1", "1.5", "1000001", "", "null", "{}"}, "ratio": {`"2:1"`, "7"},
	} {
		for _, text := range bad {
			h.refuses(t, unprocessable(field), "POST", "/security_splits", `{"security_split":{`+good.with(field, text)+`}}`)
		}
	}
	h.refuses(t, unprocessable("security_id"), "POST", "/security_splits", `{"security_split":{`+good.with("ticker", "")+`}}`)
	for _, body := range []string{"", "{}", `{"security_split":7}`} {
		h.refuses(t, refusal{400, "bad_request", ""}, "POST", "/security_splits", body)
	}
}

func TestSecuritiesOfNeighbours(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.ids["theirs"] = h.make(t, h.neighbour, "securities", `{"security":{"ticker":"ACME"}}`)
	h.as(t, h.neighbour, "POST", "/security_prices", `{"security_price":{"security_id":"{theirs}","date":"2026-08-20","price":1,"currency":"USD"}}`).Is(t, 201, "")
	h.ids["their split"] = h.make(t, h.neighbour, "security_splits", `{"security_split":{"security_id":"{theirs}","date":"2026-08-20","ratio":"2:1"}}`)
	h.ids["their price"] = firstOf(t, "security_prices", h.as(t, h.neighbour, "GET", "/security_prices", ""))
	before := h.print(t)
	for _, id := range []string{"{theirs}", "{their price}", "{their split}", "{Checking}", "00000000-0000-7000-8000-000000000000", "7"} {
		for _, c := range []struct{ method, path, what string }{
			{"GET", "/securities/", "Security"}, {"PATCH", "/securities/", "Security"}, {"DELETE", "/securities/", "Security"}, {"GET", "/security_prices/", "Security price"},
			{"DELETE", "/security_prices/", "Security price"}, {"DELETE", "/security_splits/", "Security split"},
		} {
			body := ""
			if c.method == "PATCH" {
				body = `{"security":{"name":"Mine"}}`
			}
			h.call(t, c.method, c.path+id, body).Is(t, 404, `{"error":"not_found","message":"`+c.what+` not found","details":null}`)
		}
	}
	for _, path := range []string{"/securities", "/security_prices", "/security_splits", "/security_prices?security_id={theirs}", "/security_splits?security_id={theirs}"} {
		if p := h.call(t, "GET", path, ""); p.StatusCode != 200 || !strings.Contains(p.Text, `"total_count":0,`) {
			t.Errorf("%s: got %s", path, p.Text)
		}
	}
	h.as(t, h.readKey, "POST", "/securities", `{"security":{"ticker":"A"}}`).Is(t, 403, "")
	h.as(t, h.readKey, "POST", "/security_prices", `{"security_prices":[]}`).Is(t, 403, "")
	h.as(t, h.readKey, "POST", "/security_splits", `{"security_split":{}}`).Is(t, 403, "")
	if h.print(t) != before {
		t.Error("something was written")
	}
}

// firstOf is the id of the first member of a list.
func firstOf(t *testing.T, name string, p apitest.Reply) string {
	t.Helper()
	var page map[string]json.RawMessage
	var list []struct{ ID string }
	err := json.Unmarshal([]byte(p.Text), &page)
	if err = errors.Join(err, json.Unmarshal(page[name], &list)); err != nil || len(list) == 0 {
		t.Fatal(p.StatusCode, p.Text, err)
	}
	return list[0].ID
}
