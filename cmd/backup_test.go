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

	"finsvc/db"
)

// backups is the folder for copies of the shell's file.
func (s *commandLine) backups() string { return filepath.Join(filepath.Dir(s.file), "backups") }

// read is the content of a file.
func (s *commandLine) read(path string) []byte {
	s.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		s.Fatal(err)
	}
	return content
}

// files are the names in a folder; of none there are none.
func (s *commandLine) files(folder string) []string {
	s.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil && !os.IsNotExist(err) {
		s.Fatal(err)
	}
	names := []string{}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestBackup(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	s.ok("import", s.write("january.csv", good), "--account", "Giro", "--yes")
	if listed := s.list("backup", "list"); len(listed) != 0 {
		t.Errorf("before the first copy there are %v", listed)
	}
	got := s.run("backup")
	path := strings.TrimSuffix(got.stdout, "\n")
	if got.status != 0 || filepath.Dir(path) != s.backups() || !strings.Contains(got.stderr, "OK: "+path) || !strings.Contains(got.stderr, "schema ") {
		t.Fatalf("status %d, printed %q, said %q", got.status, got.stdout, got.stderr)
	}
	if names := s.files(s.backups()); !slices.Equal(names, []string{filepath.Base(path), filepath.Base(path) + ".sha256"}) {
		t.Errorf("the folder holds %v", names)
	}
	for _, file := range []string{path, s.backups()} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others may read %s: %v, %v", file, info.Mode(), err)
		}
	}
	if listed := s.list("backup", "list"); len(listed) != 1 || listed[0]["path"] != path || listed[0]["kind"] != "checked" {
		t.Errorf("the list is %v", listed)
	}
	if said := s.run("backup", "verify", path); said.status != 0 || !strings.Contains(said.stderr, "OK: "+path) {
		t.Errorf("verify: %v", said)
	}
	var report map[string]any
	if err := json.Unmarshal([]byte(s.ok("backup", "verify", path, "--json")), &report); err != nil || report["households"] != 1.0 || len(report["defects"].([]any)) != 0 {
		t.Errorf("the report is %v, %v", report, err)
	}
}

// TestBackupTo: the copy goes where it is told to, and into nothing that is there.
func TestBackupTo(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	folder, file := t.TempDir(), filepath.Join(t.TempDir(), "mine.db")
	if printed := s.ok("backup", "-o", folder); filepath.Dir(printed) != folder {
		t.Errorf("printed %q", printed)
	}
	var report map[string]any
	if err := json.Unmarshal([]byte(s.ok("backup", "-o", file, "--json")), &report); err != nil || report["path"] != file {
		t.Errorf("the report is %v, %v", report, err)
	}
	s.fails(6, []string{"backup", "-o", file}, file+" is there already")
	got := s.run("backup", "-o", "-")
	if got.status != 0 || !strings.HasPrefix(got.stdout, "SQLite format 3") {
		t.Errorf("status %d, %d bytes, said %q", got.status, len(got.stdout), got.stderr)
	}
	sent := s.write("sent.db", got.stdout)
	s.ok("backup", "verify", sent)
	if names := s.files(filepath.Dir(s.file)); slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, "scratch") }) {
		t.Errorf("left are %v", names)
	}
	s.fails(2, []string{"backup", "-o", "-", "--json"}, "standard output is the copy")
	s.fails(2, []string{"backup", "--keep", "-1"}, "--keep must be")
	s.fails(5, []string{"backup", "-o", filepath.Join(folder, "missing", "copy.db")}, "folder does not exist", "mkdir -p")
	s.fails(5, []string{"backup", "--data", filepath.Join(folder, "none.db")}, "there is no database")
	s.fails(1, []string{"backup", "verify", s.write("text", strings.Repeat("no database ", 100))}, "is not a database")
	s.fails(5, []string{"backup", "verify", filepath.Join(folder, "none.db")}, "does not exist")
}

// TestBackupWhileServed: copies that are made while a server writes are whole, and each holds what was acknowledged
// before it began. A served database is not replaced.
func TestBackupWhileServed(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	key := strings.TrimSpace(s.ok("apikey", "create", "--rate-limit", "1000000"))
	account := s.list("account", "list")[0]["id"].(string)
	r := s.serve()
	client := loadClient{url: r.url + "/api/v1", key: key, transport: plainTransport(t)}
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
			if status, answer := client.ask("POST", "/transactions", body, ""); status != 201 {
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
		s.ok("backup", "-o", path)
		copied := &commandLine{T: t, file: path, env: s.env}
		cents, err := strconv.Atoi(fmt.Sprintf("%.0f", copied.list("account", "list")[0]["balance_cents"]))
		if rows := (100_000 - cents) / 100; err != nil || rows < before {
			t.Errorf("the copy holds %d rows, %d were written before it", rows, before)
		}
	}
	close(stop)
	writer.Wait()
	path := strings.TrimSpace(s.ok("backup"))
	s.fails(6, []string{"restore", path, "--force"}, "a server is running on "+s.file, "Stop it")
	r.end()
	s.ok("restore", path, "--force")
}

