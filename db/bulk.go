package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Bulk is a connection for writing many rows in many short transactions. It has memory of its own, so that an index
// is written to once per page instead of once per row, and SQLite does not look after references on it, which
// takes longer than writing the rows. So the work itself removes what refers to the rows that it removes, and sees
// that what its rows refer to is there.
type Bulk struct {
	db   *DB
	pool *sql.DB
	conn *conn
}

// Bulk opens a connection for a bulk write. Close it when the work is done, and before the database.
func (d *DB) Bulk(ctx context.Context) (*Bulk, error) {
	pool, err := sql.Open("sqlite", d.dsn(bulkSettings()))
	if err != nil {
		return nil, err
	}
	b := &Bulk{db: d, pool: pool}
	if b.conn, err = newConn(ctx, pool); err == nil {
		err = errors.Join(b.conn.verify(ctx, bulkSettings()), b.conn.watch())
	}
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// bulkCache is the page cache in KiB.
const bulkCache = 32 << 10

func bulkSettings() []setting {
	size := fmt.Sprint(-bulkCache)
	return []setting{{"busy_timeout", "5000", "5000"}, {"foreign_keys", "0", "0"}, {"journal_mode", "wal", "wal"}, {"temp_store", "memory", "2"},
		{"synchronous", "full", "2"}, {"cache_size", size, size}, {"journal_size_limit", "67108864", "67108864"}, {"wal_autocheckpoint", "8000", "8000"}}
}

// Write is [DB.Write] on this connection: it takes its turn with the others, and any error undoes all of it.
func (b *Bulk) Write(ctx context.Context, work Work) error { return b.db.write(ctx, b.conn, work) }

// Close gives the memory back.
func (b *Bulk) Close() error {
	if b.conn == nil {
		return b.pool.Close()
	}
	_ = b.conn.run(context.Background(), "PRAGMA shrink_memory") // closing alone leaves the process as large as it is
	return errors.Join(b.conn.close(), b.pool.Close())
}
