package scenario_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"finsvc/cmd/cmdtest"
)

// TestDiskThatFails runs the tests of a disk that the system stops writing to under a running server, as it does after an
// error of the hardware: a file system in an image that is told to give up, after which every write to it fails, files
// that are open included. Only root may mount an image.
func TestDiskThatFails(t *testing.T) {
	t.Parallel()
	cmdtest.SkipShort(t)
	if os.Getenv(ownDisks) != "" {
		t.Run("under a server", testFailingDisk)
		t.Run("while an import is published", testFailingDiskImport)
		t.Run("while an answer is written", testFailingDiskAnswer)
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("only root may mount an image")
	}
	for _, tool := range []string{"mkfs.ext4", "e2fsck", "mount", "sync"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	ownMounts(t, "^TestDiskThatFails$", syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS})
}

// failingDisk is a disk in an image.
type failingDisk struct {
	*disk
	image string
}

func newFailingDisk(t *testing.T) *failingDisk {
	t.Helper()
	f := &failingDisk{&disk{CommandLine: cmdtest.NewCommandLine(t), path: t.TempDir()}, filepath.Join(t.TempDir(), "image")}
	f.File = filepath.Join(f.path, "finance.db")
	f.PutFile(f.image, nil, 0o600)
	if err := os.Truncate(f.image, 64<<20); err != nil {
		t.Fatal(err)
	}
	f.tool("mkfs.ext4", "-q", f.image)
	if out, err := f.mount(); err != nil {
		t.Fatalf("cannot mount: %v %s", err, out)
	}
	t.Cleanup(func() { _ = syscall.Unmount(f.path, syscall.MNT_DETACH) }) // with which the loop device goes
	f.settle()
	return f
}

func (f *failingDisk) mount() ([]byte, error) {
	return exec.CommandContext(f.Context(), "mount", "-t", "ext4", "-o", "loop,errors=remount-ro", f.image, f.path).CombinedOutput()
}

// tool runs a program that must succeed.
func (f *failingDisk) tool(args ...string) {
	f.Helper()
	if out, err := exec.CommandContext(f.Context(), args[0], args[1:]...).CombinedOutput(); err != nil {
		f.Fatalf("%v: %v %s", args, err, out)
	}
}

// fail ends all writes to the disk.
func (f *failingDisk) fail() {
	f.Helper()
	if err := syscall.Mount("none", f.path, "", syscall.MS_REMOUNT, "abort"); err != nil {
		f.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.path, "x"), nil, 0o600); err == nil {
		f.Fatal("the disk takes writes")
	}
}

// stop ends the server, which says on leaving that it could not write down what it had in memory.
func (f *failingDisk) stop() {
	f.Helper()
	if err := f.server.Process.Signal(os.Interrupt); err != nil {
		f.Error(err)
	}
	if _ = f.server.Wait(); f.server.ProcessState.ExitCode() != 6 {
		f.Errorf("the server ended with %v, want status 6", f.server.ProcessState)
	}
}

// repair mends the disk as its owner would, and starts the server again.
func (f *failingDisk) repair() {
	f.Helper()
	if err := syscall.Unmount(f.path, 0); err != nil {
		f.Fatal("unmount", err)
	}
	_ = exec.CommandContext(f.Context(), "e2fsck", "-fy", f.image).Run() // its status says what it mended
	f.tool("e2fsck", "-fn", f.image)
	if out, err := f.mount(); err != nil {
		f.Fatalf("the mended disk is not there: %v %s", err, out)
	}
	f.CheckSound()
	f.restart()
}

// A disk that fails under a server: it goes on to show the books, refuses to write and says why, and can be saved to another
// disk. What was acknowledged is there when the disk is mended.
func testFailingDisk(t *testing.T) {
	f := newFailingDisk(t)
	account := f.begin().Accounts["cash"]
	const acknowledged = 40
	for n := range acknowledged {
		if n == acknowledged/2 {
			f.tool("sync", "-f", f.path) // what is written from here on is on the disk only because the server sees to it
		}
		f.answered(http.StatusCreated, "POST", "/transactions", fmt.Sprintf(booking, account, n, n))
	}
	first := filepath.Join(f.path, "first.db")
	f.OK("backup", "-o", first)
	f.fail()
	for range 3 {
		f.onlyReads(fmt.Sprintf(booking, account, -1, -1))
	}
	f.Fails(4, []string{"backup"}, f.Backups(), "cannot be written", "read-only", "another disk")
	f.Fails(4, []string{"backup", "-o", filepath.Join(f.path, "second.db")}, "second.db", "cannot be written", "read-only")
	f.Fails(4, []string{"account", "create", "Other", "--type", "depository"}, "mounted read-only", "dmesg")
	f.Fails(4, []string{"serve", "--listen", "127.0.0.1:0"}, "mounted read-only", "dmesg")
	f.OK("backup", "verify", first)
	if found := f.Doctor(1)["disk"]; found.Status != "fail" {
		t.Errorf("disk: %+v", found)
	}
	saved := &cmdtest.CommandLine{T: t, File: filepath.Join(t.TempDir(), "saved.db")}
	f.OK("backup", "-o", saved.File)
	for name, s := range map[string]*cmdtest.CommandLine{"on the disk": f.CommandLine, "in the copy": saved} {
		s.HoldsTransactions(name, acknowledged)
	}
	f.stop()
	f.repair()
	f.answered(http.StatusCreated, "POST", "/transactions", fmt.Sprintf(booking, account, acknowledged, acknowledged))
	f.OK("backup")
	f.end()
	f.HoldsTransactions("on the mended disk", acknowledged+1)
}

// A disk that fails while an import is published: nobody sees a part of it, and it is there as a whole when the disk is mended.
func testFailingDiskImport(t *testing.T) {
	f := newFailingDisk(t)
	f.begin()
	id := f.importing()
	f.fail()
	for range 50 {
		if n, status := f.visible(), f.importStatus(id); n != 0 && n != crashRows {
			t.Fatalf("%d rows of the import can be seen, which is %s", n, status)
		}
	}
	t.Logf("the import was %s", f.importStatus(id))
	f.CheckSound()
	f.stop()
	f.repair()
	f.imported(id)
	f.end()
	f.CheckSound()
}

// A disk that fails while the provider answers: the answer is settled when the disk is mended.
func testFailingDiskAnswer(t *testing.T) {
	f := newFailingDisk(t)
	answer := f.provided()
	f.begin()
	path := f.asked()
	f.fail()
	answer()
	f.answered(200, "GET", path, "")
	f.stop()
	f.repair()
	f.settled(path)
	f.end()
	f.CheckSound()
}
