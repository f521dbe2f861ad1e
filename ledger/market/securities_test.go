package market_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/market"
)

func TestParseTicker(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"aapl":                      "AAPL/",
		"  Brk.b |xnys":             "BRK.B/XNYS",
		"AAPL|XNAS|YAHOO":           "AAPL/XNAS",
		"AAPL||PROVIDER":            "AAPL/",
		"World  Fund ":              "WORLD FUND/",
		"ß":                         "ß/",
		"":                          "is required and must not be blank, write AAPL or AAPL|XNAS",
		" |XNAS":                    "is required and must not be blank, write AAPL or AAPL|XNAS",
		"A\x00":                     `must be a ticker such as AAPL, got "A\x00"`,
		"A\xff":                     `must be a ticker such as AAPL, got "A\xff"`,
		"A|NASDAQ":                  `must name a market by its four letters or digits such as XNAS, got "NASDAQ"`,
		"A|XN-S":                    `must name a market by its four letters or digits such as XNAS, got "XN-S"`,
		strings.Repeat("A", 101):    "must have at most 100 characters, has 101",
		strings.Repeat("Ä", 100):    strings.Repeat("Ä", 100) + "/",
		"CASH-" + uuid.Nil.String(): "CASH-00000000-0000-0000-0000-000000000000/",
	} {
		symbol, mic, err := market.ParseTicker(text)
		got := symbol + "/" + mic
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestSecurities(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	who := b.Household("Neighbour")
	b.SecurityOf(who, "ZZZ")
	for _, ticker := range []string{"ACME|XNAS", "BOND", "ACME|XETR", "ACME"} {
		b.Security(ticker)
	}
	manual, err := b.Market.CreateSecurity(b.Ctx(), b.Who, market.SecurityInput{Ticker: ledger.Some("wine"), Name: ledger.Some(" Old Wine "), Manual: ledger.Some(true)})
	if err != nil || *manual.Name != "Old Wine" || manual.Kind != "standard" {
		t.Fatal(manual, err)
	}
	b.Prices("BOND 2026-01-02 99.5 EUR", "BOND 2026-01-01 99 EUR", "ACME 2026-02-01 0.000000000001 USD")
	for _, c := range []struct {
		filter market.SecurityFilter
		want   string
	}{
		{market.SecurityFilter{}, "ACME 2026-02-01 0.000000000001 USD, ACME|XETR, ACME|XNAS, BOND 2026-01-02 99.5 EUR, WINE"},
		{market.SecurityFilter{Ticker: "ACME"}, "ACME 2026-02-01 0.000000000001 USD, ACME|XETR, ACME|XNAS"},
		{market.SecurityFilter{Ticker: "ACME", MIC: "XNAS"}, "ACME|XNAS"},
		{market.SecurityFilter{MIC: "XETR"}, "ACME|XETR"},
		{market.SecurityFilter{Manual: ledger.Some(true)}, "WINE"},
		{market.SecurityFilter{Manual: ledger.Some(false), Ticker: "WINE"}, ""},
		{market.SecurityFilter{Kind: "cash"}, ""},
	} {
		if got := b.Tickers(b.Who, c.filter); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.filter, got, c.want)
		}
	}
	list, total, err := b.Market.ListSecurities(b.Ctx(), b.Who, market.SecurityFilter{}, ledger.Page{Number: 2, Size: 2})
	if err != nil || total != 5 || len(list) != 2 || list[0].Mic != "XNAS" || list[1].Ticker != "BOND" {
		t.Errorf("page 2: got %d %v %v", total, list, err)
	}
	if got := b.Tickers(who, market.SecurityFilter{}); got != "ZZZ" {
		t.Errorf("the neighbour has %s", got)
	}
}

