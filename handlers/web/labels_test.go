package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/ledgertest"
)

// TestLabelsByHand: labels of each kind are made, renamed, merged and deleted, which says how many transactions lose one,
// and each of these is taken back.
func TestLabelsByHand(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	giro := h.Account(h.Who, "Giro", "EUR")
	idOf := func(page answer, path, name string) string {
		t.Helper()
		match := regexp.MustCompile(`href="(` + path + `/[0-9a-f-]{36})">` + name + `<`).FindStringSubmatch(page.text)
		if match == nil {
			t.Fatalf("no %s in %s", name, page.words())
		}
		return match[1]
	}
	for path, give := range map[string]string{"/categories": "category_id", "/tags": "tags", "/merchants": "merchant"} {
		bread := idOf(h.done(t, path, "name=Bread", "parent_id=", "classification=expense"), path, "Bread")
		page := h.done(t, path, "name=Cake", "parent_id=", "classification=expense")
		page.shows(t, "added 1", "Bread 0", "Cake 0")
		cake := idOf(page, path, "Cake")
		value := "Bread"
		if give == "category_id" {
			value = strings.TrimPrefix(bread, path+"/")
		}
		h.done(t, "/transactions", "account_id="+giro.String(), "date=2026-02-27", "way=out", "amount=3", "name=Roll"+give, give+"="+value)
		h.get(t, path).shows(t, "Bread 1")
		h.get(t, bread).shows(t, "1 transaction has it, and stay without it", "Its 1 transaction, and what rules say of it, become those of")
		renamed := h.done(t, bread, "name=Rolls & bread", "color=#112233")
		renamed.shows(t, "changed 1", "Rolls & bread 1")
		if !strings.Contains(renamed.text, `fill="#112233"`) {
			t.Error("the colour is not shown")
		}
		taken := h.post(t, cake, "name=rolls & bread")
		if taken.shows(t, "name is taken"); taken.StatusCode != http.StatusUnprocessableEntity && taken.StatusCode != http.StatusConflict {
			t.Errorf("a name that is taken: %s", taken.Status)
		}
		h.undo(t, renamed).shows(t, "Bread 1")
		merged := h.done(t, bread+"/merge", "target_id="+strings.TrimPrefix(cake, path+"/"))
		merged.shows(t, "Cake 1")
		if strings.Contains(merged.words(), "Bread ") {
			t.Errorf("what was merged is there still: %s", merged.words())
		}
		h.undo(t, merged).shows(t, "Bread 1", "Cake 0")
		for _, target := range []string{"", strings.TrimPrefix(bread, path+"/"), uuid.NewString()} {
			if a := h.post(t, bread+"/merge", "target_id="+target); a.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("merged into %q: %s", target, a.Status)
			}
		}
		deleted := h.done(t, bread+"/delete")
		deleted.shows(t, "Cake 0")
		h.undo(t, deleted).shows(t, "Bread 1")
		if a := h.ask(t, path+"/"+uuid.NewString()); a.StatusCode != http.StatusNotFound {
			t.Errorf("one that there is not: %s", a.Status)
		}
	}
}

// TestCategoryTree: a category is put below another one, which then counts what both have and stays until it has none.
func TestCategoryTree(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	giro := h.Account(h.Who, "Giro", "EUR")
	food, bakery := h.Category(h.Who, "Food"), h.Category(h.Who, "Bakery")
	for name, category := range map[string]uuid.UUID{"Market": food, "Roll": bakery} {
		in := ledgertest.Entry(giro, "2026-02-01", "5", name)
		in.CategoryID = ledger.Some(category)
		h.Create(in)
	}
	moved := h.done(t, "/categories/"+bakery.String(), "name=Bakery", "parent_id="+food.String())
	moved.shows(t, "Food 2 of Food Bakery 1")
	h.get(t, "/transactions?q=cat:%22Food:Bakery%22").shows(t, "1 transaction")
	h.get(t, "/categories/"+food.String()).shows(t, "2 transactions , 1 of it alone", "It has sub-categories")
	if a := h.post(t, "/categories/"+food.String()+"/delete"); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a category with others below it: %s", a.Status)
	}
	if a := h.post(t, "/categories/"+food.String(), "name=Food", "parent_id="+bakery.String()); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a category below its own child: %s", a.Status)
	}
	h.undo(t, moved).shows(t, "Bakery 1", "Food 1")
}
