package names_test

import (
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/names"
)

func TestFind(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro, food := b.Account(b.Who, "Everyday Giro", "EUR"), b.Category(b.Who, "Eating")
	bakery, err := b.Labels.CreateCategory(b.Ctx(), b.Who, catalog.CategoryInput{Name: ledger.Some("Bakery"), ParentID: ledger.Some(food)})
	if err != nil {
		t.Fatal(err)
	}
	twins := []uuid.UUID{b.Account(b.Who, "Twin", "EUR"), b.Account(b.Who, "TWIN", "USD")}
	trip := b.Tag(b.Who, "Trip")
	for _, c := range []struct {
		kind names.Kind
		text string
		want uuid.UUID
	}{
		{names.Account, "everyday  GIRO", giro}, {names.Account, giro.String(), giro}, {names.Account, twins[1].String(), twins[1]},
		{names.Category, "bakery", uuid.UUID(bakery.PublicID)}, {names.Category, "eating:bakery", uuid.UUID(bakery.PublicID)},
		{names.Category, "Eating > Bakery", uuid.UUID(bakery.PublicID)}, {names.Tag, "trip", trip},
	} {
		if found, err := b.Books.Names.Find(b.Ctx(), b.Who, c.kind, c.text); err != nil || found.ID != c.want {
			t.Errorf("%s %q: %+v, %v", c.kind, c.text, found, err)
		}
	}
	for _, c := range []struct {
		kind names.Kind
		text string
		is   ledger.Kind
		says []string
	}{
		{names.Account, "everyday", ledger.NotFound, []string{`Account "everyday" not found; nearest: Everyday Giro`}},
		{names.Account, uuid.NewString(), ledger.NotFound, []string{"Account not found"}},
		{names.Account, "twin", ledger.Invalid, []string{"ambiguous", twins[0].String() + " (depository, EUR)", twins[1].String() + " (depository, USD)"}},
		{names.Merchant, "Rewe", ledger.NotFound, []string{`Merchant "Rewe" not found, there are none at all`}},
	} {
		_, err := b.Books.Names.Find(b.Ctx(), b.Who, c.kind, c.text)
		ledgertest.Refused(t, err, c.is, c.says...)
	}
	if _, err := b.Books.Names.Find(b.Ctx(), b.Household("Other"), names.Account, giro.String()); !ledger.IsKind(err, ledger.NotFound) {
		t.Errorf("of another household: %v", err)
	}
}
