package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/ledger/ledgertest"
)

// TestCloseAccounts: an account is closed and opened again, merged into another one and deleted, the latter two after what
// would come of it was shown; all of it is taken back.
func TestCloseAccounts(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	old, kept, dollars := h.Account(h.Who, "Old", "EUR").String(), h.Account(h.Who, "Kept", "EUR").String(), h.Account(h.Who, "Dollars", "USD").String()
	h.Create(ledgertest.Entry(uuid.MustParse(old), "2026-02-01", "4.80", "Bakery"))
	path := "/accounts/" + old

	closed := h.done(t, path+"/status", "status=disabled")
	closed.shows(t, "closed", "It is closed")
	h.undo(t, closed).shows(t, "When it is no longer used")
	if a := h.post(t, path+"/status", "status=gone"); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a status that there is not: %s", a.Status)
	}

	choose := h.get(t, path+"/merge")
	if strings.Contains(choose.text, `value="`+dollars) || !strings.Contains(choose.text, `value="`+kept) {
		t.Error("accounts that it may go into are not those of its currency")
	}
	h.get(t, path+"/merge?into="+kept).shows(t, "would go into Kept", "1 transaction", "Merge into Kept")
	h.get(t, path).shows(t, "Bakery")
	merged := h.done(t, path+"/merge", "into="+kept)
	merged.shows(t, "Kept", "Bakery", "Undo")
	if a := h.ask(t, path); a.StatusCode != http.StatusNotFound {
		t.Errorf("the merged account is there: %s", a.Status)
	}
	h.undo(t, merged).shows(t, "There are none yet")
	for _, into := range []string{"", dollars, old} {
		if a := h.post(t, path+"/merge", "into="+into); a.StatusCode != http.StatusUnprocessableEntity && a.StatusCode != http.StatusConflict || len(problemsOf(a.text)) > 0 {
			t.Errorf("merge into %q: %s %v", into, a.Status, problemsOf(a.text))
		}
	}

	h.get(t, path+"/delete").shows(t, "Delete Old?", "1 transaction")
	gone := h.done(t, path+"/delete")
	gone.shows(t, "Accounts", "Kept", "Undo")
	h.undo(t, gone).shows(t, "Old", "Kept")
	h.get(t, path).shows(t, "Bakery")
}

// TestDeletionAsksForPassword: an account goes only after the password was given of late.
func TestDeletionAsksForPassword(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	path := "/accounts/" + h.Account(h.Who, "Giro", "EUR").String()
	h.Tick = h.Tick.Add(11 * time.Minute)
	asked := h.post(t, path+"/delete")
	if asked.StatusCode != http.StatusSeeOther || !strings.HasPrefix(asked.Header.Get("Location"), "/confirm?") {
		t.Fatalf("%s leads to %q", asked.Status, asked.Header.Get("Location"))
	}
	h.get(t, path).shows(t, "Giro")
}

// TestValuationsByHand: a balance that was set by hand is changed and deleted, and both are taken back.
func TestValuationsByHand(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	account := "/accounts/" + h.Account(h.Who, "Giro", "EUR").String()
	set := h.done(t, account+"/balance", "date=2026-02-15", "amount=900")
	path := regexp.MustCompile(`/valuations/[0-9a-f-]{36}"[^>]*>Feb 15`).FindString(set.text)
	path, _, _ = strings.Cut(path, `"`)
	page := h.get(t, path)
	page.shows(t, "Balance of Giro")
	if !strings.Contains(page.text, `value="900.00"`) {
		t.Error("the amount is not in the form")
	}
	changed := h.done(t, path, "date=2026-02-16", "amount=1.000,50", "notes=by letter")
	changed.shows(t, "€1,000.50", "Feb 16, 2026")
	h.undo(t, changed).shows(t, "€900.00", "Feb 15, 2026")
	for _, field := range []string{"amount=", "amount=much", "date=2026-02-31", "date="} {
		fields := map[string]string{"date": "2026-02-15", "amount": "900"}
		name, value, _ := strings.Cut(field, "=")
		fields[name] = value
		a := h.post(t, path, "date="+fields["date"], "amount="+fields["amount"])
		if field == "date=" {
			if a.StatusCode != http.StatusSeeOther {
				t.Errorf("no day, which leaves it: %s", a.Status)
			}
			continue
		}
		if a.StatusCode != http.StatusUnprocessableEntity || len(problemsOf(a.text)) > 0 {
			t.Errorf("%s: %s %v", field, a.Status, problemsOf(a.text))
		}
	}
	gone := h.done(t, path+"/delete")
	gone.shows(t, "€0.00")
	h.undo(t, gone).shows(t, "€900.00")
}

// TestTrends: each account has a tiny line of its balance, and one in which nothing is new says for how long.
func TestTrends(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	busy, silent := h.Account(h.Who, "Busy", "EUR"), h.Account(h.Who, "Silent", "EUR")
	h.Account(h.Who, "Empty", "EUR")
	h.Create(ledgertest.Entry(busy, "2026-01-26", "4.80", "Bakery"))
	h.Create(ledgertest.Entry(silent, "2026-01-25", "4.80", "Bakery"))
	page := h.get(t, "/accounts")
	page.shows(t, "Silent depository nothing new for 35 days")
	if words := page.words(); strings.Count(words, "nothing new") != 1 {
		t.Errorf("another account is called silent: %s", words)
	}
	rail, _, _ := strings.Cut(page.text, "<main")
	if n := strings.Count(rail, "chart-spark"); n != 3 || strings.Count(rail, "nothing new for 35 days") != 2 {
		t.Errorf("the rail has %d lines: %s", n, rail)
	}
	h.done(t, "/accounts/"+silent.String()+"/balance", "date=2026-02-20", "amount=10")
	if words := h.get(t, "/accounts").words(); strings.Contains(words, "nothing new") {
		t.Errorf("a balance that was set is nothing new: %s", words)
	}
}
