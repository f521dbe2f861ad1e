package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/assistant/engine"
	"finsvc/assistant/model"
	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/tenant"
	"finsvc/ledger/trade"
	"finsvc/queries"
)

// fixture is a household whose books questions are about. It is Saturday, 2026-11-21 there.
type fixture struct {
	*books.Books
	*engine.Engine
	who        ledger.Actor
	today      ledger.Date
	tb         testing.TB
	accounts   map[string]uuid.UUID
	categories map[string]uuid.UUID
	merchants  map[string]uuid.UUID
	tags       map[string]uuid.UUID
}

func must[T any](tb testing.TB) func(T, error) T {
	return func(v T, err error) T {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
		return v
	}
}

// newEmptyFixture has a household in euros and nothing in it.
func newEmptyFixture(tb testing.TB) *fixture {
	tb.Helper()
	now := time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)
	l := books.New(dbtest.New(tb), func() time.Time { return now })
	home, owner, err := l.Tenants.CreateHousehold(tb.Context(), ledger.Actor{Origin: ledger.OriginCLI},
		tenant.HouseholdInput{
			Name: "Home", Currency: "EUR", Locale: "en", Timezone: "UTC", OwnerEmail: "ana@example.org", NoCategories: true})
	if err != nil {
		tb.Fatal(err)
	}
	return &fixture{Books: l, Engine: engine.New(l),
		who:   ledger.Actor{HouseholdID: home.ID, UserID: owner.ID, Origin: ledger.OriginAPI},
		today: ledger.DateOf(now), tb: tb, accounts: map[string]uuid.UUID{}, categories: map[string]uuid.UUID{}, merchants: map[string]uuid.UUID{}, tags: map[string]uuid.UUID{}}
}

// newFixture has names to ask for.
func newFixture(tb testing.TB) *fixture {
	tb.Helper()
	h := newEmptyFixture(tb)
	h.category("Food & Drink", "", "expense")
	h.category("Bakery", "Food & Drink", "expense")
	for _, name := range []string{"Groceries", "Restaurants", "Mortgage / Rent", "Taxes", "Travel", "Fees",
		"Subscriptions", "Utilities", "Café"} {
		h.category(name, "", "expense")
	}
	h.category("Salary", "", "income")
	h.category("Income", "", "income")
	for _, name := range []string{"Aldi", "Lidl", "Total", "Netflix", "Amazon.de", "Lowe's", "May", "World",
		"Travel", "H&M"} {
		m := must[queries.Merchant](tb)(h.Labels.CreateMerchant(tb.Context(), h.who,
			catalog.MerchantInput{Name: ledger.Some(name)}))
		h.merchants[name] = uuid.UUID(m.PublicID)
	}
	for _, name := range []string{"vacation", "kids"} {
		t := must[queries.Tag](tb)(h.Labels.CreateTag(tb.Context(), h.who, catalog.TagInput{Name: ledger.Some(name)}))
		h.tags[name] = uuid.UUID(t.PublicID)
	}
	h.account("Checking", "depository", "checking", "1000")
	h.account("DKB Tagesgeld", "depository", "savings", "5000")
	h.account("House", "property", "", "300000")
	h.account("Visa Gold", "credit_card", "credit_card", "200")
	h.account("Depot", "investment", "brokerage", "2500")
	h.trade("VWCE", "2026-03-02", "10", "100")
	h.trade("AAPL", "2026-03-03", "2.5", "200")
	return h
}

func (h *fixture) category(name, parent, class string) {
	h.tb.Helper()
	in := catalog.CategoryInput{Name: ledger.Some(name), Classification: ledger.Some(class)}
	if parent != "" {
		in.ParentID = ledger.Some(h.categories[parent])
	}
	c := must[catalog.Category](h.tb)(h.Labels.CreateCategory(h.tb.Context(), h.who, in))
	h.categories[name] = uuid.UUID(c.PublicID)
}

func (h *fixture) account(name, kind, subtype, balance string) {
	h.tb.Helper()
	in := catalog.AccountInput{Name: ledger.Some(name), AccountType: ledger.Some(kind),
		Balance: ledger.Some(decimal.RequireFromString(balance)), Date: ledger.Some(ledger.NewDate(2023, 12, 31))}
	if subtype != "" {
		in.Subtype = ledger.Some(subtype)
	}
	a := must[catalog.Account](h.tb)(h.Accounts.CreateAccount(h.tb.Context(), h.who, in))
	h.accounts[name] = uuid.UUID(a.PublicID)
}

