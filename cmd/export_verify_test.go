package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"

	"github.com/google/uuid"

	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/entry"
)

func TestExportsOfTheDemoHouseholdAddUp(t *testing.T) {
	t.Parallel()
	d := cmdtest.NewCommandLine(t).Demo()
	s := cmdtest.NewCommandLine(t)
	s.File = d.File
	s.Verifies("Demo", len(s.List("account", "list", "--all", "--household", "Demo")))
	d.End()
}

func TestExportsOfGeneratedHouseholdsAddUp(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			s := cmdtest.NewCommandLine(t)
			s.File = dbtest.Path(t)
			cmdtest.NewHousehold(t, s.File, seed)
			s.Verifies("Generated", 10)
		})
	}
}

// What is verified is also what is printed.
func TestExportVerifiedToStandardOutput(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org", "--currency", "EUR", "--no-categories")
	s.OK("account", "create", "Giro", "--type", "depository", "--balance", "12.30", "--date", "2026-01-31")
	for _, form := range []string{"hledger", "beancount", "ndjson"} {
		plain, got := s.OK("export", form), s.Do("export", form, "--verify")
		if got.Status != 0 || got.Stdout != plain || !strings.Contains(got.Stderr, "Verified: balances equal: 1 account, 2 days.") {
			t.Errorf("%s: status %d, said %q, printed %q, want %q", form, got.Status, got.Stderr, got.Stdout, plain)
		}
	}
}

func TestExportCSVBadInput(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org", "--no-categories")
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
		s.Fails(c.status, append([]string{"export", "csv"}, c.args...), c.word)
	}
	s.Fails(2, []string{"export", "ndjson", "--canonical", "--verify"}, "without it")
	if all, err := os.ReadDir(dir); err != nil || len(all) != 0 {
		t.Errorf("left behind %v, %v", all, err)
	}
	s.OK("export", "csv", "-o", dir+"/", "--force")
	if all, err := os.ReadDir(dir); err != nil || len(all) != 15 {
		t.Errorf("wrote %v, %v", all, err)
	}
}

// The figures are worked out by hand: 100.00 to begin with, -12.50 and -3.00 booked.
func TestExportTables(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org", "--currency", "EUR", "--no-categories")
	giro := strings.TrimSpace(s.OK("account", "create", "=Giro", "--type", "depository", "--balance", "100", "--date", "2026-01-31"))
	s.OK("account", "create", "Car", "--type", "loan", "--balance", "5000", "--date", "2026-01-31")
	bank := filepath.Join(t.TempDir(), "bank.csv")
	if err := os.WriteFile(bank, []byte("date,amount,name,notes,tags\n2026-02-03,-12.50,\"+49 30 \"\"Shop\"\", Ltd\",-5,@work|food\n2026-02-03,-3.00,Bakery,,\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.OK("import", bank, "--account", giro, "--yes")
	rows := strings.Split(s.OK("export", "csv", "--table", "transactions"), "\r\n")
	if len(rows) != 4 || rows[0] != "finsvc_id,date,account,amount,currency,name,notes,category,merchant,tags,transfer,transfer_account,lines,external_id,source,account_id" {
		t.Fatalf("transactions %q", rows)
	}
	for i, want := range []string{`,2026-02-03,'=Giro,-12.50,EUR,"'+49 30 ""Shop"", Ltd",'-5,,,"'@work,food",,,,,,` + giro, `,2026-02-03,'=Giro,-3.00,EUR,Bakery,,,,,,,,,,` + giro} {
		if got := rows[i+1][36:]; got != want {
			t.Errorf("row %d is %q, want %q", i+1, got, want)
		}
	}
	accounts := s.OK("export", "csv", "--table", "accounts")
	for _, want := range []string{"Car,loan,", ",EUR,-5000.00,-5000.00,0.00,active,", "'=Giro,depository,", ",EUR,84.50,84.50,0.00,active,"} {
		if !strings.Contains(accounts, want) {
			t.Errorf("accounts are %q, want %q in them", accounts, want)
		}
	}
	s.ImportsNothing(giro)
	books := books.New(dbtest.Open(t, s.File), time.Now)
	who := ledger.Actor{HouseholdID: 1, Origin: ledger.OriginCLI}
	list, _, err := books.Entries.ListTransactions(t.Context(), who, entry.TransactionFilter{}, ledger.Page{Number: 1, Size: 10})
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	if _, err := books.Entries.UpdateTransaction(t.Context(), who, uuid.UUID(list[0].PublicID), entry.TransactionInput{Name: ledger.Some("Another name"), Notes: ledger.Some("=2")}); err != nil {
		t.Fatal(err)
	}
	s.ImportsNothing(giro)
}

// Without the ids the rows are new; that their one amount is money in needs no answer, as the file is known.
func TestExportedTransactionsInAnotherHousehold(t *testing.T) {
	t.Parallel()
	s, other := cmdtest.NewCommandLine(t), cmdtest.NewCommandLine(t)
	for _, each := range []*cmdtest.CommandLine{s, other} {
		each.OK("household", "create", "Home", "--owner", "ana@example.org", "--currency", "EUR", "--no-categories")
		each.OK("account", "create", "Giro", "--type", "depository", "--balance", "0", "--date", "2026-01-31")
	}
	bank, name := filepath.Join(t.TempDir(), "bank.csv"), filepath.Join(t.TempDir(), "transactions.csv")
	if err := os.WriteFile(bank, []byte("date,amount,name,tags\n2026-03-02,12.50,'@home,\"a\\, b|c\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.OK("import", bank, "--account", "Giro", "--set", "signage_convention=inflows_positive", "--set", "date_format=%Y-%m-%d", "--yes")
	s.OK("export", "csv", "--table", "transactions", "-o", name)
	other.OK("import", name, "--yes")
	cut := func(text string) string { return text[strings.Index(text, "\r\n")+38 : len(text)-40] } // without ids
	if got, want := cut(other.OK("export", "csv", "--table", "transactions")), cut(s.OK("export", "csv", "--table", "transactions")); got != want || !strings.Contains(got, ",12.50,EUR,'@home,") {
		t.Errorf("got %q, want %q", got, want)
	}
}
