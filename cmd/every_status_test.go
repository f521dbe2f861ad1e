package cmd_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"

	"finsvc/cmd"
	"finsvc/db/dbtest"
)

// TestEveryCommandRefusesWrongUsage: whatever the command, a flag or an argument that it does not have is status 2, and
// prints no data.
func TestEveryCommandRefusesWrongUsage(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	for _, path := range cmd.Leaves() {
		s.Fails(2, append(strings.Fields(path), "--no-such-flag"), "finsvc: unknown flag: --no-such-flag\nSee: finsvc "+path+" --help\n")
		if path != "import" && !strings.HasPrefix(path, "chat") && !slices.Contains([]string{"transaction list", "transaction edit", "transaction split", "transaction delete", "balance", "balance list", "income", "income list", "categorize"}, path) { // which take any number of arguments: more of them make a question
			s.Fails(2, append(strings.Fields(path), "a", "b", "c", "d"), "See: finsvc ")
		}
	}
	if _, err := os.Stat(s.File); err == nil {
		t.Error("a file was made")
	}
}

// arguments are what commands need that do not begin without them.
func arguments() map[string]string {
	const id = "01a1fd73-afbb-7cb2-b7d0-0edff84a5395"
	return map[string]string{
		"account create": "Jar --type depository", "account update": "Jar", "account delete": "Jar --yes", "account merge": "Jar Tin --yes", "apikey revoke": "phone", "apikey rotate": "phone",
		"chat": "Why?", "chat show": id, "chat delete": id, "history undo": id, "explain balance": "Jar",
		"category create": "One", "category update": "One --name Two", "category merge": "One Two --yes", "category delete": "One --yes", "tag create": "One", "tag update": "One --name Two", "tag merge": "One Two --yes", "tag delete": "One --yes", "merchant create": "One", "merchant update": "One --name Two", "merchant merge": "One Two --yes", "merchant delete": "One --yes",
		"rule add": "none", "rule update": id + " --inactive", "rule delete": id, "trade update": id + " --price 1", "valuation update": id + " --amount 1",
		"transfer confirm": id, "transfer reject": id, "transfer delete": id, "transfer link": id + " " + id, "trade add": "deposit --amount 1 --account Jar",
		"trade delete": id, "valuation add": "Jar 1", "valuation delete": id,
		"transaction show": id, "transaction add": "Tea --account Jar --expense 2", "transaction edit": id + " --name Tea", "transaction split": id + " 1 rest",
		"transaction unsplit": id, "transaction delete": id + " --yes", "explain holding": "Jar ACME", "household update": "--name Home",
		"import": "none.csv --yes", "import show": id, "import publish": id + " --yes", "import rule": id + " 1 same", "import revert": id + " --yes",
		"import cancel": id, "import delete": id + " --yes", "prices import": "none.csv", "prices fetch": "--prices-url http://127.0.0.1:1/{ticker}",
		"backup verify": "none.db", "restore": "none.db", "export csv": "--table accounts",
		"rates import": "none.csv", "rates fetch": "--rates-url http://127.0.0.1:1/", "security split add": "ACME 2:1 --date 2026-01-02",
		"security split delete": "ACME --date 2026-01-02", "user create": "bo@example.org", "user deactivate": "bo@example.org", "user restore": "bo@example.org",
		"user link": "bo@example.org", "user password": "bo@example.org --password-file x",
	}
}

// fileless are the commands that need no file, make one, or look at another or a wrong one.
func fileless() []string {
	return []string{"serve", "demo", "config", "openapi", "version", "completion", "household create", "apikey create", "chat test",
		"health", "backup list", "backup verify", "restore", "doctor"}
}

