package handlers

import (
	"fmt"
	"strings"
	"testing"
)

// TestAccountDeletion: an account goes only when that is confirmed, with all that it has, and comes back.
func TestAccountDeletion(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	id := memberOf(t, h.call(t, "POST", "/accounts", `{"account":{"name":"Twice","account_type":"depository","currency":"EUR","balance":"5"}}`).Text, "id")
	row := func(account, name string) string {
		return fmt.Sprintf(`{"transaction":{"account_id":%q,"date":"2026-08-01","amount":"10","nature":"expense","name":%q,"external_id":"1","source":"bank"}}`, account, name)
	}
	booked := h.call(t, "POST", "/transactions", row(id, "Bread")).Text
	shown := h.call(t, "GET", "/accounts/"+id, "").Text
	uses := `{"imports":0,"rules":0,"split_lines":0,"trades":0,"transactions":1,"transfers":0,"valuations":1}`
	for path, body := range map[string]string{"": "", "?confirm=false": "", "?confirm=": `{"confirm":false}`} {
		p := h.call(t, "DELETE", "/accounts/"+id+path, body)
		if p.StatusCode != 422 || !strings.Contains(p.Text, `"error":"confirmation_required"`) || !strings.Contains(p.Text, `"details":`+uses) {
			t.Errorf("DELETE %s %s answers %d %s", path, body, p.StatusCode, p.Text)
		}
	}
	for path, want := range map[string]int{"/accounts/" + id + "?confirm=perhaps": 422, "/accounts/00000000-0000-7000-8000-000000000000?confirm=true": 404, "/accounts/" + h.ids["Checking"] + "x": 404} {
		if p := h.call(t, "DELETE", path, ""); p.StatusCode != want {
			t.Errorf("DELETE %s answers %d %s", path, p.StatusCode, p.Text)
		}
	}
	if got := h.call(t, "GET", "/accounts/"+id, "").Text; got != shown {
		t.Fatalf("after refusals it is %s, was %s", got, shown)
	}
	p := h.call(t, "DELETE", "/accounts/"+id, `{"confirm":true}`)
	change := memberOf(t, p.Text, "change_id")
	if want := `{"message":"Account deleted successfully","deleted":{"transactions":1,"split_lines":0,"trades":0,"valuations":1,"transfers":0,"imports":0,"rules":0},"change_id":"` + change + `"}`; p.StatusCode != 200 || p.Text != want {
		t.Fatalf("DELETE answers %d %s, want %s", p.StatusCode, p.Text, want)
	}
	if a, b := h.call(t, "GET", "/accounts/"+id, ""), h.call(t, "GET", "/transactions/"+memberOf(t, booked, "id"), ""); a.StatusCode != 404 || b.StatusCode != 404 {
		t.Errorf("afterwards %d, %d", a.StatusCode, b.StatusCode)
	}
	if p := h.call(t, "POST", "/changes/"+change+"/undo", ""); p.StatusCode != 200 {
		t.Fatalf("undo answers %d %s", p.StatusCode, p.Text)
	}
	stamped := func(text string) string { text, _, _ = strings.Cut(text, `"updated_at"`); return text }
	if got := h.call(t, "GET", "/accounts/"+id, "").Text; stamped(got) != stamped(shown) {
		t.Errorf("it comes back as %s, was %s", got, shown)
	}
	if p := h.call(t, "POST", "/transactions", row(id, "Bread again")); p.StatusCode != 200 || stamped(p.Text) != stamped(booked) {
		t.Errorf("its transaction comes back as %d %s, was %s", p.StatusCode, p.Text, booked)
	}
}

