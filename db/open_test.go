package db_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/queries"
)

// TestSettings reads back, through the connections that are used, what every connection must have.
func TestSettings(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	check := func(want map[string]int64) db.Work {
		return func(ctx context.Context, q *queries.Queries) error {
			for name, value := range want {
				if got, err := q.Number(ctx, "PRAGMA "+name); err != nil || got != value {
					t.Errorf("%s is %d, want %d (%v)", name, got, value, err)
				}
			}
			return nil
		}
	}
	writer := map[string]int64{"foreign_keys": 1, "busy_timeout": 5000, "synchronous": 2, "temp_store": 2, "query_only": 0, "application_id": 0x66737663}
	reader := map[string]int64{"foreign_keys": 1, "busy_timeout": 5000, "temp_store": 2, "query_only": 1}
	if err := errors.Join(d.Write(t.Context(), check(writer)), d.Read(t.Context(), check(reader))); err != nil {
		t.Error(err)
	}
	header, err := os.ReadFile(d.Path())
	if err != nil {
		t.Fatal(err)
	}
	// Bytes 18 and 19 are the versions for writing and reading; 2 is the write-ahead log.
	if !bytes.Equal(header[18:20], []byte{2, 2}) {
		t.Errorf("the file's format is %v, want the write-ahead log", header[18:20])
	}
}

// refused opens a file that must not be opened and gives the reason.
func refused(t *testing.T, path string) (*db.OpenError, error) {
	t.Helper()
	d, err := db.Open(t.Context(), path)
	if err == nil {
		d.Close()
		t.Fatalf("%s was opened", path)
	}
	reason, ok := errors.AsType[*db.OpenError](err)
	if !ok {
		t.Fatalf("%v tells nobody what to do", err)
	}
	if reason.Path != path || reason.Problem == "" || !strings.HasSuffix(reason.Hint, ".") {
		t.Errorf("the reason is %+v", reason)
	}
	return reason, err
}

// checkProblem compares the sentence that a person reads.
func checkProblem(t *testing.T, reason *db.OpenError, want string) {
	t.Helper()
	if !strings.Contains(reason.Problem, want) {
		t.Errorf("the problem is %q, want %q", reason.Problem, want)
	}
}

func TestMissingFolder(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "missing")
	reason, err := refused(t, filepath.Join(folder, "finance.db"))
	checkProblem(t, reason, "folder does not exist")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not %v", err, fs.ErrNotExist)
	}
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder was made (%v)", err)
	}
}

func TestFolderInsteadOfFile(t *testing.T) {
	t.Parallel()
	reason, _ := refused(t, t.TempDir())
	checkProblem(t, reason, "is a folder")
}

func TestFileInsteadOfFolder(t *testing.T) {
	t.Parallel()
	reason, _ := refused(t, filepath.Join(dbtest.Path(t), "finance.db"))
	checkProblem(t, reason, "not a folder")
}

// untouched opens a file that belongs to somebody else and checks that it stays as it was.
func untouched(t *testing.T, path string) *db.OpenError {
	t.Helper()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	reason, _ := refused(t, path)
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, after) {
		t.Error("the file was changed")
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Name() != filepath.Base(path) {
			t.Errorf("%s was left behind", entry.Name())
		}
	}
	return reason
}

func TestNoDatabase(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"short text": "date;amount\n",
		"long text":  strings.Repeat("2026-01-01;12.50;bakery\n", 1000),
		"zeros":      strings.Repeat("\x00", 8192),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "finance.db")
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			checkProblem(t, untouched(t, path), "is not a database")
		})
	}
}

func TestForeignDatabase(t *testing.T) {
	t.Parallel()
	for name, statements := range map[string][]string{
		"without id":          {"CREATE TABLE notes (text)", "INSERT INTO notes VALUES ('mine')"},
		"with id":             {"PRAGMA application_id = 252006674", "CREATE TABLE notes (text)"},
		"write-ahead logging": {"PRAGMA journal_mode = wal", "CREATE TABLE notes (text)"},
		"id only":             {"PRAGMA application_id = 252006674"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "notes.db")
			runRaw(t, path, statements...)
			checkProblem(t, untouched(t, path), "is a database of another program")
		})
	}
}

// runRaw executes statements on a file without the room db.
func runRaw(t *testing.T, path string, statements ...string) {
	t.Helper()
	pool, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	for _, statement := range statements {
		if _, err := pool.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDamagedFile(t *testing.T) {
	t.Parallel()
	path := dbtest.Path(t)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 100; i < len(content); i++ { // behind the header
		content[i] = 0xa5
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	reason, _ := refused(t, path)
	checkProblem(t, reason, "is damaged")
}

// TestFileModes: nobody but the owner reads the books, nor what lies beside them.
func TestFileModes(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	path := filepath.Join(t.TempDir(), "finance.db")
	d := dbtest.Open(t, path)
	if err := d.Write(t.Context(), put(1)); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
		checkMode(t, filepath.Join(filepath.Dir(path), entry.Name()))
	}
	if want := []string{"finance.db", "finance.db-shm", "finance.db-wal"}; !slices.Equal(names, want) {
		t.Errorf("the folder holds %v, want %v", names, want)
	}
}

func checkMode(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("%s has mode %v, want 0600", filepath.Base(path), info.Mode().Perm())
	}
}

// TestAwkwardNames: what a path may contain besides letters.
func TestAwkwardNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"my finance.db", "100%.db", "a?b=c.db", "#1.db", "Bücher&co.db", "file:x.db", "%41.db"} {
		path := filepath.Join(t.TempDir(), name)
		d := dbtest.Open(t, path)
		if err := d.Write(t.Context(), put(1)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// asNobody lets the command run as a user without rights, where the test itself has all.
func asNobody(t *testing.T, folder string, c *exec.Cmd) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	// The test binary lies in a folder that only this user may enter.
	program := filepath.Join(folder, "child")
	content, err := os.ReadFile(c.Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, content, 0o755); err != nil {
		t.Fatal(err)
	}
	c.Path, c.Args[0], c.Dir = program, program, folder
	becomeNobody(c)
}

// TestNoRightToWrite: a folder, or a file, that the user may not write.
func TestNoRightToWrite(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	parent, err := os.MkdirTemp("", "noright") // t.TempDir lies in a folder that only this user may enter
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(parent, "books")
	t.Cleanup(func() {
		os.Chmod(folder, 0o700)
		os.RemoveAll(parent)
	})
	if err := errors.Join(os.Mkdir(folder, 0o755), os.Chmod(parent, 0o755)); err != nil {
		t.Fatal(err)
	}
	existing := filepath.Join(folder, "existing.db")
	content, err := os.ReadFile(dbtest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(existing, content, 0o444), os.Chmod(folder, 0o555)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(folder, "new.db"): "cannot be created: " + folder + " is not writable for user",
		existing:                        "cannot be written",
	} {
		c := command(t, jobOpen, path, 0)
		asNobody(t, parent, c)
		out, err := c.CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("opening %s gives %v, %q; want %q", path, err, out, want)
		}
	}
}
