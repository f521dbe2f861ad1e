package search_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/search"
)

func TestMain(m *testing.M) { os.Exit(ledgertest.Main(m)) }

// shop is a household to search in, on 21 November 2026.
type shop struct {
	*ledgertest.Fixture
}

func newShop(t testing.TB) *shop {
	b := &shop{ledgertest.New(t)}
	everyday, joint := b.Account(b.Who, "Everyday checking", "EUR"), b.Account(b.Who, "Joint savings", "EUR")
	food := b.Category(b.Who, "Eating out")
	bakery, err := b.Labels.CreateCategory(b.Ctx(), b.Who, catalog.CategoryInput{Name: ledger.Some("Bakery"), ParentID: ledger.Some(food)})
	if err != nil {
		t.Fatal(err)
	}
	trip, work := b.Tag(b.Who, "Trip"), b.Tag(b.Who, "Work")
	rewe := b.Merchant(b.Who, "Rewe City")
	for _, row := range []struct {
		account     uuid.UUID
		day, amount string
		name        string
		category    uuid.UUID
		merchant    uuid.UUID
		tags        []uuid.UUID
	}{
		{everyday, "2026-11-21", "50", "coffee", food, uuid.Nil, nil},
		{everyday, "2026-11-20", "50.01", "Blue Bottle coffee", uuid.UUID(bakery.PublicID), uuid.Nil, []uuid.UUID{trip}},
		{everyday, "2026-10-31", "12.50", "groceries", uuid.Nil, rewe, []uuid.UUID{work}},
		{everyday, "2026-10-01", "-2000", "salary", uuid.Nil, uuid.Nil, nil},
		{joint, "2025-12-24", "49.99", "gift 2026", uuid.Nil, uuid.Nil, []uuid.UUID{trip, work}},
		{everyday, "2026-09-15", "300", "saved", uuid.Nil, uuid.Nil, nil},
		{joint, "2026-09-15", "-300", "saved", uuid.Nil, uuid.Nil, nil},
	} {
		in := entry.TransactionInput{AccountID: ledger.Some(row.account), Date: ledgertest.DayOf(row.day), Amount: ledgertest.AmountOf(row.amount),
			Name: ledger.Some(row.name), TagIDs: ledger.Some(row.tags)}
		if row.category != uuid.Nil {
			in.CategoryID = ledger.Some(row.category)
		}
		if row.merchant != uuid.Nil {
			in.MerchantID = ledger.Some(row.merchant)
		}
		b.Create(in)
	}
	b.MatchedAre(1)
	return b
}

