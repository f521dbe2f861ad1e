package entry

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// importMarks are what imports know of a transaction beside what stands in its row, by the ids of the imports.
type importMarks struct {
	Matches   []fileRow  `json:"import_matches,omitempty"` // rows that were recognised as it
	Held      []fileRow  `json:"held_rows,omitempty"`      // rows that are held back, as they may be it
	Unsettled *unsettled `json:"unsettled,omitempty"`
}

// fileRow is a row of an import.
type fileRow struct {
	Import uuid.UUID `json:"import_id"`
	Number int64     `json:"row"`
}

// unsettled is what a transaction that was booked while it was pending was recognised by before, and the import that has
// settled it, if one has.
type unsettled struct {
	SettledBy  *uuid.UUID `json:"settled_by,omitempty"`
	SourceHash *int64     `json:"source_hash,omitempty"`
	Occurrence *int64     `json:"occurrence,omitempty"`
	BankKey    *int64     `json:"bank_key,omitempty"`
	LikeKey    *int64     `json:"like_key,omitempty"`
}

// readMarks reads what imports know of transactions, given by their keys.
func readMarks(ctx context.Context, tx *ledger.Tx, keys []int64) (map[int64]importMarks, error) {
	ids, marks := ledger.JSONArray(keys), map[int64]importMarks{}
	rows, err := tx.ListImportMarks(ctx, queries.ListImportMarksParams{Ids: ids, HouseholdID: tx.HouseholdID})
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		m, at := marks[row.TransactionID], fileRow{uuid.UUID(row.PublicID), row.RowNumber}
		if row.Held == 1 {
			m.Held = append(m.Held, at)
		} else {
			m.Matches = append(m.Matches, at)
		}
		marks[row.TransactionID] = m
	}
	pending, err := tx.ListUnsettledOf(ctx, queries.ListUnsettledOfParams{Ids: ids, HouseholdID: tx.HouseholdID})
	for _, row := range pending {
		u := row.UnsettledEntry
		m := marks[u.TransactionID]
		m.Unsettled = &unsettled{nil, u.SourceHash, u.Occurrence, u.BankKey, u.LikeKey}
		if u.SettledBy != nil {
			m.Unsettled.SettledBy = new(uuid.UUID(row.PublicID))
		}
		marks[u.TransactionID] = m
	}
	return marks, err
}

// restore notes again what imports knew of a transaction that is back, as far as the imports are there.
func (m importMarks) restore(ctx context.Context, tx *ledger.Tx, key int64) error {
	for _, at := range m.Matches {
		if err := tx.PutImportMatch(ctx, queries.PutImportMatchParams{RowNumber: at.Number, TransactionID: key,
			PublicID: queries.PublicID(at.Import), HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
	}
	for _, at := range m.Held {
		if err := tx.PutHeldRow(ctx, queries.PutHeldRowParams{TransactionID: &key, PublicID: queries.PublicID(at.Import),
			HouseholdID: tx.HouseholdID, RowNumber: at.Number}); err != nil {
			return err
		}
	}
	if u := m.Unsettled; u != nil {
		put := queries.PutUnsettledParams{TransactionID: key, HouseholdID: tx.HouseholdID, SourceHash: u.SourceHash,
			Occurrence: u.Occurrence, BankKey: u.BankKey, LikeKey: u.LikeKey}
		if u.SettledBy != nil {
			put.Settler = queries.PublicID(*u.SettledBy)
		}
		return tx.PutUnsettled(ctx, put)
	}
	return nil
}
