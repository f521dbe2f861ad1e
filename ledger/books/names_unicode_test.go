package books_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/names"
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
			b := ledgertest.New(t)
			account := b.OpenWith(own[0], "depository", "EUR", "0")
			if found, err := b.Books.Names.Find(b.Ctx(), b.Who, names.Account, strings.ToUpper(own[1])); err != nil || found.ID != uuid.UUID(account.PublicID) {
				t.Errorf("the account is %+v, %v", found, err)
			}
			if _, err := b.Labels.CreateTag(b.Ctx(), b.Who, catalog.TagInput{Name: ledger.Some(own[0])}); err != nil {
				t.Fatal(err)
			}
			if _, err := b.Labels.CreateTag(b.Ctx(), b.Who, catalog.TagInput{Name: ledger.Some(own[1])}); !ledger.IsKind(err, ledger.Invalid) {
				t.Errorf("the same tag again: %v", err)
			}
			b.NewCategory(catalog.CategoryInput{Name: ledger.Some(own[0])})
			if _, err := b.Labels.CreateCategory(b.Ctx(), b.Who, catalog.CategoryInput{Name: ledger.Some(own[1])}); !ledger.IsKind(err, ledger.Invalid) {
				t.Errorf("the same category again: %v", err)
			}
			b.NewMerchant(own[0])
			if _, err := b.Labels.CreateMerchant(b.Ctx(), b.Who, catalog.MerchantInput{Name: ledger.Some(own[1])}); !ledger.IsKind(err, ledger.Invalid) {
				t.Errorf("the same merchant again: %v", err)
			}
			if got, err := b.Accounts.GetAccount(b.Ctx(), b.Who, uuid.UUID(account.PublicID)); err != nil || got.Name != own[0] {
				t.Errorf("the account is called %+q now, %v", got.Name, err)
			}
		})
	}
}

// TestSearchInBothForms: names, notes, merchants and lines of split transactions are found by either form, also by the one
// and two characters for which there is no index.
func TestSearchInBothForms(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro := uuid.UUID(b.OpenWith("Giro", "depository", "EUR", "0").PublicID)
	b.Create(ledgertest.Entry(giro, "2026-02-01", "1", composed))
	b.Create(ledgertest.Entry(giro, "2026-02-02", "2", decomposed))
	noted := ledgertest.Entry(giro, "2026-02-03", "3", "noted")
	noted.Notes = ledger.Some("at " + decomposed)
	b.Create(noted)
	sold := ledgertest.Entry(giro, "2026-02-04", "4", "sold")
	sold.MerchantID = ledger.Some(b.NewMerchant(decomposed))
	b.Create(sold)
	split := ledgertest.Entry(giro, "2026-02-05", "5", "split")
	split.SplitLines = ledger.Some([]entry.SplitLineInput{{Amount: ledgertest.AmountOf("2"), Name: ledger.Some(decomposed)}, {Amount: ledgertest.AmountOf("3")}})
	b.Create(split)
	b.Create(ledgertest.Entry(giro, "2026-02-06", "6", "Cafe Muller"))
	want := []string{composed, decomposed, "noted", "sold", decomposed} // of the split one, the line that has the name
	for _, search := range []string{composed, decomposed, "f\u00e9 M", "fe\u0301 m", "CAFE\u0301", "\u00e9", "e\u0301", "\u00c9", "f\u00e9", "fe\u0301", "m\u00fc", "MU\u0308"} {
		if got := b.FindNames(search); !slices.Equal(got, want) {
			t.Errorf("%+q finds %+q", search, got)
		}
	}
	if got := b.FindNames("cafe muller"); !slices.Equal(got, []string{"Cafe Muller"}) {
		t.Errorf("without marks it finds %+q", got)
	}
}
