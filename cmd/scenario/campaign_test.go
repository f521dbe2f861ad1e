package scenario_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"

	"github.com/google/uuid"
)

// A campaign is one server with two households: eight clients of the innocent one live with it, eight of the hostile one
// send what has once held up everybody. What the innocent feel is the result.
type campaign struct {
	*cmdtest.CommandLine
	server   cmdtest.Child
	innocent side
	hostile  side
	ctx      context.Context // ends with the campaign
	client   *http.Client

	mu    sync.Mutex
	peaks cmdtest.Usage
}

// side is a household and what its clients were answered.
type side struct {
	key      string
	accounts []string // of cash
	readKey  string
	mu       sync.Mutex
	took     map[string][]time.Duration // by kind of request
	statuses map[string]int             // by kind and status
}

// What an innocent household is to feel at most while another one is hostile.
const (
	mostRead   = 300 * time.Millisecond // 99 of 100
	mostWrite  = time.Second            // 99 of 100
	mostMemory = 300 << 10              // KiB
	mostStop   = 10 * time.Second
)

// campaigners is how many clients each household has.
const campaigners = 8

// TestCampaign is run by hand, for it keeps a machine busy for minutes: FINSVC_CAMPAIGN=60s go test ./cmd -run Campaign -v -timeout 30m.
// Each of the four campaigns lasts that long. FINSVC_HOSTILE=search,long lets the hostile household do only that, and
// FINSVC_HOSTILE=none nothing; the names are those of hostilities.
func TestCampaign(t *testing.T) {
	if os.Getenv("FINSVC_CAMPAIGN") == "" {
		t.Skip("FINSVC_CAMPAIGN says how long each campaign is to last, such as 60s")
	}
	length := cmdtest.SetTime(t, "FINSVC_CAMPAIGN", time.Minute)
	for name, act := range map[string]func(*campaign, *rand.Rand){
		"reads": (*campaign).read, "creates": (*campaign).create, "imports": (*campaign).importFile, "reverts": (*campaign).revertFile,
	} {
		t.Run(name, func(t *testing.T) { newCampaign(t).run(length, act) })
	}
}

func newCampaign(t *testing.T) *campaign {
	t.Helper()
	c := &campaign{CommandLine: cmdtest.NewCommandLine(t), client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}}
	t.Cleanup(c.client.CloseIdleConnections)
	c.OK("apikey", "create")
	c.OK("household", "create", "Hostile", "--currency", "EUR", "--owner", "hostile@example.org")
	for owner, s := range map[string]*side{"": &c.innocent, "hostile@example.org": &c.hostile} {
		s.took, s.statuses = map[string][]time.Duration{}, map[string]int{}
		of := []string{"--user", owner}
		if owner == "" {
			of = []string{"--household", "Home"}
		}
		s.key = strings.TrimSpace(c.OK(append([]string{"apikey", "create", "--rate-limit", "100000000"}, of...)...))
		s.readKey = strings.TrimSpace(c.OK(append([]string{"apikey", "create", "reader", "--scope", "read", "--rate-limit", "100000000"}, of...)...))
	}
	if c.server = c.Child(); c.server.URL == "" {
		t.Fatal("the server did not start")
	}
	c.ctx = t.Context()
	c.furnish()
	return c
}

