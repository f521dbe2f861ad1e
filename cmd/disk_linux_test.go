package cmd_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"finsvc/assistant/aitest"
)

// ownDisks in the environment says that the process may mount file systems that nobody else sees.
const ownDisks = "CMD_TEST_OWN_DISKS"

// TestDisk runs the tests of full and read-only disks in a process that has mounts of its own.
func TestDisk(t *testing.T) {
	t.Parallel()
	if os.Getenv(ownDisks) != "" {
		t.Run("full", testFullDisk)
		t.Run("full while an import is published", testFullDiskImport)
		t.Run("full while an answer is written", testFullDiskAnswer)
		t.Run("full at the start", testFullDiskStart)
		t.Run("read only", testReadOnlyDisk)
		return
	}
	c := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^TestDisk$", "-test.v")
	c.Env = append(os.Environ(), ownDisks+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}}
	out, err := c.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOSPC) || strings.Contains(string(out), "cannot mount") {
		t.Skipf("no mounts of its own: %v %s", err, out)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// disk is a shell with a small file system of its own, on which its database lies.
type disk struct {
	*shell
	path   string
	client loadClient
	server child
}

// newDisk makes a disk of so many bytes, and on it a household with an account.
func newDisk(t *testing.T, size int) *disk {
	t.Helper()
	d := &disk{shell: newShell(t), path: t.TempDir()}
	if err := syscall.Mount("none", d.path, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Fatal("cannot mount", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(d.path, syscall.MNT_DETACH) })
	d.file = filepath.Join(d.path, "finance.db")
	d.client = loadClient{key: strings.TrimSpace(d.ok("apikey", "create", "--rate-limit", "100000000")), transport: d.loadTransport()}
	return d
}

// begin starts a server with the account Giro, whose id it gives.
func (d *disk) begin() *hand {
	d.Helper()
	d.server = d.child()
	d.client.url = d.server.url
	h := &hand{shell: d.shell, client: d.client, name: "Hand", accounts: map[string]string{}}
	h.accounts["cash"] = h.account("Giro", "depository")
	return h
}

func (d *disk) end() {
	d.Helper()
	if err := d.server.Process.Signal(os.Interrupt); err != nil {
		d.Error(err)
	}
	if err := d.server.Wait(); err != nil {
		d.Errorf("the server ended badly: %v", err)
	}
}

func (d *disk) filler() string { return filepath.Join(d.path, "filler") }

// fill leaves no room on the disk.
func (d *disk) fill() {
	d.Helper()
	f, err := os.OpenFile(d.filler(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		d.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 64<<10); len(block) > 0; {
		if _, err := f.Write(block); errors.Is(err, syscall.ENOSPC) {
			block = block[:len(block)/2]
		} else if err != nil {
			d.Fatal(err)
		}
	}
}

// empty makes room.
func (d *disk) empty() {
	d.Helper()
	if err := os.Remove(d.filler()); err != nil {
		d.Error(err)
	}
}

// refused must answer 503 as described.
func (d *disk) refused(method, path, body string) {
	d.Helper()
	status, answer := d.client.ask(method, path, body, "")
	if status != http.StatusServiceUnavailable || !strings.Contains(answer, `"error":"unavailable"`) || !strings.Contains(answer, "nothing was written") {
		d.Errorf("%s %s: %d %.300s", method, path, status, answer)
	}
}

// answered must have the status.
func (d *disk) answered(want int, method, path, body string) (answer string) {
	d.Helper()
	status, answer := d.client.ask(method, path, body, "")
	if status != want {
		d.Errorf("%s %s: %d, want %d: %.300s", method, path, status, want, answer)
	}
	return answer
}

const booking = `{"transaction":{"account_id":%q,"date":"2026-01-10","amount":1,"name":"Row %d","notes":"%0500d"}}`

func testFullDisk(t *testing.T) {
	d := newDisk(t, 24<<20)
	account := d.begin().accounts["cash"]
	acknowledged, next := 0, func(n int) string { return fmt.Sprintf(booking, account, n, n) }
	for round := range 3 {
		d.fill()
		status, answer := 201, ""
		for ; status == 201; acknowledged++ {
			status, answer = d.client.ask("POST", "/transactions", next(acknowledged), "")
		}
		acknowledged--
		if status != http.StatusServiceUnavailable {
			t.Errorf("on a full disk: %d %s", status, answer)
		}
		d.refused("POST", "/transactions", next(-1))
		d.refused("POST", "/transactions/bulk", `{"transactions":[`+strings.TrimSuffix(strings.TrimPrefix(next(-1), `{"transaction":`), "}")+`]}`)
		d.refused("POST", "/imports", importJSON(crashFile()))
		d.refused("POST", "/chats", `{"title":"x","message":"What is my net worth?"}`)
		d.refused("POST", "/tags", `{"tag":{"name":"x"}}`)
		for _, path := range []string{"/accounts", "/transactions?per_page=100", "/balance_sheet", "/imports", "/chats"} {
			d.answered(200, "GET", path, "")
		}
		d.empty()
		d.answered(201, "POST", "/tags", fmt.Sprintf(`{"tag":{"name":"Round %d"}}`, round))
		d.checkSound()
	}
	if n := d.count(d.look(), "SELECT count(*) FROM transactions"); n != int64(acknowledged) {
		t.Errorf("%d transactions are there, %d were acknowledged", n, acknowledged)
	}
	d.answered(201, "POST", "/transactions", next(acknowledged))
	d.end()
	d.checkSound()
}

// A disk that fills up while an import is published: it waits for room, and then it is there as a whole.
func testFullDiskImport(t *testing.T) {
	d := newDisk(t, 24<<20)
	d.begin()
	var made struct{ Data struct{ ID string } }
	if err := json.Unmarshal([]byte(d.answered(201, "POST", "/imports", importJSON(crashFile()))), &made); err != nil {
		t.Fatal(err)
	}
	d.fill()
	file, status := d.look(), ""
	for range 50 {
		status = d.importStatus(made.Data.ID)
	}
	if status != "importing" {
		t.Errorf("on a full disk the import is %s", status)
	}
	if n := d.count(file, "SELECT count(*) FROM "+visible); n != 0 && n != crashRows {
		t.Errorf("%d rows of the import can be seen", n)
	}
	d.checkSound()
	d.empty()
	spoil(t, d.file, "UPDATE imports SET lease_until = 0") // else it is taken up again when half a minute has passed
	for deadline := time.Now().Add(time.Minute); status != "complete" && time.Now().Before(deadline); status = d.importStatus(made.Data.ID) {
		time.Sleep(10 * time.Millisecond)
	}
	if n := d.count(file, "SELECT count(*) FROM "+visible); n != crashRows || status != "complete" {
		t.Errorf("%d rows of the import, which is %s", n, status)
	}
	d.end()
	d.checkSound()
}

func (d *disk) importStatus(id string) string {
	d.Helper()
	var seen struct{ Data struct{ Status string } }
	if err := json.Unmarshal([]byte(d.answered(200, "GET", "/imports/"+id, "")), &seen); err != nil {
		d.Fatal(err)
	}
	return seen.Data.Status
}

// A disk that fills up while the provider answers: the answer is settled once there is room.
func testFullDiskAnswer(t *testing.T) {
	d := newDisk(t, 24<<20)
	asked, full := make(chan struct{}), make(chan struct{})
	provider := aitest.New(t, func(w http.ResponseWriter, r *http.Request, q aitest.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		close(asked)
		<-full
		aitest.Say("You have ", "enough.")(w, r, q)
	}, aitest.Say("You have enough, again."))
	d.env = append(d.env, "FINSVC_AI_URL="+provider.URL, "FINSVC_AI_MODEL=small")
	account := d.begin().accounts["cash"]
	var chat struct {
		ID       string
		Messages []struct{ ID string }
	}
	if err := json.Unmarshal([]byte(d.answered(201, "POST", "/chats", `{"message":"What do I have?"}`)), &chat); err != nil {
		t.Fatal(err)
	}
	<-asked
	d.fill()
	for status := 201; status == 201; status, _ = d.client.ask("POST", "/transactions", fmt.Sprintf(booking, account, 1, 1), "") {
	}
	close(full)
	path := "/chats/" + chat.ID + "/messages/" + chat.Messages[1].ID
	d.answered(200, "GET", path, "")
	d.empty()
	spoil(t, d.file, "UPDATE messages SET lease_until = 0") // else it is begun again when half a minute has passed
	answer := d.answered(200, "GET", path+"/stream", "")
	if !strings.Contains(answer, "event: done") || !strings.Contains(answer, `"ai_response_status":"complete"`) {
		t.Errorf("answer %s", answer)
	}
	d.end()
	d.checkSound()
}

// A server starts on a full disk, after another one was killed, and answers what is only read.
func testFullDiskStart(t *testing.T) {
	d := newDisk(t, 24<<20)
	d.begin()
	if err := d.server.Process.Kill(); err != nil { // and its log is left
		t.Fatal(err)
	}
	_ = d.server.Wait() // it was killed
	d.fill()
	d.server = d.child()
	d.client.url = d.server.url
	d.answered(200, "GET", "/accounts", "")
	d.empty()
	d.answered(201, "POST", "/tags", `{"tag":{"name":"x"}}`)
	d.end()
	d.checkSound()
}

// A server that starts on a read-only disk says so and changes nothing; the books can be looked at.
func testReadOnlyDisk(t *testing.T) {
	d := newDisk(t, 24<<20)
	d.begin()
	d.end()
	if err := syscall.Mount("none", d.path, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	d.fails(4, []string{"serve", "--listen", "127.0.0.1:0"}, "cannot be written", "read-only")
	d.fails(4, []string{"apikey", "create"}, "cannot be written")
	d.checkSound()
	if err := syscall.Mount("none", d.path, "tmpfs", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	d.begin()
	d.end()
}
