package cmd_test

import (
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

func TestImportOfTrades(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	s.OK("account", "create", "Broker", "--type", "investment", "--currency", "EUR", "--balance", "100.00", "--date", "2026-01-01")
	file := s.Write("trades.csv", "date,ticker,qty,price\n2026-01-05,ACME,2,12.5\n2026-01-06,OTHER,-1,3\n")
	got := s.Do("import", file, "--type", "TradeImport", "--account", "broker", "--yes")
	if got.Status != 0 {
		t.Fatalf("status %d, said %q", got.Status, got.Stderr)
	}
	for _, want := range []string{"2 new securities: \"ACME\", \"OTHER\"", "Careful: row 2 sells more than is held (rows that do: 1)", "Imported 2 rows", "100,00\u00a0€ now, 100,00\u00a0€ afterwards"} {
		if !strings.Contains(got.Stderr, want) {
			t.Errorf("said %q, want %q in it", got.Stderr, want)
		}
	}
	for _, a := range s.List("account", "list") {
		if a["name"] == "Broker" && a["balance_cents"] != 10000.0 {
			t.Errorf("%v", a)
		}
	}
	id := strings.TrimSpace(got.Stdout)
	if shown := s.Do("import", "show", id, "--rows"); shown.Status != 0 || !strings.Contains(shown.Stdout, "Buy 2 shares of ACME") {
		t.Errorf("status %d, printed %q", shown.Status, shown.Stdout)
	}
	s.OK("import", "revert", id, "--yes")
}
