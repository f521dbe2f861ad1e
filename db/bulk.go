package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"finsvc/queries"
)

// Bulk is a connection for writing many rows in many short transactions. It has memory of its own, so that an index
// is written to once per page instead of once per row, and SQLite does not look after references on it, which
// takes longer than writing the rows. So the work itself removes what refers to the rows that it removes, and sees
// that what its rows refer to is there. Nor does SQLite look at the CHECKs of the schema: they call functions, which
// can fail, and a statement of many rows that can fail keeps a copy of each page that it writes to. So the work writes
// only what it has made itself, such as keys.
//
// While one is open, no commit puts the log back into the file: that takes up to a second, which all that wait to write
// would wait for. The bulk write does so between its own writes, see putBack. The ledger asks once per batch whether
// all that its rows name is there, and removes what refers to a row before the row; a test fails when a new table
// refers to transactions.
type Bulk struct {
	db      *DB
	pool    *sql.DB
	conn    *conn
	log     *sql.Conn  // puts the log back
	putting sync.Mutex // while it does
	counted bool       // see countBulk
}

// Bulk opens a connection for a bulk write. Close it when the work is done, and before the database.
func (d *DB) Bulk(ctx context.Context) (*Bulk, error) {
	pool, err := reopen(d, bulkSettings())
	if err != nil {
		return nil, err
	}
	b := &Bulk{db: d, pool: pool}
	b.conn, err = newConn(ctx, pool, &d.counts.statements)
	if err == nil {
		err = errors.Join(b.conn.verify(ctx, bulkSettings()), b.conn.watch())
	}
	if err == nil {
		b.log, err = pool.Conn(ctx)
	}
	if err == nil {
		b.counted = true
		err = countBulk(ctx, d, 1) // which is refused when the path, by which it was just opened, leads elsewhere
	}
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// bulkCache is the page cache in KiB.
const bulkCache = 24 << 10

// How many pages are in the log when a commit writes them back into the file: with a bulk write, where that is the last
// resort, and without one, which is SQLite's own number.
const (
	bulkLog  = 16_000
	usualLog = 1000
)

// A bulk write puts the log back when so many of its pages are not in the file; and when it has become so long, it
// sees to it that the next write can begin the log anew.
const (
	putBackPages = 1000
	longLog      = 8000
)

// countBulk notes that there is one bulk write more or less. While there is any, the log is long, and at the usual
// number each ordinary write would write back what the bulk write has put there.
func countBulk(ctx context.Context, d *DB, change int64) error {
	d.bulks.Add(change)
	return d.Write(ctx, func(ctx context.Context, _ *queries.Queries) error {
		pages := usualLog
		if d.bulks.Load() > 0 {
			pages = bulkLog
		}
		_, err := joined(ctx).raw.ExecContext(ctx, fmt.Sprintf("PRAGMA wal_autocheckpoint = %d", pages))
		return err
	})
}

func bulkSettings() []setting {
	size, pages := fmt.Sprint(-bulkCache), fmt.Sprint(bulkLog)
	return []setting{{"busy_timeout", "5000", "5000"}, {"foreign_keys", "0", "0"},
		{"ignore_check_constraints", "1", "1"}, {"journal_mode", "wal", "wal"}, {"temp_store", "memory", "2"},
		{"synchronous", "normal", "1"}, {"cache_size", size, size}, {"journal_size_limit", "67108864", "67108864"},
		{"wal_autocheckpoint", pages, pages}}
}

// Write is [DB.Write] on this connection: it takes its turn with the others, and any error undoes all of it. A power
// cut may undo the last ones, as a whole and in order, until an ordinary write has put them on the disk together with
// itself.
func (b *Bulk) Write(ctx context.Context, work Work) error {
	if err := write(ctx, b.db, b.conn, b.db.budget, work); err != nil || InWrite(ctx) {
		return err
	}
	b.putBack(ctx)
	return nil
}

// putBack writes pages of the log back into the file while others write. What they add meanwhile stays in the log, so
// from time to time the rest, which is little then, is put back while no one writes: the log begins anew when all of
// it is in the file. A reader that began long ago can keep it from that; then the log grows until the reader is done.
// Where it cannot be put back here, a commit does it, and has the error.
func (b *Bulk) putBack(ctx context.Context) {
	if !b.putting.TryLock() {
		return
	}
	defer b.putting.Unlock()
	length, done, err := b.checkpoint(ctx, "NOOP")
	if err != nil || length-done < putBackPages {
		return
	}
	length, done, err = b.checkpoint(ctx, "PASSIVE")
	if err != nil || length < longLog || length == done {
		return
	}
	_ = b.db.Write(ctx, func(ctx context.Context, _ *queries.Queries) error {
		_, _, err := b.checkpoint(ctx, "PASSIVE")
		return err
	})
}

// checkpoint returns how many pages the log has and how many of them are in the file.
func (b *Bulk) checkpoint(ctx context.Context, mode string) (length, done int64, err error) {
	var busy int64
	err = b.log.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &length, &done)
	return length, done, err
}

// Close gives the memory back.
func (b *Bulk) Close() error {
	var err error
	if b.conn != nil {
		// closing alone leaves the process as large as it is
		_ = b.conn.run(context.Background(), "PRAGMA shrink_memory")
		if b.counted {
			err = countBulk(context.Background(), b.db, -1)
		}
		if errors.Is(err, ErrUnavailable) {
			err = nil // the next one sets the length of the log
		}
		err = errors.Join(err, b.conn.close())
	}
	if b.log != nil {
		err = errors.Join(err, b.log.Close())
	}
	return errors.Join(err, b.pool.Close())
}
