package db_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/embed"
	"finsvc/queries"

	"github.com/pressly/goose/v3"
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

// older makes a file as an earlier program left it: the first migration only, and one household.
func older(t *testing.T, path string) {
	t.Helper()
	runRaw(t, path, "PRAGMA journal_mode = wal", "PRAGMA application_id = 1718842979") // "fsvc"
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
	if _, err := provider.UpTo(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	runRaw(t, path, `INSERT INTO households (public_id, name, currency, locale, timezone, created_at, updated_at)
		VALUES (zeroblob(16), 'Home', 'EUR', 'de-DE', 'Europe/Berlin', 0, 0)`)
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestUpgradeCopiesFirst: the file is copied before it is changed, and the copy is a file that the
// program can be started with.
func TestUpgradeCopiesFirst(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "finance.db")
	older(t, path)
	upgraded := dbtest.Open(t, path)
	checkVersion(t, upgraded, newest(t))
	checkHouseholds(t, upgraded)
	checkSound(t, upgraded)
	made := copies(t, path)
	if len(made) != 1 {
		t.Fatalf("beside the file lie %v, want the copy alone", made)
	}
	if _, label, rest, ours := db.CopyNamed(path, filepath.Base(made[0])); !ours || label != "before-schema-2" || rest != "" {
		t.Errorf("the copy is called %s", made[0])
	}
	checkMode(t, made[0])
	pool, err := sql.Open("sqlite", "file:"+made[0]+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var version, households int
	if err := pool.QueryRowContext(t.Context(), "SELECT (SELECT max(version_id) FROM goose_db_version), (SELECT count(*) FROM households)").
		Scan(&version, &households); err != nil || version != 1 || households != 1 {
		t.Errorf("the copy has schema %d and %d households, want 1 and 1 (%v)", version, households, err)
	}
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
	path := filepath.Join(t.TempDir(), "finance.db")
	older(t, path)
	if err := dbtest.Open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	again := dbtest.Open(t, copies(t, path)[0])
	checkVersion(t, again, newest(t))
	checkHouseholds(t, again)
}

// TestProcessesUpgradeTogether: one upgrades, the others wait for it.
func TestProcessesUpgradeTogether(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "finance.db")
	older(t, path)
	results := make(chan string)
	const processes = 4
	for range processes {
		go func() {
			out, err := command(t, jobOpen, path, 0).CombinedOutput()
			if err != nil {
				out = append(out, err.Error()...)
			}
			results <- string(out)
		}()
	}
	for range processes {
		if out := <-results; out != "" {
			t.Errorf("a process says %s", out)
		}
	}
	d := dbtest.Open(t, path)
	checkVersion(t, d, newest(t))
	checkHouseholds(t, d)
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
