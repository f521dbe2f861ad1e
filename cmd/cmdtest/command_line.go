// Package cmdtest is what tests of the program share: a command line on a file of its own, servers within and beside
// the tests, clients that write at the same time, and made-up households.
package cmdtest

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"finsvc/cmd"
	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
)

// Backups is the folder for copies of the file.
func (s *CommandLine) Backups() string { return filepath.Join(filepath.Dir(s.File), "backups") }

// Read is the content of a file.
func (s *CommandLine) Read(path string) []byte {
	s.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		s.Fatal(err)
	}
	return content
}

// Files are the names in a folder; of none there are none.
func (s *CommandLine) Files(folder string) []string {
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

// BeanCheck has Beancount check the household's journal with all balance assertions in it. Where Beancount is not
// installed the test is skipped, unless the environment says that it must be.
func (s *CommandLine) BeanCheck(household string) {
	s.Helper()
	if _, err := exec.LookPath("bean-check"); err != nil {
		if os.Getenv("FINSVC_BEANCOUNT") == "required" {
			s.Fatal("Beancount is not installed, and FINSVC_BEANCOUNT=required says that it must be")
		}
		s.Skip("Beancount is not installed, so nobody checks the exported journal; on Debian: apt-get install beancount")
	}
	name := filepath.Join(s.TempDir(), "books.beancount")
	s.OK("export", "beancount", "--household", household, "--output", name)
	said, err := exec.CommandContext(s.Context(), "bean-check", "--no-cache", name).CombinedOutput()
	if err != nil || len(said) > 0 {
		text, _ := os.ReadFile(name)
		s.Errorf("%v: %.3000s\n%.20000s", err, said, text)
	}
}

// Object runs a command with --json and gives what it printed.
func (s *CommandLine) Object(status int, args ...string) map[string]any {
	s.Helper()
	got := s.Do(append(args, "--json")...)
	var out map[string]any
	if err := json.Unmarshal([]byte(got.Stdout), &out); err != nil || got.Status != status {
		s.Fatalf("finsvc %v: status %d, %v, printed %s, said %s", args, got.Status, err, got.Stdout, got.Stderr)
	}
	return out
}

// Completed gives what a shell is offered for the last argument, without descriptions, and the directive.
func (s *CommandLine) Completed(args ...string) []string {
	s.Helper()
	var offered []string
	for line := range strings.Lines(s.OK(append([]string{"__complete"}, args...)...)) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		offered = append(offered, word)
	}
	return offered
}

// AsProgram in the environment makes the test binary the program itself.
const AsProgram = "CMD_TEST_AS_PROGRAM"

// Demo starts the demonstration; its file is that of the household it has made.
func (s *CommandLine) Demo() *server {
	s.Helper()
	r := &server{CommandLine: s}
	address, folder := regexp.MustCompile(`served at (http://\S+)\. `), regexp.MustCompile(`--data '(.*)'`)
	r.start([]string{"demo", "--listen", "127.0.0.1:0"}, func(line []byte) bool {
		if m := address.FindSubmatch(line); m != nil {
			r.URL = string(m[1])
		}
		if m := folder.FindSubmatch(line); m != nil {
			r.File = string(m[1])
		}
		return strings.HasSuffix(string(line), "Its key:")
	})
	return r
}

// found is what a check of the doctor came to.
type found struct {
	Check, Status, Message string
	Details                []string
}

