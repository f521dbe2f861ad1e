package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

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
	skipShort(t)
	r := newCommandLine(t).demo()
	r.ok("household", "create", "Copy", "--owner", "copy@example.org", "--currency", "EUR", "--timezone", "Europe/Dublin", "--data", r.file)
	name := filepath.Join(t.TempDir(), "demo.ndjson")
	got := r.run("export", "ndjson", "--household", "Demo", "-o", name, "--data", r.file)
	if got.status != 0 || got.stdout != "" || !strings.Contains(got.stderr, " records to "+name) {
		t.Fatalf("status %d, printed %q, said %q", got.status, got.stdout, got.stderr)
	}
	id := strings.TrimSpace(r.ok("import", name, "--type", "ServiceImport", "--household", "Copy", "--yes", "--data", r.file))
	shown := "not_verified"
	for range 500 { // the server may have done the work, and still be comparing
		if strings.Contains(shown, "not_verified") {
			shown = r.ok("import", "show", id, "--household", "Copy", "--data", r.file)
		}
	}
	if !strings.Contains(shown, "complete") || !strings.Contains(shown, "matched") {
		t.Errorf("shown %s", shown)
	}
	first, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want, have := masked(string(first)), masked(r.ok("export", "ndjson", "--household", "Copy", "--data", r.file))
	if diff := cmp.Diff(want, have); diff != "" || len(want) < 2_000 {
		t.Errorf("%d lines: %s", len(want), diff)
	}
	r.end()
}

func TestExportBackupBadInput(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	s.fails(5, []string{"export", "ndjson"}, s.file)
	s.ok("household", "create", "Home", "--owner", "ana@example.org")
	s.fails(2, []string{"export", "ndjson", "x"})
	s.fails(5, []string{"export", "ndjson", "--household", "Cave"}, "Cave")
}
