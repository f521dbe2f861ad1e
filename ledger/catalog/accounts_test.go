package catalog_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/names"
)

func null[T any]() ledger.Opt[T] { return ledger.Opt[T]{Set: true, Null: true} }

// TestAccountDefaults holds what was decided.
//
// Decision, Accounts, categories, tags, merchants: types of accounts and their classification.
func TestAccountDefaults(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	for _, c := range []struct{ kind, classification, subtype string }{
		{"depository", "asset", "checking"}, {"investment", "asset", ""}, {"crypto", "asset", ""}, {"property", "asset", ""},
		{"vehicle", "asset", ""}, {"other_asset", "asset", ""}, {"credit_card", "liability", "credit_card"},
		{"loan", "liability", ""}, {"other_liability", "liability", ""},
	} {
		in := ledgertest.AccountNamed("  My\u00a0 "+c.kind+" ", c.kind)
		in.Subtype, in.Notes = null[string](), ledger.Some("a\nb | [c]")
		a := b.Open(in)
		subtype := ""
		if a.Subtype != nil {
			subtype = *a.Subtype
		}
		if a.Classification != c.classification || subtype != c.subtype || a.Currency != "EUR" || a.Status != "active" ||
			a.OpeningMinor != 0 || a.OpeningDate != nil || a.BalanceMinor != 0 || *a.Notes != "a\nb | [c]" || a.InstitutionName != nil {
			t.Errorf("%s: got %+v", c.kind, a)
		}
		if !strings.HasPrefix(a.Name, "My") || strings.HasSuffix(a.Name, " ") {
			t.Errorf("name %q", a.Name)
		}
	}
}

