package scenario_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"

	"finsvc/assistant/aitest"
)

// TestDisk runs the tests of full and read-only disks in a process that has mounts of its own.
func TestDisk(t *testing.T) {
	t.Parallel()
	cmdtest.SkipShort(t)
	if os.Getenv(ownDisks) != "" {
		t.Run("full", testFullDisk)
		t.Run("full while an import is published", testFullDiskImport)
		t.Run("full while an answer is written", testFullDiskAnswer)
		t.Run("full at the start", testFullDiskStart)
		t.Run("full at a backup", testFullDiskBackup)
		t.Run("full while no server runs", testFullDiskAlone)
		t.Run("full at an upgrade", testFullDiskUpgrade)
		t.Run("full at a restore", testFullDiskRestore)
		t.Run("full at an export", testFullDiskExport)
		t.Run("read only", testReadOnlyDisk)
		return
	}
	ownMounts(t, "^TestDisk$", syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}})
}

// onlyReads must be what the server does: it writes nothing of any kind, and shows everything.
func (d *disk) onlyReads(transaction string) {
	d.Helper()
	d.refused("POST", "/transactions", transaction)
	d.refused("POST", "/transactions/bulk", `{"transactions":[`+strings.TrimSuffix(strings.TrimPrefix(transaction, `{"transaction":`), "}")+`]}`)
	d.refused("POST", "/imports", importJSON(crashFile()))
	d.refused("POST", "/chats", `{"title":"x","message":"What is my net worth?"}`)
	d.refused("POST", "/tags", `{"tag":{"name":"x"}}`)
	for _, path := range []string{"/accounts", "/transactions?per_page=100", "/balance_sheet", "/imports", "/chats"} {
		d.answered(200, "GET", path, "")
	}
}

const booking = `{"transaction":{"account_id":%q,"date":"2026-01-10","amount":1,"name":"Row %d","notes":"%0500d"}}`

func testFullDisk(t *testing.T) {
	d := newDisk(t, 24<<20)
	account := d.begin().Accounts["cash"]
	acknowledged, next := 0, func(n int) string { return fmt.Sprintf(booking, account, n, n) }
	for round := range 3 {
		d.fill()
		status, answer := 201, ""
		for ; status == 201; acknowledged++ {
			status, answer = d.client.Ask("POST", "/transactions", next(acknowledged), "")
		}
		acknowledged--
		if status != http.StatusServiceUnavailable {
			t.Errorf("on a full disk: %d %s", status, answer)
		}
		d.onlyReads(next(-1))
		d.empty()
		d.answered(201, "POST", "/tags", fmt.Sprintf(`{"tag":{"name":"Round %d"}}`, round))
		d.CheckSound()
	}
	if n := d.Count(d.Look(), "SELECT count(*) FROM transactions"); n != int64(acknowledged) {
		t.Errorf("%d transactions are there, %d were acknowledged", n, acknowledged)
	}
	d.answered(201, "POST", "/transactions", next(acknowledged))
	d.end()
	d.CheckSound()
}

// A disk that fills up while an import is published: it waits for room, and then it is there as a whole.
func testFullDiskImport(t *testing.T) {
	d := newDisk(t, 24<<20)
	d.begin()
	id := d.importing()
	d.fill()
	status := ""
	for range 50 {
		status = d.importStatus(id)
	}
	if status != "importing" {
		t.Errorf("on a full disk the import is %s", status)
	}
	if n := d.visible(); n != 0 && n != crashRows {
		t.Errorf("%d rows of the import can be seen", n)
	}
	d.CheckSound()
	d.empty()
	d.imported(id)
	d.end()
	d.CheckSound()
}

// importing begins an import and gives its id.
func (d *disk) importing() string {
	d.Helper()
	var made struct{ Data struct{ ID string } }
	if err := json.Unmarshal([]byte(d.answered(201, "POST", "/imports", importJSON(crashFile()))), &made); err != nil {
		d.Fatal(err)
	}
	return made.Data.ID
}

