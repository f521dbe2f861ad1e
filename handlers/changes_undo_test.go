package handlers

import (
	"fmt"
	"strings"
	"testing"
)

// TestUndoOfEachKind: what was done to each kind of thing is taken back, and that as well; and what stands in the way is
// said, with nothing changed.
func TestUndoOfEachKind(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	account := h.ids["Checking"]
	made := func(path, body string) string {
		t.Helper()
		p := h.call(t, "POST", path, body)
		_, rest, _ := strings.Cut(p.Text, `"id":"`)
		id, _, _ := strings.Cut(rest, `"`)
		if p.StatusCode != 201 {
			t.Fatalf("POST %s: %d %s", path, p.StatusCode, p.Text)
		}
		return id
	}
	done := func(method, path, body string) string {
		t.Helper()
		p := h.call(t, method, path, body)
		if p.StatusCode >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, p.StatusCode, p.Text)
		}
		list := h.call(t, "GET", "/changes?per_page=1", "").Text
		if !strings.Contains(list, `"undoable":true`) {
			t.Errorf("after %s %s the history is %s", method, path, list)
		}
		_, rest, _ := strings.Cut(list, `"id":"`)
		id, _, _ := strings.Cut(rest, `"`)
		return id
	}
	undo := func(change string) string {
		t.Helper()
		return done("POST", "/changes/"+change+"/undo", "")
	}
	refused := func(change string, words string) {
		t.Helper()
		if p := h.call(t, "POST", "/changes/"+change+"/undo", ""); p.StatusCode != 409 || !strings.Contains(p.Text, words) {
			t.Errorf("%d %s, want 409 %s", p.StatusCode, p.Text, words)
		}
	}
	has := func(path, words string) {
		t.Helper()
		if p := h.call(t, "GET", path, ""); !strings.Contains(p.Text, words) {
			t.Errorf("%s is %s, want %s", path, p.Text, words)
		}
	}
	gone := func(path string) {
		t.Helper()
		if p := h.call(t, "GET", path, ""); p.StatusCode != 404 {
			t.Errorf("%s is there: %s", path, p.Text)
		}
	}
	label := func(path, kind, name string) string {
		return made(path, fmt.Sprintf(`{%q:{"name":%q}}`, kind, name))
	}
	for _, k := range []struct{ path, kind, field string }{{"/categories", "category", `"category_id":%q`},
		{"/tags", "tag", `"tag_ids":[%q]`}, {"/merchants", "merchant", `"merchant_id":%q`}} {
		one, other := label(k.path, k.kind, "One "+k.kind), label(k.path, k.kind, "Other "+k.kind)
		row := made("/transactions", fmt.Sprintf(`{"transaction":{"account_id":%q,"date":"2026-08-01","amount":"10","name":"Undo",`+k.field+`}}`, account, one))
		deletion := done("DELETE", k.path+"/"+one, "")
		gone(k.path + "/" + one)
		undone := undo(deletion)
		has("/transactions/"+row, one)
		refused(deletion, "taken back already")
		again := undo(undone)
		gone(k.path + "/" + one)
		taken := label(k.path, k.kind, "ONE "+k.kind)
		refused(again, "another one has its name")
		done("DELETE", k.path+"/"+taken, "")
		undo(again)
		has("/transactions/"+row, one)

		merge := done("POST", k.path+"/"+one+"/merge", fmt.Sprintf(`{"target_id":%q}`, other))
		has("/transactions/"+row, other)
		undo(merge)
		has("/transactions/"+row, one)
		merge = done("POST", k.path+"/"+one+"/merge", fmt.Sprintf(`{"target_id":%q}`, other))
		third := label(k.path, k.kind, "Third "+k.kind)
		done("PATCH", "/transactions/"+row, fmt.Sprintf(`{"transaction":{`+k.field+`}}`, third))
		refused(merge, "has been changed since")
		gone(k.path + "/" + one)
		renamed := done("PATCH", k.path+"/"+other, fmt.Sprintf(`{%q:{"name":"Renamed %s"}}`, k.kind, k.kind))
		done("PATCH", k.path+"/"+other, fmt.Sprintf(`{%q:{"name":"Once more %s"}}`, k.kind, k.kind))
		refused(renamed, "has been changed since: name")
		fresh := done("POST", k.path, fmt.Sprintf(`{%q:{"name":"Used %s"}}`, k.kind, k.kind))
		_, rest, _ := strings.Cut(h.call(t, "GET", "/changes/"+fresh, "").Text, `"id":"`)
		_, rest, _ = strings.Cut(rest, `"id":"`)
		id, _, _ := strings.Cut(rest, `"`)
		done("PATCH", "/transactions/"+row, fmt.Sprintf(`{"transaction":{`+k.field+`}}`, id))
		refused(fresh, "transactions have it (1)")
	}

	rule := made("/rules", `{"rule":{"name":"Undo","resource_type":"transaction","active":true,"conditions":[{"condition_type":"transaction_name","operator":"like","value":"undo"}],
		"actions":[{"action_type":"set_transaction_name","value":"Set by the rule"}]}}`)
	changed := done("PATCH", "/rules/"+rule, `{"rule":{"active":false}}`)
	undo(changed)
	has("/rules/"+rule, `"active":true`)
	deletion := done("DELETE", "/rules/"+rule, "")
	undo(deletion)
	has("/rules/"+rule, `"Set by the rule"`)

	valuation := made("/valuations", fmt.Sprintf(`{"valuation":{"account_id":%q,"date":"2026-08-02","amount":"500"}}`, account))
	changed = done("PATCH", "/valuations/"+valuation, `{"valuation":{"amount":"600"}}`)
	undo(changed)
	deletion = done("DELETE", "/valuations/"+valuation, "")
	made("/valuations", fmt.Sprintf(`{"valuation":{"account_id":%q,"date":"2026-08-02","amount":"700"}}`, account))
	refused(deletion, "the account has another one in its place")

	renamed := done("PATCH", "/accounts/"+account, `{"account":{"name":"Undone"}}`)
	undo(renamed)
	has("/accounts/"+account, `"name":"Checking"`)
}
