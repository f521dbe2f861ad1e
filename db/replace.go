package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// replacedLabel begins the ending of a file that gave its place to another one.
const replacedLabel = ".before-restore-"

// Replacement puts a file in the place of a database file, which is kept. Whatever moment the process ends at, the old
// file or the new one is in the place, whole, and no log of the old one that SQLite would take for one of the new.
//
// The old file is taken for itself, which writes its log back, and gets a second name; then the new one is renamed
// over the first. No step leaves the place empty, or a log beside a file that it is not of.
type Replacement struct {
	path  string // the place
	fresh string // the new file, in the same folder
	Kept  string // what the old file is called afterwards; empty where there was none
	held  *sql.DB
}

// NewReplacement prepares to put the file fresh, which lies in the same folder and has no log, in the place of the
// database at path; see [Replacement.Run].
func NewReplacement(path, fresh string, at time.Time) (*Replacement, error) {
	r := &Replacement{path: path, fresh: fresh}
	if err := r.tidy(); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(append(logs(), ""), func(ending string) bool { return exists(path + ending) }) {
		for taken := true; taken; taken = exists(r.Kept) { // by another one within this second
			r.Kept = path + replacedLabel + at.UTC().Format(nameStamp)
			at = at.Add(time.Second)
		}
	}
	return r, nil
}

// tidy ends what was left half done by an earlier replacement: its name for the old file is unfinished as long as
// both may be the same file.
func (r *Replacement) tidy() error {
	folder := filepath.Dir(r.path)
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		name := filepath.Join(folder, entry.Name())
		switch {
		case !strings.HasPrefix(name, r.path+replacedLabel) || !strings.HasSuffix(name, Unfinished):
		case same(name, r.path):
			err = errors.Join(err, os.Remove(name))
		default:
			err = errors.Join(err, MoveTo(name, strings.TrimSuffix(name, Unfinished)))
		}
	}
	return err
}

// Run does it. Nobody else may have the old file open; [ErrLocked] says that somebody has. Once it has the file it does
// not stop: what is left takes milliseconds.
func (r *Replacement) Run(ctx context.Context) error {
	if err := r.seize(ctx); err != nil {
		return err
	}
	defer r.release()
	for _, step := range r.steps() {
		if err := step(); err != nil {
			return errors.Join(err, r.tidy())
		}
	}
	return nil
}

// steps are what Run does in this order. A process may be killed between any two.
func (r *Replacement) steps() []func() error {
	return []func() error{
		r.keep,
		r.dropLogs,
		func() error { return MoveTo(r.fresh, r.path) },
		r.finish,
	}
}

// seize takes the old file for this process alone, with its log written back into it. A file that is damaged cannot be
// taken; its logs are kept as they are, before SQLite takes them for useless.
func (r *Replacement) seize(ctx context.Context) error {
	err := r.keepLogs()
	if err != nil || !exists(r.path) {
		return err
	}
	taken, err := r.take(ctx)
	if taken || err != nil {
		err = errors.Join(err, removeAll(r.Kept, logs()...))
	}
	return err
}

// take reports whether the old file could be taken. That it is damaged is no error.
func (r *Replacement) take(ctx context.Context) (bool, error) {
	pool, err := sql.Open("sqlite", dsn((&DB{path: r.path}), commonSettings[:1]))
	if err != nil {
		return false, err
	}
	pool.SetMaxOpenConns(1)
	r.held = pool
	_, err = pool.ExecContext(ctx, "PRAGMA journal_mode = delete")
	if err == nil {
		_, err = pool.ExecContext(ctx, "BEGIN EXCLUSIVE")
	}
	if isCode(err, sqlite3.SQLITE_BUSY) || ctx.Err() != nil || runtime.GOOS == "windows" {
		r.release() // Windows replaces no file that is open
	}
	if isCode(err, sqlite3.SQLITE_BUSY) {
		return false, openReason{&OpenError{r.path, "is in use by another process",
			"Stop it, then try again; nothing was changed."}, ErrLocked}
	}
	return err == nil, ctx.Err()
}

func (r *Replacement) release() {
	if r.held != nil {
		_ = r.held.Close() // the file is another one by now, or all is as it was
		r.held = nil
	}
}

// logs are the endings of files beside a database that SQLite would apply to it.
func logs() []string { return []string{"-wal", "-journal"} }

func (r *Replacement) keepLogs() error {
	for _, ending := range logs() {
		if exists(r.path + ending) {
			if err := sameOrCopy(r.path+ending, r.Kept+ending); err != nil {
				return err
			}
		}
	}
	return nil
}

// keep gives the old file its second name.
func (r *Replacement) keep() error {
	if !exists(r.path) {
		return nil
	}
	return errors.Join(sameOrCopy(r.path, r.Kept+Unfinished), flushFolder(filepath.Dir(r.path)))
}

func (r *Replacement) dropLogs() error {
	return errors.Join(removeAll(r.path, append(logs(), "-shm")...), flushFolder(filepath.Dir(r.path)))
}

// finish gives the old file its name, now that it is a file of its own.
func (r *Replacement) finish() error {
	if !exists(r.Kept + Unfinished) {
		return nil
	}
	return MoveTo(r.Kept+Unfinished, r.Kept)
}

// sameOrCopy gives a file a second name or, where the disk knows no such names, copies it.
func sameOrCopy(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return errors.Join(fmt.Errorf("keep %s: %w", from, err), os.Remove(to))
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func same(a, b string) bool {
	first, err := os.Stat(a)
	second, errSecond := os.Stat(b)
	return err == nil && errSecond == nil && os.SameFile(first, second)
}
