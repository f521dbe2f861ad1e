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

	"finsvc/cmd/cmdtest"

	"finsvc/db/dbtest"
)

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
	s := cmdtest.NewCommandLine(t)
	newer := dbtest.Path(t)
	cmdtest.Spoil(t, newer, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
	foreign := filepath.Join(t.TempDir(), "notes.db")
	cmdtest.Spoil(t, foreign, "CREATE TABLE notes (text)")
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
		"no database":                {1, []string{"--data", s.PutFile(filepath.Join(t.TempDir(), "letter.txt"), []byte(strings.Repeat("Dear all, ", 100)), 0o600)}, "", []string{"is not a database", "--data"}},
		"another's database":         {1, []string{"--data", foreign}, "", []string{"is a database of another program", "--data"}},
		"folder":                     {1, []string{"--data", t.TempDir()}, "", []string{"is a folder", "--data"}},
		"missing folder":             {5, []string{"--data", filepath.Join(missing, "finance.db")}, "", []string{"folder does not exist", "mkdir -p " + strconv.Quote(missing)}},
		"file instead of folder":     {1, []string{"--data", filepath.Join(newer, "finance.db")}, "", []string{"is not a folder", "--data"}},
		"damaged, no backup":         {1, []string{"--data", s.Damaged()}, "", []string{"is damaged", "finsvc restore FILE", "There is no backup in "}},
		"wrong setting":              {2, []string{"--log", "xml"}, "", []string{"must be auto, text or json", "finsvc serve --help"}},
		"mistyped variable":          {2, nil, "FINSVC_LISTN=:7117", []string{"FINSVC_LISTN means nothing", "did you mean FINSVC_LISTEN?"}},
		"wrong variable":             {2, nil, "FINSVC_IMPORT_MAX=plenty", []string{"FINSVC_IMPORT_MAX must be a size such as 64MiB"}},
		"provider without model":     {2, nil, "FINSVC_AI_URL=http://localhost:1/v1", []string{"needs a model", "--ai-model"}},
		"key file that is not there": {5, nil, "FINSVC_AI_KEY_FILE=" + missing, []string{missing}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one := cmdtest.NewCommandLine(t)
			if one.Env = append(one.Env, "FINSVC_LISTEN=127.0.0.1:0"); c.env != "" {
				one.Env = append(one.Env, c.env)
			}
			if strings.HasPrefix(c.env, "FINSVC_AI_KEY_FILE") {
				one.Env = append(one.Env, "FINSVC_AI_URL=http://localhost:1/v1", "FINSVC_AI_MODEL=small")
			}
			one.Fails(c.status, append([]string{"serve"}, c.args...), c.words...)
		})
	}
}

// TestDamagedFileNamesTheNewestBackup: of three copies beside the file, one of them half written, the newest.
func TestDamagedFileNamesTheNewestBackup(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.Env = append(s.Env, "TZ=UTC")
	s.File = s.Damaged()
	folder := filepath.Join(filepath.Dir(s.File), "backups")
	for _, name := range []string{"finance-20261120T020000Z.db", "finance-20261121T020000Z-before-schema-16.db", "finance-20261119T020000Z.db", "other-20261122T020000Z.db", "finance-2026.db", "finance.db"} {
		s.PutFile(filepath.Join(folder, name), s.GetFile(dbtest.Path(t)), 0o600)
	}
	newest := filepath.Join(folder, "finance-20261121T020000Z-before-schema-16.db")
	s.Fails(1, []string{"serve", "--listen", "127.0.0.1:0"}, "is damaged", "finsvc restore --force --data '"+s.File+"' '"+newest+"'")
}

// TestSecondServer is told which process has the file, and where it listens.
func TestSecondServer(t *testing.T) {
	t.Parallel()
	r := cmdtest.NewCommandLine(t).Serve()
	addr := strings.TrimPrefix(r.URL, "http://")
	if runtime.GOOS == "windows" {
		addr = "" // nobody reads a locked file there
	}
	r.Fails(6, []string{"serve", "--listen", "127.0.0.1:0"}, "a server is running on "+r.File, strconv.Itoa(os.Getpid()), addr, "--data")
	other := cmdtest.NewCommandLine(t)
	other.Fails(6, []string{"serve", "--listen", strings.TrimPrefix(r.URL, "http://")}, "in use by another finsvc (version unreleased)")
	r.End()
	if left := r.Files(filepath.Dir(r.File)); !slices.Equal(left, []string{"finance.db"}) {
		t.Errorf("after the server ended there are %v", left)
	}
}

// asNobody runs the program as a user that owns nothing, in a folder that all may enter.
func asNobody(t *testing.T, folder string, args ...string) cmdtest.Outcome {
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
	c.Env, c.Dir = []string{cmdtest.AsProgram + "=1"}, folder
	var stderr strings.Builder
	c.Stderr = &stderr
	err = c.Run()
	if exit, failed := errors.AsType[*exec.ExitError](err); failed {
		return cmdtest.Outcome{Status: exit.ExitCode(), Stdout: "", Stderr: stderr.String()}
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return cmdtest.Outcome{Status: 0, Stdout: "", Stderr: stderr.String()}
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
		if got.Status != 4 {
			t.Errorf("%s: status %d, want 4", path, got.Status)
		}
		for _, word := range words {
			if !strings.Contains(got.Stderr, word) {
				t.Errorf("%s: said %q, want %q in it", path, got.Stderr, word)
			}
		}
	}
}
