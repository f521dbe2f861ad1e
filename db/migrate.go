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

	"github.com/pressly/goose/v3"

	"finsvc/db/filelock"
	"finsvc/embed"
)

// upgradeTime is how long an upgrade by another process is waited for.
const upgradeTime = time.Minute

// migrator brings the schema of a file that is being opened up to date.
type migrator struct{ db *DB }

// migrate brings the file's schema to the newest version this program knows, under a lock that all
// processes respect. A file with data is copied first, see WithCopies.
func (m migrator) migrate(ctx context.Context, pool *sql.DB) error {
	pending, err := m.pending(ctx, pool)
	if err != nil || !pending {
		return err
	}
	have, err := schemaVersion(ctx, pool)
	if err != nil {
		return err
	}
	if have > 0 && m.db.lockServer != nil {
		release, err := m.keepServersOff(ctx, pool, have)
		if err != nil || release == nil {
			return err
		}
		defer release() // whose error changes nothing
	}
	patience, cancel := context.WithTimeout(ctx, upgradeTime)
	defer cancel()
	lock, err := filelock.Take(patience, m.upgradeLock())
	switch {
	case patience.Err() != nil && ctx.Err() == nil:
		return m.beingUpgraded()
	case err != nil:
		return err
	}
	defer lock.Release() // likewise
	if now, err := os.Stat(m.db.path); err != nil || !os.SameFile(m.db.place, now) {
		return &OpenError{m.db.path, "was removed by another process", "Start again."} // see withdraw
	}
	return m.upgrade(ctx, pool)
}

// upgradeLock is the file whose lock an upgrade has.
func (m migrator) upgradeLock() string { return m.db.path + ".migrate-lock" }

func (m migrator) beingUpgraded() error {
	return openReason{&OpenError{m.db.path, "is being upgraded by another process",
		"Wait for it to end, then start again."}, ErrLocked}
}

