package scenario_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"

	"finsvc/db/dbtest"
)

// noRoom is what a command says that did not find room for a file, and what to do.
var noRoom = []string{"cannot be written: the disk is full", "Free some space"}

// pages is how many a file has.
func (d *disk) pages(file string) int {
	d.Helper()
	info, err := os.Stat(file)
	if err != nil {
		d.Fatal(err)
	}
	return int((info.Size() + pageSize - 1) / pageSize)
}

// A copy for which there is no room, be it for its last page only: nothing of it is left, older copies stay
// and stay good, the server goes on, and the same command makes the copy once there is room.
func testFullDiskBackup(t *testing.T) {
	d := newDisk(t, 24<<20)
	d.begin()
	first := filepath.Join(d.Backups(), "finance-20260101T000000Z.db")
	if err := os.Mkdir(d.Backups(), 0o700); err != nil {
		t.Fatal(err)
	}
	d.OK("backup", "-o", first)
	was, needed := d.all(), d.pages(first)+2 // and for a moment a journal, to make it a file without a log
	for _, room := range []int{0, 1, needed / 2, needed - 1} {
		d.leave(room)
		d.Fails(1, []string{"backup", "--keep", "1"}, append(noRoom, d.Backups())...)
		d.Fails(1, []string{"backup", "-o", filepath.Join(d.path, "copy.db")}, append(noRoom, "copy.db")...)
		d.Fails(1, []string{"backup", "-o", "-"}, noRoom...)
		d.OK("backup", "verify", first)
		d.OK("backup", "-o", filepath.Join(t.TempDir(), "elsewhere.db"))
		d.answered(200, "GET", "/accounts", "")
		d.empty()
		d.unchanged(was, fmt.Sprintf("a copy with room for %d of %d pages", room, needed))
	}
	d.leave(needed)
	second := strings.TrimSpace(d.OK("backup", "--keep", "1"))
	d.OK("backup", "verify", second)
	if names := d.Files(d.Backups()); len(names) != 2 || filepath.Join(d.Backups(), names[0]) != second {
		t.Errorf("with --keep 1 there are %v", names)
	}
	d.empty()
	d.answered(201, "POST", "/tags", `{"tag":{"name":"x"}}`)
	d.end()
	d.CheckSound()
}

// Without a server there is no log; where there is no room for one, the database can be saved to another disk nevertheless.
// What a killed server has left in its log is in the copy, or there is none.
func testFullDiskAlone(t *testing.T) {
	d := newDisk(t, 24<<20)
	d.begin()
	d.end()
	d.fill()
	elsewhere := filepath.Join(t.TempDir(), "closed.db")
	d.OK("backup", "-o", elsewhere)
	d.OK("backup", "verify", elsewhere)
	d.Fails(1, []string{"serve", "--listen", "127.0.0.1:0"}, "cannot be opened: the disk is full", "Free some space")
	d.empty()
	d.begin()
	d.leaveLog()
	d.fill()
	d.saveLog()
	if err := os.Remove(d.File + "-shm"); err != nil { // what SQLite needs to read the log, and now cannot make
		t.Fatal(err)
	}
	d.fill()
	d.Fails(1, []string{"backup", "-o", filepath.Join(t.TempDir(), "copy.db")}, "cannot be opened: the disk is full", "Free some space")
	d.empty()
	d.saveLog()
	d.CheckSound()
}

const inLog = "SELECT count(*) FROM tags WHERE name = 'In the log'"

// leaveLog books something and kills the server, which leaves that in the log.
func (d *disk) leaveLog() {
	d.Helper()
	d.answered(201, "POST", "/tags", `{"tag":{"name":"In the log"}}`)
	if err := d.server.Process.Kill(); err != nil {
		d.Fatal(err)
	}
	_ = d.server.Wait() // it was killed
}

// saveLog must copy what is in the log as well.
func (d *disk) saveLog() {
	d.Helper()
	saved := &cmdtest.CommandLine{T: d.T, File: filepath.Join(d.TempDir(), "saved.db")}
	d.OK("backup", "-o", saved.File)
	saved.CheckSound()
	if n := saved.Count(saved.Look(), inLog); n != 1 {
		d.Errorf("the copy has %d of 1 acknowledged tags", n)
	}
}

