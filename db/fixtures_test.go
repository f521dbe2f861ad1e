package db_test

import (
	"bytes"
	"compress/gzip"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"finsvc/db/dbtest"
	"finsvc/embed"

	"github.com/pressly/goose/v3"
)

var update = flag.Bool("update", false, "make the files of schemas that are missing in testdata/schemas")

const fixtures = "testdata/schemas"

func fixtureName(schema int64) string {
	return filepath.Join(fixtures, fmt.Sprintf("%04d.db.gz", schema))
}

// fixture is the path of a file as the last program with a schema may have left it.
func fixture(t *testing.T, schema int64) string {
	t.Helper()
	return dbtest.Unpacked(t, fixtureName(schema))
}

// TestEverySchemaHasAFile: a file of each schema is kept, so that the upgrade from it stays tested. Those that are
// missing are made by: go test ./db -run EverySchema -update. A new schema first gets testdata/schemas/fill/NNNN.sql,
// which enters what could not be entered before.
func TestEverySchemaHasAFile(t *testing.T) {
	t.Parallel()
	for schema := int64(1); schema <= newest(t); schema++ {
		_, err := os.Stat(fixtureName(schema))
		switch {
		case errors.Is(err, fs.ErrNotExist) && *update:
			makeFixture(t, schema)
		case errors.Is(err, fs.ErrNotExist) && schema == newest(t):
			t.Logf("schema %d has no file yet; it needs one when the next is added", schema)
		case err != nil:
			t.Errorf("%v; see the comment of this test", err)
		}
	}
}

// makeFixture makes the file of a schema and enters all that one could have until then.
func makeFixture(t *testing.T, schema int64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "finance.db")
	runRaw(t, path, "PRAGMA page_size = 1024", "PRAGMA journal_mode = wal", "PRAGMA application_id = 1718842979") // "fsvc"
	// References are not checked: in schemas 2 and 3 transactions refer to a table that came later.
	pool, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	files, err := fs.Sub(embed.Schema, "schema")
	if err != nil {
		t.Fatal(err)
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, pool, files)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), schema); err != nil {
		t.Fatal(err)
	}
	for _, name := range fillings(schema) {
		text, err := os.ReadFile(filepath.Join(fixtures, "fill", name+".sql"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := pool.ExecContext(t.Context(), string(text)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if _, err := pool.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	pack(t, path, fixtureName(schema))
}

func fillings(schema int64) (names []string) {
	for n := int64(1); n <= schema; n++ {
		name := fmt.Sprintf("%04d", n)
		if n == 8 && schema >= 20 {
			name += "_with_ids" // which lines had not before
		}
		names = append(names, name)
	}
	switch {
	case schema >= 6:
		names = append(names, "rollups", "counts")
	case schema >= 2:
		names = append(names, "rollups_before_trades", "counts")
	}
	if schema >= 20 {
		names = append(names, "parts")
	}
	if schema >= 16 {
		names = append(names, "sums") // days that are entered remove them
	}
	return names
}

func pack(t *testing.T, path, target string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(target, packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