func (h *fixture) trade(ticker, day, quantity, price string) {
	h.tb.Helper()
	must[trade.Booked](h.tb)(h.Trades.CreateTrade(h.tb.Context(), h.who,
		trade.Input{AccountID: ledger.Some(h.accounts["Depot"]), Type: ledger.Some("buy"), Date: ledger.Some(h.day(day)),
			Quantity: ledger.Some(decimal.RequireFromString(quantity)), Price: ledger.Some(decimal.RequireFromString(price)), ManualTicker: ledger.Some(ticker)}))
}

func (h *fixture) day(text string) ledger.Date {
	h.tb.Helper()
	return must[ledger.Date](h.tb)(ledger.ParseDate(text))
}

// prompt is a conversation in which a person has asked questions, one after the other.
func (h *fixture) prompt(asked ...string) model.Prompt {
	p := model.Prompt{Who: h.who, Today: h.today,
		Turns: []model.Turn{{Role: model.RoleSystem, Text: "You are an assistant."}}}
	for i, text := range asked {
		p.Turns = append(p.Turns, model.Turn{Role: model.RoleUser, Text: text})
		if i < len(asked)-1 {
			p.Turns = append(p.Turns, model.Turn{Role: model.RoleAssistant, Text: "An answer."})
		}
	}
	return p
}

// reply is what the engine says to questions.
func (h *fixture) reply(asked ...string) model.Reply {
	h.tb.Helper()
	var said strings.Builder
	r := must[model.Reply](h.tb)(h.Reply(h.tb.Context(), h.prompt(asked...),
		func(text string) error { said.WriteString(text); return nil }))
	if said.String() != r.Text || r.Model != model.Builtin {
		h.tb.Errorf("%q of %s was said to be %q", said.String(), r.Model, r.Text)
	}
	return r
}

// shortly writes calls so that a table can have them: the tool without "get_", the days, the other arguments by name.
func shortly(tb testing.TB, calls []model.Call) string {
	tb.Helper()
	var list []string
	for _, c := range calls {
		var arguments map[string]any
		if err := json.Unmarshal(c.Arguments, &arguments); err != nil {
			tb.Fatalf("%s: %v", c.Arguments, err)
		}
		text := strings.TrimPrefix(c.Name, "get_")
		if arguments["end_date"] != nil {
			text += fmt.Sprint(" ", arguments["start_date"], "..", arguments["end_date"])
		}
		if arguments["group_by"] == "none" {
			delete(arguments, "group_by")
		}
		delete(arguments, "start_date")
		delete(arguments, "end_date")
		var rest []string
		for name, value := range arguments {
			rest = append(rest, fmt.Sprint(" ", name, "=", value))
		}
		slices.Sort(rest)
		list = append(list, strings.ReplaceAll(text+strings.Join(rest, ""), "<nil>", ""))
	}
	return strings.Join(list, " | ")
}

func TestEngineName(t *testing.T) {
	t.Parallel()
	if e := engine.New(nil); e.Name() != "builtin" || e.Host() != "" {
		t.Errorf("got %s at %s, want builtin at no host", e.Name(), e.Host())
	}
}

func TestEngineStopsWithItsListener(t *testing.T) {
	t.Parallel()
	h := newEmptyFixture(t)
	gone := context.Canceled
	if _, err := h.Reply(t.Context(), h.prompt("hello"), func(string) error { return gone }); err != gone {
		t.Errorf("got %v, want the error of who listens", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Reply(ctx, h.prompt("net worth"), func(string) error { return nil }); err == nil {
		t.Error("got no error of a context that is over")
	}
}

// asks asks questions, each with the calls that it must lead to, which a model without tools gets as a plan.
func (h *fixture) asks(table [][2]string) {
	h.tb.Helper()
	for _, row := range table {
		r := h.reply(row[0])
		if got := shortly(h.tb, r.Calls); got != row[1] {
			h.tb.Errorf("%s\n got %s%s\nwant %s", row[0], got, r.Text, row[1])
		}
		if plan := must[[]model.Call](h.tb)(h.Plan(h.tb.Context(), h.prompt(row[0]))); shortly(h.tb, plan) != row[1] {
			h.tb.Errorf("%s: the plan is another: %s", row[0], shortly(h.tb, plan))
		}
	}
}
