package handlers

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// published sends a file, lets it be published and gives its id.
func (h *fixture) published(t *testing.T, file string, more ...string) string {
	t.Helper()
	made := importOf(t, h.call(t, "POST", "/imports", importBody(file, append(more, `"publish":true`)...)), 201)
	stop := h.work(t)
	defer stop()
	if got := h.settled(t, made.ID); got.Status != "complete" {
		t.Fatalf("published %+v", got)
	}
	return made.ID
}

// TestRevertBodies holds what was decided.
//
// Decision, Imports: later edits are listed, 409, unless force.
func TestRevertBodies(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	sums := h.balance(t, "Checking")
	id := h.published(t, importFile)
	path := "/imports/" + id + "/revert"
	for _, row := range h.list(t, "search=Pay").Transactions {
		if p := h.call(t, "PATCH", "/transactions/"+row.ID, `{"transaction":{"name":"Wages"}}`); p.StatusCode != 200 {
			t.Fatal(p.Text)
		}
	}
	for _, c := range []struct {
		key, path, body string
		status          int
	}{
		{h.readKey, path, "", 403}, {h.neighbour, path, `{"force":true}`, 404}, {h.key, path, "[]", 400}, {h.key, path, `{"force":"perhaps"}`, 422},
		{h.key, path + "?force=perhaps", "", 422}, {h.key, "/imports/7/revert", "", 404}, {h.key, path, `{"force":false}`, 409},
	} {
		if p := h.as(t, c.key, "POST", c.path, c.body); p.StatusCode != c.status {
			t.Errorf("POST %s %s: got %d %s, want %d", c.path, c.body, p.StatusCode, p.Text, c.status)
		}
	}
	var refused struct {
		Error, Message string
		Details        struct {
			Count  int `json:"edited_count"`
			Edited []struct{ ID, Date, Name string }
		}
	}
	p := h.call(t, "POST", path, "")
	if err := json.Unmarshal([]byte(p.Text), &refused); err != nil || p.StatusCode != 409 || refused.Error != "conflict" || !strings.Contains(refused.Message, "force") ||
		refused.Details.Count != 1 || len(refused.Details.Edited) != 1 || refused.Details.Edited[0].Name != "Wages" || refused.Details.Edited[0].Date != "2026-02-01" {
		t.Errorf("got %d %s", p.StatusCode, p.Text)
	}
	if got := importOf(t, h.call(t, "POST", path+"?force=true", "", "Idempotency-Key: once"), 202); got.Status != "reverting" {
		t.Errorf("got %+v", got)
	}
	importOf(t, h.call(t, "POST", path+"?force=true", "", "Idempotency-Key: once"), 202)
	if total := h.list(t, "").Pagination.TotalCount; total != 0 || h.balance(t, "Checking") != sums {
		t.Errorf("%d transactions count, a balance of %d", total, h.balance(t, "Checking"))
	}
	h.reverted(t, id)
	if p := h.as(t, h.neighbour, "DELETE", "/imports/"+id, ""); p.StatusCode != 404 {
		t.Errorf("the neighbour's delete: %d %s", p.StatusCode, p.Text)
	}
	if p := h.call(t, "DELETE", "/imports/"+id, ""); p.StatusCode != 200 || p.Text != `{"message":"Import deleted successfully"}`+"\n" && p.Text != `{"message":"Import deleted successfully"}` {
		t.Errorf("delete: %d %s", p.StatusCode, p.Text)
	}
	if p := h.call(t, "GET", "/imports/"+id, ""); p.StatusCode != 404 {
		t.Errorf("get after delete: %d %s", p.StatusCode, p.Text)
	}
}

// reverted lets the worker end a revert.
func (h *fixture) reverted(t *testing.T, id string) {
	t.Helper()
	stop := h.work(t)
	defer stop()
	for status := "reverting"; status != "pending"; {
		if status = importOf(t, h.call(t, "GET", "/imports/"+id, ""), 200).Status; status != "reverting" && status != "pending" {
			t.Fatalf("the import is %s", status)
		}
	}
}

func TestDeleteOfImportsInUse(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	id := h.published(t, importFile)
	if p := h.call(t, "DELETE", "/imports/"+id, ""); p.StatusCode != 409 {
		t.Errorf("complete: %d %s", p.StatusCode, p.Text)
	}
	failed := importOf(t, h.call(t, "POST", "/imports", importBody("\n\n")), 201)
	if p := h.call(t, "DELETE", "/imports/"+failed.ID, ""); p.StatusCode != 200 || failed.Status != "failed" {
		t.Errorf("%s: %d %s", failed.Status, p.StatusCode, p.Text)
	}
}

