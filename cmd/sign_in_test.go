package cmd_test

import (
	"regexp"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/signin"
	"finsvc/ledger/tenant"
)

// TestSignInCommands: links, passwords and set-up codes are made so that no secret is an argument, each mistake has its
// exit status, and a running server takes them at once.
func TestSignInCommands(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.Fails(5, []string{"setup-code"}, "there is no database")
	s.Ledger(func(l *books.Books, _ ledger.Actor) {}) // makes the file
	code := strings.TrimSpace(s.OK("setup-code"))
	s.Ledger(func(l *books.Books, _ ledger.Actor) {
		in := tenant.HouseholdInput{Name: "Home", Currency: "EUR", Locale: "en", Timezone: "UTC", OwnerEmail: "ana@example.org"}
		if _, _, err := l.SignIn.SetUp(t.Context(), code, in, "", signin.Device{}); err != nil {
			t.Errorf("the code %s: %v", code, err)
		}
	})
	s.Fails(6, []string{"setup-code"}, "set up already")

	link := s.Do("user", "link", "Ana@example.org", "--listen", ":7199")
	if link.Status != 2 {
		t.Errorf("a link has no setting of the server's: %+v", link)
	}
	link = s.Do("user", "link", "Ana@example.org")
	if link.Status != 0 || !regexp.MustCompile(`^http://127\.0\.0\.1:7117/link/[A-Za-z0-9_-]{43}\n$`).MatchString(link.Stdout) ||
		!strings.Contains(link.Stderr, "It signs ana@example.org in, once, until ") || !strings.Contains(link.Stderr, "finsvc serve") {
		t.Errorf("got %+v", link)
	}
	s.Env = append(s.Env, "FINSVC_PUBLIC_URL=https://Finance.example.org/", "FINSVC_BASE_PATH=/money")
	if link := s.OK("user", "link", "ana@example.org"); !strings.HasPrefix(link, "https://finance.example.org/money/link/") {
		t.Errorf("got %s", link)
	}
	s.Fails(5, []string{"user", "link", "ben@example.org"}, "ben@example.org")
	s.Fails(2, []string{"user", "link"}, "accepts 1 arg")

	s.Fails(2, []string{"user", "password", "ana@example.org"}, "--password-stdin")
	s.Fails(2, []string{"user", "password", "ana@example.org", "--password-stdin", "--password-file", "x"}, "password-file")
	s.Fails(5, []string{"user", "password", "ana@example.org", "--password-file", "there-is-none"}, "there-is-none")
	s.Fails(2, []string{"user", "password", "ana@example.org", "--password-file", s.Write("short", "short\n")}, "at least 10 characters, has 5")
	for name, got := range map[string]cmdtest.Outcome{
		"tin kettle river":  s.Typing("tin kettle river\nand more", "user", "password", "ana@example.org", "--password-stdin"),
		"tin kettle rivers": s.Do("user", "password", "ana@example.org", "--password-file", s.Write("secret", "tin kettle rivers")),
	} {
		if got.Status != 0 || got.Stdout != "" || strings.Contains(got.Stderr, "kettle") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	s.OK("user", "password", "ana@example.org", "--password-file", s.Write("last", "the last kettle\r\n"))
	s.Ledger(func(l *books.Books, _ ledger.Actor) {
		if _, _, err := l.SignIn.WithPassword(t.Context(), "ana", "the last kettle", signin.Device{}); err != nil {
			t.Error(err)
		}
	})
}

// TestTrustedHeaderNeedsProxies: a server that would believe everybody does not begin.
func TestTrustedHeaderNeedsProxies(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.Fails(2, []string{"serve", "--auth-header", "Remote-User"}, "--trusted-proxies")
	for setting, bad := range map[string]string{"--auth-header": "X-Api-Key", "--public-url": "https://example.org/finance", "--web": "yes"} {
		s.Fails(2, []string{"serve", setting, bad}, "must be")
	}
}
