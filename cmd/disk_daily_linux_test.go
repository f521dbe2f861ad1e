package cmd

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestDailyCopiesOnAFullDisk runs within TestDisk, which gives it mounts of its own: a server whose disk for copies is full
// goes on, logs it, leaves nothing there, and makes the copy within an hour once there is room.
func TestDailyCopiesOnAFullDisk(t *testing.T) {
	t.Parallel()
	if os.Getenv("CMD_TEST_OWN_DISKS") == "" {
		t.Skip("runs within TestDisk")
	}
	r := newDailyRig(t)
	folder := t.TempDir()
	if err := syscall.Mount("none", folder, "tmpfs", 0, "size=8M"); err != nil {
		t.Fatal("cannot mount", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	r.schedule.folder.path = folder
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
		var log strings.Builder
		(&service{log: slog.New(slog.NewTextHandler(&log, nil))}).try(t.Context(), "copy the database", r.schedule.tick)
		if !strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "cannot be written: the disk is full. Free some space") {
			t.Errorf("logged is %q", log.String())
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
