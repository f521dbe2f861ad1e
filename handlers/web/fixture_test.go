package web_test

import (
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"finsvc/assistant"
	"finsvc/assistant/engine"
	"finsvc/handlers/middleware"
	"finsvc/handlers/web"
	"finsvc/importer"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/signin"
)

// house is the whole service on a file of its own, with a household and a browser that is signed in to it.
type house struct {
	*ledgertest.Fixture
	url    string
	client *http.Client
	chats  *assistant.Assistant
}

// newHouse has no redirects followed: a test looks at each answer.
func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{Fixture: ledgertest.New(t)}
	quiet := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))
	now := func() time.Time { return h.Tick }
	instance, err := h.SignIn.Instance(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	chats := assistant.New(assistant.Options{DB: h.DB, Ledger: h.Books, Model: engine.New(h.Books), Logger: quiet, Now: now})
	imports := importer.New(importer.Options{DB: h.DB, Ledger: h.Books, Logger: quiet, Now: now})
	around := middleware.New(middleware.Options{Keys: h.Keys, Answers: h.Answers, Logger: quiet, Now: now})
	around.Serve(nil)
	around.ServePages(web.New(web.Options{Ledger: h.Books, Imports: imports, Assistant: chats, Origins: around.Origins,
		Logger: quiet, Now: now, Version: "test", Instance: instance}))
	server := httptest.NewServer(around)
	t.Cleanup(server.Close)
	link, _, err := h.SignIn.NewLink(t.Context(), h.Who, h.Who.UserID)
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := h.SignIn.WithLink(t.Context(), link, signin.Device{Agent: "test", Address: netip.MustParseAddr("127.0.0.1")})
	if err != nil {
		t.Fatal(err)
	}
	h.url, h.chats = server.URL, chats
	h.client = &http.Client{Transport: asBrowser{"finsvc-" + instance + "=" + token},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return h
}

// asBrowser sends what a browser does: its cookie, and where a form was.
type asBrowser struct{ cookie string }

// RoundTrip sends a request.
func (b asBrowser) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Cookie", b.cookie)
	if r.Method == http.MethodPost && r.Header.Get("Origin") == "" {
		r.Header.Set("Origin", "http://"+r.URL.Host)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// answer is what came back.
type answer struct {
	*http.Response
	text string
}

func (h *house) send(t *testing.T, r *http.Request, err error) answer {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	resp, err := h.client.Do(r.WithContext(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp, string(body)}
}

// get asks for a page, which must be there.
func (h *house) get(t *testing.T, path string) answer {
	t.Helper()
	a := h.ask(t, path)
	if a.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s\n%s", path, a.Status, a.words())
	}
	return a
}

// ask asks for a page, whatever it answers.
func (h *house) ask(t *testing.T, path string) answer {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, h.url+path, nil)
	return h.send(t, r, err)
}

// post sends a form.
func (h *house) post(t *testing.T, path string, fields ...string) answer {
	t.Helper()
	form := url.Values{}
	for _, f := range fields {
		name, value, _ := strings.Cut(f, "=")
		form.Add(name, value)
	}
	r, err := http.NewRequest(http.MethodPost, h.url+path, strings.NewReader(form.Encode()))
	if err == nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return h.send(t, r, err)
}

// done posts a form that changes something, and gives the page that it leads to.
func (h *house) done(t *testing.T, path string, fields ...string) answer {
	t.Helper()
	a := h.post(t, path, fields...)
	if a.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s %q: %s\n%s", path, fields, a.Status, a.words())
	}
	return h.get(t, a.Header.Get("Location"))
}

// words is what a page says below its frame, without the options of lists.
func (a answer) words() string {
	_, main, _ := strings.Cut(a.text, "<main")
	main = regexp.MustCompile(`<option[^>]*>[^<]*</option>|<[^>]*>`).ReplaceAllString(main, " ")
	return strings.Join(strings.Fields(html.UnescapeString(main)), " ")
}

// shows reports what a page lacks of texts.
func (a answer) shows(t *testing.T, texts ...string) {
	t.Helper()
	words := a.words()
	for _, text := range texts {
		if !strings.Contains(words, text) {
			t.Errorf("%s does not show %q:\n%s", a.Request.URL.Path, text, words)
		}
	}
}
