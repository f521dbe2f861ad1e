package handlers

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"finsvc/db"
	"finsvc/queries"
)

// TestLongWriteIsGivenUp: a write that a neighbour waits for is undone after its budget, with or without an Idempotency-Key,
// and says so; the neighbour's are all done. When nobody waits, the same request is answered as ever.
func TestLongWriteIsGivenUp(t *testing.T) {
	t.Parallel()
	h := newFixture(t, db.WithWriteBudget(100*time.Millisecond))
	body := bulkBody(h.ids["Checking"], 10_000)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for n := 0; ctx.Err() == nil; n++ {
			h.as(t, h.neighbour, "POST", "/tags", fmt.Sprintf(`{"tag":{"name":"while it lasts %d"}}`, n)).Is(t, http.StatusCreated, "")
		}
	}()
	const key = "Idempotency-Key: ten-thousand"
	for _, headers := range [][]string{nil, {key}} {
		p := h.call(t, "POST", "/transactions/bulk", body, headers...)
		p.Is(t, http.StatusServiceUnavailable, `{"error":"write_too_long","message":"POST /api/v1/transactions/bulk took too long: other writes waited for it, so it was given up and undone. `+
			`Send it again when less is written, or ask for less at a time","details":{"operation":"POST /api/v1/transactions/bulk"}}`)
		if after := p.Header.Get("Retry-After"); after == "" {
			t.Error("no Retry-After")
		}
	}
	stop()
	<-ended
	if n := column(t, h.file, "SELECT count(*) FROM transactions")[0]; n != "0" {
		t.Errorf("%s transactions are left of what was undone", n)
	}
	h.call(t, "POST", "/transactions/bulk", body, key).Is(t, http.StatusCreated, "")
	if n := column(t, h.file, "SELECT count(*) FROM transactions")[0]; n != "10000" {
		t.Errorf("%s transactions", n)
	}
}

// TestLongWriteOfWhoHasGone: what a client asked for that did not wait for the answer is given up in the middle.
func TestLongWriteOfWhoHasGone(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	body := bulkBody(h.ids["Checking"], 10_000)
	ctx, leave := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, "POST", h.URL+"/api/v1/transactions/bulk", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", h.key)
	req.Header.Set("Content-Type", "application/json")
	gone := make(chan error, 1)
	err = h.db.Write(t.Context(), func(context.Context, *queries.Queries) error {
		go func() {
			resp, err := http.DefaultClient.Do(req)
			if err == nil {
				err = fmt.Errorf("it was answered %s", resp.Status)
				resp.Body.Close()
			}
			gone <- err
		}()
		for !h.db.Awaited() { // until its write is the next
			runtime.Gosched()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	leave()
	if err := <-gone; ctx.Err() == nil || !strings.Contains(err.Error(), context.Canceled.Error()) {
		t.Fatal(err)
	}
	for !strings.Contains(h.log.String(), `"status":499`) { // until the server has noticed, too
		runtime.Gosched()
	}
	if n := column(t, h.file, "SELECT count(*) FROM transactions")[0]; n != "0" {
		t.Errorf("%s transactions of a client that has gone", n)
	}
}
