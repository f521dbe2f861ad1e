package cmd_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/fx"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
	"finsvc/ledger/tenant"
	"finsvc/ledger/trade"
)

// generator fills a household with random entries, of which many meet on a day.
type generator struct {
	*testing.T
	*rand.Rand
	books    *books.Books
	who      ledger.Actor
	first    ledger.Date
	days     int
	only     []ledger.Date // that days are; none: all of days
	accounts []catalog.Account
}

// newHousehold makes a household with names and notes that could mean something in a journal.
func newHousehold(t *testing.T, file string, seed uint64) { newHouseholdOn(t, file, seed, nil) }

// newHouseholdOn is newHousehold with all that has a day on a few of them.
func newHouseholdOn(t *testing.T, file string, seed uint64, only []ledger.Date) {
	t.Helper()
	database, err := db.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	g := &generator{T: t, Rand: rand.New(rand.NewPCG(seed, 1)), books: books.New(database, func() time.Time { return now }),
		first: ledger.NewDate(2026, 1, 20), days: 120, only: only}
	home, _, err := g.books.Tenants.CreateHousehold(t.Context(), ledger.Actor{Origin: ledger.OriginCLI}, tenant.HouseholdInput{
		Name: "Generated", Currency: "EUR", Locale: "en", Timezone: "UTC", OwnerEmail: "a@example.org"})
	g.must(err)
	g.who = ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginCLI}
	for _, fill := range []func(context.Context){g.rates, g.open, g.entries, g.valuations, g.trades, g.prices} {
		fill(t.Context())
	}
	g.must(database.Close())
}

func (g *generator) must(err error) {
	g.Helper()
	if err != nil {
		g.Fatal(err)
	}
}

// some is one of a few.
func some[T any](g *generator, of ...T) T { return of[g.IntN(len(of))] }

func (g *generator) day() ledger.Date {
	if len(g.only) > 0 {
		return some(g, g.only...)
	}
	return g.first.AddDays(g.IntN(g.days))
}

// clamped is a day, or the end of time before it.
func clamped(day ledger.Date) ledger.Date { return min(max(day, ledger.MinDate), ledger.MaxDate) }

// rates are there on Fridays alone, of the Kuwaiti dinar only the inverse, of the Icelandic króna none.
func (g *generator) rates(ctx context.Context) {
	file := fx.RateFile{Source: fx.SourceCSV}
	for day := g.first - 10; day < g.first.AddDays(g.days); day++ {
		if day.Time().Weekday() == time.Friday {
			for _, r := range []fx.ExchangeRate{{From: "USD", To: "EUR", Rate: decimal.New(9000+g.Int64N(900), -4)},
				{From: "EUR", To: "JPY", Rate: decimal.New(160_000+g.Int64N(900), -3)}, {From: "EUR", To: "KWD", Rate: decimal.New(3300+g.Int64N(90), -4)}} {
				if r.Date = day; g.IntN(5) > 0 {
					file.Rates = append(file.Rates, r)
				}
			}
		}
	}
	_, err := g.books.Rates.ImportRates(ctx, file)
	g.must(err)
}

func (g *generator) open(ctx context.Context) {
	names := []string{"Giro", "giro", "Giro", "Giro 2", "A:B; c", `"q" (x)`, "* ! [y]", "a  b", "unconverted", "Broker:X"}
	for i, name := range names {
		kind := some(g, "depository", "credit_card", "loan", "property")
		if i >= 6 {
			kind = some(g, "investment", "crypto")
		}
		in := catalog.AccountInput{Name: ledger.Some(name), AccountType: ledger.Some(kind), Currency: ledger.Some(some(g, "EUR", "EUR", "USD", "JPY", "KWD")),
			Balance: ledger.Some(decimal.New(g.Int64N(20_000)-5_000, 0))}
		if g.IntN(2) == 0 {
			in.Date = ledger.Some(g.day())
		}
		a, err := g.books.Accounts.CreateAccount(ctx, g.who, in)
		g.must(err)
		g.accounts = append(g.accounts, a)
	}
}

func (g *generator) account() ledger.Opt[uuid.UUID] {
	return ledger.Some(uuid.UUID(some(g, g.accounts...).PublicID))
}

// entries come in groups of one account, day and currency, since what is booked in another currency counts by
// the sum of the day.
func (g *generator) entries(ctx context.Context) {
	categories, _, err := g.books.Labels.ListCategories(ctx, g.who, catalog.CategoryFilter{}, ledger.Page{Number: 1, Size: 100})
	g.must(err)
	for range 120 {
		in := entry.TransactionInput{AccountID: g.account(), Date: ledger.Some(g.day()), Currency: ledger.Some(some(g, "EUR", "USD", "JPY", "KWD", "ISK")),
			Name: ledger.Some(some(g, "Shop", "(code) shop", "* shop; no comment", "= 5 EUR", "2026-01-01 x", `a | b "c"`, "; only", "date:x"))}
		if g.IntN(3) == 0 {
			in.Notes = ledger.Some(some(g, "two\nlines", "date: [2026-99-99]\r\nfoo:bar, date:1", "\n\n    assets:x  5 EUR\n", "; tab\there"))
		}
		if g.IntN(2) == 0 {
			in.CategoryID = ledger.Some(uuid.UUID(some(g, categories...).PublicID))
		}
		for range 1 + g.IntN(3) {
			in.Amount = ledger.Some(g.amount(in.Currency.Value))
			_, _, err := g.books.Entries.CreateTransaction(ctx, g.who, g.split(in, categories))
			g.must(err)
		}
	}
	g.transfers(ctx)
}

