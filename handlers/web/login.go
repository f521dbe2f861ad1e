package web

import (
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/signin"
)

// loginView is the page on which to sign in.
type loginView struct {
	Name, Next string // as they were typed or asked for
	Problem    string
	ByKey      bool // the form for keys was used
}

// showLogin answers GET /login.
func showLogin(v *visit) error {
	next := ownPath(v.URL.Query().Get("next"), "/")
	if v.session != nil {
		return v.goTo(next)
	}
	needed, err := v.site.Ledger.SignIn.NeedsSetUp(v.Context())
	if err != nil {
		return err
	}
	if needed {
		return v.goTo("/setup")
	}
	return v.render("login", "Sign in", loginView{Next: next})
}

// logIn answers POST /login, with a name and a password, or with a key.
func logIn(v *visit) error {
	view := loginView{Name: v.FormValue("name"), Next: v.nextPage(), ByKey: v.PostForm.Has("key")}
	var token string
	var session *signin.Session
	var err error
	if view.ByKey {
		token, session, err = v.site.Ledger.SignIn.WithKey(v.Context(), strings.TrimSpace(v.FormValue("key")), v.device())
	} else {
		token, session, err = v.site.Ledger.SignIn.WithPassword(v.Context(), view.Name, v.FormValue("password"), v.device())
	}
	if err == nil {
		v.signedIn(token, session)
		return v.goTo(view.Next)
	}
	status, problem, ok := v.refused(err)
	if !ok {
		return err
	}
	view.Problem = problem
	return v.renderStatus(status, "login", "Sign in", view)
}

// nextPage is where a form leads to in the end: a path of these pages and nothing else.
func (v *visit) nextPage() string { return ownPath(v.FormValue("next"), "/") }

// signedIn gives the browser its cookie, and takes the one before it out of the way.
func (v *visit) signedIn(token string, session *signin.Session) {
	if before := v.session; before != nil {
		if err := v.site.Ledger.SignIn.SignOut(v.Context(), before); err != nil {
			v.site.Logger.Warn("the session before was not ended", "error", err.Error())
		}
	}
	v.setSession(token)
	v.site.Logger.LogAttrs(v.Context(), slog.LevelInfo, "signed in", slog.String("way", string(session.Way)),
		slog.String("user", session.User.PublicID.String()), slog.String("address", v.address().String()))
}

// refused says why somebody was not let in, and with which status; ok is false of an error that is none of theirs. The
// log has the address and no name: a password is easily typed in the wrong place.
func (v *visit) refused(err error) (status int, problem string, ok bool) {
	e := ledger.AsError(err)
	switch {
	case ledger.IsKind(err, ledger.Unauthorized):
		status = http.StatusUnauthorized
	case ledger.IsKind(err, ledger.RateLimited):
		status = http.StatusTooManyRequests
		if seconds, isNumber := e.Details["reset_in_seconds"].(int); isNumber {
			v.w.Header().Set("Retry-After", strconv.Itoa(seconds))
		}
	default:
		return 0, "", false
	}
	v.site.Logger.LogAttrs(v.Context(), slog.LevelWarn, "sign-in refused", slog.Int("status", status),
		slog.String("page", v.route.pattern), slog.String("address", v.address().String()))
	return status, strings.ToUpper(e.Message[:1]) + e.Message[1:] + ".", true
}

// logOut answers POST /logout.
func logOut(v *visit) error {
	if v.session != nil {
		if err := v.site.Ledger.SignIn.SignOut(v.Context(), v.session); err != nil {
			return err
		}
		v.site.Logger.LogAttrs(v.Context(), slog.LevelInfo, "signed out",
			slog.String("user", v.session.User.PublicID.String()), slog.String("address", v.address().String()))
	}
	v.setSession("")
	return v.goTo("/login")
}

// showLink answers GET /link/{token}. It uses nothing up: programs look at links before people do.
func showLink(v *visit) error { return v.render("link", "Sign in", loginView{}) }

// followLink answers POST /link/{token}.
func followLink(v *visit) error {
	token, session, err := v.site.Ledger.SignIn.WithLink(v.Context(), v.PathValue("token"), v.device())
	if err == nil {
		v.signedIn(token, session)
		return v.goTo("/")
	}
	status, problem, ok := v.refused(err)
	if !ok {
		return err
	}
	return v.renderStatus(status, "link", "Sign in", loginView{Problem: problem})
}

// confirmError sends to the page that asks for the password again, and then to another page.
type confirmError struct{ next string }

// Error is the text for the log.
func (e *confirmError) Error() string { return "the password is needed" }

// proved refuses what is severe to whoever has not given the password of late: they are asked for it, and come to a page
// on which to try again.
func (v *visit) proved(next string) error {
	err := v.site.Ledger.SignIn.CheckProved(v.session)
	if e := ledger.AsError(err); e != nil && e.Code == "password_needed" {
		return &confirmError{next}
	}
	return err
}

// askToConfirm leads there, if that is the error.
func (v *visit) askToConfirm(err error) bool {
	confirm, ok := errors.AsType[*confirmError](err)
	if ok {
		_ = v.goTo("/confirm?" + url.Values{"next": {confirm.next}}.Encode())
	}
	return ok
}

// showConfirm answers GET /confirm.
func showConfirm(v *visit) error {
	return v.render("confirm", "Confirm your password", loginView{Next: ownPath(v.URL.Query().Get("next"), "/")})
}

// confirm answers POST /confirm. Who comes by a proxy that asks for passwords has none here, and is let in by it anew.
func confirm(v *visit) error {
	view := loginView{Next: v.nextPage()}
	var err error
	if v.session.Way == signin.WayHeader && !v.session.HasPassword {
		var token string
		var session *signin.Session
		token, session, err = v.site.Ledger.SignIn.WithHeader(v.Context(), v.headerName(), v.device())
		if err == nil {
			v.signedIn(token, session)
		}
	} else {
		err = v.site.Ledger.SignIn.Prove(v.Context(), v.session, v.FormValue("password"), v.device())
	}
	if err == nil {
		return v.goTo(view.Next)
	}
	status, problem, ok := v.refused(err)
	if !ok {
		return err
	}
	view.Problem = problem
	return v.renderStatus(status, "confirm", "Confirm your password", view)
}
