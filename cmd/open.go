package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"finsvc/cmd/copies"
	"finsvc/cmd/exit"
	"finsvc/cmd/lock"
	"finsvc/cmd/shell"
	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/books"
)

// withLedger opens the database file, which must exist, for the time of a command.
func (a *app) withLedger(ctx context.Context, do func(*books.Books) error) error {
	return a.withDatabase(ctx, func(_ *db.DB, books *books.Books) error { return do(books) }, db.Briefly())
}

// withDatabase is withLedger for what works on the database beside the ledger.
func (a *app) withDatabase(ctx context.Context, do func(*db.DB, *books.Books) error, options ...db.Option) error {
	if err := a.needFile(); err != nil {
		return err
	}
	return a.withNewDatabase(ctx, do, options...)
}

func (a *app) needFile() error {
	if err := lock.CheckPlace(a.config.Data); err != nil {
		return err
	}
	if _, err := os.Stat(a.config.Data); errors.Is(err, fs.ErrNotExist) {
		return &ledger.Error{Kind: ledger.NotFound, Code: "not_found",
			Message: fmt.Sprintf("there is no database %s. Name one with --data, or make one: finsvc apikey create",
				a.config.Data)}
	}
	return nil
}

// withNewLedger opens the database file, creating it where there is none, for the time of a command.
func (a *app) withNewLedger(ctx context.Context, do func(*books.Books) error) error {
	return a.withNewDatabase(ctx, func(_ *db.DB, books *books.Books) error { return do(books) })
}

func (a *app) withNewDatabase(ctx context.Context, do func(*db.DB, *books.Books) error, options ...db.Option) error {
	if err := errors.Join(lock.CheckPlace(a.config.Data), a.copies().RefuseBeginning(a.config.Data)); err != nil {
		return err
	}
	locked := func() (release func() error, owner string, err error) { return lock.ForUpgrade(a.config.Data) }
	options = append(append(options, a.openOptions()...), db.WithServerLock(locked))
	database, err := db.Open(ctx, a.config.Data, options...)
	if err != nil {
		return err
	}
	return errors.Join(do(database, books.New(database, a.now)), database.Close())
}

// openOptions are how the database is opened for writing: an upgrade copies the file first.
func (a *app) openOptions() []db.Option {
	return append([]db.Option{db.WithCopies(a.config.Backup.Dir)}, a.migrations...)
}

// copies is the folder with the copies of the database.
func (a *app) copies() copies.Folder {
	return copies.NewFolder(a.config.Data, a.config.Backup.Dir, a.now)
}

// inspector looks through copies of the database.
func (a *app) inspector() copies.Inspector {
	return copies.Inspector{Data: a.config.Data, Now: a.now, Migrations: a.migrations}
}

// warnings is the log of a command: people are told what goes wrong, and nothing else.
func (a *app) warnings() *slog.Logger {
	return slog.New(slog.NewTextHandler(a.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// inHousehold opens the database file and chooses the household to work in.
func (a *app) inHousehold(c *cobra.Command, name string, do func(l *books.Books, who ledger.Actor) error) error {
	return a.withLedger(c.Context(), func(l *books.Books) error {
		home, err := chooseHousehold(c.Context(), l, name)
		if err != nil {
			return err
		}
		return do(l, actor(home.ID))
	})
}

// inAnyHousehold is inHousehold for what helps a household without active users, too.
func (a *app) inAnyHousehold(c *cobra.Command, name string, do func(l *books.Books, who ledger.Actor) error) error {
	return a.withLedger(c.Context(), func(l *books.Books) error {
		home, err := chooseAnyHousehold(c.Context(), l, name)
		if err != nil {
			return err
		}
		return do(l, actor(home.ID))
	})
}

// shell is what commands in packages of their own are given.
func (a *app) shell() shell.Shell {
	return shell.Shell{Terminal: &a.Terminal, InHousehold: a.inHousehold, OnSameFile: a.onSameFile}
}

// actor is who acts on the command line: whoever holds the file.
func actor(householdID int64) ledger.Actor {
	return ledger.Actor{HouseholdID: householdID, Origin: ledger.OriginCLI}
}

// chooseHousehold is the household of that name, whatever its case, or the only one when none is named.
func chooseHousehold(ctx context.Context, l *books.Books, name string) (ledger.Household, error) {
	all, err := l.Tenants.ListHouseholds(ctx)
	if err != nil {
		return ledger.Household{}, err
	}
	var candidates []ledger.Household
	for _, home := range all {
		if name == "" && !home.Abandoned() || ledger.Fold(home.Name) == ledger.Fold(name) {
			candidates = append(candidates, home)
		}
	}
	switch {
	case len(candidates) == 1:
		return candidates[0], nil
	case len(candidates) > 1:
		return ledger.Household{}, exit.Usagef("there are several households; name one with --household: %s",
			householdNames(candidates))
	case len(all) == 0:
		return ledger.Household{}, &ledger.Error{Kind: ledger.NotFound, Code: "not_found",
			Message: "there is no household yet; make one and its first key: finsvc apikey create"}
	case name == "":
		return ledger.Household{}, ledger.NewConflict("all users of %s are deactivated; bring one back: finsvc user restore EMAIL. Their addresses: finsvc user list", householdNames(all))
	}
	return ledger.Household{}, ledger.NewNotFound("Household " + ledger.Quote(name))
}

// chooseAnyHousehold is chooseHousehold where none needs to have active users.
func chooseAnyHousehold(ctx context.Context, l *books.Books, name string) (ledger.Household, error) {
	home, err := chooseHousehold(ctx, l, name)
	if name != "" || !ledger.IsKind(err, ledger.Conflict) {
		return home, err
	}
	all, err := l.Tenants.ListHouseholds(ctx)
	switch {
	case err != nil:
		return ledger.Household{}, err
	case len(all) > 1:
		return ledger.Household{}, exit.Usagef("all users of %s are deactivated; name one of these households with --household", householdNames(all))
	}
	return all[0], nil
}

func householdNames(homes []ledger.Household) string {
	var out []string
	for _, home := range homes {
		out = append(out, ledger.Quote(home.Name))
	}
	return strings.Join(out, ", ")
}
