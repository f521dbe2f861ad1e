package cmd_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"finsvc/cmd/cmdtest"

	"github.com/google/go-cmp/cmp"

	"finsvc/cmd"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/market"
)

// newPortfolio is a file with the securities ACME|XNAS, BOND and WINE, which is manual, and a household without any.
func newPortfolio(t *testing.T) *cmdtest.CommandLine {
	t.Helper()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org")
	s.OK("household", "create", "Neighbour", "--owner", "ben@example.org")
	s.Ledger(func(l *books.Books, home ledger.Actor) {
		for _, in := range []market.SecurityInput{
			{Ticker: ledger.Some("ACME"), MIC: ledger.Some("XNAS"), Name: ledger.Some("Acme")}, {Ticker: ledger.Some("BOND")}, {Ticker: ledger.Some("WINE"), Manual: ledger.Some(true)},
		} {
			if _, err := l.Market.CreateSecurity(t.Context(), home, in); err != nil {
				t.Fatal(err)
			}
		}
	})
	return s
}

func TestPrices(t *testing.T) {
	t.Parallel()
	s := newPortfolio(t)
	file := s.Write("prices.csv", "ticker,date,price,currency\nACME,2026-01-02,10.50,USD\nACME,2026-01-03,11,USD\nBOND,2026-01-02,99.123456789012,EUR\n")
	if got, want := s.Do("prices", "import", file, "--household", "home"), (cmdtest.Outcome{Status: 0, Stdout: "", Stderr: "Prices: 3 added, 0 replaced, 0 were there already.\n"}); got != want {
		t.Errorf("got %+v", got)
	}
	var stdout, stderr cmdtest.Buffer
	in := strings.NewReader("date;ticker;price;currency\n2026-01-03;acme|xnas;12;USD\n2026-01-03;NONE;12;USD\n")
	status := cmd.Main(s.Context(), []string{"--data", s.File, "prices", "import", "-", "--household", "Home"}, s.Environ(), in, &stdout, &stderr)
	if want := "Prices: 0 added, 1 replaced, 0 were there already.\nLeft out, prices of NONE: 1; ticker is not that of one of the household's own securities: NONE\n" +
		"finsvc: some rows were rejected\n"; status != 3 || stdout.String() != "" || stderr.String() != want {
		t.Errorf("status %d: %s", status, stderr.String())
	}
	table := "TICKER     PRICES  FIRST       LAST                 NEWEST  CURRENCY\n" +
		"ACME|XNAS       2  2026-01-02  2026-01-03              12  USD\n" +
		"BOND            1  2026-01-02  2026-01-02  99.123456789012  EUR\n"
	if diff := cmp.Diff(strings.Fields(table), strings.Fields(s.OK("prices", "list", "--household", "Home"))); diff != "" {
		t.Error(diff)
	}
	rows := s.List("prices", "list", "--household", "Home")
	want := map[string]any{"ticker": "ACME", "exchange_operating_mic": "XNAS", "name": "Acme", "count": 2.0, "first_date": "2026-01-02", "last_date": "2026-01-03",
		"newest_price": "12", "currency": "USD"}
	if diff := cmp.Diff(want, rows[0]); diff != "" {
		t.Error(diff)
	}
	if got := s.OK("prices", "list", "--household", "Neighbour", "--json"); got != "[]\n" {
		t.Errorf("the neighbour has %s", got)
	}
	bad := s.Write("bad.csv", "date,ticker,price,currency\n2026-01-04,ACME,10,USD\n2026-01-04,ACME,\"1,000.00\",USD\n")
	s.Fails(2, []string{"prices", "import", bad, "--household", "Home"}, `line 3, column price must be a number such as 12.50, got "1,000.00"`)
	s.Fails(5, []string{"prices", "import", bad + "x", "--household", "Home"}, "bad.csvx")
	s.Fails(2, []string{"prices", "import"}, "accepts 1 arg")
	s.Fails(2, []string{"prices", "import", file}, "there are several households")
	if diff := cmp.Diff(strings.Fields(table), strings.Fields(s.OK("prices", "list", "--household", "Home"))); diff != "" {
		t.Errorf("a part of a bad file was imported: %s", diff)
	}
}

