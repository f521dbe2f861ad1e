package handlers

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// trade books a trade and remembers its id under its name; members come after the account.
func (h *fixture) trade(t *testing.T, name, account, members string) {
	t.Helper()
	h.ids[name] = h.make(t, h.key, "trades", fmt.Sprintf(`{"trade":{"account_id":"{%s}",%s}}`, account, members))
}

// post sends what has to succeed.
func (h *fixture) post(t *testing.T, path, body string) {
	t.Helper()
	if p := h.call(t, "POST", path, body); p.StatusCode != 201 {
		t.Fatalf("POST %s %s: %d %s", path, body, p.StatusCode, p.Text)
	}
}

// newHoldingHouse has 37 holdings by 2026-08-22, its today.
//
// ACME at Broker, from the 3rd on, 20 days:
//
//	3rd  buy 10 at 100.00, fee 1.50     cost 1,001.50 / 10 = 100.15    10 x 100.00 = 1,000.00
//	5th  buy 5 at 130.00                cost 1,651.50 / 15 = 110.10    15 x 130.00 = 1,950.00
//	6th  the market says 128.40                                        15 x 128.40 = 1,926.00
//	10th split 2:1                      cost 1,651.50 / 30 = 55.05     30 x 64.20 = 1,926.00
//	12th sell 12 at 80.00               cost 1,651.50 x 18 / 30 = 990.90 / 18 = 55.05    18 x 64.20 = 1,155.60
//	14th dividend of 9.00               nothing changes
//	17th the market says 81.00                                         18 x 81.00 = 1,458.00
//
// ZIG at Broker, on the 4th and 5th, and from the 11th on, 14 days: buy 4 at 10.00, sell them on the 6th, buy 3 at 11.00.
//
// BTC in Wallet, from the 20th on, 3 days: 0.12345678 x 61,000.50 = 7,530.92530839, that is 7,530.93;
// 7,530.93 / 0.12345678 = 61,000.53800204.
func newHoldingHouse(t *testing.T) *fixture {
	t.Helper()
	h := newFixture(t)
	h.open(t, "Broker", "investment", "EUR", "0")
	h.open(t, "Wallet", "crypto", "EUR", "0")
	h.trade(t, "first", "Broker", `"type":"buy","ticker":"ACME","qty":10,"price":100,"fee":1.5,"date":"2026-08-03"`)
	h.trade(t, "second", "Broker", `"type":"buy","ticker":"ACME","qty":5,"price":130,"date":"2026-08-05"`)
	h.post(t, "/security_splits", `{"security_split":{"ticker":"ACME","date":"2026-08-10","numerator":2,"denominator":1}}`)
	h.trade(t, "sale", "Broker", `"type":"sell","ticker":"ACME","qty":12,"price":80,"date":"2026-08-12"`)
	h.trade(t, "dividend", "Broker", `"type":"dividend","ticker":"ACME","amount":9,"date":"2026-08-14"`)
	h.post(t, "/security_prices", `{"security_prices":[{"ticker":"ACME","date":"2026-08-06","price":128.40,"currency":"EUR"},{"ticker":"ACME","date":"2026-08-17","price":"81","currency":"EUR"}]}`)
	h.trade(t, "zig", "Broker", `"type":"buy","manual_ticker":"ZIG","qty":4,"price":10,"date":"2026-08-04"`)
	h.trade(t, "zag", "Broker", `"type":"sell","ticker":"ZIG","qty":4,"price":12,"date":"2026-08-06"`)
	h.trade(t, "zig again", "Broker", `"type":"buy","ticker":"ZIG","qty":3,"price":11,"date":"2026-08-11"`)
	h.trade(t, "coin", "Wallet", `"type":"buy","ticker":"BTC","qty":0.12345678,"price":61000.5,"date":"2026-08-20"`)
	return h
}

// heldRow is what tests look at of a holding.
type heldRow struct {
	ID, Date, Price, Amount, Currency string
	Qty                               json.Number
	AvgCost                           *string `json:"avg_cost"`
	PriceDate                         string  `json:"price_date"`
	PriceSource                       string  `json:"price_source"`
	AmountCents                       int64   `json:"amount_cents"`
	Security                          struct{ ID, Ticker string }
	Account                           struct{ ID, Name string }
}

func (r heldRow) String() string {
	avg := "null"
	if r.AvgCost != nil {
		avg = *r.AvgCost
	}
	return strings.ReplaceAll(fmt.Sprintf("%s %s %s x %s (%s %s) = %s, paid %s", r.Date[8:], r.Security.Ticker, r.Qty, r.Price, r.PriceSource, r.PriceDate[8:], r.Amount, avg), "\u00a0€", "")
}

