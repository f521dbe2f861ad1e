//go:build unix

package db_test

import (
	"os/exec"
	"os/signal"
	"syscall"
)

// becomeNobody makes the command run as a user that owns nothing.
func becomeNobody(c *exec.Cmd) {
	const nobody = 65534
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

// limitFiles lets no file of this process grow beyond so many bytes: a write fails as on a full disk.
func limitFiles(bytes int64) error {
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	limit.Cur = min(limit.Max, like(limit.Max, bytes))
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
}

// like is a number in the type of another; systems differ in that of limits.
func like[T int64 | uint64](_ T, n int64) T { return T(n) }
