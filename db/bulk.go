package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"finsvc/queries"
)

// Bulk is a connection for writing many rows in many short transactions. It has memory of its own, so that an index
// is written to once per page instead of once per row, and SQLite does not look after references on it, which
// takes longer than writing the rows. So the work itself removes what refers to the rows that it removes, and sees
// that what its rows refer to is there. Nor does SQLite look at the CHECKs of the schema: they call functions, which can
// fail, and a statement of many rows that can fail keeps a copy of each page that it writes to. So the work writes only
// what it has made itself, such as keys.
//
// While one is open, no other write puts the log back. The ledger asks once per batch whether all that its rows name
// is there, and removes what refers to a row before the row; a test fails when a new table refers to transactions.
type Bulk struct {
	db      *DB
	pool    *sql.DB
	conn    *conn
	counted bool // see countBulk
}

// Bulk opens a connection for a bulk write. Close it when the work is done, and before the database.
func (d *DB) Bulk(ctx context.Context) (*Bulk, error) {
	pool, err := d.reopen(bulkSettings())
	if err != nil {
		return nil, err
	}
	b := &Bulk{db: d, pool: pool}
	if b.conn, err = newConn(ctx, pool); err == nil {
		err = errors.Join(b.conn.verify(ctx, bulkSettings()), b.conn.watch())
	}
	if err == nil {
		b.counted = true
		err = d.countBulk(ctx, 1) // which is refused when the path, by which it was just opened, leads elsewhere
	}
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// bulkCache is the page cache in KiB.
const bulkCache = 24 << 10

// How many pages are in the log when a commit writes them back into the file: with a bulk write, and without one, which
// is SQLite's own number.
const (
	bulkLog  = 2000
	usualLog = 1000
)

// countBulk notes that there is one bulk write more or less. While there is any, the log is long, and at the usual number
// each ordinary write would write back what the bulk write has put there.
func (d *DB) countBulk(ctx context.Context, change int64) error {
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
	return []setting{{"busy_timeout", "5000", "5000"}, {"foreign_keys", "0", "0"}, {"ignore_check_constraints", "1", "1"}, {"journal_mode", "wal", "wal"}, {"temp_store", "memory", "2"},
		{"synchronous", "normal", "1"}, {"cache_size", size, size}, {"journal_size_limit", "67108864", "67108864"}, {"wal_autocheckpoint", pages, pages}}
}

// Write is [DB.Write] on this connection: it takes its turn with the others, and any error undoes all of it. A power cut
// may undo the last ones, as a whole and in order, until an ordinary write has put them on the disk together with itself.
func (b *Bulk) Write(ctx context.Context, work Work) error {
	return b.db.write(ctx, b.conn, b.db.budget, work)
}

// Close gives the memory back.
func (b *Bulk) Close() error {
	if b.conn == nil {
		return b.pool.Close()
	}
	_ = b.conn.run(context.Background(), "PRAGMA shrink_memory") // closing alone leaves the process as large as it is
	var err error
	if b.counted {
		err = b.db.countBulk(context.Background(), -1)
	}
	if errors.Is(err, ErrUnavailable) {
		err = nil // the next one sets the length of the log
	}
	return errors.Join(err, b.conn.close(), b.pool.Close())
}
