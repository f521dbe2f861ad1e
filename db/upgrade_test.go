package db_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/db/filelock"
)

// laterTexts are migrations that follow the program's: a table of what is there, a column, a value.
var laterTexts = []string{
	"CREATE TABLE later (household_id INTEGER NOT NULL) STRICT; INSERT INTO later SELECT id FROM households;",
	"ALTER TABLE later ADD COLUMN note TEXT NOT NULL DEFAULT 'new';",
	"UPDATE later SET note = 'seen';",
}

const laterMigrations = 3

// later are the program's migrations and those of laterTexts.
func later() fs.FS { return dbtest.Later(laterTexts...) }

// older makes a file as the program before [later] leaves it, with one household.
func older(t *testing.T) string {
	t.Helper()
	path := dbtest.Path(t)
	dbtest.Exec(t, path, `INSERT INTO households (public_id, name, currency, locale, timezone, created_at, updated_at)
		VALUES (zeroblob(16), 'Home', 'EUR', 'de-DE', 'Europe/Berlin', 0, 0)`)
	return path
}

// openLater opens a file with the program of [later], and checks that it is upgraded as a whole.
func openLater(t *testing.T, path string, options ...db.Option) {
	t.Helper()
	d := dbtest.Open(t, path, append(options, db.WithMigrations(later()))...)
	checkVersion(t, d, newest(t)+laterMigrations)
	checkHouseholds(t, d)
	checkSound(t, d)
	if n := number(t, d, "SELECT count(*) FROM later WHERE household_id = 1 AND note = 'seen'"); n != 1 {
		t.Errorf("the migrations have left %d rows, want 1", n)
	}
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	bytes, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// TestUpgradeThatFails: a migration in the middle of several that does not work leaves none of them, and no copy.
func TestUpgradeThatFails(t *testing.T) {
	t.Parallel()
	path := older(t)
	was := content(t, path)
	files := dbtest.Later("UPDATE households SET name = 'Another';", "INSERT INTO nothing VALUES (1);", "UPDATE households SET currency = 'USD';")
	if _, err := db.Open(t.Context(), path, db.WithMigrations(files)); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("got %v, want an error about the table", err)
	}
	if !bytes.Equal(content(t, path), was) {
		t.Error("the file is not what it was")
	}
	if made := copies(t, path); len(made) > 0 {
		t.Errorf("beside it lie %v", made)
	}
	d := dbtest.Open(t, path)
	checkVersion(t, d, newest(t))
	checkHouseholds(t, d)
}

// TestUpgradeUnderAServer: a file that an older server has keeps its schema.
func TestUpgradeUnderAServer(t *testing.T) {
	t.Parallel()
	path := older(t)
	was := content(t, path)
	had := db.WithServerLock(func() (func() error, string, error) { return nil, "process 4711", nil })
	_, err := db.Open(t.Context(), path, db.WithMigrations(later()), had)
	if want := fmt.Sprintf("was not upgraded from schema %d: an older finsvc serves it (process 4711)", newest(t)); !errors.Is(err, db.ErrLocked) ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	if !bytes.Equal(content(t, path), was) {
		t.Error("the file is not what it was")
	}
	released := false
	openLater(t, path, db.WithServerLock(func() (func() error, string, error) {
		return func() error { released = true; return nil }, "", nil
	}))
	if !released {
		t.Error("the lock of the server was not given back")
	}
}

// TestKilledUpgrade kills the process before, between and after the migrations: the next finds the old file, and upgrades it.
func TestKilledUpgrade(t *testing.T) {
	t.Parallel()
	for moment := range laterMigrations + 1 {
		t.Run(fmt.Sprint(moment), func(t *testing.T) {
			t.Parallel()
			path := older(t)
			child := command(t, jobUpgrade, path, moment)
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			for upgrading := false; !upgrading && t.Context().Err() == nil; time.Sleep(10 * time.Millisecond) {
				var err error
				if upgrading, err = filelock.IsTaken(path + ".migrate-lock"); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(200 * time.Millisecond) // the migrations before the endless one take none of it
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = child.Wait() // it was killed
			seen, err := db.View(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			checkVersion(t, seen, newest(t))
			checkHouseholds(t, seen)
			if err := seen.Close(); err != nil {
				t.Fatal(err)
			}
			openLater(t, path)
		})
	}
}

// TestProcessesUpgradeTogether: one upgrades, the others wait for it.
func TestProcessesUpgradeTogether(t *testing.T) {
	t.Parallel()
	path := older(t)
	results := make(chan string)
	const processes = 4
	for range processes {
		go func() {
			out, err := command(t, jobUpgrade, path, noEndlessMigration).CombinedOutput()
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
	openLater(t, path)
	if made := copies(t, path); len(made) != 1 {
		t.Errorf("beside the file lie %v, want one copy", made)
	}
}

const jobUpgrade = "upgrade" // upgrades, or never comes to the end of an upgrade

// noEndlessMigration has a child upgrade to the end.
const noEndlessMigration = -1

// upgradeIn upgrades a file in a child. After so many of the migrations comes one that does not end.
func upgradeIn(ctx context.Context, path string, before int) error {
	texts := slices.Clone(laterTexts)
	if before != noEndlessMigration {
		texts = slices.Insert(texts, before, "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT count(*) FROM numbers;")
	}
	d, err := db.Open(ctx, path, db.WithMigrations(dbtest.Later(texts...)))
	if err != nil {
		return err
	}
	return d.Close()
}

// TestUpgradeCopiesElsewhere: the copy before a change of the schema goes where it is told to, or nowhere.
func TestUpgradeCopiesElsewhere(t *testing.T) {
	t.Parallel()
	elsewhere, nowhere := older(t), older(t)
	openLater(t, elsewhere, db.WithCopies(filepath.Join(filepath.Dir(elsewhere), "elsewhere")))
	openLater(t, nowhere, db.WithoutCopy())
	for path, want := range map[string]int{elsewhere: 1, nowhere: 0} {
		made, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*", "*"))
		if err != nil || len(made) != want {
			t.Errorf("copies are %v, want %d (%v)", made, want, err)
			continue
		}
		for _, name := range made {
			folder, label := filepath.Base(filepath.Dir(name)), fmt.Sprintf("-before-schema-%d.db", newest(t)+1)
			if folder != "elsewhere" || !strings.HasSuffix(name, label) {
				t.Errorf("the copy is %s", name)
			}
		}
	}
}
