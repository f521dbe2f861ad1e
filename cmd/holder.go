package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"finsvc/db"
	"finsvc/ledger"
)

// holder says which server has a file. It lies in the lock file as JSON, for people and for other processes; where the
// system lets nobody read a locked file, as on Windows, it stays unknown.
type holder struct {
	PID   int       `json:"pid"`
	Addr  string    `json:"addr"` // where it listens; empty until it does
	Since time.Time `json:"since"`
}

// String names the server as far as it is known.
func (h holder) String() string {
	switch {
	case h.PID == 0:
		return "another process"
	case h.Addr == "":
		return fmt.Sprintf("process %d", h.PID)
	}
	return fmt.Sprintf("process %d, at %s", h.PID, h.Addr)
}

// lockPath is the file whose lock the server of a database has.
func lockPath(database string) string { return database + ".server-lock" }

// lockServer keeps a second server off the same file; commands do not need the lock. The lock file
// stays: to remove it would let two servers in that start and stop at the same moment.
func lockServer(path string) (*flock.Flock, error) {
	lock := flock.New(lockPath(path), flock.SetPermissions(0o600))
	// Who only looks, see serverOn, has the lock for a moment.
	patience, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	ok, err := lock.TryLockContext(patience, 20*time.Millisecond)
	switch {
	case ok:
		_ = os.Truncate(lock.Path(), 0) // what a server that was killed has left says who had it
		return lock, nil
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return nil, db.NotWritable(lock.Path())
	case err != nil && patience.Err() == nil:
		return nil, fmt.Errorf("lock the database for this server: %w", err)
	}
	return nil, inUse(path, readHolder(path))
}

// unlockServer lets the next server in. Nobody has the file any more, says the lock file, too.
func unlockServer(lock *flock.Flock) error {
	_ = os.Truncate(lock.Path(), 0)
	return lock.Unlock()
}

// inUse refuses what only one process may do with a file at a time.
func inUse(path string, by holder) error {
	return ledger.NewConflict("a server is running on %s already (%s). Stop it first, or name another file with --data", path, by)
}

// noteHolder writes into the lock file who has it, and where it listens. A disk that is full is no reason not to serve.
func (a *app) noteHolder(path, addr string) {
	text, err := json.Marshal(holder{os.Getpid(), addr, a.now().UTC().Truncate(time.Second)})
	if err == nil {
		_ = os.WriteFile(lockPath(path), append(text, '\n'), 0o600)
	}
}

// readHolder reads it; what cannot be read is unknown.
func readHolder(path string) (h holder) {
	text, err := os.ReadFile(lockPath(path))
	if err != nil || json.Unmarshal(text, &h) != nil {
		return holder{}
	}
	return h
}

// serverOn says which server runs on a file, if one does.
func serverOn(path string) (by holder, running bool, err error) {
	if _, err := os.Stat(lockPath(path)); errors.Is(err, fs.ErrNotExist) {
		return holder{}, false, nil
	}
	lock := flock.New(lockPath(path), flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryRLock()
	if err != nil || free {
		return holder{}, false, errors.Join(err, lock.Unlock())
	}
	return readHolder(path), true, nil
}
