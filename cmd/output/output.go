// Package output writes what a command makes to a file or to standard output: whole or not at all, readable by its
// owner only, over nothing that is there unless that is said, and read back before anybody has it where that is asked.
package output

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/ledger"
)

// WriteVerified is [Write], but where verify is true the text is read back before anybody can have it.
func WriteVerified(t *term.Terminal, name string, force, verify bool, write func(io.Writer) error,
	check func(*io.SectionReader) error) (err error) {
	if !verify {
		return Write(t, name, force, write)
	}
	checked := func(f *os.File) error {
		if err := t.Counting(f, write); err != nil {
			return err
		}
		size, err := f.Seek(0, io.SeekCurrent)
		if err != nil {
			return err
		}
		return check(io.NewSectionReader(f, 0, size))
	}
	if name != "" {
		return replace(name, force, checked)
	}
	f, err := os.CreateTemp("", "finsvc-export-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	if err := checked(f); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(t.Stdout, f)
	return err
}

// Write writes to a file or, when its name is empty, to standard output. The file is written beside its
// place and put there when it is whole, so that nobody finds half of it. Only its owner may read it.
func Write(t *term.Terminal, name string, force bool, write func(io.Writer) error) error {
	if name == "" {
		return write(t.Stdout)
	}
	return replace(name, force, func(f *os.File) error { return t.Counting(f, write) })
}

// replace writes a file.
func replace(name string, force bool, write func(*os.File) error) error {
	if err := mayWrite(name, force); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return db.CannotWrite(name, err)
	}
	err = errors.Join(write(f), f.Sync(), f.Close())
	if err == nil {
		err = mayWrite(name, force) // another program may have been here meanwhile
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(db.CannotWrite(name, err), os.Remove(f.Name()))
	}
	return nil
}

func mayWrite(name string, force bool) error {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return exit.Usagef("%s is a directory; name a file", name)
	case !force:
		return ledger.NewConflict("%s is there already; replace it with --force, or choose another name", name)
	}
	return nil
}
