package db

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"finsvc/queries"
)

// Work is what a caller does with the database. The context it gets is bound to the transaction: a
// Write or Read made with it joins instead of waiting for itself. Keep network, parsing and waiting out.
type Work func(ctx context.Context, q *queries.Queries) error

// maxGroup is how many waiting writes are committed together at most.
const maxGroup = 64

// job is one write that waits for its turn.
type job struct {
	ctx  context.Context
	on   *conn
	work Work
	done chan error
}

// joinKey marks a context that belongs to a running write transaction.
type joinKey struct{}

// Write runs work in a transaction that is on disk when Write returns nil; any error of work undoes all
// that it did. Writes that wait at the same time share one commit, each undone on its own.
func (d *DB) Write(ctx context.Context, work Work) error { return d.write(ctx, d.writer, work) }

func (d *DB) write(ctx context.Context, on *conn, work Work) error {
	if c := joined(ctx); c != nil {
		return c.savepoint(ctx, work)
	}
	if d.viewed != "" {
		return ErrReadOnly
	}
	d.uses.Add(1)
	j := &job{ctx: ctx, on: on, work: work, done: make(chan error, 1)}
	d.closing.RLock()
	if d.closed {
		d.closing.RUnlock()
		return ErrClosed
	}
	select {
	case d.jobs <- j:
		d.closing.RUnlock()
	case <-ctx.Done():
		d.closing.RUnlock()
		return ctx.Err()
	}
	// Once queued, only the writer knows the outcome: it skips work whose context has ended.
	return <-j.done
}

// Read runs work on a connection that cannot write. Each query sees what was committed before it.
func (d *DB) Read(ctx context.Context, work Work) error {
	if c := joined(ctx); c != nil {
		return work(ctx, c.queries)
	}
	return d.withReader(ctx, func(ctx context.Context, c *conn) error { return work(ctx, c.queries) })
}

// ReadTx is Read with one view of the data for all queries of work.
func (d *DB) ReadTx(ctx context.Context, work Work) error {
	if c := joined(ctx); c != nil {
		return work(ctx, c.queries)
	}
	return d.withReader(ctx, func(ctx context.Context, c *conn) error {
		if err := c.run(ctx, "BEGIN"); err != nil {
			return err
		}
		defer c.run(context.WithoutCancel(ctx), "COMMIT")
		return work(ctx, c.queries)
	})
}

// withReader uses a reader, or waits for one; for a heavy read until it has one of the places for these. What such a read
// reads besides, it reads as others do.
func (d *DB) withReader(ctx context.Context, use func(context.Context, *conn) error) error {
	if owner, heavy := heavyOwner(ctx); heavy {
		if err := d.heavy.Enter(ctx, owner); err != nil {
			return err
		}
		defer d.heavy.Leave(owner)
		ctx = context.WithValue(ctx, heavyKey{}, nil)
	}
	select {
	case c, open := <-d.readers:
		if !open {
			return ErrClosed
		}
		d.uses.Add(1)
		defer func() { d.readers <- c }()
		return translate(use(ctx, c))
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Awaited says whether writes wait for the one that runs.
func (d *DB) Awaited() bool { return len(d.jobs) > 0 }

// InWrite says whether ctx belongs to a write that has not ended: what is read with it may yet be undone.
func InWrite(ctx context.Context) bool { return joined(ctx) != nil }

func joined(ctx context.Context) *conn {
	c, _ := ctx.Value(joinKey{}).(*conn)
	return c
}

// writeLoop is the only goroutine that uses writing connections.
func (d *DB) writeLoop() {
	defer close(d.written)
	for first := range d.jobs {
		group := append(d.group[:0], first)
		for len(group) < maxGroup {
			select {
			case j, open := <-d.jobs:
				if open {
					group = append(group, j)
					continue
				}
			default:
			}
			break
		}
		for len(group) > 0 {
			group = group[d.commitGroup(group):]
		}
	}
}

// commitGroup runs jobs in one transaction, tells each what became of it and gives their number: all of
// the group, but for those after one for another connection or one that made SQLite undo the transaction.
func (d *DB) commitGroup(group []*job) int {
	ctx, on := context.Background(), group[0].on
	if n := slices.IndexFunc(group, func(j *job) bool { return j.on != on }); n > 0 {
		group = group[:n]
	}
	started, outcomes := time.Now(), make([]error, 0, len(group))
	err := d.Displaced()
	if err == nil {
		err = on.run(ctx, "BEGIN IMMEDIATE")
	}
	if err != nil {
		outcomes = outcomes[:len(group)]
	} else {
		for _, j := range group {
			if outcomes = append(outcomes, on.attempt(j, len(group) == 1)); on.lost {
				break
			}
		}
		err = on.end(ctx)
	}
	d.counts.add(started, err)
	for i, outcome := range outcomes {
		if outcome == nil {
			outcome = err
		}
		group[i].done <- outcome
	}
	return len(outcomes)
}

func (c *conn) attempt(j *job, alone bool) error {
	if err := j.ctx.Err(); err != nil {
		return err
	}
	// A half-done write is never wanted: work that has begun runs to its end.
	ctx := context.WithValue(context.WithoutCancel(j.ctx), joinKey{}, c)
	if alone {
		return c.whole(ctx, j.work)
	}
	return c.savepoint(ctx, j.work)
}

// whole runs work that is all of a transaction. A savepoint would do, but SQLite keeps a copy of each page that is
// written to within one.
func (c *conn) whole(ctx context.Context, work Work) error {
	err := Contained("panic in a write", func() error { return work(ctx, c.queries) })
	if c.lost {
		return errors.Join(errUndone, err)
	}
	c.lost = err != nil // then end undoes all of it
	return translate(err)
}

// savepoint runs work so that its error undoes only what work did.
func (c *conn) savepoint(ctx context.Context, work Work) error {
	if err := c.run(ctx, "SAVEPOINT work"); err != nil {
		return err
	}
	err := Contained("panic in a write", func() error { return work(ctx, c.queries) })
	if c.lost {
		return errors.Join(errUndone, err)
	}
	if err == nil {
		return c.run(ctx, "RELEASE work")
	}
	if undo := c.run(ctx, "ROLLBACK TO work"); undo != nil {
		c.lost = true // half a write must not be committed
		return fmt.Errorf("%w (and undoing it: %w)", translate(err), undo)
	}
	_ = c.run(ctx, "RELEASE work")
	return translate(err)
}

// Contained turns a panic of work into an error, so that one bad piece of work cannot stop all others.
func Contained(what string, work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: %v\n%s", what, p, debug.Stack())
		}
	}()
	return work()
}
