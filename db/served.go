package db

import (
	"errors"
	"os"

	"modernc.org/sqlite"

	"finsvc/db/disk"
	"finsvc/db/filelock"
)

// AsServer opens the file for its one server, whatever it is called: a file has several names by hard links, and a lock
// beside one name is not seen by who opens another. [ErrLocked] says that it has a server. Where the system cannot lock
// the file itself, as only Linux can, one that has several names is refused.
func AsServer() Option { return func(d *DB) { d.server = true } }

// takeServed has the lock of the file for as long as the file is open. Nobody in this process has it open yet, and the
// lock's file is closed last: where SQLite's own locks end when any file is closed, they are none.
func takeServed(d *DB) error {
	f, err := os.OpenFile(d.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	taken, err := filelock.TakeServer(f)
	switch {
	case taken:
		d.served = f
		return nil
	case errors.Is(err, errors.ErrUnsupported):
		err = refuseNames(d, f)
	case err == nil:
		err = openReason{&OpenError{d.path, "is served already, by this or another name",
			"Stop that server first, or name another file with --data."}, ErrLocked}
	}
	return errors.Join(err, f.Close())
}

// refuseNames refuses a file with several names.
func refuseNames(d *DB, f *os.File) error {
	info, err := f.Stat()
	if err == nil && disk.Names(info) > 1 {
		err = &OpenError{d.path, "has several names (hard links), by each of which a server could open it",
			"Remove all but one: find them with find -samefile."}
	}
	return err
}

func endServed(d *DB) error {
	if d.served == nil {
		return nil
	}
	err := d.served.Close()
	d.served = nil
	return err
}

// Served reports whether a server has a file open, by whatever name. False where the system cannot tell, or where to
// ask would end SQLite's own locks.
func Served(path string) (bool, error) {
	lockByFile()
	if !sqlite.OFDLockingEnabled() {
		return false, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	served, err := filelock.HasServer(f)
	if errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return served, errors.Join(err, f.Close())
}
