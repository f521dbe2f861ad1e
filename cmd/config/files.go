package config

import (
	"io/fs"
	"runtime"
)

// OpenTo reports whether a file's mode allows anybody on the machine one of the bits; Windows has no such modes.
func OpenTo(info fs.FileInfo, bits fs.FileMode) bool {
	return runtime.GOOS != "windows" && info.Mode().Perm()&bits != 0
}
