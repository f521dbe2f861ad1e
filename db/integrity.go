package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	sqlite3 "modernc.org/sqlite/lib"
)

// CheckIntegrity lets SQLite check the whole file, its indexes, the index for search and all references. It gives what
// is wrong, a sentence each; nothing for a sound file. It reads every page: seconds for a million transactions.
//
// It looks through connections of its own: one that read before another process wrote takes what that
// process added to the index for search for defects (SQLite 3.53). Two look at the same time, as half of the work is
// to look up each transaction in each index. Together they do what integrity_check does.
func (d *DB) CheckIntegrity(ctx context.Context) ([]string, error) {
	var indexes, others []string
	var errIndexes, err error
	var both sync.WaitGroup
	both.Go(func() { indexes, errIndexes = checkRows(ctx, d, integrityOf+"= 'transactions'") })
	others, err = checkRows(ctx, d, "PRAGMA quick_check", integrityOf+"<> 'transactions'",
		"SELECT 'row ' || coalesce(rowid, '?') || ' of ' || \"table\" || ' refers to a row of ' || parent || ' that is not there' FROM pragma_foreign_key_check")
	both.Wait()
	indexes = slices.DeleteFunc(indexes, func(text string) bool { return slices.Contains(others, text) })
	return append(others, indexes...), errors.Join(err, errIndexes)
}

// integrityOf checks the tables that have indexes and whose name is what follows. The first schemas have no
// transactions.
const integrityOf = `SELECT i.integrity_check FROM (SELECT DISTINCT tbl_name FROM sqlite_schema WHERE type = 'index') t, pragma_integrity_check(t.tbl_name) i WHERE t.tbl_name `

// checkRows is what the queries find wrong.
func checkRows(ctx context.Context, d *DB, queries ...string) (all []string, err error) {
	pool, err := reopen(d, viewerSettings)
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	for _, query := range queries {
		some, err := texts(ctx, pool, query)
		if isCode(err, sqlite3.SQLITE_CORRUPT) || isCode(err, sqlite3.SQLITE_NOTADB) {
			return append(all, err.Error()), nil // so much that the rest cannot be read
		}
		if err != nil {
			return nil, translate(err)
		}
		all = append(all, slices.DeleteFunc(some, func(text string) bool { return text == "ok" })...)
	}
	return all, nil
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
