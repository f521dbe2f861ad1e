package ledger_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// TestJournalOfSplits: a dollar is worth half a euro. 100.01 USD are 50.01 EUR (50.005 rounded); of these the first
// 60.00 USD have 30.00, the first 110.02 USD 55.02 (5001 * 11002 / 10001 is 5501.55), all three 50.01. A split side
// of a transfer is the transfer's.
func TestJournalOfSplits(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	a, other := b.openWith("A", "depository", "EUR", "0"), b.openWith("B", "depository", "EUR", "0")
	b.rate("USD", "EUR", "2026-02-10", "0.5")
	food, home := b.category(b.who, "Food"), b.category(b.who, "Home")
	named := part("60", food)
	named.Name = ledger.Some("Bread: dark; rye")
	split := func(account ledger.Account, amount, currency, name string, lines ...ledger.SplitLineInput) {
		in := entry(uuid.UUID(account.PublicID), "2026-02-10", amount, name)
		in.Currency, in.SplitLines = ledger.Some(currency), ledger.Some(lines)
		b.create(in)
	}
	split(a, "100", "EUR", "bill", named, part("50", home), part("-10", uuid.Nil))
	split(a, "100.01", "USD", "abroad", part("60", food), part("50.02", home), part("-10.01", uuid.Nil))
	split(a, "0", "USD", "even", part("5", food), part("-5", uuid.Nil))
	split(a, "700", "JPY", "yen", part("300", food), part("400", uuid.Nil))
	split(a, "2", "EUR", "away", part("1", food), part("1", home))
	b.book(other, "2026-02-10", "-2", "EUR", "here")
	_, got, _ := strings.Cut(b.journal(), "\nP ")
	want := `2026-02-10 USD 0.5 EUR

2026-02-10 * bill
    assets:A  -100.00 EUR
    expenses:Food  60.00 EUR  ; Bread∶ dark； rye
    expenses:Home  50.00 EUR
    income:uncategorised  -10.00 EUR

2026-02-10 * abroad
    assets:A  -50.01 EUR
    expenses:Food  60.00 USD @@ 30.00 EUR
    expenses:Home  50.02 USD @@ 25.02 EUR
    income:uncategorised  -10.01 USD @@ 5.01 EUR

2026-02-10 * even
    assets:A  0.00 EUR
    expenses:Food  5.00 USD
    income:uncategorised  -5.00 USD

2026-02-10 * yen
    assets:A:unconverted  -700 JPY
    expenses:Food  300 JPY
    expenses:uncategorised  400 JPY

2026-02-10 * away
    assets:A  -2.00 EUR
    equity:transfers  2.00 EUR

2026-02-10 * here
    assets:B  2.00 EUR
    equity:transfers  -2.00 EUR
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// draft writes one draft as an import does, beside an import of the same number in the file.
func (b *books) draft(d ledger.Draft) error {
	return b.db.Write(b.ctx(), func(ctx context.Context, q *queries.Queries) error {
		id, err := q.Exec(ctx, `INSERT INTO imports (public_id, household_id, type, status, settings, created_at, updated_at)
			VALUES (?, ?, 'QifImport', 'complete', '{}', 0, 0)`, queries.PublicID(uuid.Must(uuid.NewV7())), b.who.HouseholdID)
		if err != nil {
			return err
		}
		first, err := b.ReserveSequences(ctx, q, b.who, 1)
		if err != nil {
			return err
		}
		rollups := ledger.NewRollups()
		rollups.Add(ledger.Posting{AccountID: d.AccountID, Date: d.Date, Currency: d.Currency, Minor: d.Minor, Parts: d.PartAmounts()})
		texts, err := b.InsertDrafts(ctx, q, b.who, ledger.BulkTarget{ImportID: id, FirstSequence: first}, []ledger.Draft{d})
		if err != nil {
			return err
		}
		if err := b.MakeFindable(ctx, q, texts); err != nil {
			return err
		}
		return b.ApplyRollups(ctx, q, b.who, rollups)
	})
}

func TestDraftsWithLines(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	food, fun := b.category(b.who, "Food"), b.tag(b.who, "fun")
	good := ledger.Draft{AccountID: b.key(b.account(b.who, "Checking", "EUR")), Date: ledger.NewDate(2026, 3, 2), Minor: -10000, Currency: "EUR", Name: "Bill", Row: 1,
		Lines: []ledger.DraftLine{{CategoryID: b.keyOf("categories", food), Minor: -11000, Name: "Bread", TagIDs: []int64{b.keyOf("tags", fun)}},
			{Minor: 1000, Notes: "bottles back", MerchantID: b.keyOf("merchants", b.newMerchant("Kiosk"))}}}
	if err := b.draft(good); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"bread": "Bread", "bottles": "Bill", "kiosk": "Bill", "other": ""} {
		if got := b.found(text); got != want {
			t.Errorf("%s finds %q", text, got)
		}
	}
	if got, want := sums(b.earned("2026-03-01", "2026-03-31")), "1000-11000=-10000, 0 left out; Food 0-11000 of 1; none 1000-0 of 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b.checkRollups(t.Fatal)
	for want, spoil := range map[string]func(*ledger.Draft){
		"must add up to its amount, -10001, but add up to -10000": func(d *ledger.Draft) { d.Minor-- },
		"must have 2 to 250 lines, has 1":                         func(d *ledger.Draft) { d.Lines = d.Lines[:1] },
		"must have 2 to 250 lines, has 500":                       func(d *ledger.Draft) { d.Lines = slices.Repeat(d.Lines, 250) },
		"must not have a category beside its lines":               func(d *ledger.Draft) { d.CategoryID = d.Lines[0].CategoryID },
	} {
		bad := good
		spoil(&bad)
		if err := b.draft(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestLabelsOfLinesAreUsed: what an import created stays as long as a line has it.
func TestLabelsOfLinesAreUsed(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	food, baker, fun := b.category(b.who, "Food"), b.newMerchant("Baker"), b.tag(b.who, "fun")
	in := entry(b.account(b.who, "Checking", "EUR"), "2026-03-02", "100", "Bill")
	line := part("60", food)
	line.MerchantID, line.TagIDs = ledger.Some(baker), ledger.Some([]uuid.UUID{fun})
	in.SplitLines = parts(line, part("40", uuid.Nil))
	bill := b.create(in)
	for _, want := range []int64{3, 0} {
		var left int64
		err := b.db.Write(b.ctx(), func(ctx context.Context, q *queries.Queries) error {
			id, err := q.Exec(ctx, `INSERT INTO imports (public_id, household_id, type, status, settings, created_at, updated_at)
				VALUES (?, ?, 'QifImport', 'complete', '{}', 0, 0)`, queries.PublicID(uuid.Must(uuid.NewV7())), b.who.HouseholdID)
			if err != nil {
				return err
			}
			for entity, made := range map[string]uuid.UUID{"category": food, "merchant": baker, "tag": fun} {
				if err := q.InsertImportCreation(ctx, queries.InsertImportCreationParams{ImportID: id, Entity: entity, EntityID: queries.PublicID(made)}); err != nil {
					return err
				}
			}
			if _, err := q.DeleteUnusedImportCategories(ctx, queries.DeleteUnusedImportCategoriesParams{HouseholdID: b.who.HouseholdID, ImportID: id}); err != nil {
				return err
			}
			if err := q.DeleteUnusedImportMerchants(ctx, queries.DeleteUnusedImportMerchantsParams{HouseholdID: b.who.HouseholdID, ImportID: id}); err != nil {
				return err
			}
			if err := q.DeleteUnusedImportTags(ctx, queries.DeleteUnusedImportTagsParams{HouseholdID: b.who.HouseholdID, ImportID: id}); err != nil {
				return err
			}
			left, err = q.Number(ctx, "SELECT (SELECT count(*) FROM categories) + (SELECT count(*) FROM merchants) + (SELECT count(*) FROM tags)")
			return err
		})
		if err != nil || left != want {
			t.Errorf("%d are left, want %d (%v)", left, want, err)
		}
		if want > 0 {
			b.remove(bill)
		}
	}
}

// keyOf is the inner key of a row.
func (b *books) keyOf(table string, id uuid.UUID) (key int64) {
	b.tb.Helper()
	err := b.db.Read(b.ctx(), func(ctx context.Context, q *queries.Queries) (err error) {
		key, err = q.Number(ctx, "SELECT id FROM "+table+" WHERE public_id = ?", queries.PublicID(id))
		return err
	})
	if err != nil {
		b.tb.Fatal(err)
	}
	return key
}
