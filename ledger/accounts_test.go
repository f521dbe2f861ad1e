package ledger_test

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/queries"
)

func amountOf(text string) ledger.Opt[decimal.Decimal] {
	return ledger.Some(decimal.RequireFromString(text))
}

func dayOf(text string) ledger.Opt[ledger.Date] {
	d, err := ledger.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return ledger.Some(d)
}

func null[T any]() ledger.Opt[T] { return ledger.Opt[T]{Set: true, Null: true} }

// accountNamed is the least that an account needs.
func accountNamed(name, kind string) ledger.AccountInput {
	return ledger.AccountInput{Name: ledger.Some(name), AccountType: ledger.Some(kind)}
}

func (b *books) open(in ledger.AccountInput) ledger.Account {
	b.tb.Helper()
	a, err := b.CreateAccount(b.ctx(), b.who, in)
	if err != nil {
		b.tb.Fatal(err)
	}
	return a
}

func TestAccountDefaults(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	for _, c := range []struct{ kind, classification, subtype string }{
		{"depository", "asset", "checking"}, {"investment", "asset", ""}, {"crypto", "asset", ""}, {"property", "asset", ""},
		{"vehicle", "asset", ""}, {"other_asset", "asset", ""}, {"credit_card", "liability", "credit_card"},
		{"loan", "liability", ""}, {"other_liability", "liability", ""},
	} {
		in := accountNamed("  My\u00a0 "+c.kind+" ", c.kind)
		in.Subtype, in.Notes = null[string](), ledger.Some("a\nb | [c]")
		a := b.open(in)
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
	b := newBooks(t)
	long := strings.Repeat("ä", 256)
	_, err := b.CreateAccount(b.ctx(), b.who, ledger.AccountInput{
		AccountType: ledger.Some("Depository"), Currency: ledger.Some("EURO"), InstitutionName: ledger.Some(long),
		InstitutionDomain: ledger.Some("https://bank.example"), Notes: ledger.Some("a\x00b"), Balance: amountOf("1")})
	refused(t, err, ledger.Invalid, "name is required", "account_type must be depository, investment", `got "Depository"`,
		`currency must be an ISO 4217 code such as EUR, got "EURO"`, "institution_name must have at most 255 characters, has 256",
		"institution_domain must be a domain such as bank.example", "notes must not contain control characters, has U+0000")
	for name, c := range map[string]struct {
		change func(*ledger.AccountInput)
		want   string
	}{
		"no type":            {func(in *ledger.AccountInput) { in.AccountType = ledger.Opt[string]{} }, "account_type is required"},
		"blank name":         {func(in *ledger.AccountInput) { in.Name = ledger.Some(" \t") }, "name is required"},
		"long name":          {func(in *ledger.AccountInput) { in.Name = ledger.Some(long) }, "name must have at most 255 characters"},
		"line break":         {func(in *ledger.AccountInput) { in.Name = ledger.Some("a\nb") }, "name must not contain control characters"},
		"invalid UTF-8":      {func(in *ledger.AccountInput) { in.Name = ledger.Some("a\xff") }, "name must be valid UTF-8"},
		"foreign subtype":    {func(in *ledger.AccountInput) { in.Subtype = ledger.Some("mortgage") }, "subtype must be one of those of depository (checking, savings, hsa, cd, money_market)"},
		"too many decimals":  {func(in *ledger.AccountInput) { in.Balance = amountOf("1.005") }, "balance has more decimals"},
		"decimals of yen":    {func(in *ledger.AccountInput) { in.Balance, in.Currency = amountOf("1.5"), ledger.Some("JPY") }, "balance has more decimals"},
		"beyond the limit":   {func(in *ledger.AccountInput) { in.Balance = amountOf("92233720368547758.08") }, "balance must"},
		"decoding, too":      {func(in *ledger.AccountInput) { in.Problems.Add("date", "must be a calendar date") }, "date must be a calendar date"},
		"subtype of vehicle": {func(in *ledger.AccountInput) { in.AccountType, in.Subtype = ledger.Some("vehicle"), ledger.Some("car") }, "subtype must be absent or null"},
	} {
		in := accountNamed("Checking", "depository")
		c.change(&in)
		_, err := b.CreateAccount(b.ctx(), b.who, in)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	if list, total, err := b.ListAccounts(b.ctx(), b.who, true, ledger.Page{Number: 1, Size: 10}); err != nil || total != 0 || len(list) != 0 {
		t.Errorf("left behind: %v %d %v", list, total, err)
	}
}

func TestAccountUpdate(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	in := accountNamed("Card", "credit_card")
	in.Balance, in.Date = amountOf("250.00"), dayOf("2026-01-01")
	in.InstitutionName, in.InstitutionDomain = ledger.Some("Bank"), ledger.Some("Bank.Example")
	card := b.open(in)
	id := uuid.UUID(card.PublicID)
	if card.OpeningMinor != 25000 || card.BalanceMinor != 25000 || *card.InstitutionDomain != "bank.example" {
		t.Fatalf("created %+v", card)
	}
	change := func(in ledger.AccountInput) ledger.Account {
		t.Helper()
		a, err := b.UpdateAccount(b.ctx(), b.who, id, in)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if got := change(accountNamed("Card", "credit_card")); got.UpdatedAt != card.UpdatedAt {
		t.Error("a change of nothing moved updated_at")
	}
	got := change(ledger.AccountInput{Name: ledger.Some("Loan"), AccountType: ledger.Some("loan"), InstitutionName: null[string](),
		Balance: amountOf("-1.50"), Status: ledger.Some("disabled")})
	if got.Name != "Loan" || got.AccountType != "loan" || got.Subtype != nil || got.InstitutionName != nil || *got.InstitutionDomain != "bank.example" ||
		got.OpeningMinor != -150 || *got.OpeningDate != ledger.NewDate(2026, 1, 1) || got.Status != "disabled" || got.UpdatedAt <= card.UpdatedAt {
		t.Errorf("changed %+v", got)
	}
	if got := change(ledger.AccountInput{Date: null[ledger.Date](), Currency: ledger.Some("kwd")}); got.OpeningDate != nil || got.Currency != "KWD" || got.OpeningMinor != -1500 {
		t.Errorf("floating dinars: %+v", got)
	}
	_, err := b.UpdateAccount(b.ctx(), b.who, id, ledger.AccountInput{Name: null[string](), AccountType: ledger.Some("vehicle"),
		Status: ledger.Some("closed"), Currency: ledger.Some("JPY")})
	refused(t, err, ledger.Invalid, "name is required", "account_type of an account that is a liability must be credit_card, loan or other_liability, got vehicle",
		`status must be active or disabled, got "closed"`, "currency does not fit the opening balance, which has more decimals")
	if n := b.changes(id); n != 3 {
		t.Errorf("%d entries in the history, want 3", n)
	}
}

// changes counts what the history says of a thing, on a connection of its own.
func (b *books) changes(id uuid.UUID) (n int) {
	b.tb.Helper()
	pool, err := sql.Open("sqlite", b.db.Path())
	if err != nil {
		b.tb.Fatal(err)
	}
	defer pool.Close()
	const counted = "SELECT count(*) FROM changes WHERE entity_id = ? AND household_id = ?"
	if err := pool.QueryRowContext(b.ctx(), counted, queries.PublicID(id), b.who.HouseholdID).Scan(&n); err != nil {
		b.tb.Fatal(err)
	}
	return n
}

func TestAccountCurrencyIsFixedByEntries(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	account := uuid.UUID(b.open(accountNamed("Checking", "depository")).PublicID)
	fresh := b.create(entry(account, "2026-01-02", "5", "x"))
	_, err := b.UpdateAccount(b.ctx(), b.who, account, ledger.AccountInput{Currency: ledger.Some("USD")})
	refused(t, err, ledger.Invalid, "currency must stay EUR, because the account has entries")
	if err := b.DeleteTransaction(b.ctx(), b.who, uuid.UUID(fresh.PublicID)); err != nil {
		t.Fatal(err)
	}
	a, err := b.UpdateAccount(b.ctx(), b.who, account, ledger.AccountInput{Currency: ledger.Some("USD")})
	if err != nil || a.Currency != "USD" {
		t.Fatalf("got %+v, %v", a, err)
	}
	if got := b.create(entry(account, "2026-01-02", "5", "x")); got.Currency != "USD" {
		t.Errorf("a new transaction is in %s, want USD", got.Currency)
	}
}

func TestAccountList(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	for _, name := range []string{"beta", "Alpha", "ALPHA", "Émile", "gamma"} {
		b.open(accountNamed(name, "depository"))
	}
	gamma, err := b.ResolveAccount(b.ctx(), b.who, "GAMMA")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.UpdateAccount(b.ctx(), b.who, gamma, ledger.AccountInput{Status: ledger.Some("disabled")}); err != nil {
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
		list, total, err := b.ListAccounts(b.ctx(), b.who, c.disabled, ledger.Page{Number: c.number, Size: c.size})
		var names []string
		for _, a := range list {
			names = append(names, a.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != c.want || total != c.total {
			t.Errorf("%+v: got %q, %d, %v", c, got, total, err)
		}
	}
	_, err = b.ResolveAccount(b.ctx(), b.who, "alpha")
	refused(t, err, ledger.Invalid, "ambiguous")
	_, err = b.ResolveAccount(b.ctx(), b.who, "delta")
	refused(t, err, ledger.NotFound)
	if a, err := b.GetAccount(b.ctx(), b.who, gamma); err != nil || a.Status != "disabled" {
		t.Errorf("a disabled account by id: %+v, %v", a, err)
	}
}

func TestAccountsOfStrangers(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	stranger := b.household("Other")
	id := uuid.UUID(b.open(accountNamed("Checking", "depository")).PublicID)
	_, err := b.GetAccount(b.ctx(), stranger, id)
	refused(t, err, ledger.NotFound)
	_, err = b.UpdateAccount(b.ctx(), stranger, id, ledger.AccountInput{Name: ledger.Some("Mine")})
	refused(t, err, ledger.NotFound)
	if list, total, err := b.ListAccounts(b.ctx(), stranger, true, ledger.Page{Number: 1, Size: 10}); err != nil || total != 0 || list != nil {
		t.Errorf("got %v %d %v", list, total, err)
	}
	if all, err := b.Balances(b.ctx(), stranger, 0); err != nil || len(all) != 0 {
		t.Errorf("got %v %v", all, err)
	}
}
