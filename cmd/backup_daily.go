package cmd

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"finsvc/db"
	"finsvc/ledger"
)

// How often a server looks whether a copy is due, and how long it waits after one failed or there was nothing new.
const (
	dueEvery   = time.Minute
	retryAfter = time.Hour
)

// schedule makes copies of a served database from time to time.
type schedule struct {
	folder   copyFolder
	inspect  inspection
	every    time.Duration // 0: never
	keep     int
	database *db.DB
	books    *ledger.Ledger
	log      *slog.Logger

	next    time.Time // with the clock that nobody sets
	version int64     // of the data when it was copied last
}

// begin has the first copy made when the newest one there is has the age for it: starts do not multiply them.
func (s *schedule) begin() {
	s.next = s.folder.now()
	if last, ok := s.folder.lastCopy(); ok {
		s.next = s.next.Add(s.every - max(0, s.folder.now().Sub(last)))
	}
}

// tick makes a copy when one is due, there is a household, and something was committed since the last.
func (s *schedule) tick(ctx context.Context) error {
	if s.every == 0 || s.folder.now().Before(s.next) {
		return nil
	}
	if s.database.Displaced() != nil {
		return nil // which has a copy of its own; and the folder for copies would be made where the file was
	}
	s.next = s.folder.now().Add(min(retryAfter, s.every))
	version, err := s.database.Version(ctx)
	if err != nil || version == s.version {
		return err
	}
	homes, err := s.books.ListHouseholds(ctx)
	if err != nil || len(homes) == 0 {
		return err
	}
	if err := s.copy(ctx); err != nil {
		return err
	}
	s.version, s.next = version, s.folder.now().Add(s.every)
	return nil
}

// copy makes one and removes those that are too many.
func (s *schedule) copy(ctx context.Context) error {
	path, err := s.folder.newPath()
	if err != nil {
		return err
	}
	r, err := makeCopy(ctx, s.database, path, nil, s.inspect)
	for _, defect := range r.Defects[:min(len(r.Defects), maxSaidDefects)] {
		s.log.Error("defect", "file", r.Path, "defect", defect)
	}
	for _, problem := range r.Unproved[:min(len(r.Unproved), maxSaidDefects)] {
		s.log.Error("not proved", "file", r.Path, "problem", problem)
	}
	switch {
	case errors.Is(err, errBadCopy):
		return errors.Join(err, s.folder.pruneBad())
	case errors.Is(err, errUnproved): // it is a copy for all that, and the next one would be no better
		s.log.Error("database copied; the copy is not proved, see: finsvc doctor", "file", r.Path, "bytes", r.Size)
		return s.folder.pruneUnproved(s.keep)
	case err != nil:
		return err
	}
	s.log.Info("database copied", "file", r.Path, "bytes", r.Size, "transactions", r.Transactions, "balances", r.Balances, "ms", r.Milliseconds)
	return s.folder.prune(path, s.keep)
}

// newSchedule is the schedule of the settings.
func newSchedule(a *app, database *db.DB, books *ledger.Ledger, log *slog.Logger) *schedule {
	inspect := a.inspector().inspectWhole
	if self := ownCommand("backup", "verify"); self != nil {
		inspect = inspectApart(self, a.config.Data)
	}
	s := &schedule{folder: a.copies(), inspect: inspect, every: time.Duration(a.config.Backup.Every), keep: a.config.Backup.Keep.value,
		database: database, books: books, log: log}
	s.begin()
	return s
}
