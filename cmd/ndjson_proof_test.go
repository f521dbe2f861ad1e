package cmd_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/market"
	"finsvc/ledger/rule"
	"finsvc/ledger/transfer"
)

// enrich adds what newHousehold does not make: everything else that a household can have.
func enrich(t *testing.T, file string, seed uint64) {
	t.Helper()
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	g := &generator{T: t, Rand: rand.New(rand.NewPCG(seed, 2)), books: books.New(dbtest.Open(t, file), func() time.Time { return now }),
		first: ledger.NewDate(2026, 1, 20), days: 120}
	homes, err := g.books.Tenants.ListHouseholds(t.Context())
	g.must(err)
	g.who = ledger.Actor{HouseholdID: homes[0].ID, Origin: ledger.OriginCLI}
	g.accounts, _, err = g.books.Accounts.ListAccounts(t.Context(), g.who, true, ledger.Page{Number: 1, Size: 100})
	g.must(err)
	for _, fill := range []func(context.Context){g.labels, g.transferFates, g.valuationTexts, g.endings} {
		fill(t.Context())
	}
}

// oddTexts are what a text can have that a file or a reader may lose.
func oddTexts() []string {
	return []string{"plain", "=SUM(A1)", "'quoted", `"a" \ b`, "<&> \\u003c", "e\u0301 and \u00e9", "👩‍👩‍👧 family", "\u202eright to left", "zero\u200bwidth", "a\u00a0b  c",
		"line\u2028separator", "\ufeffmark", "日本語", "A:B", "comma, bar | and; more", strings.Repeat("x", 255), strings.Repeat("ä", 255)}
}

func oddNotes() []string {
	return append(oddTexts(), "two\nlines", "two\r\nlines", "\ttab first", "  blanks around  ", "\n", strings.Repeat("long ", 2000))
}

// labels makes categories of two levels, merchants with and without looks, tags, and rules that name all of them.
func (g *generator) labels(ctx context.Context) {
	for i, text := range oddTexts() {
		tag, err := g.books.Labels.CreateTag(ctx, g.who, catalog.TagInput{Name: ledger.Some(text), Color: ledger.Some(fmt.Sprintf("#%06x", i*4099))})
		g.must(err)
		in := catalog.MerchantInput{Name: ledger.Some(text)}
		if i%2 == 0 {
			in.Color, in.WebsiteURL = ledger.Some("#a1b2c3"), ledger.Some("https://shop.example/"+fmt.Sprint(i))
		}
		merchant, err := g.books.Labels.CreateMerchant(ctx, g.who, in)
		g.must(err)
		parent, err := g.books.Labels.CreateCategory(ctx, g.who, catalog.CategoryInput{Name: ledger.Some(text), Classification: ledger.Some(some(g, "income", "expense"))})
		g.must(err)
		child, err := g.books.Labels.CreateCategory(ctx, g.who, catalog.CategoryInput{Name: ledger.Some("below"), ParentID: ledger.Some(uuid.UUID(parent.PublicID))})
		g.must(err)
		ids := []uuid.UUID{uuid.UUID(tag.PublicID), uuid.UUID(merchant.PublicID), uuid.UUID(child.PublicID)}
		g.labelled(ctx, i, text, ids)
		if i%5 == 0 {
			g.rule(ctx, i, text, ids)
		}
	}
}

// labelled books transactions with labels, of which the second is split.
func (g *generator) labelled(ctx context.Context, i int, text string, ids []uuid.UUID) {
	in := entry.TransactionInput{AccountID: g.account(), Date: ledger.Some(g.day()), Amount: ledger.Some(decimal.New(1700, -2)), Currency: ledger.Some("EUR"),
		Name: ledger.Some(text), Notes: ledger.Some(oddNotes()[i]), TagIDs: ledger.Some(ids[:1]), MerchantID: ledger.Some(ids[1]), CategoryID: ledger.Some(ids[2]),
		ExternalID: ledger.Some(fmt.Sprint("ext-", i)), Source: ledger.Some("bank")}
	_, _, err := g.books.Entries.CreateTransaction(ctx, g.who, in)
	g.must(err)
	in.CategoryID, in.ExternalID, in.Source, in.Notes = ledger.Opt[uuid.UUID]{}, ledger.Opt[string]{}, ledger.Opt[string]{}, ledger.Some(oddNotes()[len(oddNotes())-1-i])
	in.SplitLines = ledger.Some([]entry.SplitLineInput{{Amount: ledger.Some(decimal.New(2000, -2)), Name: ledger.Some(text), Notes: ledger.Some(text),
		CategoryID: ledger.Some(ids[2]), MerchantID: ledger.Some(ids[1]), TagIDs: ledger.Some(ids[:1])}, {Amount: ledger.Some(decimal.New(-300, -2))}})
	_, _, err = g.books.Entries.CreateTransaction(ctx, g.who, in)
	g.must(err)
}

