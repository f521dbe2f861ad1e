package handlers

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// page is a page of the list, as far as tests look at it.
type transactionPage struct {
	Transactions []wireTransaction
	Pagination   struct {
		Page       int
		PerPage    int `json:"per_page"`
		TotalCount int `json:"total_count"`
		TotalPages int `json:"total_pages"`
	}
}

type wireTransaction struct {
	ID, Name, Date, Currency string
	Signed                   int64 `json:"signed_amount_cents"`
}

// list reads a page; the query may hold names in braces.
func (h *fixture) list(t *testing.T, query string) (page transactionPage) {
	t.Helper()
	p := h.as(t, h.readKey, "GET", "/transactions?"+query, "")
	if err := json.Unmarshal([]byte(p.Text), &page); err != nil || p.StatusCode != 200 {
		t.Fatalf("GET /transactions?%s: %d %s", query, p.StatusCode, p.Text)
	}
	return page
}

func (p transactionPage) names() string {
	names := make([]string, len(p.Transactions))
	for i, one := range p.Transactions {
		names[i] = one.Name
	}
	return strings.Join(names, " ")
}

// stocked is a house with transactions a to h, a being the newest.
func stocked(t *testing.T) *fixture {
	h := newFixture(t)
	for _, c := range [][2]string{
		{"h", `"account_id":"{Dinars}","date":"2026-01-01","amount":0.500`},
		{"g", `"account_id":"{Savings}","date":"2026-01-02","amount":-20,"category_id":"{Salary}"`},
		{"f", `"account_id":"{Checking}","date":"2026-01-03","amount":0,"notes":"Größe 100%"`},
		{"e", `"account_id":"{Checking}","date":"2026-01-04","amount":20,"merchant_id":"{Kiosk}","tag_ids":["{fun}"]`},
		{"d", `"account_id":"{Savings}","date":"2026-01-05","amount":15,"category_id":"{Food}","merchant_id":"{Bäcker}"`},
		{"c", `"account_id":"{Checking}","date":"2026-01-06","amount":-1500,"currency":"JPY","category_id":"{Salary}","tag_ids":["{Alltag}"]`},
		{"b", `"account_id":"{Checking}","date":"2026-01-07","amount":9.99,"category_id":"{Food}","merchant_id":"{Bäcker}","tag_ids":["{fun}","{Alltag}"]`},
		{"a", `"account_id":"{Checking}","date":"2026-01-07","amount":10,"notes":"line\nunder_score"`},
	} {
		h.add(t, c[0], c[1])
	}
	return h
}

