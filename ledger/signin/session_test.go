package signin_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/signin"
	"finsvc/ledger/tenant"
)

// TestSessionLasts: 30 days without use end a session, and 90 days end every one. Its uses are written once an hour.
func TestSessionLasts(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		every time.Duration // how far apart its uses are
		want  time.Duration // the last use that it allows
	}{
		"idle for less than 30 days": {30*day - time.Second, 90*day - 3*time.Second},
		"idle for 30 days":           {30 * day, 0},
		"used each ten days":         {10 * day, 80 * day},
		"used each half day":         {12 * time.Hour, 90*day - 12*time.Hour},
	} {
		token, _ := d.byLink(d.ana)
		begun, last := d.at, time.Duration(0)
		for range 90 * day / c.every {
			d.pass(c.every)
			if !d.isOpen(token) {
				break
			}
			last = d.at.Sub(begun)
		}
		if last != c.want {
			t.Errorf("%s: open for %v, want %v", name, last, c.want)
		}
	}
	token, session := d.byLink(d.ana)
	used := func() int64 {
		return d.number("SELECT last_used_at FROM browser_sessions WHERE public_id = ?", session.ID[:])
	}
	begun := used()
	d.pass(59 * time.Minute)
	if !d.isOpen(token) || used() != begun {
		t.Errorf("a use within the hour was written")
	}
	d.pass(time.Minute)
	if !d.isOpen(token) || used() != begun+time.Hour.Milliseconds() {
		t.Errorf("a use after the hour was not written")
	}
}

func TestSessionSays(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	token, session := d.byLink(d.ben)
	want := ledger.Actor{HouseholdID: d.who.HouseholdID, UserID: d.ben.ID, Origin: ledger.OriginWeb}
	if session.Actor != want || session.User != d.ben || session.Household.Name != "Home" || session.Scope != tenant.ScopeReadWrite || !session.Writes() ||
		session.HasPassword || session.HideAmounts || session.Way != signin.WayLink || !session.ProvedAt().Equal(d.at) || !session.SignedInAt.Equal(d.at) ||
		session.Prefs != (signin.Preferences{Theme: "auto", Gains: "blue-rust", Density: "roomy", Keys: true}) {
		t.Errorf("got %+v", session)
	}
	d.must(d.SignIn.SetHideAmounts(t.Context(), session, true))
	prefs := signin.Preferences{Theme: "dark", Gains: "ink", Density: "compact"}
	d.must(d.SignIn.SetPreferences(t.Context(), session, prefs))
	bad := d.SignIn.SetPreferences(t.Context(), session, signin.Preferences{Theme: "neon", Gains: "blue", Density: "none"})
	ledgertest.Refused(t, bad, ledger.Invalid, "theme must be one of auto, light, dark", "gains", "density")
	again, err := d.SignIn.Open(t.Context(), token)
	d.must(err)
	if !session.HideAmounts || !again.HideAmounts || session.Prefs != prefs || again.Prefs != prefs {
		t.Errorf("got %+v", again)
	}
	_, other := d.byLink(d.ben)
	if other.HideAmounts || other.Prefs != prefs {
		t.Errorf("another browser of the person has %+v", other)
	}
	_, ana := d.byLink(d.ana)
	if ana.Prefs == prefs {
		t.Error("another person has them, too")
	}
}

