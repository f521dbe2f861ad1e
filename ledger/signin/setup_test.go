package signin_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"finsvc/ledger"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/signin"
	"finsvc/ledger/tenant"
)

func home(owner string) tenant.HouseholdInput {
	return tenant.HouseholdInput{Name: "Home", Currency: "CHF", Locale: "de-CH", Timezone: "Europe/Zurich", OwnerEmail: owner}
}

// TestSetUp: the code is read as people write it, works once within half an hour, and only while there is no household.
func TestSetUp(t *testing.T) {
	t.Parallel()
	d := emptyDoor(t)
	ledgertest.Refused(t, d.SignIn.CheckSetUp(t.Context(), ""), ledger.Unauthorized, "finsvc setup-code")
	old, _, err := d.SignIn.NewSetUpCode(t.Context())
	d.must(err)
	code, until, err := d.process().SignIn.NewSetUpCode(t.Context()) // as finsvc setup-code does it
	d.must(err)
	if !regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$`).MatchString(code) || !until.Equal(d.at.Add(30*time.Minute)) {
		t.Errorf("the code is %s until %v", code, until)
	}
	ledgertest.Refused(t, d.SignIn.CheckSetUp(t.Context(), old), ledger.Unauthorized)
	d.must(d.SignIn.CheckSetUp(t.Context(), code))
	d.must(d.SignIn.CheckSetUp(t.Context(), " "+strings.ToLower(strings.NewReplacer("-", " ", "0", "o", "1", "l").Replace(code))+" "))
	d.pass(30 * time.Minute)
	ledgertest.Refused(t, d.SignIn.CheckSetUp(t.Context(), code), ledger.Unauthorized)
	code, _, err = d.SignIn.NewSetUpCode(t.Context())
	d.must(err)

	bad := home("")
	bad.Currency = "gold"
	_, _, err = d.SignIn.SetUp(t.Context(), code, bad, "short", laptop)
	ledgertest.Refused(t, err, ledger.Invalid, "password", "currency", "owner")
	_, _, err = d.SignIn.SetUp(t.Context(), code, home("Ana"), "Password123", laptop)
	ledgertest.Refused(t, err, ledger.Invalid, "password")
	if needs, err := d.SignIn.NeedsSetUp(t.Context()); !needs || err != nil {
		t.Errorf("after a set-up that was refused: %v, %v", needs, err)
	}
	token, session, err := d.SignIn.SetUp(t.Context(), code, home("Ana Maria"), good, laptop)
	d.must(err)
	if session.User.Email != "ana.maria@localhost" || session.User.Role != tenant.RoleAdmin || session.Household.Currency != "CHF" || session.Way != signin.WaySetUp ||
		!session.HasPassword || !session.ProvedAt().Equal(d.at) || !d.isOpen(token) {
		t.Errorf("got %+v", session)
	}
	if n := d.Changes("household", "origin = 'web'"); n != 1 {
		t.Errorf("the history has it %d times", n)
	}
	_, _, err = d.SignIn.WithPassword(t.Context(), "ana.maria", good, laptop)
	d.must(err)
	if needs, err := d.SignIn.NeedsSetUp(t.Context()); needs || err != nil {
		t.Errorf("after set-up: %v, %v", needs, err)
	}
	_, _, err = d.SignIn.SetUp(t.Context(), code, home("ben@example.org"), "", laptop)
	ledgertest.Refused(t, err, ledger.Conflict, "sign in")
	_, _, err = d.SignIn.NewSetUpCode(t.Context())
	ledgertest.Refused(t, err, ledger.Conflict, "sign in")
}

// TestSetUpCodeIsNotGuessed: ten wrong ones make all wait for the rest of the minute, the right one too.
func TestSetUpCodeIsNotGuessed(t *testing.T) {
	t.Parallel()
	d := emptyDoor(t)
	code, _, err := d.SignIn.NewSetUpCode(t.Context())
	d.must(err)
	for range 10 {
		d.must(d.SignIn.CheckSetUp(t.Context(), code)) // which is no guess
		ledgertest.Refused(t, d.SignIn.CheckSetUp(t.Context(), "0000-0000"), ledger.Unauthorized)
		d.pass(time.Second)
	}
	ledgertest.Refused(t, d.SignIn.CheckSetUp(t.Context(), code), ledger.RateLimited, "50 seconds")
	_, _, err = d.SignIn.SetUp(t.Context(), code, home("Ana"), "", laptop)
	ledgertest.Refused(t, err, ledger.RateLimited)
	d.pass(50 * time.Second)
	_, session, err := d.SignIn.SetUp(t.Context(), code, home("Ana"), "", laptop)
	d.must(err)
	if session.HasPassword {
		t.Error("there is a password")
	}
	_, _, err = d.SignIn.WithPassword(t.Context(), "ana", "", laptop)
	ledgertest.Refused(t, err, ledger.Unauthorized)
}

func TestInstanceIsOfTheFile(t *testing.T) {
	t.Parallel()
	d := emptyDoor(t)
	one, err := d.SignIn.Instance(t.Context())
	d.must(err)
	if again, err := d.process().SignIn.Instance(t.Context()); again != one || err != nil || !regexp.MustCompile(`^[0-9a-f]{5}$`).MatchString(one) {
		t.Errorf("%s, then %s, %v", one, again, err)
	}
}