// furnish gives both households accounts and transactions: the innocent one 20,000 with short texts, the hostile one 5,000
// with notes of equal letters, as long as notes may be.
func (c *campaign) furnish() {
	for s, fill := range map[*side]struct {
		rows, batch int
		notes       string
	}{&c.innocent: {20_000, 5_000, "card payment"}, &c.hostile: {5_000, 500, strings.Repeat("a", 10_000)}} {
		for _, name := range []string{"Giro", "Savings"} {
			status, answer := c.ask(s, s.key, "furnish", "POST", "/accounts", fmt.Sprintf(`{"account":{"name":%q,"account_type":"depository"}}`, name))
			var made struct{ ID string }
			if err := json.Unmarshal([]byte(answer), &made); err != nil || status != http.StatusCreated {
				c.Fatalf("account: %d %s", status, answer)
			}
			s.accounts = append(s.accounts, made.ID)
		}
		for n := 0; n < fill.rows; n += fill.batch {
			var rows []string
			for i := n; i < n+fill.batch; i++ {
				rows = append(rows, fmt.Sprintf(`{"account_id":%q,"date":"%d-%02d-%02d","amount":%d.%02d,"name":"Shop %d","notes":%q}`,
					s.accounts[0], 2019+i%7, 1+i%12, 1+i%28, 1+i%300, i%100, i%500, fill.notes))
			}
			if status, answer := c.ask(s, s.key, "furnish", "POST", "/transactions/bulk", `{"transactions":[`+strings.Join(rows, ",")+`]}`); status != http.StatusCreated {
				c.Fatalf("furnish: %d %.300s", status, answer)
			}
		}
	}
}

// run lets both sides at the server, and tells.
func (c *campaign) run(length time.Duration, act func(*campaign, *rand.Rand)) {
	c.Helper()
	ctx, end := context.WithTimeout(c.Context(), length)
	defer end()
	c.ctx = ctx
	var innocents, hostiles sync.WaitGroup
	for i := range campaigners {
		of := act
		switch i { // whatever the campaign is about, reads and creates are measured
		case 0:
			of = (*campaign).read
		case 1:
			of = (*campaign).create
		}
		innocents.Go(func() { c.repeat(uint64(i), of) })
	}
	for i, of := range c.hostilities() {
		if only := os.Getenv("FINSVC_HOSTILE"); only == "" || slices.Contains(strings.Split(only, ","), of.name) {
			hostiles.Go(func() { c.repeat(uint64(100+i), of.do) })
		}
	}
	var watched sync.WaitGroup
	watched.Go(c.watchMemory)
	innocents.Wait()
	hostiles.Wait()
	watched.Wait()
	c.tell()
}

func (c *campaign) repeat(seed uint64, of func(*campaign, *rand.Rand)) {
	random := rand.New(rand.NewPCG(18, seed))
	for c.ctx.Err() == nil {
		of(c, random)
	}
}

