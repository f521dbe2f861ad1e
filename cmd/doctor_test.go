package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"

	"finsvc/db/dbtest"
)

// TestDoctorOfAHealthyFile: all is well but that there is no backup, and nothing changes.
func TestDoctorOfAHealthyFile(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.Home()
	s.OK("account", "create", "Everyday", "--type", "depository", "--balance", "10.00")
	before := s.GetFile(s.File)
	all := s.Doctor(0)
	for _, check := range []string{"version", "database", "books", "rates", "prices", "accounts", "server", "disk", "space", "modes", "clock", "settings", "outgoing"} {
		// What the file lies on is the machine's matter.
		if f := all[check]; f.Status != "ok" && check != "disk" && check != "space" {
			t.Errorf("%s: %+v, want ok", check, f)
		}
	}
	if f := all["backups"]; f.Status != "warn" || !strings.Contains(f.Message, "finsvc backup") {
		t.Errorf("backups: %+v", f)
	}
	if string(before) != string(s.GetFile(s.File)) {
		t.Error("the file has changed")
	}
	got := s.Do("doctor")
	if !strings.Contains(got.Stdout, "\nok    database    "+s.File+", ") || !strings.Contains(got.Stderr, "warning") {
		t.Errorf("printed %s, said %s", got.Stdout, got.Stderr)
	}
	s.Fails(5, []string{"doctor", "--data", s.File + "x"}, "there is no database")
}

// TestDoctorBesideAServer says which process serves the file, and leaves it alone.
func TestDoctorBesideAServer(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.Home()
	r := s.Serve()
	want := fmt.Sprintf("process %d, at %s, since ", os.Getpid(), strings.TrimPrefix(r.URL, "http://"))
	if runtime.GOOS == "windows" {
		want = "another process"
	}
	if f := r.Doctor(0)["server"]; f.Status != "ok" || !strings.Contains(f.Message, want) {
		t.Errorf("server: %+v, want %q in it", f, want)
	}
	if status, _ := r.Get("/up", ""); status != 200 {
		t.Errorf("/up: %d", status)
	}
	r.End()
	if f := s.Doctor(0)["server"]; f.Message != "none runs on the file" {
		t.Errorf("server: %+v", f)
	}
}

// future is beyond any clock that this test is run by.
const future = 32503680000000 // the year 3000

