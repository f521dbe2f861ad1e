package importer

import (
	"context"
	"encoding/hex"
	"encoding/json"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// externalBatch is how many ids are looked up at a time.
const externalBatch = 1_000

// externals finds the rows whose id elsewhere a transaction of the same account and source has already. Whatever
// else they say, they are that transaction: an account has an id once.
type externals struct {
	im      *Importer
	who     ledger.Actor
	account func(Row) int64 // see survey
	waiting [][4]any        // row, account, source or nil, id
	own     [][3]any        // row, account, id of a transaction of ours in hexadecimal digits
	found   map[int32]int64 // keys of transactions by rows
}

func (e *externals) add(ctx context.Context, row Row) error {
	if row.ExternalID == "" && row.Own == uuid.Nil || !row.Planned() || row.Entity() != "" {
		return nil
	}
	account := e.account(row)
	switch {
	case account == 0:
		return nil
	case row.Own != uuid.Nil:
		e.own = append(e.own, [3]any{row.Number, account, hex.EncodeToString(row.Own[:])})
	default:
		e.waiting = append(e.waiting, [4]any{row.Number, account, said(row.Source).Pointer(), row.ExternalID})
	}
	if len(e.waiting)+len(e.own) < externalBatch {
		return nil
	}
	return e.lookUp(ctx)
}

// lookUp is also for the rest after the last row.
func (e *externals) lookUp(ctx context.Context) error {
	if err := e.lookUpOwn(ctx); err != nil || len(e.waiting) == 0 {
		return err
	}
	list, err := json.Marshal(e.waiting)
	if err != nil {
		return err
	}
	e.waiting = e.waiting[:0]
	return e.im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		rows, err := q.ListExternalMatches(ctx, queries.ListExternalMatchesParams{Wanted: string(list), HouseholdID: e.who.HouseholdID})
		for _, row := range rows {
			e.found[int32(row.ImportRow)] = row.ID
		}
		return err
	})
}

func (e *externals) lookUpOwn(ctx context.Context) error {
	if len(e.own) == 0 {
		return nil
	}
	list, err := json.Marshal(e.own)
	if err != nil {
		return err
	}
	e.own = e.own[:0]
	return e.im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		rows, err := q.ListOwnMatches(ctx, queries.ListOwnMatchesParams{Wanted: string(list), HouseholdID: e.who.HouseholdID})
		for _, row := range rows {
			e.found[int32(row.ImportRow)] = row.ID
		}
		return err
	})
}
