//go:build unix

package db

import (
	"io/fs"
	"syscall"
)

// writable says whether this user may write to a file or folder, on a disk that takes writes.
func writable(path string) bool {
	const writing = 2 // W_OK
	disk, err := DiskOf(path)
	return syscall.Access(path, writing) == nil && (err != nil || !disk.ReadOnly)
}

// ownerOf is the number of the user that owns something.
func ownerOf(info fs.FileInfo) (int, bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}
