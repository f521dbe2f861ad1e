package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"finsvc/queries"
)

// Work is what a caller does with the database. The context it gets is bound to the transaction: a
// Write or Read made with it joins instead of waiting for itself. Keep network, parsing and waiting out. That context
// ends when the caller's does, and when others have waited too long for the write: all of it is then undone.
type Work func(ctx context.Context, q *queries.Queries) error

// maxGroup is how many waiting writes are committed together at most.
const maxGroup = 64

// job is one write that waits for its turn.
type job struct {
	ctx  context.Context
	on   *conn
	work Work
	done chan error
	// budget is how long others wait for it at most.
	budget time.Duration
	// background is set for a write that may wait for as long as others take, see [Background].
	background bool
}

// joinKey marks a context that belongs to a running write transaction.
type joinKey struct{}

// Write runs work in a transaction that is on disk when Write returns nil; any error of work undoes all
// that it did, and so does the end of ctx. The error is [ErrOverBudget] when others have waited too long for it.
// Writes that wait at the same time go to the disk together.
func (d *DB) Write(ctx context.Context, work Work) error {
	return write(ctx, d, d.writer, d.budget, work)
}

// WriteWhole is [DB.Write] of work in the background that cannot be parted, such as the last step of a long one:
// others wait for it eight times as long, for all that was done before it would be in vain.
func (d *DB) WriteWhole(ctx context.Context, work Work) error {
	return write(ctx, d, d.writer, 8*d.budget, work)
}

func write(ctx context.Context, d *DB, on *conn, budget time.Duration, work Work) error {
	if c := joined(ctx); c != nil {
		return c.savepoint(ctx, work)
	}
	if d.viewed != "" {
		return ErrReadOnly
	}
	d.uses.Add(1)
	j := &job{ctx: ctx, on: on, work: work, done: make(chan error, 1), budget: budget, background: isBackground(ctx)}
	d.closing.RLock()
	if d.closed {
		d.closing.RUnlock()
		return ErrClosed
	}
	if !j.background {
		d.foreground.Add(1)
		defer d.foreground.Add(-1)
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
	return withReader(ctx, d, func(ctx context.Context, c *conn) error { return work(ctx, c.queries) })
}

// ReadTx is Read with one view of the data for all queries of work.
func (d *DB) ReadTx(ctx context.Context, work Work) error {
	if c := joined(ctx); c != nil {
		return work(ctx, c.queries)
	}
	return withReader(ctx, d, func(ctx context.Context, c *conn) error {
		if err := c.run(ctx, "BEGIN"); err != nil {
			return err
		}
		defer c.run(context.WithoutCancel(ctx), "COMMIT")
		return work(ctx, c.queries)
	})
}

// withReader uses a reader, or waits for one; for a heavy read until it has one of the places for these. What such a
// read reads besides, it reads as others do.
func withReader(ctx context.Context, d *DB, use func(context.Context, *conn) error) error {
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
		if err := c.open(ctx, d); err != nil {
			return translate(err)
		}
		return translate(use(ctx, c))
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Awaited reports whether writes wait for the one that runs: for their turn, or for the commit that they share with it.
// Those in the background do not count.
func (d *DB) Awaited() bool {
	waiting := d.foreground.Load()
	if d.foregroundRuns.Load() {
		waiting--
	}
	return waiting > 0
}

// InWrite reports whether ctx belongs to a write that has not ended: what is read with it may yet be undone.
func InWrite(ctx context.Context) bool { return joined(ctx) != nil }

func joined(ctx context.Context) *conn {
	c, _ := ctx.Value(joinKey{}).(*conn)
	return c
}

// writeLoop is the only goroutine that uses writing connections.
func writeLoop(d *DB) {
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
			group = commitGroup(d, group)
		}
	}
}

