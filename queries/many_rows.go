package queries

import (
	"context"
	"strings"
)

// row is the parameters of a statement that inserts one row: args are its fields in their order.
type row[P any] interface {
	*P
	args() []any
}

// insertMany does what a statement that inserts one row does for each of many, several in one statement. A row alone
// pays for opening all indexes of the table, which takes longer than writing to them. An error is about the row at a
// place; those before it are inserted.
func insertMany[P any, R row[P]](ctx context.Context, q *Queries, one string, rows []P) (at int, err error) {
	for at < len(rows) {
		n := rowsAtOnce(len(rows) - at)
		if err := insertAtOnce[P, R](ctx, q, one, rows[at:at+n]); err != nil {
			inserted, _ := q.Number(ctx, "SELECT changes()") // 0 when SQLite undid more than the statement
			return at + min(int(inserted), n-1), err
		}
		at += n
	}
	return at, nil
}

// rowsAtOnce is how many of the rows that are left the next statement inserts: one of few numbers, since each makes a
// statement of its own that is kept prepared.
func rowsAtOnce(left int) int {
	switch {
	case left >= 200:
		return 200
	case left >= 20:
		return 20
	}
	return 1
}

func insertAtOnce[P any, R row[P]](ctx context.Context, q *Queries, one string, rows []P) error {
	first := R(&rows[0]).args()
	args := append(make([]any, 0, len(rows)*len(first)), first...)
	for i := range rows[1:] {
		args = append(args, R(&rows[i+1]).args()...)
	}
	_, err := q.db.ExecContext(ctx, manyRows(one, len(rows), len(first)), args...)
	return err
}

// manyRows is the text of a statement that inserts one row, for many. A statement that undid all its rows when one is
// refused would keep a copy of each page that it writes to. Parameters without names are those that the driver
// binds without looking for them.
func manyRows(one string, rows, columns int) string {
	into, values, _ := strings.Cut(one, "VALUES")
	_, rest, _ := strings.Cut(values, ")")
	into = strings.Replace(into, "INSERT INTO", "INSERT OR FAIL INTO", 1)
	marks := "(" + strings.Repeat("?,", columns-1) + "?),"
	return into + "VALUES " + strings.TrimSuffix(strings.Repeat(marks, rows), ",") + rest
}

// orNull is what a pointer points to: the driver's package would find that out by reflection.
func orNull[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

// InsertTransactions does what InsertTransaction does for each of many. An error is about the row at a place; those
// before it are inserted.
func (q *Queries) InsertTransactions(ctx context.Context, rows []InsertTransactionParams) (at int, err error) {
	return insertMany(ctx, q, insertTransaction, rows)
}

func (p *InsertTransactionParams) args() []any {
	return []any{p.ID, p.PublicID[:], p.HouseholdID, p.AccountID, p.Date, p.Amount, p.Currency, p.Name, orNull(p.Notes),
		orNull(p.CategoryID),
		orNull(p.MerchantID), orNull(p.ExternalID), orNull(p.Source), orNull(p.ImportID), orNull(p.ImportRow),
		orNull(p.SourceHash),
		orNull(p.Occurrence), orNull(p.NameHash), p.CreatedAt, p.UpdatedAt, p.UserFields,
		orNull(p.BankKey), orNull(p.LikeKey)}
}

// InsertChanges does what InsertChange does for each of many.
func (q *Queries) InsertChanges(ctx context.Context, rows []InsertChangeParams) error {
	_, err := insertMany(ctx, q, insertChange, rows)
	return err
}

func (p *InsertChangeParams) args() []any {
	return []any{p.HouseholdID, p.At, orNull(p.UserID), orNull(p.ApiKeyID), p.Origin, p.Entity, p.EntityID[:], p.Action,
		orNull(p.Before), orNull(p.After), p.OperationID[:], undone(p.Undoes)}
}

func undone(id *PublicID) any {
	if id == nil {
		return nil
	}
	return id[:]
}

// InsertTransactionTags does what InsertTransactionTag does for each of many.
func (q *Queries) InsertTransactionTags(ctx context.Context, rows []InsertTransactionTagParams) error {
	_, err := insertMany(ctx, q, insertTransactionTag, rows)
	return err
}

func (p *InsertTransactionTagParams) args() []any { return []any{p.TransactionID, p.TagID} }

// InsertSplitLines does what InsertSplitLine does for each of many.
func (q *Queries) InsertSplitLines(ctx context.Context, rows []InsertSplitLineParams) error {
	_, err := insertMany(ctx, q, insertSplitLine, rows)
	return err
}

func (p *InsertSplitLineParams) args() []any {
	return []any{p.TransactionID, p.Position, p.PublicID[:], p.HouseholdID, p.Amount, orNull(p.Name), orNull(p.Notes),
		orNull(p.CategoryID), orNull(p.MerchantID)}
}

// InsertSplitLineTags does what InsertSplitLineTag does for each of many.
func (q *Queries) InsertSplitLineTags(ctx context.Context, rows []InsertSplitLineTagParams) error {
	_, err := insertMany(ctx, q, insertSplitLineTag, rows)
	return err
}

func (p *InsertSplitLineTagParams) args() []any { return []any{p.TransactionID, p.Position, p.TagID} }

// PutRuleNotes does what PutRuleNote does for each of many.
func (q *Queries) PutRuleNotes(ctx context.Context, rows []PutRuleNoteParams) error {
	_, err := insertMany(ctx, q, putRuleNote, rows)
	return err
}

func (p *PutRuleNoteParams) args() []any {
	return []any{p.TransactionID, p.Field, p.RuleID, orNull(p.Before)}
}