func (g *generator) rule(ctx context.Context, i int, text string, ids []uuid.UUID) {
	in := rule.Input{ResourceType: ledger.Some("transaction"), Active: ledger.Some(i%2 == 0),
		Conditions: ledger.Some([]rule.Condition{{Type: "compound", Operator: "or", Conditions: []rule.Condition{
			{Type: "transaction_merchant", Operator: "=", Value: ids[1].String()}, {Type: "transaction_name", Operator: "like", Value: text}}},
			{Type: "transaction_amount", Operator: ">", Value: "20.5"}}),
		Actions: ledger.Some([]rule.Action{{Type: "set_transaction_category", Value: ids[2].String()}, {Type: "set_transaction_tags", Value: ids[0].String()}})}
	if i > 0 {
		in.Name, in.EffectiveDate = ledger.Some(text), ledger.Some(g.day())
	}
	_, err := g.books.Rules.CreateRule(ctx, g.who, in)
	g.must(err)
}

// transferFates confirms some of the transfers that were found, with notes, and rejects others.
func (g *generator) transferFates(ctx context.Context) {
	list, _, err := g.books.Transfers.ListTransfers(ctx, g.who, transfer.Filter{}, ledger.Page{Number: 1, Size: 100})
	g.must(err)
	for i, f := range list {
		switch i % 3 {
		case 0:
			_, err = g.books.Transfers.UpdateTransfer(ctx, g.who, uuid.UUID(f.PublicID), transfer.Input{Status: ledger.Some("confirmed"), Notes: ledger.Some(some(g, oddNotes()...))})
		case 1:
			_, err = g.books.Transfers.RejectTransfer(ctx, g.who, uuid.UUID(f.PublicID))
		}
		g.must(err)
	}
	if len(list) < 6 {
		g.Fatalf("only %d transfers were found", len(list))
	}
}

func (g *generator) valuationTexts(ctx context.Context) {
	for _, text := range oddNotes() {
		_, _, err := g.books.Accounts.CreateValuation(ctx, g.who, catalog.ValuationInput{AccountID: g.account(), Date: ledger.Some(g.day()),
			Amount: ledger.Some(decimal.New(g.Int64N(50_000), 0)), Notes: ledger.Some(text)})
		g.must(err)
	}
}

// endings disables an account, gives one all that an account can have, and leaves one without entries.
func (g *generator) endings(ctx context.Context) {
	change := func(a catalog.Account, in catalog.AccountInput) {
		_, err := g.books.Accounts.UpdateAccount(ctx, g.who, uuid.UUID(a.PublicID), in)
		g.must(err)
	}
	change(g.accounts[0], catalog.AccountInput{Status: ledger.Some("disabled")})
	change(g.accounts[1], catalog.AccountInput{Notes: ledger.Some("two\nlines"), InstitutionName: ledger.Some("A  Bank"), InstitutionDomain: ledger.Some("bank.example")})
	_, err := g.books.Accounts.CreateAccount(ctx, g.who, catalog.AccountInput{Name: ledger.Some("empty"), AccountType: ledger.Some("vehicle"), Currency: ledger.Some("JPY")})
	g.must(err)
	_, err = g.books.Market.CreateSecurity(ctx, g.who, market.SecurityInput{Ticker: ledger.Some("HOME"), Name: ledger.Some("Never traded"), Manual: ledger.Some(true)})
	g.must(err)
}

// TestNDJSONRoundTrip: what is exported, read into an empty file and exported again is the same, byte for byte.
func TestNDJSONRoundTrip(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			s, copied := newCommandLine(t), newCommandLine(t)
			s.file = dbtest.Path(t)
			newHousehold(t, s.file, seed)
			enrich(t, s.file, seed)
			name := filepath.Join(t.TempDir(), "home.ndjson")
			s.ok("export", "ndjson", "--verify", "-o", name)
			copied.ok("household", "create", "Copy", "--owner", "ana@example.org", "--currency", "EUR", "--timezone", "UTC", "--no-categories")
			if got := copied.run("import", name, "--type", "ServiceImport", "--yes"); got.status != 0 {
				t.Fatalf("status %d: %s", got.status, got.stderr)
			}
			first, second := s.ok("export", "ndjson", "--canonical"), copied.ok("export", "ndjson", "--canonical")
			if first != second || strings.Count(first, "\n") < 500 {
				t.Errorf("%d lines: %s", strings.Count(first, "\n"), cmp.Diff(strings.Split(first, "\n"), strings.Split(second, "\n")))
			}
		})
	}
}