// TestRevertIsSeenWhole: from the answer on, while rows are still being removed and others write, the import does
// not count anywhere.
func TestRevertIsSeenWhole(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const rows = 2100 // two batches
	id := h.published(t, "date,amount,name\n"+strings.Repeat("2026-01-31,+1,aaa\n", rows), `"account_id":"{Checking}"`)
	if got := importOf(t, h.call(t, "POST", "/imports/"+id+"/revert", ""), 202); got.Status != "reverting" {
		t.Fatalf("got %+v", got)
	}
	stop := h.work(t)
	defer stop()
	own := 0
	for status := "reverting"; status == "reverting"; {
		h.add(t, fmt.Sprint("own ", own), `"account_id":"{Checking}","date":"2026-01-31","amount":-0.01`)
		own++
		total, cents := h.list(t, "per_page=1").Pagination.TotalCount, h.balance(t, "Checking")
		searched := h.list(t, "per_page=1&min_amount=-1&search=aaa").Pagination.TotalCount
		if total != own || cents != int64(own) || searched != 0 {
			t.Fatalf("after %d of our own: %d in the list, %d found, a balance of %d", own, total, searched, cents)
		}
		status = importOf(t, h.call(t, "GET", "/imports/"+id, ""), 200).Status
	}
}

// TestRevertNamesChangedCategories: the answer to a revert names the category that a person has changed after the import, and so does the
// import afterwards.
func TestRevertNamesChangedCategories(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.ids["Rent"] = h.make(t, h.key, "categories", `{"category":{"name":"Rent","icon":"key"}}`)
	id := h.published(t, "name,icon\nRent,house\n", `"type":"CategoryImport"`)
	h.call(t, "PATCH", "/categories/{Rent}", `{"category":{"icon":"cup"}}`).Is(t, 200, "")
	const want = `"error":"was reverted; what it had changed and was changed again since, or cannot be put back, is left as it is: category \"Rent\""`
	if p := h.call(t, "POST", "/imports/"+id+"/revert", ""); p.StatusCode != 202 || !strings.Contains(p.Text, want) {
		t.Errorf("%d %s", p.StatusCode, p.Text)
	}
	h.reverted(t, id)
	if p := h.call(t, "GET", "/imports/"+id, ""); !strings.Contains(p.Text, want) || !strings.Contains(p.Text, `"status":"pending"`) {
		t.Errorf("%d %s", p.StatusCode, p.Text)
	}
	if p := h.call(t, "GET", "/categories/{Rent}", ""); !strings.Contains(p.Text, `"icon":"cup"`) {
		t.Error(p.Text)
	}
}

// TestRevertGivesTransfersBack: 100.00 EUR became 110.00 USD; an import brings 110.50 USD on another account, so that neither can
// be told to be the other side. Once it is reverted there is nothing else again, and the two are joined.
func TestRevertGivesTransfersBack(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.open(t, "Euros", "depository", "EUR", "0")
	h.open(t, "Dollars", "depository", "USD", "0")
	h.open(t, "More dollars", "depository", "USD", "0")
	h.rates(t, "2026-08-19,EUR,USD,1.1")
	h.add(t, "Left", `"account_id":"{Euros}","date":"2026-08-20","amount":100`)
	h.add(t, "Arrived", `"account_id":"{Dollars}","date":"2026-08-20","amount":-110`)
	joined := func() string {
		t.Helper()
		p := h.call(t, "GET", "/transfers", "")
		var seen struct{ Transfers []struct{ Reason string } }
		if err := json.Unmarshal([]byte(p.Text), &seen); err != nil || p.StatusCode != 200 {
			t.Fatal(p.Text)
		}
		var reasons []string
		for _, one := range seen.Transfers {
			reasons = append(reasons, one.Reason)
		}
		return strings.Join(reasons, "\n")
	}
	before := joined()
	if before == "" {
		t.Fatal("the two are not joined")
	}
	id := h.published(t, "date,amount,name\n2026-08-20,+110.50,Also arrived\n2026-06-20,-1.00,Other\n", `"account_id":"{More dollars}"`)
	if got := joined(); got != "" {
		t.Errorf("beside another candidate: %s", got)
	}
	importOf(t, h.call(t, "POST", "/imports/"+id+"/revert", ""), 202)
	h.settle(t, id)
	if got := joined(); got != before {
		t.Errorf("after the revert: %q, want %q", got, before)
	}
}
