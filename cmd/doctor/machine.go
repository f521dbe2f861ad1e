package doctor

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/dustin/go-humanize"

	"finsvc/cmd/config"
	"finsvc/cmd/exit"
	"finsvc/cmd/listen"
	"finsvc/cmd/lock"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/db/disk"
)

// What is no cause for concern.
const (
	clockTolerance = 2 * time.Minute
	freshBackup    = 7 * 24 * time.Hour
	largeLog       = 256 << 20 // bytes of the log beside the database; an idle server has made it 64 MiB at most
	leastFree      = 32 << 20  // bytes without which even small writes may fail
)

// sizeOf is the size of a file, 0 where there is none.
func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// complaint is what a server says that is not well; empty when it does not say so, or cannot be asked.
func (x *Examination) complaint(ctx context.Context, address string) string {
	ctx, cancel := context.WithTimeout(ctx, listen.Patience)
	defer cancel()
	if filepath.IsAbs(address) {
		address = listen.UnixPrefix + address
	}
	got, err := listen.AskHealth(ctx, listen.SiteOf(&x.Config.Network), address)
	if err != nil || got.Code != http.StatusServiceUnavailable {
		return ""
	}
	return got.Message
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	second, errSecond := os.Stat(b)
	return err == nil && errSecond == nil && os.SameFile(first, second)
}

// checkBackups looks at the copies that there are, and opens the newest.
func (x *Examination) checkBackups(ctx context.Context) {
	list, err := x.Copies.Good()
	unproved := x.Copies.Unproved()
	switch {
	case err != nil:
		x.fail("backups", nil, "the folder cannot be read: %s", err)
		return
	case len(unproved) > 0 && (len(list) == 0 || unproved[0].At.After(list[0].At)):
		proved := "none there is that is"
		if len(list) > 0 {
			proved = "the newest that is proved was made " + humanize.RelTime(list[0].At, x.Now(), "ago", "from now")
		}
		x.fail("backups", nil, "the newest (%s) is not proved, %s. What is wrong: finsvc backup verify %s",
			humanize.RelTime(unproved[0].At, x.Now(), "ago", "from now"), proved, term.ShellQuote(unproved[0].Path))
		return
	case len(list) == 0:
		x.caution("backups", nil, "there is none in %s. Make one: finsvc backup", x.Copies.Path)
		return
	}
	newest := list[0]
	age := humanize.RelTime(newest.At, x.Now(), "ago", "from now")
	if err := opens(ctx, newest.Path); err != nil {
		x.fail("backups", nil, "the newest (%s) cannot be read: %s. Make a new one: finsvc backup", age,
			exit.Message(err))
		return
	}
	what := fmt.Sprintf("newest %s, kept: %d, in %s", age, len(list), x.Copies.Path)
	if x.Now().Sub(newest.At) > freshBackup && changedSince(x.Config.Data, newest.At) {
		x.caution("backups", nil, "%s: that is old. Make a new one: finsvc backup", what)
		return
	}
	x.ok("backups", "%s, readable", what)
}

// changedSince reports whether a database was written after an instant: what is idle needs no copies.
func changedSince(data string, at time.Time) bool {
	return slices.ContainsFunc([]string{"", "-wal"}, func(ending string) bool {
		info, err := os.Stat(data + ending)
		return err == nil && info.Size() > 0 && info.ModTime().After(at)
	})
}

// opens reports whether a file is a database of ours.
func opens(ctx context.Context, path string) error {
	copied, err := db.View(ctx, path)
	if err != nil {
		return err
	}
	return copied.Close()
}

// checkDisk looks at the file system of the database and that of the backups.
func (x *Examination) checkDisk() {
	volume, err := disk.Of(filepath.Dir(x.Config.Data))
	if err != nil {
		x.caution("disk", nil, "cannot tell what the file lies on: %s", err)
		return
	}
	switch {
	case volume.Network:
		x.fail("disk", nil, "the file lies on a network share (%s), where SQLite cannot lock safely. Keep it on a local disk, and its copies on the share with --backup-dir", volume.Kind)
	case volume.ReadOnly:
		x.fail("disk", nil, "the file lies on a disk that is mounted read-only: nothing can be written")
	case volume.Kind == "tmpfs":
		x.caution("disk", nil, "the file lies in memory (tmpfs): it is gone after a restart of the machine")
	case volume.Kind == "overlay" && listen.InContainer(x.Env):
		x.caution("disk", nil, "the file lies in the container itself: it goes when the container does. Mount a volume at %s", filepath.Dir(x.Config.Data))
	case volume.Kind == "fuse":
		x.caution("disk", nil, "the file lies on a file system in user space (fuse): make sure that it locks, and that it is not another machine's")
	case slices.Contains([]string{"vfat", "exfat"}, volume.Kind):
		x.caution("disk", nil, "the file lies on %s, which knows no owners and does not survive a power cut well. Better: ext4", volume.Kind)
	case volume.Kind == "":
		x.ok("disk", "a local disk")
	default:
		x.ok("disk", "a local disk (%s)", volume.Kind)
	}
	x.noteRoom(volume, filepath.Dir(x.Config.Data))
	if copies, err := disk.Of(x.Copies.Path); err == nil && copies.Total != volume.Total {
		x.noteRoom(copies, x.Copies.Path)
	}
}

// noteRoom compares what is free with what a copy takes.
func (x *Examination) noteRoom(volume disk.Info, folder string) {
	if volume.Total == 0 {
		return // not known
	}
	file := sizeOf(x.Config.Data)
	free := fmt.Sprintf("%s free of %s in %s", term.Size(volume.Free), term.Size(volume.Total), folder)
	switch {
	case volume.Free < leastFree:
		x.fail("space", nil, "%s: soon nothing can be written. Free some", free)
	case volume.Free < 2*file+leastFree:
		x.caution("space", nil, "%s: an upgrade or a backup needs room for a whole copy (%s) and more", free,
			term.Size(file))
	default:
		x.ok("space", "%s", free)
	}
}

// checkModes looks whether others on the machine may read what is private.
func (x *Examination) checkModes() {
	private := []string{x.Config.Data, x.Config.Data + "-wal", lock.Path(x.Config.Data)}
	copies, _ := x.Copies.Good() // that they cannot be read is said elsewhere
	for _, c := range copies {
		private = append(private, c.Path)
	}
	for _, path := range []string{x.Config.AI.KeyFile, x.Config.Network.TLSKey} {
		if path != "" {
			private = append(private, path)
		}
	}
	var details []string
	for _, path := range private {
		if info, err := os.Stat(path); err == nil && config.OpenTo(info, 0o004) {
			details = append(details, fmt.Sprintf("%s has mode %04o. Better: chmod 600 %s", path, info.Mode().Perm(),
				term.ShellQuote(path)))
		}
	}
	if len(details) > 0 {
		x.caution("modes", details, "everybody on this machine may read private files")
		return
	}
	x.ok("modes", "only the owner and the group may read the files")
}

// builtAt is when the program was made, of what the build noted: the time of its last commit.
func builtAt() (time.Time, bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return time.Time{}, false
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			at, err := time.Parse(time.RFC3339, s.Value)
			return at, err == nil
		}
	}
	return time.Time{}, false
}
