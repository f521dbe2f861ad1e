package scenario_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"

	"finsvc/handlers/apitest"
)

// crashRows is how many rows the file has that is imported: several batches.
const crashRows = 7_000

// crashRig kills servers on one file, and starts them again.
type crashRig struct {
	*cmdtest.CommandLine
	*rand.Rand
	client  cmdtest.LoadClient
	reader  *sql.DB
	server  cmdtest.Child
	id      string // of the import; blank when there is none
	account string // in which transactions are booked besides

	begun int // requests

	booking      sync.WaitGroup
	acknowledged []string // the client's own ids of transactions that were answered with 201
}

// promise is what the last answers before a kill let a client expect.
type promise struct {
	statuses []string // that the import may have in the end; blank: there is none
	what     string
	again    func() // repeats the request, which must come to what it was to come to; nil where others followed it
}

// TestKilledServer kills a server at moments that it does not choose while it receives, publishes, cancels and
// reverts an import and books transactions besides. After each kill the file is sound; after the next start the
// import is settled, all there or not at all, and whatever was acknowledged is there. A repeat of the last request, with
// its Idempotency-Key, then does what was not done, and nothing twice.
//
// FINSVC_CRASHES says how many kills.
//
// Decision, Imports: after a crash every import is settled, rolled back and resumed.
func TestKilledServer(t *testing.T) {
	t.Parallel()
	kills := crashes(t, 4)
	r := newCrashRig(t)
	last, seen := promise{statuses: []string{""}}, map[string]int{}
	for n := range kills {
		r.start()
		r.settle()
		r.check(last)
		if last.again != nil {
			last.again()
		}
		written := r.rows()
		last = r.act()
		r.kill()
		now := r.rows()
		seen[fmt.Sprintf("%s, which left %s", last.what, phase(written, now))]++
		r.checkBooks()
		if t.Failed() {
			t.Fatalf("after kill %d: %s, %d rows before and %d after it", n+1, last.what, written, now)
		}
	}
	r.start()
	r.settle()
	r.check(last)
	r.kill()
	t.Logf("%d kills: %v", kills, seen)
}

func phase(before, now int64) string {
	switch {
	case now == before:
		return "all as it was"
	case now == 0 || now == crashRows:
		return "all rows changed"
	}
	return "rows half written or removed"
}

func newCrashRig(t *testing.T) *crashRig {
	t.Helper()
	s := cmdtest.NewBooks(t)
	key := strings.TrimSpace(s.OK("apikey", "create", "--rate-limit", "100000000"))
	account := s.List("account", "list")[0]["id"].(string)
	reader, err := sql.Open("sqlite", "file:"+s.File+"?_pragma=query_only(1)&_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reader.Close() })
	transport := apitest.Transport(t, &http.Transport{DisableKeepAlives: true})
	return &crashRig{CommandLine: s, Rand: rand.New(rand.NewPCG(7, 4)), client: cmdtest.LoadClient{Key: key, Transport: transport}, reader: reader, account: account}
}

// start starts a server as another process and waits until it listens.
func (r *crashRig) start() {
	r.Helper()
	if r.server = r.Child(); r.server.URL == "" {
		r.Fatal("the server did not start")
	}
	r.client.URL = r.server.URL
}

// kill kills the server, and lets those who wait for its answers find out.
func (r *crashRig) kill() {
	r.Helper()
	if err := r.server.Process.Kill(); err != nil {
		r.Error(err)
	}
	_ = r.server.Wait() // it was killed
	r.booking.Wait()
}

// settle waits until nothing is being done.
func (r *crashRig) settle() {
	r.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if status := r.status(); status != "importing" && status != "reverting" {
			return
		}
		if time.Now().After(deadline) {
			r.Fatal("the import is not settled")
		}
	}
}

// status is the state of the import; blank when there is none.
func (r *crashRig) status() string {
	r.Helper()
	status, answer := r.client.Ask("GET", "/imports", "", "")
	var list struct{ Data []struct{ ID, Status string } }
	if err := json.Unmarshal([]byte(answer), &list); err != nil || status != 200 || len(list.Data) > 1 {
		r.Fatalf("imports: %d %s", status, answer)
	}
	if len(list.Data) == 0 {
		r.id = ""
		return ""
	}
	r.id = list.Data[0].ID
	return list.Data[0].Status
}

// act begins with what the state of the import allows, and lets time pass until the server is to be killed.
func (r *crashRig) act() promise {
	r.Helper()
	status, client := r.status(), r.client
	r.booking.Go(func() { r.bookUntilItDies(client) })
	path := "/imports/" + r.id
	switch {
	case status == "":
		return r.begin("send", "POST", "/imports", importJSON(crashFile()), 201, "", "complete")
	case status == "complete":
		return r.begin("revert", "POST", path+"/revert", "", 202, "complete", "pending")
	case r.IntN(4) == 0:
		return r.begin("delete", "DELETE", path, "", 200, "pending", "")
	case r.IntN(3) > 0:
		return r.begin("publish", "POST", path+"/publish", "", 202, "pending", "complete")
	}
	p := r.begin("publish and cancel", "POST", path+"/publish", "", 202, "pending", "complete")
	if status, _ := client.Ask("POST", path+"/cancel", "", ""); status == 202 {
		p.statuses = nil
	}
	p.statuses, p.again = append(p.statuses, "pending"), nil
	r.passTime(30)
	return p
}

// begin asks for something while time passes: the kill may come before the answer.
func (r *crashRig) begin(what, method, path, body string, want int, before, after string) promise {
	r.Helper()
	answered, client := make(chan int, 1), r.client
	r.begun++
	once := fmt.Sprint("request-", r.begun)
	go func() {
		status, _ := client.Ask(method, path, body, once)
		answered <- status
	}()
	again := func() {
		if status, answer := r.client.Ask(method, path, body, once); status != want {
			r.Errorf("%s, repeated: %d %s", what, status, answer)
		}
		r.settle()
		r.check(promise{statuses: []string{after}, what: what + ", repeated"})
	}
	if target := r.Int64N(crashRows); r.IntN(2) == 0 && before != after {
		r.awaitRows(target, after == "complete")
	}
	r.passTime(120)
	select {
	case status := <-answered:
		if status != want {
			r.Errorf("%s: status %d", what, status)
		}
		return promise{[]string{after}, what, again}
	default:
		return promise{[]string{before, after}, what, again}
	}
}

// passTime is the one thing here that depends on luck.
func (r *crashRig) passTime(most int) {
	time.Sleep(time.Duration(r.IntN(most*1000)) * time.Microsecond)
}

// awaitRows waits until so many rows of the import are stored, or no more than so many when they are being removed.
func (r *crashRig) awaitRows(target int64, rising bool) {
	r.Helper()
	for deadline := time.Now().Add(time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if n := r.rows(); rising && n > target || !rising && n < target {
			return
		}
	}
}

// bookUntilItDies books transactions and remembers which ones the server has acknowledged.
func (r *crashRig) bookUntilItDies(client cmdtest.LoadClient) {
	for {
		id := fmt.Sprint("own-", len(r.acknowledged))
		status, _ := client.Ask("POST", "/transactions", fmt.Sprintf(
			`{"transaction":{"account_id":%q,"date":"2026-01-10","amount":1.5,"name":"Besides","external_id":%q}}`, r.account, id), "")
		if status != 201 && status != 200 { // 200: it was there, though the answer was lost
			return
		}
		r.acknowledged = append(r.acknowledged, id)
		time.Sleep(2 * time.Millisecond)
	}
}
