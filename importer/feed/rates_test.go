package feed_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"finsvc/importer/feed"
	"finsvc/ledger"
	"finsvc/ledger/fx"
)

func TestRateTemplate(t *testing.T) {
	t.Parallel()
	const address = "must be an address of http or https such as https://rates.example/eurofxref-hist.zip or https://rates.example/rates.csv?from={from}&to={to}"
	for text, want := range map[string]string{
		"https://rates.example/eurofxref-hist.zip":        "",
		"http://127.0.0.1:8080":                           "",
		"https://rates.example/x.csv?from={from}&to={to}": "",
		"":                           address,
		"rates.example/x.csv":        address,
		"ftp://rates.example/x.csv":  address,
		"file:///etc/passwd":         address,
		"https://rates.example:{to}": address,
		"https://{from}.example/":    "must name the host without braces, such as " + strings.TrimPrefix(address, "must be an address of http or https such as "),
		"https://rates.example/{a}":  `must have no other names in braces than {from} and {to}, has "{a}"`,
		"https://rates.example/{to":  `must have no other names in braces than {from} and {to}, has "{to"`,
	} {
		var template feed.RateTemplate
		err := template.Set(text)
		if got := fmt.Sprint(err); want != "" && got != want || want == "" && (err != nil || template.String() != text) || template.IsSet() != (want == "") {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// fetchRates asks a server that answers so.
func fetchRates(t *testing.T, path string, serve http.HandlerFunc) (fx.RateFile, error) {
	t.Helper()
	server := httptest.NewServer(serve)
	defer server.Close()
	var template feed.RateTemplate
	if err := template.Set(server.URL + path); err != nil {
		t.Fatal(err)
	}
	return feed.FetchRates(t.Context(), template, ledger.NewDate(2026, 1, 2), ledger.NewDate(2026, 1, 9))
}

func TestFetchRates(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 2)
	file, err := fetchRates(t, "/{from}/x?to={to}&key=secret", func(w http.ResponseWriter, r *http.Request) {
		asked <- r.RequestURI
		if r.URL.Path == "/2026-01-02/x" {
			http.Redirect(w, r, "/moved", http.StatusFound)
			return
		}
		fmt.Fprint(w, "Date,USD,XXX\n2026-01-02,1.0500,2\n2026-01-05,N/A,2\n")
	})
	if err != nil || fmt.Sprint(file.Rates) != "[{EUR USD 2026-01-02 1.05}]" || file.Source != fx.SourceECB {
		t.Errorf("got %+v, %v", file, err)
	}
	if first, second := <-asked, <-asked; first != "/2026-01-02/x?to=2026-01-09&key=secret" || second != "/moved" {
		t.Errorf("asked for %s and %s", first, second)
	}
}

func TestBadFetchRates(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { t.Error("another host was asked") }))
	t.Cleanup(other.Close)
	for want, serve := range map[string]http.HandlerFunc{
		"127.0.0.1 does not know it (404)":        http.NotFound,
		"127.0.0.1 answers with status 500":       func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"127.0.0.1 wants to be asked later":       func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(429) },
		"127.0.0.1 answers with more than 16 MiB": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("\n", 16<<20+1)) },
		"127.0.0.1 cannot be asked: it redirects to another host, \"" + strings.TrimPrefix(other.URL, "http://") + "\"": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) },
		"127.0.0.1 cannot be asked: it redirects more than 3 times":                                                     func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/again?key", http.StatusFound) },
		"127.0.0.1 does not answer with exchange rates: line 1 must be":                                                 func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "Log in") },
		"127.0.0.1 does not answer with exchange rates: file must":                                                      func(http.ResponseWriter, *http.Request) {},
	} {
		file, err := fetchRates(t, "/x?key", serve)
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "key") || len(file.Rates) > 0 {
			t.Errorf("got %v, %v\nwant %s", file, err, want)
		}
	}
}

// Whatever is taken is an address of http or https that names a host.
func FuzzRateTemplate(f *testing.F) {
	for _, text := range []string{"https://rates.example/x.csv?from={from}&to={to}", "http://a", "https://{from}/", "https://a@b/{to}#", "https://a/%zz"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var template feed.RateTemplate
		if template.Set(text) != nil {
			return
		}
		given, err := url.Parse(strings.NewReplacer("{from}", "0", "{to}", "0").Replace(text))
		if err != nil || given.Host == "" || given.Scheme != "http" && given.Scheme != "https" {
			t.Errorf("%q was taken: %v", text, err)
		}
	})
}
