package ledger

import (
	"context"

	"finsvc/queries"
)

// The actions of a change.
const (
	ActionCreate = "create"
	ActionUpdate = "update"
	ActionDelete = "delete"
)

// Change is one row of the history: what a thing was and what it became, as its package writes it. Before is nil of
// what was created, After of what was deleted, and of what was created by anybody but an import.
type Change struct {
	ID            int64
	At            int64 // milliseconds since 1970, UTC
	Entity        Entity
	EntityID      queries.PublicID
	Action        string
	OperationID   queries.PublicID
	Before, After *string
}

// AsChange gives a row of the history.
func AsChange(row queries.Change) Change {
	return Change{row.ID, row.At, Entity(row.Entity), row.EntityID, row.Action, row.OperationID, row.Before, row.After}
}

// ChangedSince is the conflict of taking back a change of a thing that is not as that change left it: what says which
// thing, how what it is now.
func ChangedSince(what, how string) *Error {
	return NewConflict("%s has been changed since: %s. Nothing was taken back", what, how)
}

// ChangedLater reports whether a thing was changed after a change of it by anything that is still in force: what was
// taken back since, and what took it back, do not count, and neither does the rest of the same operation.
func ChangedLater(ctx context.Context, tx *Tx, change Change) (bool, error) {
	later, err := tx.ListLaterOperations(ctx, queries.ListLaterOperationsParams{HouseholdID: tx.HouseholdID,
		EntityID: change.EntityID, AfterID: change.ID})
	if err != nil {
		return false, err
	}
	inForce, seen := map[queries.PublicID]bool{}, map[queries.PublicID]bool{change.OperationID: true}
	for _, op := range later {
		if seen[op.OperationID] {
			continue // it changed the thing twice
		}
		seen[op.OperationID] = true
		switch {
		case op.Undoes != nil && inForce[*op.Undoes]:
			delete(inForce, *op.Undoes)
		default:
			inForce[op.OperationID] = true
		}
	}
	return len(inForce) > 0, nil
}
