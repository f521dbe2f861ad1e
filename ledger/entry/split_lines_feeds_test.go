package entry_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/queries"
)

// TestJournalOfSplits: a dollar is worth half a euro. 100.01 USD are 50.01 EUR (50.005 rounded); of these the first
// 60.00 USD have 30.00, the first 110.02 USD 55.02 (5001 * 11002 / 10001 is 5501.55), all three 50.01. A split side
// of a transfer is the transfer's.
func TestJournalOfSplits(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	a, other := b.OpenWith("A", "depository", "EUR", "0"), b.OpenWith("B", "depository", "EUR", "0")
	b.Rate("USD", "EUR", "2026-02-10", "0.5")
	food, home := b.Category(b.Who, "Food"), b.Category(b.Who, "Home")
	named := part("60", food)
	named.Name = ledger.Some("Bread: dark; rye")
	split := func(account catalog.Account, amount, currency, name string, lines ...entry.SplitLineInput) {
		in := ledgertest.Entry(uuid.UUID(account.PublicID), "2026-02-10", amount, name)
		in.Currency, in.SplitLines = ledger.Some(currency), ledger.Some(lines)
		b.Create(in)
	}
	split(a, "100", "EUR", "bill", named, part("50", home), part("-10", uuid.Nil))
	split(a, "100.01", "USD", "abroad", part("60", food), part("50.02", home), part("-10.01", uuid.Nil))
	split(a, "0", "USD", "even", part("5", food), part("-5", uuid.Nil))
	split(a, "700", "JPY", "yen", part("300", food), part("400", uuid.Nil))
	split(a, "2", "EUR", "away", part("1", food), part("1", home))
	b.Book(other, "2026-02-10", "-2", "EUR", "here")
	_, got, _ := strings.Cut(b.Journal(), "\nP ")
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

func TestDraftsWithLines(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	food, fun := b.Category(b.Who, "Food"), b.Tag(b.Who, "fun")
	good := entry.Draft{AccountID: b.Key(b.Account(b.Who, "Checking", "EUR")), Date: ledger.NewDate(2026, 3, 2), Minor: -10000, Currency: "EUR", Name: "Bill", Row: 1,
		Lines: []entry.DraftLine{{CategoryID: b.KeyOf("categories", food), Minor: -11000, Name: "Bread", TagIDs: []int64{b.KeyOf("tags", fun)}},
			{Minor: 1000, Notes: "bottles back", MerchantID: b.KeyOf("merchants", b.NewMerchant("Kiosk"))}}}
	if err := b.Draft(good); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"bread": "Bread", "bottles": "Bill", "kiosk": "Bill", "other": ""} {
		if got := b.Found(text); got != want {
			t.Errorf("%s finds %q", text, got)
		}
	}
	if got, want := ledgertest.Sums(b.Earned("2026-03-01", "2026-03-31")), "1000-11000=-10000, 0 left out; Food 0-11000 of 1; none 1000-0 of 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b.CheckRollups(t.Fatal)
	for want, spoil := range map[string]func(*entry.Draft){
		"must add up to its amount, -10001, but add up to -10000": func(d *entry.Draft) { d.Minor-- },
		"must have 2 to 250 lines, has 1":                         func(d *entry.Draft) { d.Lines = d.Lines[:1] },
		"must have 2 to 250 lines, has 500":                       func(d *entry.Draft) { d.Lines = slices.Repeat(d.Lines, 250) },
		"must not have a category beside its lines":               func(d *entry.Draft) { d.CategoryID = d.Lines[0].CategoryID },
	} {
		bad := good
		spoil(&bad)
		if err := b.Draft(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestLabelsOfLinesAreUsed: what an import created stays as long as a line has it.
func TestLabelsOfLinesAreUsed(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	food, baker, fun := b.Category(b.Who, "Food"), b.NewMerchant("Baker"), b.Tag(b.Who, "fun")
	in := ledgertest.Entry(b.Account(b.Who, "Checking", "EUR"), "2026-03-02", "100", "Bill")
	line := part("60", food)
	line.MerchantID, line.TagIDs = ledger.Some(baker), ledger.Some([]uuid.UUID{fun})
	in.SplitLines = parts(line, part("40", uuid.Nil))
	bill := b.Create(in)
	for _, want := range []int64{3, 0} {
		var left int64
		err := b.DB.Write(b.Ctx(), func(ctx context.Context, q *queries.Queries) error {
			id, err := q.Exec(ctx, `INSERT INTO imports (public_id, household_id, type, status, settings, created_at, updated_at)
				VALUES (?, ?, 'QifImport', 'complete', '{}', 0, 0)`, queries.PublicID(uuid.Must(uuid.NewV7())), b.Who.HouseholdID)
			if err != nil {
				return err
			}
			for entity, made := range map[string]uuid.UUID{"category": food, "merchant": baker, "tag": fun} {
				if err := q.InsertImportCreation(ctx, queries.InsertImportCreationParams{ImportID: id, Entity: entity, EntityID: queries.PublicID(made)}); err != nil {
					return err
				}
			}
			if _, err := q.DeleteUnusedImportCategories(ctx, queries.DeleteUnusedImportCategoriesParams{HouseholdID: b.Who.HouseholdID, ImportID: id}); err != nil {
				return err
			}
			if err := q.DeleteUnusedImportMerchants(ctx, queries.DeleteUnusedImportMerchantsParams{HouseholdID: b.Who.HouseholdID, ImportID: id}); err != nil {
				return err
			}
			if err := q.DeleteUnusedImportTags(ctx, queries.DeleteUnusedImportTagsParams{HouseholdID: b.Who.HouseholdID, ImportID: id}); err != nil {
				return err
			}
			left, err = q.Number(ctx, "SELECT (SELECT count(*) FROM categories) + (SELECT count(*) FROM merchants) + (SELECT count(*) FROM tags)")
			return err
		})
		if err != nil || left != want {
			t.Errorf("%d are left, want %d (%v)", left, want, err)
		}
		if want > 0 {
			b.Remove(bill)
		}
	}
}
