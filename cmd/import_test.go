package cmd_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"finsvc/cmd"
)

// write makes a file in the shell's folder.
func (s *commandLine) write(name, content string) string {
	s.Helper()
	path := filepath.Join(filepath.Dir(s.file), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		s.Fatal(err)
	}
	return path
}

// newBooks is a shell on a file with a household in euros and the account Giro with 1,000.00.
func newBooks(t *testing.T) *commandLine {
	t.Helper()
	s := newCommandLine(t)
	s.ok("apikey", "create")
	s.ok("account", "create", "Giro", "--type", "depository", "--balance", "1000.00", "--date", "2026-01-01")
	return s
}

// balance is that of the only account.
func (s *commandLine) balance() any {
	s.Helper()
	return s.list("account", "list")[0]["balance_cents"]
}

const (
	good = "date,amount,name,category\n2026-01-05,-12.50,Bread,Groceries\n2026-01-06,-3.25,Butter,Dairy\n"
	bad  = "date,amount,name\n2026-01-05,-12.50,Bread\n2026-01-06,x,Butter\n"
)

func TestImport(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	file := s.write("january.csv", good)
	got := s.run("import", file, "--account", "gIRO", "--dry-run")
	if got.status != 0 || got.stdout != "" {
		t.Errorf("a dry run: status %d, printed %q, said %q", got.status, got.stdout, got.stderr)
	}
	for _, want := range []string{"2 rows", "2026-01-05 to 2026-01-06", "-15,75\u00a0€", "1.000,00\u00a0€ now, 984,25\u00a0€ afterwards", "New category: \"Dairy\""} {
		if !strings.Contains(got.stderr, want) {
			t.Errorf("said %q, want %q in it", got.stderr, want)
		}
	}
	if s.balance() != 100000.0 || len(s.list("import", "list")) != 0 {
		t.Error("the dry run stored something")
	}
	id := strings.TrimSpace(s.ok("import", file, "--account", "Giro", "--yes"))
	if s.balance() != 98425.0 {
		t.Errorf("balance %v", s.balance())
	}
	list := s.list("import", "list")
	if len(list) != 1 || list[0]["id"] != id || list[0]["status"] != "complete" || list[0]["file"] != "january.csv" || list[0]["rows"] != 2.0 {
		t.Errorf("imports %v", list)
	}
	if table := s.ok("import", "show", id, "--rows"); !strings.Contains(table, "1  imported  2026-01-05  -12,50\u00a0€  Bread") {
		t.Errorf("got %s", table)
	}
	var shown struct {
		Rows []struct{ Transaction_id *string } `json:"row_list"`
	}
	if err := json.Unmarshal([]byte(s.ok("import", "show", id, "--rows", "--json")), &shown); err != nil || len(shown.Rows) != 2 || shown.Rows[1].Transaction_id == nil {
		t.Errorf("got %+v, %v", shown, err)
	}
}

func TestImportRefuses(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	file := s.write("a.csv", good)
	s.fails(2, []string{"import"}, "name the files")
	s.fails(2, []string{"import", file, "--account", "Giro"}, "--yes", "--dry-run")
	s.fails(2, []string{"import", file, "--yes", "--set", "date_fromat=%Y"}, "date_fromat", "amount_col_label, ", "date_format")
	s.fails(2, []string{"import", file, "--yes", "--set", "date_format=%Q"}, "date_format")
	s.fails(2, []string{"import", file, "--yes", "--type", "Nonsense"}, "type must be one of")
	s.fails(2, []string{"import", file, "--yes"}, "--account")
	s.fails(5, []string{"import", file, "--yes", "--account", "Savings"}, "Savings")
	s.fails(5, []string{"import", file, "--yes", "--account", "0198f2a0-1234-7abc-8def-0123456789ab"}, "Account not found")
	s.fails(5, []string{"import", file + "x", "--yes", "--account", "Giro"}, "a.csvx")
	s.fails(2, []string{"import", s.write("empty.csv", ""), "--yes", "--account", "Giro"}, "empty.csv")
	s.fails(2, []string{"import", "show", "7"}, "finsvc import list")
	s.fails(5, []string{"import", "show", "0198f2a0-1234-7abc-8def-0123456789ab"}, "Import not found")
	s.ok("account", "create", "GIRO", "--type", "depository")
	s.fails(2, []string{"import", file, "--yes", "--account", "giro"}, "ambiguous")
	if imports := s.list("import", "list"); len(imports) != 0 {
		t.Errorf("imports %v", imports)
	}
}

