package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/entry"
)

// exportForms are the names of files to write, with the command that writes each.
func exportForms() map[string][]string {
	return map[string][]string{"books.zip": {"csv"}, "books/": {"csv"}, "home.ndjson": {"ndjson"}, "books.journal": {"hledger"}, "books.beancount": {"beancount"}}
}

// verifies writes a household in every form and has it read back.
func (s *commandLine) verifies(household string, accounts int) {
	s.Helper()
	for name, form := range exportForms() {
		output := filepath.Join(s.TempDir(), name) + strings.Repeat("/", strings.Count(name, "/"))
		got := s.run(append([]string{"export"}, append(form, "--household", household, "--verify", "-o", output)...)...)
		if want := fmt.Sprintf("Verified: balances equal: %d accounts, ", accounts); got.status != 0 || !strings.Contains(got.stderr, want) {
			s.Errorf("%v: status %d, said %s, want %q", form, got.status, got.stderr, want)
		}
		if _, err := os.Stat(output); err != nil {
			s.Errorf("%v: %v", form, err)
		}
	}
}

func TestExportsOfTheDemoHouseholdAddUp(t *testing.T) {
	t.Parallel()
	d := newCommandLine(t).demo()
	s := newCommandLine(t)
	s.file = d.file
	s.verifies("Demo", len(s.list("account", "list", "--all", "--household", "Demo")))
	d.end()
}

func TestExportsOfGeneratedHouseholdsAddUp(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			s := newCommandLine(t)
			s.file = dbtest.Path(t)
			newHousehold(t, s.file, seed)
			s.verifies("Generated", 10)
		})
	}
}

// What is verified is also what is printed.
func TestExportVerifiedToStandardOutput(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	s.ok("household", "create", "Home", "--owner", "ana@example.org", "--currency", "EUR", "--no-categories")
	s.ok("account", "create", "Giro", "--type", "depository", "--balance", "12.30", "--date", "2026-01-31")
	for _, form := range []string{"hledger", "beancount", "ndjson"} {
		plain, got := s.ok("export", form), s.run("export", form, "--verify")
		if got.status != 0 || got.stdout != plain || !strings.Contains(got.stderr, "Verified: balances equal: 1 account, 2 days.") {
			t.Errorf("%s: status %d, said %q, printed %q, want %q", form, got.status, got.stderr, got.stdout, plain)
		}
	}
}

func TestExportCSVBadInput(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	s.ok("household", "create", "Home", "--owner", "ana@example.org", "--no-categories")
	dir := t.TempDir()
	for _, c := range []struct {
		status int
		args   []string
		word   string
	}{
		{2, nil, "name a zip file with -o FILE"},
		{2, []string{"--table", "budgets"}, "table must be one of accounts, transactions"},
		{2, []string{"--table", "tags", "--verify"}, "leave out --table"},
		{2, []string{"--table", "tags", "-o", filepath.Join(dir, "x") + "/"}, "leave out --table"},
		{6, []string{"-o", dir + "/"}, "is there already"},
		{5, []string{"-o", filepath.Join(dir, "no", "books") + "/"}, "no"},
		{5, []string{"-o", filepath.Join(dir, "no", "books.zip")}, "no"},
		{2, []string{"-o", dir}, "is a directory"},
	} {
		s.fails(c.status, append([]string{"export", "csv"}, c.args...), c.word)
	}
	s.fails(2, []string{"export", "ndjson", "--canonical", "--verify"}, "without it")
	if all, err := os.ReadDir(dir); err != nil || len(all) != 0 {
		t.Errorf("left behind %v, %v", all, err)
	}
	s.ok("export", "csv", "-o", dir+"/", "--force")
	if all, err := os.ReadDir(dir); err != nil || len(all) != 15 {
		t.Errorf("wrote %v, %v", all, err)
	}
}

