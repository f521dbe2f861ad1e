package db

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// NotWritable says why a file, or one that is to be made beside it, cannot be written, and what to type. It is an
// [OpenError] that is [fs.ErrPermission].
func NotWritable(path string) error {
	return openReason{whyNotWritable(path, "cannot be written"), fs.ErrPermission}
}

// whyNotWritable looks at the disk, the file if there is one, and the folder; the failure, such as "cannot be
// written", begins the problem.
func whyNotWritable(path, failure string) *OpenError {
	folder := filepath.Dir(path)
	if disk, err := DiskOf(folder); err == nil && disk.ReadOnly {
		return &OpenError{path, failure + ": its disk is mounted read-only",
			"Mount it for writing; a disk that turned read-only by itself has had errors (dmesg tells)."}
	}
	for _, name := range []string{path, folder} {
		info, err := os.Stat(name)
		if err != nil || writable(name) {
			continue
		}
		return &OpenError{path, failure + ": " + whose(name, info), cureOf(name, info)}
	}
	return &OpenError{path, failure, "Check who owns the file and its folder, and that the disk is not read-only."}
}

// whose says why this user may not write there.
func whose(name string, info fs.FileInfo) string {
	user := os.Getuid()
	text := fmt.Sprintf("%s is not writable for user %d", name, user)
	if owner, known := ownerOf(info); known && owner != user {
		return fmt.Sprintf("%s, it belongs to user %d", text, owner)
	}
	return fmt.Sprintf("%s, its mode is %04o", text, info.Mode().Perm())
}

func cureOf(name string, info fs.FileInfo) string {
	if owner, known := ownerOf(info); known && owner == os.Getuid() {
		return fmt.Sprintf("Make it writable: chmod u+w %q. Or name another file with --data.", name)
	}
	return fmt.Sprintf("Give it to that user: chown -R %d %q (in a container: on the host, the folder that is mounted there). Or name another file with --data.",
		os.Getuid(), name)
}
