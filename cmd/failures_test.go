package cmd_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"finsvc/db/dbtest"
)

// write makes a file of the test.
func (s *commandLine) putFile(path string, content []byte, mode os.FileMode) string {
	s.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, content, mode)); err != nil {
		s.Fatal(err)
	}
	return path
}

func (s *commandLine) getFile(path string) []byte {
	s.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		s.Fatal(err)
	}
	return content
}

// damaged is a database whose pages are overwritten behind the header.
func (s *commandLine) damaged() string {
	s.Helper()
	content := s.getFile(dbtest.Path(s.T))
	for i := 100; i < len(content); i++ {
		content[i] = 0xa5
	}
	return s.putFile(filepath.Join(s.TempDir(), "finance.db"), content, 0o600)
}

// taken is an address at which a program listens that is no finsvc.
func taken(t *testing.T) string {
	t.Helper()
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	return other.Listener.Addr().String()
}

// TestFailuresNameTheirCure: whatever keeps a server from starting is said with the command that mends it.
func TestFailuresNameTheirCure(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	newer := dbtest.Path(t)
	spoil(t, newer, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
	foreign := filepath.Join(t.TempDir(), "notes.db")
	spoil(t, foreign, "CREATE TABLE notes (text)")
	missing, inUse := filepath.Join(t.TempDir(), "none"), taken(t)
	for name, c := range map[string]struct {
		status int
		args   []string
		env    string
		words  []string
	}{
		"address in use":             {6, []string{"--listen", inUse}, "", []string{inUse + " is in use by another program", "Use another port:  finsvc serve --data "}},
		"address of another":         {2, []string{"--listen", "192.0.2.1:7117"}, "", []string{"does not have that address", "finsvc serve --data ", " --listen :7117"}},
		"no address":                 {2, []string{"--listen", "7117"}, "", []string{"cannot listen at 7117", "--listen 127.0.0.1:7117"}},
		"newer schema":               {6, []string{"--data", newer}, "", []string{"newer finsvc (schema 9999", "Upgrade finsvc", "finsvc restore --list"}},
		"no database":                {1, []string{"--data", s.putFile(filepath.Join(t.TempDir(), "letter.txt"), []byte(strings.Repeat("Dear all, ", 100)), 0o600)}, "", []string{"is not a database", "--data"}},
		"another's database":         {1, []string{"--data", foreign}, "", []string{"is a database of another program", "--data"}},
		"folder":                     {1, []string{"--data", t.TempDir()}, "", []string{"is a folder", "--data"}},
		"missing folder":             {5, []string{"--data", filepath.Join(missing, "finance.db")}, "", []string{"folder does not exist", "mkdir -p " + strconv.Quote(missing)}},
		"file instead of folder":     {1, []string{"--data", filepath.Join(newer, "finance.db")}, "", []string{"is not a folder", "--data"}},
		"damaged, no backup":         {1, []string{"--data", s.damaged()}, "", []string{"is damaged", "finsvc restore FILE", "There is no backup in "}},
		"wrong setting":              {2, []string{"--log", "xml"}, "", []string{"must be auto, text or json", "finsvc serve --help"}},
		"mistyped variable":          {2, nil, "FINSVC_LISTN=:7117", []string{"FINSVC_LISTN means nothing", "did you mean FINSVC_LISTEN?"}},
		"wrong variable":             {2, nil, "FINSVC_IMPORT_MAX=plenty", []string{"FINSVC_IMPORT_MAX must be a size such as 64MiB"}},
		"provider without model":     {2, nil, "FINSVC_AI_URL=http://localhost:1/v1", []string{"needs a model", "--ai-model"}},
		"key file that is not there": {5, nil, "FINSVC_AI_KEY_FILE=" + missing, []string{missing}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one := newCommandLine(t)
			if one.env = append(one.env, "FINSVC_LISTEN=127.0.0.1:0"); c.env != "" {
				one.env = append(one.env, c.env)
			}
			if strings.HasPrefix(c.env, "FINSVC_AI_KEY_FILE") {
				one.env = append(one.env, "FINSVC_AI_URL=http://localhost:1/v1", "FINSVC_AI_MODEL=small")
			}
			one.fails(c.status, append([]string{"serve"}, c.args...), c.words...)
		})
	}
}

