package history

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// inOrderOfUndo puts changes in the order in which they are taken back: newest first, but what joined two transactions
// when both are what they were. What joined two for a while, between one write of the operation and another, is left out.
func inOrderOfUndo(changes []ledger.Change) []ledger.Change {
	joined := func(c ledger.Change) bool {
		return c.Entity == ledger.EntityTransfer || c.Entity == ledger.EntityRejection
	}
	begun, passing := map[queries.PublicID]int64{}, map[queries.PublicID]bool{}
	for _, c := range changes {
		if joined(c) && c.Action == ledger.ActionCreate {
			begun[c.EntityID] = c.ID
		}
	}
	for _, c := range changes {
		if first, here := begun[c.EntityID]; here && c.Action == ledger.ActionDelete && first < c.ID {
			passing[c.EntityID] = true
		}
	}
	changes = slices.DeleteFunc(changes, func(c ledger.Change) bool { return passing[c.EntityID] })
	joins := func(c ledger.Change) int { return int(ledger.AsInteger(joined(c) && c.Action == ledger.ActionDelete)) }
	slices.SortFunc(changes, func(a, b ledger.Change) int {
		return cmp.Or(cmp.Compare(joins(a), joins(b)), cmp.Compare(b.ID, a.ID))
	})
	return changes
}

// Undo takes back what an operation did, and gives the operation that did so. What has changed since, what was taken
// back already and what only an import's revert takes back are conflicts; then nothing is changed.
func (s *Service) Undo(ctx context.Context, who ledger.Actor, id uuid.UUID) (queries.PublicID, error) {
	op := operation{undoes: (*queries.PublicID)(&id)}
	found, err := s.Get(ctx, who, id)
	if err != nil {
		return op.id, err
	}
	if found.Fixed != "" {
		return op.id, ledger.NewConflict("%s", found.Fixed)
	}
	changes, err := s.changesOf(ctx, who, queries.PublicID(id))
	if err != nil {
		return op.id, err
	}
	op.id, err = operationID(who)
	if err != nil {
		return op.id, err
	}
	// One taken back twice at once is taken back once: the second looks again in its first write.
	return op.id, s.run(ctx, who, op, len(changes), func(ctx context.Context, tx *ledger.Tx, first, last int) error {
		if first == 0 {
			by, err := undoneBy(ctx, tx, queries.PublicID(id))
			if err != nil {
				return err
			}
			if by != nil && *by != op.id {
				return ledger.NewConflict("this was taken back already, by %s", uuid.UUID(*by))
			}
		}
		return s.takeBack(ctx, tx, changes[first:last], func(err error) error { return err })
	})
}

// takeBack takes changes back, one after the other. What fails is given to pass, which says whether the rest goes on.
func (s *Service) takeBack(ctx context.Context, tx *ledger.Tx, changes []ledger.Change, pass func(error) error) error {
	tx, writeTexts := tx.GatherSearchTexts()
	for i, change := range changes {
		// What entries refer to is known to them as it is by now.
		if i > 0 && change.Entity != changes[i-1].Entity && changes[i-1].Entity.IsReferred() {
			refs, err := tx.RefsNow(ctx)
			if err != nil {
				return err
			}
			tx = tx.With(refs)
		}
		restore := s.restorers.of(change.Entity, change.Action)
		if restore == nil {
			continue // see [Service.fixed]
		}
		if err := pass(restore(ctx, tx, change)); err != nil {
			return err
		}
	}
	return writeTexts(ctx)
}

// undoneBy is the operation that took one back and was not taken back itself; nil when there is none.
func undoneBy(ctx context.Context, tx *ledger.Tx, id queries.PublicID) (*queries.PublicID, error) {
	undoings, err := tx.ListUndoings(ctx, queries.ListUndoingsParams{HouseholdID: tx.HouseholdID, OperationID: &id})
	if err != nil {
		return nil, err
	}
	for _, undoing := range slices.Backward(undoings) {
		again, err := undoneBy(ctx, tx, undoing)
		if err != nil {
			return nil, err
		}
		if again == nil {
			return &undoing, nil
		}
	}
	return nil, nil
}

// fixed is why an operation cannot be taken back; empty when it can.
func (s *Service) fixed(o *Operation) string {
	if o.UndoneBy != uuid.Nil {
		return "this was taken back already, by " + o.UndoneBy.String()
	}
	if o.Origin == ledger.OriginImport {
		return "what an import did is taken back by reverting the import"
	}
	var kinds []string
	for _, c := range o.Counts {
		if s.restorers.of(c.Entity, c.Action) == nil {
			kinds = append(kinds, strings.ReplaceAll(string(c.Entity), "_", " "))
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	return "what is done to this cannot be taken back: " + strings.Join(slices.Compact(kinds), ", ")
}

// newest is behind every operation.
func newest() (id queries.PublicID) {
	copy(id[:], bytes.Repeat([]byte{0xff}, len(id)))
	return id
}
