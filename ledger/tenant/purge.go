package tenant

import (
	"context"
	"time"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/queries"
)

// AbandonedFor is how long the data of a household without users is kept at least; it is deleted [Reconsidered] after
// that.
const AbandonedFor = 30 * 24 * time.Hour

// Reconsidered is how far apart two readings of the clock are that both say so before anything is deleted. One alone
// may be wrong: a small computer asks the network for the time only after its start.
//
// So a household without users is deleted when two looks, a day apart, found that its days are over. The first is
// noted in its row; a look that finds otherwise takes the note back, and a history that goes on after the last day
// outweighs it.
const Reconsidered = 24 * time.Hour

// How many rows are deleted at once: of those that nothing hangs on, before it is asked whether other writes wait and
// when none does, and of those that have thousands of others.
const (
	purgePart   = 400
	purgeBatch  = 4_000
	purgeOwners = 1
)

// AbandonedLimit is the stamp up to which abandoned households are due to be deleted.
func (s *Service) AbandonedLimit() int64 { return s.Now().Add(-AbandonedFor).UnixMilli() }

// PurgeAbandoned deletes the households whose last user went [AbandonedFor] ago or earlier, and the books of those
// that were emptied [ResetKept] ago or earlier, once a call at least [Reconsidered] before this one has found so, too,
// and none between them the contrary. It says how many. It works in short writes; what an interruption leaves is out
// of everybody's reach and goes with the next call.
func (s *Service) PurgeAbandoned(ctx context.Context) (int, error) {
	var due []int64
	err := s.DB.Write(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		// Give up the households that are due by two readings of the clock, and note what this one says of the
		// others. The note is updated_at, which nobody but an operator moves as long as there are no users. One in
		// the future is of a clock that was ahead; so is a last day in the future, which would keep a household for
		// ever.
		now, wait, kept := s.Stamp(), AbandonedFor.Milliseconds(), ResetKept.Milliseconds()
		before := now - Reconsidered.Milliseconds()
		if err := q.RetireDueHouseholds(ctx, queries.RetireDueHouseholdsParams{Wait: wait,
			NotedUntil: before}); err != nil {
			return err
		}
		if err := q.RetireDueResets(ctx, queries.RetireDueResetsParams{Wait: kept, NotedUntil: before}); err != nil {
			return err
		}
		if err := q.RedateResets(ctx, queries.RedateResetsParams{Now: now, NotedUntil: before}); err != nil {
			return err
		}
		if err := q.RedateHouseholds(ctx, queries.RedateHouseholdsParams{Now: now, NotedUntil: before}); err != nil {
			return err
		}
		if err := q.ForgetNotesOfHouseholds(ctx, now); err != nil {
			return err
		}
		if err := q.NoteDueResets(ctx, queries.NoteDueResetsParams{Now: now, Wait: kept}); err != nil {
			return err
		}
		if err := q.NoteDueHouseholds(ctx, queries.NoteDueHouseholdsParams{Now: now, Wait: wait}); err != nil {
			return err
		}
		due, err = q.ListRetiredHouseholds(ctx)
		return err
	})
	for i, id := range due {
		if err := s.purge(ctx, id); err != nil {
			return i, err
		}
	}
	return len(due), err
}

func (s *Service) purge(ctx context.Context, householdID int64) error {
	if err := s.purgeTransactions(ctx, householdID); err != nil {
		return err
	}
	for _, some := range purgeSteps(householdID) {
		if err := s.purgeAll(ctx, some); err != nil {
			return err
		}
	}
	return s.DB.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		// No searchable text stays behind, not even one without its row.
		err := q.DeleteSearchTexts(ctx, queries.DeleteSearchTextsParams{
			FirstKey: int64(ledger.FirstKey(householdID, ledger.MinDate)),
			LastKey:  int64(ledger.FirstKey(householdID+1, ledger.MinDate) - 1)})
		if err != nil {
			return err
		}
		return q.DeleteHousehold(ctx, householdID)
	})
}

// purgeTransactions deletes the transactions with what refers to them and what is searchable of them.
func (s *Service) purgeTransactions(ctx context.Context, householdID int64) error {
	bulk, err := s.DB.Bulk(ctx)
	if err != nil {
		return err
	}
	defer bulk.Close() // nothing is unwritten
	silent := false
	err = bulk.Write(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		silent, err = unindexHousehold(ctx, q, householdID)
		return err
	})
	for more := true; more && err == nil; {
		err = bulk.Write(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
			more, err = s.purgeSome(ctx, q, householdID, silent)
			return err
		})
	}
	return err
}

// purgeSome deletes a batch of transactions, a smaller one when other writes wait; more is false after the last.
func (s *Service) purgeSome(ctx context.Context, q *queries.Queries, householdID int64, silent bool) (more bool,
	err error) {
	for done := 0; done < purgeBatch && (done == 0 || !s.DB.Awaited()); done += purgePart {
		keys, err := q.ListFirstTransactions(ctx, queries.ListFirstTransactionsParams{HouseholdID: householdID,
			PartSize: purgePart})
		if err != nil || len(keys) == 0 {
			return false, err
		}
		if err := entry.RemoveDrafts(ctx, s.Tx(q, ledger.Actor{HouseholdID: householdID}),
			entry.Written{Keys: keys, Referred: keys, Silent: silent}); err != nil {
			return false, err
		}
	}
	return true, nil
}

// unindexHousehold makes all transactions no longer findable, if that can be done at once, see [entry.Unindex].
func unindexHousehold(ctx context.Context, q *queries.Queries, householdID int64) (done bool, err error) {
	alone, err := q.IsHouseholdAllThereIs(ctx, householdID)
	if err != nil || alone == 0 {
		return false, err
	}
	return true, q.DeleteAllSearchTexts(ctx)
}

// purgeStep deletes a part of what a household has of a kind, and says how many rows went.
type purgeStep func(ctx context.Context, q *queries.Queries) (int64, error)

// purgeSteps are the kinds of which there may be many, in an order in which nothing holds on to what goes.
func purgeSteps(household int64) []purgeStep {
	return []purgeStep{
		func(ctx context.Context, q *queries.Queries) (int64, error) {
			return q.DeleteSomeTrades(ctx, queries.DeleteSomeTradesParams{HouseholdID: household, PartSize: purgePart})
		},
		func(ctx context.Context, q *queries.Queries) (int64, error) {
			return q.DeleteSomeHistory(ctx, queries.DeleteSomeHistoryParams{HouseholdID: household,
				PartSize: purgePart})
		},
		func(ctx context.Context, q *queries.Queries) (int64, error) {
			return q.DeleteSomeAccounts(ctx, queries.DeleteSomeAccountsParams{HouseholdID: household,
				PartSize: purgeOwners})
		},
		func(ctx context.Context, q *queries.Queries) (int64, error) {
			return q.DeleteSomeSecurities(ctx, queries.DeleteSomeSecuritiesParams{HouseholdID: household,
				PartSize: purgeOwners})
		},
		func(ctx context.Context, q *queries.Queries) (int64, error) {
			return q.DeleteSomeImports(ctx, queries.DeleteSomeImportsParams{HouseholdID: household,
				PartSize: purgeOwners})
		},
	}
}

// purgeAll repeats a step, each time in a write of its own, until nothing is left.
func (s *Service) purgeAll(ctx context.Context, some purgeStep) error {
	for gone := int64(1); gone > 0; {
		err := s.DB.Write(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
			gone, err = some(ctx, q)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
