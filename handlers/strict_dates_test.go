package handlers

import (
	"net/url"
	"strings"
	"testing"
)

// TestDatesWithBlanks: a date is strict, in every body and every filter: what stands around it is refused, not left out.
func TestDatesWithBlanks(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.fillInvestments(t)
	before := h.print(t)
	for _, date := range []string{`" 2026-01-05"`, `"2026-01-05 "`, `"2026-01-05\n"`, `"\t2026-01-05"`, `"\u00a02026-01-05"`} {
		for target, body := range map[string]string{
			"/transactions":      `{"transaction":{"account_id":"{Checking}","amount":1,"name":"x","date":DATE}}`,
			"/transactions/bulk": `{"transactions":[{"account_id":"{Checking}","amount":1,"name":"x","date":DATE}]}`,
			"/trades":            `{"trade":{"account_id":"{Broker}","manual_ticker":"X","qty":1,"price":1,"date":DATE}}`,
			"/valuations":        `{"valuation":{"account_id":"{Checking}","amount":1,"date":DATE}}`,
			"/accounts":          `{"account":{"name":"Fresh","account_type":"depository","balance":1,"date":DATE}}`,
			"/security_prices":   `{"security_price":{"ticker":"NAMED","price":1,"currency":"EUR","date":DATE}}`,
			"/security_splits":   `{"security_split":{"ticker":"NAMED","ratio":"2:1","date":DATE}}`,
			"/rules":             `{"rule":{"name":"x","effective_date":DATE,"conditions":[],"actions":[]}}`,
		} {
			p := h.call(t, "POST", target, strings.ReplaceAll(body, "DATE", date))
			if p.StatusCode != 422 || !strings.Contains(p.Text, "date must be a calendar date such as 2026-01-31, got") {
				t.Errorf("%s %s: %d %s", target, date, p.StatusCode, p.Text)
			}
		}
	}
	for path, names := range map[string][]string{
		"/transactions": {"start_date", "end_date"}, "/trades": {"start_date", "end_date"}, "/valuations": {"start_date", "end_date"},
		"/holdings": {"date", "start_date", "end_date"}, "/balances": {"start_date", "end_date"}, "/transfers": {"start_date", "end_date"},
		"/security_prices": {"start_date", "end_date"}, "/security_splits": {"start_date", "end_date"}, "/net_worth": {"start_date", "end_date"},
		"/income_statement": {"start_date", "end_date"}, "/balance_sheet": {"as_of"}, "/explain": {"date", "from"},
	} {
		for _, name := range names {
			p := h.call(t, "GET", path+"?"+name+"="+url.QueryEscape(" 2026-01-05"), "")
			if p.StatusCode != 422 || !strings.Contains(p.Text, name+" must be a calendar date such as 2026-01-31, got") {
				t.Errorf("%s by %s: %d %s", path, name, p.StatusCode, p.Text)
			}
		}
	}
	if h.print(t) != before {
		t.Error("something was written")
	}
}
