package scenario_test

import (
	"database/sql"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"
)

// loadRig kills servers on one file while several clients write everything that there is to write.
type loadRig struct {
	*cmdtest.CommandLine
	*rand.Rand
	hands  []*cmdtest.Client
	server cmdtest.Child
	reader *sql.DB
	starts []time.Duration // from the start of the process to its first answer
}

// TestKilledUnderLoad kills a server at moments that it does not choose while sixteen clients write. After each kill
// the file is sound; after the next start all that was acknowledged is as it was answered last, what was not is there
// wholly or not at all, and to repeat it with its Idempotency-Key makes it once.
//
// FINSVC_CRASHES says how many kills.
func TestKilledUnderLoad(t *testing.T) {
	t.Parallel()
	r := &loadRig{CommandLine: cmdtest.NewCommandLine(t), Rand: rand.New(rand.NewPCG(1, 2))}
	r.OK("apikey", "create")
	r.begin()
	r.hands = r.CommandLine.Hands(16, r.server.URL)
	r.reader = r.Look()
	kills := crashes(t, 4)
	for n := range kills {
		r.loadAndKill()
		if r.CheckSound(); t.Failed() {
			t.Fatalf("after kill %d", n+1)
		}
		cmdtest.Spoil(t, r.File, "UPDATE import_work SET lease_until = 0") // else the next server waits for the dead one
		r.begin()
		r.check(false)
		if t.Failed() {
			t.Fatalf("after the start that followed kill %d", n+1)
		}
	}
	r.check(true)
	r.kill()
	r.CheckSound()
	slices.Sort(r.starts)
	t.Logf("%d kills, %d things; starts took %v as a rule, %v at most", kills, r.things(), r.starts[len(r.starts)/2], r.starts[len(r.starts)-1])
}

// crashes is how many kills there are to be.
func crashes(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv("FINSVC_CRASHES")
	if text == "" {
		return usual
	}
	kills, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return kills
}

// begin starts a server, and measures how long it takes to answer.
func (r *loadRig) begin() {
	r.Helper()
	started := time.Now()
	if r.server = r.Child(); r.server.URL == "" {
		r.Fatal("the server did not start")
	}
	up := cmdtest.LoadClient{URL: strings.TrimSuffix(r.server.URL, "/api/v1"), Transport: r.LoadTransport()}
	if status, answer := up.Ask("GET", "/up", "", ""); status != 200 {
		r.Fatalf("up: %d %s", status, answer)
	}
	r.starts = append(r.starts, time.Since(started))
	for _, h := range r.hands {
		h.Client.URL = r.server.URL
	}
}

func (r *loadRig) kill() {
	if err := r.server.Process.Kill(); err != nil {
		r.Error(err)
	}
	_ = r.server.Wait() // it was killed
}

// loadAndKill lets all clients write until the server is killed.
func (r *loadRig) loadAndKill() {
	r.Helper()
	var killed sync.WaitGroup
	killed.Go(func() {
		time.Sleep(time.Duration(50+r.IntN(400)) * time.Millisecond) // the one thing here that depends on luck
		r.kill()
	})
	r.each((*cmdtest.Client).WriteUntilItDies)
	killed.Wait()
}

func (r *loadRig) things() (n int) {
	for _, h := range r.hands {
		n += len(h.Things)
	}
	return n
}

// check holds what is there against what the clients were told: all of it, or what was written since the last check.
func (r *loadRig) check(all bool) {
	r.Helper()
	r.each(func(h *cmdtest.Client) { h.Repeat(r.reader) })
	r.each(func(h *cmdtest.Client) { h.Settle(r.reader) }) // the repeats of all of them
	r.each(func(h *cmdtest.Client) {
		for _, t := range h.Things {
			if all || t.Touched {
				h.Look(r.reader, t)
			}
		}
	})
}

// each has all hands do something at the same time.
func (r *loadRig) each(do func(*cmdtest.Client)) {
	var all sync.WaitGroup
	for _, h := range r.hands {
		all.Go(func() { do(h) })
	}
	all.Wait()
}
