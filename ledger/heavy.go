package ledger

import (
	"context"
	"errors"

	"finsvc/db"
)

// Heavy is the context of reads that may take long: they add up or look through more than an index or a sum that is
// kept gives at once. A household has a share of the readers for them, see [db.Heavy].
func Heavy(ctx context.Context, who Actor) context.Context { return db.Heavy(ctx, who.HouseholdID) }

// IsBusy reports whether there were too many reads that take long: the same request may succeed in a moment.
func IsBusy(err error) bool { return errors.Is(err, db.ErrBusy) }
