package filelock

import (
	"errors"
	"os"
	"syscall"
)

// serverByte is the byte of a database file whose lock the server of the file has: far beyond what a file can have, and
// beyond the bytes that SQLite locks (those from 0x40000000).
const serverByte = 1 << 62

// The commands of fcntl(2) for locks that belong to an open file and not to a process: closing the file elsewhere in
// the process leaves them alone.
const (
	ofdGetLock = 36
	ofdSetLock = 37
)

// TakeServer takes the lock that the server of a file has on it; false when another open file has it.
// [errors.ErrUnsupported] where there are no such locks.
func TakeServer(f *os.File) (bool, error) {
	err := control(f, ofdSetLock, &syscall.Flock_t{Type: syscall.F_WRLCK, Start: serverByte, Len: 1})
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		return false, nil
	}
	return err == nil, err
}

// HasServer reports whether a file has a server: whether another open file has the lock.
func HasServer(f *os.File) (bool, error) {
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Start: serverByte, Len: 1}
	err := control(f, ofdGetLock, &lock)
	return err == nil && lock.Type != syscall.F_UNLCK, err
}

func control(f *os.File, command int, lock *syscall.Flock_t) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) { failed = syscall.FcntlFlock(fd, command, lock) })
	for _, unknown := range []error{syscall.EINVAL, syscall.ENOSYS, syscall.ENOLCK, syscall.EOPNOTSUPP} {
		if errors.Is(failed, unknown) {
			failed = errors.ErrUnsupported
		}
	}
	return errors.Join(err, failed)
}
