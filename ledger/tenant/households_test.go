package tenant_test

import (
	"database/sql"
	"testing"
	"time"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/tenant"
)

// clock is a clock that a test sets.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// operator is the books as whoever holds the file sees them.
type operator struct {
	testing.TB
	*books.Books
	db    *db.DB
	clock *clock
	who   ledger.Actor // of the household Home
	owner tenant.User
}

var homeInput = tenant.HouseholdInput{
	Name: "Home", Currency: "eur", Locale: "de-DE", Timezone: "Europe/Berlin", OwnerEmail: "Ana@Example.org", NoCategories: true,
}

func newOperator(tb testing.TB) *operator {
	tb.Helper()
	c := &clock{time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	database := dbtest.New(tb)
	o := &operator{TB: tb, Books: books.New(database, c.now), db: database, clock: c}
	home, owner, err := o.Tenants.CreateHousehold(tb.Context(), ledger.Actor{Origin: ledger.OriginCLI}, homeInput)
	o.must(err)
	o.who = ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginCLI}
	o.owner = owner
	return o
}

func (o *operator) must(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}

// count is how many rows a query counts, on a connection of its own.
func (o *operator) count(query string, args ...any) int64 {
	o.Helper()
	pool, err := sql.Open("sqlite", o.db.Path())
	o.must(err)
	defer pool.Close()
	var n int64
	o.must(pool.QueryRowContext(o.Context(), query, args...).Scan(&n))
	return n
}

func TestHouseholdCreate(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	home, err := o.Tenants.GetHousehold(t.Context(), o.who)
	o.must(err)
	if home.Currency != "EUR" || home.Locale != "de-DE" || home.Timezone != "Europe/Berlin" || home.LocaleFromRequest || home.Abandoned() {
		t.Errorf("got %+v", home)
	}
	if o.owner.Email != "ana@example.org" || o.owner.Role != tenant.RoleAdmin || !o.owner.Active() {
		t.Errorf("got owner %+v", o.owner)
	}
	again := homeInput
	again.OwnerEmail = "other@example.org"
	_, _, err = o.Tenants.CreateHousehold(t.Context(), ledger.Actor{Origin: ledger.OriginCLI}, again)
	ledgertest.Refused(t, err, ledger.Conflict, `"Home"`)
	again.Name, again.OwnerEmail = "Away", "ANA@example.org"
	_, _, err = o.Tenants.CreateHousehold(t.Context(), ledger.Actor{Origin: ledger.OriginCLI}, again)
	ledgertest.Refused(t, err, ledger.Conflict, "ana@example.org")
	homes, err := o.Tenants.ListHouseholds(t.Context())
	o.must(err)
	if len(homes) != 1 {
		t.Errorf("a failed creation left something: %d households", len(homes))
	}
}

func TestHouseholdDefaultCategories(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	in := homeInput
	in.Name, in.OwnerEmail, in.NoCategories = "Club", "bo@example.org", false
	club, _, err := o.Tenants.CreateHousehold(t.Context(), ledger.Actor{Origin: ledger.OriginCLI}, in)
	o.must(err)
	const counted = "SELECT count(*) FROM categories WHERE household_id = ?"
	if with, without := o.count(counted, club.ID), o.count(counted, o.who.HouseholdID); with == 0 || without != 0 {
		t.Errorf("%d categories with the default set, %d without", with, without)
	}
}

func TestHouseholdBadInput(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	for field, spoil := range map[string]func(*tenant.HouseholdInput){
		"name":     func(in *tenant.HouseholdInput) { in.Name = " " },
		"currency": func(in *tenant.HouseholdInput) { in.Currency = "EURO" },
		"locale":   func(in *tenant.HouseholdInput) { in.Locale = "" },
		"timezone": func(in *tenant.HouseholdInput) { in.Timezone = "Europe/Atlantis" },
		"owner":    func(in *tenant.HouseholdInput) { in.OwnerEmail = "Ana <ana@example.org>" },
	} {
		in := homeInput
		spoil(&in)
		_, _, err := o.Tenants.CreateHousehold(t.Context(), ledger.Actor{Origin: ledger.OriginCLI}, in)
		ledgertest.Refused(t, err, ledger.Invalid, field)
	}
	_, _, err := o.Tenants.CreateHousehold(t.Context(), ledger.Actor{Origin: ledger.OriginCLI}, tenant.HouseholdInput{Timezone: "Local"})
	if e := ledger.AsError(err); e == nil || len(e.Fields) != 5 {
		t.Errorf("want all five fields at once, got %v", err)
	}
}

func TestHouseholdUpdate(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	home, err := o.Tenants.UpdateHousehold(t.Context(), o.who, tenant.HouseholdChange{Name: ledger.Some("Hearth"), LocaleFromRequest: ledger.Some(true)})
	o.must(err)
	if home.Name != "Hearth" || home.Currency != "EUR" || !home.LocaleFromRequest || !home.Assistant {
		t.Errorf("got %+v", home)
	}
	home, err = o.Tenants.UpdateHousehold(t.Context(), o.who, tenant.HouseholdChange{Assistant: ledger.Some(false)})
	o.must(err)
	if home.Assistant || !home.LocaleFromRequest {
		t.Errorf("got %+v", home)
	}
	_, err = o.Tenants.UpdateHousehold(t.Context(), o.who, tenant.HouseholdChange{Currency: ledger.Opt[string]{Set: true, Null: true}})
	ledgertest.Refused(t, err, ledger.Invalid, "currency")
	_, err = o.Tenants.UpdateHousehold(t.Context(), ledger.Actor{HouseholdID: 99}, tenant.HouseholdChange{})
	ledgertest.Refused(t, err, ledger.NotFound)
}

// TestToday holds what was decided.
//
// Decision, Transport: today is today in the household's time zone.
func TestToday(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	o.clock.at = time.Date(2026, 3, 1, 23, 30, 0, 0, time.UTC)
	for zone, want := range map[string]string{
		"UTC": "2026-03-01", "Europe/Berlin": "2026-03-02", "America/New_York": "2026-03-01", "Pacific/Kiritimati": "2026-03-02", "Gone/Zone": "2026-03-01",
	} {
		if got := o.Today(ledger.Household{Timezone: zone}).String(); got != want {
			t.Errorf("%s: got %s, want %s", zone, got, want)
		}
	}
}
