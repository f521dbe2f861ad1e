package db

import (
	"context"
	"database/sql/driver"

	"finsvc/queries"

	"modernc.org/sqlite"
)

// newDriver is a driver whose connections know the functions that queries call.
func newDriver() (*sqlite.Driver, error) {
	finder := new(queries.TextFinder)
	d := new(sqlite.Driver)
	return d, d.RegisterFunction(queries.TextFunction, &sqlite.FunctionImpl{
		NArgs: -1, Deterministic: true, VolatileArgs: true, // it keeps none of them
		Scalar: func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) { return finder.Find(args) },
	})
}

// connector opens connections to one file by a driver of its own; none is registered for the process.
type connector struct {
	driver *sqlite.Driver
	dsn    string
}

// Connect makes a connector a [driver.Connector].
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return c.driver.Open(c.dsn)
}

// Driver makes a connector a [driver.Connector].
func (c connector) Driver() driver.Driver { return c.driver }