// TestSessionsAreListedAndEnded: a person sees and ends their own, and no others.
func TestSessionsAreListedAndEnded(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	first, one := d.byLink(d.ana)
	d.pass(time.Minute)
	second, two := d.byLink(d.ana)
	bens, ben := d.byLink(d.ben)
	list, err := d.SignIn.List(t.Context(), one.Actor)
	d.must(err)
	if len(list) != 2 || list[0].ID != two.ID || list[1].ID != one.ID || list[0].Agent != "Firefox" || list[0].Address != "192.168.1.20" {
		t.Errorf("got %+v", list)
	}
	ledgertest.Refused(t, d.SignIn.End(t.Context(), one.Actor, ben.ID), ledger.NotFound)
	d.must(d.SignIn.End(t.Context(), one.Actor, two.ID))
	ledgertest.Refused(t, d.SignIn.End(t.Context(), one.Actor, two.ID), ledger.NotFound)
	d.byLink(d.ana)
	ended, err := d.SignIn.EndOthers(t.Context(), one)
	d.must(err)
	if ended != 1 || !d.isOpen(first) || d.isOpen(second) || !d.isOpen(bens) {
		t.Errorf("%d ended", ended)
	}
	d.must(d.SignIn.SignOut(t.Context(), one))
	d.must(d.SignIn.SignOut(t.Context(), one))
	if d.isOpen(first) || !d.isOpen(bens) {
		t.Error("sign out")
	}
	for range 102 {
		_, two = d.byLink(d.ben)
	}
	list, err = d.SignIn.List(t.Context(), two.Actor)
	if err != nil || len(list) != 100 || d.isOpen(bens) {
		t.Errorf("%d sessions are kept, %v", len(list), err)
	}
	for _, token := range []string{"", "x", first + "x", strings.Repeat("A", 43)} {
		if d.isOpen(token) {
			t.Errorf("%q opens something", token)
		}
	}
}

// TestSessionsFollowTheHousehold: emptied books keep their people signed in; who goes is out at once and stays so.
func TestSessionsFollowTheHousehold(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	token, session := d.byLink(d.ana)
	link, _, err := d.SignIn.NewLink(t.Context(), d.who, d.ben.ID)
	d.must(err)
	emptied, err := d.Tenants.EmptyHousehold(t.Context(), session.Actor, "Home")
	d.must(err)
	session, err = d.SignIn.Open(t.Context(), token)
	d.must(err)
	if session.HouseholdID != emptied.Household.ID || session.Household.Name != "Home" {
		t.Errorf("got %+v", session)
	}
	bens, _, err := d.SignIn.WithLink(t.Context(), link, laptop)
	d.must(err)
	_, err = d.Tenants.UnresetHousehold(t.Context(), session.Actor)
	d.must(err)
	if !d.isOpen(token) || !d.isOpen(bens) {
		t.Error("signed out by what brought the books back")
	}
	link, _, err = d.SignIn.NewLink(t.Context(), d.who, d.ben.ID)
	d.must(err)
	_, err = d.Tenants.DeactivateUser(t.Context(), d.who, d.ben.ID)
	d.must(err)
	_, _, err = d.SignIn.NewLink(t.Context(), d.who, d.ben.ID)
	ledgertest.Refused(t, err, ledger.Conflict, "finsvc user restore")
	if d.isOpen(bens) {
		t.Error("a deactivated person is signed in")
	}
	_, err = d.Tenants.RestoreUser(t.Context(), d.who, d.ben.ID)
	d.must(err)
	_, _, err = d.SignIn.WithLink(t.Context(), link, laptop)
	ledgertest.Refused(t, err, ledger.Unauthorized)
	if d.isOpen(bens) || !d.isOpen(token) {
		t.Error("a browser is back with the person, or another was signed out")
	}
	for _, user := range []tenant.User{d.ben, d.ana} {
		_, _, err = d.SignIn.NewLink(t.Context(), d.who, user.ID)
		d.must(err)
	}
	d.byLink(d.ben)
	for _, table := range []string{"browser_sessions", "sign_in_links"} {
		d.execute("DELETE FROM households")
		if n := d.number("SELECT count(*) FROM " + table); n != 0 {
			t.Errorf("%d rows of a deleted household are left in %s", n, table)
		}
	}
}

