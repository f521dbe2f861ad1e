package queries_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"finsvc/db/dbtest"
	"finsvc/queries"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// recorder is a database that remembers the last statement it was given.
type recorder struct {
	*sql.Tx
	text string
	args []any
}

func (r *recorder) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	r.text, r.args = text, args
	return r.Tx.ExecContext(ctx, text, args...)
}

func (r *recorder) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	r.text, r.args = text, args
	return r.Tx.QueryContext(ctx, text, args...)
}

func (r *recorder) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	r.text, r.args = text, args
	return r.Tx.QueryRowContext(ctx, text, args...)
}

// plan is what SQLite would do for the last statement, indented by depth.
func (r *recorder) plan(t *testing.T) []string {
	t.Helper()
	rows, err := r.Tx.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+r.text, r.args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var lines []string
	depth := map[int]int{0: 0}
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		depth[id] = depth[parent] + 1
		lines = append(lines, strings.Repeat("  ", depth[parent])+detail)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// openRaw opens a migrated file without the room db, to see what the driver itself is asked and says.
func openRaw(t *testing.T, path string) *sql.DB {
	t.Helper()
	plain := &rawConnector{dsn: "file:" + path + "?_dqs=0&_pragma=foreign_keys(1)"}
	if err := plain.driver.RegisterFunction(queries.TextFunction, &sqlite.FunctionImpl{NArgs: -1, Deterministic: true,
		Scalar: func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			return new(queries.TextFinder).Find(args)
		}}); err != nil {
		t.Fatal(err)
	}
	pool := sql.OpenDB(plain)
	t.Cleanup(func() { pool.Close() })
	return pool
}

// rawConnector opens a file by the driver itself, which knows the function that searches call.
type rawConnector struct {
	driver sqlite.Driver
	dsn    string
}

func (c *rawConnector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.dsn) }
func (c *rawConnector) Driver() driver.Driver                        { return &c.driver }

// inRolledBack runs use in a transaction that is undone.
func inRolledBack(t *testing.T, pool *sql.DB, use func(*recorder)) {
	t.Helper()
	tx, err := pool.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	use(&recorder{Tx: tx})
}

// otherShapes are the methods that are no query, and why.
func otherShapes() map[string]string {
	return map[string]string{
		"Exec":    "takes the text of the statement",
		"Number":  "takes the text of the query",
		"EachRow": "takes the text of the query",
		"WithTx":  "made by sqlc, gives no error",
	}
}

// methods are the queries by name, in order. An exception that is no method any more is an error.
func methods(t *testing.T) []string {
	t.Helper()
	exceptions := otherShapes()
	var names []string
	for m := range reflect.TypeFor[*queries.Queries]().Methods() {
		if _, other := exceptions[m.Name]; !other {
			names = append(names, m.Name)
		}
		delete(exceptions, m.Name)
	}
	for name := range exceptions {
		t.Errorf("the exception %s is no method", name)
	}
	return names
}

// call calls a query with arguments of its types that mean nothing, and gives its error. Numbers are
// all the same: 0 finds no row, 1 the first household and its rows.
func call(ctx context.Context, db queries.DBTX, name string, number int64) error {
	method := reflect.ValueOf(queries.New(db)).MethodByName(name)
	args := []reflect.Value{reflect.ValueOf(ctx)}
	for i := 1; i < method.Type().NumIn(); i++ {
		args = append(args, blank(method.Type().In(i), number))
	}
	results := method.Call(args)
	err, _ := results[len(results)-1].Interface().(error)
	return err
}

// blank is the zero value of a type, but for numbers, for slices, which have three members, and for
// texts, which are an empty JSON array, because some parameters are lists in JSON.
func blank(t reflect.Type, number int64) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Int64:
		v.SetInt(number)
	case reflect.String:
		v.SetString("[]")
	case reflect.Struct:
		for i := range t.NumField() {
			v.Field(i).Set(blank(t.Field(i).Type, number))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(t, 3, 3))
		for i := range 3 {
			v.Index(i).Set(blank(t.Elem(), number))
		}
	}
	return v
}

// TestEveryQueryRuns calls every query once: sqlc generates some shapes for SQLite wrongly without a
// word, with parameters that are missing or keep their raw names. That shows only when they run.
func TestEveryQueryRuns(t *testing.T) {
	t.Parallel()
	for number, path := range []string{dbtest.Path(t), filledPath(t)} {
		runEvery(t, openRaw(t, path), int64(number))
	}
}

func runEvery(t *testing.T, pool *sql.DB, number int64) {
	t.Helper()
	for _, name := range methods(t) {
		inRolledBack(t, pool, func(r *recorder) {
			if err := call(t.Context(), r, name, number); !expected(err) {
				t.Errorf("%s: %v", name, err)
			}
			// Clauses that sqlc did not understand keep its own notation.
			if text := withoutComments(r.text); strings.Contains(text, "@") || strings.Contains(text, "sqlc.") {
				t.Errorf("%s: sqlc left its parameters in: %s", name, text)
			}
		})
	}
}

// expected reports whether a query with meaningless arguments may answer this.
func expected(err error) bool {
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		return true
	}
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xff == sqlite3.SQLITE_CONSTRAINT
}

// methodSet is the names of all queries.
func methodSet(t *testing.T) map[string]bool {
	t.Helper()
	return maps.Collect(func(yield func(string, bool) bool) {
		for _, name := range methods(t) {
			if !yield(name, true) {
				return
			}
		}
	})
}

// sortedKeys gives the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
