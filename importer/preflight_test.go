package importer_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"finsvc/importer"
	"finsvc/importer/source"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
)

func opener(content string) *source.File { return source.Text(content) }

func (k *fixture) preflight(content string, in importer.Request) *importer.Preflight {
	k.tb.Helper()
	out, err := k.Preflight(k.tb.Context(), k.who, in, opener(content))
	if err != nil {
		k.tb.Fatal(err)
	}
	return out
}

// counts are the tables that a preflight could leave something in.
func (k *fixture) counts() string {
	k.tb.Helper()
	accounts, n, err := k.ledger.Accounts.ListAccounts(k.tb.Context(), k.who, true, ledger.Page{Number: 1, Size: 100})
	if err != nil {
		k.tb.Fatal(err)
	}
	_, categories, err := k.ledger.Labels.ListCategories(k.tb.Context(), k.who, catalog.CategoryFilter{},
		ledger.Page{Number: 1, Size: 100})
	if err != nil {
		k.tb.Fatal(err)
	}
	tags, err := k.ledger.Labels.ListTags(k.tb.Context(), k.who)
	if err != nil {
		k.tb.Fatal(err)
	}
	_, imports, err := k.List(k.tb.Context(), k.who, importer.Filter{}, ledger.Page{Number: 1, Size: 100})
	if err != nil {
		k.tb.Fatal(err)
	}
	_, entries := k.transactions()
	return fmt.Sprint(n, categories, len(tags), imports, entries, accounts[0].BalanceMinor)
}

// Today is 2026-03-01. Of the six rows one is not valid, one lies in the future and one in another
// currency; the account stood at 5.00 before.
func TestPreflight(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	k.upload("date,amount,name\n2026-01-01,+5.00,Before\n", importer.Request{Publish: true})
	k.work()
	before := k.counts()
	const file = "date,amount,name,account,category,tags,currency\n" +
		"2026-01-31,-12.50,Bread,checking,Food,fun,\n" +
		"2026-02-01,1000.00,Salary,Checking,Income,,\n" +
		"2026-02-30,1,Never,Checking,,,\n" +
		"2026-02-02,-3.25,Butter,Checking,food,FUN,\n" +
		"2026-04-01,-100.00,Rent,Checking,Home:Rent,,\n" +
		"2026-01-30,-7.00,Ticket,Wallet,,,USD\n"
	out := k.preflight(file, importer.Request{})
	if out.Rows != 6 || out.Valid != 5 || out.Invalid != 1 || out.Skipped != 0 || out.Encoding != "us-ascii" {
		t.Errorf("got %+v", out)
	}
	if out.First.String() != "2026-01-30" || out.Last.String() != "2026-04-01" {
		t.Errorf("from %s to %s", out.First, out.Last)
	}
	if len(out.Issues) != 1 || out.Issues[0].Row != 3 || !strings.Contains(out.Obstacle, "1 of 6 rows") {
		t.Errorf("obstacle %q, issues %v", out.Obstacle, out.Issues)
	}
	euro, dollar := out.Sums[0], out.Sums[1]
	if euro.Currency.Code != "EUR" || euro.In != 100000 || euro.Out != -11575 || dollar.Currency.Code != "USD" ||
		dollar.In != 0 || dollar.Out != -700 {
		t.Errorf("sums %+v", out.Sums)
	}
	want := []importer.Creation{{Entity: "category", Name: "Food"}, {Entity: "tag", Name: "fun"},
		{Entity: "category", Name: "Income"},
		{Entity: "category", Name: "Home"}, {Entity: "category", Name: "Home:Rent"},
		{Entity: "account", Name: "Wallet", Currency: "USD"}}
	if diff := cmp.Diff(want, out.Creates); diff != "" {
		t.Error(diff)
	}
	if len(out.Balances) != 1 || out.Balances[0].Before.BalanceMinor != 500 ||
		out.Balances[0].After.BalanceMinor != 98925 {
		t.Errorf("balances %+v", out.Balances)
	}
	if after := k.counts(); after != before {
		t.Errorf("something was stored: %s before, %s after", before, after)
	}
}

