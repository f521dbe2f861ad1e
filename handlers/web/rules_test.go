package web_test

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger/ledgertest"
)

// TestRulesByHand: a rule is tried before it is saved, saved, switched off, changed, applied and deleted, and what it did
// and that it went are taken back.
func TestRulesByHand(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	giro := h.Account(h.Who, "Giro", "EUR")
	h.Category(h.Who, "Food")
	h.Create(ledgertest.Entry(giro, "2026-02-01", "4.80", "Bakery <b>"))
	const text = `name contains "bakery" -> category "Food"`
	tried := h.post(t, "/rules", "rule="+text, "name=Rolls", "do=try")
	tried.shows(t, "There are none yet", "1 transaction fit, 1 would change", "Feb 1, 2026 Giro Bakery <b> −€4.80 category none Food")
	if problems := problemsOf(tried.text); tried.StatusCode != http.StatusOK || len(problems) > 0 {
		t.Error(tried.Status, problems)
	}
	wrong := h.post(t, "/rules", "rule=name contains bakery -> category Drinks", "name=")
	if wrong.shows(t, `names no category of the household: "Drinks"`); wrong.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a category that there is not: %s", wrong.Status)
	}
	made := h.done(t, "/rules", "rule="+text, "name=Rolls")
	made.shows(t, "added 1 rule", text+" Rolls Switch off")
	path := regexp.MustCompile(`/rules/[0-9a-f-]{36}`).FindString(made.text)
	off := h.done(t, path, "do=off")
	off.shows(t, "Switch on")
	h.undo(t, off).shows(t, "Switch off")
	page := h.get(t, path)
	page.shows(t, text)
	if problems := problemsOf(page.text); len(problems) > 0 {
		t.Error(problems)
	}
	h.post(t, path, "rule="+text, "name=Rolls", "do=try").shows(t, "1 would change")
	ran := h.done(t, path+"/run")
	ran.shows(t, "changed 1 transaction")
	h.get(t, "/transactions?q=cat:Food").shows(t, "1 transaction")
	h.undo(t, ran)
	h.get(t, "/transactions?q=cat:Food").shows(t, "Nothing is found")
	h.done(t, path, "rule=everything -> name \"x\"", "name=All").shows(t, `everything -> name "x" All`)
	gone := h.done(t, path+"/delete")
	gone.shows(t, "There are none yet")
	h.undo(t, gone).shows(t, `everything -> name "x" All`)
	if a := h.ask(t, "/rules/"+uuid.NewString()); a.StatusCode != http.StatusNotFound {
		t.Errorf("a rule that there is not: %s", a.Status)
	}
}
