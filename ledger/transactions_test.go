package ledger_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/queries"
)

// books is a ledger on a file of its own, with a household that a test works in.
type books struct {
	*ledger.Ledger
	db   *db.DB
	who  ledger.Actor
	tb   testing.TB
	tick time.Time
}

// newBooks opens a household in euros whose clock moves by a second at every look.
func newBooks(tb testing.TB) *books {
	tb.Helper()
	b := &books{tb: tb, tick: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), db: dbtest.New(tb)}
	b.Ledger = ledger.New(b.db, func() time.Time { b.tick = b.tick.Add(time.Second); return b.tick })
	b.who = b.household("Home")
	return b
}

func (b *books) household(name string) ledger.Actor {
	b.tb.Helper()
	home, owner, err := b.CreateHousehold(b.ctx(), ledger.Actor{Origin: ledger.OriginCLI}, ledger.HouseholdInput{
		Name: name, Currency: "EUR", Locale: "en", Timezone: "Europe/Berlin", OwnerEmail: name + "@example.org", NoCategories: true})
	if err != nil {
		b.tb.Fatal(err)
	}
	return ledger.Actor{HouseholdID: home.ID, UserID: owner.ID, Origin: ledger.OriginAPI}
}

func (b *books) ctx() context.Context { return b.tb.Context() }

func (b *books) account(who ledger.Actor, name, currency string) uuid.UUID {
	b.tb.Helper()
	return b.insert(`INSERT INTO accounts (public_id, household_id, name, name_key, account_type, currency, created_at, updated_at)
		VALUES (?, ?, ?, lower(?3), 'depository', ?4, 0, 0)`, who.HouseholdID, name, currency)
}

func (b *books) category(who ledger.Actor, name string) uuid.UUID {
	b.tb.Helper()
	return b.insert(`INSERT INTO categories (public_id, household_id, name, name_key, classification, color, icon, created_at, updated_at)
		VALUES (?, ?, ?, lower(?3), 'expense', '#6172f3', 'shapes', 0, 0)`, who.HouseholdID, name)
}

func (b *books) merchant(who ledger.Actor, name string) uuid.UUID {
	b.tb.Helper()
	return b.insert(`INSERT INTO merchants (public_id, household_id, name, name_key, created_at, updated_at) VALUES (?, ?, ?, lower(?3), 0, 0)`,
		who.HouseholdID, name)
}

func (b *books) tag(who ledger.Actor, name string) uuid.UUID {
	b.tb.Helper()
	return b.insert(`INSERT INTO tags (public_id, household_id, name, name_key, color, created_at, updated_at)
		VALUES (?, ?, ?, lower(?3), '#e99537', 0, 0)`, who.HouseholdID, name)
}

func (b *books) insert(text string, args ...any) uuid.UUID {
	b.tb.Helper()
	id := uuid.Must(uuid.NewV7())
	err := b.db.Write(b.ctx(), func(ctx context.Context, q *queries.Queries) error {
		_, err := q.Exec(ctx, text, append([]any{queries.PublicID(id)}, args...)...)
		return err
	})
	if err != nil {
		b.tb.Fatal(err)
	}
	return id
}

// entry is a new transaction in the shortest form: day, amount as written, name.
func entry(account uuid.UUID, day, amount, name string) ledger.TransactionInput {
	d, err := ledger.ParseDate(day)
	if err != nil {
		panic(err)
	}
	return ledger.TransactionInput{AccountID: ledger.Some(account), Date: ledger.Some(d), Amount: ledger.Some(decimal.RequireFromString(amount)),
		Name: ledger.Some(name)}
}

func (b *books) create(in ledger.TransactionInput) ledger.Transaction {
	b.tb.Helper()
	t, created, err := b.CreateTransaction(b.ctx(), b.who, in)
	if err != nil || !created {
		b.tb.Fatalf("created %v, error %v", created, err)
	}
	return t
}

func (b *books) update(id uuid.UUID, in ledger.TransactionInput) ledger.Transaction {
	b.tb.Helper()
	t, err := b.UpdateTransaction(b.ctx(), b.who, id, in)
	if err != nil {
		b.tb.Fatal(err)
	}
	return t
}

func TestSignOfAmounts(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	account := b.account(b.who, "Checking", "EUR")
	for _, c := range []struct {
		amount, nature string
		want           int64
	}{
		{"12.50", "", -1250}, {"-12.50", "", 1250}, {"0", "", 0},
		{"12.50", "income", 1250}, {"-12.50", "inflow", 1250}, {"12.5", "INCOME", 1250},
		{"12.50", "expense", -1250}, {"-12.50", "Outflow", -1250},
	} {
		in := entry(account, "2026-01-31", c.amount, "x")
		if c.nature != "" {
			in.Nature = ledger.Some(c.nature)
		}
		if got := b.create(in); got.Amount != c.want {
			t.Errorf("%s %q: got %d, want %d", c.amount, c.nature, got.Amount, c.want)
		}
	}
}

