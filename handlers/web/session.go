package web

import (
	"net/http"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/signin"
)

// cookieName is what the cookie is called: cookies do not know ports, so the name tells two servers on one host apart. A
// browser keeps one that begins with __Host- from being set by anybody but this very host.
func (v *visit) cookieName() string {
	name := "finsvc-" + v.site.Instance
	if v.isSecure() && v.path("/") == "/" {
		return "__Host-" + name
	}
	return name
}

// isSecure reports whether the browser came by HTTPS, to this server or to a proxy that is trusted.
func (v *visit) isSecure() bool { return v.site.Origins.Of(v.Request).Scheme == "https" }

// readSession is the session of the browser's cookie; nil without one. Where a trusted proxy names the person, it is a
// session of theirs, which begins with the first request that does so, and none without the name.
func (v *visit) readSession() (session *signin.Session, err error) {
	if cookie, missing := v.Cookie(v.cookieName()); missing == nil {
		session, err = v.site.Ledger.SignIn.Open(v.Context(), cookie.Value)
		if err != nil && !ledger.IsKind(err, ledger.Unauthorized) {
			return nil, err
		}
	}
	name := v.headerName()
	switch {
	case name == "" && session != nil && session.Way == signin.WayHeader:
		return nil, nil
	case name == "", session != nil && session.IsCalled(name):
		return session, nil
	}
	token, session, err := v.site.Ledger.SignIn.WithHeader(v.Context(), name, v.device())
	if ledger.IsKind(err, ledger.Unauthorized) {
		return nil, &ledger.Error{Kind: ledger.Forbidden, Code: "forbidden",
			Message: "The proxy in front of finsvc says that you are " + ledger.Quote(name) + ", and nobody here is. To add you: finsvc user create EMAIL."}
	}
	if err == nil {
		v.signedIn(token, session)
	}
	return session, err
}

// headerName is the person whom a trusted proxy names; empty where none does. A header that is there twice is not the
// proxy's alone.
func (v *visit) headerName() string {
	if v.site.AuthHeader == "" || !v.site.Origins.Proxied(v.Request) {
		return ""
	}
	if values := v.Header.Values(v.site.AuthHeader); len(values) == 1 {
		return strings.TrimSpace(values[0])
	}
	return ""
}

// setSession gives the browser the cookie of a session, or takes it away when the token is empty. Lax lets a link on
// another page lead in; what is posted from elsewhere is refused by its origin.
func (v *visit) setSession(token string) {
	cookie := &http.Cookie{Name: v.cookieName(), Value: token, Path: v.path("/"), HttpOnly: true, Secure: v.isSecure(),
		SameSite: http.SameSiteLaxMode, MaxAge: int(signin.LastsFor.Seconds())}
	if token == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(v.w, cookie)
}
