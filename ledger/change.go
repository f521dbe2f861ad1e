package ledger

import "finsvc/queries"

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
	Before, After *string
}

// AsChange gives a row of the history.
func AsChange(row queries.Change) Change {
	return Change{row.ID, row.At, Entity(row.Entity), row.EntityID, row.Action, row.Before, row.After}
}

// ChangedSince is the conflict of taking back a change of a thing that is not as that change left it: what says which
// thing, how what it is now.
func ChangedSince(what, how string) *Error {
	return NewConflict("%s has been changed since: %s. Nothing was taken back", what, how)
}
