// Package ledgertest is what tests of the ledger stand on: a [Fixture] with books on a database file of its own, a
// household and a clock, short ways to make and compare what is in them, and models that count figures by hand.
package ledgertest

import (
	"database/sql"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/queries"
)

func AmountOf(text string) ledger.Opt[decimal.Decimal] {
	return ledger.Some(decimal.RequireFromString(text))
}

func DayOf(text string) ledger.Opt[ledger.Date] {
	d, err := ledger.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return ledger.Some(d)
}

// AccountNamed is the least that an account needs.
func AccountNamed(name, kind string) catalog.AccountInput {
	return catalog.AccountInput{Name: ledger.Some(name), AccountType: ledger.Some(kind)}
}

func (b *Fixture) Open(in catalog.AccountInput) catalog.Account {
	b.tb.Helper()
	a, err := b.Accounts.CreateAccount(b.Ctx(), b.Who, in)
	if err != nil {
		b.tb.Fatal(err)
	}
	return a
}

// Changes counts what the history says of a thing, on a connection of its own.
func (b *Fixture) Changes(id uuid.UUID) (n int) {
	b.tb.Helper()
	pool, err := sql.Open("sqlite", b.DB.Path())
	if err != nil {
		b.tb.Fatal(err)
	}
	defer pool.Close()
	const counted = "SELECT count(*) FROM changes WHERE entity_id = ? AND household_id = ?"
	if err := pool.QueryRowContext(b.Ctx(), counted, queries.PublicID(id), b.Who.HouseholdID).Scan(&n); err != nil {
		b.tb.Fatal(err)
	}
	return n
}
