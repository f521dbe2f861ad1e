package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// ErrDisplaced: the path no longer leads to the open file; with an [OpenError]. It is an ErrUnavailable: what would be
// written now would be gone with the process.
var ErrDisplaced = fmt.Errorf("%w: its path does not lead to the open file", ErrUnavailable)

// placed is a file, and the path at which it lay when the database was opened.
type placed struct {
	ending string // behind the path of the database: "-wal" and "-shm" lie beside it
	info   fs.FileInfo
}

// placesOf are the files of the database whose path is real, a path without links. SQLite has the log and its index
// open as long as the file: they stay the same files until the last process has closed it.
func placesOf(real string) ([]placed, error) {
	var all []placed
	for _, ending := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(real + ending)
		if err != nil {
			return nil, err
		}
		os.SameFile(info, info) // Windows finds out only now which file it is
		all = append(all, placed{ending, info})
	}
	return all, nil
}

// settle notes where the files are, now that all connections are open.
func settle(d *DB) (err error) {
	d.real, err = behindLink(d.path)
	if err == nil {
		d.places, err = placesOf(d.real)
	}
	if err != nil || !os.SameFile(d.place, d.places[0].info) {
		d.places = nil
		return &OpenError{d.path, "was removed or replaced while it was opened", "Start again."}
	}
	return nil
}

// Displaced says how the path has ceased to lead to the open file, which was removed, moved or replaced; nil as long
// as it leads there, by whatever link. Nothing opens the file for that: some microseconds of looking at names.
func (d *DB) Displaced() error {
	if len(d.places) == 0 {
		return nil // a file that is only looked at
	}
	real, err := behindLink(d.path)
	if err != nil {
		return displaced(d, whyUnreachable(d.path, err))
	}
	for _, p := range d.places {
		switch now, err := os.Stat(real + p.ending); {
		case err == nil && os.SameFile(now, p.info):
		case p.ending != "" && real != d.real:
			return displaced(d, "is another name of the open file now, whose log does not lie beside it")
		case p.ending != "" && errors.Is(err, fs.ErrNotExist):
			return displaced(d, fmt.Sprintf("has lost its log: %s was removed", filepath.Base(real+p.ending)))
		case p.ending != "" && err == nil:
			return displaced(d, fmt.Sprintf("has lost its log: another file is in the place of %s",
				filepath.Base(real+p.ending)))
		case err == nil:
			return displaced(d, "is another file now than the one that is open, which was moved or replaced")
		default:
			return displaced(d, whyUnreachable(d.path, err))
		}
	}
	return nil
}

// behindLink is the path of a file, the last part of which is no link: SQLite calls the log after that.
func behindLink(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path, err
	}
	return filepath.EvalSymlinks(path)
}

// whyUnreachable says what became of a path that leads nowhere.
func whyUnreachable(path string, err error) string {
	switch _, errFolder := os.Stat(filepath.Dir(path)); {
	case !errors.Is(err, fs.ErrNotExist):
		return "can no longer be reached: " + err.Error()
	case errors.Is(errFolder, fs.ErrNotExist):
		return "is no longer there: its folder was removed or renamed"
	}
	return "is no longer there: it was removed or moved"
}

// tryAgain is how long [DB.WriteUntilDone] waits before it tries again.
const tryAgain = time.Second

// WriteUntilDone is [DB.WriteWhole] for a worker that cannot do without: while the file is not in its place, or others
// wait too long for the write, it tries again until ctx ends.
func (d *DB) WriteUntilDone(ctx context.Context, work Work) error {
	for {
		err := d.WriteWhole(ctx, work)
		if !errors.Is(err, ErrDisplaced) && !errors.Is(err, ErrOverBudget) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(tryAgain):
		}
	}
}

// reopen opens the file once more by its path, which must lead to it: in the place of another file SQLite might even
// remove the log that it finds there, ours.
func reopen(d *DB, settings []setting) (*sql.DB, error) {
	if err := d.Displaced(); err != nil {
		return nil, err
	}
	return sql.OpenDB(connector{d.driver, dsn(d, settings)}), nil
}

func displaced(d *DB, problem string) error {
	return openReason{&OpenError{d.path, problem, "What is open can still be read, and nothing is written until it is back in its place."}, ErrDisplaced}
}

// Folder is where the file lay when it was opened, and its log beside it.
func (d *DB) Folder() string { return filepath.Dir(d.real) }
