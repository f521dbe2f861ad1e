package db

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"finsvc/queries"
)

// named makes a database whose only household has the name, and closes it. With a log it is left as a killed process
// leaves it, with the household in the log alone.
func named(t *testing.T, path, name string, withLog bool) {
	t.Helper()
	d, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		_, err := q.Exec(ctx, "INSERT INTO households (public_id, name, currency, locale, timezone, created_at, updated_at) VALUES (zeroblob(16), ?, 'EUR', 'de', 'UTC', 0, 0)", name)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	saved := map[string][]byte{}
	for _, ending := range []string{"", "-wal"} {
		if saved[ending], err = os.ReadFile(path + ending); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	for ending, content := range saved {
		if withLog {
			if err := os.WriteFile(path+ending, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// whose is the name of the household in a database, which is opened to be used.
func marked(t *testing.T, path string) (name string) {
	t.Helper()
	d, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Read(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		all, err := q.ListHouseholds(ctx)
		if len(all) == 1 {
			name = all[0].Name
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if found, err := d.CheckIntegrity(t.Context()); err != nil || len(found) > 0 {
		t.Errorf("%s: %v, %v", path, found, err)
	}
	return name
}

// freshCopy makes the file that is to be put in the place.
func freshCopy(t *testing.T, fresh, name string) {
	t.Helper()
	source := filepath.Join(t.TempDir(), "source.db")
	named(t, source, name, false)
	content, err := os.ReadFile(source)
	if err == nil {
		err = os.WriteFile(fresh, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestReplacementKilled: whatever step a replacement is killed before, the place has the old books or the new ones,
// with what was in the log; and the next replacement ends well, with the old books kept.
func TestReplacementKilled(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 2, 0, 0, 0, time.UTC)
	for steps := range 5 {
		path := filepath.Join(t.TempDir(), "finance.db")
		fresh := path + ".restoring"
		named(t, path, "old", true)
		freshCopy(t, fresh, "new")
		r, err := NewReplacement(path, fresh, now)
		if err == nil {
			err = r.seize(t.Context())
		}
		for _, step := range r.steps()[:steps] {
			err = errors.Join(err, step())
		}
		r.release() // as the end of the process does
		if err != nil {
			t.Fatal(err)
		}
		want := map[bool]string{true: "new", false: "old"}[steps > 2]
		if got := marked(t, path); got != want {
			t.Fatalf("killed before step %d: the place has %q, want %q", steps, got, want)
		}
		freshCopy(t, fresh, "newer")
		again, err := NewReplacement(path, fresh, now.Add(time.Hour))
		if err == nil {
			err = again.Run(t.Context())
		}
		if err != nil {
			t.Fatalf("after step %d: %v", steps, err)
		}
		if got := marked(t, path); got != "newer" {
			t.Errorf("after step %d: the place has %q in the end", steps, got)
		}
		if got := marked(t, again.Kept); got != want {
			t.Errorf("after step %d: %q was kept, want %q", steps, got, want)
		}
		if steps > 2 && marked(t, r.Kept) != "old" {
			t.Errorf("after step %d: the first books are lost", steps)
		}
		if left, _ := filepath.Glob(path + "*.part"); len(left) > 0 {
			t.Errorf("left are %v", left)
		}
	}
}

// TestReplacementsWithinASecond: what the first one kept is not replaced by what the second one keeps.
func TestReplacementsWithinASecond(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "finance.db")
	named(t, path, "first", false)
	for _, names := range [][2]string{{"first", "second"}, {"second", "third"}, {"third", "fourth"}} {
		freshCopy(t, path+".restoring", names[1])
		r, err := NewReplacement(path, path+".restoring", time.Date(2026, 11, 22, 2, 0, 0, 0, time.UTC))
		if err == nil {
			err = r.Run(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		if old, now := marked(t, r.Kept), marked(t, path); old != names[0] || now != names[1] {
			t.Errorf("kept is %q and the place has %q, want %q", old, now, names)
		}
	}
	if kept, _ := filepath.Glob(path + ".before-restore-*"); len(kept) != 3 {
		t.Errorf("kept are %v", kept)
	}
}

// TestReplacementOfDamaged: a file that cannot be opened is kept with its log, which is not applied to the new one.
func TestReplacementOfDamaged(t *testing.T) {
	t.Parallel()
	for _, main := range []string{strings.Repeat("no database ", 400), ""} {
		path := filepath.Join(t.TempDir(), "finance.db")
		named(t, path, "old", true)
		for _, ending := range logs() {
			if err := os.WriteFile(path+ending, []byte(strings.Repeat("no log ", 400)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		err := os.Remove(path)
		if main != "" {
			err = os.WriteFile(path, []byte(main), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		freshCopy(t, path+".restoring", "new")
		r, err := NewReplacement(path, path+".restoring", time.Now())
		if err == nil {
			err = r.Run(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := marked(t, path); got != "new" {
			t.Errorf("the place has %q", got)
		}
		if !exists(r.Kept+"-wal") || !exists(r.Kept+"-journal") || exists(r.Kept) != (main != "") {
			left, _ := filepath.Glob(path + "*")
			t.Errorf("not all that was there is kept: %v", left)
		}
	}
}

// TestReplacementInUse: a file that somebody has open stays, and so does all beside it.
func TestReplacementInUse(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "finance.db")
	named(t, path, "old", false)
	d, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	freshCopy(t, path+".restoring", "new")
	r, err := NewReplacement(path, path+".restoring", time.Now())
	if err == nil {
		err = r.Run(t.Context())
	}
	if !errors.Is(err, ErrLocked) || exists(r.Kept) || exists(r.Kept+Unfinished) {
		t.Errorf("got %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if got := marked(t, path); got != "old" {
		t.Errorf("the place has %q", got)
	}
}

// TestSameOrCopy: the old file gets a second name, and nothing is replaced by it.
func TestSameOrCopy(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	from, to := filepath.Join(folder, "from"), filepath.Join(folder, "to")
	if err := os.WriteFile(from, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := sameOrCopy(from, to); err != nil || !same(from, to) {
		t.Errorf("got %v", err)
	}
	if err := sameOrCopy(from, to); err == nil {
		t.Error("a file was replaced")
	}
}
