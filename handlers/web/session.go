package web

import (
	"net/http"

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

// readSession is the session of the browser's cookie; nil without a cookie.
func (v *visit) readSession() (*signin.Session, error) {
	cookie, err := v.Cookie(v.cookieName())
	if err != nil {
		return nil, nil
	}
	return v.site.Ledger.SignIn.Open(v.Context(), cookie.Value)
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
