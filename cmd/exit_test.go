package cmd_test

import (
	"os"
	"path/filepath"
	"testing"

	"finsvc/cmd/cmdtest"

	"finsvc/db/dbtest"
)

func TestWrongUsage(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	for _, args := range [][]string{
		{}, {"nothing"}, {"apikey"}, {"apikey", "make"}, {"apikey", "list", "--nope"}, {"apikey", "list", "extra"}, {"user", "create"},
		{"serve", "--log", "xml"}, {"serve", "--log-level", "loud"}, {"serve", "--import-max", "0"}, {"serve", "--import-max", "9999999999GiB"},
		{"serve", "--listen", "nowhere"},
	} {
		s.Fails(2, args, "finsvc")
	}
	s.Fails(2, []string{"apikey", "lst"}, "did you mean list?")
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	for env, word := range map[string]string{
		"FINSVC_LISTN=:7117":       "did you mean FINSVC_LISTEN?",
		"FINSVC_WHATEVER_ELSE=1":   "known are",
		"FINSVC_PORT=8080":         "FINSVC_PORT means nothing; did you mean FINSVC_LISTEN, such as FINSVC_LISTEN=127.0.0.1:8080, or :8080 for every interface?",
		"FINSVC_PORT=:8080":        "did you mean FINSVC_LISTEN?",
		"FINSVC_PORT_NUMBER=80":    "FINSVC_PORT_NUMBER means nothing",
		"FINSVC_SERVICE_NAME=x":    "FINSVC_SERVICE_NAME means nothing",
		"FINSVC_HOST=0.0.0.0":      "did you mean FINSVC_LISTEN?",
		"FINSVC_DB=/srv/x.db":      "did you mean FINSVC_DATA?",
		"FINSVC_LOG=xml":           "FINSVC_LOG must be auto, text or json",
		"FINSVC_LOG_LEVEL=loud":    "FINSVC_LOG_LEVEL must be",
		"FINSVC_IMPORT_MAX=plenty": "FINSVC_IMPORT_MAX must be a size",
	} {
		s := cmdtest.NewCommandLine(t)
		s.Env = []string{env}
		s.Fails(2, []string{"version"}, word)
	}
	s := cmdtest.NewCommandLine(t)
	s.Env = []string{"FINSVC_AI_KEY=x", "FINSVC_ASSISTANT=off", "FINSVC_SERVICE_HOST=10.0.0.1", "FINSVC_SERVICE_PORT=7117", "FINSVC_SERVICE_PORT_HTTP=7117",
		"FINSVC_PORT=tcp://10.0.0.1:7117", "FINSVC_PORT_7117_TCP=tcp://10.0.0.1:7117", "FINSVC_PORT_7117_TCP_ADDR=10.0.0.1",
		"FINSVC_LOG=", "FINSVC_IMPORT_MAX=10MiB"}
	s.OK("version")
}

func TestStatusOfFiles(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.Fails(5, []string{"apikey", "list"}, "there is no database", "--data", "apikey create")
	s.Fails(5, []string{"apikey", "create", "--data", filepath.Join(s.TempDir(), "none", "finance.db")}, "folder does not exist", "mkdir -p")
	s.Fails(1, []string{"apikey", "create", "--data", s.TempDir()}, "is a folder")

	text := filepath.Join(s.TempDir(), "letter.txt")
	if err := os.WriteFile(text, []byte("Dear all, this is not a database, and it is long enough to be looked at by one who wants to know for sure. Yours"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Fails(1, []string{"apikey", "list", "--data", text}, "is not a database")

	newer := dbtest.Path(t)
	cmdtest.Spoil(t, newer, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
	s.Fails(6, []string{"serve", "--data", newer, "--listen", "127.0.0.1:0"}, "newer finsvc", "9999")
	s.Fails(5, []string{"apikey", "list", "--data", dbtest.Path(t)}, "no household yet")
}

func TestReadOnlyFolder(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o500); err != nil {
		t.Fatal(err)
	}
	if probe, err := os.Create(filepath.Join(folder, "probe")); err == nil {
		probe.Close()
		t.Skip("this user may write everywhere")
	}
	s.Fails(4, []string{"apikey", "create", "--data", filepath.Join(folder, "finance.db")}, "not writable for user", "chown")
}
