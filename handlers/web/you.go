package web

import (
	"log/slog"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/signin"
)

// youPage is where a person's own settings are.
const youPage = "/settings/you"

// youView is what a person sees and sets of themselves.
type youView struct {
	Problems    formProblems
	Browsers    []browserView
	Themes      []string
	Gains       []string
	Densities   []string
	MinPassword int
}

// browserView is a browser that the person is signed in with.
type browserView struct {
	signin.Browser
	Name string
	This bool
}

// showYou answers GET /settings/you.
func showYou(v *visit) error {
	view, err := v.you()
	if err != nil {
		return err
	}
	return v.render("you", "You", view)
}

func (v *visit) you() (youView, error) {
	view := youView{Themes: signin.Themes(), Gains: signin.GainColors(), Densities: signin.Densities(),
		MinPassword: signin.MinPassword}
	list, err := v.site.Ledger.SignIn.List(v.Context(), v.who())
	for _, b := range list {
		view.Browsers = append(view.Browsers, browserView{b, browserName(b.Agent), b.ID == v.session.ID})
	}
	return view, err
}

// browserName is what people call a browser and its system; what calls itself something else is unknown.
func browserName(agent string) string {
	find := func(words ...string) string {
		for i := 0; i < len(words); i += 2 {
			if strings.Contains(agent, words[i]) {
				return words[i+1]
			}
		}
		return ""
	}
	browser := find("Firefox/", "Firefox", "FxiOS/", "Firefox", "Edg/", "Edge", "OPR/", "Opera", "SamsungBrowser/", "Samsung Internet",
		"Chrome/", "Chrome", "CriOS/", "Chrome", "Safari/", "Safari", "curl/", "curl")
	system := find("iPhone", "iPhone", "iPad", "iPad", "Android", "Android", "Windows", "Windows", "Mac OS X", "macOS", "CrOS", "ChromeOS",
		"Linux", "Linux")
	switch {
	case browser == "":
		return "Another program"
	case system == "":
		return browser
	}
	return browser + " on " + system
}

// youAgain shows the page again, with what is wrong with one of its forms.
func (v *visit) youAgain(err error) error {
	view, failed := v.you()
	if failed != nil {
		return failed
	}
	return v.again(err, "you", "You", func(problems formProblems) any {
		view.Problems = problems
		return view
	})
}

// setPassword answers POST /settings/you/password.
func setPassword(v *visit) error {
	if err := v.proved(youPage); err != nil {
		return err
	}
	password := v.FormValue("password")
	if password != v.FormValue("again") {
		return v.youAgain(ledger.NewInvalid("again", "is not the same as the password"))
	}
	if err := v.site.Ledger.SignIn.ChangePassword(v.Context(), v.session, password); err != nil {
		return v.youAgain(err)
	}
	v.site.Logger.LogAttrs(v.Context(), slog.LevelInfo, "password changed",
		slog.String("user", v.session.User.PublicID.String()), slog.String("address", v.address().String()))
	return v.goTo(youPage)
}

// setPreferences answers POST /settings/you/preferences.
func setPreferences(v *visit) error {
	prefs := signin.Preferences{Theme: v.FormValue("theme"), Gains: v.FormValue("gains"), Density: v.FormValue("density"),
		Keys: v.FormValue("keys") != "", Demo: v.session.Prefs.Demo && v.FormValue("demo") != ""}
	if err := v.site.Ledger.SignIn.SetPreferences(v.Context(), v.session, prefs); err != nil {
		return v.youAgain(err)
	}
	return v.goTo(youPage)
}

// endBrowser answers POST /settings/you/browsers/{id}/end.
func endBrowser(v *visit) error {
	id, err := v.id("Browser")
	if err != nil {
		return err
	}
	if err := v.site.Ledger.SignIn.End(v.Context(), v.who(), id); err != nil {
		return err
	}
	return v.goTo(youPage)
}

// endBrowsers answers POST /settings/you/browsers/end: all of them, this one included.
func endBrowsers(v *visit) error {
	if _, err := v.site.Ledger.SignIn.EndOthers(v.Context(), v.session); err != nil {
		return err
	}
	return logOut(v)
}

// deactivateYou answers POST /settings/you/deactivate, as DELETE /api/v1/users/me does.
func deactivateYou(v *visit) error {
	if err := v.proved(youPage); err != nil {
		return err
	}
	if _, err := v.site.Ledger.Tenants.DeactivateUser(v.Context(), v.who(), v.session.UserID); err != nil {
		return v.youAgain(err)
	}
	v.site.Logger.LogAttrs(v.Context(), slog.LevelInfo, "account deactivated",
		slog.String("user", v.session.User.PublicID.String()), slog.String("address", v.address().String()))
	v.setSession("")
	return v.goTo("/login")
}
