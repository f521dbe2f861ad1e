package importer

import (
	"context"
	"encoding/json"

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
	found   map[int32]int64 // keys of transactions by rows
}

func (e *externals) add(ctx context.Context, row Row) error {
	if row.ExternalID == "" || !row.Planned() || row.Entity != "" {
		return nil
	}
	account := e.account(row)
	if account == 0 {
		return nil
	}
	var source any
	if row.Source != "" {
		source = row.Source
	}
	e.waiting = append(e.waiting, [4]any{row.Number, account, source, row.ExternalID})
	if len(e.waiting) < externalBatch {
		return nil
	}
	return e.lookUp(ctx)
}

// lookUp is also for the rest after the last row.
func (e *externals) lookUp(ctx context.Context) error {
	if len(e.waiting) == 0 {
		return nil
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
