package cmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"

	"finsvc/assistant"
	"finsvc/assistant/engine"
	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/embed"
	"finsvc/handlers"
	"finsvc/importer"
	"finsvc/ledger/books"
)

// plainTransport sends requests as they are.
func plainTransport(t *testing.T) http.RoundTripper {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return transport
}

// TestRestore: on a machine with nothing a copy becomes the database; with one, the old is kept, whole.
func TestRestore(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	path := strings.TrimSpace(s.OK("backup"))
	s.OK("import", s.Write("january.csv", good), "--account", "Giro", "--yes")
	other := cmdtest.NewCommandLine(t)
	if said := other.Do("restore", path); said.Status != 0 || !strings.Contains(said.Stderr, "Restored "+other.File) || strings.Contains(said.Stderr, "kept") {
		t.Errorf("on a new machine: %v", said)
	}
	if got := other.Balance(); got != 100_000.0 {
		t.Errorf("restored to another file the balance is %v", got)
	}
	s.Fails(6, []string{"restore", path}, "there is a database "+s.File, "--force")
	if got := s.Balance(); got != 98_425.0 {
		t.Errorf("the balance is %v, want 1000.00 - 12.50 - 3.25", got)
	}
	if said := s.Do("restore", path, "--dry-run"); said.Status != 0 || !strings.Contains(said.Stderr, "would take the place of "+s.File) {
		t.Errorf("a dry run: %v", said)
	}
	s.OK("restore", path, "--force")
	if got := s.Balance(); got != 100_000.0 {
		t.Errorf("restored the balance is %v", got)
	}
	kept, err := filepath.Glob(s.File + ".before-restore-*")
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept are %v, %v", kept, err)
	}
	old := &cmdtest.CommandLine{T: t, File: kept[0], Env: s.Env}
	if got := old.Balance(); got != 98_425.0 {
		t.Errorf("the balance of what was kept is %v", got)
	}
	if info, err := os.Stat(s.File); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
	if listed := s.Do("restore", "--list"); !strings.Contains(listed.Stdout, path) {
		t.Errorf("the list is %v", listed)
	}
}

func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	path := strings.TrimSpace(s.OK("backup"))
	newer := dbtest.Path(t)
	cmdtest.Spoil(t, newer, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
	before := s.Read(s.File)
	s.Fails(2, []string{"restore"}, "restore --list")
	s.Fails(2, []string{"restore", s.File, "--force"}, "is the database itself")
	s.Fails(5, []string{"restore", path + "x", "--force"}, "does not exist")
	s.Fails(5, []string{"restore", path, "--data", filepath.Join(t.TempDir(), "missing", "finance.db")}, "there is no folder", "mkdir -p")
	s.Fails(6, []string{"restore", newer, "--force"}, "newer finsvc", "9999")
	s.Fails(1, []string{"restore", s.Write("text", strings.Repeat("no database ", 100)), "--force"}, "is not a database")
	database, err := db.Open(t.Context(), s.File)
	if err != nil {
		t.Fatal(err)
	}
	s.Fails(6, []string{"restore", path, "--force"}, "is in use by another process")
	if err := database.Close(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, s.Read(s.File)) || len(s.Files(filepath.Dir(s.File))) != len([]string{"finance.db", "backups", "text"}) {
		t.Errorf("something changed: %v", s.Files(filepath.Dir(s.File)))
	}
}

// TestRestoreOlderSchema: a copy of an older schema is found good because it can be brought up to date, and stays as it is;
// restored it is brought up to date by the next command, and copied before.
func TestRestoreOlderSchema(t *testing.T) {
	t.Parallel()
	s, old := cmdtest.NewCommandLine(t), dbtest.Books(t)
	s.Outdate()
	before := s.Read(old)
	if said := s.Do("backup", "verify", old); said.Status != 0 || !strings.Contains(said.Stderr, "schema 1,") || !strings.Contains(said.Stderr, "older one") {
		t.Errorf("verify: %v", said)
	}
	s.OK("restore", old)
	if names := s.Files(filepath.Dir(s.File)); !slices.Equal(names, []string{"finance.db"}) {
		t.Errorf("beside it lie %v", names)
	}
	if homes := s.List("household", "list"); len(homes) != 2 || homes[1]["name"] != "Home" {
		t.Errorf("households %v", homes)
	}
	if listed := s.List("backup", "list"); len(listed) != 1 || listed[0]["kind"] != "before schema 2" {
		t.Errorf("the copies are %v", listed)
	}
	if !bytes.Equal(before, s.Read(old)) {
		t.Error("the copy changed")
	}
}