// TestVerifyFindsDamage: whatever is wrong with a copy, verify says it and restore refuses it, and nothing changes.
func TestVerifyFindsDamage(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	s.ok("import", s.write("january.csv", good), "--account", "Giro", "--yes")
	sound := strings.TrimSpace(s.ok("backup"))
	content := s.read(sound)
	damaged := func(name string, change func(b []byte) []byte) string {
		return s.write(name, string(change(bytes.Clone(content))))
	}
	flipped := damaged("flipped.db", func(b []byte) []byte { b[len(b)/2+77] ^= 8; return b })
	s.write("flipped.db.sha256", string(s.read(sound+".sha256")))
	torn := damaged("torn.db", func(b []byte) []byte { clear(b[4096*4 : 4096*12]); return b })
	half := damaged("half.db", func(b []byte) []byte { return b[:len(b)/2] })
	wrong := damaged("wrong.db", func(b []byte) []byte { return b })
	spoil(t, wrong, "UPDATE tags SET household_id = 99; INSERT INTO tags VALUES (7, zeroblob(16), 9, 'Lost', 'lost', '#000000', 0, 0)")
	before := s.read(s.file)
	for file, words := range map[string]string{flipped: "its checksum differs", torn: "", half: "", wrong: "refers to a row of households that is not there"} {
		s.fails(1, []string{"backup", "verify", file}, words, "damaged")
		s.fails(1, []string{"restore", file, "--force"}, words)
		s.fails(1, []string{"restore", file, "--dry-run"}, words)
	}
	if !bytes.Equal(before, s.read(s.file)) {
		t.Error("the database changed")
	}
	if names := s.files(filepath.Dir(s.file)); slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "finance.db.") }) {
		t.Errorf("left are %v", names)
	}
}

// TestBackupOfDamaged: a copy of a damaged database is kept under a name that says so, and removes no other.
func TestBackupOfDamaged(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	s.ok("backup", "--keep", "1")
	spoil(t, s.file, "INSERT INTO tags VALUES (7, zeroblob(16), 9, 'Lost', 'lost', '#000000', 0, 0)")
	folder := t.TempDir()
	s.fails(1, []string{"backup", "-o", folder, "--keep", "1"}, ".damaged is damaged", "row 7 of tags", "finsvc doctor")
	if listed := s.list("backup", "list", "--backup-dir", folder); len(listed) != 1 || listed[0]["kind"] != "damaged" {
		t.Errorf("the list is %v", listed)
	}
	if listed := s.list("backup", "list"); len(listed) != 1 || listed[0]["kind"] != "checked" {
		t.Errorf("the list is %v", listed)
	}
}

// TestWrongRollup: a balance that is not the sum of its rows is a defect of a copy.
func TestWrongRollup(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	s.ok("import", s.write("january.csv", good), "--account", "Giro", "--yes")
	path := filepath.Join(t.TempDir(), "copy.db")
	s.ok("backup", "-o", path)
	spoil(t, path, "UPDATE account_days SET amount = amount + 1")
	s.fails(1, []string{"backup", "verify", path}, "is damaged")
}

func TestBackupsKept(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	old := time.Now().Add(-48 * time.Hour)
	for name, stays := range map[string]bool{
		"finance-20250101T000000Z.db": false, "finance-20250101T000000Z.db.sha256": false, "finance-20250102T000000Z.db": true, "finance-20250102T000000Z.db.sha256": true,
		"finance-20231201T000000Z-before-schema-2.db": false, "finance-20240101T000000Z-before-schema-3.db": true, "finance-20240102T000000Z-before-schema-4.db": true, "finance-20240103T000000Z-before-schema-5.db": true,
		"finance-20240101T000000Z.db.damaged": false, "finance-20240102T000000Z.db.damaged": true, "finance-20240101T000000Z.db.part": false,
		"other-20200101T000000Z.db": true, "finance.db": true, "finance-2020.db": true, "notes.txt": true,
	} {
		path := filepath.Join(s.backups(), name)
		if err := os.MkdirAll(s.backups(), 0o700); err != nil {
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
	future := filepath.Join(s.backups(), db.CopyName(s.file, time.Now().AddDate(1, 0, 0), "")) // of a clock that was wrong
	if err := os.WriteFile(future, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	made := strings.TrimSpace(s.ok("backup", "--keep", "3"))
	s.ok("backup", "verify", made)
}