// TestAccountMerge: an account goes into another one of its kind, once what both have is settled.
func TestAccountMerge(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	open := func(name, more string) string {
		return memberOf(t, h.call(t, "POST", "/accounts", `{"account":{"name":"`+name+`",`+more+`}}`).Text, "id")
	}
	from, into := open("Everyday 2", `"account_type":"depository","currency":"EUR"`), open("Everyday", `"account_type":"other_asset","currency":"EUR"`)
	book := func(account, more string) string {
		p := h.call(t, "POST", "/transactions", fmt.Sprintf(`{"transaction":{"account_id":%q,"date":"2026-08-01","amount":"10","nature":"expense",%s}}`, account, more))
		return memberOf(t, p.Text, "id")
	}
	twin, kept := book(from, `"name":"Bread","external_id":"1","source":"bank"`), book(into, `"name":"Bread","external_id":"1","source":"bank"`)
	for name, c := range map[string]struct {
		body   string
		status int
		words  string
	}{
		"nothing":           {``, 422, "target_id is required"},
		"no id":             {`{"target_id":"Everyday"}`, 422, "target_id"},
		"no such account":   {`{"target_id":"00000000-0000-7000-8000-000000000000"}`, 422, "target_id is not the id of one of the household's own accounts"},
		"itself":            {`{"target_id":"` + from + `"}`, 422, "target_id must be another account"},
		"another currency":  {`{"target_id":"` + open("Dollars", `"account_type":"depository","currency":"USD"`) + `"}`, 422, "target_id must be in EUR"},
		"a debt":            {`{"target_id":"` + open("Card", `"account_type":"credit_card","currency":"EUR"`) + `"}`, 422, "target_id must be an asset"},
		"takes trades":      {`{"target_id":"` + open("Depot", `"account_type":"investment","currency":"EUR"`) + `"}`, 422, "target_id must not be investment or crypto"},
		"a dry run that is": {`{"target_id":"` + into + `","dry_run":"perhaps"}`, 422, "dry_run"},
		"a client's own id": {`{"target_id":"` + into + `"}`, 409, `"external_ids":[{"date":"2026-08-01","external_id":"1","id":"` + twin + `","name":"Bread","target_transaction_id":"` + kept + `"}]`},
	} {
		p := h.call(t, "POST", "/accounts/"+from+"/merge", c.body)
		if p.StatusCode != c.status || !strings.Contains(p.Text, c.words) {
			t.Errorf("%s: %d %s", name, p.StatusCode, p.Text)
		}
	}
	if p := h.call(t, "POST", "/accounts/00000000-0000-7000-8000-000000000000/merge", `{"target_id":"`+into+`"}`); p.StatusCode != 404 {
		t.Errorf("of none: %d %s", p.StatusCode, p.Text)
	}
	h.call(t, "DELETE", "/transactions/"+twin, "")
	book(from, `"name":"Bread"`)
	moved := `"moved":{"transactions":1,"split_lines":0,"trades":0,"valuations":1,"transfers":0,"imports":0,"rules":0},"possible_duplicates":1,"change_id":`
	p := h.call(t, "POST", "/accounts/"+from+"/merge", `{"target_id":"`+into+`","dry_run":true}`)
	if p.StatusCode != 200 || !strings.Contains(p.Text, `"balance_cents":-1000,`) || !strings.HasSuffix(p.Text, `,"dry_run":true,`+moved+`null}`) {
		t.Fatalf("a dry run answers %d %s", p.StatusCode, p.Text)
	}
	p = h.call(t, "POST", "/accounts/"+from+"/merge", `{"target_id":"`+into+`"}`)
	change := memberOf(t, p.Text, "change_id")
	if p.StatusCode != 200 || !strings.Contains(p.Text, `"balance_cents":-2000,`) || !strings.HasSuffix(p.Text, `,"dry_run":false,`+moved+`"`+change+`"}`) {
		t.Fatalf("it answers %d %s", p.StatusCode, p.Text)
	}
	if p := h.call(t, "GET", "/accounts/"+from, ""); p.StatusCode != 404 {
		t.Errorf("the account: %d %s", p.StatusCode, p.Text)
	}
	if p := h.call(t, "POST", "/changes/"+change+"/undo", ""); p.StatusCode != 200 {
		t.Fatalf("undo answers %d %s", p.StatusCode, p.Text)
	}
	for _, id := range []string{from, into} {
		if p := h.call(t, "GET", "/accounts/"+id, ""); !strings.Contains(p.Text, `"balance_cents":-1000,`) {
			t.Errorf("taken back: %d %s", p.StatusCode, p.Text)
		}
	}
}
