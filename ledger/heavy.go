package ledger

import (
	"context"
	"errors"

	"finsvc/db"
)

// heavy is the context of reads that may take long: they add up or look through more than an index or a sum that is kept
// gives at once. A household has a share of the readers for them, see [db.Heavy].
func heavy(ctx context.Context, who Actor) context.Context { return db.Heavy(ctx, who.HouseholdID) }

// isHeavy reports whether a list of what the filter selects may take long. By days and one account it does not.
func (f TransactionFilter) isHeavy() bool {
	return len(f.AccountIDs) > 1 || f.Type != "" || f.Search != "" || f.CategoryIDs != nil || f.MerchantIDs != nil || f.TagIDs != nil || f.MinAmount.Has() || f.MaxAmount.Has() || f.Transfers != nil
}

// IsBusy reports whether there were too many reads that take long: the same request may succeed in a moment.
func IsBusy(err error) bool { return errors.Is(err, db.ErrBusy) }
