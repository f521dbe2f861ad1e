package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
)

// security makes a security of SYMBOL or SYMBOL|MIC.
func (b *books) security(ticker string) uuid.UUID { return b.securityOf(b.who, ticker) }

func (b *books) securityOf(who ledger.Actor, ticker string) uuid.UUID {
	b.tb.Helper()
	symbol, mic, _ := strings.Cut(ticker, "|")
	s, err := b.CreateSecurity(b.ctx(), who, ledger.SecurityInput{Ticker: ledger.Some(symbol), MIC: ledger.Some(mic)})
	if err != nil {
		b.tb.Fatal(err)
	}
	return uuid.UUID(s.PublicID)
}

func tickerRef(ticker string) ledger.SecurityRef {
	return ledger.SecurityRef{Ticker: ledger.Some(ticker)}
}

// wrong is what an error says to people.
func wrong(err error) string {
	if e := ledger.AsError(err); e != nil {
		return e.Message
	}
	return fmt.Sprint(err)
}

// tickers lists securities by ticker and newest price.
func (b *books) tickers(who ledger.Actor, f ledger.SecurityFilter) string {
	b.tb.Helper()
	list, total, err := b.ListSecurities(b.ctx(), who, f, ledger.Page{Number: 1, Size: 25})
	if err != nil || int(total) != len(list) {
		b.tb.Fatal(total, err)
	}
	var out []string
	for _, s := range list {
		text := ledger.TickerOf(&s.Security)
		if s.Newest != nil {
			text += fmt.Sprintf(" %s %s %s", s.Newest.Date, s.Newest.Price, s.Newest.Currency)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

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
		symbol, mic, err := ledger.ParseTicker(text)
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
	b := newBooks(t)
	who := b.household("Neighbour")
	b.securityOf(who, "ZZZ")
	for _, ticker := range []string{"ACME|XNAS", "BOND", "ACME|XETR", "ACME"} {
		b.security(ticker)
	}
	manual, err := b.CreateSecurity(b.ctx(), b.who, ledger.SecurityInput{Ticker: ledger.Some("wine"), Name: ledger.Some(" Old Wine "), Manual: ledger.Some(true)})
	if err != nil || *manual.Name != "Old Wine" || manual.Kind != "standard" {
		t.Fatal(manual, err)
	}
	b.prices("BOND 2026-01-02 99.5 EUR", "BOND 2026-01-01 99 EUR", "ACME 2026-02-01 0.000000000001 USD")
	for _, c := range []struct {
		filter ledger.SecurityFilter
		want   string
	}{
		{ledger.SecurityFilter{}, "ACME 2026-02-01 0.000000000001 USD, ACME|XETR, ACME|XNAS, BOND 2026-01-02 99.5 EUR, WINE"},
		{ledger.SecurityFilter{Ticker: "ACME"}, "ACME 2026-02-01 0.000000000001 USD, ACME|XETR, ACME|XNAS"},
		{ledger.SecurityFilter{Ticker: "ACME", MIC: "XNAS"}, "ACME|XNAS"},
		{ledger.SecurityFilter{MIC: "XETR"}, "ACME|XETR"},
		{ledger.SecurityFilter{Manual: ledger.Some(true)}, "WINE"},
		{ledger.SecurityFilter{Manual: ledger.Some(false), Ticker: "WINE"}, ""},
		{ledger.SecurityFilter{Kind: "cash"}, ""},
	} {
		if got := b.tickers(b.who, c.filter); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.filter, got, c.want)
		}
	}
	list, total, err := b.ListSecurities(b.ctx(), b.who, ledger.SecurityFilter{}, ledger.Page{Number: 2, Size: 2})
	if err != nil || total != 5 || len(list) != 2 || list[0].Mic != "XNAS" || list[1].Ticker != "BOND" {
		t.Errorf("page 2: got %d %v %v", total, list, err)
	}
	if got := b.tickers(who, ledger.SecurityFilter{}); got != "ZZZ" {
		t.Errorf("the neighbour has %s", got)
	}
}

func TestFindSecurity(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	for _, ticker := range []string{"ONE|XNAS", "TWO|XNAS", "TWO|XETR", "TRI|XNAS", "TRI"} {
		b.security(ticker)
	}
	theirs := b.securityOf(b.household("Neighbour"), "ELSE")
	for _, c := range []struct {
		ref  ledger.SecurityRef
		want string
	}{
		{tickerRef("one"), "ONE|XNAS"},
		{tickerRef("ONE|XNAS"), "ONE|XNAS"},
		{tickerRef("ONE|XETR"), "ticker is not that of one of the household's own securities: ONE|XETR"},
		{tickerRef("TWO|xetr|any"), "TWO|XETR"},
		{tickerRef("TWO"), "ticker must name the market as well, one of TWO|XETR, TWO|XNAS"},
		{tickerRef("TRI"), "TRI"},
		{tickerRef("TRI|XNAS"), "TRI|XNAS"},
		{tickerRef("ELSE"), "ticker is not that of one of the household's own securities: ELSE"},
		{ledger.SecurityRef{ID: ledger.Some(theirs), Ticker: ledger.Some("ONE")}, "security_id is not the id of one of the household's own securities: " + theirs.String()},
		{ledger.SecurityRef{}, "security_id is required, or in its place a ticker such as AAPL or AAPL|XNAS"},
	} {
		s, err := b.FindSecurity(b.ctx(), b.who, c.ref)
		got := ledger.TickerOf(&s)
		if err != nil {
			got = wrong(err)
		}
		if got != c.want {
			t.Errorf("%+v: got %s, want %s", c.ref, got, c.want)
		}
	}
}

