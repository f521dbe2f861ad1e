// Package queries is SQL, with what sqlc makes of it and a few queries whose text depends on what is asked. It runs
// them and knows nothing else; no rule stands here.
//
// To add a query, write it in a .sql file with a comment that says what for, name the household in it, and run
// CGO_ENABLED=0 go run github.com/sqlc-dev/sqlc/cmd/sqlc@v1.31.1 generate. The tests refuse shapes that sqlc gets
// wrong, and show the plans.
package queries

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"
)

// PublicID is the UUID by which clients know a row, stored as 16 bytes.
type PublicID [16]byte

// Value gives the bytes to the driver.
func (id PublicID) Value() (driver.Value, error) { return id[:], nil }

// Scan reads the bytes back. NULL, from the empty side of a join, is the zero id.
func (id *PublicID) Scan(value any) error {
	if value == nil {
		*id = PublicID{}
		return nil
	}
	bytes, ok := value.([]byte)
	if !ok || len(bytes) != len(id) {
		return fmt.Errorf("a public id is 16 bytes, got %T", value)
	}
	copy(id[:], bytes)
	return nil
}

// Exec runs a statement that is not among the generated ones and gives the key of the row it inserted
// last. It is for test data and maintenance, not for rules.
func (q *Queries) Exec(ctx context.Context, text string, args ...any) (int64, error) {
	result, err := q.db.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// Number runs a query that is not among the generated ones and gives its single number. It is for tests
// and maintenance, like Exec.
func (q *Queries) Number(ctx context.Context, text string, args ...any) (int64, error) {
	var n int64
	err := q.db.QueryRowContext(ctx, text, args...).Scan(&n)
	return n, err
}

// EachRow gives every row of a query to use, which scans it. The query is not among the generated ones. It is for
// maintenance, like Exec.
func (q *Queries) EachRow(ctx context.Context, use func(scan func(...any) error) error, text string,
	args ...any) error {
	rows, err := q.db.QueryContext(ctx, text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := use(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Numbers reads whole numbers that group_concat has put into one text, with a separator between them; an empty text is
// none.
func Numbers(packed, separator string) ([]int64, error) {
	var list []int64
	if packed == "" {
		return list, nil
	}
	for text := range strings.SplitSeq(packed, separator) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("the database packed whole numbers as %q", packed)
		}
		list = append(list, n)
	}
	return list, nil
}
