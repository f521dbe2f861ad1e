package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// matchBatch is how many matches are stored in one transaction.
const matchBatch = 5_000

// noteMatches stores which rows are booked already, and as what.
func (p *publisher) noteMatches(ctx context.Context) error {
	for batch := range slices.Chunk(p.outlook.booked, matchBatch) {
		entries, trades := [][2]int64{}, [][2]int64{}
		for _, m := range batch {
			pair := [2]int64{int64(m.row), m.key}
			if m.trade {
				trades = append(trades, pair)
			} else {
				entries = append(entries, pair)
			}
		}
		err := p.im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
			return cmp.Or(p.storeMatches(ctx, q, entries, trades), p.renew(ctx, q, p.done))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *publisher) storeMatches(ctx context.Context, q *queries.Queries, entries, trades [][2]int64) error {
	list, err := json.Marshal(entries)
	if err != nil {
		return err
	}
	if err := q.InsertImportMatches(ctx, queries.InsertImportMatchesParams{Pairs: string(list), ImportID: p.imp.ID, HouseholdID: p.who.HouseholdID}); err != nil {
		return err
	}
	if list, err = json.Marshal(trades); err != nil {
		return err
	}
	return q.InsertImportTradeMatches(ctx, queries.InsertImportTradeMatchesParams{Pairs: string(list), ImportID: p.imp.ID, HouseholdID: p.who.HouseholdID})
}

// forgetMatches drops what the rows of an import were recognised as.
func forgetMatches(ctx context.Context, q *queries.Queries, imp queries.Import) error {
	return cmp.Or(
		q.DeleteImportMatches(ctx, queries.DeleteImportMatchesParams{ImportID: imp.ID, HouseholdID: imp.HouseholdID}),
		q.DeleteImportTradeMatches(ctx, queries.DeleteImportTradeMatchesParams{ImportID: imp.ID, HouseholdID: imp.HouseholdID}))
}

// joinPairs makes transfers of the rows that the file says are two sides of one.
func (p *publisher) joinPairs(ctx context.Context, q *queries.Queries) error {
	for _, pair := range p.outlook.pairs {
		one, err := p.entryOf(ctx, q, pair[0])
		if err != nil {
			return err
		}
		other, err := p.entryOf(ctx, q, pair[1])
		if err != nil {
			return err
		}
		if one == 0 || other == 0 {
			continue
		}
		if err := p.im.ledger.JoinImported(ctx, q, p.who, one, other); err != nil && !ledger.IsKind(err, ledger.Conflict) {
			return err
		}
	}
	return nil
}

// entryOf is the key of the transaction that a row has become or was before; 0 when there is none.
func (p *publisher) entryOf(ctx context.Context, q *queries.Queries, row int) (int64, error) {
	if m, ok := p.outlook.booked.find(row); ok {
		return m.key, nil
	}
	number := int64(row)
	key, err := q.GetImportRowKey(ctx, queries.GetImportRowKeyParams{ImportID: &p.imp.ID, ImportRow: &number, HouseholdID: p.who.HouseholdID})
	if errors.Is(err, db.ErrNotFound) {
		return 0, nil
	}
	return key, err
}
