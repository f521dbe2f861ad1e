package history

import (
	"cmp"
	"context"
	"time"

	"finsvc/ledger"
	"finsvc/queries"
)

// Sizes of the parts in which an operation is written, and how long a part may take. Other writes wait for one part at
// most.
const (
	firstPart = 250
	partTime  = 80 * time.Millisecond
	// leaseTime is for how long an operation is believed to be at work after its last part.
	leaseTime = time.Minute
)

// Work does a part of an operation: what it is done to lies in [first, last) of a list.
type Work func(ctx context.Context, tx *ledger.Tx, first, last int) error

// Run does work on n things as one operation: in one write where they are few, else in several short ones, between
// which others write. When a part fails, what the others did is taken back; after a crash [Service.Recover] does so.
func (s *Service) Run(ctx context.Context, who ledger.Actor, n int, work Work) (queries.PublicID, error) {
	id, err := operationID(who)
	if err != nil {
		return id, err
	}
	return id, s.run(ctx, who, operation{id: id}, n, work)
}

// operationID is the id under which an actor wants to find in the history what is done now, else a new one.
func operationID(who ledger.Actor) (queries.PublicID, error) {
	if who.Operation != (queries.PublicID{}) {
		return who.Operation, nil
	}
	return ledger.NewID()
}

// operation is one under way.
type operation struct {
	id     queries.PublicID
	undoes *queries.PublicID
}

func (s *Service) run(ctx context.Context, who ledger.Actor, op operation, n int, work Work) error {
	size, begun := firstPart, false
	for first := 0; first < n; {
		last := min(first+size, n)
		started := s.Ran()
		err := s.WriteWithRefs(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
			if begun || last < n {
				if err := s.lease(ctx, tx, op.id, last == n); err != nil {
					return err
				}
			}
			return work(ctx, tx.Within(op.id, op.undoes), first, last)
		})
		if ledger.IsOverBudget(err) && size > 1 {
			size = max(size/4, 1)
			continue
		}
		if err != nil && begun {
			return s.rollback(context.WithoutCancel(ctx), who, op.id, err)
		}
		if err != nil {
			return err
		}
		begun, first = true, last
		switch took := s.Ran() - started; {
		case took > partTime:
			size = max(size/2, 1)
		case took < partTime/2:
			size *= 2
		}
	}
	return nil
}

// lease notes in a part's write that the operation is at work, and in its last one that it is at its end.
func (s *Service) lease(ctx context.Context, tx *ledger.Tx, id queries.PublicID, ends bool) error {
	if ends {
		return tx.EndOperation(ctx, queries.EndOperationParams{OperationID: id, HouseholdID: tx.HouseholdID})
	}
	return tx.BeginOperation(ctx, queries.BeginOperationParams{OperationID: id, HouseholdID: tx.HouseholdID,
		LeaseUntil: tx.Stamp() + leaseTime.Milliseconds()})
}

// rollback takes back what an operation did that could not be ended. What others have changed meanwhile stays theirs.
// The cause is given back, or why that failed.
func (s *Service) rollback(ctx context.Context, who ledger.Actor, id queries.PublicID, cause error) error {
	changes, err := s.changesOf(ctx, who, id)
	if err != nil {
		return err
	}
	undo, err := ledger.NewID()
	if err != nil {
		return err
	}
	err = s.run(ctx, who, operation{undo, &id}, len(changes), func(ctx context.Context, tx *ledger.Tx, first, last int) error {
		return s.takeBack(ctx, tx, changes[first:last], func(err error) error {
			if ledger.IsKind(err, ledger.Conflict) {
				return nil
			}
			return err
		})
	})
	if err != nil {
		return err
	}
	failed := s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		return s.lease(ctx, tx, id, true)
	})
	return cmp.Or(failed, cause)
}

// Recover takes back what operations did that a crash has cut short, newest first.
func (s *Service) Recover(ctx context.Context) error {
	var abandoned []queries.ListAbandonedOperationsRow
	err := s.Read(ctx, ledger.Actor{}, func(ctx context.Context, tx *ledger.Tx) (err error) {
		abandoned, err = tx.ListAbandonedOperations(ctx, tx.Stamp())
		return err
	})
	for i := len(abandoned) - 1; i >= 0 && err == nil; i-- {
		who := ledger.Actor{HouseholdID: abandoned[i].HouseholdID, Origin: ledger.OriginCLI}
		err = s.rollback(ctx, who, abandoned[i].OperationID, nil)
	}
	return err
}

// readPart is how many changes are read at once.
const readPart = 5_000

// changesOf are the changes of an operation, in the order in which they are taken back.
func (s *Service) changesOf(ctx context.Context, who ledger.Actor, id queries.PublicID) (changes []ledger.Change,
	err error) {
	for {
		before := len(changes)
		err := s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
			rows, err := tx.ListOperationChanges(ctx, queries.ListOperationChangesParams{HouseholdID: who.HouseholdID,
				OperationID: id, RowLimit: readPart, RowOffset: int64(before)})
			for _, row := range rows {
				changes = append(changes, ledger.AsChange(row))
			}
			return err
		})
		if err != nil || len(changes)-before < readPart {
			return inOrderOfUndo(changes), err
		}
	}
}
