package catalog

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/google/uuid"

	"finsvc/embed"
	"finsvc/ledger"
	"finsvc/queries"
)

// CreateDefaultCategories gives a new household the set to begin with.
func CreateDefaultCategories(ctx context.Context, tx *ledger.Tx) error {
	var set []struct{ Name, Classification, Color, Icon string }
	if err := json.Unmarshal(embed.Categories, &set); err != nil {
		return err
	}
	for _, c := range set {
		in := CategoryInput{Name: ledger.Some(c.Name), Classification: ledger.Some(c.Classification),
			Color: ledger.Some(c.Color), Icon: ledger.Some(c.Icon)}
		if _, err := CreateCategoryTx(ctx, tx, in); err != nil {
			return err
		}
	}
	return nil
}

// FindOrCreateCategory gives the key of the category that a file means, and what had to be created. The
// path is a name, or the names of parent and child with a colon between. A name alone means a category
// without a parent, else the only sub-category of that name. What is created has the classification, or
// that of the parent it is put below.
func FindOrCreateCategory(ctx context.Context, tx *ledger.Tx, path, classification string) (int64, []ledger.Created,
	error) {
	path = strings.Trim(path, ": ")
	found, err := FindCategory(ctx, tx, path)
	if err != nil {
		return 0, nil, err
	}
	if found != nil {
		return found.ID, nil, nil
	}
	above, name, nested := strings.Cut(path, ":")
	if !nested {
		return CreateNamedCategory(ctx, tx, CategoryInput{Name: ledger.Some(path),
			Classification: ledger.Some(classification)})
	}
	parent, created, err := FindOrCreateRoot(ctx, tx, above, classification)
	if err != nil {
		return 0, nil, err
	}
	children, err := tx.ListSubcategories(ctx, queries.ListSubcategoriesParams{ParentID: &parent.ID,
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return 0, nil, err
	}
	for _, child := range children {
		if child.NameKey == ledger.Fold(name) {
			return child.ID, created, nil
		}
	}
	key, more, err := CreateNamedCategory(ctx, tx, CategoryInput{Name: ledger.Some(name),
		ParentID: ledger.Some(uuid.UUID(parent.PublicID))})
	return key, append(created, more...), err
}

// FindCategory finds what a name alone means; nil when it means nothing, or more than one.
func FindCategory(ctx context.Context, tx *ledger.Tx, name string) (*queries.Category, error) {
	rows, err := tx.ListCategoriesNamed(ctx, queries.ListCategoriesNamedParams{HouseholdID: tx.HouseholdID,
		NameKey: ledger.Fold(name)})
	if err != nil || len(rows) == 0 || len(rows) > 1 && rows[0].ParentID != nil {
		return nil, err
	}
	return &rows[0], nil
}

func FindOrCreateRoot(ctx context.Context, tx *ledger.Tx, name, classification string) (queries.Category,
	[]ledger.Created, error) {
	found, err := FindCategory(ctx, tx, name)
	if err != nil {
		return queries.Category{}, nil, err
	}
	if found != nil && found.ParentID == nil {
		return *found, nil, nil
	}
	c, err := CreateCategoryTx(ctx, tx, CategoryInput{Name: ledger.Some(name),
		Classification: ledger.Some(classification)})
	if err != nil {
		return c, nil, err
	}
	return c, []ledger.Created{{Entity: string(ledger.EntityCategory), ID: c.PublicID}}, nil
}

func CreateNamedCategory(ctx context.Context, tx *ledger.Tx, in CategoryInput) (int64, []ledger.Created, error) {
	c, err := CreateCategoryTx(ctx, tx, in)
	if err != nil {
		return 0, nil, err
	}
	return c.ID, []ledger.Created{{Entity: string(ledger.EntityCategory), ID: c.PublicID}}, nil
}
