// Package demo makes a household with two years of made-up data, through the calls that everybody else uses. The same
// day makes the same household, but for its key.
package demo

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"finsvc/assistant"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
)

// Owner is the address of the household's owner.
const Owner = "demo@example.org"

// Fill makes the household, with imports and chats as people make them, and returns a key.
func Fill(ctx context.Context, database *db.DB, books *books.Books, now func() time.Time,
	log *slog.Logger) (plain string, err error) {
	// Make the household.
	home, _, err := books.Tenants.CreateHousehold(ctx, ledger.Actor{Origin: ledger.OriginCLI}, tenant.HouseholdInput{
		Name: "Demo", Currency: "EUR", Locale: "en-IE", Timezone: "Europe/Dublin", OwnerEmail: Owner})
	if err != nil {
		return "", err
	}
	today := books.Today(home)
	quotes := quotes{ledger: books, who: ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginCLI},
		random: rand.New(rand.NewPCG(1, 2)), today: today, first: ledger.DateOf(today.Time().AddDate(-years, 0, 0))}
	d := &household{quotes: quotes, accounts: map[string]uuid.UUID{},
		categories: map[string]uuid.UUID{}, merchants: map[string]uuid.UUID{}, tags: map[string]uuid.UUID{}}
	for _, step := range []func(context.Context) error{d.makeRates, d.openAccounts, d.makeLabels, d.makeRules, d.live,
		d.value, d.makeSecurities, d.invest, d.putPrices} {
		if err := step(ctx); err != nil {
			return "", err
		}
	}
	im := importer.New(importer.Options{DB: database, Ledger: books, Logger: log, Now: now})
	if err := d.importFiles(ctx, im, home, filepath.Dir(database.Path())); err != nil {
		return "", fmt.Errorf("imports: %w", err)
	}
	if err := d.ask(ctx, assistant.Options{DB: database, Ledger: books, Logger: log, Now: now}); err != nil {
		return "", err
	}
	plain, _, err = books.Keys.CreateAPIKey(ctx, d.who, tenant.KeyInput{Name: "demo"})
	return plain, err
}

// silent is a terminal that shows nothing.
func silent() *term.Terminal {
	t := term.New(strings.NewReader(""), io.Discard, io.Discard, nil)
	return &t
}
