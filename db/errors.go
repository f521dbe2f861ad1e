package db

import (
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// What the database may answer that its callers act upon. Each wraps the driver's error.
var (
	// ErrNotFound: a query for exactly one row found none.
	ErrNotFound = sql.ErrNoRows
	// ErrTaken: a value that must be unique is there already.
	ErrTaken = errors.New("already taken")
	// ErrReferenced: a row that is referred to does not exist, or is still referred to.
	ErrReferenced = errors.New("reference broken")
	// ErrUnavailable: nothing was written; the disk is full, the file is locked or the service stops.
	ErrUnavailable = errors.New("database unavailable")
	// ErrLocked: another program holds the file; with an [OpenError].
	ErrLocked = errors.New("database locked")
	// ErrDamaged: SQLite finds the file broken; with an [OpenError].
	ErrDamaged = errors.New("database damaged")
	// ErrNewer: the file's schema is newer than this program; with an [OpenError].
	ErrNewer = errors.New("database of a newer program")
	// ErrClosed: the service is stopping. It is an ErrUnavailable.
	ErrClosed = fmt.Errorf("%w: closing", ErrUnavailable)
)

// translate gives a driver's error its meaning, by number and never by text.
func translate(err error) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok || errors.Is(err, ErrUnavailable) { // which work has passed on
		return err
	}
	switch e.Code() {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return fmt.Errorf("%w: %w", ErrTaken, err)
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return fmt.Errorf("%w: %w", ErrReferenced, err)
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR:
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

// isCode reports whether err is SQLite's primary result code.
func isCode(err error, code int) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xff == code
}

// IsDamage reports whether err is that pages of the file cannot be what SQLite has written.
func IsDamage(err error) bool {
	return isCode(err, sqlite3.SQLITE_CORRUPT) || isCode(err, sqlite3.SQLITE_NOTADB) || errors.Is(err, ErrDamaged)
}

// IsBeyondInteger reports whether err is that of a sum that was to be stored and does not fit into 64 bits: SQLite makes
// it a number with a fraction, which its strict tables refuse.
func IsBeyondInteger(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code() == sqlite3.SQLITE_CONSTRAINT_DATATYPE
}

// IsTaken reports whether err is [ErrTaken]. It is for use inside a [Work] as well, where the error of a
// query that gives one row is still the driver's own.
func IsTaken(err error) bool { return errors.Is(translate(err), ErrTaken) }
