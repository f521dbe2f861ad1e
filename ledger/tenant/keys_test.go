package tenant_test

import (
	"regexp"
	"testing"
	"time"

	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/tenant"
)

// TestKeyCreate holds what was decided.
//
// Decision, Keys, scopes, limits: 256 random bits behind a readable prefix; only a hash and the first characters are
// kept; a key is shown once; a bucket of tokens for each key, of tier standard with 10,000 an hour unless it has
// another.
// Contract, Authentication: a person makes the key.
func TestKeyCreate(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	plain, key, err := o.Keys.CreateAPIKey(t.Context(), o.who, tenant.KeyInput{})
	o.must(err)
	if !regexp.MustCompile(`^fsk_[0-9A-Za-z]{43}$`).MatchString(plain) {
		t.Errorf("got key %q", plain)
	}
	if key.Prefix != plain[:12] || key.Name != "default" || key.Scope != "read_write" || key.Tier != "standard" || key.RateLimit != 10_000 ||
		key.UserEmail != "ana@example.org" || !key.ExpiresAt.IsZero() {
		t.Errorf("got %+v", key)
	}
	for _, want := range []string{"default-2", "default-3"} {
		_, key, err := o.Keys.CreateAPIKey(t.Context(), o.who, tenant.KeyInput{})
		o.must(err)
		if key.Name != want {
			t.Errorf("got name %s, want %s", key.Name, want)
		}
	}
	_, key, err = o.Keys.CreateAPIKey(t.Context(), o.who, tenant.KeyInput{Name: "phone", Scope: "read", Expires: time.Hour, RateLimit: 5})
	o.must(err)
	if key.Name != "phone" || key.Scope != "read" || !key.ExpiresAt.Equal(o.clock.at.Add(time.Hour)) || key.RateLimit != 5 || key.Tier != "custom" {
		t.Errorf("got %+v", key)
	}
	_, _, err = o.Keys.CreateAPIKey(t.Context(), o.who, tenant.KeyInput{Name: "phone"})
	ledgertest.Refused(t, err, ledger.Conflict, "phone")
}

func TestKeyBadInput(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	for field, in := range map[string]tenant.KeyInput{
		"name":       {Name: "a\nb"},
		"scope":      {Scope: "admin"},
		"rate_limit": {RateLimit: -1},
		"expires":    {Expires: -time.Second},
	} {
		_, _, err := o.Keys.CreateAPIKey(t.Context(), o.who, in)
		ledgertest.Refused(t, err, ledger.Invalid, field)
	}
	_, _, err := o.Keys.CreateAPIKey(t.Context(), o.who, tenant.KeyInput{UserEmail: "bo@example.org"})
	ledgertest.Refused(t, err, ledger.NotFound, "bo@example.org")
	keys, err := o.Keys.ListAPIKeys(t.Context(), o.who)
	o.must(err)
	if len(keys) != 0 {
		t.Errorf("a failed creation left %+v", keys)
	}
}

func TestAuthenticate(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	plain, key, err := o.Keys.CreateAPIKey(t.Context(), o.who, tenant.KeyInput{Name: "phone", Scope: "read"})
	o.must(err)
	o.clock.at = o.clock.at.Add(1234567 * time.Microsecond)
	s, err := o.Keys.Authenticate(t.Context(), plain)
	o.must(err)
	want := ledger.Actor{HouseholdID: o.who.HouseholdID, UserID: o.owner.ID, KeyID: key.ID, Origin: ledger.OriginAPI}
	if s.Actor != want || s.KeyName != "phone" || s.Scope != "read" || s.RateLimit != 10_000 || s.Household.Currency != "EUR" ||
		!s.LastUsedAt.Equal(o.clock.at.Truncate(time.Millisecond)) {
		t.Errorf("got %+v", s)
	}
	for _, unknown := range []string{"", "fsk_", plain[1:], plain + "x", plain[:46] + "!", "xyz_" + plain[4:]} {
		_, err := o.Keys.Authenticate(t.Context(), unknown)
		ledgertest.Refused(t, err, ledger.Unauthorized, "missing, unknown, revoked or expired")
	}
}

func TestKeyExpires(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	plain, _, err := o.Keys.CreateAPIKey(t.Context(), o.who, tenant.KeyInput{Expires: 500 * time.Millisecond})
	o.must(err)
	_, err = o.Keys.Authenticate(t.Context(), plain)
	o.must(err)
	o.clock.at = o.clock.at.Add(500 * time.Millisecond)
	_, err = o.Keys.Authenticate(t.Context(), plain)
	ledgertest.Refused(t, err, ledger.Unauthorized, "expired")
}

