package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"finsvc/ledger"
)

// stand is a source of prices whose answers are CSV by ticker; an answer that begins with ! is an error.
type stand struct {
	answers map[string]string
	asked   []string
	then    func()
}

func (s *stand) Prices(_ context.Context, of ledger.PriceQuery) ([]ledger.MarketPrice, error) {
	s.asked = append(s.asked, fmt.Sprint(ledger.TickerText(of.Ticker, of.MIC), " ", of.First, " ", of.Last, " ", of.Currency))
	if s.then != nil {
		s.then()
	}
	switch text := s.answers[of.Ticker]; {
	case text == "!busy":
		return nil, fmt.Errorf("later: %w", ledger.ErrSourceBusy)
	case strings.HasPrefix(text, "!"):
		return nil, errors.New(text[1:])
	default:
		return ledger.ParseMarketPrices([]byte(text), of.Currency)
	}
}

func (b *books) fetch(ctx context.Context, s *stand) string {
	b.tb.Helper()
	var out []string
	err := b.FetchPrices(ctx, b.who, s, func(f ledger.Fetched) {
		text := fmt.Sprint(f.Ticker, " ", f.Added, " ", f.Replaced, " ", f.Unchanged)
		if f.Err != nil {
			text = f.Ticker + " " + wrong(f.Err)
		}
		out = append(out, text)
	})
	if err != nil {
		out = append(out, err.Error())
	}
	return strings.Join(out, ", ")
}

// TestFetchPrices: it is March 1, 2026.
func TestFetchPrices(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	for _, ticker := range []string{"ACME|XNAS", "BOND", "IDLE", "LATE", "NEW", "PAST"} {
		b.security(ticker)
	}
	manual, err := b.CreateSecurity(b.ctx(), b.who, ledger.SecurityInput{Ticker: ledger.Some("WINE"), Manual: ledger.Some(true)})
	if err != nil || manual.Manual != 1 {
		t.Fatal(err)
	}
	b.prices("ACME 2026-02-20 10 USD", "BOND 2026-02-27 99 EUR", "LATE 2026-03-01 5 EUR", "PAST 2026-03-09 5 EUR", "WINE 2026-01-01 7 EUR")
	b.trade(b.account(b.who, "Depot", "EUR"), b.security("BUY"), 1, day(t, "2026-01-10"), "10", "100")
	s := &stand{answers: map[string]string{
		"ACME": "date;close\n2026-02-19;9\n2026-02-21;11\n2026-02-23;-\n2026-02-28;12.5\n2026-03-02;13\n",
		"BOND": "!it is closed",
		"BUY":  "currency,date,price\nCHF,2026-01-12,101\n",
	}}
	if got, want := b.fetch(b.ctx(), s), "ACME 2 0 0, BOND it is closed, BUY 1 0 0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := strings.Join(s.asked, ", "), "ACME|XNAS 2026-02-21 2026-03-01 USD, BOND 2026-02-28 2026-03-01 EUR, BUY 2026-01-10 2026-03-01 EUR"; got != want {
		t.Errorf("asked for %s\nwant %s", got, want)
	}
	if got, want := b.tickers(b.who, ledger.SecurityFilter{Manual: ledger.Some(false)}), "ACME|XNAS 2026-02-28 12.5 USD, BOND 2026-02-27 99 EUR, BUY 2026-01-12 101 CHF, IDLE, "+
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
		s := &stand{answers: map[string]string{"ACME": answer, "BOND": "date,price\n", "BUY": "date,price\n"}}
		want = "ACME " + want
		if answer != "!busy" {
			want += ", BOND 0 0 0, BUY 0 0 0"
		}
		if got := b.fetch(b.ctx(), s); got != want {
			t.Errorf("%q: got %s, want %s", answer, got, want)
		}
	}
	ctx, cancel := context.WithCancel(b.ctx())
	s = &stand{answers: s.answers, then: cancel}
	if got := b.fetch(ctx, s); got != "context canceled" || len(s.asked) != 1 {
		t.Errorf("after it was called off: got %s, asked for %v", got, s.asked)
	}
	b.who = b.household("Neighbour")
	if got := b.fetch(b.ctx(), s); got != "" {
		t.Errorf("the neighbour gets %s", got)
	}
}
