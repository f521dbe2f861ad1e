package db

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrReadOnly: a write to a file that was opened by [View].
var ErrReadOnly = errors.New("the database was opened to be read only")

// View opens a file that must exist to be looked at: nothing of it changes, not even its schema. The schema may be an
// older one, see [DB.SchemaVersion]; queries for the newest may then fail. It serves to check a copy, and a file on
// which a server runs. The error is an [OpenError] where a person can do something about it.
func View(ctx context.Context, path string, options ...Option) (*DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, openReason{&OpenError{path, "does not exist", "Name another file."}, fs.ErrNotExist}
	}
	reserveMemory()
	lockByFile()
	d := &DB{path: path, viewed: viewing, written: make(chan struct{})}
	close(d.written) // nobody writes
	for _, option := range options {
		option(d)
	}
	if err := connectView(ctx, d); err != nil {
		return nil, errors.Join(explain(d, err), closePools(d))
	}
	return d, nil
}

// Outdated reports whether the schema is older than the newest: [Open] would change it.
func (d *DB) Outdated(ctx context.Context) (bool, error) { return migrator{d}.pending(ctx, d.pools[0]) }

// How a file is viewed: an option of SQLite's address of a file.
const (
	viewing = "mode=ro"     // with the log that lies beside it, which another process may write
	copied  = "immutable=1" // nobody writes: without a log
)

func connectView(ctx context.Context, d *DB) error {
	err := connectViewers(ctx, d)
	if noIndex(err) && !hasLog(d) {
		// A file with a log has an index of the log beside it; where neither can be made, as on a disk that is
		// read-only or full, there is no server either.
		d.viewed = copied
		err = errors.Join(closePools(d))
		d.pools = nil
		if err == nil {
			err = connectViewers(ctx, d)
		}
	}
	return err
}

// noIndex reports whether SQLite could not make the index of a log.
func noIndex(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (isCode(err, sqlite3.SQLITE_CANTOPEN) || e.Code() == sqlite3.SQLITE_IOERR_SHMSIZE)
}

// hasLog reports whether there are writes that are in the log alone.
func hasLog(d *DB) bool {
	size, err := logSize(d)
	return err == nil && size > 0
}

func connectViewers(ctx context.Context, d *DB) error {
	if err := (migrator{d}).refuseForeign(ctx); err != nil {
		return err
	}
	pool, err := openPools(d, viewerSettings)
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, pool)
	if err != nil {
		return err
	}
	provider, err := migrator{d}.migrations(pool)
	if err != nil {
		return err
	}
	switch newest := newestVersion(provider); {
	case version == 0:
		return &OpenError{d.path, "has no households' books in it", "Name another file; this one was left as it is."}
	case version > newest:
		return tooNew(d.path, version, newest)
	}
	return fillReaders(ctx, d, pool, viewerSettings)
}