func TestFindSecurity(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	for _, ticker := range []string{"ONE|XNAS", "TWO|XNAS", "TWO|XETR", "TRI|XNAS", "TRI"} {
		b.Security(ticker)
	}
	theirs := b.SecurityOf(b.Household("Neighbour"), "ELSE")
	for _, c := range []struct {
		ref  market.SecurityName
		want string
	}{
		{ledgertest.TickerRef("one"), "ONE|XNAS"},
		{ledgertest.TickerRef("ONE|XNAS"), "ONE|XNAS"},
		{ledgertest.TickerRef("ONE|XETR"), "ticker is not that of one of the household's own securities: ONE|XETR"},
		{ledgertest.TickerRef("TWO|xetr|any"), "TWO|XETR"},
		{ledgertest.TickerRef("TWO"), "ticker must name the market as well, one of TWO|XETR, TWO|XNAS"},
		{ledgertest.TickerRef("TRI"), "TRI"},
		{ledgertest.TickerRef("TRI|XNAS"), "TRI|XNAS"},
		{ledgertest.TickerRef("ELSE"), "ticker is not that of one of the household's own securities: ELSE"},
		{market.SecurityName{ID: ledger.Some(theirs), Ticker: ledger.Some("ONE")}, "security_id is not the id of one of the household's own securities: " + theirs.String()},
		{market.SecurityName{}, "security_id is required, or in its place a ticker such as AAPL or AAPL|XNAS"},
	} {
		s, err := b.Market.FindSecurity(b.Ctx(), b.Who, c.ref)
		got := market.TickerOf(&s)
		if err != nil {
			got = ledgertest.Wrong(err)
		}
		if got != c.want {
			t.Errorf("%+v: got %s, want %s", c.ref, got, c.want)
		}
	}
}

func TestChangeSecurity(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	id, other := b.Security("ACME|XNAS"), b.Security("ACME")
	b.Prices("ACME|XNAS 2026-01-02 99.5 EUR")
	change := func(in market.SecurityInput) string {
		t.Helper()
		s, err := b.Market.UpdateSecurity(b.Ctx(), b.Who, id, in)
		if err != nil {
			return ledgertest.Wrong(err)
		}
		name := "nameless"
		if s.Name != nil {
			name = *s.Name
		}
		return fmt.Sprintf("%s %s %d %d", market.TickerOf(&s.Security), name, s.Manual, s.UpdatedAt-s.CreatedAt)
	}
	for _, c := range []struct {
		in      market.SecurityInput
		want    string
		changes int
	}{
		{market.SecurityInput{}, "ACME|XNAS nameless 0 0", 1},
		{market.SecurityInput{Name: ledger.Some("Acme"), Manual: ledger.Some(true)}, "ACME|XNAS Acme 1 ", 2},
		{market.SecurityInput{MIC: ledger.Some("")}, "ticker must not be that of another security on the same market, ACME is", 2},
		{market.SecurityInput{Ticker: ledger.Some("brk"), MIC: ledger.Opt[string]{Set: true, Null: true}}, "BRK Acme 1 ", 3},
		{market.SecurityInput{Name: ledger.Opt[string]{Set: true, Null: true}, Manual: ledger.Some(false)}, "BRK nameless 0 ", 4},
		{market.SecurityInput{Ticker: ledger.Some(" "), MIC: ledger.Some("X"), Name: ledger.Some("a\nb")}, "ticker is required and must not be blank, write AAPL or AAPL|XNAS; " +
			`exchange_operating_mic must name a market by its four letters or digits such as XNAS, got "X"; name must not contain control characters, has U+000A`, 4},
	} {
		if got := change(c.in); !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: got %s, want %s", c.in, got, c.want)
		}
		// One change more is that of its price.
		if n := b.Changes(id); n != c.changes+1 {
			t.Errorf("%+v: %d changes are recorded, want %d", c.in, n, c.changes+1)
		}
	}
	if got := b.Tickers(b.Who, market.SecurityFilter{}); got != "ACME, BRK 2026-01-02 99.5 EUR" {
		t.Errorf("got %s", got)
	}
	neighbour := b.Household("Neighbour")
	if err := b.Market.DeleteSecurity(b.Ctx(), neighbour, other); ledgertest.Wrong(err) != "Security not found" {
		t.Errorf("the neighbour deletes it: %v", err)
	}
	if _, err := b.Market.UpdateSecurity(b.Ctx(), neighbour, other, market.SecurityInput{}); ledgertest.Wrong(err) != "Security not found" {
		t.Errorf("the neighbour changes it: %v", err)
	}
	for _, id := range []uuid.UUID{id, other} {
		if err := b.Market.DeleteSecurity(b.Ctx(), b.Who, id); err != nil {
			t.Error(err)
		}
	}
	if got := b.Tickers(b.Who, market.SecurityFilter{}) + b.PriceText(market.PriceFilter{}); got != "" {
		t.Errorf("there is still %s", got)
	}
}
