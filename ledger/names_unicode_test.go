package ledger_test

import (
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/ledger"
)

// The name of a shop as it is mostly written, and as macOS writes it: a letter and its mark.
const (
	composed   = "Caf\u00e9 M\u00fcller"
	decomposed = "Cafe\u0301 Mu\u0308ller"
)

// TestNamesInBothForms: what is called by one is meant by the other, and stays written as it was.
func TestNamesInBothForms(t *testing.T) {
	t.Parallel()
	for name, own := range map[string][2]string{"composed first": {composed, decomposed}, "decomposed first": {decomposed, composed}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBooks(t)
			account := b.openWith(own[0], "depository", "EUR", "0")
			if id, err := b.ResolveAccount(b.ctx(), b.who, strings.ToUpper(own[1])); err != nil || id != uuid.UUID(account.PublicID) {
				t.Errorf("the account is %s, %v", id, err)
			}
			if _, err := b.CreateTag(b.ctx(), b.who, ledger.TagInput{Name: ledger.Some(own[0])}); err != nil {
				t.Fatal(err)
			}
			if _, err := b.CreateTag(b.ctx(), b.who, ledger.TagInput{Name: ledger.Some(own[1])}); !ledger.IsKind(err, ledger.Invalid) {
				t.Errorf("the same tag again: %v", err)
			}
			b.newCategory(ledger.CategoryInput{Name: ledger.Some(own[0])})
			if _, err := b.CreateCategory(b.ctx(), b.who, ledger.CategoryInput{Name: ledger.Some(own[1])}); !ledger.IsKind(err, ledger.Invalid) {
				t.Errorf("the same category again: %v", err)
			}
			b.newMerchant(own[0])
			if _, err := b.CreateMerchant(b.ctx(), b.who, ledger.MerchantInput{Name: ledger.Some(own[1])}); !ledger.IsKind(err, ledger.Invalid) {
				t.Errorf("the same merchant again: %v", err)
			}
			if got, err := b.GetAccount(b.ctx(), b.who, uuid.UUID(account.PublicID)); err != nil || got.Name != own[0] {
				t.Errorf("the account is called %+q now, %v", got.Name, err)
			}
		})
	}
}

// findNames are the names of the transactions that a search finds, oldest first.
func (b *books) findNames(search string) []string {
	b.tb.Helper()
	list, total, err := b.ListTransactions(b.ctx(), b.who, ledger.TransactionFilter{Search: search}, wholePage)
	if err != nil || int(total) != len(list) {
		b.tb.Fatalf("%d of %d, %v", len(list), total, err)
	}
	var names []string
	for _, t := range slices.Backward(list) {
		names = append(names, t.Name)
	}
	return names
}

// TestSearchInBothForms: names, notes, merchants and lines of split transactions are found by either form, also by the one
// and two characters for which there is no index.
func TestSearchInBothForms(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	giro := uuid.UUID(b.openWith("Giro", "depository", "EUR", "0").PublicID)
	b.create(entry(giro, "2026-02-01", "1", composed))
	b.create(entry(giro, "2026-02-02", "2", decomposed))
	noted := entry(giro, "2026-02-03", "3", "noted")
	noted.Notes = ledger.Some("at " + decomposed)
	b.create(noted)
	sold := entry(giro, "2026-02-04", "4", "sold")
	sold.MerchantID = ledger.Some(b.newMerchant(decomposed))
	b.create(sold)
	split := entry(giro, "2026-02-05", "5", "split")
	split.SplitLines = ledger.Some([]ledger.SplitLineInput{{Amount: amountOf("2"), Name: ledger.Some(decomposed)}, {Amount: amountOf("3")}})
	b.create(split)
	b.create(entry(giro, "2026-02-06", "6", "Cafe Muller"))
	want := []string{composed, decomposed, "noted", "sold", decomposed} // of the split one, the line that has the name
	for _, search := range []string{composed, decomposed, "f\u00e9 M", "fe\u0301 m", "CAFE\u0301", "\u00e9", "e\u0301", "\u00c9", "f\u00e9", "fe\u0301", "m\u00fc", "MU\u0308"} {
		if got := b.findNames(search); !slices.Equal(got, want) {
			t.Errorf("%+q finds %+q", search, got)
		}
	}
	if got := b.findNames("cafe muller"); !slices.Equal(got, []string{"Cafe Muller"}) {
		t.Errorf("without marks it finds %+q", got)
	}
}

// TestUpgradeMakesNamesNormal: a file of the schema before has keys, search texts and recognition keys in the form in which
// names were written. A name that would be another's key stays a name of its own.
func TestUpgradeMakesNamesNormal(t *testing.T) {
	t.Parallel()
	path := dbtest.Unpacked(t, filepath.Join("..", "db", "testdata", "schemas", "0019.db.gz"))
	pool, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"UPDATE accounts SET name = '" + decomposed + "', name_key = lower('" + decomposed + "') WHERE id = 1",
		"INSERT INTO tags (id, public_id, household_id, name, name_key, color, created_at, updated_at) VALUES (90, randomblob(16), 1, '" + decomposed +
			"', lower('" + decomposed + "'), '#112233', 0, 0), (91, randomblob(16), 1, '" + composed + "', 'caf\u00e9 m\u00fcller', '#112233', 0, 0)",
		"INSERT INTO categories (id, public_id, household_id, name, name_key, classification, color, icon, created_at, updated_at) VALUES (90, randomblob(16), 1, '" +
			decomposed + "', lower('" + decomposed + "'), 'expense', '#112233', 'shapes', 0, 0)",
		"INSERT INTO merchants (id, public_id, household_id, name, name_key, created_at, updated_at) VALUES (90, randomblob(16), 1, '" + decomposed +
			"', lower('" + decomposed + "'), 0, 0)",
		"UPDATE transactions SET name = '" + decomposed + "', text_key = 1 WHERE id = " + rent, // born with another name
		"DELETE FROM transactions_fts WHERE rowid = " + rent,
		"INSERT INTO transactions_fts (rowid, name, notes, merchant) VALUES (" + rent + ", '" + decomposed + "', '', '')",
	} {
		if _, err := pool.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(statement, err)
		}
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	upgradeFile(t, path)
	if text := defects(audited(t, path)); text != "" {
		t.Error(text)
	}
	if pool, err = sql.Open("sqlite", "file:"+path); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"SELECT name || '=' || name_key FROM accounts WHERE id = 1":    decomposed + "=caf\u00e9 m\u00fcller",
		"SELECT name || '=' || name_key FROM categories WHERE id = 90": decomposed + "=caf\u00e9 m\u00fcller",
		"SELECT name || '=' || name_key FROM merchants WHERE id = 90":  decomposed + "=caf\u00e9 m\u00fcller",
		"SELECT name || '=' || name_key FROM tags WHERE id = 91":       composed + "=caf\u00e9 m\u00fcller",
		"SELECT name || '=' || name_key FROM tags WHERE id = 90":       decomposed + "=cafe\u0301 mu\u0308ller",
		"SELECT text_key FROM transactions WHERE id = " + rent:         "1",
	} {
		var got string
		if err := pool.QueryRowContext(t.Context(), query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: got %+q, %v, want %+q", query, got, err, want)
		}
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := db.View(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	l, who := ledger.New(d, inApril), ledger.Actor{HouseholdID: 1}
	for _, search := range []string{composed, decomposed} {
		list, _, err := l.ListTransactions(t.Context(), who, ledger.TransactionFilter{Search: search}, wholePage)
		if err != nil || len(list) != 1 || list[0].Name != decomposed {
			t.Errorf("%+q finds %d, %v", search, len(list), err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}
