package queries

import (
	"context"
	"slices"
	"strings"
)

// rowsAtOnce is how many transactions one statement inserts. A row alone pays for opening all indexes of the table,
// which takes longer than writing to them.
const rowsAtOnce = 200

// InsertTransactions does what InsertTransaction does for each of many, several in one statement. An error is about
// the row at a place; those before it are inserted.
func (q *Queries) InsertTransactions(ctx context.Context, rows []InsertTransactionParams) (at int, err error) {
	for some := range slices.Chunk(rows, rowsAtOnce) {
		if err := q.insertAtOnce(ctx, some); err != nil {
			inserted, _ := q.Number(ctx, "SELECT changes()") // 0 when SQLite undid more than the statement
			return at + min(int(inserted), len(some)-1), err
		}
		at += len(some)
	}
	return at, nil
}

func (q *Queries) insertAtOnce(ctx context.Context, rows []InsertTransactionParams) error {
	first := rows[0].args()
	args := append(make([]any, 0, len(rows)*len(first)), first...)
	for i := range rows[1:] {
		args = append(args, rows[i+1].args()...)
	}
	_, err := q.db.ExecContext(ctx, insertTransactions(len(rows), len(args)/len(rows)), args...)
	return err
}

// insertTransactions is the text of InsertTransaction for many rows. A statement that undid all its rows when one is
// refused would keep a copy of each page that it writes to. Parameters without names are those that the driver
// binds without looking for them.
func insertTransactions(rows, columns int) string {
	into, _, _ := strings.Cut(insertTransaction, "VALUES")
	into = strings.Replace(into, "INSERT INTO", "INSERT OR FAIL INTO", 1)
	row := "(" + strings.Repeat("?,", columns-1) + "?),"
	return into + "VALUES " + strings.TrimSuffix(strings.Repeat(row, rows), ",")
}

func (p *InsertTransactionParams) args() []any {
	return []any{p.ID, p.PublicID[:], p.HouseholdID, p.AccountID, p.Date, p.Amount, p.Currency, p.Name, orNull(p.Notes), orNull(p.CategoryID),
		orNull(p.MerchantID), orNull(p.ExternalID), orNull(p.Source), orNull(p.ImportID), orNull(p.ImportRow), orNull(p.RawKey),
		orNull(p.Occurrence), orNull(p.TextKey), p.CreatedAt, p.UpdatedAt, p.SetByPerson}
}

// orNull is what a pointer points to: the driver's package would find that out by reflection.
func orNull[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}
