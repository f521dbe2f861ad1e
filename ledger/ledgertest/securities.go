package ledgertest

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/market"
)

// Security makes a security of SYMBOL or SYMBOL|MIC.
func (b *Fixture) Security(ticker string) uuid.UUID { return b.SecurityOf(b.Who, ticker) }

func (b *Fixture) SecurityOf(who ledger.Actor, ticker string) uuid.UUID {
	b.tb.Helper()
	symbol, mic, _ := strings.Cut(ticker, "|")
	s, err := b.Market.CreateSecurity(b.Ctx(), who, market.SecurityInput{Ticker: ledger.Some(symbol),
		MIC: ledger.Some(mic)})
	if err != nil {
		b.tb.Fatal(err)
	}
	return uuid.UUID(s.PublicID)
}

func TickerRef(ticker string) market.SecurityName {
	return market.SecurityName{Ticker: ledger.Some(ticker)}
}

// Wrong is what an error says to people.
func Wrong(err error) string {
	if e := ledger.AsError(err); e != nil {
		return e.Message
	}
	return fmt.Sprint(err)
}

// Tickers lists securities by ticker and newest price.
func (b *Fixture) Tickers(who ledger.Actor, f market.SecurityFilter) string {
	b.tb.Helper()
	list, total, err := b.Market.ListSecurities(b.Ctx(), who, f, ledger.Page{Number: 1, Size: 25})
	if err != nil || int(total) != len(list) {
		b.tb.Fatal(total, err)
	}
	var out []string
	for _, s := range list {
		text := market.TickerOf(&s.Security)
		if s.Newest != nil {
			text += fmt.Sprintf(" %s %s %s", s.Newest.Date, s.Newest.Price, s.Newest.Currency)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// Prices writes prices given as "TICKER DAY PRICE CURRENCY".
func (b *Fixture) Prices(lines ...string) string {
	b.tb.Helper()
	var inputs []market.PriceInput
	for _, line := range lines {
		inputs = append(inputs, PriceInput(line))
	}
	done, err := b.Market.PutPrices(b.Ctx(), b.Who, inputs)
	if err != nil {
		return Wrong(err)
	}
	return fmt.Sprint(done.Added, done.Replaced, done.Unchanged)
}

// PriceInput reads "TICKER DAY PRICE CURRENCY"; a dash stands for what is not given.
func PriceInput(line string) (in market.PriceInput) {
	word := strings.Fields(line)
	if word[0] != "-" {
		in.Security = TickerRef(word[0])
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

// PriceText lists prices.
func (b *Fixture) PriceText(f market.PriceFilter) string {
	b.tb.Helper()
	list, total, err := b.Market.ListPrices(b.Ctx(), b.Who, f, ledger.Page{Number: 1, Size: 25})
	if err != nil || int(total) != len(list) {
		b.tb.Fatal(total, err)
	}
	var out []string
	for _, p := range list {
		out = append(out, fmt.Sprint(p.Date, " ", p.Security.Ticker, " ", p.Price, " ", p.Currency))
	}
	return strings.Join(out, ", ")
}
