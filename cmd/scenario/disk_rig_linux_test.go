package scenario_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"finsvc/cmd/cmdtest"
)

// ownDisks in the environment says that the process may mount file systems that nobody else sees.
const ownDisks = "CMD_TEST_OWN_DISKS"

// ownMounts runs tests in a process that has mounts of its own; what they are is its privileges to say.
func ownMounts(t *testing.T, tests string, privileges syscall.SysProcAttr) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run="+tests, "-test.v")
	c.Env = append(os.Environ(), ownDisks+"=1")
	c.SysProcAttr = &privileges
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
	*cmdtest.CommandLine
	path   string
	client cmdtest.LoadClient
	server cmdtest.Child
	waits  chan struct{} // closed when the provider was asked, see provided
}

// newDisk makes a disk of so many bytes, and on it a household.
func newDisk(t *testing.T, size int) *disk {
	t.Helper()
	d := bareDisk(t, size)
	d.settle()
	return d
}

// bareDisk makes a disk of so many bytes in memory.
func bareDisk(t *testing.T, size int) *disk {
	t.Helper()
	d := &disk{CommandLine: cmdtest.NewCommandLine(t), path: t.TempDir()}
	if err := syscall.Mount("none", d.path, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Fatal("cannot mount", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(d.path, syscall.MNT_DETACH) })
	d.File = filepath.Join(d.path, "finance.db")
	return d
}

// settle makes a household on the disk, and a client of it.
func (d *disk) settle() {
	d.Helper()
	d.client = cmdtest.LoadClient{Key: strings.TrimSpace(d.OK("apikey", "create", "--rate-limit", "100000000")), Transport: d.LoadTransport()}
}

// begin starts a server with the account Giro, whose id it gives.
func (d *disk) begin() *cmdtest.Client {
	d.Helper()
	d.restart()
	h := &cmdtest.Client{CommandLine: d.CommandLine, Client: d.client, Label: "Hand", Accounts: map[string]string{}}
	h.Accounts["cash"] = h.Account("Giro", "depository")
	return h
}

// restart starts a server again.
func (d *disk) restart() {
	d.Helper()
	d.server = d.Child()
	d.client.URL = d.server.URL
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

// pageSize is that of tmpfs, and of the database.
const pageSize = 4096

// leave leaves room for so many pages on a disk in memory.
func (d *disk) leave(pages int) {
	d.Helper()
	d.fill()
	info, err := os.Stat(d.filler())
	if err == nil {
		err = os.Truncate(d.filler(), info.Size()-int64(pages)*pageSize)
	}
	if err != nil {
		d.Fatal(err)
	}
}

// all is every file and folder on the disk that has something to keep, by name: neither the filler, nor the index of the log, nor the
// file that says which server runs.
func (d *disk) all() map[string]string {
	d.Helper()
	files, others := map[string]string{}, []string{d.filler(), d.File + "-shm", d.File + ".server-lock"}
	if err := filepath.WalkDir(d.path, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && path != d.path && path != d.Backups() {
			files[path] = "a folder"
		}
		if err == nil && entry.Type().IsRegular() && !slices.Contains(others, path) {
			content, failed := os.ReadFile(path)
			files[path], err = string(content), failed
		}
		return err
	}); err != nil {
		d.Fatal(err)
	}
	return files
}

// unchanged must be all that lies on the disk.
func (d *disk) unchanged(was map[string]string, what string) {
	d.Helper()
	now := d.all()
	for name := range now {
		if old, known := was[name]; !known || now[name] != old {
			d.Errorf("%s left another %s (%d bytes)", what, name, len(now[name]))
		}
	}
	for name := range was {
		if _, there := now[name]; !there {
			d.Errorf("%s removed %s", what, name)
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
	status, answer := d.client.Ask(method, path, body, "")
	if status != http.StatusServiceUnavailable || !strings.Contains(answer, `"error":"unavailable"`) || !strings.Contains(answer, "nothing was written") {
		d.Errorf("%s %s: %d %.300s", method, path, status, answer)
	}
}

// answered must have the status.
func (d *disk) answered(want int, method, path, body string) (answer string) {
	d.Helper()
	status, answer := d.client.Ask(method, path, body, "")
	if status != want {
		d.Errorf("%s %s: %d, want %d: %.300s", method, path, status, want, answer)
	}
	return answer
}