func TestFetchPrices(t *testing.T) {
	t.Parallel()
	s := newPortfolio(t)
	s.OK("prices", "import", s.Write("prices.csv", "ticker,date,price,currency\nACME,2026-01-02,10.50,USD\nBOND,2026-01-02,99,EUR\nWINE,2026-01-02,7,EUR\n"), "--household", "Home")
	asked := make(chan string, 10)
	var status atomic.Int32
	status.Store(http.StatusNotFound)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path
		if r.URL.Path != "/ACME/XNAS/2026-01-03" {
			w.WriteHeader(int(status.Load()))
			return
		}
		fmt.Fprint(w, "Date,Close\n2026-01-03,11\n2026-01-05,12\n")
	}))
	t.Cleanup(server.Close)
	s.Fails(2, []string{"prices", "fetch", "--household", "Home"}, "no source of prices is set: give --prices-url or $FINSVC_PRICES_URL")
	s.Fails(2, []string{"prices", "fetch", "--prices-url", "ftp://a.example/{ticker}"}, "must be an address of http or https")
	if len(asked) > 0 {
		t.Error("something was asked without a source")
	}
	s.Env = append(s.Env, "FINSVC_PRICES_URL="+server.URL+"/{ticker}/{mic}/{from}")
	s.Fails(1, []string{"prices", "fetch", "--household", "Home"}, "BOND: 127.0.0.1 does not know it (404)\nPrices: 2 added, 0 replaced, 0 were there already.\n"+
		"finsvc: some prices could not be looked up; securities concerned: 1\n")
	if first, second := <-asked, <-asked; first != "/ACME/XNAS/2026-01-03" || second != "/BOND//2026-01-03" || len(asked) > 0 {
		t.Errorf("asked for %s, %s and %d more", first, second, len(asked))
	}
	status.Store(http.StatusTooManyRequests)
	s.Fails(1, []string{"prices", "fetch", "--household", "Home"}, "ACME|XNAS: 127.0.0.1 wants to be asked later (status 429",
		"finsvc: stopped before the end, as the source wants; run it again later\n")
	if first := <-asked; first != "/ACME/XNAS/2026-01-06" || len(asked) > 0 {
		t.Errorf("asked for %s and %d more", first, len(asked))
	}
	s.Env = append(s.Env, "FINSVC_PRICES_URL=here")
	s.Fails(2, []string{"prices", "list"}, "the environment variable FINSVC_PRICES_URL must be an address of http or https")
}

func TestSecurities(t *testing.T) {
	t.Parallel()
	s := newPortfolio(t)
	home := func(args ...string) []string { return append(args, "--household", "Home") }
	s.OK(home("prices", "import", s.Write("prices.csv", "ticker,date,price,currency\nACME,2026-01-02,10.50,USD\n"))...)
	rows := s.List(home("security", "list")...)
	for _, row := range rows {
		if id, _ := row["id"].(string); len(id) != 36 {
			t.Errorf("got the id %v", row["id"])
		}
		delete(row, "id")
	}
	want := []map[string]any{
		{"ticker": "ACME", "exchange_operating_mic": "XNAS", "name": "Acme", "kind": "standard", "offline": false, "price": "10.5", "currency": "USD", "price_date": "2026-01-02"},
		{"ticker": "BOND", "exchange_operating_mic": nil, "name": nil, "kind": "standard", "offline": false, "price": nil, "currency": nil, "price_date": nil},
		{"ticker": "WINE", "exchange_operating_mic": nil, "name": nil, "kind": "standard", "offline": true, "price": nil, "currency": nil, "price_date": nil},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
	lines := strings.Split(s.OK(home("security", "list")...), "\n")
	for i, want := range []string{"TICKER NAME PRICE CURRENCY DATE LOOKED UP ID", "ACME|XNAS Acme 10.5 USD 2026-01-02 yes ", "BOND - - - - yes ", "WINE - - - - never "} {
		if got := strings.Join(strings.Fields(lines[i]), " "); !strings.HasPrefix(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got, want := s.Do(home("security", "split", "add", "acme", "2:1", "--date", "2026-06-09")...), (cmdtest.Outcome{Status: 0, Stdout: "", Stderr: "ACME was split 2:1 on 2026-06-09.\n"}); got != want {
		t.Errorf("got %+v", got)
	}
	s.OK(home("security", "split", "add", "BOND", "1:10", "--date", "2026-01-09")...)
	s.Fails(2, home("security", "split", "add", "ACME", "3:1", "--date", "2026-06-09"), "date must be a day without another split of the security, 2026-06-09 has one")
	s.Fails(2, home("security", "split", "add", "NONE", "2:1", "--date", "2026-06-09"), "ticker is not that of one of the household's own securities: NONE")
	s.Fails(2, home("security", "split", "add", "ACME", "two", "--date", "2026-06-10"), "ratio must be two different whole numbers")
	s.Fails(2, home("security", "split", "add", "ACME", "2:1", "--date", "yesterday"), "date must be a calendar date")
	s.Fails(2, home("security", "split", "add", "ACME", "2:1"), `required flag(s) "date" not set`)
	lines = strings.Split(s.OK(home("security", "split", "list")...), "\n")
	for i, want := range []string{"DATE TICKER RATIO ID", "2026-06-09 ACME 2:1 ", "2026-01-09 BOND 1:10 "} {
		if got := strings.Join(strings.Fields(lines[i]), " "); !strings.HasPrefix(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	s.Fails(5, home("security", "split", "delete", "ACME", "--date", "2026-06-10"), "Split of ACME|XNAS on 2026-06-10 not found")
	s.Fails(2, home("security", "split", "delete", "ACME", "--date", "x"), "date must be a calendar date")
	s.OK(home("security", "split", "delete", "ACME|XNAS", "--date", "2026-06-09")...)
	if rows := s.List(home("security", "split", "list")...); len(rows) != 1 || rows[0]["ticker"] != "BOND" || rows[0]["numerator"] != 1.0 || rows[0]["denominator"] != 10.0 || rows[0]["date"] != "2026-01-09" {
		t.Errorf("got %v", rows)
	}
	for _, list := range [][]string{{"security", "list"}, {"security", "split", "list"}} {
		if got := s.OK(append(list, "--household", "Neighbour", "--json")...); got != "[]\n" {
			t.Errorf("the neighbour has %s", got)
		}
	}
}
