package handlers

import (
	"net/url"
	"strings"
	"testing"
)

// TestIncomeStatementBodies: the house's day is 2026-08-22. In August 1,000.00 are earned; 12.50 and 7.50 are
// spent on food, 3.00 on nothing named; 5.000 KWD have no rate; 250.00 and 40.00 move between accounts.
func TestIncomeStatementBodies(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.moveMoney(t)
	h.add(t, "Pay", `"account_id":"{Checking}","date":"2026-08-01","amount":-1000,"category_id":"{Salary}"`)
	h.add(t, "Bread", `"account_id":"{Checking}","date":"2026-08-22","amount":12.5,"category_id":"{Food}"`)
	h.add(t, "Cake", `"account_id":"{Visa}","date":"2026-08-10","amount":7.5,"category_id":"{Food}"`)
	h.add(t, "Lost", `"account_id":"{Savings}","date":"2026-08-10","amount":3`)
	h.add(t, "Souk", `"account_id":"{Dinars}","date":"2026-08-10","amount":5,"category_id":"{Food}"`)
	h.add(t, "July", `"account_id":"{Checking}","date":"2026-07-31","amount":99`)
	h.add(t, "Tomorrow", `"account_id":"{Checking}","date":"2026-08-23","amount":99`)
	h.golden(t, "income_statement", h.as(t, h.readKey, "GET", "/income_statement", ""))
	h.golden(t, "income_statement", h.call(t, "GET", "/income_statement?start_date=2026-08-01&end_date=2026-08-22&other=1", ""))
	h.golden(t, "income_statement_of_account", h.call(t, "GET", "/income_statement?account_ids={Visa},{Savings}&end_date=2026-08-31", ""))
	h.golden(t, "income_statement_of_nothing", h.call(t, "GET", "/income_statement?account_id={their Checking}", ""))
}

func TestBadIncomeStatements(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for name, bad := range map[string][]string{
		"start_date": {"2026-02-30", "x", "2026-1-1", "2026-08-23", "9999-12-31"}, "end_date": {"2026-02-30", "x", "0001-01-01"}, "account_id": {"x", "7"}, "account_ids": {"x", "{Checking},7"},
	} {
		for _, text := range bad {
			query := name + "=" + url.QueryEscape(h.fill(text))
			if text == "2026-08-23" {
				query += "&end_date=2026-08-22"
			}
			h.refuses(t, unprocessable(name), "GET", "/income_statement?"+query, "")
		}
	}
	p := h.call(t, "GET", "/income_statement?start_date=2026-09-01", "")
	if p.StatusCode != 200 || !strings.Contains(p.Text, `"start_date":"2026-09-01","end_date":"2026-09-01"`) {
		t.Errorf("got %d %s", p.StatusCode, p.Text)
	}
}
