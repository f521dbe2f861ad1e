package ledgertest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// Bulk runs work in a bulk write.
func (b *Fixture) Bulk(work db.Work) error {
	b.tb.Helper()
	bulk, err := b.DB.Bulk(b.Ctx())
	if err != nil {
		b.tb.Fatal(err)
	}
	return errors.Join(bulk.Write(b.Ctx(), work), bulk.Close())
}

// EveryReference stores three transactions, of which the first is of import 1, and something of each table that refers
// to the first two of them. It gives their keys.
func (b *Fixture) EveryReference() (keys [3]int64) {
	b.tb.Helper()
	b.Account(b.Who, "Bank", "EUR")
	b.Tag(b.Who, "fun")
	for i := range keys {
		keys[i] = int64(ledger.NewKey(b.Who.HouseholdID, ledger.NewDate(2026, 2, 3+i), int64(i+1)))
	}
	b.Insert("INSERT INTO rules (public_id, household_id, resource_type, active, conditions, actions, created_at, updated_at) VALUES (?, ?, 'transaction', 1, '[]', '[]', 0, 0)", b.Who.HouseholdID)
	for n := range 3 {
		b.Insert("INSERT INTO imports (public_id, household_id, type, status, settings, created_at, updated_at) VALUES (?, ?, 'QifImport', 'complete', '{}', ?, 0)", b.Who.HouseholdID, n)
	}
	for i, key := range keys {
		b.Insert(`INSERT INTO transactions (public_id, id, household_id, account_id, date, amount, currency, name, import_id, import_row, created_at, updated_at)
			VALUES (?, ?, ?, 1, ?, -100, 'EUR', 'Bread', ?, ?, 0, 0)`, key, b.Who.HouseholdID, int64(ledger.NewDate(2026, 2, 3+i)), i+1, i+1)
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
			b.Exec(text, key)
		}
	}
	for _, pair := range [][2]int64{{keys[0], keys[2]}, {keys[2], keys[0]}, {keys[1], keys[2]}, {keys[2], keys[1]}} {
		b.Insert("INSERT INTO rejected_transfers (public_id, inflow_id, outflow_id, household_id, created_at) VALUES (?, ?, ?, ?, 0)", pair[0], pair[1], b.Who.HouseholdID)
	}
	return keys
}

func (b *Fixture) Number(text string, args ...any) (n int64) {
	b.tb.Helper()
	if err := b.DB.Read(b.Ctx(), func(ctx context.Context, q *queries.Queries) (err error) {
		n, err = q.Number(ctx, text, args...)
		return err
	}); err != nil {
		b.tb.Fatalf("%s: %v", text, err)
	}
	return n
}

// References are counts of what refers to a transaction, by table and column.
func (b *Fixture) References(key int64) map[string]int64 {
	b.tb.Helper()
	file, err := sql.Open("sqlite", b.DB.Path())
	if err != nil {
		b.tb.Fatal(err)
	}
	defer file.Close()
	rows, err := file.QueryContext(b.Ctx(), `SELECT s.name, f."from" FROM sqlite_schema s, pragma_foreign_key_list(s.name) f
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
		counts[table+"."+column] = b.Number(fmt.Sprintf("SELECT count(*) FROM %s WHERE %s = ?", table, column), key)
	}
	if err := rows.Err(); err != nil || len(counts) == 0 {
		b.tb.Fatal(counts, err)
	}
	return counts
}
