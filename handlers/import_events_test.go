package handlers

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"finsvc/handlers/wire"
	"finsvc/importer"
	"finsvc/queries"
)

// event is one server-sent event of an import.
type event struct {
	name string
	data struct {
		Data struct {
			ID, Status string
			Progress   *struct {
				Done, Total int64
				Rate        *int64 `json:"rows_per_second"`
				Left        *int64 `json:"seconds_left"`
			}
		}
	}
}

// listen begins to listen to an import.
func (h *fixture) listen(ctx context.Context, t *testing.T, id string, headers ...string) *http.Response {
	t.Helper()
	return h.listenTo(ctx, t, "/imports/"+id+"/events", headers...)
}

// listenTo begins to listen to a stream of events.
func (h *fixture) listenTo(ctx context.Context, t *testing.T, path string, headers ...string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, "GET", h.URL+"/api/v1"+h.fill(path), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", h.readKey)
	req.Header.Set("Accept-Encoding", "gzip")
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" || resp.Header.Get("Content-Encoding") != "" {
		t.Fatalf("got %d %v", resp.StatusCode, resp.Header)
	}
	return resp
}

// events reads a stream to its end.
func readEvents(t *testing.T, stream io.Reader) (list []event) {
	t.Helper()
	lines := bufio.NewScanner(stream)
	for lines.Scan() {
		name, data, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "event":
			list = append(list, event{name: data})
		case "data":
			if err := json.Unmarshal([]byte(data), &list[len(list)-1].data); err != nil {
				t.Fatalf("%q: %v", data, err)
			}
		case "":
		default:
			t.Errorf("a line %q", lines.Text())
		}
	}
	if err := lines.Err(); err != nil {
		t.Error(err)
	}
	return list
}

// TestImportEvents listens from before the work until its end, and afterwards.
func TestImportEvents(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	id := importOf(t, h.call(t, "POST", "/imports", importBody(importFile, `"publish":true`)), 201).ID
	streams := []*http.Response{h.listen(t.Context(), t, id), h.listen(t.Context(), t, id, "Last-Event-ID: 7")}
	first := make([]byte, len(": connected\n\nevent: progress\n"))
	for _, s := range streams { // the work begins when both have been told that it has not
		if _, err := io.ReadFull(s.Body, first); err != nil || string(first) != ": connected\n\nevent: progress\n" {
			t.Fatalf("%q, %v", first, err)
		}
	}
	defer h.work(t)()
	for _, s := range streams {
		list := readEvents(t, io.MultiReader(strings.NewReader("event: progress\n"), s.Body))
		begin, end := list[0], list[len(list)-1]
		if begin.data.Data.Status != "importing" || begin.data.Data.Progress == nil || begin.data.Data.Progress.Total != 3 {
			t.Errorf("first %+v", begin)
		}
		if end.name != "done" || end.data.Data.ID != id || end.data.Data.Status != "complete" || end.data.Data.Progress != nil {
			t.Errorf("last %+v", end)
		}
	}
	if p := h.call(t, "POST", "/imports/"+id+"/revert", ""); p.StatusCode != 202 {
		t.Fatal(p.Text)
	}
	if list := readEvents(t, h.listen(t.Context(), t, id).Body); list[len(list)-1].name != "done" || list[len(list)-1].data.Data.Status != "pending" {
		t.Errorf("reverted: %+v", list)
	}
	if list := readEvents(t, h.listen(t.Context(), t, id).Body); len(list) != 1 || list[0].name != "done" || list[0].data.Data.Status != "pending" {
		t.Errorf("settled long ago: %+v", list)
	}
}

func TestImportEventsAreRefused(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	id := importOf(t, h.call(t, "POST", "/imports", importBody(importFile)), 201).ID
	for _, c := range []struct {
		key, method, path string
		status            int
	}{
		{h.neighbour, "GET", "/imports/" + id + "/events", 404}, {h.key, "GET", "/imports/7/events", 404}, {h.key, "POST", "/imports/" + id + "/events", 405},
		{h.key, "GET", "/imports/0198f2a0-1234-7abc-8def-0123456789ab/events", 404}, {h.key, "HEAD", "/imports/" + id + "/events", 200},
		{h.readKey, "POST", "/imports/" + id + "/cancel", 403}, {h.neighbour, "POST", "/imports/" + id + "/cancel", 404},
		{h.key, "POST", "/imports/7/cancel", 404}, {h.key, "POST", "/imports/" + id + "/cancel", 409},
	} {
		if p := h.as(t, c.key, c.method, c.path, ""); p.StatusCode != c.status {
			t.Errorf("%s %s: got %d %s, want %d", c.method, c.path, p.StatusCode, p.Text, c.status)
		}
	}
}

func TestImportCancel(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	id := importOf(t, h.call(t, "POST", "/imports", importBody(importFile, `"publish":true`)), 201).ID
	stream := h.listen(t.Context(), t, id)
	if got := importOf(t, h.call(t, "POST", "/imports/"+id+"/cancel", ""), 202); got.Status != "pending" || got.Error != nil {
		t.Errorf("got %+v", got)
	}
	if list := readEvents(t, stream.Body); list[len(list)-1].name != "done" || list[len(list)-1].data.Data.Status != "pending" {
		t.Errorf("events %+v", list)
	}
}

// TestImportEventsOfClientsThatLeave: what a client that goes away leaves behind is nothing. No worker runs, so no
// stream ends by itself.
func TestImportEventsOfClientsThatLeave(t *testing.T) { // alone, for it looks at all goroutines
	h := newFixture(t)
	id := importOf(t, h.call(t, "POST", "/imports", importBody(importFile, `"publish":true`)), 201).ID
	ctx, leave := context.WithCancel(t.Context())
	for range 20 {
		stream := h.listen(ctx, t, id)
		if _, err := bufio.NewReader(stream.Body).ReadString('}'); err != nil {
			t.Fatal(err)
		}
	}
	if streams, watches := running("streamImport"), running("(*Hub[...]).follow"); streams != 20 || watches != 1 {
		t.Errorf("%d streams, %d watches of one import", streams, watches)
	}
	leave()
	for deadline := time.Now().Add(time.Minute); running("streamImport")+running("(*Hub[...]).follow") > 0; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%d streams and %d watches are left", running("streamImport"), running("(*Hub[...]).follow"))
		}
	}
}

// running is how many goroutines run a function.
func running(function string) int {
	stacks := make([]byte, 4<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	count := 0
	for one := range bytes.SplitSeq(stacks, []byte("\n\n")) {
		if bytes.Contains(one, []byte(function+"(")) {
			count++
		}
	}
	return count
}

// TestImportEventsKeepAlive: a stream with nothing to say is not silent.
func TestImportEventsKeepAlive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, leave := context.WithTimeout(t.Context(), 40*time.Second) // of the bubble's clock
		defer leave()
		w := httptest.NewRecorder()
		hr := httptest.NewRequestWithContext(ctx, "GET", "/", nil)
		a := wire.NewAnswer(wire.NewPools(), w, hr)
		e := &importEvents{Events: a.Events()}
		states := make(chan queries.Import, 2)
		for range cap(states) { // the same twice is told once
			states <- queries.Import{Status: importer.StatusImporting, Settings: "{}"}
		}
		wire.Follow(e.Events, states, e.send)
		got := w.Body.String()
		if strings.Count(got, ": keep-alive\n\n") != 2 || strings.Count(got, "event: progress\ndata: {") != 1 || a.Sent != int64(len(got)) {
			t.Errorf("sent %q", got)
		}
	})
}
