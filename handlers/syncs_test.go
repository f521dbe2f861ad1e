package handlers

import (
	"testing"
	"time"
)

// syncBody is a synchronisation as the wire shows it, asked for at a time of the day.
func syncBody(id, household, at string) string {
	return `{"id":"` + id + `","status":"completed","in_progress":false,"terminal":true,"syncable":{"type":"Family","id":"` + household + `","name":"Home"},` +
		`"parent_id":null,"children_count":0,"syncable_type":"Family","syncable_id":"` + household + `","pending_at":"2026-08-22T` + at + `Z",` +
		`"syncing_at":"2026-08-22T` + at + `Z","completed_at":"2026-08-22T` + at + `Z","failed_at":null,"window_start_date":null,"window_end_date":null,` +
		`"message":"there is nothing to wait for: balances and totals are computed from what is booked whenever they are asked for",` +
		`"error":null,"created_at":"2026-08-22T` + at + `Z","updated_at":"2026-08-22T` + at + `Z"}`
}

func TestSync(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.shows(t, h.call(t, "GET", "/syncs/latest", ""), 200, `{"data":null}`)
	h.shows(t, h.call(t, "GET", "/syncs", ""), 200,
		`{"data":[],"meta":{"page":1,"current_page":1,"total_pages":1,"total_count":0,"per_page":25,"next_page":null,"prev_page":null}}`)
	first := h.call(t, "POST", "/sync", "", "Content-Type: application/json")
	h.shows(t, first, 202, syncBody("<id 1>", "<id 2>", "12:00:00.000"))
	h.clock.move(time.Second)
	second := h.call(t, "POST", "/sync", "{}")
	h.ids["first"], h.ids["second"] = idOf(t, first), idOf(t, second)
	one, two := syncBody("<first>", "<id 1>", "12:00:00.000"), syncBody("<second>", "<id 1>", "12:00:01.000")
	h.shows(t, h.call(t, "GET", "/syncs/latest", ""), 200, `{"data":`+syncBody("<second>", "<id 1>", "12:00:01.000")+`}`)
	h.shows(t, h.as(t, h.readKey, "GET", "/syncs/{first}", ""), 200, `{"data":`+one+`}`)
	h.shows(t, h.call(t, "GET", "/syncs?per_page=1", ""), 200,
		`{"data":[`+two+`],"meta":{"page":1,"current_page":1,"total_pages":2,"total_count":2,"per_page":1,"next_page":2,"prev_page":null}}`)
	h.shows(t, h.call(t, "GET", "/syncs?per_page=1&page=2", ""), 200,
		`{"data":[`+one+`],"meta":{"page":2,"current_page":2,"total_pages":2,"total_count":2,"per_page":1,"next_page":null,"prev_page":1}}`)

	before := h.print(t)
	h.as(t, h.readKey, "POST", "/sync", "").Is(t, 403, "")
	for _, id := range []string{h.ids["first"], "7", "00000000-0000-7000-8000-000000000000"} {
		h.as(t, h.neighbour, "GET", "/syncs/"+id, "").Is(t, 404, `{"error":"not_found","message":"Sync not found","details":null}`)
	}
	h.shows(t, h.as(t, h.neighbour, "GET", "/syncs/latest", ""), 200, `{"data":null}`)
	if h.print(t) != before {
		t.Error("something was written")
	}
}

// TestSyncsKept asks a hundred and two times: the newest hundred are there.
func TestSyncsKept(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	theirs := idOf(t, h.as(t, h.neighbour, "POST", "/sync", ""))
	var ids []string
	for range 102 {
		ids = append(ids, idOf(t, h.call(t, "POST", "/sync", "")))
	}
	for i, want := range map[int]int{0: 404, 1: 404, 2: 200, 101: 200} {
		h.call(t, "GET", "/syncs/"+ids[i], "").Is(t, want, "")
	}
	h.as(t, h.neighbour, "GET", "/syncs/"+theirs, "").Is(t, 200, "")
}
