package db_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"finsvc/db/dbtest"
	"finsvc/queries"
)

// TestCheckIntegrityOfIndexes: an index that does not say what its table says is found, of the largest table, which is
// checked by itself, and of the others.
func TestCheckIntegrityOfIndexes(t *testing.T) {
	t.Parallel()
	for _, table := range []string{"transactions", "trades"} {
		d := dbtest.New(t)
		dbtest.Fill(t, d, dbtest.Shape{Transactions: 20, Accounts: 2, Categories: 2, Merchants: 2, Tags: 3, Days: 5, Currencies: 1, Investments: 1, Trades: 5, Securities: 2})
		var names []string
		if err := d.Read(t.Context(), func(ctx context.Context, q *queries.Queries) error {
			for i := range 2 {
				n, err := q.Number(ctx, "SELECT rowid FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL ORDER BY name LIMIT 1 OFFSET ?", table, i)
				if err != nil {
					return err
				}
				names = append(names, fmt.Sprint(n))
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		swap := fmt.Sprintf("UPDATE sqlite_schema SET rootpage = (SELECT sum(rootpage) FROM sqlite_schema WHERE rowid IN (%[1]s, %[2]s)) - rootpage WHERE rowid IN (%[1]s, %[2]s)", names[0], names[1])
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		runRaw(t, d.Path(), "PRAGMA writable_schema = 1", swap)
		found, err := view(t, d.Path()).CheckIntegrity(t.Context())
		if err != nil || len(found) == 0 || !strings.Contains(strings.Join(found, "\n"), "index") {
			t.Errorf("%s: found %q, %v", table, found, err)
		}
	}
}
