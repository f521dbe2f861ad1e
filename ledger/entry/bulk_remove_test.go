package entry_test

import (
	"context"
	"errors"
	"testing"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/queries"
)

// TestRemovedDraftsLeaveNoReference fails for a table that is new and refers to transactions, until [entry.RemoveDrafts]
// knows it: in bulk nothing else removes what is in it.
func TestRemovedDraftsLeaveNoReference(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	keys := b.EveryReference()
	for column, n := range b.References(keys[0]) {
		if n == 0 {
			t.Errorf("%s refers to transactions: have RemoveDrafts empty it, and this test fill it", column)
		}
	}
	err := b.Bulk(func(ctx context.Context, q *queries.Queries) error {
		written, err := entry.ListWritten(ctx, b.Tx(q, b.Who), 1)
		if err != nil || len(written.Keys) != 1 {
			t.Errorf("written: %v, %v", written, err)
		}
		return entry.RemoveDrafts(ctx, b.Tx(q, b.Who), written)
	})
	if err != nil {
		t.Fatal(err)
	}
	for column, n := range b.References(keys[0]) {
		if n != 0 {
			t.Errorf("%s still refers to what was removed", column)
		}
	}
	for column, n := range b.References(keys[1]) {
		if n != 1 {
			t.Errorf("%s refers %d times to what was not removed, want 1", column, n)
		}
	}
	for text, want := range map[string]int64{
		"SELECT count(*) FROM pragma_foreign_key_check":                              0,
		"SELECT count(*) FROM transactions":                                          2,
		"SELECT count(*) FROM transactions_fts WHERE transactions_fts MATCH 'bread'": 1,
	} {
		if got := b.Number(text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

// TestWrittenIsCut: the parts are all of it, in order, each with its own references.
func TestWrittenIsCut(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	b.EveryReference()
	b.Exec("UPDATE transactions SET import_id = 1")
	err := b.Bulk(func(ctx context.Context, q *queries.Queries) error {
		rest, err := entry.ListWritten(ctx, b.Tx(q, b.Who), 1)
		for _, left := range []int{2, 1, 0} {
			var part entry.Written
			part, rest = rest.Cut(1)
			if len(part.Keys) != 1 || len(rest.Keys) != left {
				t.Errorf("cut %v off %v", part, rest)
			}
			err = errors.Join(err, entry.RemoveDrafts(ctx, b.Tx(q, b.Who), part))
		}
		return err
	})
	if broken := b.Number("SELECT count(*) FROM pragma_foreign_key_check"); err != nil || broken != 0 {
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
			b := ledgertest.New(t)
			b.EveryReference()
			other := b.Household("Other")
			b.Account(other, "Theirs", "EUR")
			b.Exec(c.others)
			b.Exec("UPDATE imports SET first_sequence = 1 WHERE id = 1")
			if err := b.Bulk(func(ctx context.Context, q *queries.Queries) error {
				return entry.Unindex(ctx, q, 1, &entry.Written{})
			}); err != nil {
				t.Fatal(err)
			}
			if got := b.Number("SELECT count(*) FROM transactions_fts"); got != c.want {
				t.Errorf("%d texts are left, want %d", got, c.want)
			}
		})
	}
}

// TestDraftsNeedTheirParents: in bulk nothing but [entry.InsertDrafts] sees that what a row refers to is not there, or not
// the household's.
func TestDraftsNeedTheirParents(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	b.Account(b.Who, "Bank", "EUR")
	b.Category(b.Who, "Food")
	b.Tag(b.Who, "fun")
	b.Merchant(b.Who, "Baker")
	b.Account(b.Household("Other"), "Theirs", "EUR")
	b.Insert("INSERT INTO imports (public_id, household_id, type, status, settings, created_at, updated_at) VALUES (?, ?, 'QifImport', 'importing', '{}', 0, 0)", b.Who.HouseholdID)
	insert := func(row int64, d entry.Draft) error {
		d.Row, d.Date, d.Currency, d.Name, d.Minor = row, ledger.NewDate(2026, 2, 3), "EUR", "Bread", -100
		return b.Bulk(func(ctx context.Context, q *queries.Queries) error {
			_, err := entry.InsertDrafts(ctx, b.Tx(q, b.Who), entry.BulkTarget{ImportID: 1, FirstSequence: 1}, []entry.Draft{d})
			return err
		})
	}
	line := entry.DraftLine{Minor: -50, CategoryID: 1, MerchantID: 1, TagIDs: []int64{1}}
	if err := errors.Join(insert(1, entry.Draft{AccountID: 1}), insert(2, entry.Draft{AccountID: 1, CategoryID: 1, MerchantID: 1, TagIDs: []int64{1, 1}}),
		insert(3, entry.Draft{AccountID: 1, Lines: []entry.DraftLine{line, line}})); err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]entry.Draft{
		"account":         {AccountID: 9},
		"other's account": {AccountID: 2},
		"category":        {AccountID: 1, CategoryID: 9},
		"merchant":        {AccountID: 1, MerchantID: 9},
		"tag":             {AccountID: 1, TagIDs: []int64{1, 9}},
		"line's category": {AccountID: 1, Lines: []entry.DraftLine{line, {Minor: -50, CategoryID: 9}}},
		"line's merchant": {AccountID: 1, Lines: []entry.DraftLine{line, {Minor: -50, MerchantID: 9}}},
		"line's tag":      {AccountID: 1, Lines: []entry.DraftLine{line, {Minor: -50, TagIDs: []int64{9}}}},
	} {
		if err := insert(4, d); !errors.Is(err, db.ErrReferenced) {
			t.Errorf("%s: %v, want %v", name, err, db.ErrReferenced)
		}
	}
	if n, broken := b.Number("SELECT count(*) FROM transactions"), b.Number("SELECT count(*) FROM pragma_foreign_key_check"); n != 3 || broken != 0 {
		t.Errorf("%d transactions, %d broken references", n, broken)
	}
}
