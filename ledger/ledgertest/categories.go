package ledgertest

import (
	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
)

func (b *Fixture) NewCategory(in catalog.CategoryInput) catalog.Category {
	b.tb.Helper()
	c, err := b.Labels.CreateCategory(b.Ctx(), b.Who, in)
	if err != nil {
		b.tb.Fatal(err)
	}
	return c
}

func CategoryNamed(name string) catalog.CategoryInput {
	return catalog.CategoryInput{Name: ledger.Some(name)}
}

func IDOf(c catalog.Category) uuid.UUID { return uuid.UUID(c.PublicID) }
