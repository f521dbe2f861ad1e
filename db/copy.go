package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrDiskFull: there is no room; with an [OpenError].
var ErrDiskFull = errors.New("disk full")

// pagesAtATime is how many pages are copied at a time: some milliseconds, after which ctx and progress have their turn.
const pagesAtATime = 1000

// A copy gets its own way of journaling, and as nobody else knows of it, no log and no locks that others see. It is
// flushed once, when it is whole.
var copySettings = []setting{{"locking_mode", "exclusive", ""}, {"journal_mode", "off", ""}, {"synchronous", "off", ""},
	{"cache_size", "-2000", ""}}

// CopyTo writes all that is committed now to a new file that only its owner can read: one view of the data, whatever is
// written meanwhile. Nobody waits for it, and it needs little memory. When it returns nil the copy is on the disk, in
// one file without a log. On any error nothing is left. Progress, if not nil, is told pages.
//
// The copy is the file page by page, read within one transaction; without that SQLite would begin again after each
// write of another connection.
//
// No write waits for a copy, and none makes it begin again, as SQLite's own backup otherwise does.
func (d *DB) CopyTo(ctx context.Context, path string, progress func(done, total int)) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return cannotCopy(path, err)
	}
	if progress == nil {
		progress = func(int, int) {}
	}
	err = copyPages(ctx, d, path, progress)
	if err == nil {
		err = Flush(path)
	}
	if err != nil {
		return errors.Join(cannotCopy(path, err), Discard(path))
	}
	return nil
}

// copyPages copies through a connection of its own, whose transaction keeps the view. One that is opened now would find
// another file, or none, when the path leads elsewhere: then it is a reader that does the work.
func copyPages(ctx context.Context, d *DB, path string, progress func(done, total int)) error {
	if d.Displaced() != nil {
		return withReader(ctx, d, func(ctx context.Context, c *conn) error {
			defer c.run(context.WithoutCancel(ctx), "COMMIT")
			return copyFrom(ctx, c, path, progress)
		})
	}
	pool, err := reopen(d, viewerSettings)
	if err != nil {
		return err
	}
	defer pool.Close()
	source, err := newConn(ctx, pool, &d.counts.statements)
	if err != nil {
		return err
	}
	defer source.close()
	if err := d.Displaced(); err != nil { // meanwhile: it may be another file
		return err
	}
	return copyFrom(ctx, source, path, progress)
}

func copyFrom(ctx context.Context, source *conn, path string, progress func(done, total int)) error {
	if err := source.view(ctx); err != nil {
		return err
	}
	target := dsn((&DB{path: path}), copySettings)
	return source.raw.Raw(func(c any) error {
		maker, ok := c.(interface {
			NewBackup(string) (*sqlite.Backup, error)
		})
		if !ok {
			return errors.New("the database driver does not copy")
		}
		b, err := maker.NewBackup(target)
		if err != nil {
			return err
		}
		return runCopy(ctx, b, progress)
	})
}

func runCopy(ctx context.Context, b *sqlite.Backup, progress func(done, total int)) error {
	for more := true; more; {
		err := ctx.Err()
		if err == nil {
			more, err = b.Step(pagesAtATime)
		}
		if err != nil {
			return errors.Join(err, b.Finish())
		}
		progress(b.PageCount()-b.Remaining(), b.PageCount())
	}
	c, err := b.Commit()
	if err != nil {
		return err
	}
	return errors.Join(withoutLog(ctx, c), c.Close())
}

// withoutLog makes the copy one that needs no log beside it: the pages say that there is one.
func withoutLog(ctx context.Context, c driver.Conn) error {
	execer, ok := c.(driver.ExecerContext)
	if !ok {
		return errors.New("the database driver cannot finish a copy")
	}
	_, err := execer.ExecContext(ctx, "PRAGMA journal_mode = delete", nil)
	return err
}

// cannotCopy says why there is no copy.
func cannotCopy(path string, err error) error {
	why := CannotWrite(path, err)
	if _, known := errors.AsType[*OpenError](why); known || ended(why) {
		return why
	}
	return fmt.Errorf("copy to %s: %w", path, err)
}

// ended reports whether err is that nobody waits any more.
func ended(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// CannotWrite says why a file cannot be written, and what to do: an [OpenError], which is [ErrDiskFull],
// [fs.ErrPermission], [fs.ErrNotExist] or [fs.ErrExist]. Errors that have other causes stay as they are.
func CannotWrite(path string, err error) error {
	folder := filepath.Dir(path)
	switch {
	case ended(err):
		return err
	case errors.Is(err, fs.ErrExist):
		return openReason{&OpenError{path, "is there already", "Name another file."}, fs.ErrExist}
	case isCode(err, sqlite3.SQLITE_FULL), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT),
		errors.Is(err, ErrDiskFull):
		return openReason{&OpenError{path, "cannot be written: the disk is full",
			"Free some space, or name a folder on another disk."}, ErrDiskFull}
	case errors.Is(err, syscall.EROFS):
		return openReason{&OpenError{path, "cannot be written: its disk is read-only",
			"Make it writable, or name a folder on another disk."}, fs.ErrPermission}
	case errors.Is(err, fs.ErrPermission):
		return openReason{&OpenError{path, fmt.Sprintf("cannot be written: %s is not writable for user %d", folder,
			os.Getuid()),
			fmt.Sprintf("Make it writable (chown %d %q), or name another folder.", os.Getuid(), folder)},
			fs.ErrPermission}
	case errors.Is(err, fs.ErrNotExist):
		return openReason{&OpenError{path, "cannot be written: its folder does not exist",
			fmt.Sprintf("Create it first: mkdir -p %q.", folder)}, fs.ErrNotExist}
	}
	return err
}

// MakeCopyFolder creates a folder for copies, that only its owner can enter, where there is none.
func MakeCopyFolder(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return cannotCopy(folder, err)
	}
	return nil
}

// Flush sees that a file is on the disk.
func Flush(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// MoveTo gives a file another name in its folder, and sees that the name is on the disk. What has the name is replaced.
func MoveTo(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return flushFolder(filepath.Dir(to))
}

// flushFolder sees that the names in a folder are on the disk, where the system knows how.
func flushFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil // some network shares cannot
	}
	return errors.Join(err, f.Close())
}

// Discard removes a database file that nobody uses, with what SQLite may have left beside it, as far as they are there.
func Discard(path string) error { return removeAll(path, append(logs(), "", "-shm")...) }

// removeAll removes the files whose names are path and an ending, as far as they are there.
func removeAll(path string, endings ...string) error {
	var all error
	for _, ending := range endings {
		if err := os.Remove(path + ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
			all = errors.Join(all, err)
		}
	}
	return all
}
