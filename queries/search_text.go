package queries

import (
	"context"

	"golang.org/x/text/unicode/norm"
)

// Rows of the index for text search are written by hand: sqlc does not know that a full-text table has a
// rowid to insert. The index has texts in the normal form of Unicode (NFC), and so is what is looked for, see
// the filter of transactions: a letter with an accent is found however it was written.

const insertSearchText = `INSERT INTO transactions_fts (rowid, name, notes, merchant) VALUES (?1, ?2, ?3, ?4)`

// InsertSearchText makes the transaction with that key findable by name, notes and merchant.
func (q *Queries) InsertSearchText(ctx context.Context, id int64, name, notes, merchant string) error {
	_, err := q.db.ExecContext(ctx, insertSearchText, id, norm.NFC.String(name), norm.NFC.String(notes),
		norm.NFC.String(merchant))
	return err
}

const deleteSearchTextsOf = `DELETE FROM transactions_fts WHERE rowid IN (SELECT value FROM json_each(?1))`

// DeleteSearchTextsOf makes the transactions with the keys, a JSON list, no longer findable.
func (q *Queries) DeleteSearchTextsOf(ctx context.Context, ids string) error {
	_, err := q.db.ExecContext(ctx, deleteSearchTextsOf, ids)
	return err
}

const deleteAllSearchTexts = `INSERT INTO transactions_fts (transactions_fts) VALUES ('delete-all')`

// DeleteAllSearchTexts makes no transaction of anybody findable, in hundredths of the time that one by one takes.
func (q *Queries) DeleteAllSearchTexts(ctx context.Context) error {
	_, err := q.db.ExecContext(ctx, deleteAllSearchTexts)
	return err
}

const deleteSearchText = `DELETE FROM transactions_fts WHERE rowid = ?1`

// DeleteSearchText makes the transaction with that key no longer findable.
func (q *Queries) DeleteSearchText(ctx context.Context, id int64) error {
	_, err := q.db.ExecContext(ctx, deleteSearchText, id)
	return err
}
