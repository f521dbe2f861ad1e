package cmd

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"finsvc/db"
)

// copyFile is a file that is called like a copy of the database.
type copyFile struct {
	Path  string
	At    time.Time // when it was made, by its name
	Label string    // such as before-schema-16; empty for ordinary copies
	Rest  string    // db.Damaged, db.Unproved or db.Unfinished; empty for a good copy
	Size  int64     // bytes
	Wrote time.Time // when it was last written to
}

// place is the database file itself, whatever links lead to it.
func (a *app) place() (string, error) {
	path, err := filepath.Abs(a.config.Data)
	if err != nil {
		return "", err
	}
	return behindLinks(path), nil
}

// behindLinks is the path without links, also where there is no file yet.
func behindLinks(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if target, err := os.Readlink(path); err == nil { // a link to a file that is not there yet
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		return target
	}
	return path
}

// backupFolder is where the copies of the database lie.
func (a *app) backupFolder() string {
	folder := cmp.Or(a.config.Backup.Dir, db.CopiesBeside(a.config.Data))
	if whole, err := filepath.Abs(folder); err == nil {
		return whole
	}
	return folder
}

// copies lists a folder's copies of the database, the newest first. A folder that is not there has none.
func (a *app) copies(folder string) ([]copyFile, error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []copyFile
	for _, entry := range entries {
		at, label, rest, ours := db.CopyNamed(a.config.Data, entry.Name())
		if info, err := entry.Info(); err == nil && ours && info.Mode().IsRegular() && !strings.HasSuffix(rest, checksumEnding) {
			all = append(all, copyFile{filepath.Join(folder, entry.Name()), at, label, rest, info.Size(), info.ModTime()})
		}
	}
	slices.SortStableFunc(all, func(x, y copyFile) int { return y.At.Compare(x.At) })
	return all, nil
}

// goodCopies are the copies in the folder for them, the newest first, but for those that were found damaged.
func (a *app) goodCopies() ([]copyFile, error) {
	all, err := a.copies(a.backupFolder())
	return slices.DeleteFunc(all, func(c copyFile) bool { return c.Rest != "" }), err
}

// clockSlack is how far the clock of who made a copy may be ahead.
const clockSlack = time.Minute

// lastCopy is when the newest copy was made that is whole, proved or not.
func (a *app) lastCopy() (time.Time, bool) {
	at, ok := a.lastBackup()
	for _, c := range a.unprovedCopies() {
		if !c.At.After(a.now().Add(clockSlack)) && c.At.After(at) {
			return c.At, true
		}
	}
	return at, ok
}

// unprovedCopies are the copies in the folder for them of which the books of a household could not be proved, the newest first.
func (a *app) unprovedCopies() []copyFile {
	all, _ := a.copies(a.backupFolder()) // a folder that cannot be read has none for us
	return slices.DeleteFunc(all, func(c copyFile) bool { return c.Rest != db.Unproved })
}

// newestUnproved reports whether the newest copy is an unproved one.
func (a *app) newestUnproved() bool {
	proved, _ := a.lastBackup()
	newest, ok := a.lastCopy()
	return ok && newest.After(proved)
}

// lastBackup is when the newest good copy was made that was looked through; false when there is none. Copies of the
// future, from before the clock was set back, do not count.
func (a *app) lastBackup() (time.Time, bool) {
	all, _ := a.goodCopies() // a folder that cannot be read has none for us
	for _, c := range all {
		if c.Label == "" && !c.At.After(a.now().Add(clockSlack)) {
			return c.At, true
		}
	}
	return time.Time{}, false
}

// oldPart is after what time nobody writes an unfinished copy any more.
const oldPart = 24 * time.Hour

// prune removes from a folder the copies that are too many, now that made is a good one: of the ordinary ones, of the unproved and
// of those before a change of the schema the newest keep stay, made among them. Of the damaged ones the newest stays, of those
// of a file that lost its place all.
func (a *app) prune(folder, made string, keep int) error {
	all, err := a.copies(folder)
	if i := slices.IndexFunc(all, func(c copyFile) bool { return c.Path == made }); i >= 0 {
		all = slices.Concat(all[i:i+1], all[:i], all[i+1:])
	}
	return errors.Join(err, a.removeTooMany(all, keep))
}

// pruneBad removes the damaged copies that are too many, when there is another one, and pruneUnproved the unproved: a copy
// that was proved does not go for one that was not.
func (a *app) pruneBad(folder string) error { return a.pruneOnly(folder, db.Damaged, 1) }

func (a *app) pruneUnproved(folder string, keep int) error {
	return a.pruneOnly(folder, db.Unproved, keep)
}

func (a *app) pruneOnly(folder, rest string, keep int) error {
	all, err := a.copies(folder)
	return errors.Join(err, a.removeTooMany(slices.DeleteFunc(all, func(c copyFile) bool { return c.Rest != rest }), keep))
}

func (a *app) removeTooMany(all []copyFile, keep int) (err error) {
	seen := map[string]int{}
	for _, c := range all {
		seen[kindOf(c)]++
		if a.tooMuch(c, seen[kindOf(c)], keep) {
			err = errors.Join(err, removeCopy(c.Path))
		}
	}
	return err
}

// tooMuch says whether a copy is to go that is the n-th of its kind.
func (a *app) tooMuch(c copyFile, n, keep int) bool {
	switch {
	case c.Label == db.RescueLabel:
		return false // it may be all that is left of some writes
	case c.Rest == "", c.Rest == db.Unproved:
		return n > keep
	case c.Rest == db.Damaged:
		return n > 1
	}
	return a.now().Sub(c.Wrote) > oldPart
}

// kindOf says with which other copies one is counted.
func kindOf(c copyFile) string {
	switch {
	case c.Rest != "":
		return c.Rest
	case c.Label == db.RescueLabel:
		return c.Label
	case c.Label != "":
		return "before a change of the schema"
	}
	return ""
}

// removeCopy removes a copy, then its checksum.
func removeCopy(path string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	if err := os.Remove(path + checksumEnding); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