func TestChangeOfAmounts(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	account := b.account(b.who, "Checking", "EUR")
	amount := func(text string) ledger.Opt[decimal.Decimal] { return ledger.Some(decimal.RequireFromString(text)) }
	for name, c := range map[string]struct {
		before string
		change ledger.TransactionInput
		want   int64
		code   string
	}{
		"positive keeps an expense":   {"10", ledger.TransactionInput{Amount: amount("30")}, -3000, "EUR"},
		"positive keeps an income":    {"-10", ledger.TransactionInput{Amount: amount("30")}, 3000, "EUR"},
		"negative makes an income":    {"10", ledger.TransactionInput{Amount: amount("-30")}, 3000, "EUR"},
		"nature alone turns it":       {"10", ledger.TransactionInput{Nature: ledger.Some("income")}, 1000, "EUR"},
		"nature alone turns it back":  {"-10", ledger.TransactionInput{Nature: ledger.Some("expense")}, -1000, "EUR"},
		"nature and amount":           {"10", ledger.TransactionInput{Nature: ledger.Some("income"), Amount: amount("-7.25")}, 725, "EUR"},
		"currency keeps the figure":   {"-10", ledger.TransactionInput{Currency: ledger.Some("KWD")}, 10000, "KWD"},
		"nothing changes nothing":     {"10", ledger.TransactionInput{}, -1000, "EUR"},
		"null amount changes nothing": {"10", ledger.TransactionInput{Amount: ledger.Opt[decimal.Decimal]{Set: true, Null: true}}, -1000, "EUR"},
	} {
		fresh := b.create(entry(account, "2026-01-31", c.before, name))
		got := b.update(uuid.UUID(fresh.PublicID), c.change)
		if got.Amount != c.want || got.Currency != c.code {
			t.Errorf("%s: got %d %s, want %d %s", name, got.Amount, got.Currency, c.want, c.code)
		}
	}
}

func TestUpdateLeavesAndClears(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	account := b.account(b.who, "Checking", "EUR")
	category, merchant, tag := b.category(b.who, "Food"), b.merchant(b.who, "Baker"), b.tag(b.who, "fun")
	in := entry(account, "2026-01-31", "10", "Bread")
	in.Notes, in.CategoryID, in.MerchantID = ledger.Some("two\nlines"), ledger.Some(category), ledger.Some(merchant)
	in.TagIDs = ledger.Some([]uuid.UUID{tag, tag})
	fresh := b.create(in)
	if fresh.Category.Name != "Food" || fresh.Merchant.Name != "Baker" || len(fresh.Tags) != 1 || *fresh.Notes != "two\nlines" {
		t.Fatalf("created %+v", fresh)
	}
	same := b.update(uuid.UUID(fresh.PublicID), ledger.TransactionInput{Name: ledger.Some("Bread")})
	if same.UpdatedAt != fresh.UpdatedAt {
		t.Errorf("a change of nothing moved updated_at")
	}
	renamed := b.update(uuid.UUID(fresh.PublicID), ledger.TransactionInput{Name: ledger.Some("Rolls")})
	if renamed.Name != "Rolls" || renamed.Category == nil || renamed.Merchant == nil || len(renamed.Tags) != 1 || renamed.UpdatedAt <= fresh.UpdatedAt {
		t.Errorf("renamed %+v", renamed)
	}
	null := ledger.Opt[uuid.UUID]{Set: true, Null: true}
	bare := b.update(uuid.UUID(fresh.PublicID), ledger.TransactionInput{CategoryID: null, MerchantID: null,
		Notes: ledger.Opt[string]{Set: true, Null: true}, TagIDs: ledger.Some([]uuid.UUID{})})
	if bare.Category != nil || bare.Merchant != nil || bare.Notes != nil || len(bare.Tags) != 0 {
		t.Errorf("cleared %+v", bare)
	}
}

func TestListOrderFollowsDayThenCreation(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	account := b.account(b.who, "Checking", "EUR")
	first := b.create(entry(account, "2026-01-02", "1", "first"))
	b.create(entry(account, "2026-01-03", "1", "second"))
	b.create(entry(account, "2026-01-03", "1", "third"))
	b.create(entry(account, "2026-01-01", "1", "fourth"))
	b.update(uuid.UUID(first.PublicID), ledger.TransactionInput{Date: ledger.Some(ledger.NewDate(2026, 1, 3)), TagIDs: ledger.Some([]uuid.UUID{b.tag(b.who, "t")})})
	list, total, err := b.ListTransactions(b.ctx(), b.who, ledger.TransactionFilter{}, ledger.Page{Number: 1, Size: 10})
	if err != nil || total != 4 {
		t.Fatal(total, err)
	}
	for i, want := range []string{"third", "second", "first", "fourth"} {
		if list[i].Name != want {
			t.Errorf("place %d: got %s, want %s", i, list[i].Name, want)
		}
	}
	if len(list[2].Tags) != 1 {
		t.Errorf("the tag did not move with its transaction: %+v", list[2].Tags)
	}
}

