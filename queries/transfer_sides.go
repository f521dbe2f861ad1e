package queries

import "context"

// sqlc does not know UPDATE FROM. One statement for all sides is needed all the same: within a write each
// statement takes longer the more pages were changed before, and an import has tens of thousands. The household is
// asked of the key, lest all that the household has be gone through with the list at each row.
const setTransfers = `UPDATE transactions SET transfer_id = CAST(j.value AS INTEGER), updated_at = max(?, transactions.updated_at + 1)
FROM json_each(?) j WHERE transactions.id = CAST(j.key AS INTEGER) AND transactions.id >> 43 = ?`

// SetTransfers makes transactions the sides of transfers: sides is a JSON object of the keys of transfers by the
// keys of transactions.
func (q *Queries) SetTransfers(ctx context.Context, householdID, stamp int64, sides string) error {
	_, err := q.db.ExecContext(ctx, setTransfers, stamp, sides, householdID)
	return err
}
