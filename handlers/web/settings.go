package web

import (
	"finsvc/ledger"
	"finsvc/ledger/tenant"
)

// showSettings answers GET /settings: the way to all that can be set.
func showSettings(v *visit) error { return v.render("settings", "Settings", v.session.Household) }

// keysView is the keys of programs. Fresh is one that was made just now, which is shown once.
type keysView struct {
	Keys        []tenant.APIKey
	Fresh       string
	Name, Scope string // as typed
	Problems    formProblems
}

// keysPage is where keys are made and revoked.
const keysPage = "/settings/keys"

// keys reads the keys that may be used, those of the person first of all.
func (v *visit) keys() (view keysView, err error) {
	view.Scope = tenant.ScopeReadWrite
	all, err := v.site.Ledger.Keys.ListAPIKeys(v.Context(), v.who())
	for _, key := range all {
		if key.RevokedAt.IsZero() && (key.ExpiresAt.IsZero() || key.ExpiresAt.After(v.site.Now())) {
			view.Keys = append(view.Keys, key)
		}
	}
	return view, err
}

// showKeys answers GET /settings/keys.
func showKeys(v *visit) error {
	view, err := v.keys()
	if err != nil {
		return err
	}
	return v.render("keys", "API keys", view)
}

// createKey answers POST /settings/keys: the page shows the key, this once.
func createKey(v *visit) error {
	if err := v.proved(keysPage); err != nil {
		return err
	}
	f := &form{visit: v}
	in := tenant.KeyInput{Name: f.text("name"), Scope: f.text("scope"), UserEmail: v.session.User.Email}
	plain, _, failed := v.site.Ledger.Keys.CreateAPIKey(v.Context(), v.who(), in)
	view, err := v.keys()
	if err != nil {
		return err
	}
	view.Fresh = plain
	if failed != nil {
		return v.again(failed, "keys", "API keys", func(p formProblems) any {
			view.Name, view.Scope, view.Problems = in.Name, in.Scope, p
			return view
		})
	}
	return v.render("keys", "API keys", view)
}

// revokeKey answers POST /settings/keys/{prefix}/revoke.
func revokeKey(v *visit) error {
	if err := v.proved(keysPage); err != nil {
		return err
	}
	if _, err := v.site.Ledger.Keys.RevokeAPIKey(v.Context(), v.who(), v.PathValue("prefix")); err != nil {
		if ledger.IsKind(err, ledger.NotFound) {
			return ledger.NewNotFound("API key")
		}
		return err
	}
	return v.goTo(keysPage)
}
