package tenant_test

import (
	"context"
	"testing"
	"time"

	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

// TestUserEmails holds what was decided.
//
// Decision, Users and households: roles admin and member.
func TestUserEmails(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	for _, email := range []string{"", "ana", "ana@", "@example.org", "a b@example.org", "ana@example.org, bo@example.org", "<ana@example.org>"} {
		_, err := o.Tenants.CreateUser(t.Context(), o.who, tenant.UserInput{Email: email})
		ledgertest.Refused(t, err, ledger.Invalid, "email")
	}
	_, err := o.Tenants.CreateUser(t.Context(), o.who, tenant.UserInput{Email: "bo@example.org", Role: "king"})
	ledgertest.Refused(t, err, ledger.Invalid, "role", "king")
	_, err = o.Tenants.CreateUser(t.Context(), o.who, tenant.UserInput{Email: " ANA@example.org"})
	ledgertest.Refused(t, err, ledger.Conflict)
	bo, err := o.Tenants.CreateUser(t.Context(), o.who, tenant.UserInput{Email: "bo@example.org"})
	o.must(err)
	if bo.Role != tenant.RoleMember {
		t.Errorf("got role %s, want member", bo.Role)
	}
}

func TestUserDeactivate(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	bo, err := o.Tenants.CreateUser(t.Context(), o.who, tenant.UserInput{Email: "bo@example.org"})
	o.must(err)
	_, err = o.Tenants.DeactivateUser(t.Context(), o.who, o.owner.ID)
	ledgertest.Refused(t, err, ledger.Invalid, "admin")
	_, err = o.Tenants.DeactivateUser(t.Context(), ledger.Actor{HouseholdID: o.who.HouseholdID + 1}, bo.ID)
	ledgertest.Refused(t, err, ledger.NotFound)

	gone, err := o.Tenants.DeactivateUser(t.Context(), o.who, bo.ID)
	o.must(err)
	if !gone.DeactivatedAt.Equal(o.clock.at) {
		t.Errorf("got %v", gone.DeactivatedAt)
	}
	o.clock.at = o.clock.at.Add(time.Hour)
	again, err := o.Tenants.DeactivateUser(t.Context(), o.who, bo.ID)
	o.must(err)
	if again != gone {
		t.Errorf("a second call changed %+v to %+v", gone, again)
	}
	home, err := o.Tenants.GetHousehold(t.Context(), o.who)
	o.must(err)
	if home.Abandoned() {
		t.Error("abandoned while its owner is active")
	}

	// The address is free now, and so cannot be had back.
	other, err := o.Tenants.CreateUser(t.Context(), o.who, tenant.UserInput{Email: "bo@example.org"})
	o.must(err)
	_, err = o.Tenants.RestoreUser(t.Context(), o.who, bo.ID)
	ledgertest.Refused(t, err, ledger.Conflict, "bo@example.org")
	found, err := o.Tenants.FindUsers(t.Context(), "Bo@Example.org")
	o.must(err)
	if len(found) != 2 || found[0].ID != other.ID || found[1].ID != bo.ID {
		t.Errorf("got %+v", found)
	}
}

// TestAbandonedHousehold holds what was decided.
//
// Decision, Users and households: data goes with the last user, and only after 30 days; until then it comes back.
func TestAbandonedHousehold(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	plain, _, err := o.Keys.CreateAPIKey(t.Context(), o.who, tenant.KeyInput{})
	o.must(err)
	_, err = o.Tenants.DeactivateUser(t.Context(), o.who, o.owner.ID)
	o.must(err)
	_, err = o.Tenants.CreateUser(t.Context(), o.who, tenant.UserInput{Email: "bo@example.org"})
	ledgertest.Refused(t, err, ledger.Conflict)

	o.clock.at = o.clock.at.Add(tenant.AbandonedFor - time.Millisecond)
	purged(o, 0)
	_, err = o.Tenants.RestoreUser(t.Context(), o.who, o.owner.ID)
	o.must(err)
	if _, err := o.Keys.Authenticate(t.Context(), plain); err != nil {
		t.Errorf("the key of a restored user: %v", err)
	}
	home, err := o.Tenants.GetHousehold(t.Context(), o.who)
	o.must(err)
	if home.Abandoned() {
		t.Error("still abandoned")
	}

	_, err = o.Tenants.DeactivateUser(t.Context(), o.who, o.owner.ID)
	o.must(err)
	o.clock.at = o.clock.at.Add(tenant.AbandonedFor)
	purged(o, 0)
	o.clock.at = o.clock.at.Add(tenant.Reconsidered - time.Millisecond)
	purged(o, 0)
	o.clock.at = o.clock.at.Add(time.Millisecond)
	purged(o, 1)
	purged(o, 0)
	_, err = o.Tenants.GetHousehold(t.Context(), o.who)
	ledgertest.Refused(t, err, ledger.NotFound)
}

// purged checks how many households a purge deletes.
func purged(o *operator, want int) {
	o.Helper()
	n, err := o.Tenants.PurgeAbandoned(o.Context())
	o.must(err)
	if n != want {
		o.Fatalf("purged %d households, want %d", n, want)
	}
}

// TestPurgeThatIsInterrupted: once anything was deleted nobody gets the household back, and the next purge goes on,
// whatever the clock says then.
func TestPurgeThatIsInterrupted(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	_, err := o.Tenants.DeactivateUser(t.Context(), o.who, o.owner.ID)
	o.must(err)
	o.clock.at = o.clock.at.Add(tenant.AbandonedFor)
	purged(o, 0)
	_, err = o.Tenants.RestoreUser(t.Context(), o.who, o.owner.ID)
	o.must(err)
	_, err = o.Tenants.DeactivateUser(t.Context(), o.who, o.owner.ID)
	o.must(err)
	o.clock.at = o.clock.at.Add(tenant.AbandonedFor)
	purged(o, 0)
	o.clock.at = o.clock.at.Add(tenant.Reconsidered)
	o.execute(`CREATE TRIGGER kept BEFORE DELETE ON households BEGIN SELECT RAISE(ABORT, 'for the test'); END`)
	if n, err := o.Tenants.PurgeAbandoned(t.Context()); n != 0 || err == nil {
		t.Fatal(n, err)
	}
	o.execute(`DROP TRIGGER kept`)
	o.clock.at = time.UnixMilli(1000)
	_, err = o.Tenants.RestoreUser(t.Context(), o.who, o.owner.ID)
	ledgertest.Refused(t, err, ledger.Conflict, "30 days")
	homes, err := o.Tenants.ListHouseholds(t.Context())
	o.must(err)
	if len(homes) != 0 {
		t.Errorf("what is being deleted is listed: %+v", homes)
	}
	purged(o, 1)
}

// execute changes the file past the rules.
func (o *operator) execute(text string) {
	o.Helper()
	o.must(o.db.Write(o.Context(), func(ctx context.Context, q *queries.Queries) error {
		_, err := q.Exec(ctx, text)
		return err
	}))
}

func TestPurgeTakesAllAndOnlyItsOwn(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	shape := dbtest.Shape{Transactions: 1201, Accounts: 3, Categories: 5, Merchants: 20, Tags: 4, Days: 40}
	full := dbtest.Fill(t, o.db, shape)
	who := ledger.Actor{HouseholdID: full.HouseholdID, Origin: ledger.OriginCLI}
	_, _, err := o.Keys.CreateAPIKey(t.Context(), who, tenant.KeyInput{})
	o.must(err)
	o.must(o.db.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error { return addSecurity(ctx, q, full) }))

	_, err = o.Tenants.DeactivateUser(t.Context(), who, full.UserID)
	o.must(err)
	o.clock.at = o.clock.at.Add(tenant.AbandonedFor)
	purged(o, 0)
	o.clock.at = o.clock.at.Add(tenant.Reconsidered)
	purged(o, 1)
	for _, table := range []string{"users", "api_keys", "browser_sessions", "sign_in_links", "changes", "accounts", "categories", "tags", "merchants", "transactions", "account_days",
		"amount_bands", "trades", "securities"} {
		if n := o.count("SELECT count(*) FROM "+table+" WHERE household_id = ?", full.HouseholdID); n != 0 {
			t.Errorf("%d rows of the household are left in %s", n, table)
		}
	}
	if n := o.count("SELECT count(*) FROM transactions_fts_docsize"); n != 0 {
		t.Errorf("%d texts are searchable still", n)
	}
	homes, err := o.Tenants.ListHouseholds(t.Context())
	o.must(err)
	if len(homes) != 1 || homes[0].ID != o.who.HouseholdID {
		t.Errorf("left are %+v", homes)
	}
}

// addSecurity makes a trade, which refers to its security without letting it go.
func addSecurity(ctx context.Context, q *queries.Queries, f dbtest.Filled) error {
	id := queries.PublicID{1}
	security, err := q.Exec(ctx, "INSERT INTO securities (public_id, household_id, ticker, created_at, updated_at) VALUES (?, ?, 'ACME', 0, 0)", id, f.HouseholdID)
	if err != nil {
		return err
	}
	key := ledger.NewKey(f.HouseholdID, 20000, 60_000_000)
	_, err = q.Exec(ctx, `INSERT INTO trades (id, public_id, household_id, account_id, security_id, date, kind, quantity, price, amount, currency, name, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, 20000, 'buy', '1', '1', -100, 'EUR', 'ACME', 0, 0)`, int64(key), id, f.HouseholdID, f.AccountIDs[0], security)
	return err
}
