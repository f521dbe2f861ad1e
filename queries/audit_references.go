package queries

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// BrokenReference is a row that refers to one that is not there, or that belongs to another household.
type BrokenReference struct {
	Table, Column, Parent string
	HouseholdID           int64 // of the row
	To, Rows              int64 // what is referred to, and by how many rows
	There                 bool  // but of another household
}

// reference is a column that refers to the key of another table.
type reference struct {
	table, column, parent string
	owned, ownedParent    bool // have a household_id
}

// BrokenReferences looks at every reference that the schema knows, in all households. SQLite's own check would not see
// that a row refers to one of another household, and takes longer: here the columns of large tables are leapt through.
func (q *Queries) BrokenReferences(ctx context.Context) (all []BrokenReference, err error) {
	list, err := q.references(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range list {
		found, err := q.broken(ctx, r)
		if err != nil {
			return nil, fmt.Errorf("references of %s.%s: %w", r.table, r.column, err)
		}
		all = append(all, found...)
	}
	return all, nil
}

func (q *Queries) references(ctx context.Context) ([]reference, error) {
	return scanned(ctx, q, func(rows *sql.Rows, r *reference) error {
		return rows.Scan(&r.table, &r.column, &r.parent, &r.owned, &r.ownedParent)
	}, `SELECT m.name, f."from", f."table",
		EXISTS (SELECT 1 FROM pragma_table_info(m.name) c WHERE c.name = 'household_id'),
		EXISTS (SELECT 1 FROM pragma_table_info(f."table") c WHERE c.name = 'household_id')
	FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
	WHERE m.type = 'table' AND f."to" = 'id' ORDER BY 1, 2`)
}

func (q *Queries) broken(ctx context.Context, r reference) ([]BrokenReference, error) {
	return scanned(ctx, q, func(rows *sql.Rows, b *BrokenReference) error {
		b.Table, b.Column, b.Parent = r.table, r.column, r.parent
		return rows.Scan(&b.HouseholdID, &b.To, &b.Rows, &b.There)
	}, r.query()+" LIMIT 100")
}

// query finds what is broken.
func (r reference) query() string {
	belongs := "0"
	if r.ownedParent {
		belongs = "p.household_id <> " + r.household()
	}
	switch text := strings.NewReplacer("TABLE", r.table, "COLUMN", r.column, "PARENT", r.parent, "OWN", r.household(),
		"BELONGS", belongs); {
	case r.table == "transactions" && r.ownedParent:
		return text.Replace(leapt + " UNION ALL " + elsewhere)
	case r.table == "transactions", r.table == "changes":
		return text.Replace(leapt)
	default:
		return text.Replace(`SELECT coalesce(OWN, 0), x.COLUMN, count(*), p.id IS NOT NULL FROM TABLE x LEFT JOIN PARENT p ON p.id = x.COLUMN
			WHERE x.COLUMN IS NOT NULL AND (p.id IS NULL OR BELONGS) GROUP BY 1, 2`)
	}
}

// leapt goes from one value of an indexed column to the next, and gives those that are not there.
const leapt = `SELECT * FROM (WITH RECURSIVE used (value) AS (
		SELECT min(x.COLUMN) FROM TABLE x WHERE x.COLUMN IS NOT NULL
		UNION ALL SELECT (SELECT min(x.COLUMN) FROM TABLE x WHERE x.COLUMN > u.value) FROM used u WHERE u.value IS NOT NULL)
	SELECT (SELECT x.household_id FROM TABLE x WHERE x.COLUMN = u.value), u.value, (SELECT count(*) FROM TABLE x WHERE x.COLUMN = u.value), 0
	FROM used u LEFT JOIN PARENT p ON p.id = u.value WHERE u.value IS NOT NULL AND p.id IS NULL)`

// elsewhere gives the rows whose key, which begins with the household, is not in that of what they refer to.
const elsewhere = `SELECT x.id >> 43, x.COLUMN, 1, 1 FROM PARENT p CROSS JOIN TABLE x ON x.COLUMN = p.id AND x.id < p.household_id << 43
	UNION ALL SELECT x.id >> 43, x.COLUMN, 1, 1 FROM PARENT p CROSS JOIN TABLE x ON x.COLUMN = p.id AND x.id >= (p.household_id + 1) << 43`

// household is that of a row x of the table.
func (r reference) household() string {
	switch {
	case r.owned:
		return "x.household_id"
	case strings.HasPrefix(r.table, "transaction_"):
		return "x.transaction_id >> 43"
	case strings.HasPrefix(r.table, "import_"):
		return "(SELECT i.household_id FROM imports i WHERE i.id = x.import_id)"
	}
	return "(SELECT k.household_id FROM api_keys k WHERE k.id = x.api_key_id)" // idempotent_answers
}

// scanned gives all rows of a query.
func scanned[T any](ctx context.Context, q *Queries, scan func(*sql.Rows, *T) error, text string) (all []T, err error) {
	rows, err := q.db.QueryContext(ctx, text)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var one T
		if err := scan(rows, &one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}