func TestImportWithBadRows(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	file := s.write("bad.csv", bad)
	s.fails(3, []string{"import", file, "--account", "Giro", "--yes"}, "row 2 (line 3): amount", "--skip-invalid")
	s.fails(3, []string{"import", file, "--account", "Giro", "--dry-run"}, "row 2 (line 3): amount")
	if s.balance() != 100000.0 {
		t.Errorf("balance %v", s.balance())
	}
	got := s.run("import", file, "--account", "Giro", "--yes", "--skip-invalid", "--json")
	if got.status != 3 || s.balance() != 98750.0 {
		t.Errorf("status %d, balance %v, said %s", got.status, s.balance(), got.stderr)
	}
	kinds := map[string]map[string]any{}
	for line := range strings.Lines(got.stdout) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		kinds[fmt.Sprint(entry["type"])] = entry
	}
	if e := kinds["row_error"]; e["row"] != 2.0 || e["column"] != "amount" || e["cell"] != "x" {
		t.Errorf("row error %v", e)
	}
	if p := kinds["preflight"]; p["valid"] != true || p["valid_rows"] != 1.0 || p["invalid_rows"] != 1.0 {
		t.Errorf("preflight %v", p)
	}
	if e := kinds["summary"]; e["status"] != "complete" || e["imported"] != 1.0 || e["errors"] != 1.0 || e["import_id"] != s.list("import", "list")[0]["id"] {
		t.Errorf("summary %v", e)
	}
}

func TestImportFromStandardInput(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	var stdout, stderr buffer
	status := cmd.Main(t.Context(), []string{"import", "-", "--account", "Giro", "--yes", "--data", s.file}, s.env, strings.NewReader(good), &stdout, &stderr)
	if status != 0 || s.balance() != 98425.0 {
		t.Errorf("status %d, said %s", status, stderr.String())
	}
}

// interrupter is an output that presses Ctrl-C when it is told a word.
type interrupter struct {
	buffer
	word  string
	press context.CancelFunc
}

func (i *interrupter) Write(p []byte) (int, error) {
	if strings.Contains(string(p), i.word) {
		i.press()
	}
	return i.buffer.Write(p)
}

func TestImportInterrupted(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stderr := &interrupter{word: "afterwards", press: cancel}
	var stdout buffer
	args := []string{"import", s.write("a.csv", good), "--account", "Giro", "--yes", "--data", s.file}
	if status := cmd.Main(ctx, args, s.env, strings.NewReader(""), &stdout, stderr); status != 1 || !strings.Contains(stderr.String(), "interrupted") ||
		!strings.Contains(stderr.String(), "Nothing of "+args[1]+" was imported.") {
		t.Errorf("status %d, said %s", status, stderr.String())
	}
	if s.balance() != 100000.0 || len(s.list("import", "list")) != 0 {
		t.Error("something was stored")
	}
}

// Commands and a server on the same file do each other's imports, each of them once.
func TestImportBesideAServer(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	r := s.serve()
	files := []string{"import", "--account", "Giro", "--yes"}
	for i := range 5 {
		files = append(files, s.write(fmt.Sprintf("%d.csv", i), fmt.Sprintf("date,amount\n2026-01-0%d,-1.00\n", i+2)))
	}
	ids := strings.Fields(s.ok(files...))
	if len(ids) != 5 || s.balance() != 99500.0 {
		t.Errorf("ids %v, balance %v", ids, s.balance())
	}
	r.end()
}

func TestImportTypes(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	accounts := s.write("accounts.csv", "type,name,balance\nsavings,Nest,250.00\n")
	got := s.run("import", accounts, "--type", "AccountImport", "--dry-run")
	if got.status != 0 || !strings.Contains(got.stderr, `"Nest"`) || strings.Contains(got.stderr, "From ") {
		t.Errorf("a dry run: status %d, said %q", got.status, got.stderr)
	}
	s.ok("import", accounts, "--type", "AccountImport", "--yes")
	if list := s.list("account", "list"); len(list) != 2 || list[1]["name"] != "Nest" || list[1]["balance_cents"] != 25000.0 {
		t.Errorf("accounts %v", list)
	}
	id := strings.TrimSpace(s.ok("import", s.write("categories.csv", "name,parent\nRye,Grain\n"), "--type", "CategoryImport", "--yes"))
	if table := s.ok("import", "show", id, "--rows"); !strings.Contains(table, "1  imported  -") || !strings.Contains(table, "Rye") {
		t.Errorf("got %s", table)
	}
	s.ok("import", s.write("mint.csv", "Date,Description,Amount,Transaction Type,Category\n1/05/2026,Bread,12.50,debit,Rye\n"),
		"--type", "MintImport", "--account", "Giro", "--yes")
	if s.balance() != 98750.0 {
		t.Errorf("balance %v", s.balance())
	}
}
