package cmd_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

// TestFirstCommandOnAnEmptyFolder holds what was decided.
//
// Decision, Users and households: the command line makes them; a key on an empty file makes household and owner.
func TestFirstCommandOnAnEmptyFolder(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	got := s.Do("apikey", "create")
	if got.Status != 0 || !strings.HasPrefix(got.Stdout, "fsk_") || len(got.Stdout) != 48 || strings.Contains(got.Stderr, got.Stdout[:13]) {
		t.Fatalf("status %d, printed %q, said %q", got.Status, got.Stdout, got.Stderr)
	}
	homes := s.List("household", "list")
	if len(homes) != 1 || homes[0]["name"] != "Home" || homes[0]["currency"] != "EUR" || homes[0]["locale"] != "de-DE" || homes[0]["timezone"] != "Europe/Berlin" {
		t.Errorf("households %v", homes)
	}
	if users := s.List("user", "list"); len(users) != 1 || users[0]["role"] != "admin" {
		t.Errorf("users %v", users)
	}
	s.OK("apikey", "create")
	keys := s.List("apikey", "list")
	if len(keys) != 2 || keys[0]["name"] != "default" || keys[1]["name"] != "default-2" || keys[0]["prefix"] != got.Stdout[:12] {
		t.Errorf("keys %v", keys)
	}
	info, err := os.Stat(s.File)
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
		s := cmdtest.NewCommandLine(t)
		s.Env = c.env
		s.OK(append([]string{"apikey", "create"}, c.flags...)...)
		home := s.List("household", "list")[0]
		if home["currency"] != c.currency || home["locale"] != c.locale {
			t.Errorf("%v %v: got %v %v, want %s %s", c.env, c.flags, home["currency"], home["locale"], c.currency, c.locale)
		}
	}
}

func TestNothingIsMadeForAKeyThatCannotBe(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.Fails(2, []string{"apikey", "create", "--scope", "all"}, "scope must be read or read_write")
	s.Fails(2, []string{"apikey", "create", "--expires", "soon"}, "90d")
	s.Fails(2, []string{"apikey", "create", "--rate-limit", "0"}, "--rate-limit")
	s.Fails(2, []string{"apikey", "create", ""}, "name")
	if _, err := os.Stat(s.File); err == nil {
		t.Error("a file was made")
	}
	s.Fails(2, []string{"apikey", "create", "--currency", "EURO"}, "currency must be")
	if homes := s.List("household", "list"); len(homes) != 0 {
		t.Errorf("households %v", homes)
	}
}

func TestSeveralHouseholds(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org", "--currency", "EUR")
	s.OK("household", "create", "Club", "--owner", "bo@example.org", "--currency", "CHF", "--locale", "de-CH", "--timezone", "Europe/Zurich")
	s.Fails(2, []string{"user", "list"}, "--household", `"Home"`, `"Club"`)
	s.Fails(2, []string{"apikey", "create"}, "--household")
	s.Fails(5, []string{"user", "list", "--household", "Cave"}, "Cave")
	s.Fails(6, []string{"household", "create", "Club", "--owner", "cy@example.org"}, "Club")
	s.Fails(2, []string{"household", "create", "Third"}, "--owner")
	s.OK("apikey", "create", "--user", "bo@example.org")
	if keys := s.List("apikey", "list", "--household", "club"); len(keys) != 1 || keys[0]["user"] != "bo@example.org" {
		t.Errorf("keys %v", keys)
	}
	if keys := s.List("apikey", "list", "--household", "Home"); len(keys) != 0 {
		t.Errorf("keys %v", keys)
	}
	s.Fails(5, []string{"apikey", "create", "--household", "Home", "--user", "bo@example.org"}, "bo@example.org")
	s.OK("household", "update", "--household", "Home", "--name", "Hearth", "--locale-from-request")
	s.Fails(2, []string{"household", "update", "--household", "Hearth"}, "nothing to change")
	if homes := s.List("household", "list"); len(homes) != 2 || homes[1]["name"] != "Hearth" || homes[1]["locale_from_request"] != true || homes[1]["assistant"] != true {
		t.Errorf("households %v", homes)
	}
	s.Fails(2, []string{"household", "update", "--household", "Hearth", "--assistant", "maybe"}, `must be on or off, got "maybe"`)
	s.OK("household", "update", "--household", "Hearth", "--assistant", "off")
	if homes := s.List("household", "list"); homes[0]["assistant"] != true || homes[1]["assistant"] != false || homes[1]["locale_from_request"] != true {
		t.Errorf("households %v", homes)
	}
}

func TestUsers(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org", "--no-categories")
	s.OK("user", "create", "bo@example.org")
	s.Fails(6, []string{"user", "create", "bo@example.org"}, "another active user")
	s.Fails(2, []string{"user", "create", "bo"}, "email must be")
	s.Fails(2, []string{"user", "deactivate", "ana@example.org"}, "admin")
	s.Fails(5, []string{"user", "deactivate", "cy@example.org"}, "cy@example.org")
	s.OK("user", "deactivate", "bo@example.org")
	s.OK("user", "deactivate", "ana@example.org")
	// What helps out of that answers: who there is to be brought back, and which keys they had.
	if users := s.List("user", "list"); len(users) != 2 || users[0]["email"] != "ana@example.org" || users[0]["active"] != false {
		t.Errorf("users of a household without active ones: %v", users)
	}
	if keys := s.List("apikey", "list", "--all"); len(keys) != 0 {
		t.Errorf("keys %v", keys)
	}
	if offered := s.Completed("user", "restore", ""); !slices.Contains(offered, "ana@example.org") {
		t.Errorf("the shell is offered %v", offered)
	}
	s.Fails(6, []string{"apikey", "create"}, "user restore", "finsvc user list")
	s.Fails(6, []string{"account", "list"}, "user restore", "finsvc user list")
	s.OK("household", "create", "Club", "--owner", "cy@example.org", "--no-categories")
	s.OK("user", "deactivate", "cy@example.org")
	s.Fails(2, []string{"user", "list"}, `"Club", "Home"`, "--household")
	if users := s.List("user", "list", "--household", "Club"); len(users) != 1 || users[0]["email"] != "cy@example.org" {
		t.Errorf("users of the other: %v", users)
	}
	s.OK("user", "restore", "ana@example.org")
	users := s.List("user", "list")
	if len(users) != 2 || users[0]["active"] != true || users[1]["email"] != "bo@example.org" || users[1]["active"] != false {
		t.Errorf("users %v", users)
	}
	s.Fails(5, []string{"user", "restore", "bo@example.org", "--household", "Choir"}, "Choir")
	s.OK("user", "restore", "bo@example.org", "--household", "Home")
}

// TestDatesOfFlagsAreStrict: what stands around a date is refused, as in the API.
func TestDatesOfFlagsAreStrict(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
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
			s.Fails(2, append(args, date), "must be a calendar date such as 2026-01-31, got ")
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org")
	s.OK("apikey", "create", "phone", "--scope", "read", "--rate-limit", "60")
	s.OK("apikey", "create", "電話")
	lines := strings.Split(s.OK("apikey", "list"), "\n")
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

func TestMain(m *testing.M) { os.Exit(cmdtest.Main(context.Background(), m)) }