// commitGroup does the first of some jobs, each in a transaction of its own, sees that all are on the disk and tells
// each what became of it. It gives those that are still to be done: the ones for another connection, and the ones that
// came too late for this group.
//
// To share one transaction would be as quick, but SQLite undoes all of it when a statement is cut short.
func commitGroup(d *DB, group []*job) (rest []*job) {
	on, started, outcomes := group[0].on, time.Now(), make([]error, 0, len(group))
	n := slices.IndexFunc(group, func(j *job) bool { return j.on != on })
	switch {
	case !logIsKnown(d):
		n = 1
	case n < 0:
		n = len(group)
	}
	synced := d.Displaced()
	if synced == nil && on == d.writer {
		synced = on.syncEach(n == 1)
	}
	unsynced := false
	for _, j := range group[:n] {
		if len(outcomes) > 0 && time.Since(started) > groupTime {
			break
		}
		err := synced
		if err == nil {
			err = on.transact(d, j)
		}
		outcomes = append(outcomes, err)
		unsynced = unsynced || err == nil
	}
	if unsynced && on == d.writer && n > 1 {
		synced = syncLog(d)
	}
	d.counts.add(started, errors.Join(outcomes...))
	for i, err := range outcomes {
		if err == nil {
			err = synced
		}
		group[i].done <- err
	}
	return group[len(outcomes):]
}

// transact runs one job in a transaction: until it is done, its caller has gone, or others have waited too long for it.
func (c *conn) transact(d *DB, j *job) error {
	if err := j.ctx.Err(); err != nil {
		return err
	}
	if err := c.run(context.Background(), "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	d.foregroundRuns.Store(!j.background)
	defer d.foregroundRuns.Store(false)
	ctx, stop := watchOver(j.ctx, d, j.budget)
	defer stop()
	err := c.whole(context.WithValue(ctx, joinKey{}, c), j.work)
	if end := c.end(context.Background()); err == nil {
		err = end
	}
	cut := ctx.Err() != nil && (errors.Is(err, errUndone) || errors.Is(err, ctx.Err()))
	switch {
	case cut && errors.Is(context.Cause(ctx), ErrOverBudget):
		return ErrOverBudget
	case cut:
		return ctx.Err()
	}
	return err
}

// whole runs work that is all of a transaction. A savepoint would do, but SQLite keeps a copy of each page that is
// written to within one.
func (c *conn) whole(ctx context.Context, work Work) error {
	err := Recovered("panic in a write", func() error { return work(ctx, c.queries) })
	if c.lost {
		return errors.Join(errUndone, err)
	}
	c.lost = err != nil // then end undoes all of it
	return translate(err)
}

// syncEach has SQLite send each commit to the disk, or leave that to syncLog.
func (c *conn) syncEach(each bool) error {
	if c.leaves == !each {
		return nil
	}
	text := "PRAGMA synchronous = NORMAL"
	if each {
		text = "PRAGMA synchronous = FULL"
	}
	// Not prepared: it takes effect when it is.
	if _, err := c.raw.ExecContext(context.Background(), text); err != nil {
		return translate(err)
	}
	c.leaves = !each
	return nil
}

// syncLog sends to the disk what was committed.
func syncLog(d *DB) error {
	log, err := os.OpenFile(logPath(d), os.O_RDWR, 0)
	if err == nil {
		err = errors.Join(log.Sync(), log.Close())
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}

// logIsKnown reports whether SQLite has sent something of the log to the disk itself, and with it the entry of the log
// in its folder; from then on syncLog is enough.
func logIsKnown(d *DB) bool {
	if !d.logKnown {
		size, err := logSize(d)
		d.logKnown = err == nil && size > 0
	}
	return d.logKnown
}

// savepoint runs work so that its error undoes only what work did.
func (c *conn) savepoint(ctx context.Context, work Work) error {
	if err := c.run(ctx, "SAVEPOINT work"); err != nil {
		return err
	}
	err := Recovered("panic in a write", func() error { return work(ctx, c.queries) })
	if c.lost {
		return errors.Join(errUndone, err)
	}
	ctx = context.WithoutCancel(ctx) // what follows is short, and needed most when the work was cut short
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

// Recovered turns a panic of work into an error, so that one bad piece of work cannot stop all others.
func Recovered(what string, work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: %v\n%s", what, p, debug.Stack())
		}
	}()
	return work()
}
