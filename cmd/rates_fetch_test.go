package cmd_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"
)

func TestFetchRates(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org")
	asked := make(chan string, 9)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.RequestURI()
		fmt.Fprint(w, "date,from,to,rate\n2026-01-05,EUR,USD,1.05\n2026-01-06,EUR,USD,1.06\n")
	}))
	t.Cleanup(server.Close)
	s.Fails(2, []string{"rates", "fetch"}, "no source of exchange rates is set: give --rates-url or $FINSVC_RATES_URL")
	s.Fails(2, []string{"rates", "fetch", "--rates-url", "ftp://a.example/x"}, "must be an address of http or https")
	s.Env = append(s.Env, "FINSVC_RATES_URL="+server.URL+"/{from}?to={to}")
	s.Fails(2, []string{"rates", "fetch", "--from", "soon"}, "from must be")
	s.Fails(2, []string{"rates", "fetch", "--from", "2199-01-01"}, "from must not be after today")
	if len(asked) > 0 {
		t.Error("something was asked without need")
	}
	for _, c := range []struct{ args, path, said string }{
		{"", "/1999-01-01", "Exchange rates: 2 added, 0 replaced, 0 were there already.\n"},
		{"", "/2026-01-07", "Exchange rates: 0 added, 0 replaced, 2 were there already.\n"},
		{"2025-12-24", "/2025-12-24", "Exchange rates: 0 added, 0 replaced, 2 were there already.\n"},
	} {
		args := []string{"rates", "fetch"}
		if c.args != "" {
			args = append(args, "--from", c.args)
		}
		if got, want := s.Do(args...), (cmdtest.Outcome{Status: 0, Stdout: "", Stderr: c.said}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if got, want := <-asked, c.path+"?to="+time.Now().UTC().Format(time.DateOnly); got != want {
			t.Errorf("asked for %s, want %s", got, want)
		}
	}
	if rows := s.List("rates", "list"); len(rows) != 1 || rows[0]["count"] != 2.0 || rows[0]["newest_rate"] != "1.06" {
		t.Errorf("rates %v", rows)
	}
	server.Close()
	s.Fails(1, []string{"rates", "fetch"}, "127.0.0.1 cannot be asked")
}
