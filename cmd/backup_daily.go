package cmd

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"time"

	"finsvc/db"
	"finsvc/ledger"
)

// How often a server looks whether a copy is due, and how long it waits after one failed or there was nothing new.
const (
	dueEvery   = time.Minute
	retryAfter = time.Hour
)

// copier makes copies of a served database from time to time.
type copier struct {
	app      *app
	database *db.DB
	books    *ledger.Ledger
	log      *slog.Logger
	next     time.Time // with the clock that nobody sets
	version  int64     // of the data when it was copied last
}

// newCopier makes the first copy when the newest one there is has the age for it: starts do not multiply them.
func (a *app) newCopier(database *db.DB, books *ledger.Ledger, log *slog.Logger) *copier {
	k := &copier{app: a, database: database, books: books, log: log, next: a.now()}
	if last, ok := a.lastCopy(); ok {
		k.next = k.next.Add(time.Duration(a.config.Backup.Every) - max(0, a.now().Sub(last)))
	}
	return k
}

// look makes a copy when one is due, there is a household, and something was committed since the last.
func (k *copier) look(ctx context.Context) error {
	if k.app.config.Backup.Every == 0 || k.app.now().Before(k.next) {
		return nil
	}
	if k.database.Displaced() != nil {
		return nil // which has a copy of its own; and the folder for copies would be made where the file was
	}
	k.next = k.app.now().Add(min(retryAfter, time.Duration(k.app.config.Backup.Every)))
	version, err := k.database.Version(ctx)
	if err != nil || version == k.version {
		return err
	}
	if homes, err := k.books.ListHouseholds(ctx); err != nil || len(homes) == 0 {
		return err
	}
	if err := k.copy(ctx); err != nil {
		return err
	}
	k.version, k.next = version, k.app.now().Add(time.Duration(k.app.config.Backup.Every))
	return nil
}

// copy makes one and removes those that are too many.
func (k *copier) copy(ctx context.Context) error {
	path, err := k.app.newCopyPath(k.app.backupFolder())
	if err != nil {
		return err
	}
	r, err := k.app.makeCopy(ctx, k.database, path, nil, k.app.inspectApart)
	for _, defect := range r.Defects[:min(len(r.Defects), maxSaidDefects)] {
		k.log.Error("defect", "file", r.Path, "defect", defect)
	}
	for _, problem := range r.Unproved[:min(len(r.Unproved), maxSaidDefects)] {
		k.log.Error("not proved", "file", r.Path, "problem", problem)
	}
	switch {
	case errors.Is(err, errBadCopy):
		return errors.Join(err, k.app.pruneBad(filepath.Dir(path)))
	case errors.Is(err, errUnproved): // it is a copy for all that, and the next one would be no better
		k.log.Error("database copied; the copy is not proved, see: finsvc doctor", "file", r.Path, "bytes", r.Size)
		return k.app.pruneUnproved(filepath.Dir(path), k.app.config.Backup.Keep.value)
	case err != nil:
		return err
	}
	k.log.Info("database copied", "file", r.Path, "bytes", r.Size, "transactions", r.Transactions, "balances", r.Balances, "ms", r.Milliseconds)
	return k.app.prune(filepath.Dir(path), path, k.app.config.Backup.Keep.value)
}
