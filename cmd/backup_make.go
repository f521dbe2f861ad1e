package cmd

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"finsvc/db"
	"finsvc/ledger"
)

// What may come of a copy that was made and kept.
var (
	errBadCopy  = errors.New("the copy is damaged")
	errUnproved = errors.New("the copy is not proved: the books of a household in it do not add up")
	// errUnchecked is of an inspection that ended before its time, as when memory ran out: it says nothing of the copy.
	errUnchecked = errors.New("the copy could not be checked")
)

// inspection looks a copy through.
type inspection func(ctx context.Context, file string) (copyReport, error)

// makeCopy copies the database to a new file, looks the copy through, and only then gives it its name. A copy that is
// damaged is kept under a name that says so, with [errBadCopy]; so is one of which the books of a household could not be proved, with
// [errUnproved]: it is all that the others have. On any other error nothing stays. Progress may be nil.
func makeCopy(ctx context.Context, d *db.DB, path string, progress func(done, total int), look inspection) (copyReport, error) {
	started := time.Now()
	if err := absent(path); err != nil {
		return copyReport{}, err
	}
	part := path + db.Unfinished
	if err := d.CopyTo(ctx, part, progress); err != nil {
		return copyReport{}, err
	}
	r, err := look(ctx, part)
	if errors.Is(err, errUnchecked) && ctx.Err() == nil {
		r.Unproved, err = append(r.Unproved, err.Error()), nil
	}
	if err == nil && len(r.Defects) > 0 {
		r.Path = path + db.Damaged
		return r, errors.Join(errBadCopy, db.MoveTo(part, r.Path))
	}
	r.Path, r.Milliseconds = path, time.Since(started).Milliseconds()
	if len(r.Unproved) > 0 {
		r.Path += db.Unproved
	}
	if err == nil {
		err = nameCopy(ctx, part, r.Path)
	}
	if err != nil {
		return r, errors.Join(err, db.Discard(part))
	}
	if len(r.Unproved) > 0 {
		return r, errUnproved
	}
	return r, nil
}

// nameCopy gives a copy whose pages were found good its name, and has its checksum beside it. On an error it has neither.
func nameCopy(ctx context.Context, part, path string) error {
	err := writeChecksum(ctx, part, path)
	if err == nil {
		err = db.MoveTo(part, path)
	}
	if err != nil {
		return errors.Join(db.CannotWrite(path, err), db.Discard(path+checksumEnding))
	}
	return nil
}

func absent(path string) error {
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return ledger.NewConflict("%s is there already. Name another file, or remove it first", path)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}
