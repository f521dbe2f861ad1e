package db

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// CheckIntegrity lets SQLite check the whole file, its indexes, the index for search and all references. It gives what is
// wrong, a sentence each; nothing for a sound file. It reads every page: seconds for a million transactions.
//
// It looks through a connection of its own: one that read before another process wrote takes what that
// process added to the index for search for defects (SQLite 3.53).
func (d *DB) CheckIntegrity(ctx context.Context) ([]string, error) {
	pool, err := sql.Open("sqlite", d.dsn(viewerSettings))
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	found, err := texts(ctx, pool, "PRAGMA integrity_check")
	if err != nil {
		return nil, translate(err)
	}
	if len(found) == 1 && found[0] == "ok" {
		found = nil
	}
	broken, err := texts(ctx, pool, "SELECT 'row ' || coalesce(rowid, '?') || ' of ' || \"table\" || ' refers to a row of ' || parent || ' that is not there' FROM pragma_foreign_key_check")
	return append(found, broken...), translate(err)
}

func texts(ctx context.Context, pool *sql.DB, query string) (all []string, err error) {
	rows, err := pool.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, fmt.Errorf("%s: %w", strings.ToLower(query), err)
		}
		all = append(all, text)
	}
	return all, rows.Err()
}
