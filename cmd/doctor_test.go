package cmd_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"finsvc/db/dbtest"
)

// found is what a check of the doctor came to.
type found struct {
	Check, Status, Message string
	Details                []string
}

// doctor lets the file be examined and gives what was found, by check; of checks of which there are several the worst.
func (s *commandLine) doctor(status int) map[string]found {
	s.Helper()
	got := s.run("doctor", "--json")
	var list []found
	if err := json.Unmarshal([]byte(got.stdout), &list); err != nil || got.status != status {
		s.Fatalf("status %d, want %d; printed %s, said %s (%v)", got.status, status, got.stdout, got.stderr, err)
	}
	rank := map[string]int{"ok": 1, "warn": 2, "fail": 3}
	all := map[string]found{}
	for _, f := range list {
		if rank[f.Status] == 0 || f.Details == nil {
			s.Errorf("check %+v", f)
		}
		if rank[f.Status] > rank[all[f.Check].Status] {
			all[f.Check] = f
		}
	}
	return all
}

// home makes a household in euros.
func (s *commandLine) home() {
	s.Helper()
	s.ok("household", "create", "Home", "--owner", "ana@example.org", "--currency", "EUR", "--timezone", "Europe/Berlin")
}

// TestDoctorOfAHealthyFile: all is well but that there is no backup, and nothing changes.
func TestDoctorOfAHealthyFile(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	s.home()
	s.ok("account", "create", "Everyday", "--type", "depository", "--balance", "10.00")
	before := s.getFile(s.file)
	all := s.doctor(0)
	for _, check := range []string{"version", "database", "books", "rates", "prices", "accounts", "server", "disk", "space", "modes", "clock", "settings", "outgoing"} {
		// What the file lies on is the machine's matter.
		if f := all[check]; f.Status != "ok" && check != "disk" && check != "space" {
			t.Errorf("%s: %+v, want ok", check, f)
		}
	}
	if f := all["backups"]; f.Status != "warn" || !strings.Contains(f.Message, "finsvc backup") {
		t.Errorf("backups: %+v", f)
	}
	if string(before) != string(s.getFile(s.file)) {
		t.Error("the file has changed")
	}
	got := s.run("doctor")
	if !strings.Contains(got.stdout, "\nok    database    "+s.file+", ") || !strings.Contains(got.stderr, "warning") {
		t.Errorf("printed %s, said %s", got.stdout, got.stderr)
	}
	s.fails(5, []string{"doctor", "--data", s.file + "x"}, "there is no database")
}

// TestDoctorBesideAServer says which process serves the file, and leaves it alone.
func TestDoctorBesideAServer(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	s.home()
	r := s.serve()
	want := fmt.Sprintf("process %d, at %s, since ", os.Getpid(), strings.TrimPrefix(r.url, "http://"))
	if runtime.GOOS == "windows" {
		want = "another process"
	}
	if f := r.doctor(0)["server"]; f.Status != "ok" || !strings.Contains(f.Message, want) {
		t.Errorf("server: %+v, want %q in it", f, want)
	}
	if status, _ := r.get("/up", ""); status != 200 {
		t.Errorf("/up: %d", status)
	}
	r.end()
	if f := s.doctor(0)["server"]; f.Message != "none runs on the file" {
		t.Errorf("server: %+v", f)
	}
}

// future is beyond any clock that this test is run by.
const future = 32503680000000 // the year 3000