func TestClientsOwnIDIsUsedOnce(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	account, other := b.account(b.who, "Checking", "EUR"), b.account(b.who, "Savings", "EUR")
	in := entry(account, "2026-01-31", "10", "first")
	in.ExternalID = ledger.Some("bank-1")
	first := b.create(in)
	again := entry(account, "2026-02-28", "99", "second")
	again.ExternalID, again.Source = ledger.Some("bank-1"), ledger.Some("api")
	got, created, err := b.CreateTransaction(b.ctx(), b.who, again)
	if err != nil || created || got.PublicID != first.PublicID || got.Name != "first" || *got.Source != "api" {
		t.Errorf("created %v, error %v, got %+v", created, err, got)
	}
	for _, free := range []ledger.TransactionInput{entry(other, "2026-01-31", "10", "x"), entry(account, "2026-01-31", "10", "y")} {
		free.ExternalID = ledger.Some("bank-1")
		if free.Name.Value == "y" {
			free.Source = ledger.Some("other")
		}
		b.create(free)
	}
	alone := entry(account, "2026-01-31", "10", "z")
	alone.Source = ledger.Some("api")
	if _, _, err := b.CreateTransaction(b.ctx(), b.who, alone); !ledger.AsError(err).Fields.Has("source") {
		t.Errorf("source without external_id: %v", err)
	}
}

func TestCreateNamesEveryProblem(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	stranger := b.household("Stranger")
	account := b.account(b.who, "Checking", "EUR")
	in := ledger.TransactionInput{AccountID: ledger.Some(account), Amount: ledger.Some(decimal.RequireFromString("1.005")),
		Nature: ledger.Some("sideways"), Name: ledger.Some("  "), CategoryID: ledger.Some(b.category(stranger, "Theirs")),
		MerchantID: ledger.Some(b.merchant(stranger, "Theirs")), TagIDs: ledger.Some([]uuid.UUID{b.tag(stranger, "theirs")})}
	_, _, err := b.CreateTransaction(b.ctx(), b.who, in)
	e := ledger.AsError(err)
	if e == nil || e.Kind != ledger.Invalid {
		t.Fatal(err)
	}
	for _, field := range []string{"amount", "nature", "name", "date", "category_id", "merchant_id", "tag_ids"} {
		if !e.Fields.Has(field) {
			t.Errorf("%s is not named in %v", field, e.Fields)
		}
	}
	in = entry(b.account(stranger, "Theirs", "EUR"), "2026-01-01", "1", "x")
	if _, _, err := b.CreateTransaction(b.ctx(), b.who, in); !ledger.IsKind(err, ledger.NotFound) {
		t.Errorf("another household's account: %v", err)
	}
	_, total, err := b.ListTransactions(b.ctx(), b.who, ledger.TransactionFilter{}, ledger.Page{Number: 1, Size: 1})
	if err != nil || total != 0 {
		t.Errorf("something was stored: %d, %v", total, err)
	}
}

func TestBatchIsAllOrNothing(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	account := b.account(b.who, "Checking", "EUR")
	good, bad := entry(account, "2026-01-01", "1", "good"), entry(account, "2026-01-01", "1", "")
	_, err := b.CreateTransactions(b.ctx(), b.who, []ledger.TransactionInput{good, bad})
	if e := ledger.AsError(err); e == nil || !e.Fields.Has("transactions[1].name") {
		t.Fatal(err)
	}
	_, total, _ := b.ListTransactions(b.ctx(), b.who, ledger.TransactionFilter{}, ledger.Page{Number: 1, Size: 1})
	if total != 0 {
		t.Errorf("%d of a failed batch remain", total)
	}
	list, err := b.CreateTransactions(b.ctx(), b.who, []ledger.TransactionInput{good, good})
	if err != nil || len(list) != 2 {
		t.Error(len(list), err)
	}
}

func TestStrangersSeeNothing(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	stranger := b.household("Stranger")
	fresh := b.create(entry(b.account(b.who, "Checking", "EUR"), "2026-01-01", "1", "mine alone"))
	id := uuid.UUID(fresh.PublicID)
	_, get := b.GetTransaction(b.ctx(), stranger, id)
	_, update := b.UpdateTransaction(b.ctx(), stranger, id, ledger.TransactionInput{Name: ledger.Some("stolen")})
	for name, err := range map[string]error{"get": get, "update": update, "delete": b.DeleteTransaction(b.ctx(), stranger, id)} {
		if !ledger.IsKind(err, ledger.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, f := range map[string]ledger.TransactionFilter{"all": {}, "search": {Search: "mine"}, "short search": {Search: "mi"}} {
		if list, total, err := b.ListTransactions(b.ctx(), stranger, f, ledger.Page{Number: 1, Size: 10}); err != nil || total != 0 || len(list) != 0 {
			t.Errorf("%s: %d, %v", name, total, err)
		}
	}
}
