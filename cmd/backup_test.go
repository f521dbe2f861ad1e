package cmd_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"

	"finsvc/db"
)

func TestBackup(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	s.OK("import", s.Write("january.csv", good), "--account", "Giro", "--yes")
	if listed := s.List("backup", "list"); len(listed) != 0 {
		t.Errorf("before the first copy there are %v", listed)
	}
	got := s.Do("backup")
	path := strings.TrimSuffix(got.Stdout, "\n")
	if got.Status != 0 || filepath.Dir(path) != s.Backups() || !strings.Contains(got.Stderr, "OK: "+path) || !strings.Contains(got.Stderr, "schema ") {
		t.Fatalf("status %d, printed %q, said %q", got.Status, got.Stdout, got.Stderr)
	}
	if names := s.Files(s.Backups()); !slices.Equal(names, []string{filepath.Base(path), filepath.Base(path) + ".sha256"}) {
		t.Errorf("the folder holds %v", names)
	}
	for _, file := range []string{path, s.Backups()} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others may read %s: %v, %v", file, info.Mode(), err)
		}
	}
	if listed := s.List("backup", "list"); len(listed) != 1 || listed[0]["path"] != path || listed[0]["kind"] != "checked" {
		t.Errorf("the list is %v", listed)
	}
	if said := s.Do("backup", "verify", path); said.Status != 0 || !strings.Contains(said.Stderr, "OK: "+path) {
		t.Errorf("verify: %v", said)
	}
	var report map[string]any
	if err := json.Unmarshal([]byte(s.OK("backup", "verify", path, "--json")), &report); err != nil || report["households"] != 1.0 || len(report["defects"].([]any)) != 0 {
		t.Errorf("the report is %v, %v", report, err)
	}
}

// TestBackupTo: the copy goes where it is told to, and into nothing that is there.
func TestBackupTo(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	folder, file := t.TempDir(), filepath.Join(t.TempDir(), "mine.db")
	if printed := s.OK("backup", "-o", folder); filepath.Dir(printed) != folder {
		t.Errorf("printed %q", printed)
	}
	var report map[string]any
	if err := json.Unmarshal([]byte(s.OK("backup", "-o", file, "--json")), &report); err != nil || report["path"] != file {
		t.Errorf("the report is %v, %v", report, err)
	}
	s.Fails(6, []string{"backup", "-o", file}, file+" is there already")
	got := s.Do("backup", "-o", "-")
	if got.Status != 0 || !strings.HasPrefix(got.Stdout, "SQLite format 3") {
		t.Errorf("status %d, %d bytes, said %q", got.Status, len(got.Stdout), got.Stderr)
	}
	sent := s.Write("sent.db", got.Stdout)
	s.OK("backup", "verify", sent)
	if names := s.Files(filepath.Dir(s.File)); slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, "scratch") }) {
		t.Errorf("left are %v", names)
	}
	s.Fails(2, []string{"backup", "-o", "-", "--json"}, "standard output is the copy")
	s.Fails(2, []string{"backup", "--keep", "-1"}, "--keep must be")
	s.Fails(5, []string{"backup", "-o", filepath.Join(folder, "missing", "copy.db")}, "folder does not exist", "mkdir -p")
	s.Fails(5, []string{"backup", "--data", filepath.Join(folder, "none.db")}, "there is no database")
	s.Fails(1, []string{"backup", "verify", s.Write("text", strings.Repeat("no database ", 100))}, "is not a database")
	s.Fails(5, []string{"backup", "verify", filepath.Join(folder, "none.db")}, "does not exist")
}

// TestBackupWhileServed: copies that are made while a server writes are whole, and each holds what was acknowledged
// before it began. A served database is not replaced.
func TestBackupWhileServed(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	key := strings.TrimSpace(s.OK("apikey", "create", "--rate-limit", "1000000"))
	account := s.List("account", "list")[0]["id"].(string)
	r := s.Serve()
	client := cmdtest.LoadClient{URL: r.URL + "/api/v1", Key: key, Transport: plainTransport(t)}
	var mu sync.Mutex
	written, stop := 0, make(chan bool)
	var writer sync.WaitGroup
	writer.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			body := fmt.Sprintf(`{"transaction": {"account_id": %q, "date": "2026-02-01", "amount": 1, "name": "Row %d"}}`, account, n)
			if status, answer := client.Ask("POST", "/transactions", body, ""); status != 201 {
				t.Errorf("%d %s", status, answer)
				return
			}
			mu.Lock()
			written++
			mu.Unlock()
		}
	})
	for n := range 3 {
		mu.Lock()
		before := written
		mu.Unlock()
		path := filepath.Join(t.TempDir(), fmt.Sprintf("%d.db", n))
		s.OK("backup", "-o", path)
		copied := &cmdtest.CommandLine{T: t, File: path, Env: s.Env}
		cents, err := strconv.Atoi(fmt.Sprintf("%.0f", copied.List("account", "list")[0]["balance_cents"]))
		if rows := (100_000 - cents) / 100; err != nil || rows < before {
			t.Errorf("the copy holds %d rows, %d were written before it", rows, before)
		}
	}
	close(stop)
	writer.Wait()
	path := strings.TrimSpace(s.OK("backup"))
	s.Fails(6, []string{"restore", path, "--force"}, "a server is running on "+s.File, "Stop it")
	r.End()
	s.OK("restore", path, "--force")
}

