package db_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestLibcIsTheDriversOwn: modernc.org/sqlite is C translated for one version of modernc.org/libc; with
// another it may compile and misbehave. An update of either takes the other along.
func TestLibcIsTheDriversOwn(t *testing.T) {
	t.Parallel()
	required, err := os.ReadFile(list(t, "{{.GoMod}}", "modernc.org/sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`(?m)^\s*(?:require )?modernc\.org/libc (\S+)`).FindSubmatch(required)
	if want == nil {
		t.Fatal("modernc.org/sqlite does not require modernc.org/libc any more")
	}
	if got := list(t, "{{.Version}}", "modernc.org/libc"); got != string(want[1]) {
		t.Errorf("modernc.org/libc is %s, the driver was made for %s: go get modernc.org/libc@%s", got, want[1], want[1])
	}
}

// list asks the go command about a module that this one uses.
func list(t *testing.T, format, module string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", format, module).Output()
	if err != nil {
		t.Fatalf("go list -m %s: %v", module, err)
	}
	return strings.TrimSpace(string(out))
}
