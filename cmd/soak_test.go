package cmd_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"finsvc/assistant/aitest"
)

// soakClients is how many clients ask at the same time.
const soakClients = 16

// soakThings is how many things a client keeps at most.
const soakThings = 60

// soak is a server under a mixture of all that programs and people do.
type soak struct {
	*commandLine
	server  child
	until   time.Time
	pause   time.Duration // of a client between two requests
	samples []usage
}

// TestSoak asks a server for all kinds of things at the same time, and looks what it uses: in the last quarter of the
// time it has no more memory, goroutines, files and log than in the second. FINSVC_SOAK=1h says how long; FINSVC_SOAK_PAUSE=50ms
// how long a client waits between two requests.
func TestSoak(t *testing.T) {
	t.Parallel()
	length, pause := setTime(t, "FINSVC_SOAK", time.Second), setTime(t, "FINSVC_SOAK_PAUSE", 0)
	s := newCommandLine(t)
	provider := httptest.NewServer(soakProvider(t))
	t.Cleanup(provider.Close)
	s.env = append(s.env, "FINSVC_AI_URL="+provider.URL+"/v1", "FINSVC_AI_MODEL=small", "FINSVC_METRICS=127.0.0.1:0")
	s.ok("apikey", "create")
	server := s.child()
	hands := s.hands(soakClients, server.url)
	r := &soak{commandLine: s, server: server, until: time.Now().Add(length), pause: pause}
	var all sync.WaitGroup
	for _, h := range hands {
		all.Go(func() { r.work(h) })
	}
	all.Go(r.export)
	r.sample(length)
	all.Wait()
	r.checkGrowth(length)
	if err := server.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("the server ended badly: %v", err)
	}
	s.checkSound()
}

// setTime is a length of time from the environment.
func setTime(t *testing.T, variable string, usual time.Duration) time.Duration {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	length, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return length
}

// soakProvider answers with and without tools, fails at times, and remembers nothing.
func soakProvider(t *testing.T) http.Handler {
	steps := []aitest.Step{aitest.Say("You have ", "enough."), aitest.Use(aitest.Tool{Name: "get_accounts", Arguments: "{}"}), aitest.Say("Enough."), aitest.Fail(500, "{}")}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := aitest.Request{Header: r.Header, Path: r.URL.Path}
		body, err := io.ReadAll(r.Body)
		if err == nil && len(body) > 0 {
			err = json.Unmarshal(body, &q)
		}
		if err != nil {
			t.Error(err)
		}
		steps[rand.N(len(steps))](w, r, q)
	})
}

// work is what one client does until the time is over.
func (r *soak) work(h *client) {
	for n := 0; time.Now().Before(r.until) && !r.Failed(); n++ {
		if r.pause > 0 {
			time.Sleep(h.N(2 * r.pause))
		}
		if h.IntN(10) < 6 {
			h.read()
			continue
		}
		d := h.next()
		if live := h.live(); len(live) > soakThings && live[0].kind.resource != "imports" {
			d = h.request("DELETE", "/"+live[0].kind.resource+"/"+live[0].id, "", live[0])
		}
		if d != nil && h.do(d) && d.method == "POST" && len(h.things) > 0 {
			h.follow(h.things[len(h.things)-1])
		}
		h.things = h.live()
	}
}

// N is a random time below a limit.
func (h *client) N(limit time.Duration) time.Duration { return time.Duration(h.Int64N(int64(limit))) }

// read asks for one of the things that programs ask for.
func (h *client) read() {
	paths := []string{"/accounts", "/balance_sheet", "/net_worth?interval=month", "/income_statement?start_date=2026-01-01&end_date=2026-12-31", "/categories", "/tags?per_page=100",
		"/transactions?search=H1", "/transactions?per_page=100&page=2", "/transactions?min_amount=100", "/holdings", "/balances?per_page=100", "/trades", "/transfers",
		"/valuations", "/imports", "/chats", "/usage", "/explain?figure=net_worth&date=2026-08-01", "/openapi.json", "/securities", "/rules"}
	path := paths[h.IntN(len(paths))]
	if status, answer := h.client.ask("GET", path, "", ""); status != 200 {
		h.Errorf("%s: %d %s", path, status, answer)
	}
}

