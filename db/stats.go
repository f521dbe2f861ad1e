package db

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"sync/atomic"
	"time"
)

// Stats is how an open database is at one moment. To find out costs the same however large the file is.
type Stats struct {
	Size int64 // bytes of the file
	Free int64 // bytes of it that hold nothing
	Log  int64 // bytes of the write-ahead log

	Readers, Reading int           // connections that read; those in use
	Waiting          int           // writes that wait for their turn
	Commits          int64         // since the file was opened, of this process
	Statements       int64         // run since then, those that begin and end a transaction among them
	Writing          time.Duration // spent in transactions that write
}

// counts are what [Stats] has of the work so far.
type counts struct {
	commits    atomic.Int64
	statements atomic.Int64
	writing    atomic.Int64 // nanoseconds
}

func (c *counts) add(started time.Time, err error) {
	if err == nil {
		c.commits.Add(1)
	}
	c.writing.Add(int64(time.Since(started)))
}

// Stats finds out how the database is.
func (d *DB) Stats(ctx context.Context) (Stats, error) {
	s := Stats{
		Readers: cap(d.readers), Reading: cap(d.readers) - len(d.readers), Waiting: len(d.jobs),
		Commits: d.counts.commits.Load(), Statements: d.counts.statements.Load(), Writing: time.Duration(d.counts.writing.Load()),
	}
	var err error
	s.Log, err = logSize(d)
	if err != nil {
		return s, err
	}
	return s, withReader(ctx, d, func(ctx context.Context, c *conn) error {
		row := c.QueryRowContext(ctx, "SELECT p.page_count * s.page_size, f.freelist_count * s.page_size FROM pragma_page_count p, pragma_page_size s, pragma_freelist_count f")
		return row.Scan(&s.Size, &s.Free)
	})
}

// logSize is how many bytes the log beside the file has; 0 where there is none.
func logSize(d *DB) (int64, error) {
	info, err := os.Stat(logPath(d))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// logPath is where the log lies: beside the file itself, not beside a link to it.
func logPath(d *DB) string { return cmp.Or(d.real, d.path) + "-wal" }
