package cmd_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// rescued waits for the copy that a server writes of a file that lost its place, and gives its path.
func (s *commandLine) rescued(folder string) string {
	s.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		for _, name := range s.files(folder) {
			if strings.HasSuffix(name, "-rescued.db") {
				return filepath.Join(folder, name)
			}
		}
	}
	s.Fatalf("there is no copy in %s: %v", folder, s.files(folder))
	return ""
}

// logged waits until a server has said something.
func (r *server) logged(text string) {
	r.Helper()
	for deadline := time.Now().Add(time.Minute); !strings.Contains(r.stderr.String(), text); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			r.Fatalf("the server does not say %q: %s", text, r.stderr)
		}
	}
}

// spend books a transaction in the account Giro, and gives the answer.
func (c loadClient) spend(account, amount string) (status int, answer string) {
	return c.ask(http.MethodPost, "/transactions", fmt.Sprintf(`{"transaction":{"account_id":%q,"date":"2026-02-01","amount":%q,"name":"Bread"}}`, account, amount), "")
}

// TestFileTakenFromAServer: whatever becomes of the path of a file under its server, no write is acknowledged that would be
// lost, everybody is told, what was written is in a copy, and when the file is back the server goes on by itself.
func TestFileTakenFromAServer(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows moves no file that is open")
	}
	for name, c := range map[string]struct {
		take   func(path string) error
		doctor string // what it says where it can tell by the file alone
	}{
		"moved": {func(path string) error { return os.Rename(path, path+".moved") }, "was removed or moved away from under the server"},
		"replaced": {func(path string) error {
			return errors.Join(os.Rename(path, path+".moved"), os.WriteFile(path, nil, 0o600))
		}, "it was replaced"},
		"a link to another": {func(path string) error {
			return errors.Join(os.Rename(path, path+".moved"), os.WriteFile(path+".other", nil, 0o600), os.Symlink(path+".other", path))
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newBooks(t)
			key := strings.TrimSpace(s.ok("apikey", "create"))
			account := s.list("account", "list")[0]["id"].(string)
			r := s.serve()
			client := loadClient{r.url + "/api/v1", key, s.loadTransport()}
			if status, answer := client.spend(account, "1.00"); status != 201 {
				t.Fatal(status, answer)
			}
			if err := c.take(s.file); err != nil {
				t.Fatal(err)
			}
			status, answer := client.spend(account, "2.00")
			if status != 503 || !strings.Contains(answer, "removed, moved or replaced under the server") || strings.Contains(answer, filepath.Dir(s.file)) {
				t.Errorf("written: %d %s", status, answer)
			}
			if status, answer := client.ask(http.MethodGet, "/transactions", "", ""); status != 200 || !strings.Contains(answer, `"total_count":1`) {
				t.Errorf("read: %d %s", status, answer)
			}
			if status, answer := r.get("/up", ""); status != 503 || !strings.Contains(answer, "removed, moved or replaced") {
				t.Errorf("/up: %d %s", status, answer)
			}
			s.fails(1, []string{"health", "--listen", strings.TrimPrefix(r.url, "http://")}, "status 503", "removed, moved or replaced")
			copied := s.rescued(filepath.Dir(s.file))
			r.logged(`"restore":"finsvc restore --data`)
			if c.doctor != "" {
				if got := s.run("doctor", "--listen", "127.0.0.1:0"); got.status != 1 || !strings.Contains(got.stdout, c.doctor) {
					t.Errorf("the doctor ends with %d: %s", got.status, got.stdout)
				}
				for _, args := range [][]string{{"account", "list"}, {"apikey", "create"}, {"backup"}, {"import", "list"}} {
					s.fails(6, args, c.doctor)
				}
			}
			// The next looks write no second copy.
			for _, name := range s.files(filepath.Dir(s.file)) {
				if path := filepath.Join(filepath.Dir(s.file), name); strings.Contains(name, "-rescued") && path != copied {
					t.Errorf("there is another copy: %s", name)
				}
			}
			if err := os.Rename(s.file+".moved", s.file); err != nil {
				t.Fatal(err)
			}
			if status, answer := client.spend(account, "4.00"); status != 201 {
				t.Errorf("back in its place: %d %s", status, answer)
			}
			if status, _ := r.get("/up", ""); status != 200 {
				t.Errorf("/up, back in its place: %d", status)
			}
			r.logged("; writes go on")
			r.end()
			if got := s.balance(); got != 99500.0 {
				t.Errorf("the balance is %v", got)
			}
			s.file = filepath.Join(t.TempDir(), "restored.db")
			s.ok("restore", copied)
			if got := s.balance(); got != 99900.0 {
				t.Errorf("the balance in the copy is %v", got)
			}
		})
	}
}