// TestDoctorFinds: one trouble each, and the exit status that it gives.
func TestDoctorFinds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		make   func(s *commandLine)
		exit   int
		check  string
		status string
		words  []string // in the message or the details
	}{
		"a broken reference": {func(s *commandLine) {
			spoil(s.T, s.file, "PRAGMA foreign_keys = 0; INSERT INTO tags VALUES (7, zeroblob(16), 9, 'Lost', 'lost', '#000000', 0, 0)")
		}, 1, "database", "fail", []string{"1 defect", "There is no backup in ", "row 7 of tags refers to a row of households that is not there"}},
		"a damaged file":  {func(s *commandLine) { s.file = s.damaged() }, 1, "database", "fail", []string{"is damaged", "There is no backup in "}},
		"an older schema": {func(s *commandLine) { s.outdate() }, 0, "schema", "warn", []string{"schema 1,"}},
		"a newer schema": {func(s *commandLine) {
			spoil(s.T, s.file, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
		}, 1, "database", "fail", []string{"Upgrade finsvc"}},
		"no household": {func(s *commandLine) { s.file = dbtest.Path(s.T) }, 0, "households", "warn", []string{"finsvc apikey create"}},
		"an old rate": {func(s *commandLine) {
			s.ok("account", "create", "Dollars", "--type", "depository", "--currency", "USD", "--balance", "25.00")
			s.ok("rates", "import", s.putFile(filepath.Join(s.TempDir(), "r.csv"), []byte("date,from,to,rate\n2020-01-07,EUR,USD,1.1\n"), 0o600))
		}, 0, "rates", "warn", []string{"finsvc rates import", "counts something at old exchange rates", `USD to EUR: the rate of 2020-01-07 counts for `, ` days old`}},
		"no rate at all": {func(s *commandLine) {
			s.ok("account", "create", "Dollars", "--type", "depository", "--currency", "USD", "--balance", "25.00")
			s.ok("rates", "import", s.putFile(filepath.Join(s.TempDir(), "r.csv"), []byte("date,from,to,rate\n2020-01-07,EUR,JPY,160\n"), 0o600))
		}, 0, "rates", "warn", []string{"finsvc rates import", `USD to EUR (no rate at all): `, `25,00`, ` left out, of "Dollars"`}},
		"rates that lead nowhere": {func(s *commandLine) {
			s.ok("account", "create", "Dollars", "--type", "depository", "--currency", "USD", "--balance", "25.00")
			s.ok("rates", "import", s.putFile(filepath.Join(s.TempDir(), "r.csv"), []byte("date,from,to,rate\n2020-01-07,USD,JPY,160\n"), 0o600))
		}, 0, "rates", "warn", []string{`USD to EUR (no rate on or before the day; those of USD with any currency begin on 2020-01-07): `}},
		"an old price": {func(s *commandLine) {
			s.ok("account", "create", "Depot", "--type", "investment", "--balance", "1000.00", "--date", "2020-01-01")
			s.ok("import", s.putFile(filepath.Join(s.TempDir(), "t.csv"), []byte("date,ticker,qty,price,currency\n2020-01-06,VWCE,2,100.00,EUR\n"), 0o600),
				"--type", "TradeImport", "--account", "Depot", "--set", "date_format=%Y-%m-%d", "--yes")
		}, 0, "prices", "warn", []string{"finsvc prices import", "VWCE: no market price; what was paid is of 2020-01-06"}},
		"an account that fell silent": {func(s *commandLine) { s.book("10.00", 6) }, 0, "accounts", "warn", []string{`"Everyday": nothing new since 2020-01-06`}},
		"an account below zero":       {func(s *commandLine) { s.book("-10.00", 5) }, 0, "accounts", "warn", []string{`"Everyday" is below zero: `, "-50,00"}},
		"a zone that is not known":    {func(s *commandLine) { spoil(s.T, s.file, "UPDATE households SET timezone = 'Mars/Olympus'") }, 1, "zone", "fail", []string{"Mars/Olympus"}},
		"entries of the future": {func(s *commandLine) {
			spoil(s.T, s.file, fmt.Sprintf("INSERT INTO changes (household_id, at, origin, entity, entity_id, action, after) VALUES (1, %d, 'cli', 'tag', zeroblob(16), 'create', '{}')", future))
		}, 0, "clock", "warn", []string{"made in the future (3000-01-01"}},
		"a file of the future": {func(s *commandLine) {
			if err := os.Chtimes(s.file, time.Time{}, time.Now().Add(48*time.Hour)); err != nil {
				s.Fatal(err)
			}
		}, 0, "clock", "warn", []string{"the file was written later ("}},
		"no TLS in the network": {func(s *commandLine) { s.env = append(s.env, "FINSVC_LISTEN=:7117") }, 0, "settings", "warn", []string{"listens at :7117 without TLS"}},
		"half a provider":       {func(s *commandLine) { s.env = append(s.env, "FINSVC_AI_URL=http://localhost:1/v1") }, 1, "settings", "fail", []string{"needs a model"}},
		"places to connect to": {func(s *commandLine) {
			s.env = append(s.env, "FINSVC_AI_URL=https://models.example/v1", "FINSVC_AI_MODEL=m", "FINSVC_PRICES_URL=https://prices.example/{ticker}.csv")
		}, 0, "outgoing", "ok", []string{"models.example (FINSVC_AI_URL)", "prices.example (FINSVC_PRICES_URL)"}},
		"a file that all may read": {func(s *commandLine) {
			if err := os.Chmod(s.file, 0o644); err != nil || runtime.GOOS == "windows" {
				s.Skip(err)
			}
		}, 0, "modes", "warn", []string{"has mode 0644. Better: chmod 600"}},
		"a fresh backup": {func(s *commandLine) { s.backup(time.Now().Add(-26*time.Hour), s.getFile(s.file)) }, 0, "backups", "ok", []string{"newest 1 day ago, kept: 1", "readable"}},
		"an old backup":  {func(s *commandLine) { s.backup(time.Now().Add(-9*24*time.Hour), s.getFile(s.file)) }, 0, "backups", "warn", []string{"newest 1 week ago", "that is old", "finsvc backup"}},
		"an old backup of what is idle": {func(s *commandLine) {
			s.backup(time.Now().Add(-9*24*time.Hour), s.getFile(s.file))
			if err := os.Chtimes(s.file, time.Time{}, time.Now().Add(-10*24*time.Hour)); err != nil {
				s.Fatal(err)
			}
		}, 0, "backups", "ok", []string{"readable"}},
		"a broken backup": {func(s *commandLine) { s.backup(time.Now(), []byte("half")) }, 1, "backups", "fail", []string{"cannot be read", "finsvc backup"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newCommandLine(t)
			s.env = append(s.env, "TZ=UTC")
			s.home()
			c.make(s)
			f := s.doctor(c.exit)[c.check]
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

// book opens an account and imports a transaction on each of some days of January 2020.
func (s *commandLine) book(amount string, days int) {
	s.Helper()
	s.ok("account", "create", "Everyday", "--type", "depository")
	file := "date,amount,name\n"
	for day := range days {
		file += fmt.Sprintf("2020-01-%02d,%s,Row %d\n", day+1, amount, day)
	}
	s.ok("import", s.putFile(filepath.Join(s.TempDir(), "rows.csv"), []byte(file), 0o600), "--account", "Everyday",
		"--set", "date_format=%Y-%m-%d", "--set", "signage_convention=inflows_positive", "--yes")
}

// backup puts a copy where the program puts its own.
func (s *commandLine) backup(at time.Time, content []byte) {
	s.Helper()
	s.putFile(filepath.Join(filepath.Dir(s.file), "backups", "finance-"+at.UTC().Format("20060102T150405Z")+".db"), content, 0o600)
}

// TestDoctorShowsSomeDetails: five of a check, all of them when they are asked for.
func TestDoctorShowsSomeDetails(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	s.home()
	for i := range 7 {
		s.ok("account", "create", fmt.Sprintf("Account %d", i), "--type", "depository", "--balance", "-1.00")
	}
	some, all := s.run("doctor"), s.run("doctor", "--verbose")
	if n := strings.Count(some.stdout, "is below zero"); n != 5 || !strings.Contains(some.stderr, "finsvc doctor --verbose") {
		t.Errorf("%d details, said %s", n, some.stderr)
	}
	if n := strings.Count(all.stdout, "is below zero"); n != 7 || strings.Contains(all.stderr, "--verbose") {
		t.Errorf("%d details, said %s", n, all.stderr)
	}
}