// TestTransactionFilters holds what was decided.
//
// Decision, Transport: a singular and a plural filter intersect.
// Decision, Transactions: every filter by its name; min_amount and max_amount compare the sign of expenses, with a type
// the absolute amount; zero is an expense; search takes a part of a text in any case; % and _ are ordinary.
// Contract, GET /api/v1/transactions: by account; by category; by merchant; from a date, until a date; minimum and
// maximum amount; type is income or expense; search in name, notes and merchant name; by several accounts; by several
// categories; by several merchants; by tags; filters together.
func TestTransactionFilters(t *testing.T) {
	t.Parallel()
	h := stocked(t)
	for query, want := range map[string]string{
		"":                    "a b c d e f g h",
		"account_id={Dinars}": "h",
		"account_ids[]={Dinars}&account_ids[]={Savings}":      "d g h",
		"account_ids={Dinars}&account_ids={Savings}":          "d g h",
		"account_ids={Dinars},{Savings}":                      "d g h",
		"account_ids[0]={Dinars}&account_ids[1]={Savings}":    "d g h",
		"account_ids[]={Dinars}&account_id={Savings}":         "",
		"account_ids={Dinars},{Savings}&account_id={Savings}": "d g",
		"account_id={their Checking}":                         "",
		"account_ids={their Checking},{Dinars}":               "h",
		"account_ids=":                                        "a b c d e f g h",
		"account_ids[]=":                                      "a b c d e f g h",
		"category_id={Food}":                                  "b d",
		"category_ids[]={Food}&category_ids[]={Salary}":       "b c d g",
		"category_ids={Food}&category_ids={Salary}":           "b c d g",
		"category_ids={Food},{Salary}":                        "b c d g",
		"merchant_id={Kiosk}":                                 "e",
		"merchant_ids[]={Kiosk}&merchant_ids[]={Bäcker}":      "b d e",
		"merchant_ids={Kiosk}&merchant_ids={Bäcker}":          "b d e",
		"merchant_ids={Kiosk},{Bäcker}":                       "b d e",
		"tag_ids[]={fun}&tag_ids[]={Alltag}":                  "b c e",
		"tag_ids={fun}&tag_ids={Alltag}":                      "b c e",
		"tag_ids={fun},{Alltag}":                              "b c e",
		"tag_ids={fun}":                                       "b e",
		"start_date=2026-01-05":                               "a b c d",
		"end_date=2026-01-02":                                 "g h",
		"start_date=2026-01-03&end_date=2026-01-04":           "e f",
		"start_date=2026-01-04&end_date=2026-01-03":           "",
		"min_amount=10":                                       "a d e", // an expense is positive
		"max_amount=0":                                        "c f g", // an income negative
		"min_amount=-20&max_amount=9.99":                      "b f g h",
		"min_amount=10&type=expense":                          "a d e",
		"min_amount=20&type=income":                           "c g", // with a type: absolute
		"max_amount=20&type=income":                           "g",
		"min_amount=-20&max_amount=-20&type=income":           "g", // as an income is written
		"max_amount=-20.01&type=income":                       "c",
		"min_amount=-20&type=income":                          "c g",
		"min_amount=-20&max_amount=-20&type=expense":          "",
		"min_amount=0.5&max_amount=0.5":                       "h", // three decimals
		"min_amount=0.5001&max_amount=9.989":                  "",
		"min_amount=1e1&max_amount=1E%2B1":                    "a",
		"type=income":                                         "c g",
		"type=EXPENSE":                                        "a b d e f h",
		"search=B%C3%84CKER":                                  "b d", // the merchant, in any case
		"search=UNDER_SCORE":                                  "a",
		"search=gr%C3%B6sse":                                  "",
		"search=GR%C3%96%C3%9FE":                              "f",
		"search=100%25":                                       "f",
		"search=%25":                                          "f",
		"search=_":                                            "a",
		"search=%20%20":                                       "a b c d e f g h",
		"search=a+OR+b":                                       "",
		"search=NEAR(a+b)":                                    "",
		"search=name:a":                                       "",
		"search=bro*":                                         "",
		"search=-a":                                           "",
		"search='%22":                                         "",
		"search=%22":                                          "",
		"unknown=1":                                           "a b c d e f g h",
		"account_id={Checking}&category_id={Food}&merchant_id={Bäcker}&tag_ids={fun}&start_date=2026-01-07&end_date=2026-01-07&min_amount=9.99&max_amount=9.99&type=expense&search=b": "b",
		"account_ids={Checking},{Savings}&type=expense&start_date=2026-01-04": "a b d e",
		"category_ids={Food},{Salary}&tag_ids={Alltag}&type=income":           "c",
		"search=%C3%A4cker&account_id={Savings}":                              "d",
		"merchant_ids={Bäcker},{Kiosk}&min_amount=15":                         "d e",
		"tag_ids={fun}&merchant_id={Bäcker}&max_amount=10":                    "b",
	} {
		got := h.list(t, query)
		if got.names() != want || got.Pagination.TotalCount != len(strings.Fields(want)) {
			t.Errorf("%s: got %q, %d in all; want %q", query, got.names(), got.Pagination.TotalCount, want)
		}
	}
}