func (h *fixture) holdings(t *testing.T, query string) (rows []heldRow, total int) {
	t.Helper()
	p := h.as(t, h.readKey, "GET", "/holdings?"+query, "")
	var list struct {
		Holdings   []heldRow
		Pagination struct {
			TotalCount int `json:"total_count"`
		}
	}
	if err := json.Unmarshal([]byte(p.Text), &list); err != nil || p.StatusCode != 200 {
		t.Fatalf("%s: %d %s", query, p.StatusCode, p.Text)
	}
	return list.Holdings, list.Pagination.TotalCount
}

// TestHoldings holds what was decided.
//
// Decision, Trades, holdings, valuations, balance sheet: holdings: a row for each security, account and day on which it
// is held, up to today, with an id that stays; the price is the market's, else an earlier one, else that of the last
// trade; avg_cost is the weighted average with fees; cost_basis_source says calculated, or null.
// Contract, Holding: qty is a number; price, amount and avg_cost are formatted.
// Contract, GET /api/v1/holdings: holdings and pagination; on a date, from a date, until a date.
func TestHoldings(t *testing.T) {
	t.Parallel()
	h := newHoldingHouse(t)
	for day, want := range map[string]string{
		"2026-08-02": "",
		"2026-08-03": "03 ACME 10 x 100,00 (trade 03) = 1.000,00, paid 100,15",
		"2026-08-04": "04 ACME 10 x 100,00 (trade 03) = 1.000,00, paid 100,15\n04 ZIG 4 x 10,00 (trade 04) = 40,00, paid 10,00",
		"2026-08-05": "05 ACME 15 x 130,00 (trade 05) = 1.950,00, paid 110,10\n05 ZIG 4 x 10,00 (trade 04) = 40,00, paid 10,00",
		"2026-08-06": "06 ACME 15 x 128,40 (market 06) = 1.926,00, paid 110,10",
		"2026-08-09": "09 ACME 15 x 128,40 (market 06) = 1.926,00, paid 110,10",
		"2026-08-10": "10 ACME 30 x 64,20 (market 06) = 1.926,00, paid 55,05",
		"2026-08-11": "11 ACME 30 x 64,20 (market 06) = 1.926,00, paid 55,05\n11 ZIG 3 x 11,00 (trade 11) = 33,00, paid 11,00",
		"2026-08-12": "12 ACME 18 x 64,20 (market 06) = 1.155,60, paid 55,05\n12 ZIG 3 x 11,00 (trade 11) = 33,00, paid 11,00",
		"2026-08-17": "17 ACME 18 x 81,00 (market 17) = 1.458,00, paid 55,05\n17 ZIG 3 x 11,00 (trade 11) = 33,00, paid 11,00",
		"2026-08-22": "22 ACME 18 x 81,00 (market 17) = 1.458,00, paid 55,05\n22 ZIG 3 x 11,00 (trade 11) = 33,00, paid 11,00\n" +
			"22 BTC 0.12345678 x 61.000,50 (trade 20) = 7.530,93, paid 61.000,53800204",
		"2026-08-23": "",
	} {
		rows, total := h.holdings(t, "date="+day)
		var got []string
		for _, r := range rows {
			got = append(got, r.String())
		}
		if strings.Join(got, "\n") != want || total != len(got) {
			t.Errorf("%s: got %d\n%s\nwant\n%s", day, total, strings.Join(got, "\n"), want)
		}
	}
	h.golden(t, "holdings", h.call(t, "GET", "/holdings?per_page=2&page=2", ""))
}

// TestHoldingPages: the pages give each row once, in order; each row has an id of its own, by which it is
// found again.
//
// Decision, Transport: holdings: by date, the oldest first, then by account and ticker.
func TestHoldingPages(t *testing.T) {
	t.Parallel()
	h := newHoldingHouse(t)
	whole, total := h.holdings(t, "per_page=100")
	if total != 37 || len(whole) != 37 {
		t.Fatalf("%d holdings of %d", len(whole), total)
	}
	for _, size := range []int{1, 2, 3, 7, 36, 37} {
		var paged []heldRow
		for page := 1; ; page++ {
			rows, _ := h.holdings(t, fmt.Sprintf("per_page=%d&page=%d", size, page))
			if len(rows) == 0 {
				break
			}
			paged = append(paged, rows...)
		}
		if fmt.Sprint(paged) != fmt.Sprint(whole) {
			t.Errorf("pages of %d: got\n%s\nwant\n%s", size, paged, whole)
		}
	}
	if !slices.IsSortedFunc(whole, func(a, b heldRow) int { return strings.Compare(a.Date, b.Date) }) {
		t.Error("days do not rise")
	}
	ids := map[string]bool{}
	for _, r := range whole {
		p := h.call(t, "GET", "/holdings/"+strings.ToUpper(r.ID), "")
		var again heldRow
		if err := json.Unmarshal([]byte(p.Text), &again); err != nil || again.String() != r.String() || again.ID != r.ID || ids[r.ID] {
			t.Errorf("%s: got %d %s", r, p.StatusCode, p.Text)
		}
		ids[r.ID] = true
		h.as(t, h.neighbour, "GET", "/holdings/"+r.ID, "").Is(t, 404, `{"error":"not_found","message":"Holding not found","details":null}`)
	}
	h.as(t, h.neighbour, "GET", "/holdings", "").Is(t, 200, `{"holdings":[],"pagination":{"page":1,"per_page":25,"total_count":0,"total_pages":1}}`)
}