// A second ledger on the same file stands for another process.
func TestRevocationByAnotherProcess(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	server := books.New(o.db, o.clock.now)
	plain, key, err := o.Keys.CreateAPIKey(t.Context(), o.who, tenant.KeyInput{Name: "phone"})
	o.must(err)
	_, err = server.Keys.Authenticate(t.Context(), plain)
	o.must(err)
	_, err = o.Keys.RevokeAPIKey(t.Context(), o.who, key.Prefix)
	o.must(err)
	_, err = server.Keys.Authenticate(t.Context(), plain)
	ledgertest.Refused(t, err, ledger.Unauthorized, "revoked")
}

func TestDeactivationStopsKeysAtOnce(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	plain, _, err := o.Keys.CreateAPIKey(t.Context(), o.who, tenant.KeyInput{})
	o.must(err)
	_, err = o.Keys.Authenticate(t.Context(), plain)
	o.must(err)
	_, err = o.Tenants.DeactivateUser(t.Context(), o.who, o.owner.ID)
	o.must(err)
	_, err = o.Keys.Authenticate(t.Context(), plain)
	ledgertest.Refused(t, err, ledger.Unauthorized, "deactivated")
}

func TestKeyRevoke(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	_, err := o.Tenants.CreateUser(t.Context(), o.who, tenant.UserInput{Email: "bo@example.org"})
	o.must(err)
	plain, ana, err := o.Keys.CreateAPIKey(t.Context(), o.who, tenant.KeyInput{Name: "phone"})
	o.must(err)
	_, bo, err := o.Keys.CreateAPIKey(t.Context(), o.who, tenant.KeyInput{Name: "phone", UserEmail: "bo@example.org"})
	o.must(err)

	_, err = o.Keys.RevokeAPIKey(t.Context(), o.who, "phone")
	ledgertest.Refused(t, err, ledger.Conflict, ana.Prefix, bo.Prefix)
	_, err = o.Keys.RevokeAPIKey(t.Context(), o.who, "fsk_")
	ledgertest.Refused(t, err, ledger.NotFound)
	_, err = o.Keys.RevokeAPIKey(t.Context(), ledger.Actor{HouseholdID: o.who.HouseholdID + 1}, ana.Prefix)
	ledgertest.Refused(t, err, ledger.NotFound)
	revoked, err := o.Keys.RevokeAPIKey(t.Context(), o.who, ana.Prefix)
	o.must(err)
	if revoked.ID != ana.ID || !revoked.RevokedAt.Equal(o.clock.at) {
		t.Errorf("got %+v", revoked)
	}
	_, err = o.Keys.Authenticate(t.Context(), plain)
	ledgertest.Refused(t, err, ledger.Unauthorized)
	_, err = o.Keys.RevokeAPIKey(t.Context(), o.who, ana.Prefix)
	ledgertest.Refused(t, err, ledger.NotFound)
	_, _, err = o.Keys.CreateAPIKey(t.Context(), o.who, tenant.KeyInput{Name: "phone"}) // the name is free again
	o.must(err)
}

// TestKeyUseIsWrittenOnlyWhenFlushed holds what was decided.
//
// Decision, Keys, scopes, limits: last_used_at costs no write on every request.
func TestKeyUseIsWrittenOnlyWhenFlushed(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	plain, _, err := o.Keys.CreateAPIKey(t.Context(), o.who, tenant.KeyInput{})
	o.must(err)
	lastUse := func() time.Time {
		keys, err := o.Keys.ListAPIKeys(t.Context(), o.who)
		o.must(err)
		return keys[0].LastUsedAt
	}
	_, err = o.Keys.Authenticate(t.Context(), plain)
	o.must(err)
	if !lastUse().IsZero() {
		t.Error("a request wrote")
	}
	o.must(o.Keys.FlushKeyUse(t.Context()))
	if got := lastUse(); !got.Equal(o.clock.at) {
		t.Errorf("got %v, want %v", got, o.clock.at)
	}
	// An older use that another process remembers does not overwrite a newer one.
	late := books.New(o.db, func() time.Time { return o.clock.at.Add(-time.Minute) })
	_, err = late.Keys.Authenticate(t.Context(), plain)
	o.must(err)
	o.must(late.Keys.FlushKeyUse(t.Context()))
	if got := lastUse(); !got.Equal(o.clock.at) {
		t.Errorf("got %v, want %v", got, o.clock.at)
	}
}

func BenchmarkAuthenticate(b *testing.B) {
	o := newOperator(b)
	plain, _, err := o.Keys.CreateAPIKey(b.Context(), o.who, tenant.KeyInput{})
	o.must(err)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := o.Keys.Authenticate(b.Context(), plain); err != nil {
			b.Fatal(err)
		}
	}
}
