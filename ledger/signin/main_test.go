package signin_test

import (
	"context"
	"net/netip"
	"os"
	"testing"
	"time"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/signin"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

func TestMain(m *testing.M) { os.Exit(ledgertest.Main(m)) }

// door is books on a file of their own with a clock that a test sets, and a household with two people.
type door struct {
	testing.TB
	*books.Books
	db       *db.DB
	at       time.Time
	who      ledger.Actor // whoever holds the file
	ana, ben tenant.User
}

const good = "tin kettle river"

var laptop = signin.Device{Agent: "Firefox", Address: netip.MustParseAddr("192.168.1.20")}

func newDoor(tb testing.TB) *door {
	tb.Helper()
	d := emptyDoor(tb)
	home, ana, err := d.Tenants.CreateHousehold(tb.Context(), ledger.Actor{Origin: ledger.OriginCLI}, tenant.HouseholdInput{
		Name: "Home", Currency: "EUR", Locale: "de-DE", Timezone: "Europe/Berlin", OwnerEmail: "ana@example.org", NoCategories: true})
	d.must(err)
	d.who, d.ana = ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginCLI}, ana
	d.ben, err = d.Tenants.CreateUser(tb.Context(), d.who, tenant.UserInput{Email: "ben@example.org"})
	d.must(err)
	return d
}

func emptyDoor(tb testing.TB) *door {
	tb.Helper()
	d := &door{TB: tb, db: dbtest.New(tb), at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	d.Books = d.process()
	return d
}

// process is the books as another process has them.
func (d *door) process() *books.Books { return books.New(d.db, func() time.Time { return d.at }) }

func (d *door) pass(time time.Duration) { d.at = d.at.Add(time) }

func (d *door) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// number is what a query of one number gives.
func (d *door) number(text string, args ...any) (n int64) {
	d.Helper()
	d.must(d.db.Read(d.Context(), func(ctx context.Context, q *queries.Queries) (err error) {
		n, err = q.Number(ctx, text, args...)
		return err
	}))
	return n
}

// byLink signs a person in, without the work of a password.
func (d *door) byLink(user tenant.User) (string, *signin.Session) {
	d.Helper()
	link, _, err := d.SignIn.NewLink(d.Context(), d.who, user.ID)
	d.must(err)
	token, session, err := d.SignIn.WithLink(d.Context(), link, laptop)
	d.must(err)
	return token, session
}

// isOpen reports whether a token opens a session.
func (d *door) isOpen(token string) bool {
	d.Helper()
	_, err := d.SignIn.Open(d.Context(), token)
	if err != nil && !ledger.IsKind(err, ledger.Unauthorized) {
		d.Fatal(err)
	}
	return err == nil
}
