package cmd_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"finsvc/cmd"
	"finsvc/db"
	"finsvc/db/dbtest"
)

// buffer is an output that a server and a test use at the same time.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// outcome is what a command did.
type outcome struct {
	status         int
	stdout, stderr string
}

// commandLine runs commands in a folder of its own, on one database file.
type commandLine struct {
	*testing.T
	file    string
	env     []string
	options []db.Option // see [cmd.Main]
}

// skipShort leaves a test out of short runs, the race detector's among them: it runs commands by the hundred, one after the other, so
// that it takes long and nothing in it happens at the same time.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long, and is no short test")
	}
}

func newCommandLine(t *testing.T) *commandLine {
	return &commandLine{T: t, file: filepath.Join(t.TempDir(), "finance.db"), env: []string{"LANG=de_DE.UTF-8", "TZ=Europe/Berlin"}}
}

// within is the environment of a program that runs within the tests, where the limits that a server sets to the memory of
// its process would hold for all of them.
func within(file string) []string {
	return []string{"FINSVC_DATA=" + file, "GOMEMLIMIT=off", "GOGC=100"}
}

// run runs a command on the shell's file.
func (s *commandLine) run(args ...string) outcome {
	s.Helper()
	var stdout, stderr buffer
	environ := append(within(s.file), s.env...)
	status := cmd.Main(s.Context(), args, environ, strings.NewReader(""), &stdout, &stderr, s.options...)
	return outcome{status, stdout.String(), stderr.String()}
}

// ok runs a command that must succeed and gives what it printed.
func (s *commandLine) ok(args ...string) string {
	s.Helper()
	got := s.run(args...)
	if got.status != 0 {
		s.Fatalf("finsvc %v: status %d: %s", args, got.status, got.stderr)
	}
	return got.stdout
}

// fails runs a command that must fail with the status and say the words on standard error alone.
func (s *commandLine) fails(status int, args []string, words ...string) {
	s.Helper()
	got := s.run(args...)
	if got.status != status || got.stdout != "" {
		s.Errorf("finsvc %v: status %d, want %d; printed %q, said %q", args, got.status, status, got.stdout, got.stderr)
	}
	for _, word := range words {
		if !strings.Contains(got.stderr, word) {
			s.Errorf("finsvc %v: said %q, want %q in it", args, got.stderr, word)
		}
	}
}

// list runs a listing command with --json.
func (s *commandLine) list(args ...string) []map[string]any {
	s.Helper()
	var rows []map[string]any
	if err := json.Unmarshal([]byte(s.ok(append(args, "--json")...)), &rows); err != nil {
		s.Fatal(err)
	}
	return rows
}

// outdate has the shell's commands be those of a later program, with another migration, which writes some pages.
func (s *commandLine) outdate() {
	s.options = append(s.options, db.WithMigrations(dbtest.Later("CREATE TABLE later (note TEXT) STRICT; "+
		"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) INSERT INTO later SELECT hex(zeroblob(2000)) FROM n;")))
}

// TestFirstCommandOnAnEmptyFolder holds what was decided.
//
// Decision, Users and households: the command line makes them; a key on an empty file makes household and owner.
func TestFirstCommandOnAnEmptyFolder(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	got := s.run("apikey", "create")
	if got.status != 0 || !strings.HasPrefix(got.stdout, "fsk_") || len(got.stdout) != 48 || strings.Contains(got.stderr, got.stdout[:13]) {
		t.Fatalf("status %d, printed %q, said %q", got.status, got.stdout, got.stderr)
	}
	homes := s.list("household", "list")
	if len(homes) != 1 || homes[0]["name"] != "Home" || homes[0]["currency"] != "EUR" || homes[0]["locale"] != "de-DE" || homes[0]["timezone"] != "Europe/Berlin" {
		t.Errorf("households %v", homes)
	}
	if users := s.list("user", "list"); len(users) != 1 || users[0]["role"] != "admin" {
		t.Errorf("users %v", users)
	}
	s.ok("apikey", "create")
	keys := s.list("apikey", "list")
	if len(keys) != 2 || keys[0]["name"] != "default" || keys[1]["name"] != "default-2" || keys[0]["prefix"] != got.stdout[:12] {
		t.Errorf("keys %v", keys)
	}
	info, err := os.Stat(s.file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("file mode %v", info.Mode())
	}
}

