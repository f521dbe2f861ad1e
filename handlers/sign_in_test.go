//go:build !noweb

package handlers

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"finsvc/db/dbtest"
	"finsvc/handlers/apitest"
	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
)

const goodPassword = "tin kettle river"

// doorway is a server of pages on books of its own, with a clock that a test moves.
type doorway struct {
	*httptest.Server
	ledger *books.Books
	clock  *clock
	log    *apitest.Log
	ana    tenant.User // of the household Home, with a password
	who    ledger.Actor
}

func newDoorway(t *testing.T, web Web, change ...func(*Options)) *doorway {
	t.Helper()
	d := &doorway{clock: &clock{now: apitest.Noon()}, log: new(apitest.Log)}
	database := dbtest.New(t)
	d.ledger = books.NewTimed(database, d.clock.read, d.clock.passed)
	log := slog.New(slog.NewJSONHandler(d.log, nil))
	web.Instance, web.Timezone = "abcde", "Europe/Zurich"
	options := Options{Ledger: d.ledger, Logger: log, Now: d.clock.read, Health: database.Ping, Web: &web, Assistant: newAssistant(database, d.ledger, d.clock.read),
		Imports: importer.New(importer.Options{DB: database, Ledger: d.ledger, Logger: log, Now: d.clock.read, Max: 3000})}
	for _, c := range change {
		c(&options)
	}
	d.Server = httptest.NewServer(New(options))
	t.Cleanup(d.Close)
	return d
}

