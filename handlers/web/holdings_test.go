package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
)

// broker opens an account that takes trades.
func (h *house) broker(t *testing.T, name, currency string) uuid.UUID {
	t.Helper()
	a, err := h.Accounts.CreateAccount(t.Context(), h.Who, catalog.AccountInput{Name: ledger.Some(name),
		AccountType: ledger.Some("investment"), Currency: ledger.Some(currency)})
	if err != nil {
		t.Fatal(err)
	}
	return uuid.UUID(a.PublicID)
}

// TestTradesByHand: trades are typed in, worked out before, changed and deleted, and each is taken back; what is wrong is
// said beside the form.
func TestTradesByHand(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	depot := h.broker(t, "Depot", "EUR").String()
	buy := []string{"account_id=" + depot, "type=buy", "date=2026-02-02", "ticker=acme|xnas", "qty=10", "price=12,50", "fee=1"}
	look := h.post(t, "/trades", append(buy, "then=look")...)
	look.shows(t, "€126.00 go out of the account with the fee.")
	h.get(t, "/trades").shows(t, "There are no trades yet")
	if a := h.post(t, "/trades", append(buy, "then=look", "price=x")...); a.StatusCode != http.StatusOK {
		t.Errorf("asked for what half a number comes to: %s", a.Status)
	}

	page := h.done(t, "/trades", buy...)
	page.shows(t, "added 1 trade", "Buy 10 shares of ACME Feb 2, 2026 Depot 10 €12.50 €1.00 −€126.00", "1 trade")
	path := regexp.MustCompile(`/trades/[0-9a-f-]{36}`).FindString(page.text)
	changed := h.done(t, path, "type=buy", "date=2026-02-03", "qty=8", "price=12.50", "fee=", "currency=EUR", "notes=")
	changed.shows(t, "Buy 8 shares of ACME Feb 3, 2026 Depot 8 €12.50 −€100.00")
	h.undo(t, changed).shows(t, "Buy 10 shares of ACME Feb 2, 2026 Depot 10 €12.50 €1.00 −€126.00")
	h.get(t, path).shows(t, "Buy 10 shares of ACME")

	for name, tt := range map[string]struct{ field, says string }{
		"quantity": {"qty=0", "qty must not be 0"},
		"price":    {"price=cheap", "price must be a number such as 1,234.56"},
		"ticker":   {"ticker=", "security_id is required"},
		"day":      {"date=2026-02-30", "date must be a calendar date"},
		"fee":      {"fee=-1", "fee must be 0 or greater"},
		"short":    {"type=sell", ""},
	} {
		fields := append([]string{}, buy...)
		key, _, _ := strings.Cut(tt.field, "=")
		for i, f := range fields {
			if strings.HasPrefix(f, key+"=") {
				fields[i] = tt.field
			}
		}
		if name == "short" {
			fields[4] = "qty=11"
		}
		wrong := h.post(t, "/trades", fields...)
		if wrong.StatusCode != http.StatusUnprocessableEntity && wrong.StatusCode != http.StatusConflict || !strings.Contains(wrong.words(), tt.says) {
			t.Errorf("%s: %s does not say %q:\n%s", name, wrong.Status, tt.says, wrong.words())
		}
	}
	h.done(t, "/trades", "account_id="+depot, "type=dividend", "date=2026-02-20", "ticker=ACME|XNAS", "amount=8.40").shows(t, "Dividend: ACME", "+€8.40", "2 trades")
	h.get(t, "/trades?account="+uuid.NewString()).shows(t, "There are none of these")
	gone := h.done(t, path+"/delete")
	gone.shows(t, "1 trade")
	h.undo(t, gone).shows(t, "2 trades", "Buy 10 shares of ACME")
}

