package cmd_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"

	"finsvc/cmd"
)

const (
	good = "date,amount,name,category\n2026-01-05,-12.50,Bread,Groceries\n2026-01-06,-3.25,Butter,Dairy\n"
	bad  = "date,amount,name\n2026-01-05,-12.50,Bread\n2026-01-06,x,Butter\n"
)

func TestImport(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	file := s.Write("january.csv", good)
	got := s.Do("import", file, "--account", "gIRO", "--dry-run")
	if got.Status != 0 || got.Stdout != "" {
		t.Errorf("a dry run: status %d, printed %q, said %q", got.Status, got.Stdout, got.Stderr)
	}
	for _, want := range []string{"2 rows", "2026-01-05 to 2026-01-06", "-15,75\u00a0€", "1.000,00\u00a0€ now, 984,25\u00a0€ afterwards", "New category: \"Dairy\""} {
		if !strings.Contains(got.Stderr, want) {
			t.Errorf("said %q, want %q in it", got.Stderr, want)
		}
	}
	if s.Balance() != 100000.0 || len(s.List("import", "list")) != 0 {
		t.Error("the dry run stored something")
	}
	id := strings.TrimSpace(s.OK("import", file, "--account", "Giro", "--yes"))
	if s.Balance() != 98425.0 {
		t.Errorf("balance %v", s.Balance())
	}
	list := s.List("import", "list")
	if len(list) != 1 || list[0]["id"] != id || list[0]["status"] != "complete" || list[0]["file"] != "january.csv" || list[0]["rows"] != 2.0 {
		t.Errorf("imports %v", list)
	}
	if table := s.OK("import", "show", id, "--rows"); !strings.Contains(table, "1  imported  2026-01-05  -12,50\u00a0€  Bread") {
		t.Errorf("got %s", table)
	}
	var shown struct {
		Rows []struct{ Transaction_id *string } `json:"row_list"`
	}
	if err := json.Unmarshal([]byte(s.OK("import", "show", id, "--rows", "--json")), &shown); err != nil || len(shown.Rows) != 2 || shown.Rows[1].Transaction_id == nil {
		t.Errorf("got %+v, %v", shown, err)
	}
}

func TestImportRefuses(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	file := s.Write("a.csv", good)
	s.Fails(2, []string{"import"}, "name the files")
	s.Fails(2, []string{"import", file, "--account", "Giro"}, "--yes", "--dry-run")
	s.Fails(2, []string{"import", file, "--yes", "--set", "date_fromat=%Y"}, "date_fromat", "amount_col_label, ", "date_format")
	s.Fails(2, []string{"import", file, "--yes", "--set", "date_format=%Q"}, "date_format")
	s.Fails(2, []string{"import", file, "--yes", "--type", "Nonsense"}, "type must be one of")
	s.Fails(2, []string{"import", file, "--yes"}, "--account")
	s.Fails(5, []string{"import", file, "--yes", "--account", "Savings"}, "Savings")
	s.Fails(5, []string{"import", file, "--yes", "--account", "0198f2a0-1234-7abc-8def-0123456789ab"}, "Account not found")
	s.Fails(5, []string{"import", file + "x", "--yes", "--account", "Giro"}, "a.csvx")
	s.Fails(2, []string{"import", s.Write("empty.csv", ""), "--yes", "--account", "Giro"}, "empty.csv")
	s.Fails(2, []string{"import", "show", "7"}, "finsvc import list")
	s.Fails(5, []string{"import", "show", "0198f2a0-1234-7abc-8def-0123456789ab"}, "Import not found")
	s.OK("account", "create", "GIRO", "--type", "depository", "--yes")
	s.Fails(2, []string{"import", file, "--yes", "--account", "giro"}, "ambiguous")
	if imports := s.List("import", "list"); len(imports) != 0 {
		t.Errorf("imports %v", imports)
	}
}

