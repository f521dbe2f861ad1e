package cmd_test

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"

	"finsvc/db/dbtest"
)

// TestPortInUse: the advice is the same command with a port that is free, and it works.
func TestPortInUse(t *testing.T) {
	t.Parallel()
	inUse := taken(t)
	_, port, _ := net.SplitHostPort(inUse)
	number, _ := strconv.Atoi(port)
	next, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(number+1))) // so that the next one is not free either
	if err == nil {
		defer next.Close()
	}
	for name, try := range map[string]struct{ args, want []string }{
		"flags": {[]string{"serve", "--log-level", "warn", "--data", "DATA", "--listen", inUse, "--backup-every", "off"},
			[]string{"finsvc", "serve", "--backup-every", "off", "--data", "DATA", "--log-level", "warn", "--listen"}},
		"flags with =":       {[]string{"serve", "--listen=" + inUse, "--data=DATA"}, []string{"finsvc", "serve", "--data", "DATA", "--listen"}},
		"a data variable":    {[]string{"serve", "--listen", inUse}, []string{"finsvc", "serve", "--data", "DATA", "--listen"}},
		"a flag of no words": {[]string{"serve", "--listen", inUse, "--assistant-local-only"}, []string{"finsvc", "serve", "--assistant-local-only=on", "--data", "DATA", "--listen"}},
		"metrics":            {[]string{"serve", "--listen", "127.0.0.1:0", "--metrics", inUse}, []string{"finsvc", "serve", "--listen", "127.0.0.1:0", "--data", "DATA", "--metrics"}},
		"demo":               {[]string{"demo", "--listen", inUse}, []string{"finsvc", "demo", "--listen"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := cmdtest.NewCommandLine(t)
			for i := range try.args {
				try.args[i] = strings.ReplaceAll(try.args[i], "DATA", s.File)
			}
			got := s.Do(try.args...)
			lines := strings.Split(strings.TrimSpace(got.Stderr), "\n")
			advice := lines[len(lines)-1]
			if got.Status != 6 || !strings.Contains(advice, "finsvc ") {
				t.Fatalf("status %d: %s", got.Status, got.Stderr)
			}
			words := strings.Fields(advice[strings.Index(advice, "finsvc "):])
			for i := range words {
				words[i] = strings.ReplaceAll(words[i], s.File, "DATA")
			}
			if !slices.Equal(words[:len(words)-1], try.want) {
				t.Errorf("the advice is %q, want %q and an address", words, try.want)
			}
			free, err := net.Listen("tcp", words[len(words)-1])
			if err != nil {
				t.Fatalf("the port that is offered is not free: %s", err)
			}
			free.Close()
			if left := s.Files(filepath.Dir(s.File)); len(left) > 0 {
				t.Errorf("the start that failed has left %v", left)
			}
		})
	}
}

// TestFailedStartLeavesNothing: whatever is wrong, no new file is there afterwards.
func TestFailedStartLeavesNothing(t *testing.T) {
	t.Parallel()
	inUse := taken(t)
	for name, args := range map[string][]string{
		"a port in use":            {"--listen", inUse},
		"metrics in use":           {"--listen", "127.0.0.1:0", "--metrics", inUse},
		"no address":               {"--listen", "nowhere:at:all"},
		"a socket in no folder":    {"--listen", "unix:/none/such/finsvc.sock"},
		"no certificate":           {"--listen", "127.0.0.1:0", "--tls-cert", "/none/cert.pem", "--tls-key", "/none/key.pem"},
		"a certificate and no key": {"--listen", "127.0.0.1:0", "--tls-cert", "/none/cert.pem"},
		"a provider, no model":     {"--listen", "127.0.0.1:0", "--ai-url", "http://localhost:1/v1"},
		"no file of the key":       {"--listen", "127.0.0.1:0", "--ai-url", "http://localhost:1/v1", "--ai-model", "small", "--ai-key-file", "/none/key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, old := range []bool{false, true} { // no file, and one of an older schema
				s, want := cmdtest.NewCommandLine(t), []string{}
				if old {
					s.File = dbtest.Books(t)
					s.Outdate()
					want = s.Files(filepath.Dir(s.File))
				}
				was, _ := os.ReadFile(s.File)
				if got := s.Do(append([]string{"serve"}, args...)...); got.Status == 0 {
					t.Fatal("the server started")
				}
				if left := s.Files(filepath.Dir(s.File)); !slices.Equal(left, want) {
					t.Errorf("there are %v, want %v", left, want)
				}
				if now, _ := os.ReadFile(s.File); string(now) != string(was) {
					t.Error("the file is not what it was")
				}
			}
		})
	}
}

// TestUpgradeUnderAnOlderServer: a command leaves the schema alone as long as a server has the file that is older, as the
// schema says, and upgrades it afterwards.
func TestUpgradeUnderAnOlderServer(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.File = dbtest.Books(t)
	s.Outdate()
	was, err := os.ReadFile(s.File)
	if err != nil {
		t.Fatal(err)
	}
	release := s.AsServer(4711, "127.0.0.1:7117")
	for _, args := range [][]string{{"account", "list", "--household", "Home"}, {"apikey", "create", "--user", "a@example.org"}, {"import", "list"}} {
		s.Fails(6, args, "was not upgraded from schema 1: an older finsvc serves it (process 4711, at 127.0.0.1:7117)", "Stop that server and start it again with this program")
	}
	if now, err := os.ReadFile(s.File); err != nil || string(now) != string(was) {
		t.Errorf("the file is not what it was (%v)", err)
	}
	release()
	if list := s.List("account", "list", "--household", "Home"); len(list) != 4 {
		t.Errorf("there are %d accounts, want 4", len(list))
	}
	left := s.Files(filepath.Dir(s.File))
	if slices.ContainsFunc(left, func(name string) bool { return strings.Contains(name, "lock") }) {
		t.Errorf("locks are left: %v", left)
	}
}

// TestServersOfOneFileByTwoNames: through a link it is the same file.
func TestServersOfOneFileByTwoNames(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(s.File, link); err != nil {
		t.Skip(err)
	}
	real := s.File
	s.File = link // which leads to nothing yet
	r := s.Serve()
	s.Fails(6, []string{"serve", "--listen", "127.0.0.1:0", "--data", real}, "a server is running on "+real)
	s.Fails(6, []string{"serve", "--listen", "127.0.0.1:0"}, "a server is running on "+link)
	r.End()
}