// withAna makes the household and its owner.
func (d *doorway) withAna(t *testing.T) *doorway {
	t.Helper()
	home, ana, err := d.ledger.Tenants.CreateHousehold(t.Context(), ledger.Actor{Origin: ledger.OriginCLI}, tenant.HouseholdInput{
		Name: "Home", Currency: "EUR", Locale: "de-DE", Timezone: "Europe/Berlin", OwnerEmail: "ana@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	d.ana, d.who = ana, ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginCLI}
	if err := d.ledger.SignIn.SetPassword(t.Context(), d.who, ana.ID, goodPassword); err != nil {
		t.Fatal(err)
	}
	return d
}

// browser keeps cookies and follows nothing by itself.
type browser struct {
	t *testing.T
	d *doorway
	http.Client
	headers map[string]string
}

func (d *doorway) browser(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t, d, http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		map[string]string{"Origin": d.URL, "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}}
}

// answered is an answer: the status, where it leads to, and the page.
type answered struct {
	status int
	to     string
	page   string
	header http.Header
}

func (b *browser) do(method, path string, form url.Values) answered {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.d.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, value := range b.headers {
		r.Header.Set(name, value)
	}
	answer, err := b.Client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answered{answer.StatusCode, answer.Header.Get("Location"), withoutIcons(string(page)), answer.Header}
}

// withoutIcons leaves out what is the same in every page, so that failures can be read.
func withoutIcons(page string) string {
	before, rest, _ := strings.Cut(page, `<svg class="icons"`)
	_, after, _ := strings.Cut(rest, "</svg>")
	return before + after
}

func (b *browser) get(path string) answered { b.t.Helper(); return b.do(http.MethodGet, path, nil) }

// post sends a form whose fields are given as name, value, name, value.
func (b *browser) post(path string, fields ...string) answered {
	b.t.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return b.do(http.MethodPost, path, form)
}

// leads checks where an answer leads to.
func (b *browser) leads(got answered, to string) {
	b.t.Helper()
	if got.status != http.StatusSeeOther || got.to != to {
		b.t.Errorf("got %d to %q, want 303 to %q: %s", got.status, got.to, to, got.page)
	}
}

// shows checks the status and some words of a page.
func (b *browser) shows(got answered, status int, words ...string) {
	b.t.Helper()
	if got.status != status {
		b.t.Errorf("got %d to %q, want %d: %s", got.status, got.to, status, got.page)
	}
	for _, word := range words {
		if !strings.Contains(got.page, word) {
			b.t.Errorf("the page does not say %q: %s", word, got.page)
		}
	}
}

func (b *browser) signIn() {
	b.t.Helper()
	b.leads(b.post("/login", "name", "ana", "password", goodPassword), "/")
}

func TestLoginPage(t *testing.T) {
	t.Parallel()
	d := newDoorway(t, Web{}).withAna(t)
	b := d.browser(t)
	b.leads(b.get("/"), "/login")
	b.leads(b.get("/transactions?q=tea"), "/login?next=%2Ftransactions%3Fq%3Dtea")
	b.shows(b.get("/login?next=%2Ftransactions%3Fq%3Dtea"), 200, `value="/transactions?q=tea"`, "finsvc user link", `autocomplete="current-password"`)
	wrong := b.post("/login", "name", "ana", "password", "a wrong password", "next", "/transactions")
	b.shows(wrong, 401, "The name or the password is wrong.", `value="ana"`, `value="/transactions"`)
	if strings.Contains(wrong.page, "a wrong password") || wrong.header.Get("Set-Cookie") != "" {
		t.Error("the page has the password, or a cookie")
	}
	for next, want := range map[string]string{"/transactions?q=tea": "/transactions?q=tea", "": "/", "//evil.example": "/", "https://evil.example/": "/",
		`/\evil.example`: "/", "javascript:alert(1)": "/"} {
		b := d.browser(t)
		got := b.post("/login", "name", "Ana@example.org", "password", goodPassword, "next", next)
		b.leads(got, want)
		if cookie := got.header.Get("Set-Cookie"); !regexp.MustCompile(`^finsvc-abcde=[\w-]{43}; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax$`).MatchString(cookie) {
			t.Errorf("the cookie is %s", cookie)
		}
		b.leads(b.get("/login"), "/")
		b.shows(b.get("/transactions"), 200, "ana@example.org")
		b.leads(b.post("/logout"), "/login")
		b.leads(b.get("/transactions"), "/login?next=%2Ftransactions")
	}
	for range 4 { // and one before
		b.shows(b.post("/login", "name", "eve", "password", "x"), 401)
	}
	limited := b.post("/login", "name", "eve", "password", "x")
	b.shows(limited, 429, "try again in 2 seconds")
	if limited.header.Get("Retry-After") != "2" {
		t.Errorf("Retry-After is %q", limited.header.Get("Retry-After"))
	}
	text := d.log.String()
	if !strings.Contains(text, `"msg":"signed in","way":"password"`) || !strings.Contains(text, `"msg":"sign-in refused"`) || !strings.Contains(text, `"msg":"signed out"`) ||
		strings.Contains(text, goodPassword) || strings.Contains(text, `"eve"`) {
		t.Errorf("the log says %s", text)
	}
}

// TestCookiesAndKeysAreApart: a cookie never opens the API, a key no page, and what is posted by a page of another origin
// is refused whatever cookie comes along.
func TestCookiesAndKeysAreApart(t *testing.T) {
	t.Parallel()
	d := newDoorway(t, Web{}).withAna(t)
	key, _, err := d.ledger.Keys.CreateAPIKey(t.Context(), d.who, tenant.KeyInput{Name: "phone", Scope: tenant.ScopeRead})
	if err != nil {
		t.Fatal(err)
	}
	b := d.browser(t)
	b.signIn()
	b.shows(b.get("/transactions"), 200)
	b.shows(b.get("/api/v1/usage"), 401, `"unauthorized"`)
	b.headers["X-Api-Key"] = key
	b.shows(b.get("/api/v1/usage"), 200)
	stranger := d.browser(t)
	stranger.headers["X-Api-Key"] = key
	stranger.leads(stranger.get("/transactions"), "/login?next=%2Ftransactions")
	stranger.headers["Cookie"] = "finsvc-abcde=" + key
	stranger.leads(stranger.get("/transactions"), "/login?next=%2Ftransactions")

	for _, origin := range []string{"http://127.0.0.1:1", "https://evil.example", "null"} {
		b.headers["Origin"] = origin
		b.shows(b.post("/logout"), 403, "FINSVC_PUBLIC_URL")
		b.shows(b.post("/login", "name", "ana", "password", goodPassword), 403)
	}
	b.headers["Origin"] = d.URL
	b.shows(b.get("/transactions"), 200)

	reader := d.browser(t)
	reader.shows(reader.post("/login", "key", "fsk_wrong"), 401, "The API key is missing, unknown, revoked or expired.")
	reader.leads(reader.post("/login", "key", " "+key+" "), "/")
	reader.shows(reader.get("/transactions"), 200, "may only look")
	reader.shows(reader.post("/settings/you/deactivate"), 403)
	reader.leads(reader.post("/settings/you/password", "password", "another kettle", "again", "another kettle"), "/confirm?next=%2Fsettings%2Fyou")
	if _, err := d.ledger.Keys.RevokeAPIKey(t.Context(), d.who, "phone"); err != nil {
		t.Fatal(err)
	}
	reader.leads(reader.get("/transactions"), "/login?next=%2Ftransactions")
}

func TestLinkPage(t *testing.T) {
	t.Parallel()
	d := newDoorway(t, Web{}).withAna(t)
	link, _, err := d.ledger.SignIn.NewLink(t.Context(), d.who, d.ana.ID)
	if err != nil {
		t.Fatal(err)
	}
	b := d.browser(t)
	for range 3 { // as programs look at links
		b.shows(b.get("/link/"+link), 200, "It works once")
	}
	b.leads(b.post("/link/"+link), "/")
	b.shows(b.get("/transactions"), 200)
	b.shows(b.post("/link/"+link), 401, "This link was used")
	if strings.Contains(d.log.String(), link) {
		t.Error("the log has the link")
	}
}

// TestSetUpPages: the code leaves the address at once, what is wrong is said on its screen, and the owner is signed in.
func TestSetUpPages(t *testing.T) {
	t.Parallel()
	d := newDoorway(t, Web{})
	code, _, err := d.ledger.SignIn.NewSetUpCode(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := d.browser(t)
	b.headers["Accept-Language"] = "de-CH,de;q=0.9,en;q=0.8"
	b.leads(b.get("/"), "/login")
	b.leads(b.get("/login"), "/setup")
	b.shows(b.get("/setup"), 200, "Set-up code", "finsvc setup-code")
	b.shows(b.post("/setup", "screen", "code", "code", "0000-0000"), 401, "The set-up code is wrong")
	b.shows(b.post("/setup", "screen", "you", "name", "Eve", "links_only", "true", "household", "Mine", "currency", "EUR", "locale", "en", "timezone", "UTC"), 401)
	b.leads(b.get("/setup?code="+code), "/setup")
	b.shows(b.get("/setup"), 200, "Your household", `value="CHF"`, `value="de-CH"`, `value="Europe/Zurich"`)
	home := []string{"household", "Hearth", "currency", "CHF", "locale", "de-CH", "timezone", "Europe/Zurich"}
	you := b.post("/setup", append(home, "screen", "home")...)
	b.shows(you, 200, "Name or e-mail address", `value="Hearth"`)
	b.shows(b.post("/setup", append(home, "screen", "you", "name", "Ana", "password", goodPassword, "again", "x")...), 422, "again is not the same")
	b.shows(b.post("/setup", append(home, "screen", "you", "name", "Ana")...), 422, "password is missing")
	b.shows(b.post("/setup", append(home, "screen", "you", "name", "Ana", "password", "short", "again", "short")...), 422, "at least 10 characters")
	b.shows(b.post("/setup", "screen", "you", "name", "Ana", "links_only", "true", "household", "Hearth", "currency", "gold", "locale", "de-CH", "timezone", "UTC"), 422,
		"currency must be", "Numbers and days as in")
	b.leads(b.post("/setup", append(home, "screen", "you", "name", "Ana", "password", goodPassword, "again", goodPassword, "then", "import")...), "/imports")
	b.shows(b.get("/transactions"), 200, "ana@localhost", "Hearth")
	other := d.browser(t)
	other.leads(other.get("/setup?code="+code), "/login")
	other.leads(other.post("/setup", append(home, "screen", "you", "name", "Eve", "links_only", "true")...), "/login")
	other.leads(other.post("/login", "name", "ana", "password", goodPassword), "/")
	if text := d.log.String(); strings.Contains(text, code) || !strings.Contains(text, `"msg":"set up"`) {
		t.Errorf("the log says %s", text)
	}
}

// TestTrustedHeader: a name in the header counts from a trusted proxy alone, and only as long as it is sent.
func TestTrustedHeader(t *testing.T) {
	t.Parallel()
	trust := func(o *Options) { o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }
	d := newDoorway(t, Web{AuthHeader: "Remote-User"}, trust).withAna(t)
	if _, err := d.ledger.Tenants.CreateUser(t.Context(), d.who, tenant.UserInput{Email: "ben@example.org"}); err != nil {
		t.Fatal(err)
	}
	b := d.browser(t)
	b.leads(b.get("/transactions"), "/login?next=%2Ftransactions")
	b.headers["Remote-User"] = "ana"
	b.shows(b.get("/transactions"), 200, "ana@example.org")
	b.shows(b.get("/transactions"), 200, "ana@example.org")
	b.headers["Remote-User"] = "Ben@example.org"
	b.shows(b.get("/transactions"), 200, "ben@example.org")
	b.headers["Remote-User"] = "eve"
	b.shows(b.get("/transactions"), 403, "finsvc user create")
	delete(b.headers, "Remote-User")
	b.leads(b.get("/transactions"), "/login?next=%2Ftransactions")
	if n := strings.Count(d.log.String(), `"way":"header"`); n != 2 {
		t.Errorf("%d sign-ins by header", n)
	}
	b.headers["X-Forwarded-Proto"] = "https"
	b.headers["Origin"] = strings.Replace(d.URL, "http:", "https:", 1)
	secure := b.post("/login", "name", "ana", "password", goodPassword)
	if cookie := secure.header.Get("Set-Cookie"); !strings.HasPrefix(cookie, "__Host-finsvc-abcde=") || !strings.Contains(cookie, "; Secure") {
		t.Errorf("under TLS the cookie is %q", cookie)
	}

	open := newDoorway(t, Web{AuthHeader: "Remote-User"}).withAna(t)
	stranger := open.browser(t)
	stranger.headers["Remote-User"] = "ana"
	stranger.leads(stranger.get("/transactions"), "/login?next=%2Ftransactions")
}

// TestYouPage: a person sets what is theirs; for what is severe the password is asked again.
func TestYouPage(t *testing.T) {
	t.Parallel()
	d := newDoorway(t, Web{}).withAna(t)
	b, other := d.browser(t), d.browser(t)
	b.signIn()
	other.signIn()
	page := b.get("/settings/you")
	b.shows(page, 200, "Firefox on Linux (this one)", "Change the password", "Deactivate my account")
	b.leads(b.post("/settings/you/preferences", "theme", "dark", "gains", "ink", "density", "compact"), "/settings/you")
	other.shows(other.get("/settings/you"), 200, `data-theme="dark"`, `data-gains="ink"`, `data-density="compact"`)
	b.shows(b.post("/settings/you/preferences", "theme", "neon"), 422, "theme must be one of")

	d.clock.pass(11 * time.Minute)
	b.leads(b.post("/settings/you/password", "password", "another kettle", "again", "another kettle"), "/confirm?next=%2Fsettings%2Fyou")
	b.shows(b.get("/confirm?next=%2Fsettings%2Fyou"), 200, "Password of ana@example.org")
	b.shows(b.post("/confirm", "password", "wrong one here", "next", "/settings/you"), 401, "is wrong")
	b.leads(b.post("/confirm", "password", goodPassword, "next", "/settings/you"), "/settings/you")
	b.shows(b.post("/settings/you/password", "password", "another kettle", "again", "another pot"), 422, "not the same")
	b.shows(b.post("/settings/you/password", "password", "short", "again", "short"), 422, "at least 10 characters")
	b.leads(b.post("/settings/you/password", "password", "another kettle", "again", "another kettle"), "/settings/you")
	other.leads(other.get("/settings/you"), "/login?next=%2Fsettings%2Fyou")
	other.leads(other.post("/login", "name", "ana", "password", "another kettle"), "/")
	end := regexp.MustCompile(`/settings/you/browsers/[0-9a-f-]{36}/end`).FindString(b.get("/settings/you").page)
	b.leads(b.post(end), "/settings/you")
	other.leads(other.get("/settings/you"), "/login?next=%2Fsettings%2Fyou")
	b.shows(b.post(end), 404)
	other.leads(other.post("/login", "name", "ana", "password", "another kettle"), "/")
	other.leads(other.post("/settings/you/browsers/end"), "/login")
	b.leads(b.get("/settings/you"), "/login?next=%2Fsettings%2Fyou")

	b.leads(b.post("/login", "name", "ana", "password", "another kettle"), "/")
	if _, err := d.ledger.Tenants.CreateUser(t.Context(), d.who, tenant.UserInput{Email: "ben@example.org"}); err != nil {
		t.Fatal(err)
	}
	b.shows(b.post("/settings/you/deactivate"), 422, "admin")
	ben, err := d.ledger.Tenants.FindUsers(t.Context(), "ben@example.org")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.ledger.Tenants.DeactivateUser(t.Context(), d.who, ben[0].ID); err != nil {
		t.Fatal(err)
	}
	b.leads(b.post("/settings/you/deactivate"), "/login")
	b.shows(b.post("/login", "name", "ana", "password", "another kettle"), 401)
}
