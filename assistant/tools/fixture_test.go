package tools_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/assistant/model"
	"finsvc/assistant/tools"
	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/market"
	"finsvc/ledger/tenant"
	"finsvc/ledger/trade"
)

// fixture is a household whose books the tools read; its day is 2026-06-15.
type fixture struct {
	*tools.Set
	books *books.Books
	db    *db.DB
	who   ledger.Actor
	tb    testing.TB
	ids   map[string]uuid.UUID
}

// newFixture has these books, in euros unless it says so:
//
//	Giro     opens with 1,000.00. 10 April 40.00 out, Groceries, Aldi; 20 April 25.50 out, Groceries, Lidl, party; 1 May 2,500.00 in, Salary;
//	         3 May 60.10 out, Groceries, Aldi; 15 May 300.00 to Savings; 1 June 100.00 out, split: 60.00 Groceries, 40.00 without a category
//	Card     opens with 200.00 owed. 9 May 18.90 out, Restaurants, Café Ö, party
//	Savings  opens with nothing
//	Depot    opens with 500.00. 4 May buys 2 ABC at 50.00; the price of 10 June is 60.00
//	Dollars  opens with nothing, in US dollars. 20 May 7.00 USD out; there is no rate
func newFixture(tb testing.TB) *fixture {
	tb.Helper()
	h := emptyFixture(tb)
	for _, a := range [][3]string{{"Giro", "depository", "1000"}, {"Card", "credit_card", "200"}, {"Savings", "depository", "0"}, {"Depot", "investment", "500"}} {
		h.account(a[0], a[1], "EUR", a[2])
	}
	h.account("Dollars", "depository", "USD", "0")
	h.category("Food", "expense", "")
	h.category("Groceries", "expense", "Food")
	h.category("Restaurants", "expense", "Food")
	h.category("Salary", "income", "")
	for _, name := range []string{"Aldi", "Lidl", "Café Ö"} {
		m, err := h.books.Labels.CreateMerchant(h.ctx(), h.who, catalog.MerchantInput{Name: ledger.Some(name)})
		h.ids[name] = uuid.UUID(m.PublicID)
		h.must(err)
	}
	party, err := h.books.Labels.CreateTag(h.ctx(), h.who, catalog.TagInput{Name: ledger.Some("party")})
	h.ids["party"] = uuid.UUID(party.PublicID)
	h.must(err)
	h.spend("Giro", "2026-04-10", "40", "ALDI 4711", "Groceries", "Aldi")
	h.spend("Giro", "2026-04-20", "25.50", "LIDL", "Groceries", "Lidl", "party")
	h.spend("Giro", "2026-05-01", "-2500", "pay", "Salary", "")
	h.spend("Giro", "2026-05-03", "60.10", "ALDI 4711", "Groceries", "Aldi")
	h.spend("Card", "2026-05-09", "18.90", "dinner", "Restaurants", "Café Ö", "party")
	h.spend("Giro", "2026-05-15", "300", "put by", "", "")
	h.spend("Savings", "2026-05-15", "-300", "put by", "", "")
	h.spend("Dollars", "2026-05-20", "7", "gum", "", "")
	in := h.booking("Giro", "2026-06-01", "100", "Market hall", "", "")
	in.SplitLines = ledger.Some([]entry.SplitLineInput{{Amount: toolNumber("60"), CategoryID: ledger.Some(h.ids["Groceries"])}, {Amount: toolNumber("40")}})
	h.book(in)
	_, err = h.books.Trades.CreateTrade(h.ctx(), h.who, trade.Input{AccountID: ledger.Some(h.ids["Depot"]), Type: ledger.Some("buy"), Date: toolDay("2026-05-04"),
		Ticker: ledger.Some("ABC"), Quantity: toolNumber("2"), Price: toolNumber("50")})
	h.must(err)
	h.price("ABC", "2026-06-10", "60")
	return h
}

func emptyFixture(tb testing.TB) *fixture {
	tb.Helper()
	h := &fixture{db: dbtest.New(tb), tb: tb, ids: map[string]uuid.UUID{}}
	h.books = books.New(h.db, func() time.Time { return time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC) })
	h.Set = tools.New(h.books)
	h.who = h.household("Home")
	return h
}

