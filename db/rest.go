package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"time"

	"finsvc/queries"
)

// Uses is how often connections were taken so far, to read and to write.
func (d *DB) Uses() int64 { return d.uses.Load() }

// Rest gives back memory that only makes requests quick: readers that nobody uses are replaced by fresh ones, and the
// writer's caches go. It changes nothing in the file; the next requests fill the caches again.
func (d *DB) Rest(ctx context.Context) error {
	var err error
	for _, c := range d.takeIdle() {
		fresh, failed := d.freshReader(ctx)
		if failed == nil {
			c.discard()
			c = fresh
		}
		err = errors.Join(err, failed)
		d.readers <- c
	}
	return errors.Join(err, d.Write(ctx, func(ctx context.Context, _ *queries.Queries) error {
		c := joined(ctx)
		c.forget()
		_, err := c.raw.ExecContext(ctx, "PRAGMA shrink_memory")
		return err
	}))
}

// takeIdle takes the readers that are free at this moment.
func (d *DB) takeIdle() (idle []*conn) {
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

func (d *DB) freshReader(ctx context.Context) (*conn, error) {
	c, err := newConn(ctx, d.reading)
	if err != nil {
		return nil, err
	}
	if err := c.verify(ctx, readerSettings); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// discard ends the connection itself; close would leave it to its pool.
func (c *conn) discard() {
	c.forget()
	_ = c.raw.Raw(func(any) error { return driver.ErrBadConn }) // which is what it then returns
}

// awaitLatest is how long a worker waits at most before it looks again whether there is work: a lease that
// has run out changes nothing in the file.
const awaitLatest = 10 * time.Second

// Await lets a worker wait whose queue is a table. It returns when wake is sent to, when something was committed after
// version, which [DB.Version] gave before the worker looked, when ten seconds have passed, and when ctx ends. Every
// so often it asks whether something was committed, which costs microseconds and no lock.
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