// keepServersOff takes the lock that a server has; release is nil when the file has been upgraded meanwhile. A new
// server that has just started may hold it, and is about to upgrade the file itself. One that does not is older: it
// would go on working with tables that are no longer what it knows.
func (m migrator) keepServersOff(ctx context.Context, pool *sql.DB, have int64) (release func() error, err error) {
	const patience, pause = time.Second, 50 * time.Millisecond
	quiet, began := time.Now(), time.Now()
	for {
		release, holder, err := m.db.lockServer()
		if err != nil || release != nil {
			return release, err
		}
		if pending, err := m.pending(ctx, pool); err != nil || !pending {
			return nil, err
		}
		upgrading, err := filelock.IsTaken(m.upgradeLock())
		switch {
		case err != nil:
			return nil, err
		case upgrading && time.Since(began) > upgradeTime:
			return nil, m.beingUpgraded()
		case upgrading:
			quiet = time.Now()
		case time.Since(quiet) > patience:
			return nil, openReason{&OpenError{m.db.path, fmt.Sprintf("was not upgraded from schema %d: an older finsvc serves it (%s)", have, holder),
				"Stop that server and start it again with this program, which upgrades the file, or go on with the older program."}, ErrLocked}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// withdraw removes what Open has made that failed, unless others have begun to use it. Who has opened the file and
// waits for the lock finds out that it is gone.
func (m migrator) withdraw(ctx context.Context) error {
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	lock, err := filelock.Take(patience, m.upgradeLock())
	if err != nil {
		return nil // others are at it
	}
	defer lock.Release() // whose error changes nothing
	if used, err := m.isUsed(patience); err != nil || used {
		return nil
	}
	return Discard(m.db.path)
}

// isUsed reports whether another process has the file open, or has made it usable.
func (m migrator) isUsed(ctx context.Context) (bool, error) {
	if _, err := os.Stat(m.db.path + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		return true, err
	}
	pool, err := sql.Open("sqlite", dsn(m.db, viewerSettings))
	if err != nil {
		return false, err
	}
	defer pool.Close()
	tables := 0
	err = pool.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name = 'households'").Scan(&tables)
	if err != nil || tables == 0 {
		return false, err
	}
	pending, err := m.pending(ctx, pool)
	if err != nil || !pending {
		return true, err
	}
	households := 0 // of an older program
	err = pool.QueryRowContext(ctx, "SELECT count(*) FROM households").Scan(&households)
	return households > 0, err
}

// refuseForeign leaves databases of other programs alone. It looks through a connection of its own: the
// settings of the others would already change the file.
func (m migrator) refuseForeign(ctx context.Context) error {
	pool, err := sql.Open("sqlite", dsn(m.db, commonSettings[:1]))
	if err != nil {
		return err
	}
	defer pool.Close()
	var id, tables int
	if err := pool.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil || id == applicationID {
		return err // a look at the tables would have the whole schema read
	}
	// Tables first: a file that another process is creating at the moment gets its id before its tables.
	if err := pool.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	if err := pool.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if id != applicationID && (id != 0 || tables > 0) {
		return &OpenError{m.db.path, "is a database of another program",
			"Name another file with --data; this one was left as it is."}
	}
	return nil
}

// pending reports whether migrations are to be run; a schema newer than the program is an error.
func (m migrator) pending(ctx context.Context, pool *sql.DB) (bool, error) {
	provider, err := m.migrations(pool)
	if err != nil {
		return false, err
	}
	have, err := schemaVersion(ctx, pool)
	if err != nil {
		return false, err
	}
	newest := newestVersion(provider)
	if have > newest {
		return false, tooNew(m.db.path, have, newest)
	}
	return have < newest, nil
}

// tooNew refuses a file with a schema that this program does not know.
func tooNew(path string, have, newest int64) error {
	return openReason{&OpenError{path, fmt.Sprintf("was written by a newer finsvc (schema %d, this one knows %d)", have,
		newest),
		"Upgrade finsvc, or restore a backup made before the upgrade: finsvc restore --list."}, ErrNewer}
}

func (m migrator) upgrade(ctx context.Context, pool *sql.DB) error {
	// Another process may have done it while this one waited for the lock.
	if pending, err := m.pending(ctx, pool); err != nil || !pending {
		return err
	}
	have, err := schemaVersion(ctx, pool)
	if err != nil {
		return err
	}
	if have > 0 {
		return m.upgradeWhole(ctx, func() (string, error) { return m.copyBefore(ctx, have) })
	}
	if _, err := pool.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
		return err
	}
	provider, err := m.migrations(pool)
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

func (m migrator) migrations(pool *sql.DB, options ...goose.ProviderOption) (*goose.Provider, error) {
	if m.db.schema != nil {
		return goose.NewProvider(goose.DialectSQLite3, pool, m.db.schema, options...)
	}
	files, err := fs.Sub(embed.Schema, "schema")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectSQLite3, pool, files, options...)
}

func newestVersion(provider *goose.Provider) int64 {
	sources := provider.ListSources()
	return sources[len(sources)-1].Version
}

// NewestSchema returns the number of the newest migration that this program knows.
func (d *DB) NewestSchema() (int64, error) {
	provider, err := migrator{d}.migrations(d.pools[0])
	if err != nil {
		return 0, err
	}
	return newestVersion(provider), nil
}

// SchemaVersion is the number of the newest migration in the file.
func (d *DB) SchemaVersion(ctx context.Context) (int64, error) { return schemaVersion(ctx, d.pools[0]) }

func schemaVersion(ctx context.Context, pool *sql.DB) (int64, error) {
	var tables int
	const known = "SELECT count(*) FROM sqlite_schema WHERE name = 'goose_db_version'"
	if err := pool.QueryRowContext(ctx, known).Scan(&tables); err != nil || tables == 0 {
		return 0, err
	}
	var version int64
	err := pool.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM goose_db_version").Scan(&version)
	return version, err
}

// copyBefore copies the file, as it is at schema have, into the folder for copies, where there is to be one, and gives
// the copy's path.
func (m migrator) copyBefore(ctx context.Context, have int64) (path string, err error) {
	if m.db.copies == "" {
		return "", nil
	}
	path = filepath.Join(m.db.copies, CopyName(m.db.path, time.Now(), fmt.Sprintf("before-schema-%d", (have+1))))
	err = MakeCopyFolder(m.db.copies)
	if err == nil {
		err = m.db.CopyTo(ctx, path+Unfinished, nil)
	}
	if err == nil {
		err = MoveTo(path+Unfinished, path)
	}
	if err != nil {
		return "", fmt.Errorf("copy before the upgrade: %w", err)
	}
	return path, nil
}
