package queries_test

import (
	"context"
	"slices"
	"testing"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/queries"
)

// texts is a household's transactions to search in: the keys are the indexes plus one.
func texts() []string {
	return []string{
		`say "cheese"`, `NEAR(coffee, shop)`, `coffee AND shop`, `name: coffee*`, `50% off_`, `Äpfel`, `äRGER`, `ÉCLAIR`, `ß in Gauß`,
		`咖啡 bar`, `plain`, `quote ' here`, `a^b -c +d`,
	}
}

// searchFile is a file with the texts.
func searchFile(t *testing.T) *db.DB {
	t.Helper()
	d := dbtest.New(t)
	err := d.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		if _, err := q.Exec(ctx, `INSERT INTO households (id, public_id, name, currency, locale, timezone, created_at, updated_at)
			VALUES (1, ?, 'Home', 'EUR', 'de-DE', 'Europe/Berlin', 0, 0)`, id(1)); err != nil {
			return err
		}
		if _, err := q.Exec(ctx, `INSERT INTO accounts (id, public_id, household_id, name, name_key, account_type, currency, created_at, updated_at)
			VALUES (1, ?, 1, 'Giro', 'giro', 'depository', 'EUR', 0, 0)`, id(2)); err != nil {
			return err
		}
		for i, text := range texts() {
			if err := insertText(ctx, q, key(i), text); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// key is the transaction key of household 1, day 0 (1970-01-01) and creation number i + 1.
func key(i int) int64 { return 1<<43 | 25567<<26 | int64(i+1) }

func id(n byte) queries.PublicID { return queries.PublicID{15: n} }

func insertText(ctx context.Context, q *queries.Queries, key int64, text string) error {
	public := queries.PublicID{0: 1, 15: byte(key)}
	if err := q.InsertTransaction(ctx, queries.InsertTransactionParams{
		ID: key, PublicID: public, HouseholdID: 1, AccountID: 1, Currency: "EUR", Name: text,
	}); err != nil {
		return err
	}
	return q.InsertSearchText(ctx, key, text, "", "")
}

// find gives the texts that a search finds, newest first.
func find(t *testing.T, d *db.DB, search string) []string {
	t.Helper()
	filter := queries.TransactionFilter{HouseholdID: 1, FirstKey: 1 << 43, LastKey: 2<<43 - 1, Search: search}
	found := []string{}
	err := d.ReadTx(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		rows, err := q.ListTransactions(ctx, filter, queries.PageOf{Limit: 100})
		for _, row := range rows {
			found = append(found, row.Name)
		}
		if err != nil {
			return err
		}
		n, err := q.CountTransactionKeys(ctx, filter)
		if int(n) != len(rows) {
			t.Errorf("search %q lists %d and counts %d", search, len(rows), n)
		}
		return err
	})
	if err != nil {
		t.Errorf("search %q: %v", search, err)
	}
	return found
}

// TestSearch looks for texts that mean something to the full-text query language, and for short ones
// whose upper and lower case SQLite does not know.
func TestSearch(t *testing.T) {
	t.Parallel()
	d := searchFile(t)
	for _, c := range []struct {
		search string
		want   []string
	}{
		{`"cheese"`, []string{`say "cheese"`}},
		{`say "`, []string{`say "cheese"`}},
		{`"""`, []string{}},
		{`NEAR(coffee`, []string{`NEAR(coffee, shop)`}},
		{`coffee AND shop`, []string{`coffee AND shop`}},
		{`COFFEE`, []string{`name: coffee*`, `coffee AND shop`, `NEAR(coffee, shop)`}},
		{`coffee*`, []string{`name: coffee*`}},
		{`name:`, []string{`name: coffee*`}},
		{`off_`, []string{`50% off_`}},
		{`0% `, []string{`50% off_`}},
		{`-c +`, []string{`a^b -c +d`}},
		{`^`, []string{`a^b -c +d`}},
		{`'`, []string{`quote ' here`}},
		{`"`, []string{`say "cheese"`}},
		{`%`, []string{`50% off_`}},
		{`_`, []string{`50% off_`}},
		{`är`, []string{`äRGER`}},
		{`ÄR`, []string{`äRGER`}},
		{`äp`, []string{`Äpfel`}},
		{`éc`, []string{`ÉCLAIR`}},
		{`ß`, []string{`ß in Gauß`}},
		{`咖啡`, []string{`咖啡 bar`}},
		{`PL`, []string{`plain`}},
		{`äpfel`, []string{`Äpfel`}},
		{`zz`, []string{}},
		{`zzz`, []string{}},
	} {
		if got := find(t, d, c.search); !slices.Equal(got, c.want) {
			t.Errorf("search %q finds %q, want %q", c.search, got, c.want)
		}
	}
}

// TestSearchForgets: what was removed from the index is found no more, one by one and as a range.
func TestSearchForgets(t *testing.T) {
	t.Parallel()
	d := searchFile(t)
	err := d.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		if err := q.DeleteSearchText(ctx, key(1)); err != nil {
			return err
		}
		return q.DeleteSearchTexts(ctx, queries.DeleteSearchTextsParams{FirstKey: key(3), LastKey: key(12)})
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := find(t, d, "coffee"), []string{`coffee AND shop`}; !slices.Equal(got, want) {
		t.Errorf("after removal the search finds %q, want %q", got, want)
	}
}

func FuzzSearch(f *testing.F) {
	for _, text := range append(texts(), "", `"`, `""`, "a\x00b", "\xff\xfe", "NOT", "ABC OR", "{a b}: c", "İstanbul", "ǅ") {
		f.Add(text)
	}
	d := dbtest.New(f)
	f.Fuzz(func(t *testing.T, search string) {
		if search == "" || len(search) > 1000 {
			t.Skip("no search, or one that the ledger refuses")
		}
		find(t, d, search)
	})
}

func TestPublicID(t *testing.T) {
	t.Parallel()
	want := queries.PublicID{1, 2, 3, 15: 16}
	value, err := want.Value()
	if err != nil {
		t.Fatal(err)
	}
	var got queries.PublicID
	if err := got.Scan(value); err != nil || got != want {
		t.Errorf("Scan(Value()) = %v, %v, want %v", got, err, want)
	}
	if err := got.Scan(nil); err != nil || got != (queries.PublicID{}) {
		t.Errorf("Scan(nil) = %v, %v, want the zero id", got, err)
	}
	for _, wrong := range []any{"0123456789abcdef", []byte("short"), int64(1), make([]byte, 17)} {
		if err := got.Scan(wrong); err == nil {
			t.Errorf("Scan(%T %v) gives no error", wrong, wrong)
		}
	}
}
