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

	"finsvc/cmd/cmdtest"
)

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
			s := cmdtest.NewBooks(t)
			key := strings.TrimSpace(s.OK("apikey", "create"))
			account := s.List("account", "list")[0]["id"].(string)
			r := s.Serve()
			client := cmdtest.LoadClient{URL: r.URL + "/api/v1", Key: key, Transport: s.LoadTransport()}
			if status, answer := client.Spend(account, "1.00"); status != 201 {
				t.Fatal(status, answer)
			}
			if err := c.take(s.File); err != nil {
				t.Fatal(err)
			}
			status, answer := client.Spend(account, "2.00")
			if status != 503 || !strings.Contains(answer, "removed, moved or replaced under the server") || strings.Contains(answer, filepath.Dir(s.File)) {
				t.Errorf("written: %d %s", status, answer)
			}
			if status, answer := client.Ask(http.MethodGet, "/transactions", "", ""); status != 200 || !strings.Contains(answer, `"total_count":1`) {
				t.Errorf("read: %d %s", status, answer)
			}
			if status, answer := r.Get("/up", ""); status != 503 || !strings.Contains(answer, "removed, moved or replaced") {
				t.Errorf("/up: %d %s", status, answer)
			}
			s.Fails(1, []string{"health", "--listen", strings.TrimPrefix(r.URL, "http://")}, "status 503", "removed, moved or replaced")
			copied := s.Rescued(filepath.Dir(s.File))
			r.Logged(`"restore":"finsvc restore --data`)
			if c.doctor != "" {
				if got := s.Do("doctor", "--listen", "127.0.0.1:0"); got.Status != 1 || !strings.Contains(got.Stdout, c.doctor) {
					t.Errorf("the doctor ends with %d: %s", got.Status, got.Stdout)
				}
				for _, args := range [][]string{{"account", "list"}, {"apikey", "create"}, {"backup"}, {"import", "list"}} {
					s.Fails(6, args, c.doctor)
				}
			}
			// The next looks write no second copy.
			for _, name := range s.Files(filepath.Dir(s.File)) {
				if path := filepath.Join(filepath.Dir(s.File), name); strings.Contains(name, "-rescued") && path != copied {
					t.Errorf("there is another copy: %s", name)
				}
			}
			if err := os.Rename(s.File+".moved", s.File); err != nil {
				t.Fatal(err)
			}
			if status, answer := client.Spend(account, "4.00"); status != 201 {
				t.Errorf("back in its place: %d %s", status, answer)
			}
			if status, _ := r.Get("/up", ""); status != 200 {
				t.Errorf("/up, back in its place: %d", status)
			}
			r.Logged("; writes go on")
			r.End()
			if got := s.Balance(); got != 99500.0 {
				t.Errorf("the balance is %v", got)
			}
			s.File = filepath.Join(t.TempDir(), "restored.db")
			s.OK("restore", copied)
			if got := s.Balance(); got != 99900.0 {
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
	s := cmdtest.NewBooks(t)
	key := strings.TrimSpace(s.OK("apikey", "create"))
	account := s.List("account", "list")[0]["id"].(string)
	r := s.Serve()
	client := cmdtest.LoadClient{URL: r.URL + "/api/v1", Key: key, Transport: s.LoadTransport()}
	if status, answer := client.Spend(account, "1.00"); status != 201 {
		t.Fatal(status, answer)
	}
	names, err := filepath.Glob(s.File + "*")
	for _, name := range names { // its log and lock as well
		err = errors.Join(err, os.Remove(name))
	}
	if err != nil {
		t.Fatal(err)
	}
	r.Stop()
	<-r.Ended
	copied := s.Rescued(filepath.Dir(s.File))
	command := "finsvc restore --data '" + s.File + "' '" + copied + "'"
	if !strings.Contains(strings.ReplaceAll(r.Stderr.String(), `\u0027`, "'"), command) {
		t.Errorf("the server does not say %s: %s", command, r.Stderr)
	}
	for _, args := range [][]string{{"serve", "--listen", "127.0.0.1:0"}, {"apikey", "create"}} {
		s.Fails(6, args, "has written what it held", command)
	}
	s.OK("restore", copied)
	if got := s.Balance(); got != 99900.0 {
		t.Errorf("the balance is %v", got)
	}
	s.Serve().End()
}

