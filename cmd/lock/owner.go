// Package lock keeps two servers off one database, and commands off a file that is not the one its server has open.
//
// The server of a database holds the lock of a file beside it, in which stands who it is, see [Owner]. It watches
// whether the path still leads to the file that it has open, see [Watch], and rescues what that holds when it does
// not. Commands do not need the lock; they ask, see [CheckPlace].
package lock

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"finsvc/db"
	"finsvc/db/filelock"
	"finsvc/ledger"
)

// Owner says which server has a file. It lies in the lock file as JSON, for people and for other processes; where the
// system lets nobody read a locked file, as on Windows, it stays unknown.
type Owner struct {
	PID   int       `json:"pid"`
	Addr  string    `json:"addr"` // where it listens; empty until it does
	Since time.Time `json:"since"`
	Path  string    `json:"path"` // of the file that it has open, as it was when the server began
	File  string    `json:"file"` // which file that is, see [disk.Identity]; empty until it is open
}

// String names the server as far as it is known.
func (h Owner) String() string {
	switch {
	case h.PID == 0:
		return "another process"
	case h.Addr == "":
		return fmt.Sprintf("process %d", h.PID)
	}
	return fmt.Sprintf("process %d, at %s", h.PID, h.Addr)
}

// Path is the file whose lock the server of a database has. However the database is called, through links, it is one.
func Path(database string) string {
	return BehindLinks(database) + lockEnding
}

// BehindLinks is the path without links, also where there is no file yet.
func BehindLinks(path string) string {
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

// lockEnding follows the path of a database in that of its lock file.
const lockEnding = ".server-lock"

// Take keeps a second server off the same file, whatever it is called; commands do not need the lock. The lock file
// goes when it is released.
func Take(path string) (*filelock.Lock, error) {
	lock, err := takeBeside(path)
	if err != nil {
		return nil, err
	}
	served, err := db.Served(path)
	switch {
	case errors.Is(err, fs.ErrNotExist): // a file that is to be made
		return lock, nil
	case errors.Is(err, fs.ErrPermission):
		err = db.NotWritable(path)
	case served:
		err = servedElsewhere(path)
	}
	if err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	return lock, nil
}

// takeBeside takes the lock beside the file.
func takeBeside(path string) (*filelock.Lock, error) {
	// Who only looks, see ServerOn, has the lock for a moment.
	patience, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	lock, err := filelock.Take(patience, Path(path))
	switch {
	case err == nil:
		_ = os.Truncate(lock.Path(), 0) // what a server that was killed has left says who had it
		return lock, nil
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return nil, db.NotWritable(Path(path))
	case patience.Err() == nil:
		return nil, fmt.Errorf("lock the database for this server: %w", err)
	}
	return nil, inUse(path, readOwner(path))
}

// ForUpgrade is Take for a command that upgrades the file.
func ForUpgrade(path string) (release func() error, holder string, err error) {
	lock, err := Take(path)
	switch {
	case ledger.IsKind(err, ledger.Conflict):
		return nil, readOwner(path).String(), nil
	case err != nil:
		return nil, "", err
	}
	return lock.Release, "", nil
}

// inUse refuses what only one process may do with a file at a time.
func inUse(path string, by Owner) error {
	return ledger.NewConflict("a server is running on %s already (%s). Stop it first, or name another file with --data",
		path, by)
}

// servedElsewhere refuses a file that a server has open whose lock does not lie beside it.
func servedElsewhere(path string) error {
	return ledger.NewConflict("a server has %s open by another name, or its lock file was removed a moment ago. Use the name that the server was started with: "+
		"the log lies beside that one, and what is written by two names damages the file", path)
}

// Write writes into the lock file who has it. A disk that is full is no reason not to serve.
func (h Owner) Write(lock *filelock.Lock) {
	text, err := json.Marshal(h)
	if err == nil {
		_ = os.WriteFile(lock.Path(), append(text, '\n'), 0o600)
	}
}

// readOwner reads it; what cannot be read is unknown.
func readOwner(path string) (h Owner) {
	text, err := os.ReadFile(Path(path))
	if err != nil || json.Unmarshal(text, &h) != nil {
		return Owner{}
	}
	return h
}

// ServerOn says which server runs on a file, if one does.
func ServerOn(path string) (by Owner, running bool, err error) {
	running, err = filelock.IsTaken(Path(path))
	if err != nil || !running {
		return Owner{}, false, err
	}
	return readOwner(path), true, nil
}

func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
