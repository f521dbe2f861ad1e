package db

import (
	"context"
	"errors"
	"sync"

	"finsvc/queries"
)

// versions asks which version of the data is the newest, on a connection that does nothing else.
type versions struct {
	mu sync.Mutex
	c  *conn
}

// Version is a number that changes with every commit to the file, of this process or another one, and at no other
// time. What was read after a version was asked is at least as new as that. It means nothing outside this process.
//
// It is asked in some 10 µs, so what was answered is kept until it differs: a key stays what it was, and a GET is
// answered from memory.
func (d *DB) Version(ctx context.Context) (version int64, err error) {
	d.versions.mu.Lock()
	defer d.versions.mu.Unlock()
	if d.versions.c == nil {
		return 0, ErrClosed
	}
	err = d.versions.c.QueryRowContext(ctx, "PRAGMA data_version").Scan(&version)
	return version, translate(err)
}

func (v *versions) close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	c := v.c
	v.c = nil
	return c.close()
}

// secondReaderKey marks the context of a transaction that has a second reader.
type secondReaderKey struct{}

// ReadTxParallel is ReadTx, and where a second reader is free, [SecondReader] gives it: two cores add up large sums in
// half the time. Both see the same data. A heavy read takes a second place for it.
//
// Large sums are read so: each reader adds up half of the days, and what a day comes to is converted when it is over.
// Sums of a category or a merchant are read from its index alone, as their rows lie on as many pages.
func (d *DB) ReadTxParallel(ctx context.Context, work Work) error {
	if joined(ctx) != nil {
		return d.ReadTx(ctx, work)
	}
	owner, heavy := heavyOwner(ctx)
	return withReader(ctx, d, func(ctx context.Context, c *conn) error {
		defer c.run(context.WithoutCancel(ctx), "COMMIT")
		alone := heavy && !d.heavy.try(owner)
		if heavy && !alone {
			defer d.heavy.Leave(owner)
		}
		second, err := pairReaders(ctx, d, c, alone)
		if second != nil {
			defer readPart(ctx, d, second)
			ctx = context.WithValue(ctx, secondReaderKey{}, second.queries)
		}
		if err != nil {
			return err
		}
		return work(ctx, c.queries)
	})
}

// SecondReader is the second reader of a [DB.ReadTxParallel], for one other goroutine that ends before the transaction
// does; nil where there is none.
func SecondReader(ctx context.Context) *queries.Queries {
	q, _ := ctx.Value(secondReaderKey{}).(*queries.Queries)
	return q
}

// pairReaders begins a transaction, and where it may and can another one that sees the same: nothing was committed
// while both began.
func pairReaders(ctx context.Context, d *DB, first *conn, alone bool) (second *conn, err error) {
	before, err := d.Version(ctx)
	if err = errors.Join(err, first.makeRoom(), first.view(ctx)); err != nil || alone {
		return nil, err
	}
	select {
	case second = <-d.readers:
	default:
		return nil, nil
	}
	if err = second.open(ctx, d); err != nil {
		d.readers <- second
		return nil, err
	}
	err = errors.Join(second.makeRoom(), second.view(ctx))
	after, errAfter := d.Version(ctx)
	if err = errors.Join(err, errAfter); err == nil && before == after {
		return second, nil
	}
	readPart(ctx, d, second)
	return nil, err
}

// readPart ends the transaction of a second reader, if it has one, and gives it back.
func readPart(ctx context.Context, d *DB, second *conn) {
	_ = second.run(context.WithoutCancel(ctx), "COMMIT")
	d.readers <- second
}

// view begins a transaction that sees what is there now; BEGIN alone sees what is there at the first query.
func (c *conn) view(ctx context.Context) error {
	if err := c.run(ctx, "BEGIN"); err != nil {
		return err
	}
	var version int64
	return c.QueryRowContext(ctx, "PRAGMA data_version").Scan(&version)
}