// TestFileRemovedUnderAServer: a stop that comes before the server has looked does not lose what was written, a start does
// not begin with an empty file beside it, and the copy is restored by the command that is told.
func TestFileRemovedUnderAServer(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows removes no file that is open")
	}
	s := newBooks(t)
	key := strings.TrimSpace(s.ok("apikey", "create"))
	account := s.list("account", "list")[0]["id"].(string)
	r := s.serve()
	client := loadClient{r.url + "/api/v1", key, s.loadTransport()}
	if status, answer := client.spend(account, "1.00"); status != 201 {
		t.Fatal(status, answer)
	}
	names, err := filepath.Glob(s.file + "*")
	for _, name := range names { // its log and lock as well
		err = errors.Join(err, os.Remove(name))
	}
	if err != nil {
		t.Fatal(err)
	}
	r.stop()
	<-r.ended
	copied := s.rescued(filepath.Dir(s.file))
	command := "finsvc restore --data '" + s.file + "' '" + copied + "'"
	if !strings.Contains(strings.ReplaceAll(r.stderr.String(), `\u0027`, "'"), command) {
		t.Errorf("the server does not say %s: %s", command, r.stderr)
	}
	for _, args := range [][]string{{"serve", "--listen", "127.0.0.1:0"}, {"apikey", "create"}} {
		s.fails(6, args, "has written what it held", command)
	}
	s.ok("restore", copied)
	if got := s.balance(); got != 99900.0 {
		t.Errorf("the balance is %v", got)
	}
	s.serve().end()
}

// TestFolderTakenFromAServer: where nothing can be written beside the file, the server says so, and takes the folder for
// backups.
func TestFolderTakenFromAServer(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows moves no file that is open")
	}
	s := newBooks(t)
	home := filepath.Join(filepath.Dir(s.file), "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	old := s.file
	s.file = filepath.Join(home, "finance.db")
	if err := os.Rename(old, s.file); err != nil {
		t.Fatal(err)
	}
	backups := filepath.Join(t.TempDir(), "backups")
	r := s.serve("--backup-dir", backups)
	if err := os.Rename(home, home+".moved"); err != nil {
		t.Fatal(err)
	}
	r.logged("no copy of what it holds can be written: its folder " + home + " is gone")
	s.file = filepath.Join(home+".moved", "finance.db") // the lock was moved with it
	if got := s.run("doctor", "--listen", "127.0.0.1:0"); got.status != 1 || !strings.Contains(strings.ReplaceAll(got.stdout, "\n", " "), "removed, moved or replaced under the server") {
		t.Errorf("the doctor ends with %d: %s", got.status, got.stdout)
	}
	if err := os.Rename(home+".moved", home); err != nil {
		t.Fatal(err)
	}
	r.logged("; writes go on")
	if err := errors.Join(os.Mkdir(backups, 0o700), os.Rename(home, home+".moved")); err != nil {
		t.Fatal(err)
	}
	s.rescued(backups)
	if err := os.Rename(home+".moved", home); err != nil {
		t.Fatal(err)
	}
	r.end()
}

// TestOneServerAFile: processes that have a file by different names keep each other off, and so does one whose lock file was
// removed, which it makes anew.
func TestOneServerAFile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux locks the file itself")
	}
	s := newBooks(t)
	server := s.child()
	if server.url == "" {
		t.Fatal("it did not start")
	}
	defer server.Wait()
	defer server.Process.Signal(syscall.SIGTERM)
	link, hard := filepath.Join(t.TempDir(), "link.db"), filepath.Join(filepath.Dir(s.file), "hard.db")
	if err := errors.Join(os.Symlink(s.file, link), os.Link(s.file, hard)); err != nil {
		t.Fatal(err)
	}
	serve := func(path string) []string { return []string{"serve", "--listen", "127.0.0.1:0", "--data", path} }
	s.fails(6, serve(link), "a server is running on "+link)
	s.fails(6, serve(hard), "a server has "+hard+" open by another name")
	for _, args := range [][]string{{"account", "list"}, {"backup"}, {"apikey", "create"}} {
		s.fails(6, append(args, "--data", hard), "a server has "+hard+" open by another name")
	}
	s.ok("account", "list", "--data", link) // whose log is the server's
	if got := s.run("doctor"); !strings.Contains(got.stdout, "has 2 names (hard links)") {
		t.Errorf("the doctor does not say that there are two names: %s", got.stdout)
	}
	if err := errors.Join(os.Remove(hard), os.Remove(s.file+".server-lock")); err != nil {
		t.Fatal(err)
	}
	s.fails(6, serve(s.file), s.file) // by the lock of the file, or by a lock file that is there again
	deadline := time.Now().Add(time.Minute)
	for got := s.run("account", "list"); got.status != 0; got = s.run("account", "list") {
		if time.Now().After(deadline) {
			t.Fatalf("commands are kept off: %s", got.stderr)
		}
		time.Sleep(5 * time.Millisecond)
	}
	s.fails(6, serve(s.file), "a server is running on "+s.file+fmt.Sprintf(" already (process %d", server.Process.Pid))
}
