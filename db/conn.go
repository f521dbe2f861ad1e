package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"

	"finsvc/queries"

	"modernc.org/sqlite"
)

// maxStatements bounds the prepared statements a connection keeps; the generated queries are fewer.
const maxStatements = 400

// conn is one connection that prepares every statement once: twice the throughput of sending the text
// each time. It is used by one goroutine at a time.
type conn struct {
	raw        *sql.Conn
	statements map[string]*sql.Stmt
	queries    *queries.Queries
	ran        *atomic.Int64 // how many statements all connections ran
	// lost is set when SQLite has rolled the transaction back by itself, as it does for some errors such
	// as a full disk, and when it is to be. Until end, every statement is refused: it would commit on its own.
	lost bool
	// leaves is set when the commits are sent to the disk by syncLog, see syncEach.
	leaves bool
	// connect is of a reader, which may be opened only when it is first needed; raw is nil until then.
	connect func(context.Context) (*conn, error)
}

// errUndone is what becomes of all that was done in a lost transaction.
var errUndone = fmt.Errorf("%w: SQLite undid the transaction", ErrUnavailable)

func newConn(ctx context.Context, pool *sql.DB, ran *atomic.Int64) (*conn, error) {
	raw, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	c := &conn{raw: raw, statements: map[string]*sql.Stmt{}, ran: ran}
	c.queries = queries.New(c)
	return c, nil
}

// open opens a reader that is not open yet. Once the others are open that must lead to the same file.
func (c *conn) open(ctx context.Context, d *DB) error {
	if c.raw != nil {
		return nil
	}
	if len(d.places) > 0 {
		if err := d.Displaced(); err != nil {
			return err
		}
	}
	opened, err := c.connect(ctx)
	if err != nil {
		return err
	}
	c.raw, c.statements, c.queries = opened.raw, opened.statements, queries.New(c)
	return nil
}

// watch notes when SQLite rolls back.
func (c *conn) watch() error {
	return c.raw.Raw(func(driver any) error {
		hooks, ok := driver.(sqlite.HookRegisterer)
		if !ok {
			return errors.New("the database driver does not tell when it rolls back")
		}
		hooks.RegisterRollbackHook(func() { c.lost = true })
		return nil
	})
}

// ExecContext, PrepareContext, QueryContext and QueryRowContext make a conn a [queries.DBTX].

func (c *conn) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	stmt, err := c.prepared(ctx, text)
	if err != nil {
		return nil, translate(err)
	}
	result, err := stmt.ExecContext(ctx, args...)
	return result, translate(err)
}

func (c *conn) PrepareContext(ctx context.Context, text string) (*sql.Stmt, error) {
	return c.raw.PrepareContext(ctx, text)
}

func (c *conn) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	stmt, err := c.prepared(ctx, text)
	if err != nil {
		return nil, translate(err)
	}
	rows, err := stmt.QueryContext(ctx, args...)
	return rows, translate(err)
}

func (c *conn) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	stmt, err := c.prepared(ctx, text)
	if err != nil {
		// A Row can only carry an error that its own query made.
		if c.lost {
			ended, cancel := context.WithCancel(ctx)
			cancel() // then it is not run
			ctx = ended
		}
		return c.raw.QueryRowContext(ctx, text, args...)
	}
	return stmt.QueryRowContext(ctx, args...)
}

func (c *conn) prepared(ctx context.Context, text string) (*sql.Stmt, error) {
	if c.lost {
		return nil, errUndone
	}
	c.ran.Add(1)
	if stmt := c.statements[text]; stmt != nil {
		return stmt, nil
	}
	if len(c.statements) >= maxStatements {
		c.forget()
	}
	stmt, err := c.raw.PrepareContext(ctx, text)
	if err == nil {
		c.statements[text] = stmt
	}
	return stmt, err
}

func (c *conn) forget() {
	for text, stmt := range c.statements {
		stmt.Close()
		delete(c.statements, text)
	}
}

func (c *conn) close() error {
	if c.raw == nil {
		return nil
	}
	c.forget()
	return c.raw.Close()
}

// run executes a statement that takes no arguments and gives no rows: BEGIN, COMMIT and the like.
func (c *conn) run(ctx context.Context, text string) error {
	_, err := c.ExecContext(ctx, text)
	return err
}

// end commits the transaction, or undoes what is left of it.
func (c *conn) end(ctx context.Context) error {
	err := c.run(ctx, "COMMIT")
	if err != nil {
		// When SQLite has rolled back by itself there is nothing to undo, and that is fine.
		_, _ = c.raw.ExecContext(ctx, "ROLLBACK")
	}
	c.lost = false
	return err
}
