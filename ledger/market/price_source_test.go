package market_test

import (
	"context"
	"strings"
	"testing"

	"finsvc/ledger"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/market"
)

// TestFetchPrices: it is March 1, 2026.
func TestFetchPrices(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	for _, ticker := range []string{"ACME|XNAS", "BOND", "IDLE", "LATE", "NEW", "PAST"} {
		b.Security(ticker)
	}
	manual, err := b.Market.CreateSecurity(b.Ctx(), b.Who, market.SecurityInput{Ticker: ledger.Some("WINE"), Manual: ledger.Some(true)})
	if err != nil || manual.Manual != 1 {
		t.Fatal(err)
	}
	b.Prices("ACME 2026-02-20 10 USD", "BOND 2026-02-27 99 EUR", "LATE 2026-03-01 5 EUR", "PAST 2026-03-09 5 EUR", "WINE 2026-01-01 7 EUR")
	b.Trade(b.Account(b.Who, "Depot", "EUR"), b.Security("BUY"), 1, day(t, "2026-01-10"), "10", "100")
	s := &ledgertest.Stand{Answers: map[string]string{
		"ACME": "date;close\n2026-02-19;9\n2026-02-21;11\n2026-02-23;-\n2026-02-28;12.5\n2026-03-02;13\n",
		"BOND": "!it is closed",
		"BUY":  "currency,date,price\nCHF,2026-01-12,101\n",
	}}
	if got, want := b.Fetch(b.Ctx(), s), "ACME 2 0 0, BOND it is closed, BUY 1 0 0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := strings.Join(s.Asked, ", "), "ACME|XNAS 2026-02-21 2026-03-01 USD, BOND 2026-02-28 2026-03-01 EUR, BUY 2026-01-10 2026-03-01 EUR"; got != want {
		t.Errorf("asked for %s\nwant %s", got, want)
	}
	if got, want := b.Tickers(b.Who, market.SecurityFilter{Manual: ledger.Some(false)}), "ACME|XNAS 2026-02-28 12.5 USD, BOND 2026-02-27 99 EUR, BUY 2026-01-12 101 CHF, IDLE, "+
		"LATE 2026-03-01 5 EUR, NEW, PAST 2026-03-09 5 EUR"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for answer, want := range map[string]string{
		"date,price\n":                             "0 0 0",
		"date,price\n2026-03-01,0\n":               "line 2, column price must be greater than 0, got 0",
		"date,price\n2026-03-01,1\n2026-03-01,2\n": "price 1 must not differ from price 0: ACME|XNAS on 2026-03-01 is 1 USD there, here 2 USD",
		"date,price,close\n2026-02-01,1,2\n":       "0 0 0",
		"date,price,price\n2026-02-01,1,2\n":       `line 1 must be a header with a column date and a column price or close, each once, got "date,price,price"`,
		"!busy":                                    "later: the source has been asked too much",
	} {
		s := &ledgertest.Stand{Answers: map[string]string{"ACME": answer, "BOND": "date,price\n", "BUY": "date,price\n"}}
		want = "ACME " + want
		if answer != "!busy" {
			want += ", BOND 0 0 0, BUY 0 0 0"
		}
		if got := b.Fetch(b.Ctx(), s); got != want {
			t.Errorf("%q: got %s, want %s", answer, got, want)
		}
	}
	ctx, cancel := context.WithCancel(b.Ctx())
	s = &ledgertest.Stand{Answers: s.Answers, Then: cancel}
	if got := b.Fetch(ctx, s); got != "context canceled" || len(s.Asked) != 1 {
		t.Errorf("after it was called off: got %s, asked for %v", got, s.Asked)
	}
	b.Who = b.Household("Neighbour")
	if got := b.Fetch(b.Ctx(), s); got != "" {
		t.Errorf("the neighbour gets %s", got)
	}
}