// TestDoctorFinds: one trouble each, and the exit status that it gives.
func TestDoctorFinds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		make   func(s *cmdtest.CommandLine)
		exit   int
		check  string
		status string
		words  []string // in the message or the details
	}{
		"a broken reference": {func(s *cmdtest.CommandLine) {
			cmdtest.Spoil(s.T, s.File, "PRAGMA foreign_keys = 0; INSERT INTO tags VALUES (7, zeroblob(16), 9, 'Lost', 'lost', '#000000', 0, 0)")
		}, 1, "database", "fail", []string{"1 defect", "There is no backup in ", "row 7 of tags refers to a row of households that is not there"}},
		"a damaged file":  {func(s *cmdtest.CommandLine) { s.File = s.Damaged() }, 1, "database", "fail", []string{"is damaged", "There is no backup in "}},
		"an older schema": {func(s *cmdtest.CommandLine) { s.Outdate() }, 0, "schema", "warn", []string{"schema 1,"}},
		"a newer schema": {func(s *cmdtest.CommandLine) {
			cmdtest.Spoil(s.T, s.File, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
		}, 1, "database", "fail", []string{"Upgrade finsvc"}},
		"no household": {func(s *cmdtest.CommandLine) { s.File = dbtest.Path(s.T) }, 0, "households", "warn", []string{"finsvc apikey create"}},
		"an old rate": {func(s *cmdtest.CommandLine) {
			s.OK("account", "create", "Dollars", "--type", "depository", "--currency", "USD", "--balance", "25.00")
			s.OK("rates", "import", s.PutFile(filepath.Join(s.TempDir(), "r.csv"), []byte("date,from,to,rate\n2020-01-07,EUR,USD,1.1\n"), 0o600))
		}, 0, "rates", "warn", []string{"finsvc rates import", "counts something at old exchange rates", `USD to EUR: the rate of 2020-01-07 counts for `, ` days old`}},
		"no rate at all": {func(s *cmdtest.CommandLine) {
			s.OK("account", "create", "Dollars", "--type", "depository", "--currency", "USD", "--balance", "25.00")
			s.OK("rates", "import", s.PutFile(filepath.Join(s.TempDir(), "r.csv"), []byte("date,from,to,rate\n2020-01-07,EUR,JPY,160\n"), 0o600))
		}, 0, "rates", "warn", []string{"finsvc rates import", `USD to EUR (no rate at all): `, `25,00`, ` left out, of "Dollars"`}},
		"rates that lead nowhere": {func(s *cmdtest.CommandLine) {
			s.OK("account", "create", "Dollars", "--type", "depository", "--currency", "USD", "--balance", "25.00")
			s.OK("rates", "import", s.PutFile(filepath.Join(s.TempDir(), "r.csv"), []byte("date,from,to,rate\n2020-01-07,USD,JPY,160\n"), 0o600))
		}, 0, "rates", "warn", []string{`USD to EUR (no rate on or before the day; those of USD with any currency begin on 2020-01-07): `}},
		"an old price": {func(s *cmdtest.CommandLine) {
			s.OK("account", "create", "Depot", "--type", "investment", "--balance", "1000.00", "--date", "2020-01-01")
			s.OK("import", s.PutFile(filepath.Join(s.TempDir(), "t.csv"), []byte("date,ticker,qty,price,currency\n2020-01-06,VWCE,2,100.00,EUR\n"), 0o600),
				"--type", "TradeImport", "--account", "Depot", "--set", "date_format=%Y-%m-%d", "--yes")
		}, 0, "prices", "warn", []string{"finsvc prices import", "VWCE: no market price; what was paid is of 2020-01-06"}},
		"an account that fell silent": {func(s *cmdtest.CommandLine) { s.Book("10.00", 6) }, 0, "accounts", "warn", []string{`"Everyday": nothing new since 2020-01-06`}},
		"an account below zero":       {func(s *cmdtest.CommandLine) { s.Book("-10.00", 5) }, 0, "accounts", "warn", []string{`"Everyday" is below zero: `, "-50,00"}},
		"a zone that is not known": {func(s *cmdtest.CommandLine) {
			cmdtest.Spoil(s.T, s.File, "UPDATE households SET timezone = 'Mars/Olympus'")
		}, 1, "zone", "fail", []string{"Mars/Olympus"}},
		"entries of the future": {func(s *cmdtest.CommandLine) {
			cmdtest.Spoil(s.T, s.File, fmt.Sprintf("INSERT INTO changes (household_id, at, origin, entity, entity_id, action, after, operation_id) VALUES (1, %d, 'cli', 'tag', zeroblob(16), 'create', '{}', zeroblob(16))", future))
		}, 0, "clock", "warn", []string{"made in the future (3000-01-01"}},
		"a file of the future": {func(s *cmdtest.CommandLine) {
			if err := os.Chtimes(s.File, time.Time{}, time.Now().Add(48*time.Hour)); err != nil {
				s.Fatal(err)
			}
		}, 0, "clock", "warn", []string{"the file was written later ("}},
		"no TLS in the network": {func(s *cmdtest.CommandLine) { s.Env = append(s.Env, "FINSVC_LISTEN=:7117") }, 0, "settings", "warn", []string{"listens at :7117 without TLS"}},
		"half a provider":       {func(s *cmdtest.CommandLine) { s.Env = append(s.Env, "FINSVC_AI_URL=http://localhost:1/v1") }, 1, "settings", "fail", []string{"needs a model"}},
		"places to connect to": {func(s *cmdtest.CommandLine) {
			s.Env = append(s.Env, "FINSVC_AI_URL=https://models.example/v1", "FINSVC_AI_MODEL=m", "FINSVC_PRICES_URL=https://prices.example/{ticker}.csv")
		}, 0, "outgoing", "ok", []string{"models.example (FINSVC_AI_URL)", "prices.example (FINSVC_PRICES_URL)"}},
		"a file that all may read": {func(s *cmdtest.CommandLine) {
			if err := os.Chmod(s.File, 0o644); err != nil || runtime.GOOS == "windows" {
				s.Skip(err)
			}
		}, 0, "modes", "warn", []string{"has mode 0644. Better: chmod 600"}},
		"a fresh backup": {func(s *cmdtest.CommandLine) { s.Backup(time.Now().Add(-26*time.Hour), s.GetFile(s.File)) }, 0, "backups", "ok", []string{"newest 1 day ago, kept: 1", "readable"}},
		"an old backup":  {func(s *cmdtest.CommandLine) { s.Backup(time.Now().Add(-9*24*time.Hour), s.GetFile(s.File)) }, 0, "backups", "warn", []string{"newest 1 week ago", "that is old", "finsvc backup"}},
		"an old backup of what is idle": {func(s *cmdtest.CommandLine) {
			s.Backup(time.Now().Add(-9*24*time.Hour), s.GetFile(s.File))
			if err := os.Chtimes(s.File, time.Time{}, time.Now().Add(-10*24*time.Hour)); err != nil {
				s.Fatal(err)
			}
		}, 0, "backups", "ok", []string{"readable"}},
		"a broken backup": {func(s *cmdtest.CommandLine) { s.Backup(time.Now(), []byte("half")) }, 1, "backups", "fail", []string{"cannot be read", "finsvc backup"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := cmdtest.NewCommandLine(t)
			s.Env = append(s.Env, "TZ=UTC")
			s.Home()
			c.make(s)
			f := s.Doctor(c.exit)[c.check]
			text := f.Message + "\n" + strings.Join(f.Details, "\n")
			if f.Status != c.status {
				t.Errorf("got %+v, want %s", f, c.status)
			}
			for _, word := range c.words {
				if !strings.Contains(text, word) {
					t.Errorf("got %q, want %q in it", text, word)
				}
			}
		})
	}
}

// TestDoctorShowsSomeDetails: five of a check, all of them when they are asked for.
func TestDoctorShowsSomeDetails(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.Home()
	for i := range 7 {
		s.OK("account", "create", fmt.Sprintf("Account %d", i), "--type", "depository", "--balance", "-1.00")
	}
	some, all := s.Do("doctor"), s.Do("doctor", "--verbose")
	if n := strings.Count(some.Stdout, "is below zero"); n != 5 || !strings.Contains(some.Stderr, "finsvc doctor --verbose") {
		t.Errorf("%d details, said %s", n, some.Stderr)
	}
	if n := strings.Count(all.Stdout, "is below zero"); n != 7 || strings.Contains(all.Stderr, "--verbose") {
		t.Errorf("%d details, said %s", n, all.Stderr)
	}
}