func TestFirstHouseholdFollowsTheEnvironment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env              []string
		flags            []string
		currency, locale string
	}{
		{nil, nil, "USD", "en"},
		{[]string{"LANG=C.UTF-8"}, nil, "USD", "en"},
		{[]string{"LANG=en_GB.UTF-8"}, nil, "GBP", "en-GB"},
		{[]string{"LANG=en_GB.UTF-8", "LC_MONETARY=de_CH"}, nil, "CHF", "de-CH"},
		{[]string{"LC_ALL=ja_JP.eucJP", "LC_MONETARY=de_CH"}, nil, "JPY", "ja-JP"},
		{[]string{"LANG=hr_HR.UTF-8@euro"}, nil, "EUR", "hr-HR"},
		{[]string{"LANG=de"}, nil, "USD", "de"},
		{[]string{"LANG=de_DE", "FINSVC_CURRENCY=SEK"}, nil, "SEK", "de-DE"},
		{[]string{"LANG=de_DE", "FINSVC_CURRENCY=SEK"}, []string{"--currency", "nok"}, "NOK", "de-DE"},
	} {
		s := newCommandLine(t)
		s.env = c.env
		s.ok(append([]string{"apikey", "create"}, c.flags...)...)
		home := s.list("household", "list")[0]
		if home["currency"] != c.currency || home["locale"] != c.locale {
			t.Errorf("%v %v: got %v %v, want %s %s", c.env, c.flags, home["currency"], home["locale"], c.currency, c.locale)
		}
	}
}

func TestNothingIsMadeForAKeyThatCannotBe(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	s.fails(2, []string{"apikey", "create", "--scope", "all"}, "scope must be read or read_write")
	s.fails(2, []string{"apikey", "create", "--expires", "soon"}, "90d")
	s.fails(2, []string{"apikey", "create", "--rate-limit", "0"}, "--rate-limit")
	s.fails(2, []string{"apikey", "create", ""}, "name")
	if _, err := os.Stat(s.file); err == nil {
		t.Error("a file was made")
	}
	s.fails(2, []string{"apikey", "create", "--currency", "EURO"}, "currency must be")
	if homes := s.list("household", "list"); len(homes) != 0 {
		t.Errorf("households %v", homes)
	}
}

func TestSeveralHouseholds(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	s.ok("household", "create", "Home", "--owner", "ana@example.org", "--currency", "EUR")
	s.ok("household", "create", "Club", "--owner", "bo@example.org", "--currency", "CHF", "--locale", "de-CH", "--timezone", "Europe/Zurich")
	s.fails(2, []string{"user", "list"}, "--household", `"Home"`, `"Club"`)
	s.fails(2, []string{"apikey", "create"}, "--household")
	s.fails(5, []string{"user", "list", "--household", "Cave"}, "Cave")
	s.fails(6, []string{"household", "create", "Club", "--owner", "cy@example.org"}, "Club")
	s.fails(2, []string{"household", "create", "Third"}, "--owner")
	s.ok("apikey", "create", "--user", "bo@example.org")
	if keys := s.list("apikey", "list", "--household", "club"); len(keys) != 1 || keys[0]["user"] != "bo@example.org" {
		t.Errorf("keys %v", keys)
	}
	if keys := s.list("apikey", "list", "--household", "Home"); len(keys) != 0 {
		t.Errorf("keys %v", keys)
	}
	s.fails(5, []string{"apikey", "create", "--household", "Home", "--user", "bo@example.org"}, "bo@example.org")
	s.ok("household", "update", "--household", "Home", "--name", "Hearth", "--locale-from-request")
	s.fails(2, []string{"household", "update", "--household", "Hearth"}, "nothing to change")
	if homes := s.list("household", "list"); len(homes) != 2 || homes[1]["name"] != "Hearth" || homes[1]["locale_from_request"] != true || homes[1]["assistant"] != true {
		t.Errorf("households %v", homes)
	}
	s.fails(2, []string{"household", "update", "--household", "Hearth", "--assistant", "maybe"}, `must be on or off, got "maybe"`)
	s.ok("household", "update", "--household", "Hearth", "--assistant", "off")
	if homes := s.list("household", "list"); homes[0]["assistant"] != true || homes[1]["assistant"] != false || homes[1]["locale_from_request"] != true {
		t.Errorf("households %v", homes)
	}
}

