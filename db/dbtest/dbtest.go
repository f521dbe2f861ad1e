// Package dbtest gives each test a database file of its own.
package dbtest

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"finsvc/db"
)

// template is a migrated, empty file that is copied: ten times as fast as migrating each time.
var template = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "dbtest")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "template.db")
	d, err := db.Open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
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

// Unpacked is the path of a copy of a packed file, such as one of db/testdata/schemas, that goes when the test ends.
func Unpacked(tb testing.TB, packed string) string {
	tb.Helper()
	content, err := unpack(packed)
	path := filepath.Join(tb.TempDir(), "finance.db")
	if err == nil {
		err = os.WriteFile(path, content, 0o600)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

func unpack(packed string) ([]byte, error) {
	f, err := os.Open(packed)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	reader, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}

// New is an open database on a new file; it is closed when the test ends.
func New(tb testing.TB) *db.DB {
	tb.Helper()
	return Open(tb, Path(tb))
}

// Open opens a file and closes it when the test ends. On a machine that does other things as well, writes have more time
// than is usual, unless the options say otherwise.
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