// imported must be the whole file, now that the disk takes writes again.
func (d *disk) imported(id string) {
	d.Helper()
	cmdtest.Spoil(d.T, d.File, "UPDATE import_work SET lease_until = 0") // else it is taken up again when half a minute has passed
	status := d.importStatus(id)
	for deadline := time.Now().Add(time.Minute); status != "complete" && time.Now().Before(deadline); status = d.importStatus(id) {
		time.Sleep(10 * time.Millisecond)
	}
	if n := d.visible(); n != crashRows || status != "complete" {
		d.Errorf("%d rows of the import, which is %s", n, status)
	}
}

// visible is how many transactions can be seen.
func (d *disk) visible() int64 {
	d.Helper()
	file := d.Look()
	defer file.Close()
	return d.Count(file, "SELECT count(*) FROM "+cmdtest.Visible)
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
	answer := d.provided()
	account := d.begin().Accounts["cash"]
	path := d.asked()
	d.fill()
	for status := 201; status == 201; status, _ = d.client.Ask("POST", "/transactions", fmt.Sprintf(booking, account, 1, 1), "") {
	}
	answer()
	d.answered(200, "GET", path, "")
	d.empty()
	d.settled(path)
	d.end()
	d.CheckSound()
}

// provided gives the server a provider whose first answer waits until answer is called.
func (d *disk) provided() (answer func()) {
	d.Helper()
	wait := make(chan struct{})
	provider := aitest.New(d.T, func(w http.ResponseWriter, r *http.Request, q aitest.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		close(d.waits)
		<-wait
		aitest.Say("You have ", "enough.")(w, r, q)
	}, aitest.Say("You have enough, again."))
	d.waits = make(chan struct{})
	d.Env = append(d.Env, "FINSVC_AI_URL="+provider.URL, "FINSVC_AI_MODEL=small")
	return func() { close(wait) }
}

// asked asks the provider, and gives the path of the answer that it has begun.
func (d *disk) asked() string {
	d.Helper()
	var chat struct {
		ID       string
		Messages []struct{ ID string }
	}
	if err := json.Unmarshal([]byte(d.answered(201, "POST", "/chats", `{"message":"What do I have?"}`)), &chat); err != nil {
		d.Fatal(err)
	}
	<-d.waits
	return "/chats/" + chat.ID + "/messages/" + chat.Messages[1].ID
}

// settled must be an answer, now that the disk takes writes again.
func (d *disk) settled(path string) {
	d.Helper()
	cmdtest.Spoil(d.T, d.File, "UPDATE messages SET lease_until = 0") // else it is begun again when half a minute has passed
	answer := d.answered(200, "GET", path+"/stream", "")
	if !strings.Contains(answer, "event: done") || !strings.Contains(answer, `"ai_response_status":"complete"`) {
		d.Errorf("answer %s", answer)
	}
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
	d.restart()
	d.answered(200, "GET", "/accounts", "")
	d.empty()
	d.answered(201, "POST", "/tags", `{"tag":{"name":"x"}}`)
	d.end()
	d.CheckSound()
}

// A server that starts on a read-only disk says so and changes nothing; the books can be looked at, and what a killed server
// has left in its log with them. Where the log cannot be read nothing is shown without it.
func testReadOnlyDisk(t *testing.T) {
	d := newDisk(t, 24<<20)
	d.begin()
	d.end()
	d.remount(syscall.MS_RDONLY)
	d.Fails(4, []string{"serve", "--listen", "127.0.0.1:0"}, "cannot be written", "read-only")
	d.Fails(4, []string{"apikey", "create"}, "cannot be written")
	d.CheckSound()
	d.remount(0)
	d.restart()
	d.leaveLog()
	d.remount(syscall.MS_RDONLY)
	d.saveLog()
	d.CheckSound()
	d.remount(0)
	if err := os.Remove(d.File + "-shm"); err != nil { // without which SQLite cannot read the log
		t.Fatal(err)
	}
	d.remount(syscall.MS_RDONLY)
	d.Fails(4, []string{"backup", "-o", filepath.Join(t.TempDir(), "copy.db")}, "its disk is mounted read-only", "Mount it for writing")
}

func (d *disk) remount(flags uintptr) {
	d.Helper()
	if err := syscall.Mount("none", d.path, "tmpfs", syscall.MS_REMOUNT|flags, ""); err != nil {
		d.Fatal(err)
	}
}