// Doctor lets the file be examined and gives what was found, by check; of checks of which there are several the worst.
func (s *CommandLine) Doctor(status int) map[string]found {
	s.Helper()
	got := s.Do("doctor", "--json")
	var list []found
	if err := json.Unmarshal([]byte(got.Stdout), &list); err != nil || got.Status != status {
		s.Fatalf("status %d, want %d; printed %s, said %s (%v)", got.Status, status, got.Stdout, got.Stderr, err)
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

// Home makes a household in euros.
func (s *CommandLine) Home() {
	s.Helper()
	s.OK("household", "create", "Home", "--owner", "ana@example.org", "--currency", "EUR", "--timezone",
		"Europe/Berlin")
}

// Book opens an account and imports a transaction on each of some days of January 2020.
func (s *CommandLine) Book(amount string, days int) {
	s.Helper()
	s.OK("account", "create", "Everyday", "--type", "depository")
	file := "date,amount,name\n"
	for day := range days {
		file += fmt.Sprintf("2020-01-%02d,%s,Row %d\n", day+1, amount, day)
	}
	s.OK("import", s.PutFile(filepath.Join(s.TempDir(), "rows.csv"), []byte(file), 0o600), "--account", "Everyday",
		"--set", "date_format=%Y-%m-%d", "--set", "signage_convention=inflows_positive", "--yes")
}

// Backup puts a copy where the program puts its own.
func (s *CommandLine) Backup(at time.Time, content []byte) {
	s.Helper()
	s.PutFile(filepath.Join(filepath.Dir(s.File), "backups", "finance-"+at.UTC().Format("20060102T150405Z")+".db"),
		content, 0o600)
}

// Places are what stands for the names in braces.
func (r *server) Places() *strings.Replacer {
	source := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/rates" {
			fmt.Fprint(w, "date,from,to,rate\n2020-01-03,EUR,USD,1.1\n")
			return
		}
		fmt.Fprint(w, "date,price\n")
	}))
	r.Cleanup(source.Close)
	folder := r.TempDir()
	for name, text := range map[string]string{"rates.csv": "date,from,to,rate\n2020-01-02,EUR,USD,1.1\n",
		"prices.csv": "date,ticker,price,currency\n2020-01-02,NWIX,70,EUR\n",
		"bank.csv":   "Date,Payee,Amount\n2026-01-31,Bakery,-4.80\n2026-01-31,Salary,1000.00\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			r.Fatal(err)
		}
	}
	return strings.NewReplacer("{owner}", "demo@example.org", "{folder}", folder, "{url}", source.URL, "{address}",
		strings.TrimPrefix(r.URL, "http://"), "{import}", r.List("import", "list")[0]["id"].(string),
		"{chat}", r.List("chat", "list")[0]["id"].(string), "{nothing}", "00000000-0000-7000-8000-000000000000", "{transaction}", r.List("transaction", "list")[0]["id"].(string))
}

func Spoil(t *testing.T, file, statement string) {
	t.Helper()
	pool, err := sql.Open("sqlite", file+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// Holds says that the file has the content, that only its owner may read it, and that nothing lies beside it.
func (s *CommandLine) Holds(name, content string) {
	s.Helper()
	text, err := os.ReadFile(name)
	if err != nil || string(text) != content {
		s.Errorf("%s: %v: %s", name, err, text)
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o600 {
		s.Errorf("%s: %v, %v", name, info.Mode(), err)
	}
	if all, err := os.ReadDir(filepath.Dir(name)); err != nil || len(all) != 1 {
		s.Errorf("beside %s: %v, %v", name, all, err)
	}
}

// exportForms are the names of files to write, with the command that writes each.
func exportForms() map[string][]string {
	return map[string][]string{"books.zip": {"csv"}, "books/": {"csv"}, "home.ndjson": {"ndjson"},
		"books.journal": {"hledger"}, "books.beancount": {"beancount"}}
}

// Verifies writes a household in every form and has it read back.
func (s *CommandLine) Verifies(household string, accounts int) {
	s.Helper()
	for name, form := range exportForms() {
		output := filepath.Join(s.TempDir(), name) + strings.Repeat("/", strings.Count(name, "/"))
		got := s.Do(append([]string{"export"}, append(form, "--household", household, "--verify", "-o", output)...)...)
		if want := fmt.Sprintf("Verified: balances equal: %d accounts, ", accounts); got.Status != 0 ||
			!strings.Contains(got.Stderr, want) {
			s.Errorf("%v: status %d, said %s, want %q", form, got.Status, got.Stderr, want)
		}
		if _, err := os.Stat(output); err != nil {
			s.Errorf("%v: %v", form, err)
		}
	}
}

// ImportsNothing imports the exported transactions and finds all of them booked, also after one was renamed.
func (s *CommandLine) ImportsNothing(account string) {
	s.Helper()
	before := s.OK("export", "csv", "--table", "transactions")
	name := filepath.Join(s.TempDir(), "transactions.csv")
	if err := os.WriteFile(name, []byte(before), 0o600); err != nil {
		s.Fatal(err)
	}
	for _, args := range [][]string{{"import", name, "--yes"}, {"import", name, "--account", account, "--yes"}} {
		if got := s.Do(args...); got.Status != 0 || !strings.Contains(got.Stderr,
			"Imported 0 rows; 2 rows were there already") {
			s.Errorf("status %d, said %s", got.Status, got.Stderr)
		}
	}
	if after := s.OK("export", "csv", "--table", "transactions"); after != before {
		s.Errorf("exported %q, then %q", before, after)
	}
}

// write makes a file of the test.
func (s *CommandLine) PutFile(path string, content []byte, mode os.FileMode) string {
	s.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, content, mode)); err != nil {
		s.Fatal(err)
	}
	return path
}

func (s *CommandLine) GetFile(path string) []byte {
	s.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		s.Fatal(err)
	}
	return content
}