// TestHoldingFilters holds what was decided.
//
// Contract, GET /api/v1/holdings: by account and by several accounts; by security.
func TestHoldingFilters(t *testing.T) {
	t.Parallel()
	h := newHoldingHouse(t)
	all, _ := h.holdings(t, "per_page=100&date=2026-08-22")
	acme, zig, coin := all[0].Security.ID, all[1].Security.ID, all[2].Security.ID
	const nobody = "0198f2a0-1234-7abc-8def-0123456789ab"
	for query, want := range map[string]int{
		"":                       37,
		"account_id={Broker}":    34,
		"account_ids[]={Wallet}": 3,
		"account_ids={Wallet},{Broker}&start_date=2026-08-20":  9,
		"account_id={Wallet}&account_ids[]={Broker}":           0,
		"account_id={Checking}":                                0,
		"account_id={their Checking}":                          0,
		"account_id=" + nobody:                                 0,
		"security_id=" + zig:                                   14,
		"security_id=" + acme + "&end_date=2026-08-03":         1,
		"security_ids[]=" + zig + "&security_ids[]=" + coin:    17,
		"security_id=" + nobody:                                0,
		"start_date=2026-08-06&end_date=2026-08-10":            5,
		"start_date=2026-08-10&end_date=2026-08-09":            0,
		"date=2026-08-06&start_date=2026-08-07":                0,
		"date=&account_id=&security_id=&start_date=&end_date=": 37,
		"start_date=2026-08-22&end_date=2199-12-31":            3,
	} {
		rows, total := h.holdings(t, "per_page=100&"+query)
		if total != want || len(rows) != want {
			t.Errorf("%s: got %d rows of %d, want %d", query, len(rows), total, want)
		}
	}
	for query, field := range map[string]string{
		"date=2026-02-30": "date", "date=today": "date", "start_date=2026-13-01": "start_date", "end_date=1.2.2026": "end_date", "date=2026-08-01&date=2026-08-02": "date",
		"account_id=x": "account_id", "account_ids[]=x": "account_ids", "security_id=ACME": "security_id", "security_ids=1,2": "security_ids",
	} {
		h.refuses(t, unprocessable(field), "GET", "/holdings?"+query, "")
	}
	h.call(t, "GET", "/holdings/x", "").Is(t, 404, "")
	h.call(t, "GET", "/holdings/"+nobody, "").Is(t, 404, "")
	h.call(t, "POST", "/holdings", "{}").Is(t, 405, "")
	h.call(t, "PATCH", "/accounts/{Broker}", `{"account":{"status":"disabled"}}`).Is(t, 200, "")
	if _, total := h.holdings(t, ""); total != 3 {
		t.Errorf("without the disabled account there are %d", total)
	}
	h.call(t, "GET", "/holdings/"+all[0].ID, "").Is(t, 404, "")
}

// TestHoldingInSeveralCurrencies: 2 units for 10.00 EUR and 2 for 8.00 USD cost 10.00 + 8.00 / 1.25 = 16.40 EUR, 4.10 a
// unit; without a rate of the second day nobody knows.
//
// Contract, Holding: avg_cost and cost_basis_source are null where the cost is not known.
func TestHoldingInSeveralCurrencies(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.open(t, "Broker", "investment", "EUR", "0")
	h.trade(t, "euros", "Broker", `"type":"buy","ticker":"MIX","qty":2,"price":5,"date":"2026-08-03"`)
	h.trade(t, "dollars", "Broker", `"type":"buy","ticker":"MIX","qty":2,"price":4,"currency":"USD","date":"2026-08-20"`)
	rows, _ := h.holdings(t, "date=2026-08-21")
	if got := fmt.Sprint(rows); got != "[21 MIX 4 x 4,00\u00a0$ (trade 20) = 16,00\u00a0$, paid null]" {
		t.Error(got)
	}
	h.rates(t, "2026-08-20,EUR,USD,1.25")
	rows, _ = h.holdings(t, "date=2026-08-21")
	if got := fmt.Sprint(rows); got != "[21 MIX 4 x 4,00\u00a0$ (trade 20) = 16,00\u00a0$, paid 4,10]" {
		t.Error(got)
	}
}
