// Package filelock has the locks that processes keep each other off with: that of a file made for it, and that of a
// byte of the database file itself. It promises that one process at a time has a lock, and that a crash gives it back.
// It must not know what the locks protect.
package filelock

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/gofrs/flock"
)

// lockPause is how often a lock is tried.
const lockPause = 20 * time.Millisecond

// Lock is a lock that processes keep each other off with: that of a file which is there only while somebody has it.
type Lock struct{ lock *flock.Flock }

// Take takes the lock of a file, and makes the file where it is not there. It waits for others until ctx ends, whose
// error it then gives.
func Take(ctx context.Context, path string) (*Lock, error) {
	for {
		lock := flock.New(path, flock.SetPermissions(0o600))
		if _, err := lock.TryLockContext(ctx, lockPause); err != nil {
			return nil, err
		}
		// Who had it may have removed the file between our opening and locking it: then others do not see ours.
		held := &Lock{lock}
		if held.InPlace() {
			return held, nil
		}
		if err := lock.Unlock(); err != nil {
			return nil, err
		}
	}
}

// InPlace reports whether the file is still where others look for the lock.
func (l *Lock) InPlace() bool {
	ours, err := l.lock.Stat()
	there, errThere := os.Stat(l.Path())
	return err == nil && errThere == nil && os.SameFile(ours, there)
}

// IsTaken reports whether anybody has the lock of a file.
func IsTaken(path string) (bool, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryRLock()
	return err == nil && !free, errors.Join(err, lock.Unlock())
}

// Path is that of the file.
func (l *Lock) Path() string { return l.lock.Path() }

// Release removes the file and gives the lock back. The file goes first, so that nobody locks one that is about to go.
// Windows removes no file that anybody has open, so there it goes last.
func (l *Lock) Release() error {
	if runtime.GOOS == "windows" {
		err := l.lock.Unlock()
		_ = os.Remove(l.Path()) // stays where somebody has opened it meanwhile
		return err
	}
	var err error
	if l.InPlace() { // what others have put there is theirs
		err = os.Remove(l.Path())
	}
	return errors.Join(err, l.lock.Unlock())
}
