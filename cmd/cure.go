package cmd

import (
	"errors"
	"fmt"
	"path/filepath"

	"finsvc/cmd/term"
	"finsvc/db"
)

// hint is a line with the command that mends what went wrong, where this takes more than the error itself knows.
func hint(err error, folder copyFolder) string {
	switch {
	case errors.Is(err, db.ErrDamaged):
		return newestCopy(folder)
	case errors.Is(err, db.ErrUnavailable):
		return diskTrouble(filepath.Dir(folder.data))
	}
	return ""
}

// diskTrouble says what keeps a disk from being written; empty when it is nothing that can be seen.
func diskTrouble(folder string) string {
	disk, err := db.DiskOf(folder)
	switch {
	case err != nil:
		return ""
	case disk.ReadOnly:
		return fmt.Sprintf("\n  The disk of %s is mounted read-only. Mount it for writing, then try again.", folder)
	case disk.Total > 0 && disk.Free < leastFree:
		return fmt.Sprintf("\n  The disk is full: %s free in %s. Free some space, then try again.", term.Size(disk.Free), folder)
	}
	return ""
}

// newestCopy says which backup there is to restore.
func newestCopy(folder copyFolder) string {
	all, _ := folder.good() // a folder that cannot be read has none
	if unproved := folder.unproved(); len(all) == 0 && len(unproved) > 0 {
		return fmt.Sprintf("\n  The newest is of %s, and not proved:  finsvc restore --force --unproved --data %s %s", term.Moment(unproved[0].At), term.ShellQuote(folder.data), term.ShellQuote(unproved[0].Path))
	}
	if len(all) == 0 {
		return fmt.Sprintf("\n  There is no backup in %s.", folder.path)
	}
	return fmt.Sprintf("\n  The newest is of %s:  finsvc restore --force --data %s %s", term.Moment(all[0].At), term.ShellQuote(folder.data), term.ShellQuote(all[0].Path))
}
