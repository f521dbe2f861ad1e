package ledgertest

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/entry"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

// Fixture is a ledger on a file of its own, with a household that a test works in.
type Fixture struct {
	*books.Books
	DB   *db.DB
	Who  ledger.Actor
	tb   testing.TB
	Tick time.Time
}

// New opens a household in euros whose clock moves by a second at every look.
func New(tb testing.TB) *Fixture {
	tb.Helper()
	b := &Fixture{tb: tb, Tick: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), DB: dbtest.New(tb)}
	b.Books = books.New(b.DB, func() time.Time { b.Tick = b.Tick.Add(time.Second); return b.Tick })
	b.Who = b.Household("Home")
	return b
}

func (b *Fixture) Household(name string) ledger.Actor {
	b.tb.Helper()
	home, owner, err := b.Tenants.CreateHousehold(b.Ctx(), ledger.Actor{Origin: ledger.OriginCLI},
		tenant.HouseholdInput{
			Name: name, Currency: "EUR", Locale: "en", Timezone: "Europe/Berlin", OwnerEmail: name + "@example.org",
			NoCategories: true})
	if err != nil {
		b.tb.Fatal(err)
	}
	return ledger.Actor{HouseholdID: home.ID, UserID: owner.ID, Origin: ledger.OriginAPI}
}

func (b *Fixture) Ctx() context.Context { return b.tb.Context() }

func (b *Fixture) Account(who ledger.Actor, name, currency string) uuid.UUID {
	b.tb.Helper()
	return b.Insert(`INSERT INTO accounts (public_id, household_id, name, name_key, account_type, currency, created_at, updated_at)
		VALUES (?, ?, ?, lower(?3), 'depository', ?4, 0, 0)`, who.HouseholdID, name, currency)
}

func (b *Fixture) Category(who ledger.Actor, name string) uuid.UUID {
	b.tb.Helper()
	return b.Insert(`INSERT INTO categories (public_id, household_id, name, name_key, classification, color, icon, created_at, updated_at)
		VALUES (?, ?, ?, lower(?3), 'expense', '#6172f3', 'shapes', 0, 0)`, who.HouseholdID, name)
}

func (b *Fixture) Merchant(who ledger.Actor, name string) uuid.UUID {
	b.tb.Helper()
	return b.Insert(`INSERT INTO merchants (public_id, household_id, name, name_key, created_at, updated_at) VALUES (?, ?, ?, lower(?3), 0, 0)`,
		who.HouseholdID, name)
}

func (b *Fixture) Tag(who ledger.Actor, name string) uuid.UUID {
	b.tb.Helper()
	return b.Insert(`INSERT INTO tags (public_id, household_id, name, name_key, color, created_at, updated_at)
		VALUES (?, ?, ?, lower(?3), '#e99537', 0, 0)`, who.HouseholdID, name)
}

func (b *Fixture) Insert(text string, args ...any) uuid.UUID {
	b.tb.Helper()
	id := uuid.Must(uuid.NewV7())
	err := b.DB.Write(b.Ctx(), func(ctx context.Context, q *queries.Queries) error {
		_, err := q.Exec(ctx, text, append([]any{queries.PublicID(id)}, args...)...)
		return err
	})
	if err != nil {
		b.tb.Fatal(err)
	}
	return id
}

// Entry is a new transaction in the shortest form: day, amount as written, name.
func Entry(account uuid.UUID, day, amount, name string) entry.TransactionInput {
	d, err := ledger.ParseDate(day)
	if err != nil {
		panic(err)
	}
	return entry.TransactionInput{AccountID: ledger.Some(account), Date: ledger.Some(d),
		Amount: ledger.Some(decimal.RequireFromString(amount)),
		Name:   ledger.Some(name)}
}

func (b *Fixture) Create(in entry.TransactionInput) entry.Transaction {
	b.tb.Helper()
	t, created, err := b.Entries.CreateTransaction(b.Ctx(), b.Who, in)
	if err != nil || !created {
		b.tb.Fatalf("created %v, error %v", created, err)
	}
	return t
}

func (b *Fixture) Update(id uuid.UUID, in entry.TransactionInput) entry.Transaction {
	b.tb.Helper()
	t, err := b.Entries.UpdateTransaction(b.Ctx(), b.Who, id, in)
	if err != nil {
		b.tb.Fatal(err)
	}
	return t
}
