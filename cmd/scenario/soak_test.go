package scenario_test

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

	"finsvc/cmd/cmdtest"

	"finsvc/assistant/aitest"
)

// soakClients is how many clients ask at the same time.
const soakClients = 16

// soakThings is how many things a client keeps at most.
const soakThings = 60

// soak is a server under a mixture of all that programs and people do.
type soak struct {
	*cmdtest.CommandLine
	server  cmdtest.Child
	until   time.Time
	pause   time.Duration // of a client between two requests
	samples []cmdtest.Usage
}

// TestSoak asks a server for all kinds of things at the same time, and looks what it uses: in the last quarter of the
// time it has no more memory, goroutines, files and log than in the second. FINSVC_SOAK=1h says how long; FINSVC_SOAK_PAUSE=50ms
// how long a client waits between two requests.
func TestSoak(t *testing.T) {
	t.Parallel()
	length, pause := cmdtest.SetTime(t, "FINSVC_SOAK", time.Second), cmdtest.SetTime(t, "FINSVC_SOAK_PAUSE", 0)
	s := cmdtest.NewCommandLine(t)
	provider := httptest.NewServer(soakProvider(t))
	t.Cleanup(provider.Close)
	s.Env = append(s.Env, "FINSVC_AI_URL="+provider.URL+"/v1", "FINSVC_AI_MODEL=small", "FINSVC_METRICS=127.0.0.1:0")
	s.OK("apikey", "create")
	server := s.Child()
	hands := s.Hands(soakClients, server.URL)
	r := &soak{CommandLine: s, server: server, until: time.Now().Add(length), pause: pause}
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
	s.CheckSound()
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
func (r *soak) work(h *cmdtest.Client) {
	for n := 0; time.Now().Before(r.until) && !r.Failed(); n++ {
		if r.pause > 0 {
			time.Sleep(h.N(2 * r.pause))
		}
		if h.IntN(10) < 6 {
			h.Read()
			continue
		}
		d := h.Next()
		if live := h.Live(); len(live) > soakThings && live[0].Kind.Resource != "imports" {
			d = h.Request("DELETE", "/"+live[0].Kind.Resource+"/"+live[0].ID, "", live[0])
		}
		if d != nil && h.Do(d) && d.Method == "POST" && len(h.Things) > 0 {
			h.Follow(h.Things[len(h.Things)-1])
		}
		h.Things = h.Live()
	}
}

// export runs commands on the file while it is being written.
func (r *soak) export() {
	for time.Now().Before(r.until) && !r.Failed() {
		for _, format := range []string{"ndjson", "hledger"} {
			if out := r.OK("export", format); len(out) < 1000 {
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
		u := r.Usage(r.server.Process.Pid)
		u.Goroutines = r.goroutines()
		r.samples = append(r.samples, u)
		if length > time.Minute {
			fmt.Fprintf(os.Stderr, "%s %+v\n", time.Now().Format(time.TimeOnly), u)
		}
	}
}

// goroutines is how many the server has, by its metrics.
func (r *soak) goroutines() (n int64) {
	r.Helper()
	answer, err := http.Get(r.server.Metrics)
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
		of    func(cmdtest.Usage) int64
		slack int64
	}{
		{"KiB of memory", func(u cmdtest.Usage) int64 { return u.Private }, 8 << 10},
		{"threads", func(u cmdtest.Usage) int64 { return u.Threads }, 4},
		{"goroutines", func(u cmdtest.Usage) int64 { return u.Goroutines }, 32}, // requests that are being answered count, two each
		{"open files", func(u cmdtest.Usage) int64 { return u.Files }, 4},
	} {
		before, after := middle(second, c.of), middle(last, c.of)
		r.Logf("%s: %d, later %d", c.what, before, after)
		if length >= time.Minute && after > before+c.slack { // a short run is still warming up
			r.Errorf("%s grew from %d to %d", c.what, before, after)
		}
	}
	if wal := middle(last, func(u cmdtest.Usage) int64 { return u.WAL }); wal > 64<<20 {
		r.Errorf("the log has %d bytes", wal)
	}
}

func middle(samples []cmdtest.Usage, of func(cmdtest.Usage) int64) int64 {
	var all []int64
	for _, u := range samples {
		all = append(all, of(u))
	}
	slices.Sort(all)
	return all[len(all)/2]
}