// TestEveryCommandNeedsItsFile: without a database, status 5; with one that is none, 1. Nothing is created.
func TestEveryCommandNeedsItsFile(t *testing.T) {
	t.Parallel()
	cmdtest.SkipShort(t)
	s, other := cmdtest.NewCommandLine(t), cmdtest.NewCommandLine(t)
	if err := os.WriteFile(other.File, []byte(strings.Repeat("This is a letter and no database. ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range cmd.Leaves() {
		if strings.Contains(strings.Join(fileless(), ","), path) {
			continue
		}
		args := append(strings.Fields(path), strings.Fields(arguments()[path])...)
		s.Fails(5, args, "finsvc: ")
		if path != "rates import" && path != "prices import" { // which read the other file first
			other.Fails(1, args, "is not a database")
		}
	}
	if _, err := os.Stat(s.File); err == nil {
		t.Error("a file was made")
	}
}

// TestEveryCommandInAnEmptyHousehold: what is not there is status 5, and said by name or as not found.
func TestEveryCommandInAnEmptyHousehold(t *testing.T) {
	t.Parallel()
	cmdtest.SkipShort(t)
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org")
	for path, args := range arguments() {
		switch path {
		case "household unreset": // of which nothing is kept: a conflict
		case "category create", "tag create", "merchant create": // which need nothing
		case "rule add", "transfer link": // which is no rule; whose transactions are values of fields
		case "account create", "user create", "household update", "chat", "prices fetch", "rates fetch", "export csv": // which need nothing
		case "restore": // without --force the database that is there is in the way
		case "security split add", "security split delete": // a ticker that is none is a wrong value
		default:
			s.Fails(5, append(strings.Fields(path), strings.Fields(args)...), "finsvc: ")
		}
	}
}

// TestStatuses: one failure of each kind, through the whole program. None prints anything on standard output.
func TestStatuses(t *testing.T) {
	t.Parallel()
	cmdtest.SkipShort(t)
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org")
	s.OK("account", "create", "Jar", "--type", "depository")
	s.OK("apikey", "create", "phone")
	bad := s.Write("bad.csv", "Date,Payee,Amount\n2026-01-31,Bakery,-4.80\n2026-01-32,Salary,1000.00\n")
	for _, c := range []struct {
		status int
		args   string
		word   string
	}{
		{1, "rates fetch --rates-url http://127.0.0.1:1/", "cannot be asked"},
		{1, "account list --data " + filepath.Dir(s.File), "is a folder"},
		{2, "", "name a command"},
		{2, "acount list", "did you mean account?"},
		{2, "help me", "there is no help about"},
		{2, "completion tcsh", "there is no command"},
		{2, "account create Tin --type tin", "account_type must be"},
		{2, "account create Tin --type depository --balance 1,000", "balance must be"},
		{2, "import " + bad, "say --yes"},
		{2, "import revert 01a1fd73-afbb-7cb2-b7d0-0edff84a5395", "say --yes"},
		{2, "apikey rotate phone --grace soon", "90d"},
		{3, "import " + bad + " --account Jar --yes", "--skip-invalid"},
		{3, "prices import " + s.Write("prices.csv", "date,ticker,price,currency\n2026-01-02,NONE,1,EUR\n"), "some rows were rejected"},
		{4, "chat Why? --assistant off", "AI features are not enabled"},
		{5, "account update Tin --name Can", "Tin"},
		{5, "explain balance Tin", "Tin"},
		{5, "apikey rotate tablet", "tablet"},
		{5, "user list --household Cave", "Cave"},
		{5, "import " + bad + ".none --yes", "bad.csv.none"},
		{6, "apikey create phone", "has a key named"},
		{6, "user create ana@example.org", "ana@example.org"},
		{6, "household create Home --owner cy@example.org", "Home"},
		{6, "export ndjson -o " + bad, "--force"},
		{6, "demo --keep " + bad, "is there already"},
	} {
		s.Fails(c.status, strings.Fields(c.args), c.word)
	}
	newer := dbtest.Path(t)
	cmdtest.Spoil(t, newer, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
	s.Fails(6, []string{"account", "list", "--data", newer}, "newer finsvc")
}

// TestHelpIsData: help that is asked for goes to standard output, and is status 0.
func TestHelpIsData(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	for args, word := range map[string]string{
		"--help": "finsvc demo", "help": "finsvc demo", "help import show": "--rows", "import show --help": "--rows", "help exit-status": "conflict", "help importing": "How a file is read", "glossary": "household", "help import": "finsvc help importing",
		"exit-status": "conflict", "help environment": "FINSVC_RATES_URL", "--version": "finsvc ", "completion fish": "complete -c finsvc",
	} {
		if got := s.Do(strings.Fields(args)...); got.Status != 0 || got.Stderr != "" || !strings.Contains(got.Stdout, word) {
			t.Errorf("finsvc %s: %+v", args, got)
		}
	}
}
