package queries_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

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
func searchFile(t testing.TB) *db.DB {
	t.Helper()
	return fileOf(t, func(ctx context.Context, q *queries.Queries) error {
		for i, text := range texts() {
			if err := insertText(ctx, q, key(i), text); err != nil {
				return err
			}
		}
		return nil
	})
}

// fileOf is a file with a household, an account, and what fill adds.
func fileOf(t testing.TB, fill db.Work) *db.DB {
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
		return fill(ctx, q)
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
	return insertTexts(ctx, q, key, text, "")
}

// insertTexts makes a transaction with a name and notes.
func insertTexts(ctx context.Context, q *queries.Queries, key int64, name, notes string) error {
	public := queries.PublicID{0: 1}
	binary.BigEndian.PutUint64(public[8:], uint64(key))
	if err := q.InsertTransaction(ctx, queries.InsertTransactionParams{
		ID: key, PublicID: public, HouseholdID: 1, AccountID: 1, Currency: "EUR", Name: name, Notes: &notes,
	}); err != nil {
		return err
	}
	return q.InsertSearchText(ctx, key, name, notes, "")
}

// find gives the texts that a search finds, newest first.
func find(t testing.TB, d *db.DB, search string) []string {
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
		if int(min(n, 100)) != len(rows) {
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

// TestSearchRepeats compares searches for texts that repeat themselves, and others, with plain reading: in names and notes
// of few different letters, in both cases.
func TestSearchRepeats(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		letters := rapid.SampledFrom([]string{"aA", "abAB", "aäÄ ", "ssſ", "kK\u212a", "éE0"}).Draw(r, "letters")
		text := rapid.StringOfN(rapid.SampledFrom([]rune(letters)), 0, 12, -1)
		var names, notes []string
		for range rapid.IntRange(1, 6).Draw(r, "rows") {
			names, notes = append(names, text.Draw(r, "name")), append(notes, strings.Repeat(text.Draw(r, "part"), rapid.IntRange(0, 5).Draw(r, "times"))+text.Draw(r, "end"))
		}
		d := fileOf(t, func(ctx context.Context, q *queries.Queries) error {
			for i := range names {
				if err := insertTexts(ctx, q, key(i), names[i], notes[i]); err != nil {
					return err
				}
			}
			return nil
		})
		for range 5 {
			search := rapid.StringOfN(rapid.SampledFrom([]rune(letters)), 3, 15, -1).Draw(r, "search")
			want := []string{}
			for i := range slices.Backward(names) {
				if strings.Contains(plain(names[i]), plain(search)) || strings.Contains(plain(notes[i]), plain(search)) {
					want = append(want, names[i])
				}
			}
			if got := find(t, d, search); !slices.Equal(got, want) {
				r.Fatalf("search %q in names %q and notes %q finds %q, want %q", search, names, notes, got, want)
			}
		}
	})
}

// plain is a text of the letters of TestSearchRepeats without regard to case.
func plain(text string) string {
	return strings.NewReplacer("ſ", "s", "\u212a", "k").Replace(strings.ToLower(text))
}

// BenchmarkSearchRepeats looks for equal letters in 20,000 transactions whose notes are 10,000 equal letters, and for others.
func BenchmarkSearchRepeats(b *testing.B) {
	notes := strings.Repeat("a", 10_000)
	d := fileOf(b, func(ctx context.Context, q *queries.Queries) error {
		for i := range 20_000 {
			if err := insertTexts(ctx, q, key(i), fmt.Sprint("Purchase ", i), notes); err != nil {
				return err
			}
		}
		return nil
	})
	for _, c := range []struct{ name, search string }{
		{"4", "aaaa"}, {"50", notes[:50]}, {"255", notes[:255]}, {"255_absent", notes[:254] + "b"}, {"rare", "chase 12345"}, {"common", "purchase"},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				find(b, d, c.search)
			}
		})
	}
}