func TestAccountNamesEveryProblem(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	long := strings.Repeat("ä", 256)
	_, err := b.Accounts.CreateAccount(b.Ctx(), b.Who, catalog.AccountInput{
		AccountType: ledger.Some("Depository"), Currency: ledger.Some("EURO"), InstitutionName: ledger.Some(long),
		InstitutionDomain: ledger.Some("https://bank.example"), Notes: ledger.Some("a\x00b"), Balance: ledgertest.AmountOf("1")})
	ledgertest.Refused(t, err, ledger.Invalid, "name is required", "account_type must be depository, investment", `got "Depository"`,
		`currency must be an ISO 4217 code such as EUR, got "EURO"`, "institution_name must have at most 255 characters, has 256",
		"institution_domain must be a domain such as bank.example", "notes must not contain control characters, has U+0000")
	for name, c := range map[string]struct {
		change func(*catalog.AccountInput)
		want   string
	}{
		"no type":           {func(in *catalog.AccountInput) { in.AccountType = ledger.Opt[string]{} }, "account_type is required"},
		"blank name":        {func(in *catalog.AccountInput) { in.Name = ledger.Some(" \t") }, "name is required"},
		"long name":         {func(in *catalog.AccountInput) { in.Name = ledger.Some(long) }, "name must have at most 255 characters"},
		"line break":        {func(in *catalog.AccountInput) { in.Name = ledger.Some("a\nb") }, "name must not contain control characters"},
		"invalid UTF-8":     {func(in *catalog.AccountInput) { in.Name = ledger.Some("a\xff") }, "name must be valid UTF-8"},
		"foreign subtype":   {func(in *catalog.AccountInput) { in.Subtype = ledger.Some("mortgage") }, "subtype must be one of those of depository (checking, savings, hsa, cd, money_market)"},
		"too many decimals": {func(in *catalog.AccountInput) { in.Balance = ledgertest.AmountOf("1.005") }, "balance has more decimals"},
		"decimals of yen": {func(in *catalog.AccountInput) {
			in.Balance, in.Currency = ledgertest.AmountOf("1.5"), ledger.Some("JPY")
		}, "balance has more decimals"},
		"beyond the limit": {func(in *catalog.AccountInput) { in.Balance = ledgertest.AmountOf("92233720368547758.08") }, "balance must"},
		"decoding, too":    {func(in *catalog.AccountInput) { in.Problems.Add("date", "must be a calendar date") }, "date must be a calendar date"},
		"subtype of vehicle": {func(in *catalog.AccountInput) {
			in.AccountType, in.Subtype = ledger.Some("vehicle"), ledger.Some("car")
		}, "subtype must be absent or null"},
	} {
		in := ledgertest.AccountNamed("Checking", "depository")
		c.change(&in)
		_, err := b.Accounts.CreateAccount(b.Ctx(), b.Who, in)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	if list, total, err := b.Accounts.ListAccounts(b.Ctx(), b.Who, true, ledger.Page{Number: 1, Size: 10}); err != nil || total != 0 || len(list) != 0 {
		t.Errorf("left behind: %v %d %v", list, total, err)
	}
}

// TestAccountUpdate holds what was decided.
//
// Decision, Accounts, categories, tags, merchants: PATCH, and a status disabled that hides.
func TestAccountUpdate(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	in := ledgertest.AccountNamed("Card", "credit_card")
	in.Balance, in.Date = ledgertest.AmountOf("250.00"), ledgertest.DayOf("2026-01-01")
	in.InstitutionName, in.InstitutionDomain = ledger.Some("Bank"), ledger.Some("Bank.Example")
	card := b.Open(in)
	id := uuid.UUID(card.PublicID)
	if card.OpeningMinor != 25000 || card.BalanceMinor != 25000 || *card.InstitutionDomain != "bank.example" {
		t.Fatalf("created %+v", card)
	}
	change := func(in catalog.AccountInput) catalog.Account {
		t.Helper()
		a, err := b.Accounts.UpdateAccount(b.Ctx(), b.Who, id, in)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if got := change(ledgertest.AccountNamed("Card", "credit_card")); got.UpdatedAt != card.UpdatedAt {
		t.Error("a change of nothing moved updated_at")
	}
	got := change(catalog.AccountInput{Name: ledger.Some("Loan"), AccountType: ledger.Some("loan"), InstitutionName: null[string](),
		Balance: ledgertest.AmountOf("-1.50"), Status: ledger.Some("disabled")})
	if got.Name != "Loan" || got.AccountType != "loan" || got.Subtype != nil || got.InstitutionName != nil || *got.InstitutionDomain != "bank.example" ||
		got.OpeningMinor != -150 || *got.OpeningDate != ledger.NewDate(2026, 1, 1) || got.Status != "disabled" || got.UpdatedAt <= card.UpdatedAt {
		t.Errorf("changed %+v", got)
	}
	if got := change(catalog.AccountInput{Date: null[ledger.Date](), Currency: ledger.Some("kwd")}); got.OpeningDate != nil || got.Currency != "KWD" || got.OpeningMinor != -1500 {
		t.Errorf("floating dinars: %+v", got)
	}
	_, err := b.Accounts.UpdateAccount(b.Ctx(), b.Who, id, catalog.AccountInput{Name: null[string](), AccountType: ledger.Some("vehicle"),
		Status: ledger.Some("closed"), Currency: ledger.Some("JPY")})
	ledgertest.Refused(t, err, ledger.Invalid, "name is required", "account_type of an account that is a liability must be credit_card, loan or other_liability, got vehicle",
		`status must be active or disabled, got "closed"`, "currency does not fit the opening balance, which has more decimals")
	if n := b.Changes(id); n != 3 {
		t.Errorf("%d entries in the history, want 3", n)
	}
}

func TestAccountCurrencyIsFixedByEntries(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account := uuid.UUID(b.Open(ledgertest.AccountNamed("Checking", "depository")).PublicID)
	fresh := b.Create(ledgertest.Entry(account, "2026-01-02", "5", "x"))
	_, err := b.Accounts.UpdateAccount(b.Ctx(), b.Who, account, catalog.AccountInput{Currency: ledger.Some("USD")})
	ledgertest.Refused(t, err, ledger.Invalid, "currency must stay EUR, because the account has entries")
	if err := b.Entries.DeleteTransaction(b.Ctx(), b.Who, uuid.UUID(fresh.PublicID)); err != nil {
		t.Fatal(err)
	}
	a, err := b.Accounts.UpdateAccount(b.Ctx(), b.Who, account, catalog.AccountInput{Currency: ledger.Some("USD")})
	if err != nil || a.Currency != "USD" {
		t.Fatalf("got %+v, %v", a, err)
	}
	if got := b.Create(ledgertest.Entry(account, "2026-01-02", "5", "x")); got.Currency != "USD" {
		t.Errorf("a new transaction is in %s, want USD", got.Currency)
	}
}

func TestAccountList(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	for _, name := range []string{"beta", "Alpha", "ALPHA", "Émile", "gamma"} {
		b.Open(ledgertest.AccountNamed(name, "depository"))
	}
	named, err := b.Books.Names.Find(b.Ctx(), b.Who, names.Account, "GAMMA")
	if err != nil {
		t.Fatal(err)
	}
	gamma := named.ID
	if _, err := b.Accounts.UpdateAccount(b.Ctx(), b.Who, gamma, catalog.AccountInput{Status: ledger.Some("disabled")}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		disabled     bool
		number, size int
		want         string
		total        int64
	}{
		{false, 1, 10, "Alpha ALPHA beta Émile", 4}, {true, 1, 10, "Alpha ALPHA beta gamma Émile", 5},
		{false, 2, 3, "Émile", 4}, {false, 3, 3, "", 4},
	} {
		list, total, err := b.Accounts.ListAccounts(b.Ctx(), b.Who, c.disabled, ledger.Page{Number: c.number, Size: c.size})
		var listed []string
		for _, a := range list {
			listed = append(listed, a.Name)
		}
		if got := strings.Join(listed, " "); err != nil || got != c.want || total != c.total {
			t.Errorf("%+v: got %q, %d, %v", c, got, total, err)
		}
	}
	if a, err := b.Accounts.GetAccount(b.Ctx(), b.Who, gamma); err != nil || a.Status != "disabled" {
		t.Errorf("a disabled account by id: %+v, %v", a, err)
	}
}

func TestAccountsOfStrangers(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	stranger := b.Household("Other")
	id := uuid.UUID(b.Open(ledgertest.AccountNamed("Checking", "depository")).PublicID)
	_, err := b.Accounts.GetAccount(b.Ctx(), stranger, id)
	ledgertest.Refused(t, err, ledger.NotFound)
	_, err = b.Accounts.UpdateAccount(b.Ctx(), stranger, id, catalog.AccountInput{Name: ledger.Some("Mine")})
	ledgertest.Refused(t, err, ledger.NotFound)
	if list, total, err := b.Accounts.ListAccounts(b.Ctx(), stranger, true, ledger.Page{Number: 1, Size: 10}); err != nil || total != 0 || list != nil {
		t.Errorf("got %v %d %v", list, total, err)
	}
	if all, err := b.Balances.Balances(b.Ctx(), stranger, 0); err != nil || len(all) != 0 {
		t.Errorf("got %v %v", all, err)
	}
}
