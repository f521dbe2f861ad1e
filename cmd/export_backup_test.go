package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"

	"github.com/google/go-cmp/cmp"
)

// masked is a backup without what differs from one household to another: instants, and ids, which become numbers in
// the order in which they are first named.
func masked(text string) []string {
	text = regexp.MustCompile(`,"(created|updated)_at":"[^"]*"`).ReplaceAllString(text, "")
	seen := map[string]string{}
	text = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`).ReplaceAllStringFunc(text, func(id string) string {
		if seen[id] == "" {
			seen[id] = fmt.Sprint("#", len(seen))
		}
		return seen[id]
	})
	return strings.Split(text, "\n")
}

// TestBackupRoundTrip: the household of the demonstration, written while it is served, read into another household of
// the same file, which has its exchange rates, and written again.
func TestBackupRoundTrip(t *testing.T) {
	t.Parallel()
	cmdtest.SkipShort(t)
	r := cmdtest.NewCommandLine(t).Demo()
	r.OK("household", "create", "Copy", "--owner", "copy@example.org", "--currency", "EUR", "--timezone", "Europe/Dublin", "--data", r.File)
	name := filepath.Join(t.TempDir(), "demo.ndjson")
	got := r.Do("export", "ndjson", "--household", "Demo", "-o", name, "--data", r.File)
	if got.Status != 0 || got.Stdout != "" || !strings.Contains(got.Stderr, " records to "+name) {
		t.Fatalf("status %d, printed %q, said %q", got.Status, got.Stdout, got.Stderr)
	}
	id := strings.TrimSpace(r.OK("import", name, "--type", "ServiceImport", "--household", "Copy", "--yes", "--data", r.File))
	shown := "not_verified"
	for range 500 { // the server may have done the work, and still be comparing
		if strings.Contains(shown, "not_verified") {
			shown = r.OK("import", "show", id, "--household", "Copy", "--data", r.File)
		}
	}
	if !strings.Contains(shown, "complete") || !strings.Contains(shown, "matched") {
		t.Errorf("shown %s", shown)
	}
	first, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want, have := masked(string(first)), masked(r.OK("export", "ndjson", "--household", "Copy", "--data", r.File))
	if diff := cmp.Diff(want, have); diff != "" || len(want) < 2_000 {
		t.Errorf("%d lines: %s", len(want), diff)
	}
	r.End()
}

func TestExportBackupBadInput(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.Fails(5, []string{"export", "ndjson"}, s.File)
	s.OK("household", "create", "Home", "--owner", "ana@example.org")
	s.Fails(2, []string{"export", "ndjson", "x"})
	s.Fails(5, []string{"export", "ndjson", "--household", "Cave"}, "Cave")
}
