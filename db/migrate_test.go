package db_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/embed"
	"finsvc/queries"
)

// newest is the number of the newest migration, by the files' names.
func newest(t *testing.T) int64 {
	t.Helper()
	files, err := fs.Glob(embed.Schema, "schema/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no migrations (%v)", err)
	}
	version, err := goose.NumericComponent(filepath.Base(slices.Max(files)))
	if err != nil {
		t.Fatal(err)
	}
	return version
}

func checkVersion(t *testing.T, d *db.DB, want int64) {
	t.Helper()
	if got, err := d.SchemaVersion(t.Context()); err != nil || got != want {
		t.Errorf("the schema is %d, want %d (%v)", got, want, err)
	}
}

// copies lists what lies beside the database file, and in the folder for copies.
func copies(t *testing.T, path string) []string {
	t.Helper()
	beside, err := filepath.Glob(path + ".*")
	inside, errInside := filepath.Glob(filepath.Join(db.CopiesBeside(path), "*"))
	if err := errors.Join(err, errInside); err != nil {
		t.Fatal(err)
	}
	return append(beside, inside...)
}

func TestNewFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "finance.db")
	d := dbtest.Open(t, path)
	checkVersion(t, d, newest(t))
	if known, err := d.NewestSchema(); err != nil || known != newest(t) {
		t.Errorf("the newest schema is said to be %d (%v)", known, err)
	}
	checkSound(t, d)
	if extra := copies(t, path); len(extra) > 0 {
		t.Errorf("an empty file was copied to %v", extra)
	}
}

func TestReopenedFile(t *testing.T) {
	t.Parallel()
	path := dbtest.Path(t)
	for n := range 3 {
		d := dbtest.Open(t, path)
		if err := d.Write(t.Context(), put(n)); err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	d := dbtest.Open(t, path)
	checkVersion(t, d, newest(t))
	checkMarks(t, d, map[int]bool{0: true, 1: true, 2: true})
	if extra := copies(t, path); len(extra) > 0 {
		t.Errorf("a file that is up to date was copied to %v", extra)
	}
}

// TestEmptyFile: a file of no bytes, as touch makes it, is a new one.
func TestEmptyFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "finance.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	checkVersion(t, dbtest.Open(t, path), newest(t))
}

func TestNewerSchema(t *testing.T) {
	t.Parallel()
	path := dbtest.Path(t)
	runRaw(t, path, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)")
	checkProblem(t, untouched(t, path), "newer finsvc (schema 999,")
}

// TestUpgradeCopiesFirst: the file is copied before it is changed, and the copy is a file that the program before can go on
// with.
func TestUpgradeCopiesFirst(t *testing.T) {
	t.Parallel()
	path := older(t)
	openLater(t, path)
	made := copies(t, path)
	if len(made) != 1 {
		t.Fatalf("beside the file lie %v, want the copy alone", made)
	}
	want := fmt.Sprintf("before-schema-%d", newest(t)+1)
	if _, label, rest, ours := db.CopyNamed(path, filepath.Base(made[0])); !ours || label != want || rest != "" {
		t.Errorf("the copy is called %s", made[0])
	}
	checkMode(t, made[0])
	before := dbtest.Open(t, made[0])
	checkVersion(t, before, newest(t))
	checkHouseholds(t, before)
}

func checkHouseholds(t *testing.T, d *db.DB) {
	t.Helper()
	if err := d.Read(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		all, err := q.ListHouseholds(ctx)
		if len(all) != 1 || all[0].Name != "Home" {
			t.Errorf("the households are %v, want Home", all)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
}

// TestCopyIsUpgradedToo: going back is opening the copy.
func TestCopyIsUpgradedToo(t *testing.T) {
	t.Parallel()
	path := older(t)
	openLater(t, path)
	openLater(t, copies(t, path)[0])
}

// TestMigrationsGoForwardOnly: a copy of the file is the way back.
func TestMigrationsGoForwardOnly(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(embed.Schema, "schema/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := fs.ReadFile(embed.Schema, file)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(content); strings.Contains(text, "+goose Down") || strings.Contains(text, "+goose NO TRANSACTION") {
			t.Errorf("%s goes backward, or outside a transaction", file)
		}
	}
}