// TestRestoredAnswersTheSame: every GET of the API gives the same bytes before a copy and after it was restored to
// another path.
func TestRestoredAnswersTheSame(t *testing.T) {
	t.Parallel()
	s, other := cmdtest.NewCommandLine(t), cmdtest.NewCommandLine(t)
	cmdtest.NewHousehold(t, s.File, 7)
	key := strings.TrimSpace(s.OK("apikey", "create"))
	s.OK("import", s.Write("january.csv", good), "--account", s.List("account", "list")[0]["name"].(string), "--yes")
	s.OK("chat", "What is my net worth?")
	path := strings.TrimSpace(s.OK("backup"))
	now := time.Now()
	before := everyGet(t, s.File, key, now)
	other.OK("restore", path)
	after := everyGet(t, other.File, key, now)
	found := 0
	for _, path := range slices.Sorted(maps.Keys(before)) {
		if strings.HasPrefix(before[path], "200") {
			found++
		}
		if before[path] != after[path] {
			t.Errorf("GET %s gives\n%s\nand restored\n%s", path, before[path], after[path])
		}
	}
	if found < 50 || len(after) != len(before) {
		t.Errorf("%d answers of %d were found, restored there are %d", found, len(before), len(after))
	}
}

// maxIDs is how many things of each kind are asked for.
const maxIDs = 8

// everyGet asks a server on a file for everything that there is: each list, and of each list the first things by
// their ids. It gives status, ETag and body by path.
func everyGet(t *testing.T, file, key string, now time.Time) map[string]string {
	t.Helper()
	database, err := db.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	clock, log := func() time.Time { return now }, slog.New(slog.DiscardHandler)
	books := books.New(database, clock)
	api := handlers.New(handlers.Options{Ledger: books, Logger: log, Health: database.Ping, Now: clock,
		Imports:   importer.New(importer.Options{DB: database, Ledger: books, Logger: log, Now: clock, Max: importer.DefaultMax}),
		Assistant: assistant.New(assistant.Options{DB: database, Ledger: books, Logger: log, Now: clock, Model: engine.New(books)})})
	answers := map[string]string{}
	for _, path := range getPaths(t) {
		for _, whole := range filled(path, answers) {
			answers[whole] = getAnswer(t.Context(), api, whole, key)
		}
	}
	return answers
}

// getPaths are the paths of GET as the description of the API has them; shorter ones, which have the ids, come first.
func getPaths(t *testing.T) (paths []string) {
	t.Helper()
	for path, methods := range apiDescription(t) {
		_, get := methods["get"]
		goesOn := strings.HasSuffix(path, "/events") || strings.HasSuffix(path, "/stream")
		if get && !goesOn && path != "/api/v1/usage" { // which counts requests
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, func(a, b string) int {
		return strings.Count(a, "{")*1000 + len(a) - strings.Count(b, "{")*1000 - len(b)
	})
	return paths
}

// filled puts ids into the first parameter of a path that the answer to what stands before it has, and so on.
func filled(path string, answers map[string]string) []string {
	before, rest, parameter := strings.Cut(path, "/{")
	if !parameter {
		return []string{path}
	}
	_, rest, _ = strings.Cut(rest, "}")
	var whole []string
	ids := regexp.MustCompile(`"id": ?"([0-9a-f-]{36}|[^"]+)"`).FindAllStringSubmatch(answers[before], -1)
	for _, id := range ids[:min(maxIDs, len(ids))] {
		whole = append(whole, filled(before+"/"+id[1]+rest, answers)...)
	}
	return whole
}

func getAnswer(ctx context.Context, api http.Handler, path, key string) string {
	req := httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil)
	req.Header.Set("X-Api-Key", key)
	recorder := httptest.NewRecorder()
	api.ServeHTTP(recorder, req)
	body, _ := io.ReadAll(recorder.Result().Body) // of a recorder there is no error
	return recorder.Result().Status[:3] + " " + recorder.Header().Get("ETag") + "\n" + string(body)
}

// apiDescription is the description of the API: paths, of each the methods.
func apiDescription(t *testing.T) map[string]map[string]any {
	t.Helper()
	text, err := embed.OpenAPIJSON()
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Servers []struct{ URL string }
		Paths   map[string]map[string]any
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	return document.Paths
}
