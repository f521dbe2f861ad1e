package ledger_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// bulk runs work in a bulk write.
func (b *books) bulk(work db.Work) error {
	b.tb.Helper()
	bulk, err := b.db.Bulk(b.ctx())
	if err != nil {
		b.tb.Fatal(err)
	}
	return errors.Join(bulk.Write(b.ctx(), work), bulk.Close())
}

// everyReference stores three transactions, of which the first is of import 1, and something of each table that refers
// to the first two of them. It gives their keys.
func (b *books) everyReference() (keys [3]int64) {
	b.tb.Helper()
	b.account(b.who, "Bank", "EUR")
	b.tag(b.who, "fun")
	for i := range keys {
		keys[i] = int64(ledger.NewKey(b.who.HouseholdID, ledger.NewDate(2026, 2, 3+i), int64(i+1)))
	}
	b.insert("INSERT INTO rules (public_id, household_id, resource_type, active, conditions, actions, created_at, updated_at) VALUES (?, ?, 'transaction', 1, '[]', '[]', 0, 0)", b.who.HouseholdID)
	for n := range 3 {
		b.insert("INSERT INTO imports (public_id, household_id, type, status, settings, created_at, updated_at) VALUES (?, ?, 'QifImport', 'complete', '{}', ?, 0)", b.who.HouseholdID, n)
	}
	for i, key := range keys {
		b.insert(`INSERT INTO transactions (public_id, id, household_id, account_id, date, amount, currency, name, import_id, import_row, created_at, updated_at)
			VALUES (?, ?, ?, 1, ?, -100, 'EUR', 'Bread', ?, ?, 0, 0)`, key, b.who.HouseholdID, int64(ledger.NewDate(2026, 2, 3+i)), i+1, i+1)
		if i == 2 {
			break
		}
		for _, text := range []string{
			"INSERT INTO transactions_fts (rowid, name, notes, merchant) VALUES (?1, 'Bread', '', '')",
			"INSERT INTO transaction_tags (transaction_id, tag_id) VALUES (?1, 1)",
			"INSERT INTO transaction_lines (transaction_id, position, public_id, household_id, amount) VALUES (?1, 1, randomblob(16), ?1 >> 43, -100)",
			"INSERT INTO transaction_line_tags (transaction_id, position, tag_id) VALUES (?1, 1, 1)",
			"INSERT INTO transaction_rules (transaction_id, field, rule_id) VALUES (?1, 'name', 1)",
			"INSERT INTO import_matches (import_id, row_number, transaction_id) VALUES (2, ?1 & 67108863, ?1)",
			"INSERT INTO unsettled_entries (transaction_id, household_id) VALUES (?1, ?1 >> 43)",
			"INSERT INTO import_held_rows (import_id, row_number, transaction_id) VALUES (3, ?1 & 67108863, ?1)",
		} {
			b.exec(text, key)
		}
	}
	for _, pair := range [][2]int64{{keys[0], keys[2]}, {keys[2], keys[0]}, {keys[1], keys[2]}, {keys[2], keys[1]}} {
		b.insert("INSERT INTO rejected_transfers (public_id, inflow_id, outflow_id, household_id, created_at) VALUES (?, ?, ?, ?, 0)", pair[0], pair[1], b.who.HouseholdID)
	}
	return keys
}

func (b *books) number(text string, args ...any) (n int64) {
	b.tb.Helper()
	if err := b.db.Read(b.ctx(), func(ctx context.Context, q *queries.Queries) (err error) {
		n, err = q.Number(ctx, text, args...)
		return err
	}); err != nil {
		b.tb.Fatalf("%s: %v", text, err)
	}
	return n
}

// references are counts of what refers to a transaction, by table and column.
func (b *books) references(key int64) map[string]int64 {
	b.tb.Helper()
	file, err := sql.Open("sqlite", b.db.Path())
	if err != nil {
		b.tb.Fatal(err)
	}
	defer file.Close()
	rows, err := file.QueryContext(b.ctx(), `SELECT s.name, f."from" FROM sqlite_schema s, pragma_foreign_key_list(s.name) f
		WHERE s.type = 'table' AND f."table" IN ('transactions', 'transaction_lines') AND f."to" <> 'position'`)
	if err != nil {
		b.tb.Fatal(err)
	}
	defer rows.Close()
	counts := map[string]int64{}
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			b.tb.Fatal(err)
		}
		counts[table+"."+column] = b.number(fmt.Sprintf("SELECT count(*) FROM %s WHERE %s = ?", table, column), key)
	}
	if err := rows.Err(); err != nil || len(counts) == 0 {
		b.tb.Fatal(counts, err)
	}
	return counts
}