func (b *shop) parse(t testing.TB, text string) (q search.Query) {
	t.Helper()
	err := b.Books.WithRefs(b.Ctx(), b.DB.Read, b.Who, func(_ context.Context, tx *ledger.Tx) error {
		q = search.Parse(tx.Refs, ledger.NewDate(2026, 11, 21), text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// found are the names of what a search finds, newest first.
func (b *shop) found(t *testing.T, text string) string {
	t.Helper()
	q := b.parse(t, text)
	if err := q.Err("q"); err != nil {
		return err.Error()
	}
	list, _, err := b.Entries.ListTransactions(b.Ctx(), b.Who, q.Filter, ledgertest.WholePage)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i := range list {
		names = append(names, list[i].Name)
	}
	return strings.Join(names, ", ")
}

func TestSearch(t *testing.T) {
	t.Parallel()
	b := newShop(t)
	const all = "coffee, Blue Bottle coffee, groceries, salary, saved, saved, gift 2026"
	for text, want := range map[string]string{
		"":                                       all,
		"coffee":                                 "coffee, Blue Bottle coffee",
		"COFFEE bottle":                          "Blue Bottle coffee",
		`"bottle coffee"`:                        "Blue Bottle coffee",
		`"coffee bottle"`:                        "",
		"coffee -bottle":                         "coffee",
		"-coffee -saved":                         "groceries, salary, gift 2026",
		"rewe":                                   "groceries",
		`"2026"`:                                 "gift 2026",
		`"unclosed`:                              "",
		">50":                                    "Blue Bottle coffee, salary, saved, saved",
		">=50":                                   "coffee, Blue Bottle coffee, salary, saved, saved",
		"<50":                                    "groceries, gift 2026",
		"<=50":                                   "coffee, groceries, gift 2026",
		"=12.50":                                 "groceries",
		"=12,5":                                  "groceries",
		"12.50..50":                              "coffee, groceries, gift 2026",
		">12.5 <50":                              "gift 2026",
		">=50 >50 <300":                          "Blue Bottle coffee",
		"@everyday":                              "coffee, Blue Bottle coffee, groceries, salary, saved",
		"@savings":                               "saved, gift 2026",
		"-@everyday":                             "saved, gift 2026",
		"@everyday @joint":                       all,
		`@"Joint savings"`:                       "saved, gift 2026",
		"cat:eating":                             "coffee, Blue Bottle coffee",
		"cat:bakery":                             "Blue Bottle coffee",
		`cat:"eating out:bakery"`:                "Blue Bottle coffee",
		"CAT:bakery":                             "Blue Bottle coffee",
		"-cat:bakery":                            "coffee, groceries, salary, saved, saved, gift 2026",
		"#trip":                                  "Blue Bottle coffee, gift 2026",
		"#trip #work":                            "Blue Bottle coffee, groceries, gift 2026",
		"#trip -#work":                           "Blue Bottle coffee",
		"by:rewe":                                "groceries",
		"-by:city":                               "coffee, Blue Bottle coffee, salary, saved, saved, gift 2026",
		"is:income":                              "salary",
		"is:expense":                             "coffee, Blue Bottle coffee, groceries, gift 2026",
		"is:transfer":                            "saved, saved",
		"-is:transfer":                           "coffee, Blue Bottle coffee, groceries, salary, gift 2026",
		"is:income is:expense":                   "coffee, Blue Bottle coffee, groceries, salary, gift 2026",
		"no:category -is:transfer":               "groceries, salary, gift 2026",
		"-no:category":                           "coffee, Blue Bottle coffee",
		"no:merchant is:income":                  "salary",
		"-no:merchant":                           "groceries",
		"no:tag is:expense":                      "coffee",
		"-no:tag":                                "Blue Bottle coffee, groceries, gift 2026",
		"2025":                                   "gift 2026",
		"2026-10":                                "groceries, salary",
		"2026-10-01":                             "salary",
		"oct":                                    "groceries, salary",
		"December":                               "gift 2026",
		"oct 2025":                               "",
		"2026-09..2026-10":                       "groceries, salary, saved, saved",
		"last month":                             "groceries, salary",
		"this month":                             "coffee, Blue Bottle coffee",
		"this year":                              "coffee, Blue Bottle coffee, groceries, salary, saved, saved",
		"last year":                              "gift 2026",
		"this week":                              "coffee, Blue Bottle coffee",
		"last quarter":                           "saved, saved",
		"last 22 days":                           "coffee, Blue Bottle coffee, groceries",
		"last 21 days":                           "coffee, Blue Bottle coffee",
		"last 2 months":                          "coffee, Blue Bottle coffee, groceries, salary",
		"today":                                  "coffee",
		"yesterday":                              "Blue Bottle coffee",
		"since:2026-10-31":                       "coffee, Blue Bottle coffee, groceries",
		"until:2026-09":                          "saved, saved, gift 2026",
		"since:sep until:oct":                    "groceries, salary, saved, saved",
		`since:"last month" until:yesterday`:     "Blue Bottle coffee, groceries, salary",
		"2026 since:2026-10-15 until:2026-11-20": "Blue Bottle coffee, groceries",
		"@everyday >20 no:category last month":   "salary",
	} {
		if got := b.found(t, text); got != want {
			t.Errorf("%s finds %q, want %q", text, got, want)
		}
	}
}

// TestNotUnderstood: what a word does not settle is said, whatever else is asked.
func TestNotUnderstood(t *testing.T) {
	t.Parallel()
	b := newShop(t)
	for text, want := range map[string]string{
		"coffee cat:drinks":       `has "cat:drinks", which names no category; nearest: `,
		"@":                       `has "@", which lacks what comes after it`,
		"-#":                      "lacks what comes after it",
		">1,000":                  `has ">1,000", which is no amount`,
		"=1.000,00":               "is no amount",
		">":                       "is no amount",
		"20..10":                  "is no amount",
		"10..":                    "is no amount",
		"->50":                    "cannot be turned round",
		"2020..2025":              "may be of years or amounts: write since:2020 until:2025 or >=2020 <=2025",
		"-oct":                    "cannot be turned round",
		"oct sep":                 `has "sep", which is a second period`,
		"since:soon":              "is followed by no day: write it as in since:2026-03-15, since:2026-03 or since:2026",
		"-since:2026":             "cannot be turned round",
		"is:money":                "must be is:income, is:expense or is:transfer",
		"-is:income":              "has two contraries",
		"is:income is:transfer":   "neither incomes nor expenses are transfers",
		"no:money":                "must be no:category, no:merchant or no:tag",
		"no:tag -no:tag":          "is the contrary of another word",
		`""`:                      "is no text",
		strings.Repeat("a ", 41):  "has more than 40 words",
		strings.Repeat("a", 1001): "is longer than 1000 bytes",
	} {
		ledgertest.Refused(t, b.parse(t, text).Err("q"), ledger.Invalid, "q", want)
	}
}

// TestWords: each word says where it stands and what it means, so that it can be shown and taken away.
func TestWords(t *testing.T) {
	t.Parallel()
	b := newShop(t)
	const text = `  coffee -#trip  cat:"eating out" >50 last month @e is:out no:tag -"x y"`
	var got strings.Builder
	for _, w := range b.parse(t, text).Words {
		if text[w.Start:w.End] != w.Text {
			t.Errorf("%q stands at %d", w.Text, w.Start)
		}
		fmt.Fprintf(&got, "%s: %s%s\n", w.Text, w.Means, w.Problem)
	}
	const want = `coffee: text "coffee"
-#trip: not tag Trip
cat:"eating out": category Eating out
>50: amount more than 50
last month: October 2026 (2026-10-01 to 2026-10-31)
@e: account Everyday checking
is:out: expenses
no:tag: without a tag
-"x y": not text "x y"
`
	if got.String() != want {
		t.Errorf("got\n%s", got.String())
	}
}

// FuzzParse: nothing panics; every word but blanks is in one of the words that were read, in order.
func FuzzParse(f *testing.F) {
	refs := &ledger.Refs{Accounts: ledger.NewRefSet[ledger.AccountRef](1), Categories: ledger.NewRefSet[ledger.CategoryRef](1),
		Merchants: ledger.NewRefSet[ledger.MerchantRef](1), Tags: ledger.NewRefSet[ledger.TagRef](1)}
	refs.Accounts.ByKey[1] = &ledger.AccountRef{ID: uuid.New(), Name: "Everyday checking"}
	refs.Categories.ByKey[1] = &ledger.CategoryRef{ID: uuid.New(), Name: "Eating out"}
	refs.Tags.ByKey[1] = &ledger.TagRef{ID: uuid.New(), Name: "Trip"}
	for _, seed := range []string{"", `a "b c`, "-@x", "last 30 days", "10..20", "oct 2025", "since:", `cat:"`, "2020..2021", "->5 #\x00", "=١٢"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, at := search.Parse(refs, ledger.NewDate(2026, 11, 21), text), 0
		for i, w := range q.Words {
			if strings.Contains(w.Problem, "neither incomes") && i == len(q.Words)-1 {
				continue // says something of the whole
			}
			if (w.Means == "") == (w.Problem == "") || w.Start < at || w.End < w.Start || w.Text != text[w.Start:w.End] {
				t.Fatalf("%q: %+v", text, w)
			}
			if strings.Trim(text[at:w.Start], " \t\r\n") != "" {
				t.Fatalf("%q: nothing is said of %q", text, text[at:w.Start])
			}
			at = w.End
		}
		if strings.Trim(text[at:], " \t\r\n") != "" {
			t.Fatalf("%q: nothing is said of %q", text, text[at:])
		}
	})
}