// What a preflight says is what publishing then does.
func TestPreflightIsKept(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	out := k.preflight(threeRows, importer.Request{AccountID: ledger.Some(k.account)})
	if out.Obstacle != "" || out.Balances[0].After.BalanceMinor != 97500 || len(out.Creates) != 2 {
		t.Fatalf("got %+v", out)
	}
	k.upload(threeRows, importer.Request{Publish: true})
	k.work()
	account, err := k.ledger.Accounts.GetAccount(t.Context(), k.who, k.account)
	if err != nil || account.BalanceMinor != 97500 {
		t.Errorf("balance %d, %v", account.BalanceMinor, err)
	}
	if again := k.preflight(threeRows, importer.Request{AccountID: ledger.Some(k.account)}); len(again.Creates) != 0 ||
		again.Balances[0].Before.BalanceMinor != 97500 {
		t.Errorf("afterwards %+v", again)
	}
}

func TestPreflightOfContentThatCannotBe(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	for _, c := range []struct {
		content, obstacle string
		missing           []string
	}{
		{"", "no header line", nil},
		{"date,amount\n", "nothing to publish", nil},
		{"day,amount\nsoon,-1\n", "date_col_label", nil},
		{"day,colour\n2026-01-01,red\n", "amount_col_label", nil},
		{"date,amount\n2026-01-01,\"1\n", "quote", nil},
	} {
		out := k.preflight(c.content, importer.Request{AccountID: ledger.Some(k.account)})
		if !strings.Contains(out.Obstacle, c.obstacle) {
			t.Errorf("%q: %q, want %q in it", c.content, out.Obstacle, c.obstacle)
		}
		if diff := cmp.Diff(c.missing, out.Missing); diff != "" {
			t.Errorf("%q: %s", c.content, diff)
		}
	}
	out := k.preflight("date,amount\n2026-01-01,-1\n", importer.Request{})
	if diff := cmp.Diff([]string{"account"}, out.Missing); diff != "" || out.Broken == nil {
		t.Errorf("%+v: %s", out, diff)
	}
	if _, err := k.Preflight(t.Context(), k.who, importer.Request{Type: "Nonsense"}, opener("")); !ledger.IsKind(err,
		ledger.Invalid) {
		t.Errorf("a type that is none: %v", err)
	}
}

// A name that several accounts have stops the import; the preflight says so.
func TestPreflightFindsAmbiguousNames(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	_, err := k.ledger.Accounts.CreateAccount(t.Context(), k.who,
		catalog.AccountInput{Name: ledger.Some("CHECKING"), AccountType: ledger.Some("depository")})
	if err != nil {
		t.Fatal(err)
	}
	out := k.preflight("date,amount,account,category\n2026-01-01,-1,Elsewhere,New\n2026-01-01,-1,checking,\n",
		importer.Request{})
	if !strings.Contains(out.Obstacle, "ambiguous") || out.Creates != nil {
		t.Errorf("got %+v", out)
	}
}

func TestPreflightOfVeryManyNames(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	var file strings.Builder
	file.WriteString("date,amount,category\n")
	for i := range 2_100 {
		fmt.Fprintf(&file, "2026-01-01,-1,c%d\n", i)
	}
	out := k.preflight(file.String(), importer.Request{AccountID: ledger.Some(k.account)})
	if !out.Unfinished || out.Creates != nil || out.Valid != 2_100 || out.Sums[0].Out != -210000 {
		t.Errorf("got %d valid, %v, creates %d", out.Valid, out.Sums, len(out.Creates))
	}
}

func TestSpool(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	s := k.NewBuffer()
	if _, err := io.WriteString(s, strings.Repeat("x", 1<<20)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(s, "y"); ledger.AsError(err) == nil || ledger.AsError(err).Code != "content_too_large" {
		t.Errorf("too long: %v", err)
	}
	file := s.File()
	for range 2 {
		r, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil || len(data) != 1<<20 || s.Size() != 1<<20 {
			t.Errorf("read %d of %d bytes, %v", len(data), s.Size(), err)
		}
	}
}