// TestHoldings: what is held is in groups by account, type and currency, with sums of what has a rate; what is old or
// missing is said.
func TestHoldings(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	depot, dollars := h.broker(t, "Depot", "EUR").String(), h.broker(t, "Dollars", "USD").String()
	h.done(t, "/trades", "account_id="+depot, "type=buy", "date=2026-02-02", "ticker=ACME", "qty=10", "price=12.50", "fee=1")
	h.done(t, "/trades", "account_id="+dollars, "type=buy", "date=2026-02-27", "ticker=BETA", "qty=2", "price=100", "fee=")
	h.get(t, "/holdings").shows(t, "The sums leave out BETA in Dollars ($200.00)", "without 1 holding whose gain is not known",
		"Depot €125.00", "There is no market price; that of the last trade is 27 days old.", "There is no exchange rate from USD to EUR, so the sums leave it out.",
		"10 €12.50 Feb 2, 2026 €125.00 100 % €12.60 worked out of the trades −€1.00 −0.8")
	h.Rate("USD", "EUR", "2026-02-10", "0.91")
	rated := h.get(t, "/holdings?by=currency")
	rated.shows(t, "€307.00 −€1.00 since purchase", "USD €182.00 €0.00", "$200.00 €182.00 59.3", "The rate from USD to EUR is 19 days old.")
	for _, way := range []string{"account", "type"} {
		h.get(t, "/holdings?by="+way).shows(t, "€307.00", map[string]string{"account": "Dollars €182.00", "type": "Investment €307.00"}[way])
	}
	h.done(t, "/hide", "hide=true", "back=/holdings").shows(t, "ACME", "•••")
	if words := h.get(t, "/holdings").words(); strings.Contains(words, "12.5") || strings.Contains(words, "307") {
		t.Errorf("hidden amounts are shown: %s", words)
	}
}

// TestSecurityPage: prices and splits are noted and removed, what it is called is changed, and each is taken back.
func TestSecurityPage(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	depot := h.broker(t, "Depot", "EUR").String()
	h.done(t, "/trades", "account_id="+depot, "type=buy", "date=2026-02-02", "ticker=ACME", "qty=10", "price=12.50", "fee=")
	path := regexp.MustCompile(`/securities/[0-9a-f-]{36}`).FindString(h.get(t, "/holdings").text)
	h.get(t, path).shows(t, "there is no market price of it", "Depot", "Buy 10 shares of ACME", "What it was worth, in EUR")
	priced := h.done(t, path+"/prices", "date=2026-02-20", "price=15", "currency=EUR")
	priced.shows(t, "€15.00 on Feb 20, 2026", "10 €150.00 €12.50 +€25.00 20")
	split := h.done(t, path+"/splits", "date=2026-02-25", "ratio=2:1")
	split.shows(t, "2 for 1", "20 €150.00 €6.25 +€25.00")
	h.undo(t, split).shows(t, "10 €150.00")
	cut := h.done(t, regexp.MustCompile(path+`/prices/[0-9a-f-]{36}/delete`).FindString(priced.text))
	cut.shows(t, "10 €125.00")
	h.undo(t, cut).shows(t, "10 €150.00")
	h.done(t, path, "ticker=ACME", "mic=XNAS", "name=Acme Works").shows(t, "ACME Acme Works", "market XNAS")
	for form, field := range map[string]string{"/prices": "price=-1", "/splits": "ratio=two", "": "ticker="} {
		wrong := h.post(t, path+form, field, "date=2026-02-20", "currency=EUR")
		if wrong.StatusCode != http.StatusUnprocessableEntity || len(problemsOf(wrong.text)) > 0 {
			t.Errorf("%s: %s %v", field, wrong.Status, problemsOf(wrong.text))
		}
	}
	if a := h.post(t, path+"/delete"); a.StatusCode != http.StatusConflict && a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a security with trades is deleted: %s", a.Status)
	}
	other := h.Security("LONE").String()
	gone := h.done(t, "/securities/"+other+"/delete")
	if strings.Contains(gone.words(), "LONE") {
		t.Error("the security is still there")
	}
	h.undo(t, gone).shows(t, "Securities of which nothing is held LONE")

}