// split makes some of the transactions say what their parts were for; the last part is what the others leave.
func (g *generator) split(in entry.TransactionInput, categories []catalog.Category) entry.TransactionInput {
	if g.IntN(3) > 0 {
		return in
	}
	lines, left := []entry.SplitLineInput{}, in.Amount.Value
	for range 1 + g.IntN(3) {
		amount := g.amount(in.Currency.Value)
		left = left.Sub(amount)
		lines = append(lines, entry.SplitLineInput{Amount: ledger.Some(amount), Name: ledger.Some(some(g, "", "a ; b", "date:x", "= 5 EUR")),
			CategoryID: ledger.Some(uuid.UUID(some(g, categories...).PublicID))})
	}
	in.CategoryID, in.SplitLines = ledger.Opt[uuid.UUID]{}, ledger.Some(append(lines, entry.SplitLineInput{Amount: ledger.Some(left)}))
	return in
}

// amount has all decimals of its currency.
func (g *generator) amount(code string) decimal.Decimal {
	currency, _ := money.LookupCurrency(code)
	return currency.Decimal(g.Int64N(900_000) - 450_000)
}

// transfers are pairs of opposite amounts, some of them on one day.
func (g *generator) transfers(ctx context.Context) {
	for i := range 20 {
		amount, day := decimal.New(int64(1000+i), 0), g.day()
		for _, sign := range []int64{1, -1} {
			_, _, err := g.books.Entries.CreateTransaction(ctx, g.who, entry.TransactionInput{AccountID: g.account(), Date: ledger.Some(clamped(day.AddDays(g.IntN(3)))),
				Amount: ledger.Some(amount.Mul(decimal.New(sign, 0))), Currency: ledger.Some("EUR"), Name: ledger.Some(fmt.Sprintf("Transfer %d", i))})
			g.must(err)
		}
	}
}

func (g *generator) valuations(ctx context.Context) {
	for range 25 {
		_, _, err := g.books.Accounts.CreateValuation(ctx, g.who, catalog.ValuationInput{AccountID: g.account(), Date: ledger.Some(g.day()),
			Amount: ledger.Some(decimal.New(g.Int64N(50_000), 0))})
		g.must(err)
	}
}

// tickers are those of the securities: one is the code of a currency, two differ by their market alone, one has a
// sign that parts names.
func tickers() []string { return []string{"AAA", "BTC", "SAP|XETR", "SAP|XNAS", "A.B-C"} }

// trades may sell short; what is sold without being held, and without leave, is left out. There are several
// trades of a kind on a day.
func (g *generator) trades(ctx context.Context) {
	for range 150 {
		in := trade.Input{AccountID: ledger.Some(uuid.UUID(some(g, g.accounts[6:]...).PublicID)), Date: ledger.Some(g.day()),
			Type: ledger.Some(some(g, "buy", "buy", "buy", "sell", "sell", "dividend", "interest", "fee")), Ticker: ledger.Some(some(g, tickers()...)),
			Currency: ledger.Some(some(g, "EUR", "EUR", "USD", "JPY", "ISK")), AllowShort: ledger.Some(g.IntN(5) == 0)}
		if g.IntN(2) == 0 {
			in.Fee = ledger.Some(g.amount(in.Currency.Value).Abs())
		}
		switch in.Type.Value {
		case "buy", "sell":
			in.Quantity, in.Price = ledger.Some(decimal.New(1+g.Int64N(9_999), -int32(g.IntN(5)))), ledger.Some(decimal.New(1+g.Int64N(99_999), -3))
		default:
			in.Amount = ledger.Some(g.amount(in.Currency.Value).Abs().Add(decimal.New(1, 0)))
			in.Fee = ledger.Opt[decimal.Decimal]{}
		}
		for range 1 + g.IntN(2) {
			if _, err := g.books.Trades.CreateTrade(ctx, g.who, in); err != nil && !strings.Contains(err.Error(), "held") {
				g.Fatal(err)
			}
		}
	}
}

// prices are quoted now and then, in one currency or another, some before the first trade; splits do not come
// out even.
func (g *generator) prices(ctx context.Context) {
	for range 40 {
		_, err := g.books.Market.PutPrice(ctx, g.who, market.PriceInput{Security: market.SecurityName{Ticker: ledger.Some(some(g, tickers()...))},
			Date: ledger.Some(clamped(g.day() - 10)), Price: ledger.Some(decimal.New(1+g.Int64N(9_999), -2)), Currency: ledger.Some(some(g, "EUR", "EUR", "USD"))})
		g.must(err)
	}
	for i, ticker := range tickers()[:4] {
		_, err := g.books.Market.CreateSplit(ctx, g.who, market.SplitInput{Security: market.SecurityName{Ticker: ledger.Some(ticker)},
			Date: ledger.Some(g.day()), Ratio: ledger.Some([]string{"3:1", "2:7", "1:3", "10:1"}[i])})
		if err != nil && ledger.AsError(err) == nil {
			g.Fatal(err)
		}
	}
}
