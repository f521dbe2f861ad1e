package feed_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"finsvc/importer/feed"
	"finsvc/ledger"
	"finsvc/ledger/market"
)

func TestPriceTemplate(t *testing.T) {
	t.Parallel()
	const example = "https://prices.example/{ticker}.csv?from={from}&to={to}"
	for text, want := range map[string]string{
		example:                                "",
		"http://127.0.0.1:8080/{mic}/{ticker}": "",
		"https://user:word@prices.example/?{ticker}": "",
		"":                                  "must be an address of http or https such as " + example,
		"prices.example/{ticker}":           "must be an address of http or https such as " + example,
		"ftp://a.example/{ticker}":          "must be an address of http or https such as " + example,
		"file:///etc/{ticker}":              "must be an address of http or https such as " + example,
		"https:///{ticker}":                 "must be an address of http or https such as " + example,
		"https://{ticker}/":                 "must name the host without braces, such as " + example,
		"https://{ticker}.example":          "must name the host without braces, such as " + example,
		"https://a.example:{from}/{ticker}": "must be an address of http or https such as " + example,
		"https://a.example/x.csv":           "must have {ticker} where the ticker is to stand, such as " + example,
		"https://a.example/{symbol}":        `must have no other names in braces than {ticker}, {mic}, {from} and {to}, has "{symbol}"`,
		"https://a.example/{ticker":         `must have no other names in braces than {ticker}, {mic}, {from} and {to}, has "{ticker"`,
		"https://a.example/{ticker}/%zz":    "must be an address of http or https such as " + example,
	} {
		var template feed.PriceTemplate
		err := template.Set(text)
		if got := fmt.Sprint(err); want != "" && got != want || want == "" && (err != nil || template.String() != text) || template.IsSet() != (want == "") {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func query() market.PriceQuery {
	first, _ := ledger.ParseDate("2026-01-02") // it is one
	return market.PriceQuery{Ticker: "BRK.B/Ä &?", MIC: "XNYS", Currency: "USD", First: first, Last: first.AddDays(3)}
}

// source serves answers and gives what reads them.
func source(t *testing.T, path string, serve http.HandlerFunc) *feed.HTTPPrices {
	t.Helper()
	server := httptest.NewServer(serve)
	t.Cleanup(server.Close)
	var template feed.PriceTemplate
	if err := template.Set(server.URL + path); err != nil {
		t.Fatal(err)
	}
	return feed.NewHTTPPrices(template)
}

func TestHTTPPrices(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 1)
	s := source(t, "/{mic}/{ticker}.csv?s={ticker}&from={from}&to={to}&key=secret", func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Method + " " + r.RequestURI
		fmt.Fprint(w, "Date,Open,High,Low,Close,Volume\r\n2026-01-02,1,1,1,10.50,7\r\n2026-01-05,1,1,1,N/D,\r\n2026-01-06,1,1,1,11,8\r\n")
	})
	got, err := s.Prices(t.Context(), query())
	if fmt.Sprint(got) != "[{2026-01-02 10.5 USD} {2026-01-06 11 USD}]" || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if got, want := <-asked, "GET /XNYS/BRK.B%2F%C3%84%20&%3F.csv?s=BRK.B%2F%C3%84+%26%3F&from=2026-01-02&to=2026-01-05&key=secret"; got != want {
		t.Errorf("asked for %s\nwant %s", got, want)
	}
}

// TestBadHTTPPrices: whatever is answered, the error says what is wrong and shows no address: it may hold a key.
func TestBadHTTPPrices(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		serve http.HandlerFunc
		want  string // after the host
		busy  bool
	}{
		"unknown":   {http.NotFound, " does not know it (404)", false},
		"forbidden": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) }, " answers with status 403", false},
		"busy": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "60")
			w.WriteHeader(429)
		}, ` wants to be asked later (status 429, Retry-After "60"): the source has been asked too much`, true},
		"page": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<!doctype html>\n<p>Log in") },
			` does not answer with prices: line 1 must be a header with a column date and a column price or close, each once, got "<!doctype html>"`, false},
		"nothing": {func(http.ResponseWriter, *http.Request) {}, " does not answer with prices: file must not be empty", false},
		"garbage": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "date,price\n2026-01-02,\xff\n") },
			` does not answer with prices: line 2, column price must be a number such as 12.50, got "\xff"`, false},
		"no currency": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "date,price,currency\n2026-01-02,1,DOGS\n")
		},
			` does not answer with prices: line 2, column currency must be the code of a currency such as EUR, got "DOGS"`, false},
		"too long": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "date,price\n"+strings.Repeat("\n", 16<<20))
		},
			" answers with more than 16 MiB", false},
		"endless redirects": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/again/key", http.StatusFound) },
			" cannot be asked: it redirects more than 3 times", false},
		"another scheme": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		},
			` cannot be asked: it redirects to an address of "file"`, false},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "date,price\n")
		}, " cannot be asked: unexpected EOF", false},
	} {
		got, err := source(t, "/{ticker}?key", c.serve).Prices(t.Context(), query())
		if err == nil || len(got) > 0 || err.Error() != "127.0.0.1"+c.want || errors.Is(err, market.ErrSourceBusy) != c.busy {
			t.Errorf("%s: got %v, %v\nwant %s", name, got, err, c.want)
		}
	}
}

func TestHTTPPricesRedirected(t *testing.T) {
	t.Parallel()
	s := source(t, "/{ticker}", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/there" {
			http.Redirect(w, r, "/there", http.StatusMovedPermanently)
			return
		}
		fmt.Fprint(w, "price\tcurrency\tdate\n3\tCHF\t2026-01-03\n")
	})
	if got, err := s.Prices(t.Context(), query()); fmt.Sprint(got) != "[{2026-01-03 3 CHF}]" || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestHTTPPricesHang: a source that does not answer is given up when the command is.
func TestHTTPPricesHang(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := source(t, "/{ticker}", func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	if got, err := s.Prices(ctx, query()); len(got) > 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", got, err)
	}
}
