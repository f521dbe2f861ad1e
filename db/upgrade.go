package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"github.com/pressly/goose/v3"
	sqlite3 "modernc.org/sqlite/lib"
)

// oneConnection makes one connection and never another, so that no statement of a transaction can end up outside of it.
type oneConnection struct {
	driver driver.Driver
	dsn    string
	made   bool
}

// Connect makes the connection.
func (o *oneConnection) Connect(context.Context) (driver.Conn, error) {
	if o.made {
		return nil, errors.New("the connection of the upgrade was lost")
	}
	o.made = true
	return o.driver.Open(o.dsn)
}

// Driver returns that of the connection.
func (o *oneConnection) Driver() driver.Driver { return o.driver }

// upgradeWhole runs all migrations that are pending in one transaction: a crash leaves the old file or the new one, and
// nothing else writes meanwhile. keep makes a copy of the file, which another connection sees as it was: only of an
// upgrade that is going to count, so that one that is tried again and again, as a service manager does, leaves no
// copies.
func (m migrator) upgradeWhole(ctx context.Context, keep func() (kept string, err error)) (err error) {
	pool := sql.OpenDB(&oneConnection{driver: m.db.pools[0].Driver(), dsn: dsn(m.db, writerSettings)})
	defer func() { err = errors.Join(err, pool.Close()) }()
	if _, err := pool.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	end, kept := "COMMIT", ""
	if err = m.runMigrations(ctx, pool); err == nil {
		kept, err = keep()
	}
	if err != nil {
		end = "ROLLBACK"
	}
	_, errEnd := pool.ExecContext(context.WithoutCancel(ctx), end)
	if kept != "" && isCode(errEnd, sqlite3.SQLITE_FULL) {
		// it does not count, and the copy would take the room of the next one
		errEnd = errors.Join(errEnd, Discard(kept))
	}
	return errors.Join(err, errEnd)
}

// runMigrations runs the pending migrations within the transaction that the pool's one connection is in.
func (m migrator) runMigrations(ctx context.Context, pool *sql.DB) error {
	provider, err := m.migrations(pool, goose.WithIsolateDDL(true)) // goose is to begin no transaction
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}