// Damaged is a database whose pages are overwritten behind the header.
func (s *CommandLine) Damaged() string {
	s.Helper()
	content := s.GetFile(dbtest.Path(s.T))
	for i := 100; i < len(content); i++ {
		content[i] = 0xa5
	}
	return s.PutFile(filepath.Join(s.TempDir(), "finance.db"), content, 0o600)
}

// Changed is when each of the database's files was changed last.
func (s *CommandLine) Changed() map[string]time.Time {
	s.Helper()
	all, err := filepath.Glob(s.File + "*")
	if err != nil {
		s.Fatal(err)
	}
	out := map[string]time.Time{}
	for _, path := range all {
		info, err := os.Stat(path)
		if err != nil {
			s.Fatal(err)
		}
		out[path] = info.ModTime()
	}
	return out
}

// Write makes a file in its folder.
func (s *CommandLine) Write(name, content string) string {
	s.Helper()
	path := filepath.Join(filepath.Dir(s.File), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		s.Fatal(err)
	}
	return path
}

// NewBooks is a shell on a file with a household in euros and the account Giro with 1,000.00.
func NewBooks(t *testing.T) *CommandLine {
	t.Helper()
	s := NewCommandLine(t)
	s.OK("apikey", "create")
	s.OK("account", "create", "Giro", "--type", "depository", "--balance", "1000.00", "--date", "2026-01-01")
	return s
}

// Balance is that of the only account.
func (s *CommandLine) Balance() any {
	s.Helper()
	return s.List("account", "list")[0]["balance_cents"]
}

// Buffer is an output that a server and a test use at the same time.
type Buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// Outcome is what a command did.
type Outcome struct {
	Status         int
	Stdout, Stderr string
}

// CommandLine runs commands in a folder of its own, on one database file.
type CommandLine struct {
	*testing.T
	File    string
	Env     []string
	options []db.Option // see [cmd.Main]
}

// SkipShort leaves a test out of short runs, the race detector's among them: it runs commands by the hundred, one
// after the other, so that it takes long and nothing in it happens at the same time.
func SkipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long, and is no short test")
	}
}

func NewCommandLine(t *testing.T) *CommandLine {
	return &CommandLine{T: t, File: filepath.Join(t.TempDir(), "finance.db"),
		Env: []string{"LANG=de_DE.UTF-8", "TZ=Europe/Berlin"}}
}

// within is the environment of a program that runs within the tests, where the limits that a server sets to the memory
// of its process would hold for all of them.
func within(file string) []string {
	return []string{"FINSVC_DATA=" + file, "GOMEMLIMIT=off", "GOGC=400"}
}

// Environ is the environment of a command on the file that runs within the tests.
func (s *CommandLine) Environ() []string { return append(within(s.File), s.Env...) }

// Do runs a command on the file.
func (s *CommandLine) Do(args ...string) Outcome {
	s.Helper()
	return s.Typing("", args...)
}

// Typing is Do with an input.
func (s *CommandLine) Typing(input string, args ...string) Outcome {
	s.Helper()
	var stdout, stderr Buffer
	status := cmd.Main(s.Context(), args, s.Environ(), strings.NewReader(input), &stdout, &stderr, s.options...)
	return Outcome{status, stdout.String(), stderr.String()}
}

