package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"finsvc/queries"
)

// matchBatch is how many matches are stored in one transaction.
const matchBatch = 5_000

// noteMatches stores which rows are booked already, and as what, and which are held back.
func (p *publisher) noteMatches(ctx context.Context) error {
	if err := p.storeInBatches(ctx, p.outlook.booked, p.storeMatches); err != nil {
		return err
	}
	return p.storeInBatches(ctx, p.outlook.held, p.storeHeld)
}

func (p *publisher) storeInBatches(ctx context.Context, list matches, store func(context.Context, *queries.Queries, matches) error) error {
	for batch := range slices.Chunk(list, matchBatch) {
		err := p.im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
			if err := store(ctx, q, batch); err != nil {
				return err
			}
			return p.renew(ctx, q, p.done)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *publisher) storeMatches(ctx context.Context, q *queries.Queries, list matches) error {
	return cmp.Or(
		q.InsertImportMatches(ctx, queries.InsertImportMatchesParams{Keys: list.keys(false), ImportID: p.imp.ID, HouseholdID: p.who.HouseholdID}),
		q.InsertImportTradeMatches(ctx, queries.InsertImportTradeMatchesParams{Keys: list.keys(true), ImportID: p.imp.ID, HouseholdID: p.who.HouseholdID}))
}

// keys are those of trades, or of transactions, by row, as a JSON object in the order of rows.
func (m matches) keys(trades bool) string {
	out := []byte{'{'}
	for _, one := range m {
		if one.trade != trades {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(append(out, '"'), int64(one.row), 10)
		out = strconv.AppendInt(append(out, '"', ':'), one.key, 10)
	}
	return string(append(out, '}'))
}

// noteUnsettled notes which rows were booked while they were pending at the bank, and which such entries have their final rows in the file.
func (p *publisher) noteUnsettled(ctx context.Context, q *queries.Queries) error {
	if len(p.outlook.unsettled) > 0 {
		rows, err := json.Marshal(p.outlook.unsettled)
		if err != nil {
			return err
		}
		if err := q.InsertUnsettled(ctx, queries.InsertUnsettledParams{Rows: string(rows), ImportID: &p.imp.ID, HouseholdID: p.who.HouseholdID}); err != nil {
			return err
		}
	}
	return p.im.ledger.Intake.SettleEntries(ctx, q, p.who, p.imp.ID, p.outlook.settles)
}

// forgetMatches drops what the rows of an import were recognised as, and which were held back.
func forgetMatches(ctx context.Context, q *queries.Queries, imp queries.Import) error {
	return cmp.Or(
		q.DeleteHeldRows(ctx, queries.DeleteHeldRowsParams{ImportID: imp.ID, HouseholdID: imp.HouseholdID}),
		q.DeleteImportMatches(ctx, queries.DeleteImportMatchesParams{ImportID: imp.ID, HouseholdID: imp.HouseholdID}),
		q.DeleteImportTradeMatches(ctx, queries.DeleteImportTradeMatchesParams{ImportID: imp.ID, HouseholdID: imp.HouseholdID}))
}

// joinPairs makes transfers of the rows that the file says are two sides of one.
func (p *publisher) joinPairs(ctx context.Context, q *queries.Queries) error {
	if len(p.outlook.pairs) == 0 {
		return nil
	}
	keys, err := p.pairKeys(ctx, q)
	if err != nil {
		return err
	}
	pairs := make([][2]int64, 0, len(p.outlook.pairs))
	for _, pair := range p.outlook.pairs {
		if one, other := keys[pair[0]], keys[pair[1]]; one != 0 && other != 0 {
			pairs = append(pairs, [2]int64{one, other})
		}
	}
	return p.im.ledger.Transfers.JoinNamed(ctx, q, p.who, p.imp.ID, pairs)
}

// pairKeys are the keys of the transactions that the rows of pairs have become or were before, by row.
func (p *publisher) pairKeys(ctx context.Context, q *queries.Queries) (map[int]int64, error) {
	keys, written := map[int]int64{}, []int{}
	for _, pair := range p.outlook.pairs {
		for _, row := range pair {
			if m, ok := p.outlook.booked.find(row); !ok {
				written = append(written, row)
			} else if !m.trade {
				keys[row] = m.key
			}
		}
	}
	list, err := json.Marshal(written)
	if err != nil {
		return nil, err
	}
	rows, err := q.ListImportRowKeys(ctx, queries.ListImportRowKeysParams{Rows: string(list), ImportID: &p.imp.ID, HouseholdID: p.who.HouseholdID})
	for _, row := range rows {
		keys[int(*row.ImportRow)] = row.ID
	}
	return keys, err
}
