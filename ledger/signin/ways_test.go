package signin_test

import (
	"context"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"finsvc/ledger"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/signin"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

// execute changes the file past the rules.
func (d *door) execute(text string) {
	d.Helper()
	d.must(d.db.Write(d.Context(), func(ctx context.Context, q *queries.Queries) error {
		_, err := q.Exec(ctx, text)
		return err
	}))
}

func TestPassword(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	const composed, decomposed = "caf\u00e9 under the stairs", "cafe\u0301 under the stairs"
	d.must(d.SignIn.SetPassword(t.Context(), d.who, d.ana.ID, composed))
	for _, name := range []string{"ana@example.org", " ANA@example.org", "ana", "Ana"} {
		_, session, err := d.SignIn.WithPassword(t.Context(), name, decomposed, laptop)
		d.must(err)
		if session.UserID != d.ana.ID || !session.HasPassword || session.Way != signin.WayPassword || !session.ProvedAt().Equal(d.at) {
			t.Errorf("%s: got %+v", name, session)
		}
	}
	for name, password := range map[string]string{"ana": composed + " ", "ben": composed, "cleo": composed, "": composed, "ana@": composed, strings.Repeat("a", 5000): composed} {
		_, _, err := d.SignIn.WithPassword(t.Context(), name, password, signin.Device{Address: netip.MustParseAddr("10.0.0.1")})
		ledgertest.Refused(t, err, ledger.Unauthorized, "the name or the password is wrong")
		d.pass(time.Hour + time.Second)
	}
	_, err := d.Tenants.CreateUser(t.Context(), d.who, tenant.UserInput{Email: "ana@example.net"})
	d.must(err)
	_, _, err = d.SignIn.WithPassword(t.Context(), "ana", composed, laptop)
	ledgertest.Refused(t, err, ledger.Unauthorized, "the name or the password is wrong")
	if n := d.number("SELECT count(*) FROM users WHERE password_hash LIKE '$argon2id$v=19$m=19456,t=2,p=1$%'"); n != 1 {
		t.Errorf("%d passwords are stored", n)
	}
}

// TestPasswordChanges: a new password ends what the old one opened, but for the browser that it is changed in, which
// must have given the old one within ten minutes.
func TestPasswordChanges(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	first, session := d.byLink(d.ana)
	second, _ := d.byLink(d.ana)
	link, _, err := d.SignIn.NewLink(t.Context(), d.who, d.ana.ID)
	d.must(err)
	bens, _ := d.byLink(d.ben)
	d.must(d.SignIn.ChangePassword(t.Context(), session, good))
	_, _, err = d.SignIn.WithLink(t.Context(), link, laptop)
	ledgertest.Refused(t, err, ledger.Unauthorized)
	if !d.isOpen(first) || d.isOpen(second) || !d.isOpen(bens) {
		t.Error("the wrong browsers are signed out")
	}
	d.pass(signin.ProvedFor)
	d.must(d.SignIn.CheckProved(session))
	d.pass(time.Second)
	ledgertest.Refused(t, d.SignIn.ChangePassword(t.Context(), session, good), ledger.Forbidden, "password_needed")
	ledgertest.Refused(t, d.SignIn.Prove(t.Context(), session, "not it at all", laptop), ledger.Unauthorized)
	ledgertest.Refused(t, d.SignIn.CheckProved(session), ledger.Forbidden)
	d.must(d.SignIn.Prove(t.Context(), session, good, laptop))
	session, err = d.SignIn.Open(t.Context(), first)
	d.must(err)
	d.must(d.SignIn.CheckProved(session))
	d.pass(-time.Hour) // as the clock may be set
	ledgertest.Refused(t, d.SignIn.CheckProved(session), ledger.Forbidden)
	d.pass(time.Hour)
	d.must(d.SignIn.SetPassword(t.Context(), d.who, d.ana.ID, good+"s"))
	if d.isOpen(first) {
		t.Error("a browser is signed in with a password that is over")
	}
	if n := d.Changes("user", `json_extract(after, '$.password') = 1`); n != 2 {
		t.Errorf("%d passwords are in the history", n)
	}
}

// Changes counts entries of the history.
func (d *door) Changes(entity, where string) int64 {
	d.Helper()
	return d.number("SELECT count(*) FROM changes WHERE entity = ? AND "+where, entity)
}

func TestPasswordIsRefused(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	for password, why := range map[string]string{
		"":          "at least 10 characters, has 0",
		"kettle123": "at least 10 characters, has 9",
		"\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9": "at least 10 characters, has 9",
		strings.Repeat("a tin kettle ", 80):                      "at most 1000 characters, has 1040",
		"aaaaaaaaaaab":                                           "5 different characters, has 2",
		"Password123":                                            "first that anybody would guess",
		"ANA@example.org":                                        "first that anybody would guess",
		"a tin kettle\xff":                                       "UTF-8",
	} {
		ledgertest.Refused(t, d.SignIn.SetPassword(t.Context(), d.who, d.ana.ID, password), ledger.Invalid, "password", why)
	}
	other := ledger.Actor{HouseholdID: d.who.HouseholdID + 1}
	ledgertest.Refused(t, d.SignIn.SetPassword(t.Context(), other, d.ana.ID, good), ledger.NotFound)
	if n := d.number("SELECT count(*) FROM users WHERE password_hash IS NOT NULL"); n != 0 {
		t.Errorf("%d passwords are stored", n)
	}
}

// TestGuessingIsSlow: after five failures the next try waits two seconds, then four and so on, by name and by address,
// whether or not there is such a name, and a right one is refused as well.
func TestGuessingIsSlow(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	d.must(d.SignIn.SetPassword(t.Context(), d.who, d.ana.ID, good))
	elsewhere := 0
	from := func() signin.Device { // always another
		elsewhere++
		return signin.Device{Address: netip.AddrFrom4([4]byte{10, 0, 0, byte(elsewhere)})}
	}
	for _, name := range []string{"ana", "nobody"} {
		for range 5 {
			_, _, err := d.SignIn.WithPassword(t.Context(), name, "a wrong password", from())
			ledgertest.Refused(t, err, ledger.Unauthorized)
		}
		_, _, err := d.SignIn.WithPassword(t.Context(), name, good, from())
		ledgertest.Refused(t, err, ledger.RateLimited, "try again in 2 seconds")
		if e := ledger.AsError(err); e.Details["reset_in_seconds"] != 2 || e.Details["current"] != 5 {
			t.Errorf("details are %v", e.Details)
		}
		d.pass(2 * time.Second)
		_, _, err = d.SignIn.WithPassword(t.Context(), name, "a wrong password", from())
		ledgertest.Refused(t, err, ledger.Unauthorized)
		_, _, err = d.SignIn.WithPassword(t.Context(), name, good, from())
		ledgertest.Refused(t, err, ledger.RateLimited, "try again in 4 seconds")
	}
	d.pass(4 * time.Second)
	_, _, err := d.SignIn.WithPassword(t.Context(), "ana", good, from())
	d.must(err) // and the failures of the name are forgotten
	_, _, err = d.SignIn.WithPassword(t.Context(), "ana", "a wrong password", from())
	ledgertest.Refused(t, err, ledger.Unauthorized)

	network := func(last string) signin.Device {
		return signin.Device{Address: netip.MustParseAddr("2001:db8:1:2::" + last)}
	}
	for _, last := range []string{"1", "2", "3", "4", "5"} {
		_, _, err := d.SignIn.WithKey(t.Context(), "fsk_unknown", network(last))
		ledgertest.Refused(t, err, ledger.Unauthorized)
	}
	_, _, err = d.SignIn.WithPassword(t.Context(), "ben", good, network("6"))
	ledgertest.Refused(t, err, ledger.RateLimited)
	_, _, err = d.SignIn.WithKey(t.Context(), "fsk_unknown", signin.Device{Address: netip.MustParseAddr("2001:db8:1:3::1")})
	ledgertest.Refused(t, err, ledger.Unauthorized)
	d.byLink(d.ben) // links are never guessed, so they are the way in when somebody guesses
}

// TestLink: a link signs in once, within ten minutes.
func TestLink(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	link, until, err := d.SignIn.NewLink(t.Context(), d.who, d.ana.ID)
	d.must(err)
	if !until.Equal(d.at.Add(10 * time.Minute)) {
		t.Errorf("until %v", until)
	}
	var group sync.WaitGroup
	var signed sync.Map
	for range 8 {
		group.Go(func() {
			if token, _, err := d.SignIn.WithLink(t.Context(), link, laptop); err == nil {
				signed.Store(token, true)
			} else if !ledger.IsKind(err, ledger.Unauthorized) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	count := 0
	signed.Range(func(any, any) bool { count++; return true })
	if count != 1 {
		t.Errorf("a link signed %d browsers in", count)
	}
	old, _, err := d.SignIn.NewLink(t.Context(), d.who, d.ana.ID)
	d.must(err)
	d.pass(10 * time.Minute)
	for _, link := range []string{old, "", "x", strings.Repeat("A", 43)} {
		_, _, err = d.SignIn.WithLink(t.Context(), link, laptop)
		ledgertest.Refused(t, err, ledger.Unauthorized, "finsvc user link")
	}
	_, _, err = d.SignIn.NewLink(t.Context(), ledger.Actor{HouseholdID: d.who.HouseholdID + 1}, d.ana.ID)
	ledgertest.Refused(t, err, ledger.NotFound)
	if n := d.Changes("user", `json_extract(after, '$.link_until') > 0`); n != 2 {
		t.Errorf("%d links are in the history", n)
	}
}

// TestKeySignsIn: a session by a key may do what the key may, proves nobody, and ends with it.
func TestKeySignsIn(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	plain, key, err := d.Keys.CreateAPIKey(t.Context(), d.who, tenant.KeyInput{Name: "reader", Scope: tenant.ScopeRead, Expires: 48 * time.Hour})
	d.must(err)
	token, session, err := d.SignIn.WithKey(t.Context(), plain, laptop)
	d.must(err)
	if session.KeyID != key.ID || session.Scope != tenant.ScopeRead || session.Writes() || !session.ProvedAt().IsZero() || session.Origin != ledger.OriginWeb {
		t.Errorf("got %+v", session)
	}
	ledgertest.Refused(t, d.SignIn.CheckProved(session), ledger.Forbidden)
	d.pass(48*time.Hour - time.Second)
	if !d.isOpen(token) {
		t.Error("over before the key")
	}
	d.pass(time.Second)
	if d.isOpen(token) {
		t.Error("open after the key")
	}
	if d.isOpen(plain) {
		t.Error("a key is a cookie")
	}
	if _, err := d.Keys.Authenticate(t.Context(), token); !ledger.IsKind(err, ledger.Unauthorized) {
		t.Errorf("a cookie is a key: %v", err)
	}
}

func TestHeaderSignsIn(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	for _, name := range []string{"Ben@example.org", "ben"} {
		_, session, err := d.SignIn.WithHeader(t.Context(), name, laptop)
		d.must(err)
		if session.UserID != d.ben.ID || session.Way != signin.WayHeader || !session.Writes() {
			t.Errorf("got %+v", session)
		}
	}
	for _, name := range []string{"", "cleo", "be", "@example.org", "ben@"} {
		_, _, err := d.SignIn.WithHeader(t.Context(), name, laptop)
		ledgertest.Refused(t, err, ledger.Unauthorized)
	}
}
