package ledger

import (
	"context"
	"time"

	"finsvc/queries"
)

// AbandonedFor is how long the data of a household without users is kept.
const AbandonedFor = 30 * 24 * time.Hour

// purgePart is how many transactions are deleted at once, so that other writes wait milliseconds.
const purgePart = 500

// abandonedLimit is the stamp up to which abandoned households are due to be deleted.
func (l *Ledger) abandonedLimit() int64 { return l.now().Add(-AbandonedFor).UnixMilli() }

// PurgeAbandoned deletes the households whose last user went [AbandonedFor] ago or earlier, and says
// how many. It works in short writes; what an interruption leaves is out of everybody's reach and goes
// with the next call.
func (l *Ledger) PurgeAbandoned(ctx context.Context) (int, error) {
	var due []int64
	err := l.db.Read(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		due, err = q.ListAbandonedHouseholds(ctx, l.abandonedLimit())
		return err
	})
	for i, id := range due {
		if err := l.purge(ctx, id); err != nil {
			return i, err
		}
	}
	return len(due), err
}

func (l *Ledger) purge(ctx context.Context, householdID int64) error {
	for first := FirstKey(householdID, MinDate); first > 0; {
		err := l.db.Write(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
			first, err = l.purgeTransactions(ctx, q, householdID, first)
			return err
		})
		if err != nil {
			return err
		}
	}
	return l.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		if err := q.DeleteTradesOfHousehold(ctx, householdID); err != nil {
			return err
		}
		return q.DeleteHousehold(ctx, householdID)
	})
}

// purgeTransactions deletes a part of the transactions with what is searchable of them, and gives the
// key at which the next part begins, 0 after the last.
func (l *Ledger) purgeTransactions(ctx context.Context, q *queries.Queries, householdID int64, first Key) (Key, error) {
	last, err := q.LastKeyOfNextTransactions(ctx, queries.LastKeyOfNextTransactionsParams{
		HouseholdID: householdID, FirstKey: int64(first), PartSize: purgePart,
	})
	if err != nil {
		return 0, err
	}
	next := Key(last + 1)
	if last == 0 {
		// The rest of the household's keys: no searchable text stays behind, not even one without its row.
		next, last = 0, int64(FirstKey(householdID+1, MinDate)-1)
	}
	if err := q.DeleteSearchTexts(ctx, queries.DeleteSearchTextsParams{FirstKey: int64(first), LastKey: last}); err != nil {
		return 0, err
	}
	return next, q.DeleteTransactionRange(ctx, queries.DeleteTransactionRangeParams{
		HouseholdID: householdID, FirstKey: int64(first), LastKey: last,
	})
}
