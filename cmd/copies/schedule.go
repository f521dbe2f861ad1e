package copies

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"finsvc/db"
	bookspkg "finsvc/ledger/books"
)

// How often a server looks whether a copy is due, and how long it waits after one failed or there was nothing new.
const (
	DueEvery   = time.Minute
	retryAfter = time.Hour
)

// Schedule makes copies of a served database from time to time.
type Schedule struct {
	Folder   Folder
	Inspect  Inspection
	Every    time.Duration // 0: never
	Keep     int
	Database *db.DB
	Books    *bookspkg.Books
	Log      *slog.Logger

	next    time.Time // with the clock that nobody sets
	version int64     // of the data when it was copied last
}

// Begin has the first copy made when the newest one there is has the age for it: starts do not multiply them.
func (s *Schedule) Begin() {
	s.next = s.Folder.now()
	if last, ok := s.Folder.lastCopy(); ok {
		s.next = s.next.Add(s.Every - max(0, s.Folder.now().Sub(last)))
	}
}

// Tick makes a copy when one is due, there is a household, and something was committed since the last.
func (s *Schedule) Tick(ctx context.Context) error {
	if s.Every == 0 || s.Folder.now().Before(s.next) {
		return nil
	}
	if s.Database.Displaced() != nil {
		return nil // which has a copy of its own; and the folder for copies would be made where the file was
	}
	s.next = s.Folder.now().Add(min(retryAfter, s.Every))
	version, err := s.Database.Version(ctx)
	if err != nil || version == s.version {
		return err
	}
	homes, err := s.Books.Tenants.ListHouseholds(ctx)
	if err != nil || len(homes) == 0 {
		return err
	}
	if err := s.copy(ctx); err != nil {
		return err
	}
	s.version, s.next = version, s.Folder.now().Add(s.Every)
	return nil
}

// copy makes one and removes those that are too many.
func (s *Schedule) copy(ctx context.Context) error {
	path, err := s.Folder.NewPath()
	if err != nil {
		return err
	}
	r, err := Make(ctx, s.Database, path, nil, s.Inspect)
	for _, defect := range r.Defects[:min(len(r.Defects), MaxSaidDefects)] {
		s.Log.Error("defect", "file", r.Path, "defect", defect)
	}
	for _, problem := range r.Unproved[:min(len(r.Unproved), MaxSaidDefects)] {
		s.Log.Error("not proved", "file", r.Path, "problem", problem)
	}
	switch {
	case errors.Is(err, ErrDamaged):
		return errors.Join(err, s.Folder.pruneBad())
	case errors.Is(err, ErrUnproved): // it is a copy for all that, and the next one would be no better
		s.Log.Error("database copied; the copy is not proved, see: finsvc doctor", "file", r.Path, "bytes", r.Size)
		return s.Folder.PruneUnproved(s.Keep)
	case err != nil:
		return err
	}
	s.Log.Info("database copied", "file", r.Path, "bytes", r.Size, "transactions", r.Transactions, "balances",
		r.Balances, "ms", r.Milliseconds)
	return s.Folder.Prune(path, s.Keep)
}
