// Package demo makes a household with two years of made-up data, through the calls that everybody else uses. The same
// day makes the same household, but for its key.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
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
	"finsvc/ledger/signin"
	"finsvc/ledger/tenant"
)

// Owner is the address of the household's owner.
const Owner = "demo@example.org"

// Fill makes the household, see [Furnish], and returns a key.
func Fill(ctx context.Context, database *db.DB, books *books.Books, now func() time.Time,
	log *slog.Logger) (plain string, err error) {
	// Make the household.
	home, owner, err := books.Tenants.CreateHousehold(ctx, ledger.Actor{Origin: ledger.OriginCLI}, tenant.HouseholdInput{
		Name: "Demo", Currency: "EUR", Locale: "en-IE", Timezone: "Europe/Dublin", OwnerEmail: Owner})
	if err != nil {
		return "", err
	}
	if err := Furnish(ctx, database, books, home, now, log); err != nil {
		return "", err
	}
	prefs := signin.DefaultPreferences()
	prefs.Demo = true
	session := &signin.Session{Actor: ledger.Actor{HouseholdID: home.ID, UserID: owner.ID, Origin: ledger.OriginCLI}}
	if err := books.SignIn.SetPreferences(ctx, session, prefs); err != nil {
		return "", err
	}
	plain, _, err = books.Keys.CreateAPIKey(ctx, ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginCLI}, tenant.KeyInput{Name: "demo"})
	return plain, err
}

// Furnish fills a household that is empty but for the usual categories, with imports and chats as people make them. The
// rates that it makes up are those of the whole file.
func Furnish(ctx context.Context, database *db.DB, books *books.Books, home ledger.Household, now func() time.Time,
	log *slog.Logger) (err error) {
	today := books.Today(home)
	quotes := quotes{ledger: books, who: ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginCLI},
		random: rand.New(rand.NewPCG(1, 2)), today: today, first: ledger.DateOf(today.Time().AddDate(-years, 0, 0))}
	d := &household{quotes: quotes, accounts: map[string]uuid.UUID{},
		categories: map[string]uuid.UUID{}, merchants: map[string]uuid.UUID{}, tags: map[string]uuid.UUID{}}
	for _, step := range []func(context.Context) error{d.makeRates, d.openAccounts, d.makeLabels, d.makeRules, d.live,
		d.value, d.makeSecurities, d.invest, d.putPrices} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	im := importer.New(importer.Options{DB: database, Ledger: books, Logger: log, Now: now})
	folder, err := os.MkdirTemp(filepath.Dir(database.Path()), ".finsvc-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := d.importFiles(ctx, im, home, folder); err != nil {
		return fmt.Errorf("imports: %w", err)
	}
	return d.ask(ctx, assistant.Options{DB: database, Ledger: books, Logger: log, Now: now})
}

// silent is a terminal that shows nothing.
func silent() *term.Terminal {
	t := term.New(strings.NewReader(""), io.Discard, io.Discard, nil)
	return &t
}