// TestRemovedDraftsLeaveNoReference fails for a table that is new and refers to transactions, until [ledger.Ledger.RemoveDrafts]
// knows it: in bulk nothing else removes what is in it.
func TestRemovedDraftsLeaveNoReference(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	keys := b.everyReference()
	for column, n := range b.references(keys[0]) {
		if n == 0 {
			t.Errorf("%s refers to transactions: have RemoveDrafts empty it, and this test fill it", column)
		}
	}
	err := b.bulk(func(ctx context.Context, q *queries.Queries) error {
		written, err := b.ListWritten(ctx, q, b.who, 1)
		if err != nil || len(written.Keys) != 1 {
			t.Errorf("written: %v, %v", written, err)
		}
		return b.RemoveDrafts(ctx, q, b.who, written)
	})
	if err != nil {
		t.Fatal(err)
	}
	for column, n := range b.references(keys[0]) {
		if n != 0 {
			t.Errorf("%s still refers to what was removed", column)
		}
	}
	for column, n := range b.references(keys[1]) {
		if n != 1 {
			t.Errorf("%s refers %d times to what was not removed, want 1", column, n)
		}
	}
	for text, want := range map[string]int64{
		"SELECT count(*) FROM pragma_foreign_key_check":                              0,
		"SELECT count(*) FROM transactions":                                          2,
		"SELECT count(*) FROM transactions_fts WHERE transactions_fts MATCH 'bread'": 1,
	} {
		if got := b.number(text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

// TestWrittenIsCut: the parts are all of it, in order, each with its own references.
func TestWrittenIsCut(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	b.everyReference()
	b.exec("UPDATE transactions SET import_id = 1")
	err := b.bulk(func(ctx context.Context, q *queries.Queries) error {
		rest, err := b.ListWritten(ctx, q, b.who, 1)
		for _, left := range []int{2, 1, 0} {
			var part ledger.Written
			part, rest = rest.Cut(1)
			if len(part.Keys) != 1 || len(rest.Keys) != left {
				t.Errorf("cut %v off %v", part, rest)
			}
			err = errors.Join(err, b.RemoveDrafts(ctx, q, b.who, part))
		}
		return err
	})
	if broken := b.number("SELECT count(*) FROM pragma_foreign_key_check"); err != nil || broken != 0 {
		t.Errorf("%d broken references, %v", broken, err)
	}
}

// TestSilence: only when nobody has another transaction is all of the index emptied.
func TestSilence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		others string
		want   int64
	}{
		"alone":                                {"SELECT 1", 0},
		"with another household's":             {"UPDATE accounts SET transaction_count = 1 WHERE household_id <> 1", 2},
		"with an import that is being written": {"UPDATE imports SET first_sequence = 5 WHERE id = 2", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBooks(t)
			b.everyReference()
			other := b.household("Other")
			b.account(other, "Theirs", "EUR")
			b.exec(c.others)
			b.exec("UPDATE imports SET first_sequence = 1 WHERE id = 1")
			if err := b.bulk(func(ctx context.Context, q *queries.Queries) error {
				return b.Silence(ctx, q, 1, &ledger.Written{})
			}); err != nil {
				t.Fatal(err)
			}
			if got := b.number("SELECT count(*) FROM transactions_fts"); got != c.want {
				t.Errorf("%d texts are left, want %d", got, c.want)
			}
		})
	}
}

// TestDraftsNeedTheirParents: in bulk nothing but [ledger.Ledger.InsertDrafts] sees that what a row refers to is not there, or not
// the household's.
func TestDraftsNeedTheirParents(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	b.account(b.who, "Bank", "EUR")
	b.category(b.who, "Food")
	b.tag(b.who, "fun")
	b.merchant(b.who, "Baker")
	b.account(b.household("Other"), "Theirs", "EUR")
	b.insert("INSERT INTO imports (public_id, household_id, type, status, settings, created_at, updated_at) VALUES (?, ?, 'QifImport', 'importing', '{}', 0, 0)", b.who.HouseholdID)
	insert := func(row int64, d ledger.Draft) error {
		d.Row, d.Date, d.Currency, d.Name, d.Minor = row, ledger.NewDate(2026, 2, 3), "EUR", "Bread", -100
		return b.bulk(func(ctx context.Context, q *queries.Queries) error {
			_, err := b.InsertDrafts(ctx, q, b.who, ledger.BulkTarget{ImportID: 1, FirstSequence: 1}, []ledger.Draft{d})
			return err
		})
	}
	line := ledger.DraftLine{Minor: -50, CategoryID: 1, MerchantID: 1, TagIDs: []int64{1}}
	if err := errors.Join(insert(1, ledger.Draft{AccountID: 1}), insert(2, ledger.Draft{AccountID: 1, CategoryID: 1, MerchantID: 1, TagIDs: []int64{1, 1}}),
		insert(3, ledger.Draft{AccountID: 1, Lines: []ledger.DraftLine{line, line}})); err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]ledger.Draft{
		"account":         {AccountID: 9},
		"other's account": {AccountID: 2},
		"category":        {AccountID: 1, CategoryID: 9},
		"merchant":        {AccountID: 1, MerchantID: 9},
		"tag":             {AccountID: 1, TagIDs: []int64{1, 9}},
		"line's category": {AccountID: 1, Lines: []ledger.DraftLine{line, {Minor: -50, CategoryID: 9}}},
		"line's merchant": {AccountID: 1, Lines: []ledger.DraftLine{line, {Minor: -50, MerchantID: 9}}},
		"line's tag":      {AccountID: 1, Lines: []ledger.DraftLine{line, {Minor: -50, TagIDs: []int64{9}}}},
	} {
		if err := insert(4, d); !errors.Is(err, db.ErrReferenced) {
			t.Errorf("%s: %v, want %v", name, err, db.ErrReferenced)
		}
	}
	if n, broken := b.number("SELECT count(*) FROM transactions"), b.number("SELECT count(*) FROM pragma_foreign_key_check"); n != 3 || broken != 0 {
		t.Errorf("%d transactions, %d broken references", n, broken)
	}
}
