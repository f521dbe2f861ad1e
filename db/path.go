package db

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"finsvc/db/disk"
)

// OpenError is a reason why the file cannot be used that a person can do something about.
type OpenError struct {
	Path    string
	Problem string // continues the sentence that the path begins
	Hint    string // what to do, as a sentence
}

// Error is the whole sentence and the hint.
func (e *OpenError) Error() string { return fmt.Sprintf("%s %s. %s", e.Path, e.Problem, e.Hint) }

// openReason is an OpenError whose cause a program can tell, by errors.Is: [ErrLocked],
// [fs.ErrPermission] or [fs.ErrNotExist].
type openReason struct {
	*OpenError
	reason error
}

// Unwrap gives both, so that either is found.
func (e openReason) Unwrap() []error { return []error{e.OpenError, e.reason} }

// CheckPlace says what is wrong with a file, or with the place where there is to be one, that can be told without
// opening or making it. The error is an [OpenError] where a person can do something about it.
func CheckPlace(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := checkFolder(path); err != nil {
		return err
	}
	there, err := checkFile(path)
	if err == nil && !there && !disk.Writable(filepath.Dir(path)) {
		return openReason{whyNotWritable(path, "cannot be created"), fs.ErrPermission}
	}
	return err
}

// preparePath checks folder and file, and creates an empty file that only its owner can read.
func preparePath(path string) (made bool, err error) {
	if err := checkFolder(path); err != nil {
		return false, err
	}
	there, err := checkFile(path)
	if err != nil || there {
		return false, err
	}
	return makeFile(path)
}

func checkFolder(path string) error {
	folder := filepath.Dir(path)
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return openReason{&OpenError{path, "cannot be created: its folder does not exist",
			fmt.Sprintf("Create it first: mkdir -p %q.", folder)}, fs.ErrNotExist}
	case err != nil:
		return &OpenError{path, "cannot be reached: " + err.Error(), "Check the folder and who may enter it."}
	case !info.IsDir():
		return &OpenError{path, "cannot be created: " + folder + " is not a folder",
			"Name a file in a folder with --data."}
	}
	if volume, err := disk.Of(folder); err == nil && volume.Network {
		return onNetwork(path, volume)
	}
	return nil
}

func onNetwork(path string, volume disk.Info) error {
	return &OpenError{path, "lies on a network file system (" + cmp.Or(volume.Kind,
		"kind unknown") + "), where SQLite cannot lock safely",
		"Keep the database on a local disk, with --data, and its copies on the share, with --backup-dir."}
}

func checkFile(path string) (there bool, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case info.IsDir():
		return false, &OpenError{path, "is a folder", "Name a file inside it with --data."}
	case !disk.Writable(path):
		return false, NotWritable(path) // SQLite would open it to be read only, and fail later
	}
	return true, nil
}

func makeFile(path string) (made bool, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist): // another process was quicker, or it is a link to a file that is to be made
		f, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return false, &OpenError{path, "cannot be created: " + err.Error(), "Name another file with --data."}
		}
		return false, f.Close()
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return false, openReason{whyNotWritable(path, "cannot be created"), fs.ErrPermission}
	case err != nil:
		return false, &OpenError{path, "cannot be created: " + err.Error(), "Name another file with --data."}
	}
	return true, f.Close()
}

// NotWritable says why a file, or one that is to be made beside it, cannot be written, and what to type. It is an
// [OpenError] that is [fs.ErrPermission].
func NotWritable(path string) error {
	return openReason{whyNotWritable(path, "cannot be written"), fs.ErrPermission}
}

// whyNotWritable looks at the disk, the file if there is one, and the folder; the failure, such as "cannot be
// written", begins the problem.
func whyNotWritable(path, failure string) *OpenError {
	folder := filepath.Dir(path)
	if volume, err := disk.Of(folder); err == nil && volume.ReadOnly {
		return &OpenError{path, failure + ": its disk is mounted read-only",
			"Mount it for writing; a disk that turned read-only by itself has had errors (dmesg tells)."}
	}
	for _, name := range []string{path, folder} {
		info, err := os.Stat(name)
		if err != nil || disk.Writable(name) {
			continue
		}
		return &OpenError{path, failure + ": " + whyNot(name, info), hintFor(name, info)}
	}
	return &OpenError{path, failure, "Check who owns the file and its folder, and that the disk is not read-only."}
}

// whyNot says why this user may not write there.
func whyNot(name string, info fs.FileInfo) string {
	user := os.Getuid()
	text := fmt.Sprintf("%s is not writable for user %d", name, user)
	if owner, known := disk.OwnerOf(info); known && owner != user {
		return fmt.Sprintf("%s, it belongs to user %d", text, owner)
	}
	return fmt.Sprintf("%s, its mode is %04o", text, info.Mode().Perm())
}

func hintFor(name string, info fs.FileInfo) string {
	if owner, known := disk.OwnerOf(info); known && owner == os.Getuid() {
		return fmt.Sprintf("Make it writable: chmod u+w %q. Or name another file with --data.", name)
	}
	return fmt.Sprintf("Give it to that user: chown -R %d %q (in a container: on the host, the folder that is mounted there). Or name another file with --data.",
		os.Getuid(), name)
}