func TestImportWithBadRows(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	file := s.Write("bad.csv", bad)
	s.Fails(3, []string{"import", file, "--account", "Giro", "--yes"}, "row 2 (line 3): amount", "--skip-invalid")
	s.Fails(3, []string{"import", file, "--account", "Giro", "--dry-run"}, "row 2 (line 3): amount")
	if s.Balance() != 100000.0 {
		t.Errorf("balance %v", s.Balance())
	}
	got := s.Do("import", file, "--account", "Giro", "--yes", "--skip-invalid", "--json")
	if got.Status != 3 || s.Balance() != 98750.0 {
		t.Errorf("status %d, balance %v, said %s", got.Status, s.Balance(), got.Stderr)
	}
	kinds := map[string]map[string]any{}
	for line := range strings.Lines(got.Stdout) {
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
	if e := kinds["summary"]; e["status"] != "complete" || e["imported"] != 1.0 || e["errors"] != 1.0 || e["import_id"] != s.List("import", "list")[0]["id"] {
		t.Errorf("summary %v", e)
	}
}

func TestImportFromStandardInput(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	var stdout, stderr cmdtest.Buffer
	status := cmd.Main(t.Context(), []string{"import", "-", "--account", "Giro", "--yes", "--data", s.File}, s.Environ(), strings.NewReader(good), &stdout, &stderr)
	if status != 0 || s.Balance() != 98425.0 {
		t.Errorf("status %d, said %s", status, stderr.String())
	}
}

// interrupter is an output that presses Ctrl-C when it is told a word.
type interrupter struct {
	cmdtest.Buffer
	word  string
	press context.CancelFunc
}

func (i *interrupter) Write(p []byte) (int, error) {
	if strings.Contains(string(p), i.word) {
		i.press()
	}
	return i.Buffer.Write(p)
}

func TestImportInterrupted(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stderr := &interrupter{word: "afterwards", press: cancel}
	var stdout cmdtest.Buffer
	args := []string{"import", s.Write("a.csv", good), "--account", "Giro", "--yes", "--data", s.File}
	if status := cmd.Main(ctx, args, s.Environ(), strings.NewReader(""), &stdout, stderr); status != 1 || !strings.Contains(stderr.String(), "interrupted") ||
		!strings.Contains(stderr.String(), "Nothing of "+args[1]+" was imported.") {
		t.Errorf("status %d, said %s", status, stderr.String())
	}
	if s.Balance() != 100000.0 || len(s.List("import", "list")) != 0 {
		t.Error("something was stored")
	}
}

// Commands and a server on the same file do each other's imports, each of them once.
func TestImportBesideAServer(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	r := s.Serve()
	files := []string{"import", "--account", "Giro", "--yes"}
	for i := range 5 {
		files = append(files, s.Write(fmt.Sprintf("%d.csv", i), fmt.Sprintf("date,amount\n2026-01-0%d,-1.00\n", i+2)))
	}
	ids := strings.Fields(s.OK(files...))
	if len(ids) != 5 || s.Balance() != 99500.0 {
		t.Errorf("ids %v, balance %v", ids, s.Balance())
	}
	r.End()
}

func TestImportTypes(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	accounts := s.Write("accounts.csv", "type,name,balance\nsavings,Nest,250.00\n")
	got := s.Do("import", accounts, "--type", "AccountImport", "--dry-run")
	if got.Status != 0 || !strings.Contains(got.Stderr, `"Nest"`) || strings.Contains(got.Stderr, "From ") {
		t.Errorf("a dry run: status %d, said %q", got.Status, got.Stderr)
	}
	s.OK("import", accounts, "--type", "AccountImport", "--yes")
	if list := s.List("account", "list"); len(list) != 2 || list[1]["name"] != "Nest" || list[1]["balance_cents"] != 25000.0 {
		t.Errorf("accounts %v", list)
	}
	id := strings.TrimSpace(s.OK("import", s.Write("categories.csv", "name,parent\nRye,Grain\n"), "--type", "CategoryImport", "--yes"))
	if table := s.OK("import", "show", id, "--rows"); !strings.Contains(table, "1  imported  -") || !strings.Contains(table, "Rye") {
		t.Errorf("got %s", table)
	}
	s.OK("import", s.Write("mint.csv", "Date,Description,Amount,Transaction Type,Category\n1/05/2026,Bread,12.50,debit,Rye\n"),
		"--type", "MintImport", "--account", "Giro", "--yes")
	if s.Balance() != 98750.0 {
		t.Errorf("balance %v", s.Balance())
	}
}
