package ledger

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/queries"
)

// Lists have the parts of a split transaction in its place, each with an id of its own. What a part has not been given
// itself it has of the whole: the name, the notes and the merchant; and it has the tags of the whole besides its own.
// Where one part gives up what it has of the whole, the whole gives it up as well, and all other parts keep it as
// theirs.

// FindPart finds a part by its id; found is false where there is none.
func FindPart(ctx context.Context, tx *Tx, id uuid.UUID) (part queries.FindPartRow, found bool, err error) {
	part, err = tx.FindPart(ctx, queries.FindPartParams{PublicID: queries.PublicID(id), HouseholdID: tx.HouseholdID})
	if errors.Is(err, db.ErrNotFound) {
		return part, false, nil
	}
	return part, err == nil, err
}

// NotPart says of an id that no transaction has that it is a part's, if it is, and what to do instead.
func NotPart(ctx context.Context, tx *Tx, id uuid.UUID, err error, field, instead string) error {
	if !IsKind(err, NotFound) {
		return err
	}
	part, found, failed := FindPart(ctx, tx, id)
	switch {
	case failed != nil:
		return failed
	case found:
		return NewInvalid(field, "is that of a part of the split transaction %s: %s", uuid.UUID(part.PublicID), instead)
	}
	return err
}

func GetTransaction(ctx context.Context, tx *Tx, id uuid.UUID) (queries.Transaction, error) {
	t, err := tx.GetTransaction(ctx, queries.GetTransactionParams{PublicID: queries.PublicID(id),
		HouseholdID: tx.HouseholdID})
	return t, Missing(err, "Transaction")
}
