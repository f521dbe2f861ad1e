package handlers

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// stampSeen is when a resource came about and was last changed.
type stampSeen struct {
	Created string `json:"created_at"`
	Updated string `json:"updated_at"`
}

func (h *fixture) stamp(t *testing.T, path string) stampSeen {
	t.Helper()
	return decoded[stampSeen](t, h.as(t, h.readKey, "GET", path, ""), 200)
}

// TestUpdatedAtMoves: what changes a resource moves its updated_at, and saying the same again does not.
//
// Decision, Transport: updated_at moves with each change of the resource, and not without one.
func TestUpdatedAtMoves(t *testing.T) {
	t.Parallel()
	h := newContractHouse(t)
	for path, body := range map[string]string{
		"/accounts/{Savings}":   `{"account":{"notes":"new"}}`,
		"/categories/{Salary}":  `{"category":{"icon":"gem"}}`,
		"/tags/{Alltag}":        `{"tag":{"color":"#010203"}}`,
		"/merchants/{Bäcker}":   `{"merchant":{"name":"Baker"}}`,
		"/transactions/{Bare}":  `{"transaction":{"tag_ids":["{Alltag}"]}}`,
		"/trades/{Interest}":    `{"trade":{"notes":"new"}}`,
		"/valuations/{Plain}":   `{"valuation":{"notes":"new"}}`,
		"/chats/{Chat}":         `{"title":"new"}`,
		"/transactions/{Dinar}": `{"transaction":{"split_lines":[{"amount":1,"category_id":"{Food}"},{"amount":4}]}}`,
	} {
		if path == "/transactions/{Dinar}" {
			h.add(t, "Dinar", `"account_id":"{Dinars}","date":"2026-03-02","amount":5`)
		}
		before := h.stamp(t, path)
		h.clock.move(time.Second)
		h.call(t, "PATCH", path, body).Is(t, 200, "")
		changed := h.stamp(t, path)
		if changed.Updated <= before.Updated || changed.Created != before.Created {
			t.Errorf("%s: was %v, is %v", path, before, changed)
		}
		h.clock.move(time.Second)
		h.call(t, "PUT", path, body).Is(t, 200, "")
		if again := h.stamp(t, path); again != changed {
			t.Errorf("%s said again: was %v, is %v", path, changed, again)
		}
	}
}

// TestUpdatedAtFollowsTransfers: a transaction has changed when it becomes one side of a transfer, and when it is none
// any more.
func TestUpdatedAtFollowsTransfers(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.add(t, "Out", `"account_id":"{Checking}","date":"2026-03-01","amount":100`)
	alone := h.stamp(t, "/transactions/{Out}")
	h.clock.move(time.Second)
	h.add(t, "In", `"account_id":"{Savings}","date":"2026-03-01","amount":-100`)
	paired := h.stamp(t, "/transactions/{Out}")
	h.clock.move(time.Second)
	h.call(t, "DELETE", "/transactions/{In}", "").Is(t, 200, "")
	left := h.stamp(t, "/transactions/{Out}")
	if alone.Updated >= paired.Updated || paired.Updated >= left.Updated || left.Created != alone.Created {
		t.Errorf("alone %v, paired %v, left %v", alone, paired, left)
	}
}

// TestUpdatedAtFollowsLabels: a transaction or trade that loses its category, merchant or tag has changed, in the whole
// or in a line; one that had none of them has not.
func TestUpdatedAtFollowsLabels(t *testing.T) {
	t.Parallel()
	h := newContractHouse(t)
	h.add(t, "Split", `"account_id":"{Checking}","date":"2026-03-02","amount":5,"split_lines":[{"amount":1,"category_id":"{Food}","merchant_id":"{Kiosk}","tag_ids":["{fun}"]},{"amount":4}]`)
	all := []string{"/transactions/{Full}", "/transactions/{Split}", "/trades/{Bought}", "/transactions/{Bare}", "/trades/{Anonymous}"}
	for _, c := range []struct{ method, path, body, moves string }{
		{"POST", "/merchants/{Kiosk}/merge", `{"target_id":"{Bäcker}"}`, "true true false false false"},
		{"DELETE", "/merchants/{Bäcker}", "", "true true false false false"},
		{"DELETE", "/tags/{fun}", "", "true true false false false"},
		{"DELETE", "/categories/{Snacks}", "", "false false false false false"},
		{"DELETE", "/categories/{Food}", "", "true true true false false"},
	} {
		before := map[string]stampSeen{}
		for _, path := range all {
			before[path] = h.stamp(t, path)
		}
		h.clock.move(time.Second)
		if p := h.call(t, c.method, c.path, c.body); p.StatusCode/100 != 2 {
			t.Fatalf("%v: %d %s", c, p.StatusCode, p.Text)
		}
		var moves []string
		for _, path := range all {
			moves = append(moves, strconv.FormatBool(h.stamp(t, path).Updated > before[path].Updated))
		}
		if got := strings.Join(moves, " "); got != c.moves {
			t.Errorf("%s %s: moved are %s, want %s", c.method, c.path, got, c.moves)
		}
	}
}

// TestLabelsThatGoAreNoEdits: that a label of its rows was deleted is no edit of them, so an import can still be reverted.
func TestLabelsThatGoAreNoEdits(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	id := h.published(t, importFile)
	for _, path := range []string{"/categories/{Food}", "/tags/{fun}"} {
		h.clock.move(time.Second)
		if p := h.call(t, "DELETE", path, ""); p.StatusCode/100 != 2 {
			t.Fatalf("%s: %d %s", path, p.StatusCode, p.Text)
		}
	}
	importOf(t, h.call(t, "POST", "/imports/"+id+"/revert", ""), 202)
	h.reverted(t, id)
	if got := h.list(t, "").Pagination.TotalCount; got != 0 {
		t.Errorf("%d transactions are left", got)
	}
}