// OK runs a command that must succeed and gives what it printed.
func (s *CommandLine) OK(args ...string) string {
	s.Helper()
	got := s.Do(args...)
	if got.Status != 0 {
		s.Fatalf("finsvc %v: status %d: %s", args, got.Status, got.Stderr)
	}
	return got.Stdout
}

// Fails runs a command that must fail with the status and say the words on standard error alone.
func (s *CommandLine) Fails(status int, args []string, words ...string) {
	s.Helper()
	got := s.Do(args...)
	if got.Status != status || got.Stdout != "" {
		s.Errorf("finsvc %v: status %d, want %d; printed %q, said %q", args, got.Status, status, got.Stdout, got.Stderr)
	}
	for _, word := range words {
		if !strings.Contains(got.Stderr, word) {
			s.Errorf("finsvc %v: said %q, want %q in it", args, got.Stderr, word)
		}
	}
}

// List runs a listing command with --json.
func (s *CommandLine) List(args ...string) []map[string]any {
	s.Helper()
	var rows []map[string]any
	if err := json.Unmarshal([]byte(s.OK(append(args, "--json")...)), &rows); err != nil {
		s.Fatal(err)
	}
	return rows
}

// Outdate has the commands be those of a later program, with another migration, which writes some pages.
func (s *CommandLine) Outdate() {
	s.options = append(s.options, db.WithMigrations(dbtest.Later("CREATE TABLE later (note TEXT) STRICT; "+
		"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) INSERT INTO later SELECT hex(zeroblob(2000)) FROM n;")))
}

// MetricsAddress is where a server says that its metrics are.
func (r *server) MetricsAddress() string {
	r.Helper()
	for line := range strings.Lines(r.Stderr.String()) {
		var entry struct{ Msg, Addr string }
		if json.Unmarshal([]byte(line), &entry) == nil && entry.Msg == "metrics" {
			return "http://" + entry.Addr
		}
	}
	r.Fatalf("no address of metrics: %s", r.Stderr)
	return ""
}

// Rescued waits for the copy that a server writes of a file that lost its place, and gives its path.
func (s *CommandLine) Rescued(folder string) string {
	s.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		for _, name := range s.Files(folder) {
			if strings.HasSuffix(name, "-rescued.db") {
				return filepath.Join(folder, name)
			}
		}
	}
	s.Fatalf("there is no copy in %s: %v", folder, s.Files(folder))
	return ""
}

// Logged waits until a server has said something.
func (r *server) Logged(text string) {
	r.Helper()
	for deadline := time.Now().Add(time.Minute); !strings.Contains(r.Stderr.String(),
		text); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			r.Fatalf("the server does not say %q: %s", text, r.Stderr)
		}
	}
}

// Spend books a transaction in the account Giro, and gives the answer.
func (c LoadClient) Spend(account, amount string) (status int, answer string) {
	return c.Ask(http.MethodPost, "/transactions", fmt.Sprintf(`{"transaction":{"account_id":%q,"date":"2026-02-01","amount":%q,"name":"Bread"}}`, account, amount), "")
}

// Ledger opens the file for the household that was made first.
func (s *CommandLine) Ledger(use func(l *books.Books, home ledger.Actor)) {
	s.Helper()
	database, err := db.Open(s.Context(), s.File)
	if err != nil {
		s.Fatal(err)
	}
	use(books.New(database, time.Now), ledger.Actor{HouseholdID: 1, Origin: ledger.OriginCLI})
	if err := database.Close(); err != nil {
		s.Fatal(err)
	}
}

// AsServer has the file as a server has it, until release is called.
func (s *CommandLine) AsServer(pid int, addr string) (release func()) {
	s.Helper()
	lock := s.File + ".server-lock"
	held := flock.New(lock)
	if _, err := held.TryLock(); err != nil {
		s.Fatal(err)
	}
	text := fmt.Sprintf(`{"pid":%d,"addr":%q,"since":"2026-11-20T18:02:00Z"}`, pid, addr)
	if err := os.WriteFile(lock, []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
	return func() {
		if err := held.Close(); err != nil {
			s.Error(err)
		}
	}
}
