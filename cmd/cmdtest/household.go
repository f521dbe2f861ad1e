package cmdtest

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
	"finsvc/ledger/rule"
	"finsvc/ledger/tenant"
	"finsvc/ledger/trade"
	"finsvc/ledger/transfer"
)

// Generator fills a household with random entries, of which many meet on a day.
type Generator struct {
	*testing.T
	*rand.Rand
	Books    *books.Books
	Who      ledger.Actor
	First    ledger.Date
	Days     int
	only     []ledger.Date // that days are; none: all of days
	Accounts []catalog.Account
}

// NewHousehold makes a household with names and notes that could mean something in a journal.
func NewHousehold(t *testing.T, file string, seed uint64) { NewHouseholdOn(t, file, seed, nil) }

// NewHouseholdOn is newHousehold with all that has a day on a few of them.
func NewHouseholdOn(t *testing.T, file string, seed uint64, only []ledger.Date) {
	t.Helper()
	database, err := db.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	g := &Generator{T: t, Rand: rand.New(rand.NewPCG(seed, 1)),
		Books: books.New(database, func() time.Time { return now }),
		First: ledger.NewDate(2026, 1, 20), Days: 120, only: only}
	home, _, err := g.Books.Tenants.CreateHousehold(t.Context(), ledger.Actor{Origin: ledger.OriginCLI},
		tenant.HouseholdInput{
			Name: "Generated", Currency: "EUR", Locale: "en", Timezone: "UTC", OwnerEmail: "a@example.org"})
	g.Must(err)
	g.Who = ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginCLI}
	for _, fill := range []func(context.Context){g.rates, g.open, g.entries, g.valuations, g.trades, g.prices} {
		fill(t.Context())
	}
	g.Must(database.Close())
}

func (g *Generator) Must(err error) {
	g.Helper()
	if err != nil {
		g.Fatal(err)
	}
}

// some is one of a few.
func some[T any](g *Generator, of ...T) T { return of[g.IntN(len(of))] }

func (g *Generator) day() ledger.Date {
	if len(g.only) > 0 {
		return some(g, g.only...)
	}
	return g.First.AddDays(g.IntN(g.Days))
}

// Clamped is a day, or the end of time before it.
func Clamped(day ledger.Date) ledger.Date { return min(max(day, ledger.MinDate), ledger.MaxDate) }

// rates are there on Fridays alone, of the Kuwaiti dinar only the inverse, of the Icelandic króna none.
func (g *Generator) rates(ctx context.Context) {
	file := fx.RateFile{Source: fx.SourceCSV}
	for day := g.First - 10; day < g.First.AddDays(g.Days); day++ {
		if day.Time().Weekday() == time.Friday {
			for _, r := range []fx.ExchangeRate{{From: "USD", To: "EUR", Rate: decimal.New(9000+g.Int64N(900), -4)},
				{From: "EUR", To: "JPY", Rate: decimal.New(160_000+g.Int64N(900), -3)},
				{From: "EUR", To: "KWD", Rate: decimal.New(3300+g.Int64N(90), -4)}} {
				if r.Date = day; g.IntN(5) > 0 {
					file.Rates = append(file.Rates, r)
				}
			}
		}
	}
	_, err := g.Books.Rates.ImportRates(ctx, file)
	g.Must(err)
}

func (g *Generator) open(ctx context.Context) {
	names := []string{"Giro", "giro", "Giro", "Giro 2", "A:B; c", `"q" (x)`, "* ! [y]", "a  b", "unconverted",
		"Broker:X"}
	for i, name := range names {
		kind := some(g, "depository", "credit_card", "loan", "property")
		if i >= 6 {
			kind = some(g, "investment", "crypto")
		}
		in := catalog.AccountInput{Name: ledger.Some(name), AccountType: ledger.Some(kind),
			Currency: ledger.Some(some(g, "EUR", "EUR", "USD", "JPY", "KWD")),
			Balance:  ledger.Some(decimal.New(g.Int64N(20_000)-5_000, 0))}
		if g.IntN(2) == 0 {
			in.Date = ledger.Some(g.day())
		}
		a, err := g.Books.Accounts.CreateAccount(ctx, g.Who, in)
		g.Must(err)
		g.Accounts = append(g.Accounts, a)
	}
}

func (g *Generator) account() ledger.Opt[uuid.UUID] {
	return ledger.Some(uuid.UUID(some(g, g.Accounts...).PublicID))
}