func (h *fixture) household(name string) ledger.Actor {
	h.tb.Helper()
	home, owner, err := h.books.Tenants.CreateHousehold(h.ctx(), ledger.Actor{Origin: ledger.OriginCLI}, tenant.HouseholdInput{
		Name: name, Currency: "EUR", Locale: "en", Timezone: "Europe/Berlin", OwnerEmail: name + "@example.org", NoCategories: true})
	h.must(err)
	return ledger.Actor{HouseholdID: home.ID, UserID: owner.ID, Origin: ledger.OriginAssistant}
}

func (h *fixture) ctx() context.Context { return h.tb.Context() }

func (h *fixture) must(err error) {
	h.tb.Helper()
	if err != nil {
		h.tb.Fatal(err)
	}
}

func toolNumber(text string) ledger.Opt[decimal.Decimal] {
	return ledger.Some(decimal.RequireFromString(text))
}

func toolDay(text string) ledger.Opt[ledger.Date] {
	d, err := ledger.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return ledger.Some(d)
}

func (h *fixture) account(name, kind, currency, balance string) {
	h.tb.Helper()
	a, err := h.books.Accounts.CreateAccount(h.ctx(), h.who, catalog.AccountInput{Name: ledger.Some(name), AccountType: ledger.Some(kind), Currency: ledger.Some(currency),
		Balance: toolNumber(balance), Date: toolDay("2025-12-31")})
	h.must(err)
	h.ids[name] = uuid.UUID(a.PublicID)
}

func (h *fixture) category(name, classification, parent string) {
	h.tb.Helper()
	in := catalog.CategoryInput{Name: ledger.Some(name), Classification: ledger.Some(classification)}
	if parent != "" {
		in = catalog.CategoryInput{Name: ledger.Some(name), ParentID: ledger.Some(h.ids[parent])}
	}
	c, err := h.books.Labels.CreateCategory(h.ctx(), h.who, in)
	h.must(err)
	h.ids[name] = uuid.UUID(c.PublicID)
}

// booking is a transaction; a positive amount goes out.
func (h *fixture) booking(account, when, amount, name, category, merchant string, tags ...string) entry.TransactionInput {
	in := entry.TransactionInput{AccountID: ledger.Some(h.ids[account]), Date: toolDay(when), Amount: toolNumber(amount), Name: ledger.Some(name)}
	if category != "" {
		in.CategoryID = ledger.Some(h.ids[category])
	}
	if merchant != "" {
		in.MerchantID = ledger.Some(h.ids[merchant])
	}
	ids := []uuid.UUID{}
	for _, tag := range tags {
		ids = append(ids, h.ids[tag])
	}
	in.TagIDs = ledger.Some(ids)
	return in
}

func (h *fixture) book(in entry.TransactionInput) {
	h.tb.Helper()
	_, _, err := h.books.Entries.CreateTransaction(h.ctx(), h.who, in)
	h.must(err)
}

func (h *fixture) spend(account, when, amount, name, category, merchant string, tags ...string) {
	h.tb.Helper()
	h.book(h.booking(account, when, amount, name, category, merchant, tags...))
}

// call gives what a tool says in a room.
func (h *fixture) callIn(budget int, who ledger.Actor, name, arguments string) string {
	h.tb.Helper()
	found, err := h.Run(h.ctx(), who, model.Call{Name: name, Arguments: json.RawMessage(arguments)}, budget)
	if err != nil {
		h.tb.Fatalf("%s %s: %v", name, arguments, err)
	}
	if !json.Valid(found) {
		h.tb.Fatalf("%s %s is not JSON: %s", name, arguments, found)
	}
	return string(found)
}

func (h *fixture) call(name, arguments string) string {
	h.tb.Helper()
	return h.callIn(100_000, h.who, name, arguments)
}

func (h *fixture) price(ticker, when, price string) {
	h.tb.Helper()
	_, err := h.books.Market.PutPrice(h.ctx(), h.who, market.PriceInput{Security: market.SecurityName{Ticker: ledger.Some(ticker)}, Date: toolDay(when), Price: toolNumber(price),
		Currency: ledger.Some("EUR")})
	h.must(err)
}
