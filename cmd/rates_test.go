package cmd_test

import (
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"

	"github.com/google/go-cmp/cmp"

	"finsvc/cmd"
)

func TestRates(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	history := s.Write("eurofxref-hist.csv", "Date,USD,JPY,TRL,\n2026-11-20,1.0825,160.25,N/A,\n2026-11-19,1.0800,159,1500000,\n")
	s.Fails(5, []string{"rates", "import", history}, "there is no database")
	s.OK("household", "create", "Home", "--owner", "ana@example.org")
	if got := s.OK("rates", "list", "--json"); got != "[]\n" {
		t.Errorf("got %q", got)
	}
	got := s.Do("rates", "import", history)
	want := cmdtest.Outcome{Status: 0, Stdout: "", Stderr: "Exchange rates: 4 added, 0 replaced, 0 were there already.\nLeft out, as no account can be in them: TRL.\n"}
	if got != want {
		t.Errorf("got %+v", got)
	}
	var stdout, stderr cmdtest.Buffer
	in := strings.NewReader("date,from,to,rate\n2026-11-19,EUR,JPY,158.5\n2026-11-21,USD,EUR,0.9\n")
	if status := cmd.Main(s.Context(), []string{"--data", s.File, "rates", "import", "-"}, s.Environ(), in, &stdout, &stderr); status != 0 ||
		stderr.String() != "Exchange rates: 1 added, 1 replaced, 0 were there already.\n" {
		t.Errorf("status %d: %s", status, stderr.String())
	}
	table := "FROM  TO   RATES  FIRST       LAST        NEWEST\n" +
		"EUR   JPY      2  2026-11-19  2026-11-20  160.25\n" +
		"EUR   USD      2  2026-11-19  2026-11-20  1.0825\n" +
		"USD   EUR      1  2026-11-21  2026-11-21     0.9\n"
	if diff := cmp.Diff(table, s.OK("rates", "list")); diff != "" {
		t.Error(diff)
	}
	rows := s.List("rates", "list")
	if len(rows) != 3 || rows[0]["from"] != "EUR" || rows[0]["to"] != "JPY" || rows[0]["count"] != 2.0 || rows[0]["first_date"] != "2026-11-19" ||
		rows[0]["last_date"] != "2026-11-20" || rows[0]["newest_rate"] != "160.25" {
		t.Errorf("got %v", rows)
	}
	bad := s.Write("bad.csv", "date,from,to,rate\n2026-11-22,USD,EUR,0.9\n2026-11-23,USD,EUR,zero\n")
	s.Fails(2, []string{"rates", "import", bad}, `line 3, column rate must be a number such as 12.50, got "zero"`)
	if diff := cmp.Diff(table, s.OK("rates", "list")); diff != "" {
		t.Errorf("a part of a bad file was imported: %s", diff)
	}
	s.Fails(5, []string{"rates", "import", bad + "x"}, "bad.csvx")
	s.Fails(2, []string{"rates", "import"}, "accepts 1 arg")
}
