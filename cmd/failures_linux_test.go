package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"finsvc/cmd/cmdtest"

	"finsvc/db/dbtest"
)

// mount makes a disk in memory with a database on it.
func mount(t *testing.T, size string) (folder, file string) {
	t.Helper()
	content, err := os.ReadFile(dbtest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("this user may not mount: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	file = filepath.Join(folder, "finance.db")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return folder, file
}

// TestReadOnlyDisk: whether the file is there or not.
func TestReadOnlyDisk(t *testing.T) {
	t.Parallel()
	folder, file := mount(t, "4m")
	if err := syscall.Mount("", folder, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	s := cmdtest.NewCommandLine(t)
	s.Env = append(s.Env, "FINSVC_LISTEN=127.0.0.1:0")
	s.Fails(4, []string{"serve", "--data", file}, "cannot be written: its disk is mounted read-only", "Mount it for writing")
	s.Fails(4, []string{"serve", "--data", filepath.Join(folder, "new.db")}, "cannot be created: its disk is mounted read-only")
	got := s.Do("doctor", "--data", file)
	if got.Status != 1 || !strings.Contains(got.Stdout, "fail  disk        the file lies on a disk that is mounted read-only") {
		t.Errorf("doctor: status %d, %s", got.Status, got.Stdout)
	}
}

// TestFullDisk: there is no room for the log beside the file.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	folder, file := mount(t, "2m")
	filler, err := os.Create(filepath.Join(folder, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	for page := make([]byte, 4096); err == nil; {
		_, err = filler.Write(page)
	}
	filler.Close()
	s := cmdtest.NewCommandLine(t)
	s.Env = append(s.Env, "FINSVC_LISTEN=127.0.0.1:0")
	s.Fails(1, []string{"serve", "--data", file}, "the disk is full", "Free some space")
	got := s.Do("doctor", "--data", file)
	if !strings.Contains(got.Stdout, "fail  space       0 B free") {
		t.Errorf("doctor: status %d, %s", got.Status, got.Stdout)
	}
	// There is room to open the file, and none for what is to be written.
	if err := os.Truncate(filler.Name(), sizeOfFile(t, filler.Name())-60_000); err != nil {
		t.Fatal(err)
	}
	s.Fails(6, []string{"household", "create", "Home", "--owner", "ana@example.org", "--data", file}, "cannot be written at present, and nothing was", "The disk is full: ", "Free some space")
	if err := os.Remove(filler.Name()); err != nil {
		t.Fatal(err)
	}
	s.OK("household", "create", "Home", "--owner", "ana@example.org", "--data", file)
}

func sizeOfFile(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
