package cmd_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"

	"github.com/google/go-cmp/cmp"

	"finsvc/db/dbtest"
)

func TestCompletion(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org")
	s.OK("account", "create", "Jar of coins", "--type", "other_asset")
	s.OK("account", "create", "Giro", "--type", "depository")
	s.OK("apikey", "create", "phone")
	s.OK("apikey", "create", "tablet")
	s.OK("apikey", "revoke", "tablet")
	id := strings.TrimSpace(s.OK("import", s.Write("bank.csv", "Date,Payee,Amount\n2026-01-31,Bakery,-4.80\n2026-01-31,Salary,1000.00\n"), "--account", "Giro", "--later"))
	chat, _ := s.Object(0, "chat", "What is my net worth?")["chat_id"].(string)
	const no = ":4" // no names of files
	for args, want := range map[string][]string{
		"account update ":               {"Giro", "Jar of coins", no},
		"explain balance ":              {"Giro", "Jar of coins", no},
		"explain holding Giro ":         {no},
		"import x.csv --account ":       {"Giro", "Jar of coins", no},
		"import show ":                  {id, no},
		"import oct":                    {":0"}, // names of files
		"import rev":                    {"revert", ":0"},
		"import rule " + id + " 1 ":     {"same", "new", "open", no},
		"import rule " + id + " ":       {no},
		"import revert " + id + " ":     {no},
		"apikey revoke ":                {"phone", no},
		"apikey create --scope ":        {"read", "read_write", no},
		"user list --household ":        {"Home", no},
		"user deactivate ":              {"ana@example.org", no},
		"chat show ":                    {chat, no},
		"chat --chat ":                  {chat, no},
		"apikey list --household Cave ": {no},
		"serve --log-level ":            {"debug", "info", "warn", "error", no},
		"help glossary ":                {no},
		"help import ":                  {"cancel", "delete", "list", "publish", "revert", "rule", "show", no},
	} {
		if diff := cmp.Diff(want, s.Completed(strings.Split(args, " ")...)); diff != "" {
			t.Errorf("finsvc %s:\n%s", args, diff)
		}
	}
	if got := s.Completed("account", "create", "Tin", "--type", ""); !slices.Contains(got, "credit_card") || slices.Contains(got, "QifImport") {
		t.Errorf("types of accounts: %v", got)
	}
}

// TestCompletionChangesNothing: neither is a file made where there is none, nor is anything in one changed.
func TestCompletionChangesNothing(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	if got := s.Completed("account", "update", ""); len(got) != 1 {
		t.Errorf("without a file: %v", got)
	}
	if left, err := os.ReadDir(filepath.Dir(s.File)); err != nil || len(left) > 0 {
		t.Errorf("was made: %v %v", left, err)
	}
	letter := s.Write("letter.txt", strings.Repeat("This is a letter and no database. ", 100))
	s.Completed("--data", letter, "account", "update", "")
	for name, file := range map[string]string{"an empty household": dbtest.Path(t), "a letter": letter} {
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Completed("--data", file, "account", "update", ""); len(got) != 1 {
			t.Errorf("%s: %v", name, got)
		}
		if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
			t.Errorf("%s was changed: %v", name, err)
		}
	}
}
