package db

import (
	"context"
	"database/sql"

	"finsvc/queries"
)

// maxStatements bounds the prepared statements a connection keeps; the generated queries are fewer.
const maxStatements = 400

// conn is one connection that prepares every statement once: twice the throughput of sending the text
// each time. It is used by one goroutine at a time.
type conn struct {
	raw        *sql.Conn
	statements map[string]*sql.Stmt
	queries    *queries.Queries
}

func newConn(ctx context.Context, pool *sql.DB) (*conn, error) {
	raw, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	c := &conn{raw: raw, statements: map[string]*sql.Stmt{}}
	c.queries = queries.New(c)
	return c, nil
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
		return c.raw.QueryRowContext(ctx, text, args...)
	}
	return stmt.QueryRowContext(ctx, args...)
}

func (c *conn) prepared(ctx context.Context, text string) (*sql.Stmt, error) {
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
	c.forget()
	return c.raw.Close()
}

// run executes a statement that takes no arguments and gives no rows: BEGIN, COMMIT and the like.
func (c *conn) run(ctx context.Context, text string) error {
	_, err := c.ExecContext(ctx, text)
	return err
}
