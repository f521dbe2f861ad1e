package ledger

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

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

// WithoutChange gives a row without a change of it: the columns that the change gave another value have the one from
// before again, all others are as they are. Where one of them has been changed since it is a conflict, and what says of
// which thing. Columns in aside follow from others and are left alone, as is when the row was changed.
func WithoutChange[T any](now T, change Change, what string, aside ...string) (T, error) {
	var was, is map[string]json.RawMessage
	if change.Before == nil || change.After == nil {
		return now, ChangedSince(what, "what it was is not known")
	}
	if err := json.Unmarshal([]byte(*change.Before), &was); err != nil {
		return now, err
	}
	if err := json.Unmarshal([]byte(*change.After), &is); err != nil {
		return now, err
	}
	text, err := json.Marshal(now)
	if err != nil {
		return now, err
	}
	columns := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &columns); err != nil {
		return now, err
	}
	var differ []string
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if name == "UpdatedAt" || slices.Contains(aside, name) || string(was[name]) == string(is[name]) {
			continue
		}
		if string(columns[name]) != string(is[name]) {
			differ = append(differ, columnInWords(name))
		}
		columns[name] = was[name]
	}
	if len(differ) > 0 {
		return now, ChangedSince(what, strings.Join(differ, ", "))
	}
	text, err = json.Marshal(columns)
	if err != nil {
		return now, err
	}
	var then T
	err = json.Unmarshal(text, &then)
	return then, err
}

// columnInWords is a name such as ActivityLabel or CategoryID as people say it: activity label, category.
func columnInWords(name string) string {
	var words strings.Builder
	for i, r := range strings.TrimSuffix(name, "ID") {
		if unicode.IsUpper(r) && i > 0 {
			words.WriteByte(' ')
		}
		words.WriteRune(unicode.ToLower(r))
	}
	return words.String()
}

// ReadDeleted reads what the history keeps of a row that was deleted.
func ReadDeleted[T any](change Change, what string) (row T, err error) {
	if change.Before == nil {
		return row, ChangedSince(what, "what it was is not known")
	}
	err = json.Unmarshal([]byte(*change.Before), &row)
	return row, err
}

// ImportStillThere is the import that an entry came from, when the entry comes back: nil where the import is gone, as
// its key may be that of another one by now.
func ImportStillThere(ctx context.Context, tx *Tx, importID *int64, createdAt int64) (*int64, error) {
	if importID == nil {
		return nil, nil
	}
	found, err := tx.IsImportOf(ctx, queries.IsImportOfParams{ID: *importID, HouseholdID: tx.HouseholdID,
		CreatedAt: createdAt})
	if err != nil || found == 0 {
		return nil, err
	}
	return importID, nil
}
