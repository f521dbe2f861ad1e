package ledgertest

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger/entry"
	"finsvc/ledger/rollup"
	"finsvc/queries"
)

// Draft writes one draft as an import does, beside an import of the same number in the file.
func (b *Fixture) Draft(d entry.Draft) error {
	return b.DB.Write(b.Ctx(), func(ctx context.Context, q *queries.Queries) error {
		id, err := q.Exec(ctx, `INSERT INTO imports (public_id, household_id, type, status, settings, created_at, updated_at)
			VALUES (?, ?, 'QifImport', 'complete', '{}', 0, 0)`, queries.PublicID(uuid.Must(uuid.NewV7())), b.Who.HouseholdID)
		if err != nil {
			return err
		}
		first, err := entry.ReserveSequences(ctx, b.Tx(q, b.Who), 1)
		if err != nil {
			return err
		}
		rollups := rollup.NewRollups()
		rollups.Add(rollup.Posting{AccountID: d.AccountID, Date: d.Date, Currency: d.Currency, Minor: d.Minor,
			Parts: d.PartAmounts()})
		texts, err := entry.InsertDrafts(ctx, b.Tx(q, b.Who), entry.BulkTarget{ImportID: id, FirstSequence: first},
			[]entry.Draft{d})
		if err != nil {
			return err
		}
		if err := entry.MakeFindable(ctx, q, texts); err != nil {
			return err
		}
		return entry.ApplyRollups(ctx, b.Tx(q, b.Who), rollups)
	})
}

// KeyOf is the inner key of a row.
func (b *Fixture) KeyOf(table string, id uuid.UUID) (key int64) {
	b.tb.Helper()
	err := b.DB.Read(b.Ctx(), func(ctx context.Context, q *queries.Queries) (err error) {
		key, err = q.Number(ctx, "SELECT id FROM "+table+" WHERE public_id = ?", queries.PublicID(id))
		return err
	})
	if err != nil {
		b.tb.Fatal(err)
	}
	return key
}