// entries come in groups of one account, day and currency, since what is booked in another currency counts by
// the sum of the day.
func (g *Generator) entries(ctx context.Context) {
	categories, _, err := g.Books.Labels.ListCategories(ctx, g.Who, catalog.CategoryFilter{},
		ledger.Page{Number: 1, Size: 100})
	g.Must(err)
	for range 120 {
		in := entry.TransactionInput{AccountID: g.account(), Date: ledger.Some(g.day()),
			Currency: ledger.Some(some(g, "EUR", "USD", "JPY", "KWD", "ISK")),
			Name: ledger.Some(some(g, "Shop", "(code) shop", "* shop; no comment", "= 5 EUR", "2026-01-01 x",
				`a | b "c"`, "; only", "date:x"))}
		if g.IntN(3) == 0 {
			in.Notes = ledger.Some(some(g, "two\nlines", "date: [2026-99-99]\r\nfoo:bar, date:1",
				"\n\n    assets:x  5 EUR\n", "; tab\there"))
		}
		if g.IntN(2) == 0 {
			in.CategoryID = ledger.Some(uuid.UUID(some(g, categories...).PublicID))
		}
		for range 1 + g.IntN(3) {
			in.Amount = ledger.Some(g.amount(in.Currency.Value))
			_, _, err := g.Books.Entries.CreateTransaction(ctx, g.Who, g.split(in, categories))
			g.Must(err)
		}
	}
	g.transfers(ctx)
}

// split makes some of the transactions say what their parts were for; the last part is what the others leave.
func (g *Generator) split(in entry.TransactionInput, categories []catalog.Category) entry.TransactionInput {
	if g.IntN(3) > 0 {
		return in
	}
	lines, left := []entry.SplitLineInput{}, in.Amount.Value
	for range 1 + g.IntN(3) {
		amount := g.amount(in.Currency.Value)
		left = left.Sub(amount)
		lines = append(lines, entry.SplitLineInput{Amount: ledger.Some(amount),
			Name:       ledger.Some(some(g, "", "a ; b", "date:x", "= 5 EUR")),
			CategoryID: ledger.Some(uuid.UUID(some(g, categories...).PublicID))})
	}
	in.CategoryID, in.SplitLines = ledger.Opt[uuid.UUID]{}, ledger.Some(append(lines,
		entry.SplitLineInput{Amount: ledger.Some(left)}))
	return in
}

// amount has all decimals of its currency.
func (g *Generator) amount(code string) decimal.Decimal {
	currency, _ := money.LookupCurrency(code)
	return currency.Decimal(g.Int64N(900_000) - 450_000)
}

// transfers are pairs of opposite amounts, some of them on one day.
func (g *Generator) transfers(ctx context.Context) {
	for i := range 20 {
		amount, day := decimal.New(int64(1000+i), 0), g.day()
		for _, sign := range []int64{1, -1} {
			_, _, err := g.Books.Entries.CreateTransaction(ctx, g.Who,
				entry.TransactionInput{AccountID: g.account(), Date: ledger.Some(Clamped(day.AddDays(g.IntN(3)))),
					Amount: ledger.Some(amount.Mul(decimal.New(sign, 0))), Currency: ledger.Some("EUR"),
					Name: ledger.Some(fmt.Sprintf("Transfer %d", i))})
			g.Must(err)
		}
	}
}

func (g *Generator) valuations(ctx context.Context) {
	for range 25 {
		_, _, err := g.Books.Accounts.CreateValuation(ctx, g.Who,
			catalog.ValuationInput{AccountID: g.account(), Date: ledger.Some(g.day()),
				Amount: ledger.Some(decimal.New(g.Int64N(50_000), 0))})
		g.Must(err)
	}
}

// tickers are those of the securities: one is the code of a currency, two differ by their market alone, one has a
// sign that parts names.
func tickers() []string { return []string{"AAA", "BTC", "SAP|XETR", "SAP|XNAS", "A.B-C"} }

// trades may sell short; what is sold without being held, and without leave, is left out. There are several
// trades of a kind on a day.
func (g *Generator) trades(ctx context.Context) {
	for range 150 {
		in := trade.Input{AccountID: ledger.Some(uuid.UUID(some(g, g.Accounts[6:]...).PublicID)),
			Date:     ledger.Some(g.day()),
			Type:     ledger.Some(some(g, "buy", "buy", "buy", "sell", "sell", "dividend", "interest", "fee")),
			Ticker:   ledger.Some(some(g, tickers()...)),
			Currency: ledger.Some(some(g, "EUR", "EUR", "USD", "JPY", "ISK")), AllowShort: ledger.Some(g.IntN(5) == 0)}
		if g.IntN(2) == 0 {
			in.Fee = ledger.Some(g.amount(in.Currency.Value).Abs())
		}
		switch in.Type.Value {
		case "buy", "sell":
			in.Quantity, in.Price = ledger.Some(decimal.New(1+g.Int64N(9_999), -int32(g.IntN(5)))),
				ledger.Some(decimal.New(1+g.Int64N(99_999), -3))
		default:
			in.Amount = ledger.Some(g.amount(in.Currency.Value).Abs().Add(decimal.New(1, 0)))
			in.Fee = ledger.Opt[decimal.Decimal]{}
		}
		for range 1 + g.IntN(2) {
			if _, err := g.Books.Trades.CreateTrade(ctx, g.Who, in); err != nil &&
				!strings.Contains(err.Error(), "held") {
				g.Fatal(err)
			}
		}
	}
}

