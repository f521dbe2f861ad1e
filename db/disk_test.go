package db_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"finsvc/db"
	"finsvc/db/dbtest"
)

func TestDiskOf(t *testing.T) {
	t.Parallel()
	disk, err := db.DiskOf(t.TempDir())
	if err != nil || disk.Network || disk.ReadOnly || disk.Total > 0 && (disk.Free <= 0 || disk.Free > disk.Total) {
		t.Errorf("got %+v, %v", disk, err)
	}
	if disk, err := db.DiskOf(filepath.Join(t.TempDir(), "none")); disk.Total != 0 || err == nil && disk.Kind != "" {
		t.Errorf("of a folder that is not there: %+v, %v", disk, err)
	}
}

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
