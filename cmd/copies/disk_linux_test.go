package copies

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ownDisk in the environment says that the process may mount a file system that nobody else sees.
const ownDisk = "COPIES_TEST_OWN_DISK"

// TestDailyCopiesOnAFullDisk: a server whose disk for copies is full goes on, leaves nothing there, and makes the copy within an hour
// once there is room. It runs in a process that has mounts of its own.
func TestDailyCopiesOnAFullDisk(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes long, and is no short test")
	}
	if os.Getenv(ownDisk) == "" {
		again := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^TestDailyCopiesOnAFullDisk$", "-test.v")
		again.Env = append(os.Environ(), ownDisk+"=1")
		again.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}}
		out, err := again.CombinedOutput()
		if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOSPC) || strings.Contains(string(out), "cannot mount") {
			t.Skipf("no mounts of its own: %v %s", err, out)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	r := newDailyRig(t)
	folder := t.TempDir()
	if err := syscall.Mount("none", folder, "tmpfs", 0, "size=8M"); err != nil {
		t.Fatal("cannot mount", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	r.schedule.Folder.Path = folder
	r.restart()
	r.commit("first")
	r.after(0, 1, "there is room")
	filler := filepath.Join(folder, "filler")
	if err := os.WriteFile(filler, make([]byte, 7<<20), 0o600); err != nil { // there is room for a part of the next copy
		t.Fatal(err)
	}
	for round := range 3 {
		r.commit(fmt.Sprint("more", round))
		r.clock = r.clock.Add(25 * time.Hour)
		err := r.schedule.Tick(t.Context())
		if err == nil || !strings.Contains(err.Error(), "cannot be written: the disk is full. Free some space") {
			t.Errorf("got %v", err)
		}
		if left, err := os.ReadDir(folder); err != nil || len(left) != 3 { // the first copy, its checksum, and the filler
			t.Errorf("there are %v, %v", left, err)
		}
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	r.after(time.Hour, 2, "there is room again")
}
