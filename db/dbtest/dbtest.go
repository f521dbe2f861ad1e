// Package dbtest gives each test a database file of its own.
package dbtest

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"finsvc/db"
	"finsvc/embed"
)

// template is a migrated, empty file that is copied: ten times as fast as migrating each time.
var template = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "dbtest")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "template.db")
	d, err := db.Open(context.Background(), file)
	if err != nil {
		return nil, err
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})

// Path is the path of a new, migrated, empty database file that goes when the test ends.
func Path(tb testing.TB) string {
	tb.Helper()
	content, err := template()
	if err != nil {
		tb.Fatal(err)
	}
	path := filepath.Join(tb.TempDir(), "finance.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

// books has the rows of [Books].
//
//go:embed books.sql
var books string

// Books is the path of a database file of which every figure was worked out by hand, see books.sql. It goes when the
// test ends.
func Books(tb testing.TB) string {
	tb.Helper()
	path := Path(tb)
	Exec(tb, path, books)
	return path
}

// Exec runs statements on a file that is not open.
func Exec(tb testing.TB, path, text string) {
	tb.Helper()
	pool, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		tb.Fatal(err)
	}
	_, err = pool.ExecContext(tb.Context(), text)
	if err := errors.Join(err, pool.Close()); err != nil {
		tb.Fatal(err)
	}
}

// Later returns the program's migrations and made-up ones that follow them, for [db.WithMigrations].
func Later(migrations ...string) fs.FS {
	all := fstest.MapFS{}
	names, err := fs.Glob(embed.Schema, "schema/*.sql")
	for _, name := range names {
		var content []byte
		content, err = fs.ReadFile(embed.Schema, name)
		if err != nil {
			break
		}
		all[path.Base(name)] = &fstest.MapFile{Data: content}
	}
	if err != nil {
		panic(err) // of files that are part of the program
	}
	for i, text := range migrations {
		all[fmt.Sprintf("%04d_later.sql", len(names)+i+1)] = &fstest.MapFile{Data: []byte("-- +goose Up\n" + text)}
	}
	return all
}

// New is an open database on a new file; it is closed when the test ends.
func New(tb testing.TB) *db.DB {
	tb.Helper()
	return Open(tb, Path(tb))
}

// Open opens a file and closes it when the test ends. On a machine that does other things as well, writes have more
// time than is usual, unless the options say otherwise.
func Open(tb testing.TB, path string, options ...db.Option) *db.DB {
	tb.Helper()
	d, err := db.Open(tb.Context(), path, append([]db.Option{db.WithWriteBudget(time.Minute)}, options...)...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := d.Close(); err != nil {
			tb.Error(err)
		}
	})
	return d
}
