// Package demo makes a household with two years of made-up data, through the calls that everybody else uses. The same
// day makes the same household, but for its key.
package demo

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"finsvc/assistant"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/importer"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
)

// Fill makes the household, with imports and chats as people make them, and returns a key.
func Fill(ctx context.Context, database *db.DB, books *books.Books, now func() time.Time,
	log *slog.Logger) (plain string, err error) {
	d, home, err := makeHousehold(ctx, books)
	if err != nil {
		return "", err
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
