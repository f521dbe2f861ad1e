package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/assistant/model"
	"finsvc/assistant/tools"
	"finsvc/ledger"
	"finsvc/ledger/entry"
)

// booking is a transaction of [fixture.fill]. The amount is positive; a salary is income, all else expense.
type booking struct{ day, amount, name, account, category, merchant, tag string }

// fill books what questions are about:
//
//	Groceries   April 80.00 + 20.50 = 100.50, May 60.25 + 30.00 + 9.75 = 100.00, October 1,234.50, November 12.00
//	at Aldi     April 80.00, May 60.25 + 30.00 = 90.25, October 1,234.50;  at Lidl  April 20.50, May 9.75, November 12.00
//	Bakery      May 4.80; Café (no merchant) May 3.20
//	Rent        900.00 in April, May and October
//	Travel      June 2025 500.00, tagged vacation
//	Salary      2,500.00 in April, May and October
//	in no category: 15.99 to Netflix on May 20, on the Visa Gold; 42.00 "Miller Plumbing" on May 21
func (h *fixture) fill() {
	for _, b := range []booking{
		{"2025-06-10", "500", "Hotel Sole", "Checking", "Travel", "", "vacation"},
		{"2026-04-01", "900", "Rent April", "Checking", "Mortgage / Rent", "", ""},
		{"2026-04-10", "80", "Aldi 123", "Checking", "Groceries", "Aldi", ""},
		{"2026-04-12", "20.50", "Lidl", "Checking", "Groceries", "Lidl", "kids"},
		{"2026-04-30", "2500", "Acme April", "Checking", "Salary", "", ""},
		{"2026-05-02", "900", "Rent May", "Checking", "Mortgage / Rent", "", ""},
		{"2026-05-04", "60.25", "Aldi 123", "Checking", "Groceries", "Aldi", ""},
		{"2026-05-11", "30", "Aldi 124", "Checking", "Groceries", "Aldi", "kids"},
		{"2026-05-12", "9.75", "Lidl", "Checking", "Groceries", "Lidl", ""},
		{"2026-05-13", "4.80", "Corner bread", "Checking", "Bakery", "", ""},
		{"2026-05-14", "3.20", "Coffee", "Checking", "Café", "", ""},
		{"2026-05-20", "15.99", "Netflix.com", "Visa Gold", "", "Netflix", ""},
		{"2026-05-21", "42", "Miller Plumbing", "Checking", "", "", ""},
		{"2026-05-29", "2500", "Acme May", "Checking", "Salary", "", ""},
		{"2026-10-01", "900", "Rent October", "Checking", "Mortgage / Rent", "", ""},
		{"2026-10-17", "1234.50", "Aldi party", "Checking", "Groceries", "Aldi", ""},
		{"2026-10-30", "2500", "Acme October", "Checking", "Salary", "", ""},
		{"2026-11-20", "12", "Lidl", "Checking", "Groceries", "Lidl", ""},
	} {
		h.book(b)
	}
}

func (h *fixture) book(b booking) {
	h.tb.Helper()
	in := entry.TransactionInput{AccountID: ledger.Some(h.accounts[b.account]), Date: ledger.Some(h.day(b.day)),
		Amount: ledger.Some(decimal.RequireFromString(b.amount)),
		Nature: ledger.Some("expense"), Name: ledger.Some(b.name)}
	if b.category == "Salary" || b.category == "Interest" {
		in.Nature = ledger.Some("income")
	}
	if b.category != "" {
		in.CategoryID = ledger.Some(h.categories[b.category])
	}
	if b.merchant != "" {
		in.MerchantID = ledger.Some(h.merchants[b.merchant])
	}
	if b.tag != "" {
		in.TagIDs = ledger.Some([]uuid.UUID{h.tags[b.tag]})
	}
	if _, _, err := h.Entries.CreateTransaction(h.tb.Context(), h.who, in); err != nil {
		h.tb.Fatal(err)
	}
}

// TestToolsSayWhenBooksBegin: the accounts of the house are opened at the end of 2023, and before that nothing is
// known: neither nothing earned nor a net worth of zero to grow from.
func TestToolsSayWhenBooksBegin(t *testing.T) {
	t.Parallel()
	h := newFurnishedFixture(t)
	call := func(name, arguments string) string {
		c := model.Call{ID: "1", Name: name, Arguments: json.RawMessage(arguments)}
		return string(must[json.RawMessage](t)(tools.New(h.Books).Run(t.Context(), h.who, c, 16_000)))
	}
	for _, c := range []struct {
		name, arguments string
		begins          bool
	}{
		{"get_income_statement", `{"start_date":"2023-01-01","end_date":"2023-12-31"}`, true},
		{"get_income_statement", `{"start_date":"2024-01-01","end_date":"2024-12-31"}`, false},
		{"get_income_statement",
			`{"start_date":"2024-01-01","end_date":"2024-12-31","compare_previous_period":true}`, true},
		{"get_income_statement",
			`{"start_date":"2026-05-01","end_date":"2026-05-31","compare_previous_period":true}`, false},
		{"get_balance_sheet", `{"date":"2022-12-31"}`, true},
		{"get_balance_sheet", `{"date":"2023-12-31"}`, false},
		{"get_balance_sheet", `{"start_date":"2023-01-01","end_date":"2024-12-31"}`, true},
		{"explain_figure", `{"figure":"balance","account":"Checking","date":"2022-12-31"}`, true},
		{"explain_figure", `{"figure":"net_worth","from":"2020-01-01"}`, true},
		{"explain_figure", `{"figure":"net_worth","from":"2025-01-01"}`, false},
	} {
		got := call(c.name, c.arguments)
		if says := strings.Contains(got, `"books_begin":"2023-12-31"`); says != c.begins ||
			says && strings.Contains(got, "percent") {
			t.Errorf("%s %s: %s", c.name, c.arguments, got)
		}
	}
}