// TestTransactionPaging holds what was decided.
//
// Contract, GET /api/v1/transactions: page and per_page: 1 and 25 by default, at most 100.
func TestTransactionPaging(t *testing.T) {
	t.Parallel()
	h := stocked(t)
	for _, c := range []struct {
		query                string
		names                string
		page, perPage, pages int
	}{
		{"per_page=3", "a b c", 1, 3, 3},
		{"per_page=3&page=3", "g h", 3, 3, 3},
		{"per_page=3&page=4", "", 4, 3, 3},
		{"per_page=4&page=2", "e f g h", 2, 4, 2},
		{"per_page=4&page=3", "", 3, 4, 2},
		{"per_page=100", "a b c d e f g h", 1, 100, 1},
		{"per_page=101", "a b c d e f g h", 1, 100, 1},
		{"per_page=99999999999999999999", "a b c d e f g h", 1, 100, 1},
		{"per_page=0", "a b c d e f g h", 1, 25, 1},
		{"per_page=-5", "a b c d e f g h", 1, 25, 1},
		{"per_page=ten", "a b c d e f g h", 1, 25, 1},
		{"per_page=", "a b c d e f g h", 1, 25, 1},
		{"per_page=1.5", "a b c d e f g h", 1, 25, 1},
		{"page=0", "a b c d e f g h", 1, 25, 1},
		{"page=-1", "a b c d e f g h", 1, 25, 1},
		{"page=x", "a b c d e f g h", 1, 25, 1},
		{"page=99999999999999999999", "", 2147483647, 25, 1},
		{"page=9223372036854775807&per_page=100", "", 2147483647, 100, 1},
		{"page=7&type=income", "", 7, 25, 1},
		{"start_date=2030-01-01", "", 1, 25, 1},
	} {
		got := h.list(t, c.query)
		if p := got.Pagination; got.names() != c.names || p.Page != c.page || p.PerPage != c.perPage || p.TotalPages != c.pages {
			t.Errorf("%s: got %q %+v", c.query, got.names(), got.Pagination)
		}
	}
}

// TestManyIDs: a filter may name as many ids as a URL can hold.
func TestManyIDs(t *testing.T) {
	t.Parallel()
	h := stocked(t)
	ids := strings.Repeat("00000000-0000-4000-8000-000000000000,", 1000)
	for _, name := range []string{"account_ids", "category_ids", "merchant_ids", "tag_ids"} {
		if got := h.list(t, name+"="+ids+"{Dinars},{Salary},{Kiosk},{Alltag}"); got.Pagination.TotalCount == 0 || got.names() == "" {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

// TestPageWalk: while nothing changes, walking all pages sees each row once, in order.
//
// Decision, Transport: every order is total: pages repeat and skip nothing.
func TestPageWalk(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const rows = 60
	var batch []string
	for i := range rows {
		batch = append(batch, fmt.Sprintf(`{"account_id":"{Checking}","date":"2026-01-%02d","amount":%d,"name":"n%d"}`, 1+i*7%5, i-30, i))
	}
	h.call(t, "POST", "/transactions/bulk", `{"transactions":[`+strings.Join(batch, ",")+`]}`).Is(t, 201, "")
	for query, want := range map[string]int{"": rows, "&type=income": 30, "&min_amount=-5&max_amount=5": 11, "&search=n": rows, "&account_id={Checking}&end_date=2026-01-03": 36} {
		seen := map[string]bool{}
		last := ""
		for page := 1; ; page++ {
			got := h.list(t, "per_page=7&page="+strconv.Itoa(page)+query)
			for _, one := range got.Transactions {
				if seen[one.ID] || last != "" && one.Date > last {
					t.Errorf("%s: page %d has %s of %s again or out of order", query, page, one.Name, one.Date)
				}
				seen[one.ID], last = true, one.Date
			}
			if len(got.Transactions) < 7 {
				break
			}
		}
		if len(seen) != want {
			t.Errorf("%s: saw %d rows, want %d", query, len(seen), want)
		}
	}
}
