package handlers

import (
	"fmt"
	"strings"
	"testing"
)

// undoing asks the API of a household for changes and takes them back.
type undoing struct {
	t *testing.T
	h *fixture
}

// made gives the id of what a request has made.
func (u undoing) made(path, body string) string {
	u.t.Helper()
	p := u.h.call(u.t, "POST", path, body)
	if p.StatusCode != 201 {
		u.t.Fatalf("POST %s: %d %s", path, p.StatusCode, p.Text)
	}
	return firstID(p.Text)
}

func firstID(text string) string {
	_, rest, _ := strings.Cut(text, `"id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	return id
}

// done gives the entry of the history that a request has made, which can be taken back.
func (u undoing) done(method, path, body string) string {
	u.t.Helper()
	p := u.h.call(u.t, method, path, body)
	if p.StatusCode >= 300 {
		u.t.Fatalf("%s %s: %d %s", method, path, p.StatusCode, p.Text)
	}
	list := u.h.call(u.t, "GET", "/changes?per_page=1", "").Text
	if !strings.Contains(list, `"undoable":true`) {
		u.t.Errorf("after %s %s the history is %s", method, path, list)
	}
	return firstID(list)
}

func (u undoing) undo(change string) string {
	u.t.Helper()
	return u.done("POST", "/changes/"+change+"/undo", "")
}

func (u undoing) refused(change string, words string) {
	u.t.Helper()
	if p := u.h.call(u.t, "POST", "/changes/"+change+"/undo", ""); p.StatusCode != 409 || !strings.Contains(p.Text, words) {
		u.t.Errorf("%d %s, want 409 %s", p.StatusCode, p.Text, words)
	}
}

func (u undoing) has(path, words string) {
	u.t.Helper()
	if p := u.h.call(u.t, "GET", path, ""); !strings.Contains(p.Text, words) {
		u.t.Errorf("%s is %s, want %s", path, p.Text, words)
	}
}

func (u undoing) gone(path string) {
	u.t.Helper()
	if p := u.h.call(u.t, "GET", path, ""); p.StatusCode != 404 {
		u.t.Errorf("%s is there: %s", path, p.Text)
	}
}

// TestUndoOfEachKind: what was done to each kind of thing is taken back, and that as well; and what stands in the way is
// said, with nothing changed.
func TestUndoOfEachKind(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	account := h.ids["Checking"]
	u := undoing{t, h}
	made, done, undo, refused, has, gone := u.made, u.done, u.undo, u.refused, u.has, u.gone
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

// TestUndoOfAccountsAndSecurities: an account that was opened, a security with its prices and splits, and a trade that made
// its security are taken back, unless something has come to depend on them.
func TestUndoOfAccountsAndSecurities(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	u := undoing{t, h}
	opened := u.done("POST", "/accounts", `{"account":{"name":"Opened by mistake","account_type":"depository","balance":"12.50"}}`)
	account := firstID(strings.SplitN(h.call(t, "GET", "/changes/"+opened, "").Text, `"items"`, 2)[1])
	closed := u.undo(opened)
	u.gone("/accounts/" + account)
	u.undo(closed)
	u.has("/accounts/"+account, `"name":"Opened by mistake"`)
	u.has("/accounts/"+account, `"balance_cents":1250`)
	for words, depends := range map[string]string{
		"it has transactions (1)":                fmt.Sprintf(`/transactions {"transaction":{"account_id":%q,"date":"2026-08-01","amount":"10","name":"Booked"}}`, "ID"),
		"it has balances that were set (1)":      fmt.Sprintf(`/valuations {"valuation":{"account_id":%q,"date":"2026-08-02","amount":"500"}}`, "ID"),
		"it has rules that name it (1)":          `/rules {"rule":{"name":"Its own","resource_type":"transaction","conditions":[{"condition_type":"transaction_account","operator":"=","value":"ID"}],"actions":[{"action_type":"set_transaction_name","value":"x"}]}}`,
		`has been changed since: it was changed`: `/accounts/ID {"account":{"name":"Another name"}}`,
	} {
		opened := u.done("POST", "/accounts", `{"account":{"name":"Depended on","account_type":"depository","on_duplicate":"create"}}`)
		id := firstID(strings.SplitN(h.call(t, "GET", "/changes/"+opened, "").Text, `"items"`, 2)[1])
		path, body, _ := strings.Cut(strings.ReplaceAll(depends, "ID", id), " ")
		method := "POST"
		if strings.HasPrefix(path, "/accounts/") {
			method = "PATCH"
		}
		u.done(method, path, body)
		u.refused(opened, words)
		u.has("/accounts/"+id, id)
	}

	broker := u.made("/accounts", `{"account":{"name":"Broker","account_type":"investment"}}`)
	bought := u.done("POST", "/trades", fmt.Sprintf(`{"trade":{"account_id":%q,"date":"2026-08-03","ticker":"NEWCO","qty":"3","price":"10"}}`, broker))
	u.has("/securities?ticker=NEWCO", `"total_count":1`)
	back := u.undo(bought)
	u.has("/securities?ticker=NEWCO", `"total_count":0`)
	u.undo(back)
	u.has("/holdings?account_id="+broker, `"ticker":"NEWCO"`)

	security := u.made("/securities", `{"security":{"ticker":"BOND","name":"A bond"}}`)
	renamed := u.done("PATCH", "/securities/"+security, `{"security":{"name":"Another bond"}}`)
	u.undo(renamed)
	u.has("/securities/"+security, `"name":"A bond"`)
	put := u.done("POST", "/security_prices", fmt.Sprintf(`{"security_price":{"security_id":%q,"date":"2026-08-01","price":"5","currency":"EUR"}}`, security))
	replaced := u.done("POST", "/security_prices", fmt.Sprintf(`{"security_price":{"security_id":%q,"date":"2026-08-01","price":"6","currency":"EUR"}}`, security))
	u.refused(put, "a price of BOND has been changed since: that of 2026-08-01")
	u.undo(replaced)
	u.has("/security_prices?security_id="+security, `"price_amount":"5"`)
	split := u.done("POST", "/security_splits", fmt.Sprintf(`{"security_split":{"security_id":%q,"date":"2026-08-05","ratio":"2:1"}}`, security))
	again := u.undo(split)
	u.has("/security_splits?security_id="+security, `"total_count":0`)
	u.undo(again)
	u.has("/security_splits?security_id="+security, `"total_count":1`)
	deleted := u.done("DELETE", "/securities/"+security, "")
	u.gone("/securities/" + security)
	restored := u.undo(deleted)
	u.has("/security_splits?security_id="+security, `"total_count":1`)
	u.has("/security_prices?security_id="+security, `"price_amount":"5"`)
	u.done("POST", "/security_prices", fmt.Sprintf(`{"security_price":{"security_id":%q,"date":"2026-08-09","price":"7","currency":"EUR"}}`, security))
	u.refused(restored, "it or its prices were changed")
}