// The figures are worked out by hand: 100.00 to begin with, -12.50 and -3.00 booked.
func TestExportTables(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	s.ok("household", "create", "Home", "--owner", "ana@example.org", "--currency", "EUR", "--no-categories")
	giro := strings.TrimSpace(s.ok("account", "create", "=Giro", "--type", "depository", "--balance", "100", "--date", "2026-01-31"))
	s.ok("account", "create", "Car", "--type", "loan", "--balance", "5000", "--date", "2026-01-31")
	bank := filepath.Join(t.TempDir(), "bank.csv")
	if err := os.WriteFile(bank, []byte("date,amount,name,notes,tags\n2026-02-03,-12.50,\"+49 30 \"\"Shop\"\", Ltd\",-5,@work|food\n2026-02-03,-3.00,Bakery,,\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.ok("import", bank, "--account", giro, "--yes")
	rows := strings.Split(s.ok("export", "csv", "--table", "transactions"), "\r\n")
	if len(rows) != 4 || rows[0] != "finsvc_id,date,account,amount,currency,name,notes,category,merchant,tags,transfer,transfer_account,lines,external_id,source,account_id" {
		t.Fatalf("transactions %q", rows)
	}
	for i, want := range []string{`,2026-02-03,'=Giro,-12.50,EUR,"'+49 30 ""Shop"", Ltd",'-5,,,"'@work,food",,,,,,` + giro, `,2026-02-03,'=Giro,-3.00,EUR,Bakery,,,,,,,,,,` + giro} {
		if got := rows[i+1][36:]; got != want {
			t.Errorf("row %d is %q, want %q", i+1, got, want)
		}
	}
	accounts := s.ok("export", "csv", "--table", "accounts")
	for _, want := range []string{"Car,loan,", ",EUR,-5000.00,-5000.00,0.00,active,", "'=Giro,depository,", ",EUR,84.50,84.50,0.00,active,"} {
		if !strings.Contains(accounts, want) {
			t.Errorf("accounts are %q, want %q in them", accounts, want)
		}
	}
	s.importsNothing(giro)
	books := books.New(dbtest.Open(t, s.file), time.Now)
	who := ledger.Actor{HouseholdID: 1, Origin: ledger.OriginCLI}
	list, _, err := books.Entries.ListTransactions(t.Context(), who, entry.TransactionFilter{}, ledger.Page{Number: 1, Size: 10})
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	if _, err := books.Entries.UpdateTransaction(t.Context(), who, uuid.UUID(list[0].PublicID), entry.TransactionInput{Name: ledger.Some("Another name"), Notes: ledger.Some("=2")}); err != nil {
		t.Fatal(err)
	}
	s.importsNothing(giro)
}

// Without the ids the rows are new; that their one amount is money in needs no answer, as the file is known.
func TestExportedTransactionsInAnotherHousehold(t *testing.T) {
	t.Parallel()
	s, other := newCommandLine(t), newCommandLine(t)
	for _, each := range []*commandLine{s, other} {
		each.ok("household", "create", "Home", "--owner", "ana@example.org", "--currency", "EUR", "--no-categories")
		each.ok("account", "create", "Giro", "--type", "depository", "--balance", "0", "--date", "2026-01-31")
	}
	bank, name := filepath.Join(t.TempDir(), "bank.csv"), filepath.Join(t.TempDir(), "transactions.csv")
	if err := os.WriteFile(bank, []byte("date,amount,name,tags\n2026-03-02,12.50,'@home,\"a\\, b|c\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.ok("import", bank, "--account", "Giro", "--set", "signage_convention=inflows_positive", "--set", "date_format=%Y-%m-%d", "--yes")
	s.ok("export", "csv", "--table", "transactions", "-o", name)
	other.ok("import", name, "--yes")
	cut := func(text string) string { return text[strings.Index(text, "\r\n")+38 : len(text)-40] } // without ids
	if got, want := cut(other.ok("export", "csv", "--table", "transactions")), cut(s.ok("export", "csv", "--table", "transactions")); got != want || !strings.Contains(got, ",12.50,EUR,'@home,") {
		t.Errorf("got %q, want %q", got, want)
	}
}

// importsNothing imports the exported transactions and finds all of them booked, also after one was renamed.
func (s *commandLine) importsNothing(account string) {
	s.Helper()
	before := s.ok("export", "csv", "--table", "transactions")
	name := filepath.Join(s.TempDir(), "transactions.csv")
	if err := os.WriteFile(name, []byte(before), 0o600); err != nil {
		s.Fatal(err)
	}
	for _, args := range [][]string{{"import", name, "--yes"}, {"import", name, "--account", account, "--yes"}} {
		if got := s.run(args...); got.status != 0 || !strings.Contains(got.stderr, "Imported 0 rows; 2 rows were there already") {
			s.Errorf("status %d, said %s", got.status, got.stderr)
		}
	}
	if after := s.ok("export", "csv", "--table", "transactions"); after != before {
		s.Errorf("exported %q, then %q", before, after)
	}
}