// prices are quoted now and then, in one currency or another, some before the first trade; splits do not come
// out even.
func (g *Generator) prices(ctx context.Context) {
	for range 40 {
		_, err := g.Books.Market.PutPrice(ctx, g.Who, market.PriceInput{Security: market.SecurityName{Ticker: ledger.Some(some(g, tickers()...))},
			Date: ledger.Some(Clamped(g.day() - 10)), Price: ledger.Some(decimal.New(1+g.Int64N(9_999), -2)),
			Currency: ledger.Some(some(g, "EUR", "EUR", "USD"))})
		g.Must(err)
	}
	for i, ticker := range tickers()[:4] {
		_, err := g.Books.Market.CreateSplit(ctx, g.Who, market.SplitInput{Security: market.SecurityName{Ticker: ledger.Some(ticker)},
			Date: ledger.Some(g.day()), Ratio: ledger.Some([]string{"3:1", "2:7", "1:3", "10:1"}[i])})
		if err != nil && ledger.AsError(err) == nil {
			g.Fatal(err)
		}
	}
}

// oddTexts are what a text can have that a file or a reader may lose.
func oddTexts() []string {
	return []string{"plain", "=SUM(A1)", "'quoted", `"a" \ b`, "<&> \\u003c", "e\u0301 and \u00e9", "👩‍👩‍👧 family",
		"\u202eright to left", "zero\u200bwidth", "a\u00a0b  c",
		"line\u2028separator", "\ufeffmark", "日本語", "A:B", "comma, bar | and; more", strings.Repeat("x", 255),
		strings.Repeat("ä", 255)}
}

func oddNotes() []string {
	return append(oddTexts(), "two\nlines", "two\r\nlines", "\ttab first", "  blanks around  ", "\n",
		strings.Repeat("long ", 2000))
}

// Labels makes categories of two levels, merchants with and without looks, tags, and rules that name all of them.
func (g *Generator) Labels(ctx context.Context) {
	for i, text := range oddTexts() {
		tag, err := g.Books.Labels.CreateTag(ctx, g.Who, catalog.TagInput{Name: ledger.Some(text),
			Color: ledger.Some(fmt.Sprintf("#%06x", i*4099))})
		g.Must(err)
		in := catalog.MerchantInput{Name: ledger.Some(text)}
		if i%2 == 0 {
			in.Color, in.WebsiteURL = ledger.Some("#a1b2c3"), ledger.Some("https://shop.example/"+fmt.Sprint(i))
		}
		merchant, err := g.Books.Labels.CreateMerchant(ctx, g.Who, in)
		g.Must(err)
		parent, err := g.Books.Labels.CreateCategory(ctx, g.Who,
			catalog.CategoryInput{Name: ledger.Some(text), Classification: ledger.Some(some(g, "income", "expense"))})
		g.Must(err)
		child, err := g.Books.Labels.CreateCategory(ctx, g.Who,
			catalog.CategoryInput{Name: ledger.Some("below"), ParentID: ledger.Some(uuid.UUID(parent.PublicID))})
		g.Must(err)
		ids := []uuid.UUID{uuid.UUID(tag.PublicID), uuid.UUID(merchant.PublicID), uuid.UUID(child.PublicID)}
		g.labelled(ctx, i, text, ids)
		if i%5 == 0 {
			g.rule(ctx, i, text, ids)
		}
	}
}

