package handlers

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestChangeOfMany: many transactions are changed by ids or by the filters of the list, looked at before, wholly or not
// at all, and taken back by the history.
func TestChangeOfMany(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	var ids []string
	for i := range 3 {
		p := h.call(t, "POST", "/transactions", fmt.Sprintf(`{"transaction":{"account_id":%q,"date":"2026-08-0%d","amount":"10","nature":"expense","name":"Many %d"}}`,
			h.ids["Checking"], i+1, i))
		ids = append(ids, fmt.Sprintf("%q", memberOf(t, p.Text, "id")))
	}
	two := strings.Join(ids[:2], ",")
	for name, c := range map[string]struct {
		query, body string
		status      int
		words       []string
	}{
		"no field":              {"", `{"ids":[` + two + `]}`, 422, []string{"transaction must have a field to change"}},
		"nothing selected":      {"", `{"transaction":{"notes":"x"}}`, 422, []string{"ids is required, or a filter"}},
		"ids and a filter":      {"?search=Many", `{"ids":[` + two + `],"transaction":{"notes":"x"}}`, 422, []string{"ids must not be given together"}},
		"lines":                 {"", `{"ids":[` + two + `],"transaction":{"split_lines":[{"amount":5},{"amount":5}]}}`, 422, []string{"split_lines cannot be given to many"}},
		"a client's own id":     {"", `{"ids":[` + two + `],"transaction":{"external_id":"1"}}`, 422, []string{"external_id cannot be given to many"}},
		"no such category":      {"", `{"ids":[` + two + `],"transaction":{"category_id":"00000000-0000-7000-8000-000000000000"}}`, 422, []string{"category_id is not the id", `of 2026-08-01`}},
		"no such transaction":   {"", `{"ids":[` + two + `,"00000000-0000-7000-8000-000000000000"],"transaction":{"notes":"x"}}`, 404, []string{"Transaction 00000000"}},
		"another number":        {"?search=Many", `{"transaction":{"notes":"x"},"expected_count":2}`, 409, []string{"3 transactions are selected by now, and not 2"}},
		"an id that is none":    {"", `{"ids":["Many"],"transaction":{"notes":"x"}}`, 422, []string{"ids"}},
		"a misspelt filter":     {"?search=Many&enddate=2026-08-01", `{"transaction":{"notes":"x"}}`, 422, []string{"enddate is no parameter of this request; did you mean end_date?"}},
		"a search that is none": {"?q=cat:drinks", `{"transaction":{"notes":"x"}}`, 422, []string{"q has", "names no category"}},
		"a search and a filter": {"?q=Many&type=income", `{"transaction":{"notes":"x"}}`, 422, []string{"q must not be given together with other filters"}},
		"ids and a search":      {"?q=Many", `{"ids":[` + two + `],"transaction":{"notes":"x"}}`, 422, []string{"ids must not be given together"}},
		"a filter that is none": {"?start_date=soon", `{"transaction":{"notes":"x"}}`, 422, []string{"start_date"}},
	} {
		p := h.call(t, "PATCH", "/transactions/bulk"+c.query, c.body)
		for _, word := range c.words {
			if p.StatusCode != c.status || !strings.Contains(p.Text, word) {
				t.Errorf("%s: %d %s", name, p.StatusCode, p.Text)
			}
		}
	}
	if p := h.call(t, "GET", "/transactions?search=Many", ""); strings.Contains(p.Text, `"notes":"x"`) {
		t.Fatalf("after refusals: %s", p.Text)
	}
	p := h.call(t, "PATCH", "/transactions/bulk?search=Many&end_date=2026-08-02", `{"transaction":{"notes":"seen"},"dry_run":true}`)
	if want := `{"transaction_id":` + ids[1] + `,"date":"2026-08-02","account":"Checking","name":"Many 1","signed_amount_cents":-1000,"currency":"EUR","field":"notes","before":null,"after":"seen"}`; p.StatusCode != 200 ||
		!strings.HasPrefix(p.Text, `{"dry_run":true,"matched":2,"changed":2,"change_id":null,"changes":[`) || !strings.Contains(p.Text, want) {
		t.Fatalf("a dry run answers %d %s, want %s", p.StatusCode, p.Text, want)
	}
	p = h.call(t, "PATCH", "/transactions/bulk?q=many+until:2026-08-02", `{"transaction":{"notes":"seen"},"expected_count":2}`)
	change := memberOf(t, p.Text, "change_id")
	if p.StatusCode != 200 || p.Text != `{"dry_run":false,"matched":2,"changed":2,"change_id":"`+change+`"}` {
		t.Fatalf("the change answers %d %s", p.StatusCode, p.Text)
	}
	p = h.call(t, "GET", "/changes?per_page=1", "")
	if !strings.Contains(p.Text, `"id":"`+change+`","summary":"changed 2 transactions","origin":"api"`) || !strings.Contains(p.Text, `"pagination":{"page":1,"per_page":1,"next_page":2}`) {
		t.Errorf("the history is %s", p.Text)
	}
	p = h.call(t, "GET", "/changes/"+change, "")
	if !strings.Contains(p.Text, `"items":[{"entity":"transaction","id":`+ids[1]+`,"action":"update","before":{"notes":null,"user_fields":1},"after":{"notes":"seen","user_fields":3}}`) {
		t.Errorf("the change is %s", p.Text)
	}
	p = h.call(t, "POST", "/changes/"+change+"/undo", "")
	if undo := memberOf(t, p.Text, "id"); p.StatusCode != 200 || !strings.Contains(p.Text, `"undoes":"`+change+`"`) ||
		!strings.Contains(h.call(t, "GET", "/changes/"+change, "").Text, `"undoable":false,"reason":"this was taken back already, by `+undo+`"`) {
		t.Fatalf("undo answers %d %s", p.StatusCode, p.Text)
	}
	if p := h.call(t, "GET", "/transactions?search=Many", ""); strings.Contains(p.Text, `"notes":"seen"`) {
		t.Errorf("taken back: %s", p.Text)
	}
	if p := h.call(t, "POST", "/changes/"+change+"/undo", ""); p.StatusCode != 409 || !strings.Contains(p.Text, "taken back already") {
		t.Errorf("a second time: %d %s", p.StatusCode, p.Text)
	}
}

// memberOf is a member of an object, a text.
func memberOf(t *testing.T, text, name string) string {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal([]byte(text), &members); err != nil {
		t.Fatal(err, text)
	}
	value, _ := members[name].(string)
	return value
}
