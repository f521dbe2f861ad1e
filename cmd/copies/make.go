package copies

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
	ErrDamaged  = errors.New("the copy is damaged")
	ErrUnproved = errors.New("the copy is not proved: the books of a household in it do not add up")
	// errUnchecked is of an inspection that ended before its time, as when memory ran out: it says nothing of the copy.
	errUnchecked = errors.New("the copy could not be checked")
)

// Inspection looks a copy through.
type Inspection func(ctx context.Context, file string) (Report, error)

// Make copies the database to a new file, looks the copy through, and only then gives it its name. A copy that is
// damaged is kept under a name that says so, with [ErrDamaged]; so is one of which the books of a household could not
// be proved, with [ErrUnproved]: it is all that the others have. On any other error nothing stays. Progress may be nil.
func Make(ctx context.Context, d *db.DB, path string, progress func(done, total int), look Inspection) (Report, error) {
	started := time.Now()
	if err := absent(path); err != nil {
		return Report{}, err
	}
	part := path + db.Unfinished
	if err := d.CopyTo(ctx, part, progress); err != nil {
		return Report{}, err
	}
	r, err := look(ctx, part)
	if errors.Is(err, errUnchecked) && ctx.Err() == nil {
		r.Unproved, err = append(r.Unproved, err.Error()), nil
	}
	if err == nil && len(r.Defects) > 0 {
		r.Path = path + db.Damaged
		return r, errors.Join(ErrDamaged, db.MoveTo(part, r.Path))
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
		return r, ErrUnproved
	}
	return r, nil
}

// nameCopy gives a copy whose pages were found good its name, and has its checksum beside it. On an error it has
// neither.
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
