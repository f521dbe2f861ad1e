package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/trade"
)

// TestExplain: each figure is a list that adds up to it, and its rows lead on.
func TestExplain(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	small(h, t)
	h.Create(ledgertest.Entry(h.Account(h.Who, "Savings", "EUR"), "2026-02-10", "-100", "Gift"))
	broker, err := h.Accounts.CreateAccount(t.Context(), h.Who, catalog.AccountInput{Name: ledger.Some("Broker"),
		AccountType: ledger.Some("investment"), Currency: ledger.Some("EUR")})
	if err != nil {
		t.Fatal(err)
	}
	bought, err := h.Trades.CreateTrade(t.Context(), h.Who, trade.Input{AccountID: ledger.Some(uuid.UUID(broker.PublicID)),
		Date: ledger.Some(ledger.NewDate(2026, 2, 1)), Quantity: ledger.Some(decimal.RequireFromString("2")),
		Price: ledger.Some(decimal.RequireFromString("30")), ManualTicker: ledger.Some("ACME")})
	if err != nil {
		t.Fatal(err)
	}
	account := uuid.UUID(broker.PublicID).String()
	security := bought.Trade.Security.ID.String()
	for path, texts := range map[string][]string{
		"/explain?figure=net_worth":                                                  {"Net worth €1,410.00 Mar 1, 2026", "Giro €1,310.00", "Savings €100.00", "Together €1,410.00"},
		"/explain?figure=net_worth&from=2026-02-20":                                  {"+€1,950.00 since Feb 20, 2026", "Together, the change €1,950.00 On Feb 20, 2026 it was −€540.00 So it is €1,410.00"},
		"/explain?figure=balance&account_id=" + account:                              {"Balance of Broker", "ACME 2 × €30.00", "€60.00"},
		"/explain?figure=holding&account_id=" + account + "&security_id=" + security: {"ACME in Broker €60.00", "Buy 2 shares of ACME 2 × €30.00, 2 held then, −€60.00 Feb 1, 2026"},
		"/explain?figure=income&month=2026-02":                                       {"No category 2 entries €2,050.00", "Together €2,050.00"},
		"/explain?figure=income&month=2026-02&by=account":                            {"Giro €1,950.00", "Savings 1 entry €100.00", "Together €2,050.00"},
		"/explain?figure=expenses&month=2026-02":                                     {"Together €640.00", "Home 1 entry €640.00"},
		"/explain?figure=expenses&month=2026-02&category_id=none":                    {"Went out, no category", "€0.00 February 2026", "Nothing adds to it"},
	} {
		h.get(t, path).shows(t, texts...)
	}
	month := h.get(t, "/explain?figure=expenses&month=2026-02")
	if !strings.Contains(month.text, "category_id=") {
		t.Error("a category does not lead on")
	}
	for path, says := range map[string]string{
		"/explain":                                           "figure must be net_worth, balance, holding, income or expenses",
		"/explain?figure=balance":                            "account_id must be the id of an account",
		"/explain?figure=income&month=2026-13":               "month must be a month such as 2026-11",
		"/explain?figure=net_worth&date=1.1.":                "date must be a calendar date",
		"/explain?figure=income&month=2026-02&category_id=x": "category_id must be the id of a category, or none",
	} {
		a := h.ask(t, path)
		a.shows(t, says)
		if a.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: %s", path, a.Status)
		}
	}
	h.done(t, "/hide", "hide=true")
	if hidden := h.get(t, "/explain?figure=net_worth"); strings.Contains(hidden.words(), "€") {
		t.Error("amounts are in a page on which they are hidden")
	}
}
