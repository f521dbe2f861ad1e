package cmd_test

import (
	"database/sql"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// loadRig kills servers on one file while several clients write everything that there is to write.
type loadRig struct {
	*commandLine
	*rand.Rand
	hands  []*client
	server child
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
	r := &loadRig{commandLine: newCommandLine(t), Rand: rand.New(rand.NewPCG(1, 2))}
	r.ok("apikey", "create")
	r.begin()
	r.hands = r.commandLine.hands(16, r.server.url)
	r.reader = r.look()
	kills := crashes(t, 4)
	for n := range kills {
		r.loadAndKill()
		if r.checkSound(); t.Failed() {
			t.Fatalf("after kill %d", n+1)
		}
		spoil(t, r.file, "UPDATE import_work SET lease_until = 0") // else the next server waits for the dead one
		r.begin()
		r.check(false)
		if t.Failed() {
			t.Fatalf("after the start that followed kill %d", n+1)
		}
	}
	r.check(true)
	r.kill()
	r.checkSound()
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
	if r.server = r.child(); r.server.url == "" {
		r.Fatal("the server did not start")
	}
	up := loadClient{url: strings.TrimSuffix(r.server.url, "/api/v1"), transport: r.loadTransport()}
	if status, answer := up.ask("GET", "/up", "", ""); status != 200 {
		r.Fatalf("up: %d %s", status, answer)
	}
	r.starts = append(r.starts, time.Since(started))
	for _, h := range r.hands {
		h.client.url = r.server.url
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
	r.each((*client).writeUntilItDies)
	killed.Wait()
}

func (h *client) writeUntilItDies() {
	for h.open == nil && !h.Failed() {
		if d := h.next(); d != nil {
			h.do(d)
		} else if status, _ := h.client.ask("GET", "/usage", "", ""); status == 0 {
			return
		}
	}
}

func (r *loadRig) things() (n int) {
	for _, h := range r.hands {
		n += len(h.things)
	}
	return n
}

// check holds what is there against what the clients were told: all of it, or what was written since the last check.
func (r *loadRig) check(all bool) {
	r.Helper()
	r.each(func(h *client) { h.repeat(r.reader) })
	r.each(func(h *client) { h.settle(r.reader) }) // the repeats of all of them
	r.each(func(h *client) {
		for _, t := range h.things {
			if all || t.touched {
				h.look(r.reader, t)
			}
		}
	})
}

// each has all hands do something at the same time.
func (r *loadRig) each(do func(*client)) {
	var all sync.WaitGroup
	for _, h := range r.hands {
		all.Go(func() { do(h) })
	}
	all.Wait()
}

// repeat sends again what had no answer: before that it is there wholly or not at all, then it is there once.
func (h *client) repeat(file *sql.DB) {
	d := h.open
	if d == nil {
		return
	}
	if d.method == "POST" {
		h.settle(file)
		if n := h.marked(file, d.kind, d.mark); n != 0 && n != d.rows {
			h.Errorf("%s without an answer has made %d of %d", d.path, n, d.rows)
		}
	}
	known := len(h.things)
	h.do(d)
	if d.method == "POST" && len(h.things) == known {
		h.Errorf("repeating %s makes nothing", d.path)
	}
	h.settle(file)
	if n := h.marked(file, d.kind, d.mark); d.method == "POST" && n != d.rows {
		h.Errorf("%s and its repeat have made %d of %d", d.path, n, d.rows)
	}
}

// settle waits until no import is being worked on.
func (h *client) settle(file *sql.DB) {
	h.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if h.count(file, "SELECT count(*) FROM imports WHERE status IN ('importing', 'reverting')") == 0 {
			return
		}
		if time.Now().After(deadline) {
			h.Error("the imports are not settled")
			return
		}
	}
}

// marked is how many rows there are with a mark.
func (h *client) marked(file *sql.DB, k *kind, mark string) int64 {
	h.Helper()
	table, column, _ := strings.Cut(k.stored, ".")
	if table == "transactions" {
		return h.count(file, "SELECT count(*) FROM "+visible+" WHERE t.name LIKE ? || '%'", mark)
	}
	return h.count(file, "SELECT count(*) FROM "+table+" WHERE "+column+" LIKE ? || '%'", mark)
}

// look compares a thing with what was answered last.
func (h *client) look(file *sql.DB, t *thing) {
	h.Helper()
	t.touched = false
	status, answer := h.client.ask("GET", "/"+t.kind.resource+"/"+t.id, "", "")
	if t.deleted {
		if status != 404 {
			h.Errorf("%s was deleted, and is there: %d %s", t.mark, status, answer)
		}
		return
	}
	seen := objects(answer)
	if status != 200 || len(seen) != 1 {
		h.Errorf("%s is lost: %d %s", t.mark, status, answer)
		return
	}
	if got := t.kind.of(seen[0]); !maps.EqualFunc(got, t.want, same) {
		h.Errorf("%s is %v, was answered %v", t.mark, got, t.want)
	}
	if n := h.marked(file, t.kind, t.mark); t.kind.resource == "imports" && (n != t.kind.rows || seen[0]["status"] != "complete") {
		h.Errorf("import %s has %d rows: %s", t.mark, n, answer)
	}
}

func same(a, b any) bool {
	x, _ := json.Marshal(a) // of values that came as JSON
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}
