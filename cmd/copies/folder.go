// Package copies is the backup files: what they are called, which there are, how one is made, proved and removed, and
// when a server makes one.
//
// A copy has its name only when its pages were found sound and its books were counted from their rows, see [Make]; one
// that is damaged or could not be proved is kept under a name that says so. No good copy goes for one that is not.
// What looks copies through may be another process, see [Apart], whose command line is given: the package does not
// know which program it is in.
package copies

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"finsvc/cmd/lock"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/ledger"
)

// File is a file that is called like a copy of the database.
type File struct {
	Path  string
	At    time.Time // when it was made, by its name
	Label string    // such as before-schema-16; empty for ordinary copies
	Rest  string    // db.Damaged, db.Unproved or db.Unfinished; empty for a good copy
	Size  int64     // bytes
	Wrote time.Time // when it was last written to
}

// Folder is a folder with copies of a database.
type Folder struct {
	Data string // the database
	Path string
	now  func() time.Time
}

// NewFolder is the folder of the settings or, if that is empty, the one beside the database.
func NewFolder(data, folder string, now func() time.Time) Folder {
	f := Folder{data, cmp.Or(folder, db.CopiesBeside(data)), now}
	if whole, err := filepath.Abs(f.Path); err == nil {
		f.Path = whole
	}
	return f
}

// List lists the copies of the database, the newest first. A folder that is not there has none.
func (f Folder) List() ([]File, error) {
	entries, err := os.ReadDir(f.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []File
	for _, entry := range entries {
		at, label, rest, ours := db.CopyNamed(f.Data, entry.Name())
		info, err := entry.Info()
		if err == nil && ours && info.Mode().IsRegular() && !strings.HasSuffix(rest, checksumEnding) {
			all = append(all, File{filepath.Join(f.Path, entry.Name()), at, label, rest, info.Size(), info.ModTime()})
		}
	}
	slices.SortStableFunc(all, func(x, y File) int { return y.At.Compare(x.At) })
	return all, nil
}

// Good are the copies, the newest first, but for those that were found damaged.
func (f Folder) Good() ([]File, error) {
	all, err := f.List()
	return slices.DeleteFunc(all, func(c File) bool { return c.Rest != "" }), err
}

// clockSlack is how far the clock of who made a copy may be ahead.
const clockSlack = time.Minute

// lastCopy is when the newest copy was made that is whole, proved or not.
func (f Folder) lastCopy() (time.Time, bool) {
	at, ok := f.LastProved()
	for _, c := range f.Unproved() {
		if !c.At.After(f.now().Add(clockSlack)) && c.At.After(at) {
			return c.At, true
		}
	}
	return at, ok
}

// Unproved are the copies of which the books of a household could not be proved, the newest first.
func (f Folder) Unproved() []File {
	all, _ := f.List() // a folder that cannot be read has none for us
	return slices.DeleteFunc(all, func(c File) bool { return c.Rest != db.Unproved })
}

// NewestUnproved reports whether the newest copy is an unproved one.
func (f Folder) NewestUnproved() bool {
	proved, _ := f.LastProved()
	newest, ok := f.lastCopy()
	return ok && newest.After(proved)
}

// LastProved is when the newest good copy was made that was looked through; false when there is none. Copies of the
// future, from before the clock was set back, do not count.
func (f Folder) LastProved() (time.Time, bool) {
	all, _ := f.Good() // a folder that cannot be read has none for us
	for _, c := range all {
		if c.Label == "" && !c.At.After(f.now().Add(clockSlack)) {
			return c.At, true
		}
	}
	return time.Time{}, false
}

// oldPart is after what time nobody writes an unfinished copy any more.
const oldPart = 24 * time.Hour

// Prune removes the copies that are too many, now that made is a good one: of the ordinary ones, of the unproved and
// of those before a change of the schema the newest keep stay, made among them. Of the damaged ones the newest stays,
// of those of a file that lost its place all.
func (f Folder) Prune(made string, keep int) error {
	all, err := f.List()
	if i := slices.IndexFunc(all, func(c File) bool { return c.Path == made }); i >= 0 {
		all = slices.Concat(all[i:i+1], all[:i], all[i+1:])
	}
	return errors.Join(err, f.removeTooMany(all, keep))
}

// pruneBad removes the damaged copies that are too many, when there is another one.
func (f Folder) pruneBad() error { return f.pruneOnly(db.Damaged, 1) }

// PruneUnproved removes the unproved copies that are too many: a copy that was proved does not go for one that was not.
func (f Folder) PruneUnproved(keep int) error { return f.pruneOnly(db.Unproved, keep) }

func (f Folder) pruneOnly(rest string, keep int) error {
	all, err := f.List()
	return errors.Join(err, f.removeTooMany(slices.DeleteFunc(all, func(c File) bool { return c.Rest != rest }), keep))
}

func (f Folder) removeTooMany(all []File, keep int) (err error) {
	seen := map[string]int{}
	for _, c := range all {
		kind := kindOf(c)
		seen[kind]++
		tooMany := false
		switch {
		case c.Label == db.RescueLabel: // it may be all that is left of some writes
		case c.Rest == "", c.Rest == db.Unproved:
			tooMany = seen[kind] > keep
		case c.Rest == db.Damaged:
			tooMany = seen[kind] > 1
		default:
			tooMany = f.now().Sub(c.Wrote) > oldPart
		}
		if tooMany {
			err = errors.Join(err, removeCopy(c.Path))
		}
	}
	return err
}

// kindOf is the kind of copies among which one is counted.
func kindOf(c File) string {
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

// Kind says in words what a copy is.
func (c File) Kind() string {
	switch {
	case c.Rest == db.Damaged:
		return "damaged"
	case c.Rest == db.Unproved:
		return "not proved"
	case c.Rest != "":
		return "unfinished"
	case c.Label != "":
		return strings.ReplaceAll(c.Label, "-", " ")
	}
	return "checked"
}

// NewPath is where the next copy goes; the folder is created.
func (f Folder) NewPath() (string, error) {
	return filepath.Join(f.Path, db.CopyName(f.Data, f.now(), "")), db.MakeCopyFolder(f.Path)
}

// RefuseBeginning refuses to begin with an empty file where there is a copy of one that was lost.
func (f Folder) RefuseBeginning(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, place := range []string{filepath.Dir(lock.BehindLinks(path)), f.Path} {
		f.Path = place
		all, _ := f.List() // a folder that cannot be read has none
		for _, c := range all {
			if c.Label == db.RescueLabel && c.Rest == "" {
				return ledger.NewConflict("there is no database %s, and a server that had it open has written what it held:\n  finsvc restore --data %s %s\n"+
					"To begin with an empty one, move that copy away first", path, term.ShellQuote(path),
					term.ShellQuote(c.Path))
			}
		}
	}
	return nil
}