func TestChangeSecurity(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	id, other := b.security("ACME|XNAS"), b.security("ACME")
	b.prices("ACME|XNAS 2026-01-02 99.5 EUR")
	change := func(in ledger.SecurityInput) string {
		t.Helper()
		s, err := b.UpdateSecurity(b.ctx(), b.who, id, in)
		if err != nil {
			return wrong(err)
		}
		name := "nameless"
		if s.Name != nil {
			name = *s.Name
		}
		return fmt.Sprintf("%s %s %d %d", ledger.TickerOf(&s.Security), name, s.Manual, s.UpdatedAt-s.CreatedAt)
	}
	for _, c := range []struct {
		in      ledger.SecurityInput
		want    string
		changes int
	}{
		{ledger.SecurityInput{}, "ACME|XNAS nameless 0 0", 1},
		{ledger.SecurityInput{Name: ledger.Some("Acme"), Manual: ledger.Some(true)}, "ACME|XNAS Acme 1 ", 2},
		{ledger.SecurityInput{MIC: ledger.Some("")}, "ticker must not be that of another security on the same market, ACME is", 2},
		{ledger.SecurityInput{Ticker: ledger.Some("brk"), MIC: ledger.Opt[string]{Set: true, Null: true}}, "BRK Acme 1 ", 3},
		{ledger.SecurityInput{Name: ledger.Opt[string]{Set: true, Null: true}, Manual: ledger.Some(false)}, "BRK nameless 0 ", 4},
		{ledger.SecurityInput{Ticker: ledger.Some(" "), MIC: ledger.Some("X"), Name: ledger.Some("a\nb")}, "ticker is required and must not be blank, write AAPL or AAPL|XNAS; " +
			`exchange_operating_mic must name a market by its four letters or digits such as XNAS, got "X"; name must not contain control characters, has U+000A`, 4},
	} {
		if got := change(c.in); !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: got %s, want %s", c.in, got, c.want)
		}
		// One change more is that of its price.
		if n := b.changes(id); n != c.changes+1 {
			t.Errorf("%+v: %d changes are recorded, want %d", c.in, n, c.changes+1)
		}
	}
	if got := b.tickers(b.who, ledger.SecurityFilter{}); got != "ACME, BRK 2026-01-02 99.5 EUR" {
		t.Errorf("got %s", got)
	}
	neighbour := b.household("Neighbour")
	if err := b.DeleteSecurity(b.ctx(), neighbour, other); wrong(err) != "Security not found" {
		t.Errorf("the neighbour deletes it: %v", err)
	}
	if _, err := b.UpdateSecurity(b.ctx(), neighbour, other, ledger.SecurityInput{}); wrong(err) != "Security not found" {
		t.Errorf("the neighbour changes it: %v", err)
	}
	for _, id := range []uuid.UUID{id, other} {
		if err := b.DeleteSecurity(b.ctx(), b.who, id); err != nil {
			t.Error(err)
		}
	}
	if got := b.tickers(b.who, ledger.SecurityFilter{}) + b.market(ledger.PriceFilter{}); got != "" {
		t.Errorf("there is still %s", got)
	}
}

// prices writes prices given as "TICKER DAY PRICE CURRENCY".
func (b *books) prices(lines ...string) string {
	b.tb.Helper()
	var inputs []ledger.PriceInput
	for _, line := range lines {
		inputs = append(inputs, priceInput(line))
	}
	done, err := b.PutPrices(b.ctx(), b.who, inputs)
	if err != nil {
		return wrong(err)
	}
	return fmt.Sprint(done.Added, done.Replaced, done.Unchanged)
}

// priceInput reads "TICKER DAY PRICE CURRENCY"; a dash stands for what is not given.
func priceInput(line string) (in ledger.PriceInput) {
	word := strings.Fields(line)
	if word[0] != "-" {
		in.Security = tickerRef(word[0])
	}
	if day, err := ledger.ParseDate(word[1]); err == nil {
		in.Date = ledger.Some(day)
	}
	if word[2] != "-" {
		in.Price = ledger.Some(decimal.RequireFromString(word[2]))
	}
	if word[3] != "-" {
		in.Currency = ledger.Some(word[3])
	}
	return in
}

// market lists prices.
func (b *books) market(f ledger.PriceFilter) string {
	b.tb.Helper()
	list, total, err := b.ListPrices(b.ctx(), b.who, f, ledger.Page{Number: 1, Size: 25})
	if err != nil || int(total) != len(list) {
		b.tb.Fatal(total, err)
	}
	var out []string
	for _, p := range list {
		out = append(out, fmt.Sprint(p.Date, " ", p.Security.Ticker, " ", p.Price, " ", p.Currency))
	}
	return strings.Join(out, ", ")
}