// labelled books transactions with labels, of which the second is split.
func (g *Generator) labelled(ctx context.Context, i int, text string, ids []uuid.UUID) {
	in := entry.TransactionInput{AccountID: g.account(), Date: ledger.Some(g.day()),
		Amount: ledger.Some(decimal.New(1700, -2)), Currency: ledger.Some("EUR"),
		Name: ledger.Some(text), Notes: ledger.Some(oddNotes()[i]), TagIDs: ledger.Some(ids[:1]),
		MerchantID: ledger.Some(ids[1]), CategoryID: ledger.Some(ids[2]),
		ExternalID: ledger.Some(fmt.Sprint("ext-", i)), Source: ledger.Some("bank")}
	_, _, err := g.Books.Entries.CreateTransaction(ctx, g.Who, in)
	g.Must(err)
	in.CategoryID, in.ExternalID, in.Source, in.Notes = ledger.Opt[uuid.UUID]{}, ledger.Opt[string]{},
		ledger.Opt[string]{}, ledger.Some(oddNotes()[len(oddNotes())-1-i])
	in.SplitLines = ledger.Some([]entry.SplitLineInput{{Amount: ledger.Some(decimal.New(2000, -2)),
		Name: ledger.Some(text), Notes: ledger.Some(text),
		CategoryID: ledger.Some(ids[2]), MerchantID: ledger.Some(ids[1]), TagIDs: ledger.Some(ids[:1])},
		{Amount: ledger.Some(decimal.New(-300, -2))}})
	_, _, err = g.Books.Entries.CreateTransaction(ctx, g.Who, in)
	g.Must(err)
}

func (g *Generator) rule(ctx context.Context, i int, text string, ids []uuid.UUID) {
	in := rule.Input{ResourceType: ledger.Some("transaction"), Active: ledger.Some(i%2 == 0),
		Conditions: ledger.Some([]rule.Condition{{Type: "compound", Operator: "or", Conditions: []rule.Condition{
			{Type: "transaction_merchant", Operator: "=", Value: ids[1].String()},
			{Type: "transaction_name", Operator: "like", Value: text}}},
			{Type: "transaction_amount", Operator: ">", Value: "20.5"}}),
		Actions: ledger.Some([]rule.Action{{Type: "set_transaction_category", Value: ids[2].String()},
			{Type: "set_transaction_tags", Value: ids[0].String()}})}
	if i > 0 {
		in.Name, in.EffectiveDate = ledger.Some(text), ledger.Some(g.day())
	}
	_, err := g.Books.Rules.CreateRule(ctx, g.Who, in)
	g.Must(err)
}

// TransferFates confirms some of the transfers that were found, with notes, and rejects others.
func (g *Generator) TransferFates(ctx context.Context) {
	list, _, err := g.Books.Transfers.ListTransfers(ctx, g.Who, transfer.Filter{}, ledger.Page{Number: 1, Size: 100})
	g.Must(err)
	for i, f := range list {
		switch i % 3 {
		case 0:
			_, err = g.Books.Transfers.UpdateTransfer(ctx, g.Who, uuid.UUID(f.PublicID),
				transfer.Input{Status: ledger.Some("confirmed"), Notes: ledger.Some(some(g, oddNotes()...))})
		case 1:
			_, err = g.Books.Transfers.RejectTransfer(ctx, g.Who, uuid.UUID(f.PublicID))
		}
		g.Must(err)
	}
	if len(list) < 6 {
		g.Fatalf("only %d transfers were found", len(list))
	}
}

func (g *Generator) ValuationTexts(ctx context.Context) {
	for _, text := range oddNotes() {
		_, _, err := g.Books.Accounts.CreateValuation(ctx, g.Who,
			catalog.ValuationInput{AccountID: g.account(), Date: ledger.Some(g.day()),
				Amount: ledger.Some(decimal.New(g.Int64N(50_000), 0)), Notes: ledger.Some(text)})
		g.Must(err)
	}
}

// Endings disables an account, gives one all that an account can have, and leaves one without entries.
func (g *Generator) Endings(ctx context.Context) {
	change := func(a catalog.Account, in catalog.AccountInput) {
		_, err := g.Books.Accounts.UpdateAccount(ctx, g.Who, uuid.UUID(a.PublicID), in)
		g.Must(err)
	}
	change(g.Accounts[0], catalog.AccountInput{Status: ledger.Some("disabled")})
	change(g.Accounts[1], catalog.AccountInput{Notes: ledger.Some("two\nlines"),
		InstitutionName: ledger.Some("A  Bank"), InstitutionDomain: ledger.Some("bank.example")})
	_, err := g.Books.Accounts.CreateAccount(ctx, g.Who, catalog.AccountInput{Name: ledger.Some("empty"),
		AccountType: ledger.Some("vehicle"), Currency: ledger.Some("JPY")})
	g.Must(err)
	_, err = g.Books.Market.CreateSecurity(ctx, g.Who, market.SecurityInput{Ticker: ledger.Some("HOME"),
		Name: ledger.Some("Never traded"), Manual: ledger.Some(true)})
	g.Must(err)
}