// TestSessionsAgainstModel: whatever happens in whatever order, a token opens what a count by hand says.
func TestSessionsAgainstModel(t *testing.T) {
	t.Parallel()
	type model struct {
		user       int // of two
		key        int // -1: none
		made, used time.Time
		ended      bool
	}
	rapid.Check(t, func(r *rapid.T) {
		d := newDoor(t)
		people := []tenant.User{d.ana, d.ben}
		var tokens []string
		var sessions []*signin.Session
		var models []*model
		var keys []string // names
		revoked := map[int]bool{}
		check := func() {
			for i, m := range models {
				want := !m.ended && d.at.Sub(m.used) < signin.IdleFor && d.at.Sub(m.made) < signin.LastsFor && !revoked[m.key]
				if got := d.isOpen(tokens[i]); got != want {
					r.Fatalf("session %d, %+v at %v: open %v", i, *m, d.at, got)
				}
				if want && d.at.Sub(m.used) >= time.Hour {
					m.used = d.at
				}
			}
		}
		add := func(token string, session *signin.Session, user, key int) {
			tokens, sessions = append(tokens, token), append(sessions, session)
			models = append(models, &model{user: user, key: key, made: d.at, used: d.at})
		}
		endAll := func(user int, but int) {
			for i, m := range models {
				m.ended = m.ended || m.user == user && i != but
			}
		}
		r.Repeat(map[string]func(*rapid.T){
			"time": func(r *rapid.T) {
				d.pass(time.Duration(rapid.SampledFrom([]int{1, 59, 60, 24 * 60, 20 * 24 * 60, 30 * 24 * 60}).Draw(r, "minutes")) * time.Minute)
			},
			"link": func(r *rapid.T) {
				user := rapid.IntRange(0, 1).Draw(r, "user")
				token, session := d.byLink(people[user])
				add(token, session, user, -1)
			},
			"key": func(r *rapid.T) {
				plain, _, err := d.Keys.CreateAPIKey(t.Context(), d.who, tenant.KeyInput{Name: fmt.Sprintf("key number %d", len(keys))})
				d.must(err)
				token, session, err := d.SignIn.WithKey(t.Context(), plain, laptop)
				d.must(err)
				add(token, session, 0, len(keys))
				keys = append(keys, fmt.Sprintf("key number %d", len(keys)))
			},
			"revoke": func(r *rapid.T) {
				for i, name := range keys {
					if !revoked[i] {
						_, err := d.Keys.RevokeAPIKey(t.Context(), d.who, name)
						d.must(err)
						revoked[i] = true
						return
					}
				}
			},
			"end": func(r *rapid.T) {
				if len(models) == 0 {
					return
				}
				i := rapid.IntRange(0, len(models)-1).Draw(r, "session")
				if rapid.Bool().Draw(r, "others") && d.isOpen(tokens[i]) {
					_, err := d.SignIn.EndOthers(t.Context(), sessions[i])
					d.must(err)
					endAll(models[i].user, i)
					return
				}
				d.must(d.SignIn.SignOut(t.Context(), sessions[i]))
				models[i].ended = true
			},
			"deactivate": func(r *rapid.T) {
				_, err := d.Tenants.DeactivateUser(t.Context(), d.who, d.ben.ID)
				d.must(err)
				_, err = d.Tenants.RestoreUser(t.Context(), d.who, d.ben.ID)
				d.must(err)
				endAll(1, -1)
			},
			"": func(r *rapid.T) { check() },
		})
	})
}

// TestNoSecretIsInTheFile: what opens something is nowhere in the database.
func TestNoSecretIsInTheFile(t *testing.T) {
	t.Parallel()
	d := emptyDoor(t)
	code, _, err := d.SignIn.NewSetUpCode(t.Context())
	d.must(err)
	token, session, err := d.SignIn.SetUp(t.Context(), code, tenant.HouseholdInput{Name: "Home", Currency: "EUR", Locale: "de-DE", Timezone: "UTC",
		OwnerEmail: "Ana"}, good, laptop)
	d.must(err)
	link, _, err := d.SignIn.NewLink(t.Context(), session.Actor, session.UserID)
	d.must(err)
	second, _, err := d.SignIn.NewSetUpCode(t.Context())
	ledgertest.Refused(t, err, ledger.Conflict)
	content, err := os.ReadFile(d.db.Path())
	d.must(err)
	written, err := os.ReadFile(d.db.Path() + "-wal")
	d.must(err)
	content = append(content, written...)
	for _, secret := range []string{token, link, good, code, strings.ReplaceAll(code, "-", "")} {
		if strings.Contains(string(content), secret) {
			t.Errorf("%q is in the file", secret)
		}
	}
	if !strings.Contains(string(content), "ana@localhost") || second != "" {
		t.Error("nothing is in the file")
	}
}
