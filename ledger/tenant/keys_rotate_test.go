package tenant_test

import (
	"testing"
	"time"

	"finsvc/ledger"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/tenant"
)

// key makes a key of the owner.
func (o *operator) key(in tenant.KeyInput) (string, tenant.APIKey) {
	o.Helper()
	plain, key, err := o.Keys.CreateAPIKey(o.Context(), o.who, in)
	o.must(err)
	return plain, key
}

// opens reports whether a key opens anything.
func (o *operator) opens(plain string) bool {
	_, err := o.Keys.Authenticate(o.Context(), plain)
	return err == nil
}

func TestKeyRotate(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	plain, key := o.key(tenant.KeyInput{Name: "phone", Scope: "read", RateLimit: 60, Expires: 90 * 24 * time.Hour})
	o.clock.at = o.clock.at.Add(24 * time.Hour)
	done, err := o.Keys.RotateAPIKey(t.Context(), o.who, tenant.KeyRotation{NameOrPrefix: "phone"})
	o.must(err)
	fresh := done.New
	if fresh.ID == key.ID || fresh.Name != "phone" || fresh.Scope != "read" || fresh.Tier != "custom" || fresh.RateLimit != 60 || fresh.UserEmail != "ana@example.org" ||
		fresh.Prefix != done.Plain[:12] || !fresh.ExpiresAt.Equal(o.clock.at.Add(90*24*time.Hour)) {
		t.Errorf("the new key is %+v", fresh)
	}
	if done.Old.ID != key.ID || !done.Old.RevokedAt.Equal(o.clock.at) || done.Old.Name != "phone" {
		t.Errorf("the old key is %+v", done.Old)
	}
	if o.opens(plain) || !o.opens(done.Plain) {
		t.Errorf("the old key opens: %v, the new one: %v", o.opens(plain), o.opens(done.Plain))
	}
	if n := o.count("SELECT count(*) FROM changes WHERE entity = 'api_key'"); n != 3 {
		t.Errorf("%d changes are recorded, want the creation, the revocation and the creation", n)
	}
}

func TestKeyRotateWithGrace(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	first, _ := o.key(tenant.KeyInput{Name: "phone"})
	second, err := o.Keys.RotateAPIKey(t.Context(), o.who, tenant.KeyRotation{NameOrPrefix: "phone", Grace: time.Hour})
	o.must(err)
	third, err := o.Keys.RotateAPIKey(t.Context(), o.who, tenant.KeyRotation{NameOrPrefix: "phone", Grace: 2 * time.Hour, Expires: 24 * time.Hour})
	o.must(err)
	if second.Old.Name != "phone-old" || third.Old.Name != "phone-old-2" || third.New.Name != "phone" {
		t.Errorf("the names are %q, %q and %q", second.Old.Name, third.Old.Name, third.New.Name)
	}
	if !second.New.ExpiresAt.IsZero() || !third.New.ExpiresAt.Equal(o.clock.at.Add(24*time.Hour)) || !second.Old.ExpiresAt.Equal(o.clock.at.Add(time.Hour)) {
		t.Errorf("they end at %s, %s and %s", second.New.ExpiresAt, third.New.ExpiresAt, second.Old.ExpiresAt)
	}
	for hours, want := range [][3]bool{{true, true, true}, {false, true, true}, {false, false, true}} {
		if got := [3]bool{o.opens(first), o.opens(second.Plain), o.opens(third.Plain)}; got != want {
			t.Errorf("after %d hours: %v, want %v", hours, got, want)
		}
		o.clock.at = o.clock.at.Add(time.Hour)
	}
}

// A grace never lengthens what a key has left.
func TestKeyRotateNearItsEnd(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	soon, key := o.key(tenant.KeyInput{Name: "soon", Expires: time.Hour})
	done, err := o.Keys.RotateAPIKey(t.Context(), o.who, tenant.KeyRotation{NameOrPrefix: key.Prefix, Grace: 24 * time.Hour})
	o.must(err)
	if !done.Old.ExpiresAt.Equal(key.ExpiresAt) {
		t.Errorf("the old key ends at %s, want %s", done.Old.ExpiresAt, key.ExpiresAt)
	}
	o.clock.at = o.clock.at.Add(time.Hour) // both end now
	again, err := o.Keys.RotateAPIKey(t.Context(), o.who, tenant.KeyRotation{NameOrPrefix: "soon", Grace: 24 * time.Hour})
	o.must(err)
	if again.Old.RevokedAt.IsZero() || o.opens(soon) || o.opens(done.Plain) || !o.opens(again.Plain) {
		t.Errorf("an expired key came back: %+v", again.Old)
	}
}

func TestKeyRotateBadInput(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	_, err := o.Tenants.CreateUser(t.Context(), o.who, tenant.UserInput{Email: "bo@example.org"})
	o.must(err)
	ana, _ := o.key(tenant.KeyInput{Name: "phone"})
	o.key(tenant.KeyInput{Name: "phone", UserEmail: "bo@example.org"})
	_, bo := o.key(tenant.KeyInput{Name: "desk", UserEmail: "bo@example.org"})
	users, err := o.Tenants.ListUsers(t.Context(), o.who)
	o.must(err)
	_, err = o.Tenants.DeactivateUser(t.Context(), o.who, users[1].ID)
	o.must(err)
	for _, c := range []struct {
		who   ledger.Actor
		in    tenant.KeyRotation
		kind  ledger.Kind
		words string
	}{
		{o.who, tenant.KeyRotation{NameOrPrefix: "none"}, ledger.NotFound, "none"},
		{o.who, tenant.KeyRotation{}, ledger.NotFound, "API key"},
		{o.who, tenant.KeyRotation{NameOrPrefix: "phone"}, ledger.Conflict, "several keys"},
		{o.who, tenant.KeyRotation{NameOrPrefix: "desk"}, ledger.Conflict, "finsvc user restore bo@example.org"},
		{o.who, tenant.KeyRotation{NameOrPrefix: "desk", Grace: -1}, ledger.Invalid, "negative"},
		{o.who, tenant.KeyRotation{NameOrPrefix: "desk", Expires: -1}, ledger.Invalid, "negative"},
		{ledger.Actor{HouseholdID: o.who.HouseholdID + 1}, tenant.KeyRotation{NameOrPrefix: bo.Prefix}, ledger.NotFound, bo.Prefix},
	} {
		_, err := o.Keys.RotateAPIKey(t.Context(), c.who, c.in)
		ledgertest.Refused(t, err, c.kind, c.words)
	}
	keys, err := o.Keys.ListAPIKeys(t.Context(), o.who)
	o.must(err)
	if len(keys) != 3 || !o.opens(ana) {
		t.Errorf("what was refused has changed the keys: %+v", keys)
	}
}
