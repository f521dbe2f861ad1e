package db_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/queries"
)

// What a child is told by its environment: its job, the file and the first mark to write.
const (
	childJob   = "DB_TEST_JOB"
	childPath  = "DB_TEST_PATH"
	childFirst = "DB_TEST_FIRST"
)

const (
	jobOpen  = "open"    // opens the file and says what comes of it
	jobWrite = "write"   // writes marksOfChild marks
	jobLoop  = "forever" // writes pairs of marks until it is killed
	jobFull  = "full"    // writes pairs of marks until the disk is full, and again when it is not
)

const marksOfChild = 200

// child does a job of its own in another process. It prints a line for each write that was acknowledged.
func child(job string) int {
	ctx := context.Background()
	if job == jobUpgrade {
		before, _ := strconv.Atoi(os.Getenv(childFirst))
		if err := upgradeIn(ctx, os.Getenv(childPath), before); err != nil {
			fmt.Println(err)
			return 1
		}
		return 0
	}
	d, err := db.Open(ctx, os.Getenv(childPath))
	if err != nil {
		fmt.Println(err)
		return 3
	}
	first, _ := strconv.Atoi(os.Getenv(childFirst))
	switch job {
	case jobWrite:
		err = writeMarks(ctx, d, first, first+marksOfChild, put)
	case jobLoop:
		err = writeMarks(ctx, d, 1, 1_000_000, pair)
	case jobFull:
		err = fillDisk(ctx, d)
	}
	if err == nil {
		err = d.Close()
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

func writeMarks(ctx context.Context, d *db.DB, first, end int, work func(int) db.Work) error {
	for n := first; n < end; n++ {
		if err := d.Write(ctx, work(n)); err != nil {
			return err
		}
		fmt.Println(n)
	}
	return nil
}

// pair writes a mark and its negative: one without the other is half a write.
func pair(n int) db.Work {
	return func(ctx context.Context, q *queries.Queries) error {
		if err := mark(ctx, q, n); err != nil {
			return err
		}
		return mark(ctx, q, -n)
	}
}

// fillDisk writes until the files may not grow, and goes on when they may again.
func fillDisk(ctx context.Context, d *db.DB) error {
	if err := limitFiles(1 << 20); err != nil {
		return err
	}
	if err := writeMarks(ctx, d, 1, 1_000_000, pair); !errors.Is(err, db.ErrUnavailable) {
		return fmt.Errorf("on a full disk: %w", err)
	}
	if err := limitFiles(1 << 30); err != nil {
		return err
	}
	return writeMarks(ctx, d, 1_000_000, 1_000_010, pair)
}

// command is the test binary as a child.
func command(t *testing.T, job, path string, first int) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), program)
	c.Env = append(os.Environ(), childJob+"="+job, childPath+"="+path, childFirst+"="+strconv.Itoa(first))
	return c
}

// TestTwoProcessesWrite: the command line writes while the server does.
func TestTwoProcessesWrite(t *testing.T) {
	t.Parallel()
	path := dbtest.Path(t)
	d := dbtest.Open(t, path)
	const processes = 3
	var all sync.WaitGroup
	for p := 1; p < processes; p++ {
		all.Go(func() {
			if out, err := command(t, jobWrite, path, p*marksOfChild).CombinedOutput(); err != nil {
				t.Errorf("process %d: %v\n%s", p, err, out)
			}
		})
	}
	for n := range marksOfChild {
		if err := d.Write(t.Context(), put(n)); err != nil {
			t.Errorf("mark %d: %v", n, err)
		}
	}
	all.Wait()
	if got := number(t, d, "SELECT count(*) FROM exchange_rates"); got != processes*marksOfChild {
		t.Errorf("%d marks are there, want %d", got, processes*marksOfChild)
	}
}

// TestProcessesCreateTheFileTogether: who starts the server and makes a key at the same time gets both.
func TestProcessesCreateTheFileTogether(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "finance.db")
	var all sync.WaitGroup
	for p := range 6 {
		all.Go(func() {
			if out, err := command(t, jobOpen, path, 0).CombinedOutput(); err != nil {
				t.Errorf("process %d: %v\n%s", p, err, out)
			}
		})
	}
	all.Wait()
	checkSound(t, dbtest.Open(t, path))
}

// TestKilledProcessLosesNothing kills a process in the middle of its writes: every write that it was
// told of is there, and none is there by half.
func TestKilledProcessLosesNothing(t *testing.T) {
	t.Parallel()
	path := dbtest.Path(t)
	acknowledged := killAfter(t, path, 100)
	d := dbtest.Open(t, path)
	checkSound(t, d)
	whole := number(t, d, "SELECT count(*) FROM exchange_rates WHERE date > 0")
	if halves := number(t, d, "SELECT count(*) FROM exchange_rates WHERE date < 0"); halves != whole {
		t.Errorf("%d marks are there and %d of their other halves", whole, halves)
	}
	if got := number(t, d, "SELECT count(*) FROM exchange_rates WHERE date > 0 AND date <= ?", acknowledged); got != int64(acknowledged) {
		t.Errorf("%d writes were acknowledged, %d of them are there", acknowledged, got)
	}
}

// TestRealFullDisk: writes that the system refuses leave nothing, and those before and after are there.
func TestRealFullDisk(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such limit")
	}
	path := dbtest.Path(t)
	out, err := command(t, jobFull, path, 0).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	d := dbtest.Open(t, path)
	checkSound(t, d)
	acknowledged := int64(strings.Count(string(out), "\n"))
	if acknowledged <= 10 {
		t.Error("the disk was full from the beginning")
	}
	for _, half := range []string{"date > 0", "date < 0"} {
		if got := number(t, d, "SELECT count(*) FROM exchange_rates WHERE "+half); got != acknowledged {
			t.Errorf("%d writes were acknowledged, with %s there are %d", acknowledged, half, got)
		}
	}
}

// killAfter kills a writing process once it has printed some lines, and gives the last mark it printed.
func killAfter(t *testing.T, path string, lines int) (last int) {
	t.Helper()
	c := command(t, jobLoop, path, 0)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(out)
	for n := 1; ; n++ {
		line, err := reader.ReadString('\n')
		if err == io.EOF {
			break // a line that the kill cut off does not count
		}
		if err != nil {
			t.Fatal(err)
		}
		if last, err = strconv.Atoi(strings.TrimSpace(line)); err != nil {
			t.Fatal(err)
		}
		if n == lines {
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = c.Wait() // killed
	if last < lines {
		t.Fatalf("the process ended by itself after %d writes", last)
	}
	return last
}

// checkSound lets SQLite check the whole file.
func checkSound(t *testing.T, d *db.DB) {
	t.Helper()
	if n := number(t, d, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"); n != 0 {
		t.Errorf("the file has %d defects", n)
	}
	if n := number(t, d, "SELECT count(*) FROM pragma_foreign_key_check"); n != 0 {
		t.Errorf("%d references are broken", n)
	}
}
