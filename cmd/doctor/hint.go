package doctor

import (
	"errors"
	"fmt"
	"path/filepath"

	"finsvc/cmd/copies"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/db/disk"
)

// Hint is a line with the command that mends what went wrong, where this takes more than the error itself knows.
func Hint(err error, folder copies.Folder) string {
	switch {
	case errors.Is(err, db.ErrDamaged):
		return newestCopy(folder)
	case errors.Is(err, db.ErrUnavailable):
		return diskTrouble(filepath.Dir(folder.Data))
	}
	return ""
}

// diskTrouble says what keeps a disk from being written; empty when it is nothing that can be seen.
func diskTrouble(folder string) string {
	volume, err := disk.Of(folder)
	switch {
	case err != nil:
		return ""
	case volume.ReadOnly:
		return fmt.Sprintf("\n  The disk of %s is mounted read-only. Mount it for writing, then try again.", folder)
	case volume.Total > 0 && volume.Free < leastFree:
		return fmt.Sprintf("\n  The disk is full: %s free in %s. Free some space, then try again.",
			term.Size(volume.Free), folder)
	}
	return ""
}

// newestCopy says which backup there is to restore.
func newestCopy(folder copies.Folder) string {
	all, _ := folder.Good() // a folder that cannot be read has none
	if unproved := folder.Unproved(); len(all) == 0 && len(unproved) > 0 {
		return fmt.Sprintf("\n  The newest is of %s, and not proved:  finsvc restore --force --unproved --data %s %s",
			term.Moment(unproved[0].At), term.ShellQuote(folder.Data), term.ShellQuote(unproved[0].Path))
	}
	if len(all) == 0 {
		return fmt.Sprintf("\n  There is no backup in %s.", folder.Path)
	}
	return fmt.Sprintf("\n  The newest is of %s:  finsvc restore --force --data %s %s", term.Moment(all[0].At),
		term.ShellQuote(folder.Data), term.ShellQuote(all[0].Path))
}
