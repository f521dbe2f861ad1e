package db_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"finsvc/db"
	"finsvc/db/dbtest"
)

// TestNotWritable says what is wrong as far as anything is, and is always about rights.
func TestNotWritable(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "finance.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := db.NotWritable(path)
	reason, ok := errors.AsType[*db.OpenError](err)
	if !ok || !errors.Is(err, fs.ErrPermission) || reason.Path != path || reason.Problem != "cannot be written" || reason.Hint == "" {
		t.Errorf("got %v", err)
	}
}

// TestReasons: a program can tell a damaged file, and one of a newer program, from others.
func TestReasons(t *testing.T) {
	t.Parallel()
	newer := dbtest.Path(t)
	runRaw(t, newer, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)")
	damaged := dbtest.Path(t)
	content, err := os.ReadFile(damaged)
	if err != nil {
		t.Fatal(err)
	}
	for i := 100; i < len(content); i++ {
		content[i] = 0xa5
	}
	if err := os.WriteFile(damaged, content, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{newer: db.ErrNewer, damaged: db.ErrDamaged} {
		if _, err := refused(t, path); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
		if _, err := db.View(t.Context(), path); !errors.Is(err, want) {
			t.Errorf("a view gives %v, want %v", err, want)
		}
	}
}

// TestOpenThatFails leaves no file where it has made one, and every file that was there.
func TestOpenThatFails(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{"a new file": "", "an empty file": "empty.db"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			path := filepath.Join(folder, "finance.db")
			if file != "" {
				if err := os.WriteFile(path, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			ended, end := context.WithCancel(t.Context())
			end()
			if _, err := db.Open(ended, path); err == nil {
				t.Fatal("it was opened")
			}
			left, err := os.ReadDir(folder)
			if err != nil || len(left) != len(file)/len("empty.db") {
				t.Errorf("there are %v (%v)", left, err)
			}
		})
	}
}
