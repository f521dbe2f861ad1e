package web

import (
	"log/slog"
	"net/http"
	"strings"
	"time"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/signin"
	"finsvc/ledger/tenant"
)

// setUpView is one of the three screens on which the first household is made.
type setUpView struct {
	Screen                            string // code, home or you
	Problems                          formProblems
	Household, Currency, Locale, Zone string
	Name                              string // of the person
	LinksOnly                         bool
	Locales                           []string
	MinPassword                       int
}

// The screens.
const (
	screenCode = "code"
	screenHome = "home"
	screenYou  = "you"
)

// locales are ways to write numbers and days that are offered besides that of the browser.
func locales() []string {
	return []string{"en-GB", "en-US", "en-IE", "de-DE", "de-CH", "fr-FR", "es-ES", "it-IT", "nl-NL", "pl-PL", "pt-PT", "sv-SE"}
}

// showSetUp answers GET /setup. A code in the address goes into a cookie at once, so that the address can be seen.
func showSetUp(v *visit) error {
	needed, err := v.site.Ledger.SignIn.NeedsSetUp(v.Context())
	if err != nil {
		return err
	}
	if !needed {
		return v.goTo("/login")
	}
	if code := v.URL.Query().Get("code"); code != "" {
		v.keepCode(code)
		return v.goTo("/setup")
	}
	view := v.newSetUp()
	code := v.keptCode()
	if code == "" {
		return v.render("setup", "Set up", view)
	}
	if err := v.site.Ledger.SignIn.CheckSetUp(v.Context(), code); err != nil {
		return v.wrongCode(err, view)
	}
	view.Screen = screenHome
	return v.render("setup", "Set up", view)
}

// newSetUp is the first screen, with what can be guessed for the others.
func (v *visit) newSetUp() setUpView {
	view := setUpView{Screen: screenCode, Household: "Home", Zone: v.site.Timezone, MinPassword: signin.MinPassword,
		Locales: locales()}
	view.Locale, view.Currency = guessLocale(v.Header.Get("Accept-Language"))
	if view.Locale != "en-GB" {
		view.Locales = append([]string{view.Locale}, view.Locales...)
	}
	return view
}

// guessLocale is the way to write numbers, and the currency, of the first language of a browser that names a region.
func guessLocale(accepted string) (locale, code string) {
	locale, code = "en-GB", "EUR"
	tags, _, err := language.ParseAcceptLanguage(accepted)
	if err != nil || len(tags) == 0 {
		return locale, code
	}
	if money.CheckLocale(tags[0].String()) == nil {
		locale = tags[0].String()
	}
	for _, tag := range tags {
		region, sure := tag.Region()
		if sure != language.Exact {
			continue
		}
		unit, known := currency.FromRegion(region)
		if _, ours := money.LookupCurrency(unit.String()); known && ours && region.String() != "HR" && region.String() != "BG" {
			return locale, unit.String()
		}
	}
	return locale, code
}

// The cookie in which the code waits for the last screen.
const (
	setUpCookie  = "-setup"
	longestCode  = 40
	setUpSeconds = int(signin.SetUpFor / time.Second)
)

func (v *visit) keepCode(code string) {
	cookie := &http.Cookie{Name: v.cookieName() + setUpCookie, Path: v.path("/"), HttpOnly: true, Secure: v.isSecure(),
		SameSite: http.SameSiteLaxMode, MaxAge: setUpSeconds}
	for _, r := range code[:min(len(code), longestCode)] {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '-' {
			cookie.Value += string(r)
		}
	}
	if cookie.Value == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(v.w, cookie)
}

func (v *visit) keptCode() string {
	cookie, err := v.Cookie(v.cookieName() + setUpCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// wrongCode shows the first screen again.
func (v *visit) wrongCode(err error, view setUpView) error {
	if ledger.IsKind(err, ledger.Conflict) { // somebody was quicker
		return v.goTo("/login")
	}
	status, problem, ok := v.refused(err)
	if !ok {
		return err
	}
	v.keepCode("")
	view.Screen, view.Problems.All = screenCode, []string{problem}
	return v.renderStatus(status, "setup", "Set up", view)
}

// setUp answers POST /setup, from whichever screen.
func setUp(v *visit) error {
	view := v.newSetUp()
	if v.FormValue("screen") == screenCode {
		code := v.FormValue("code")
		if err := v.site.Ledger.SignIn.CheckSetUp(v.Context(), code); err != nil {
			return v.wrongCode(err, view)
		}
		v.keepCode(code)
		return v.goTo("/setup")
	}
	view.Household, view.Currency = strings.TrimSpace(v.FormValue("household")), strings.TrimSpace(v.FormValue("currency"))
	view.Locale, view.Zone = strings.TrimSpace(v.FormValue("locale")), strings.TrimSpace(v.FormValue("timezone"))
	view.Name, view.LinksOnly = strings.TrimSpace(v.FormValue("name")), v.FormValue("links_only") != ""
	if v.FormValue("screen") == screenHome {
		if err := v.site.Ledger.SignIn.CheckSetUp(v.Context(), v.keptCode()); err != nil {
			return v.wrongCode(err, view)
		}
		view.Screen = screenYou
		return v.render("setup", "Set up", view)
	}
	view.Screen = screenYou
	password := v.FormValue("password")
	var wrong ledger.Problems
	switch {
	case view.LinksOnly:
		password = ""
	case password == "":
		wrong.Add("password", "is missing; choose one, or tick that links are enough")
	case password != v.FormValue("again"):
		wrong.Add("again", "is not the same as the password")
	}
	in := tenant.HouseholdInput{Name: view.Household, Currency: view.Currency, Locale: view.Locale, Timezone: view.Zone,
		OwnerEmail: view.Name}
	err := wrong.Err()
	var token string
	var session *signin.Session
	if err == nil {
		token, session, err = v.site.Ledger.SignIn.SetUp(v.Context(), v.keptCode(), in, password, v.device())
	}
	switch {
	case ledger.IsKind(err, ledger.Invalid):
		if e := ledger.AsError(err); !e.Fields.Has("owner") && !e.Fields.Has("password") && !e.Fields.Has("again") {
			view.Screen = screenHome
		}
		return v.again(err, "setup", "Set up", func(problems formProblems) any {
			view.Problems = problems
			return view
		})
	case err != nil:
		return v.wrongCode(err, view)
	}
	v.keepCode("")
	v.signedIn(token, session)
	v.site.Logger.LogAttrs(v.Context(), slog.LevelInfo, "set up", slog.String("address", v.address().String()))
	switch then := v.FormValue("then"); {
	case then == "import":
		return v.goTo("/imports")
	case then == "demo" && v.site.Machine != nil:
		if err := v.site.Machine.FillDemo(v.Context(), session.Actor); err != nil {
			return err
		}
		if err := v.site.Ledger.SignIn.SetPreferences(v.Context(), session, madeUp(session.Prefs)); err != nil {
			return err
		}
	}
	return v.goTo("/")
}

// madeUp are preferences of a person whose books are made up.
func madeUp(prefs signin.Preferences) signin.Preferences {
	prefs.Demo = true
	return prefs
}
