package handlers

import (
	"net/url"
	"strings"
	"testing"
)

// TestSearchWords: the list is searched in words by q, in the place of its filters.
func TestSearchWords(t *testing.T) {
	t.Parallel()
	h := stocked(t)
	for words, want := range map[string]string{
		"@savings":                    "d g",
		"cat:food by:bäcker":          "b d",
		"cat:food -#alltag":           "d",
		"no:category >=10 is:expense": "a", // e is a side of a transfer
		"#fun #alltag":                "b c e",
		"since:2026-01-05 is:expense": "a b d",
		`"größe 100%"`:                "f",
	} {
		if got := h.list(t, "q="+url.QueryEscape(words)).names(); got != want {
			t.Errorf("%s: got %q, want %q", words, got, want)
		}
	}
	for query, words := range map[string]string{
		"q=cat%3Adrinks+is%3Amoney": "is:expense or is:transfer",
		"q=a&search=b":              "q must not be given together with other filters",
		"q=a&q=b":                   "q must be given once",
	} {
		if p := h.as(t, h.readKey, "GET", "/transactions?"+query, ""); p.StatusCode != 422 || !strings.Contains(p.Text, words) {
			t.Errorf("%s: %d %s", query, p.StatusCode, p.Text)
		}
	}
}

// TestWarnings: parameters that look like ones that a request has are named, others are not; what is asked is answered
// all the same, again from the cache.
func TestWarnings(t *testing.T) {
	t.Parallel()
	h := stocked(t)
	for query, want := range map[string]string{
		"/transactions?startdate=2026-01-05":  `the parameter \"startdate\" is not known and was ignored; did you mean start_date?`,
		"/transactions?startDate=x&perPage=2": `did you mean start_date?","the parameter \"perPage\" is not known and was ignored; did you mean per_page?`,
		"/transactions?catgory_ids[]=x":       `\"catgory_ids\" is not known and was ignored; did you mean category_ids?`,
		"/accounts?per-page=1":                "did you mean per_page?",
		"/balance_sheet?asof=2026-01-01":      "did you mean as_of?",
	} {
		for range 2 {
			if p := h.call(t, "GET", query, ""); p.StatusCode != 200 || !strings.HasSuffix(p.Text, "]}") || !strings.Contains(p.Text, `,"warnings":["`) || !strings.Contains(p.Text, want) {
				t.Errorf("%s: %d %s", query, p.StatusCode, p.Text)
			}
		}
	}
	for _, query := range []string{"/transactions?unknown=1", "/transactions?start_date=2026-01-01&_=1700000000", "/tags?startdate=2026-01-05", "/transactions?tag_ids[]="} {
		if p := h.call(t, "GET", query, ""); p.StatusCode != 200 || strings.Contains(p.Text, "warnings") {
			t.Errorf("%s: %d %s", query, p.StatusCode, p.Text)
		}
	}
}

// TestNameForAnID: where a name is given for an id, the error says which id has it.
func TestNameForAnID(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for _, c := range []struct{ method, path, body, want string }{
		{"POST", "/transactions", `{"transaction":{"account_id":"checking","date":"2026-01-01","amount":1,"name":"x"}}`,
			`account_id must be an id (a UUID), got \"checking\"; the account \"Checking\" has the id {Checking}`},
		{"POST", "/transactions", `{"transaction":{"account_id":"{Checking}","date":"2026-01-01","amount":1,"name":"x","category_id":"Food","tag_ids":["fun"]}}`,
			`got \"Food\"; the category \"Food\" has the id {Food}`},
		{"POST", "/transactions", `{"transaction":{"account_id":"{Checking}","date":"2026-01-01","amount":1,"name":"x","tag_ids":["fun"]}}`,
			`the tag \"fun\" has the id {fun}`},
		{"GET", "/transactions?merchant_ids=kiosk", "", `the merchant \"Kiosk\" has the id {Kiosk}`},
		{"PATCH", "/transactions/bulk?category_id=food", `{"transaction":{"notes":"x"}}`, `the category \"Food\" has the id {Food}`},
		{"GET", "/balances?account_id=Nothing", "", `got \"Nothing\"","`},
	} {
		p := h.call(t, c.method, c.path, c.body)
		if want := h.fill(c.want); p.StatusCode != 422 || !strings.Contains(p.Text, want) {
			t.Errorf("%s %s: %d %s, want %s", c.method, c.path, p.StatusCode, p.Text, want)
		}
	}
}