// TestVerifyFindsDamage: whatever is wrong with a copy, verify says it and restore refuses it, and nothing changes.
func TestVerifyFindsDamage(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	s.OK("import", s.Write("january.csv", good), "--account", "Giro", "--yes")
	sound := strings.TrimSpace(s.OK("backup"))
	content := s.Read(sound)
	damaged := func(name string, change func(b []byte) []byte) string {
		return s.Write(name, string(change(bytes.Clone(content))))
	}
	flipped := damaged("flipped.db", func(b []byte) []byte { b[len(b)/2+77] ^= 8; return b })
	s.Write("flipped.db.sha256", string(s.Read(sound+".sha256")))
	torn := damaged("torn.db", func(b []byte) []byte { clear(b[4096*4 : 4096*12]); return b })
	half := damaged("half.db", func(b []byte) []byte { return b[:len(b)/2] })
	wrong := damaged("wrong.db", func(b []byte) []byte { return b })
	cmdtest.Spoil(t, wrong, "UPDATE tags SET household_id = 99; INSERT INTO tags VALUES (7, zeroblob(16), 9, 'Lost', 'lost', '#000000', 0, 0)")
	before := s.Read(s.File)
	for file, words := range map[string]string{flipped: "its checksum differs", torn: "", half: "", wrong: "refers to a row of households that is not there"} {
		s.Fails(1, []string{"backup", "verify", file}, words, "damaged")
		s.Fails(1, []string{"restore", file, "--force"}, words)
		s.Fails(1, []string{"restore", file, "--dry-run"}, words)
	}
	if !bytes.Equal(before, s.Read(s.File)) {
		t.Error("the database changed")
	}
	if names := s.Files(filepath.Dir(s.File)); slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "finance.db.") }) {
		t.Errorf("left are %v", names)
	}
}

// TestBackupOfDamaged: a copy of a damaged database is kept under a name that says so, and removes no other.
func TestBackupOfDamaged(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	s.OK("backup", "--keep", "1")
	cmdtest.Spoil(t, s.File, "INSERT INTO tags VALUES (7, zeroblob(16), 9, 'Lost', 'lost', '#000000', 0, 0)")
	folder := t.TempDir()
	s.Fails(1, []string{"backup", "-o", folder, "--keep", "1"}, ".damaged is damaged", "row 7 of tags", "finsvc doctor")
	if listed := s.List("backup", "list", "--backup-dir", folder); len(listed) != 1 || listed[0]["kind"] != "damaged" {
		t.Errorf("the list is %v", listed)
	}
	if listed := s.List("backup", "list"); len(listed) != 1 || listed[0]["kind"] != "checked" {
		t.Errorf("the list is %v", listed)
	}
}

// TestWrongRollup: a balance that is not the sum of its rows is a defect of a copy.
func TestWrongRollup(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	s.OK("import", s.Write("january.csv", good), "--account", "Giro", "--yes")
	path := filepath.Join(t.TempDir(), "copy.db")
	s.OK("backup", "-o", path)
	cmdtest.Spoil(t, path, "UPDATE account_days SET amount = amount + 1")
	s.Fails(1, []string{"backup", "verify", path}, "is damaged")
}

func TestBackupsKept(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	old := time.Now().Add(-48 * time.Hour)
	for name, stays := range map[string]bool{
		"finance-20250101T000000Z.db": false, "finance-20250101T000000Z.db.sha256": false, "finance-20250102T000000Z.db": true, "finance-20250102T000000Z.db.sha256": true,
		"finance-20231201T000000Z-before-schema-2.db": false, "finance-20240101T000000Z-before-schema-3.db": true, "finance-20240102T000000Z-before-schema-4.db": true, "finance-20240103T000000Z-before-schema-5.db": true,
		"finance-20240101T000000Z.db.damaged": false, "finance-20240102T000000Z.db.damaged": true, "finance-20240101T000000Z.db.part": false,
		"other-20200101T000000Z.db": true, "finance.db": true, "finance-2020.db": true, "notes.txt": true,
	} {
		path := filepath.Join(s.Backups(), name)
		if err := os.MkdirAll(s.Backups(), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if _, err := os.Stat(path); (err == nil) != stays {
				t.Errorf("%s: %v, want it to stay: %t", name, err, stays)
			}
		})
	}
	future := filepath.Join(s.Backups(), db.CopyName(s.File, time.Now().AddDate(1, 0, 0), "")) // of a clock that was wrong
	if err := os.WriteFile(future, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	made := strings.TrimSpace(s.OK("backup", "--keep", "3"))
	s.OK("backup", "verify", made)
}