// follow watches what takes time, to its end. An import is taken back and removed.
func (h *client) follow(t *thing) {
	switch t.kind.resource {
	case "chats":
		status, answer := h.client.ask("GET", "/chats/"+t.id, "", "")
		var chat struct{ Messages []struct{ ID string } }
		if json.Unmarshal([]byte(answer), &chat) != nil || len(chat.Messages) != 2 {
			h.Errorf("chat: %d %s", status, answer)
			return
		}
		h.watch("/chats/"+t.id+"/messages/"+chat.Messages[1].ID+"/stream", "event: done")
	case "imports":
		path := "/imports/" + t.id
		h.watch(path+"/events", `"complete"`)
		h.revert(path)
		h.watch(path+"/events", `"pending"`)
		if status, answer := h.client.ask("DELETE", path, "", ""); status != 200 {
			h.Errorf("delete import: %d %s", status, answer)
		}
		t.deleted = true
	}
}

// revert takes an import back as soon as no other one is being worked on.
func (h *client) revert(path string) {
	status, answer := h.client.ask("POST", path+"/revert", "", "")
	for ; status == 409 && strings.Contains(answer, "when that is done"); status, answer = h.client.ask("POST", path+"/revert", "", "") {
		time.Sleep(10 * time.Millisecond)
	}
	if status != 202 {
		h.Errorf("revert: %d %s", status, answer)
	}
}

// watch reads a stream to its end.
func (h *client) watch(path, want string) {
	status, answer := h.client.ask("GET", path, "", "")
	if status != 200 || !strings.Contains(answer, want) {
		h.Errorf("%s: %d, no %s in %s", path, status, want, answer)
	}
}

// export runs commands on the file while it is being written.
func (r *soak) export() {
	for time.Now().Before(r.until) && !r.Failed() {
		for _, format := range []string{"ndjson", "hledger"} {
			if out := r.ok("export", format); len(out) < 1000 {
				r.Errorf("export %s gives %s", format, out)
			}
		}
		time.Sleep(min(time.Until(r.until), r.pause*200))
	}
}

// sample looks a hundred times what the server uses.
func (r *soak) sample(length time.Duration) {
	for range 100 {
		time.Sleep(length / 100)
		u := r.usage(r.server.Process.Pid)
		u.goroutines = r.goroutines()
		r.samples = append(r.samples, u)
		if length > time.Minute {
			fmt.Fprintf(os.Stderr, "%s %+v\n", time.Now().Format(time.TimeOnly), u)
		}
	}
}

// goroutines is how many the server has, by its metrics.
func (r *soak) goroutines() (n int64) {
	r.Helper()
	answer, err := http.Get(r.server.metrics)
	if err != nil {
		r.Error(err)
		return 0
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	_, after, _ := strings.Cut(string(page), "\ngo_goroutines ")
	if err == nil {
		_, err = fmt.Sscan(after, &n)
	}
	if err != nil {
		r.Errorf("no goroutines in the metrics: %v %.200s", err, page)
	}
	return n
}

// checkGrowth compares the second quarter with the last one: the middle value of each figure.
func (r *soak) checkGrowth(length time.Duration) {
	second, last := r.samples[25:50], r.samples[75:]
	for _, c := range []struct {
		what  string
		of    func(usage) int64
		slack int64
	}{
		{"KiB of memory", func(u usage) int64 { return u.private }, 8 << 10},
		{"threads", func(u usage) int64 { return u.threads }, 4},
		{"goroutines", func(u usage) int64 { return u.goroutines }, 32}, // requests that are being answered count, two each
		{"open files", func(u usage) int64 { return u.files }, 4},
	} {
		before, after := middle(second, c.of), middle(last, c.of)
		r.Logf("%s: %d, later %d", c.what, before, after)
		if length >= time.Minute && after > before+c.slack { // a short run is still warming up
			r.Errorf("%s grew from %d to %d", c.what, before, after)
		}
	}
	if wal := middle(last, func(u usage) int64 { return u.wal }); wal > 64<<20 {
		r.Errorf("the log has %d bytes", wal)
	}
}

func middle(samples []usage, of func(usage) int64) int64 {
	var all []int64
	for _, u := range samples {
		all = append(all, of(u))
	}
	slices.Sort(all)
	return all[len(all)/2]
}