// An upgrade for which there is no room, be it for the copy before it or for the upgrade itself, changes nothing and leaves
// nothing, however often it is tried, and is done once there is room.
func testFullDiskUpgrade(t *testing.T) {
	d := bareDisk(t, 24<<20)
	d.PutFile(d.File, d.GetFile(dbtest.Books(t)), 0o600)
	d.Outdate()
	was, list := d.all(), []string{"account", "list", "--household", "Home"}
	d.fill()
	for range 2 {
		d.Fails(1, []string{"serve", "--listen", "127.0.0.1:0"}, "the disk is full", "Free some space")
	}
	d.empty()
	const step = 4
	room, failures := 0, map[string]int{}
	for ; ; room += step {
		d.leave(room)
		got := d.Do(list...)
		d.empty()
		if got.Status == 0 {
			break
		}
		if got.Status != 1 || got.Stdout != "" || !strings.Contains(got.Stderr, "the disk is full") || !strings.Contains(got.Stderr, "Free some space") {
			t.Errorf("with room for %d pages: status %d, printed %q, said %q", room, got.Status, got.Stdout, got.Stderr)
		}
		said, _, _ := strings.Cut(got.Stderr, ": the disk is full")
		failures[strings.ReplaceAll(said, d.path, "")]++
		d.unlogged()
		d.unchanged(was, fmt.Sprintf("an upgrade with room for %d pages", room))
	}
	if copies := d.List("backup", "list"); len(copies) != 1 || copies[0]["kind"] != "before schema 2" || d.Read(copies[0]["path"].(string)) == nil {
		t.Errorf("copies %v", copies)
	}
	d.CheckSound()
	t.Logf("upgraded with room for %d pages; before: %v", room, failures)
}

// unlogged removes an empty log and its index, which SQLite leaves where it could not make them whole.
func (d *disk) unlogged() {
	d.Helper()
	if info, err := os.Stat(d.File + "-wal"); err == nil && info.Size() == 0 {
		_ = os.Remove(d.File + "-wal")
		_ = os.Remove(d.File + "-shm")
	}
}

// A restore for which there is no room leaves the database that is there, with what a killed server has left in its log.
func testFullDiskRestore(t *testing.T) {
	d := newDisk(t, 24<<20)
	d.begin()
	elsewhere := filepath.Join(t.TempDir(), "copy.db")
	d.OK("backup", "-o", elsewhere)
	d.leaveLog()
	was, needed := d.all(), d.pages(elsewhere)
	restore := []string{"restore", elsewhere, "--force"}
	for _, room := range []int{0, needed / 2, needed - 1} {
		d.leave(room)
		d.Fails(1, restore, noRoom...)
		d.empty()
		d.unchanged(was, fmt.Sprintf("a restore with room for %d of %d pages", room, needed))
	}
	d.leave(needed)
	d.OK(restore...)
	d.empty()
	if n := d.Count(d.Look(), inLog); n != 0 {
		t.Error("what was restored is not the copy")
	}
	d.CheckSound()
	kept, err := filepath.Glob(d.File + ".before-restore-*Z")
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept are %v, %v", kept, err)
	}
	old := &cmdtest.CommandLine{T: t, File: kept[0]}
	old.CheckSound()
	if n := old.Count(old.Look(), inLog); n != 1 {
		t.Errorf("what was kept has %d of 1 acknowledged tags", n)
	}
}

// An export for which there is no room leaves nothing, and what was there under its name; one to standard output fails.
func testFullDiskExport(t *testing.T) {
	d := newDisk(t, 24<<20)
	d.begin()
	there := d.PutFile(filepath.Join(d.path, "there.csv"), []byte("mine"), 0o600)
	d.OK("account", "list") // which empties the log
	was := d.all()
	d.fill()
	for _, args := range [][]string{
		{"csv", "-o", filepath.Join(d.path, "books.zip")},
		{"csv", "-o", filepath.Join(d.path, "tables") + "/"},
		{"csv", "--verify", "-o", filepath.Join(d.path, "books.zip")},
		{"csv", "--table", "accounts", "--force", "-o", there},
		{"ndjson", "--verify", "-o", filepath.Join(d.path, "home.ndjson")},
		{"hledger", "-o", filepath.Join(d.path, "books.journal")},
		{"beancount", "--verify", "-o", filepath.Join(d.path, "books.beancount")},
	} {
		d.Fails(1, append([]string{"export"}, args...), append(noRoom, strings.TrimSuffix(args[len(args)-1], "/"))...)
		d.unchanged(was, "export "+args[0])
	}
	for _, args := range [][]string{{"export", "ndjson"}, {"export", "csv", "--table", "accounts"}, {"account", "list"}, {"backup", "-o", "-"}} {
		d.failsOnto("/dev/full", args)
	}
	d.empty()
	d.OK("export", "ndjson", "-o", filepath.Join(d.path, "home.ndjson"), "--verify")
	d.end()
}

// failsOnto runs a command as a process of its own whose standard output is a file that takes nothing.
func (d *disk) failsOnto(file string, args []string) {
	d.Helper()
	full, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		d.Fatal(err)
	}
	defer full.Close()
	c := exec.CommandContext(d.Context(), "/proc/self/exe", args...)
	c.Env, c.Stdout, c.Stderr = append([]string{cmdtest.AsProgram + "=1", "FINSVC_DATA=" + d.File}, d.Env...), full, io.Discard
	if err := c.Run(); c.ProcessState.ExitCode() != 1 {
		d.Errorf("finsvc %v onto %s: %v, want status 1", args, file, err)
	}
}
