package db

import (
	"context"
	"errors"
	"time"

	"finsvc/queries"
)

// Uses is how often connections were taken so far, to read and to write.
func (d *DB) Uses() int64 { return d.uses.Load() }

// ReleaseMemory gives back memory that only makes requests quick: the caches and prepared statements of the readers
// that are free, and of the writer. It changes nothing in the file; the next requests fill the caches again.
func (d *DB) ReleaseMemory(ctx context.Context) error {
	var err error
	for _, c := range takeIdle(d) {
		err = errors.Join(err, c.releaseMemory(ctx))
		d.readers <- c
	}
	return errors.Join(err, d.Write(ctx, func(ctx context.Context,
		_ *queries.Queries) error {
		return joined(ctx).releaseMemory(ctx)
	}))
}

// takeIdle takes the readers that are free at this moment.
func takeIdle(d *DB) (idle []*conn) {
	for {
		select {
		case c, open := <-d.readers:
			if !open {
				return idle
			}
			idle = append(idle, c)
		default:
			return idle
		}
	}
}

func (c *conn) releaseMemory(ctx context.Context) error {
	if c.raw == nil {
		return nil
	}
	c.forget()
	_, err := c.raw.ExecContext(ctx, "PRAGMA shrink_memory")
	return err
}

// awaitLatest is how long a worker waits at most before it looks again whether there is work: a lease that
// has run out changes nothing in the file.
const awaitLatest = 10 * time.Second

// Await lets a worker wait whose queue is a table. It returns when wake is sent to, when something was committed after
// version, which [DB.Version] gave before the worker looked, when ten seconds have passed, and when ctx ends. Every
// so often it asks whether something was committed, which costs microseconds and no lock.
//
// A look at the version is one at shared memory, where asking the table that is a queue would be a query.
func (d *DB) Await(ctx context.Context, wake <-chan struct{}, version int64, every time.Duration) {
	latest, again := time.After(awaitLatest), time.NewTicker(every)
	defer again.Stop()
	for {
		select {
		case <-wake:
			return
		case <-latest:
			return
		case <-ctx.Done():
			return
		case <-again.C:
		}
		if now, err := d.Version(ctx); err != nil || now != version {
			return
		}
	}
}
