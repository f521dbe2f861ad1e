package db

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/pressly/goose/v3"

	"finsvc/embed"
)

// migrate brings the file's schema to the newest version this program knows, under a lock that all
// processes respect. A file with data is copied first, see WithCopies.
func (d *DB) migrate(ctx context.Context, pool *sql.DB) error {
	pending, err := d.pending(ctx, pool)
	if err != nil || !pending {
		return err
	}
	lock := flock.New(d.path+".migrate-lock", flock.SetPermissions(0o600))
	patience, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if _, err := lock.TryLockContext(patience, 50*time.Millisecond); err != nil {
		return openReason{&OpenError{d.path, "is being upgraded by another process", "Wait for it to end, then start again."}, ErrLocked}
	}
	defer os.Remove(lock.Path())
	defer lock.Unlock()
	return d.upgrade(ctx, pool)
}

// refuseForeign leaves databases of other programs alone. It looks through a connection of its own: the
// settings of the others would already change the file.
func (d *DB) refuseForeign(ctx context.Context) error {
	pool, err := sql.Open("sqlite", d.dsn(commonSettings[:1]))
	if err != nil {
		return err
	}
	defer pool.Close()
	// Tables first: a file that another process is creating at the moment gets its id before its tables.
	var id, tables int
	if err := pool.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	if err := pool.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if id != applicationID && (id != 0 || tables > 0) {
		return &OpenError{d.path, "is a database of another program", "Name another file with --data; this one was left as it is."}
	}
	return nil
}

// pending says whether migrations are to be run; a schema newer than the program is an error.
func (d *DB) pending(ctx context.Context, pool *sql.DB) (bool, error) {
	provider, err := d.migrations(pool)
	if err != nil {
		return false, err
	}
	have, err := schemaVersion(ctx, pool)
	if err != nil {
		return false, err
	}
	newest := newestVersion(provider)
	if have > newest {
		return false, tooNew(d.path, have, newest)
	}
	return have < newest, nil
}

// tooNew refuses a file with a schema that this program does not know.
func tooNew(path string, have, newest int64) error {
	return openReason{&OpenError{path, fmt.Sprintf("was written by a newer finsvc (schema %d, this one knows %d)", have, newest),
		"Upgrade finsvc, or restore a backup made before the upgrade: finsvc restore --list."}, ErrNewer}
}

func (d *DB) upgrade(ctx context.Context, pool *sql.DB) error {
	// Another process may have done it while this one waited for the lock.
	if pending, err := d.pending(ctx, pool); err != nil || !pending {
		return err
	}
	have, err := schemaVersion(ctx, pool)
	if err != nil {
		return err
	}
	if have > 0 {
		return d.upgradeWhole(ctx, func() (string, error) { return d.copyBefore(ctx, have) })
	}
	if _, err := pool.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
		return err
	}
	provider, err := d.migrations(pool)
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

func (d *DB) migrations(pool *sql.DB, options ...goose.ProviderOption) (*goose.Provider, error) {
	if d.schema != nil {
		return goose.NewProvider(goose.DialectSQLite3, pool, d.schema, options...)
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

// copyBefore copies the file, as it is at schema have, into the folder for copies, where there is to be one, and gives the
// copy's path.
func (d *DB) copyBefore(ctx context.Context, have int64) (path string, err error) {
	if d.copies == "" {
		return "", nil
	}
	path = filepath.Join(d.copies, CopyName(d.path, time.Now(), upgradeLabel(have+1)))
	err = MakeCopyFolder(d.copies)
	if err == nil {
		err = d.CopyTo(ctx, path+Unfinished, nil)
	}
	if err == nil {
		err = MoveTo(path+Unfinished, path)
	}
	if err != nil {
		return "", fmt.Errorf("copy before the upgrade: %w", err)
	}
	return path, nil
}
