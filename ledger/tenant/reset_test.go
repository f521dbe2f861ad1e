package tenant_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

// admin is the owner of the operator's household.
func (o *operator) admin() ledger.Actor {
	return ledger.Actor{HouseholdID: o.who.HouseholdID, UserID: o.owner.ID, Origin: ledger.OriginAPI}
}

func TestEmptyHouseholdIsGuarded(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	member, err := o.Tenants.CreateUser(t.Context(), o.who, tenant.UserInput{Email: "bo@example.org"})
	o.must(err)
	who := o.admin()
	who.UserID = member.ID
	_, err = o.Tenants.EmptyHousehold(t.Context(), who, "Home")
	ledgertest.Refused(t, err, ledger.Forbidden, "admin")
	_, err = o.Tenants.HouseholdData(t.Context(), who)
	ledgertest.Refused(t, err, ledger.Forbidden, "admin")
	for _, name := range []string{"home", "Home ", "Other"} {
		_, err = o.Tenants.EmptyHousehold(t.Context(), o.admin(), name)
		ledgertest.Refused(t, err, ledger.Invalid, `household must be absent or the name of the household, "Home"`)
	}
	_, err = o.Tenants.EmptyHousehold(t.Context(), ledger.Actor{HouseholdID: who.HouseholdID + 1, UserID: o.owner.ID}, "Home")
	ledgertest.Refused(t, err, ledger.NotFound)
	if n := o.count("SELECT count(*) FROM changes WHERE entity = 'household'"); n != 1 {
		t.Errorf("%d changes of households, want that it was created", n)
	}
}

// TestEmptyHousehold empties one of two full households. Settings, people, keys and their history stay; nothing else
// does, neither in sight nor, after the purge, in the file.
func TestEmptyHousehold(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	shape := dbtest.Shape{Transactions: 1201, Accounts: 3, Categories: 5, Merchants: 20, Tags: 4, Days: 40}
	other := dbtest.Fill(t, o.db, shape)
	o.must(o.db.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error { // names and addresses are taken once
		_, err := q.Exec(ctx, "UPDATE households SET name = 'Other' WHERE id = ?", other.HouseholdID)
		_, taken := q.Exec(ctx, "UPDATE users SET email = 'other@example.org' WHERE id = ?", other.UserID)
		return errors.Join(err, taken)
	}))
	full := dbtest.Fill(t, o.db, shape)
	who := ledger.Actor{HouseholdID: full.HouseholdID, UserID: full.UserID, Origin: ledger.OriginAPI}
	plain, key, err := o.Keys.CreateAPIKey(t.Context(), who, tenant.KeyInput{Name: "laptop", Scope: "read_write"})
	o.must(err)
	who.KeyID = key.ID
	o.must(o.db.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error { return addSecurity(ctx, q, full) }))
	o.must(o.Answers.SaveAnswer(t.Context(), &tenant.Session{Actor: who, FirstKeyID: who.KeyID}, "again", tenant.Answer{Digest: []byte{1}, Status: 201, ContentType: "x", Body: []byte("secret")}))
	before, err := o.Tenants.GetHousehold(t.Context(), who)
	o.must(err)
	if _, err := o.Keys.Authenticate(t.Context(), plain); err != nil {
		t.Fatal(err)
	}

	done, err := o.Tenants.EmptyHousehold(t.Context(), who, before.Name)
	o.must(err)
	want := tenant.HouseholdData{Accounts: 3, Transactions: 1201, Tags: 4, Merchants: 20, Securities: 1}
	if done.Removed != want {
		t.Errorf("removed %+v, want %+v", done.Removed, want)
	}
	session, err := o.Keys.Authenticate(t.Context(), plain)
	o.must(err)
	now := session.Actor
	if now.HouseholdID == who.HouseholdID || now.UserID != who.UserID || now.KeyID != who.KeyID {
		t.Errorf("the key is now that of %+v, was %+v", now, who)
	}
	after := session.Household
	after.ID, after.UpdatedAt = before.ID, before.UpdatedAt
	if after != before {
		t.Errorf("the household is %+v, was %+v", after, before)
	}
	if data, err := o.Tenants.HouseholdData(t.Context(), now); err != nil || !data.Empty() {
		t.Errorf("left are %+v, %v", data, err)
	}
	if n := o.count("SELECT count(*) FROM categories WHERE household_id = ? AND name = 'Groceries'", now.HouseholdID); n != 1 {
		t.Errorf("%d categories Groceries, want that of a new household", n)
	}
	if answer, err := o.Answers.FindAnswer(t.Context(), &tenant.Session{Actor: now, FirstKeyID: now.KeyID}, "again"); err != nil || answer != nil {
		t.Errorf("remembered %+v, %v", answer, err)
	}
	o.emptiedOnRecord(now.HouseholdID)
	o.shows(2) // of three households in the file: what is left of the old one is nobody's to see

	o.dayLater()
	purged(o, 1)
	o.holdsNothingOf(full.HouseholdID)
	if n := o.count("SELECT count(*) FROM transactions_fts_docsize"); n != 1201 {
		t.Errorf("%d texts are searchable, want those of the other household", n)
	}
	if n := o.count("SELECT count(*) FROM transactions WHERE household_id = ?", other.HouseholdID); n != 1201 {
		t.Errorf("the other household has %d transactions", n)
	}
	if bad := o.count("SELECT count(*) FROM pragma_foreign_key_check"); bad != 0 {
		t.Errorf("%d references are broken", bad)
	}
}