// TestDamagedFileNamesTheNewestBackup: of three copies beside the file, one of them half written, the newest.
func TestDamagedFileNamesTheNewestBackup(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	s.env = append(s.env, "TZ=UTC")
	s.file = s.damaged()
	folder := filepath.Join(filepath.Dir(s.file), "backups")
	for _, name := range []string{"finance-20261120T020000Z.db", "finance-20261121T020000Z-before-schema-16.db", "finance-20261119T020000Z.db", "other-20261122T020000Z.db", "finance-2026.db", "finance.db"} {
		s.putFile(filepath.Join(folder, name), s.getFile(dbtest.Path(t)), 0o600)
	}
	newest := filepath.Join(folder, "finance-20261121T020000Z-before-schema-16.db")
	s.fails(1, []string{"serve", "--listen", "127.0.0.1:0"}, "is damaged", "finsvc restore --force --data '"+s.file+"' '"+newest+"'")
}

// TestSecondServer is told which process has the file, and where it listens.
func TestSecondServer(t *testing.T) {
	t.Parallel()
	r := newCommandLine(t).serve()
	addr := strings.TrimPrefix(r.url, "http://")
	if runtime.GOOS == "windows" {
		addr = "" // nobody reads a locked file there
	}
	r.fails(6, []string{"serve", "--listen", "127.0.0.1:0"}, "a server is running on "+r.file, strconv.Itoa(os.Getpid()), addr, "--data")
	other := newCommandLine(t)
	other.fails(6, []string{"serve", "--listen", strings.TrimPrefix(r.url, "http://")}, "in use by another finsvc (version unreleased)")
	r.end()
	if left := r.files(filepath.Dir(r.file)); !slices.Equal(left, []string{"finance.db"}) {
		t.Errorf("after the server ended there are %v", left)
	}
}

// asNobody runs the program as a user that owns nothing, in a folder that all may enter.
func asNobody(t *testing.T, folder string, args ...string) outcome {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), program, args...)
	if os.Getuid() == 0 {
		content, err := os.ReadFile(program)
		c.Path = filepath.Join(folder, "finsvc")
		if err = errors.Join(err, os.WriteFile(c.Path, content, 0o755)); err != nil {
			t.Fatal(err)
		}
		becomeNobody(c)
	}
	c.Env, c.Dir = []string{asProgram + "=1"}, folder
	var stderr strings.Builder
	c.Stderr = &stderr
	err = c.Run()
	if exit, failed := errors.AsType[*exec.ExitError](err); failed {
		return outcome{exit.ExitCode(), "", stderr.String()}
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return outcome{0, "", stderr.String()}
}

// TestNotWritable: a folder, a file and a lock file that belong to another user, or that nobody may write.
func TestNotWritable(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	parent, err := os.MkdirTemp("", "notwritable") // t.TempDir lies in a folder that only this user may enter
	if err != nil {
		t.Fatal(err)
	}
	folder, open := filepath.Join(parent, "books"), filepath.Join(parent, "open")
	t.Cleanup(func() {
		os.Chmod(folder, 0o700)
		os.RemoveAll(parent)
	})
	content, err := os.ReadFile(dbtest.Path(t))
	for _, dir := range []string{folder, open} {
		err = errors.Join(err, os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "finance.db"), content, 0o444))
	}
	locked := filepath.Join(open, "locked.db")
	err = errors.Join(err, os.WriteFile(locked, content, 0o666), os.Chmod(locked, 0o666), os.WriteFile(locked+".server-lock", nil, 0o000), os.Chmod(open, 0o777),
		os.Chmod(folder, 0o555), os.Chmod(parent, 0o755))
	if err != nil {
		t.Fatal(err)
	}
	cure := "chown -R 65534 "
	if os.Getuid() != 0 {
		cure = "chmod u+w "
	}
	for path, words := range map[string][]string{
		filepath.Join(folder, "new.db"):   {"cannot be created: " + folder + " is not writable for user", cure + strconv.Quote(folder)},
		filepath.Join(open, "finance.db"): {"finance.db cannot be written: ", "is not writable for user", cure},
		locked:                            {"locked.db.server-lock cannot be written", cure},
	} {
		got := asNobody(t, parent, "serve", "--listen", "127.0.0.1:0", "--data", path)
		if got.status != 4 {
			t.Errorf("%s: status %d, want 4", path, got.status)
		}
		for _, word := range words {
			if !strings.Contains(got.stderr, word) {
				t.Errorf("%s: said %q, want %q in it", path, got.stderr, word)
			}
		}
	}
}