func TestUsers(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	s.ok("household", "create", "Home", "--owner", "ana@example.org", "--no-categories")
	s.ok("user", "create", "bo@example.org")
	s.fails(6, []string{"user", "create", "bo@example.org"}, "another active user")
	s.fails(2, []string{"user", "create", "bo"}, "email must be")
	s.fails(2, []string{"user", "deactivate", "ana@example.org"}, "admin")
	s.fails(5, []string{"user", "deactivate", "cy@example.org"}, "cy@example.org")
	s.ok("user", "deactivate", "bo@example.org")
	s.ok("user", "deactivate", "ana@example.org")
	// What helps out of that answers: who there is to be brought back, and which keys they had.
	if users := s.list("user", "list"); len(users) != 2 || users[0]["email"] != "ana@example.org" || users[0]["active"] != false {
		t.Errorf("users of a household without active ones: %v", users)
	}
	if keys := s.list("apikey", "list", "--all"); len(keys) != 0 {
		t.Errorf("keys %v", keys)
	}
	if offered := s.completed("user", "restore", ""); !slices.Contains(offered, "ana@example.org") {
		t.Errorf("the shell is offered %v", offered)
	}
	s.fails(6, []string{"apikey", "create"}, "user restore", "finsvc user list")
	s.fails(6, []string{"account", "list"}, "user restore", "finsvc user list")
	s.ok("household", "create", "Club", "--owner", "cy@example.org", "--no-categories")
	s.ok("user", "deactivate", "cy@example.org")
	s.fails(2, []string{"user", "list"}, `"Club", "Home"`, "--household")
	if users := s.list("user", "list", "--household", "Club"); len(users) != 1 || users[0]["email"] != "cy@example.org" {
		t.Errorf("users of the other: %v", users)
	}
	s.ok("user", "restore", "ana@example.org")
	users := s.list("user", "list")
	if len(users) != 2 || users[0]["active"] != true || users[1]["email"] != "bo@example.org" || users[1]["active"] != false {
		t.Errorf("users %v", users)
	}
	s.fails(5, []string{"user", "restore", "bo@example.org", "--household", "Choir"}, "Choir")
	s.ok("user", "restore", "bo@example.org", "--household", "Home")
}

// TestDatesOfFlagsAreStrict: what stands around a date is refused, as in the API.
func TestDatesOfFlagsAreStrict(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	for _, args := range [][]string{
		{"account", "create", "Jar", "--type", "depository", "--balance", "1", "--date"},
		{"account", "update", "Giro", "--balance", "1", "--date"},
		{"explain", "balance", "Giro", "--date"},
		{"explain", "net-worth", "--from"},
		{"security", "split", "add", "ACME", "2:1", "--date"},
		{"security", "split", "delete", "ACME", "--date"},
		{"rates", "fetch", "--rates-url", "http://127.0.0.1:1/{from}", "--from"},
	} {
		for _, date := range []string{" 2026-01-05", "2026-01-05 ", "2026-01-05\n"} {
			s.fails(2, append(args, date), "must be a calendar date such as 2026-01-31, got ")
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	s.ok("household", "create", "Home", "--owner", "ana@example.org")
	s.ok("apikey", "create", "phone", "--scope", "read", "--rate-limit", "60")
	s.ok("apikey", "create", "電話")
	lines := strings.Split(s.ok("apikey", "list"), "\n")
	if len(lines) != 4 || lines[3] != "" {
		t.Fatalf("got %q", lines)
	}
	for i, want := range []string{"NAME   BEGINS", "phone  fsk_", "電話   fsk_"} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("got line %q, want %q", lines[i], want)
		}
	}
	if !strings.Contains(lines[1], "read              60  valid") || !strings.Contains(lines[2], "read_write     10000  valid") {
		t.Errorf("numbers are not in line:\n%s\n%s", lines[1], lines[2])
	}
}