// dayLater is when the books of an emptied household have been kept long enough, by two readings of the clock.
func (o *operator) dayLater() {
	o.Helper()
	purged(o, 0)
	o.clock.at = o.clock.at.Add(tenant.ResetKept)
	purged(o, 0)
	o.clock.at = o.clock.at.Add(tenant.Reconsidered - time.Millisecond)
	purged(o, 0)
	o.clock.at = o.clock.at.Add(time.Millisecond)
}

// TestUnresetHousehold: for a day everything is brought back, with the people and keys of now; what was booked since is kept as
// long and comes back by the next call.
func TestUnresetHousehold(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	_, err := b.Tenants.UnresetHousehold(b.Ctx(), b.Who)
	ledgertest.Refused(t, err, ledger.Conflict, `nothing of "Home" can be brought back`)
	b.Create(ledgertest.Entry(b.Account(b.Who, "Checking", "EUR"), "2026-01-05", "3.00", "Old bread"))
	first := b.Who.HouseholdID
	done, err := b.Tenants.EmptyHousehold(b.Ctx(), b.Who, "")
	if err != nil {
		t.Fatal(err)
	}
	b.Who.HouseholdID = done.Household.ID
	b.Create(ledgertest.Entry(b.Account(b.Who, "Savings", "EUR"), "2026-01-06", "4.00", "New bread"))
	plain, _, err := b.Keys.CreateAPIKey(b.Ctx(), b.Who, tenant.KeyInput{Name: "since"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Old bread", "New bread", "Old bread"} {
		home, err := b.Tenants.UnresetHousehold(b.Ctx(), b.Who)
		if err != nil {
			t.Fatal(err)
		}
		if home.Name != "Home" || home.PublicID != done.Household.PublicID {
			t.Errorf("the household is now %+v", home)
		}
		b.Who.HouseholdID = home.ID
		if got := b.Found("bread"); got != want {
			t.Errorf("found %s, want %s", got, want)
		}
		if session, err := b.Keys.Authenticate(b.Ctx(), plain); err != nil || session.Actor.HouseholdID != home.ID {
			t.Errorf("the key is of %+v, %v", session.Actor, err)
		}
	}
	if b.Who.HouseholdID != first {
		t.Errorf("the books are those of %d, want %d", b.Who.HouseholdID, first)
	}
	if found, err := b.Audits.Audit(b.Ctx()); err != nil || len(found.Defects) != 0 {
		t.Errorf("the audit found %+v, %v", found.Defects, err)
	}
}

// TestUnresetAfterADay: what is being deleted does not come back.
func TestUnresetAfterADay(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	done, err := o.Tenants.EmptyHousehold(t.Context(), o.admin(), "")
	o.must(err)
	o.dayLater()
	purged(o, 1)
	_, err = o.Tenants.UnresetHousehold(t.Context(), ledger.Actor{HouseholdID: done.Household.ID, Origin: ledger.OriginCLI})
	ledgertest.Refused(t, err, ledger.Conflict, "the day is over")
}

// emptiedOnRecord checks the history of an emptied household: its people and keys, what was removed, and the categories
// that it has again, in this order.
func (o *operator) emptiedOnRecord(household int64) {
	o.Helper()
	const query = `SELECT group_concat(what, ' ') FROM (SELECT entity || ':' || action AS what FROM changes
		WHERE household_id = ? AND entity <> 'category' ORDER BY id)`
	if got := o.text(query, household); got != "api_key:create household:update" {
		o.Errorf("the history is %s", got)
	}
	const removed = `SELECT before ->> '$.data.transactions' || ' ' || (after ->> '$.data.transactions') FROM changes WHERE household_id = ? AND entity = 'household'`
	if got := o.text(removed, household); got != "1201 0" {
		o.Errorf("transactions before and after are %s", got)
	}
}

func (o *operator) text(query string, args ...any) (text string) {
	o.Helper()
	pool, err := sql.Open("sqlite", o.db.Path())
	o.must(err)
	defer pool.Close()
	o.must(pool.QueryRowContext(o.Context(), query, args...).Scan(&text))
	return text
}

// shows checks how many households are listed besides the operator's.
func (o *operator) shows(want int) {
	o.Helper()
	homes, err := o.Tenants.ListHouseholds(o.Context())
	o.must(err)
	if len(homes) != want+1 {
		o.Errorf("listed are %+v", homes)
	}
}

// holdsNothingOf checks every table that names a household.
func (o *operator) holdsNothingOf(household int64) {
	o.Helper()
	tables := o.text(`SELECT group_concat(s.name, ' ') FROM sqlite_schema s WHERE s.type = 'table' AND EXISTS
		(SELECT 1 FROM pragma_table_info(s.name) c WHERE c.name = 'household_id')`)
	if len(strings.Fields(tables)) < 20 {
		o.Fatalf("found only the tables %s", tables)
	}
	for table := range strings.FieldsSeq(tables) {
		if n := o.count("SELECT count(*) FROM "+table+" WHERE household_id = ?", household); n != 0 {
			o.Errorf("%d rows are left in %s", n, table)
		}
	}
}

// TestEmptiedHouseholdAlone: where there is no other household the index for search goes as a whole; what was written
// since stays findable.
func TestEmptiedHouseholdAlone(t *testing.T) {
	t.Parallel()
	for _, before := range []bool{true, false} { // is something written before the purge?
		b := ledgertest.New(t)
		b.Create(ledgertest.Entry(b.Account(b.Who, "Checking", "EUR"), "2026-01-05", "3.00", "Old bread"))
		done, err := b.Tenants.EmptyHousehold(b.Ctx(), b.Who, "Home")
		if err != nil {
			t.Fatal(err)
		}
		b.Who.HouseholdID = done.Household.ID
		fresh := ledgertest.Entry(b.Account(b.Who, "Checking", "EUR"), "2026-01-06", "4.00", "New bread")
		if before {
			b.Create(fresh)
		}
		for _, want := range []int{0, 1} {
			b.Tick = b.Tick.Add(tenant.ResetKept)
			if n, err := b.Tenants.PurgeAbandoned(b.Ctx()); n != want || err != nil {
				t.Fatal(n, err)
			}
		}
		if !before {
			b.Create(fresh)
		}
		if got := b.Found("bread"); got != "New bread" {
			t.Errorf("found %s", got)
		}
	}
}