// ask sends a request and notes under a kind how long it took and what was answered; one that the end of the campaign
// cuts off is not noted.
func (c *campaign) ask(s *side, key, kind, method, path, body string) (status int, answer string) {
	req, err := http.NewRequestWithContext(c.ctx, method, c.server.URL+path, strings.NewReader(body))
	if err != nil {
		c.Error(err)
		return 0, ""
	}
	req.Header.Set("X-Api-Key", key)
	req.Header.Set("Content-Type", "application/json")
	began := time.Now()
	resp, err := c.client.Do(req)
	var text []byte
	if err == nil {
		text, err = io.ReadAll(resp.Body)
		resp.Body.Close()
	}
	switch {
	case c.ctx.Err() != nil:
		return 0, ""
	case err == nil:
		status = resp.StatusCode
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.statuses[fmt.Sprint(kind, " ", status)]++
	if status < http.StatusMultipleChoices && status > 0 {
		s.took[kind] = append(s.took[kind], time.Since(began))
	}
	return status, string(text)
}

// read is what a person's programs ask for.
func (c *campaign) read(r *rand.Rand) {
	paths := []string{"/accounts", "/balance_sheet", "/net_worth?interval=month", "/income_statement?start_date=2025-01-01&end_date=2025-12-31", "/categories", "/tags?per_page=100",
		"/transactions?search=shop+4", "/transactions?per_page=100&page=2", "/transactions?min_amount=100", "/holdings", "/balances?per_page=100", "/trades", "/transfers",
		"/valuations", "/imports", "/usage", "/securities", "/rules"}
	path := paths[r.IntN(len(paths))]
	if r.IntN(2) == 0 { // else the same again, which is kept as long as nobody writes
		mark := "?x="
		if strings.Contains(path, "?") {
			mark = "&x="
		}
		path += fmt.Sprint(mark, r.Int64())
	}
	c.ask(&c.innocent, c.innocent.key, "read", "GET", path, "")
}

func (c *campaign) create(r *rand.Rand) {
	c.ask(&c.innocent, c.innocent.key, "write", "POST", "/transactions", fmt.Sprintf(`{"transaction":{"account_id":%q,"date":"2026-%02d-%02d","amount":%d.%02d,"name":"Purchase %d"}}`,
		c.innocent.accounts[0], 1+r.IntN(10), 1+r.IntN(28), 1+r.IntN(500), r.IntN(100), r.IntN(1000)))
}

// ImportFile books a file and waits until that is done; "import" is how long it all takes.
func (c *campaign) importFile(r *rand.Rand) { c.bookFile(r) }

// bookFile gives the id of the import, blank when it was not booked.
func (c *campaign) bookFile(r *rand.Rand) string {
	file := "date,amount,name\n"
	for i := range 200 {
		file += fmt.Sprintf("2026-%02d-%02d,-%d.%02d,Import %d %d\n", 1+r.IntN(10), 1+r.IntN(28), i+1, r.IntN(100), r.Int64(), i)
	}
	content, _ := json.Marshal(file) // a text
	began := time.Now()
	id := c.startImport(&c.innocent, "upload", fmt.Sprintf(`{"account_id":%q,"publish":true,"raw_file_content":%s}`, c.innocent.accounts[1], content))
	if id == "" || !c.settled(id, "complete") {
		return ""
	}
	c.note(&c.innocent, "import", time.Since(began))
	return id
}

// revertFile books a file and takes it back.
func (c *campaign) revertFile(r *rand.Rand) {
	id := c.bookFile(r)
	began := time.Now()
	for id != "" && c.ctx.Err() == nil {
		status, _ := c.ask(&c.innocent, c.innocent.key, "revert", "POST", "/imports/"+id+"/revert", "")
		if status == http.StatusConflict { // while another import is worked on
			c.pause(20 * time.Millisecond)
			continue
		}
		if status == http.StatusAccepted && c.settled(id, "pending") {
			c.note(&c.innocent, "reverted", time.Since(began))
		}
		return
	}
}

func (c *campaign) note(s *side, kind string, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.took[kind] = append(s.took[kind], took)
}

// startImport gives the id of a new import; blank when there is none.
func (c *campaign) startImport(s *side, kind, body string) string {
	status, answer := c.ask(s, s.key, kind, "POST", "/imports", body)
	var made struct{ Data struct{ ID string } }
	if status != http.StatusCreated || json.Unmarshal([]byte(answer), &made) != nil {
		return ""
	}
	return made.Data.ID
}

// settled waits until an import of the innocent has a state.
func (c *campaign) settled(id, want string) bool {
	for c.ctx.Err() == nil {
		_, answer := c.ask(&c.innocent, c.innocent.key, "poll", "GET", "/imports/"+id, "")
		var imp struct{ Data struct{ Status string } }
		switch _ = json.Unmarshal([]byte(answer), &imp); imp.Data.Status {
		case want:
			return true
		case "failed", "revert_failed":
			c.Errorf("import: %.300s", answer)
			return false
		}
		c.pause(50 * time.Millisecond)
	}
	return false
}

func (c *campaign) pause(length time.Duration) {
	select {
	case <-c.ctx.Done():
	case <-time.After(length):
	}
}

// hostility is something that a client of the hostile household does.
type hostility struct {
	name string
	do   func(*campaign, *rand.Rand)
}

// hostilities are what the clients of the hostile household do, one each.
func (c *campaign) hostilities() [campaigners]hostility {
	return [...]hostility{{"matching", (*campaign).matchingImports}, {"search", (*campaign).repetitiveSearches}, {"search", (*campaign).repetitiveSearches},
		{"bodies", (*campaign).announcedBodies}, {"idle", (*campaign).idleConnections}, {"streams", (*campaign).streams},
		{"labels", (*campaign).labelBackups}, {"long", (*campaign).longReads}}
}

// matchingImports books two files whose rows are all of one day and equal but for their direction.
func (c *campaign) matchingImports(r *rand.Rand) {
	const rows = 1000
	for account, amount := range map[string]string{c.hostile.accounts[0]: "10.00", c.hostile.accounts[1]: "-10.00"} {
		file := "date,amount,name\n"
		for i := range rows {
			file += fmt.Sprintf("2026-05-05,%s,Move %d %d\n", amount, r.Int64(), i)
		}
		content, _ := json.Marshal(file) // a text
		c.startImport(&c.hostile, "matching import", fmt.Sprintf(`{"account_id":%q,"publish":true,"raw_file_content":%s}`, account, content))
	}
	c.pause(10 * time.Second)
}

func (c *campaign) repetitiveSearches(r *rand.Rand) {
	text := strings.Repeat("a", 50+r.IntN(206))
	if r.IntN(4) == 0 {
		text = []string{"aa", "a", "zq", "%", "aab"}[r.IntN(5)]
	}
	c.ask(&c.hostile, c.hostile.readKey, "search", "GET", "/transactions?search="+url.QueryEscape(text)+fmt.Sprint("&x=", r.Int64()), "")
}

// announcedBodies opens connections that announce 70 MB, send one byte and keep silent.
func (c *campaign) announcedBodies(*rand.Rand) {
	var open []net.Conn
	for range 30 {
		if conn := c.dial(); conn != nil {
			open = append(open, conn)
			fmt.Fprintf(conn, "POST /api/v1/imports/preflight HTTP/1.1\r\nHost: finsvc\r\nX-Api-Key: %s\r\nContent-Type: text/csv\r\nContent-Length: 70000000\r\n\r\nd", c.hostile.readKey)
		}
	}
	c.pause(10 * time.Second)
	for _, conn := range open {
		conn.Close()
	}
}

// idleConnections opens connections without a key that say nothing.
func (c *campaign) idleConnections(*rand.Rand) {
	var open []net.Conn
	for range 400 {
		if conn := c.dial(); conn != nil {
			open = append(open, conn)
		}
	}
	c.pause(15 * time.Second)
	for _, conn := range open {
		conn.Close()
	}
}

// dial connects; nil when the server does not let it.
func (c *campaign) dial() net.Conn {
	at, err := url.Parse(c.server.URL)
	if err != nil {
		c.Error(err)
		return nil
	}
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(c.ctx, "tcp", at.Host)
	if err != nil {
		return nil
	}
	return conn
}

// streams follows an import by many connections of one key.
func (c *campaign) streams(*rand.Rand) {
	id := c.startImport(&c.hostile, "stream's import", fmt.Sprintf(`{"account_id":%q,"raw_file_content":"date,amount,name\n2026-01-01,1.00,One\n"}`, c.hostile.accounts[0]))
	var open []net.Conn
	for range 200 {
		conn := c.dial()
		if conn == nil {
			continue
		}
		open = append(open, conn)
		fmt.Fprintf(conn, "GET /api/v1/imports/%s/events HTTP/1.1\r\nHost: finsvc\r\nX-Api-Key: %s\r\n\r\n", id, c.hostile.readKey)
		_ = conn.SetReadDeadline(time.Now().Add(time.Second))
		line, err := bufio.NewReader(conn).ReadString('\n')
		status := strings.TrimSpace(strings.TrimPrefix(line, "HTTP/1.1 "))
		if err != nil {
			status = "0"
		}
		c.hostile.mu.Lock()
		c.hostile.statuses["stream "+status[:min(3, len(status))]]++
		c.hostile.mu.Unlock()
	}
	c.pause(15 * time.Second)
	for _, conn := range open {
		conn.Close()
	}
}

// labelBackups restores 50,000 tags.
func (c *campaign) labelBackups(*rand.Rand) {
	var file strings.Builder
	for range 50_000 {
		id := uuid.NewString()
		fmt.Fprintf(&file, `{"type":"Tag","data":{"id":"%s","name":"Tag %s","color":"#61c9ea"}}`+"\n", id, id)
	}
	content, _ := json.Marshal(file.String()) // a text
	c.startImport(&c.hostile, "label backup", fmt.Sprintf(`{"type":"ServiceImport","publish":true,"raw_file_content":%s}`, content))
	c.pause(10 * time.Second)
}

// longReads asks for what adds up all years.
func (c *campaign) longReads(r *rand.Rand) {
	paths := []string{"/explain?figure=net_worth&from=1900-01-01", "/explain?figure=balance&from=1900-01-01&account_id=" + c.hostile.accounts[0], "/net_worth?interval=day&start_date=2017-01-01&end_date=2026-12-31",
		"/income_statement?start_date=1900-01-01&end_date=2199-12-31", "/balances?per_page=100&page=50000", "/transactions?type=income&page=2147483647", "/transactions?search=%25&min_amount=0"}
	c.ask(&c.hostile, c.hostile.readKey, "long read", "GET", paths[r.IntN(len(paths))], "")
}

// watchMemory looks what the server has until the campaign ends.
func (c *campaign) watchMemory() {
	for c.ctx.Err() == nil {
		u := c.Usage(c.server.Process.Pid)
		c.mu.Lock()
		c.peaks.Private, c.peaks.Memory = max(c.peaks.Private, u.Private), max(c.peaks.Memory, u.Memory)
		c.peaks.Threads, c.peaks.Files, c.peaks.WAL = max(c.peaks.Threads, u.Threads), max(c.peaks.Files, u.Files), max(c.peaks.WAL, u.WAL)
		c.mu.Unlock()
		c.pause(100 * time.Millisecond)
	}
}

// tell stops the server and says what was felt; what is beyond the limits fails the test.
func (c *campaign) tell() {
	c.Helper()
	stopped := make(chan error, 1)
	began := time.Now()
	if err := c.server.Process.Signal(os.Interrupt); err != nil {
		c.Error(err)
	}
	go func() { stopped <- c.server.Wait() }()
	select {
	case err := <-stopped:
		if err != nil {
			c.Errorf("the server ended badly: %v", err)
		}
		c.CheckSound()
	case <-time.After(time.Minute):
		_ = c.server.Process.Kill()
		c.Error("the server was killed: a minute after it was told to stop it had not")
	}
	took := time.Since(began)
	c.Logf("stop: %v; peaks: %d MiB of memory (%d private), %d threads, %d files, %d MiB of log", took.Round(time.Millisecond), c.peaks.Memory>>10, c.peaks.Private>>10, c.peaks.Threads, c.peaks.Files, c.peaks.WAL>>20)
	for name, s := range map[string]*side{"innocent": &c.innocent, "hostile": &c.hostile} {
		for _, kind := range slices.Sorted(maps.Keys(s.took)) {
			if kind != "furnish" {
				c.Logf("%s %s: %d, p50 %v, p99 %v, longest %v", name, kind, len(s.took[kind]), portion(s.took[kind], 50), portion(s.took[kind], 99), portion(s.took[kind], 100))
			}
		}
		for _, kind := range slices.Sorted(maps.Keys(s.statuses)) {
			c.Logf("%s %s: %d times", name, kind, s.statuses[kind])
			if strings.Contains(kind, " 5") && (!strings.HasSuffix(kind, " 503") || s == &c.innocent) {
				c.Errorf("%s was answered %s", name, kind)
			}
		}
	}
	for kind, most := range map[string]time.Duration{"read": mostRead, "write": mostWrite} {
		if got := portion(c.innocent.took[kind], 99); got > most || len(c.innocent.took[kind]) == 0 {
			c.Errorf("the innocent's p99 of %s is %v of %d, the limit %v", kind, got, len(c.innocent.took[kind]), most)
		}
	}
	if c.peaks.Private > mostMemory {
		c.Errorf("the server had %d MiB, the limit is %d", c.peaks.Private>>10, mostMemory>>10)
	}
	if took > mostStop {
		c.Errorf("the stop took %v, the limit is %v", took, mostStop)
	}
}

// portion is the time that so many of a hundred took at most.
func portion(all []time.Duration, percent int) time.Duration {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)-1, len(sorted)*percent/100)].Round(100 * time.Microsecond)
}