// TestFolderTakenFromAServer: where nothing can be written beside the file, the server says so, and takes the folder for
// backups.
func TestFolderTakenFromAServer(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows moves no file that is open")
	}
	s := cmdtest.NewBooks(t)
	home := filepath.Join(filepath.Dir(s.File), "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	old := s.File
	s.File = filepath.Join(home, "finance.db")
	if err := os.Rename(old, s.File); err != nil {
		t.Fatal(err)
	}
	backups := filepath.Join(t.TempDir(), "backups")
	r := s.Serve("--backup-dir", backups)
	if err := os.Rename(home, home+".moved"); err != nil {
		t.Fatal(err)
	}
	r.Logged("no copy of what it holds can be written: its folder " + home + " is gone")
	s.File = filepath.Join(home+".moved", "finance.db") // the lock was moved with it
	if got := s.Do("doctor", "--listen", "127.0.0.1:0"); got.Status != 1 || !strings.Contains(strings.ReplaceAll(got.Stdout, "\n", " "), "removed, moved or replaced under the server") {
		t.Errorf("the doctor ends with %d: %s", got.Status, got.Stdout)
	}
	if err := os.Rename(home+".moved", home); err != nil {
		t.Fatal(err)
	}
	r.Logged("; writes go on")
	if err := errors.Join(os.Mkdir(backups, 0o700), os.Rename(home, home+".moved")); err != nil {
		t.Fatal(err)
	}
	s.Rescued(backups)
	if err := os.Rename(home+".moved", home); err != nil {
		t.Fatal(err)
	}
	r.End()
}

// TestOneServerAFile: processes that have a file by different names keep each other off, and so does one whose lock file was
// removed, which it makes anew.
func TestOneServerAFile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux locks the file itself")
	}
	s := cmdtest.NewBooks(t)
	server := s.Child()
	if server.URL == "" {
		t.Fatal("it did not start")
	}
	defer server.Wait()
	defer server.Process.Signal(syscall.SIGTERM)
	link, hard := filepath.Join(t.TempDir(), "link.db"), filepath.Join(filepath.Dir(s.File), "hard.db")
	if err := errors.Join(os.Symlink(s.File, link), os.Link(s.File, hard)); err != nil {
		t.Fatal(err)
	}
	serve := func(path string) []string { return []string{"serve", "--listen", "127.0.0.1:0", "--data", path} }
	s.Fails(6, serve(link), "a server is running on "+link)
	s.Fails(6, serve(hard), "a server has "+hard+" open by another name")
	for _, args := range [][]string{{"account", "list"}, {"backup"}, {"apikey", "create"}} {
		s.Fails(6, append(args, "--data", hard), "a server has "+hard+" open by another name")
	}
	s.OK("account", "list", "--data", link) // whose log is the server's
	if got := s.Do("doctor"); !strings.Contains(got.Stdout, "has 2 names (hard links)") {
		t.Errorf("the doctor does not say that there are two names: %s", got.Stdout)
	}
	if err := errors.Join(os.Remove(hard), os.Remove(s.File+".server-lock")); err != nil {
		t.Fatal(err)
	}
	s.Fails(6, serve(s.File), s.File) // by the lock of the file, or by a lock file that is there again
	deadline := time.Now().Add(time.Minute)
	for got := s.Do("account", "list"); got.Status != 0; got = s.Do("account", "list") {
		if time.Now().After(deadline) {
			t.Fatalf("commands are kept off: %s", got.Stderr)
		}
		time.Sleep(5 * time.Millisecond)
	}
	s.Fails(6, serve(s.File), "a server is running on "+s.File+fmt.Sprintf(" already (process %d", server.Process.Pid))
}
