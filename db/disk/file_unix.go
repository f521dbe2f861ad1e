//go:build unix

package disk

import (
	"fmt"
	"io/fs"
	"syscall"
)

// Writable reports whether this user may write to a file or folder, on a disk that takes writes.
func Writable(path string) bool {
	const writing = 2 // W_OK
	d, err := Of(path)
	return syscall.Access(path, writing) == nil && (err != nil || !d.ReadOnly)
}

// OwnerOf returns the number of the user that owns something.
func OwnerOf(info fs.FileInfo) (int, bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}

// Names returns how many names a file has, by hard links.
func Names(info fs.FileInfo) int {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 1
	}
	return int(stat.Nlink)
}

// Identity tells a file from all others of the machine, whatever it is called; empty where it is not known.
func Identity(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d", stat.Dev, stat.Ino)
}
