package ledger

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/google/uuid"

	"finsvc/embed"
	"finsvc/queries"
)

// createDefaultCategories gives a new household the set to begin with.
func (l *Ledger) createDefaultCategories(ctx context.Context, q *queries.Queries, who Actor) error {
	var set []struct{ Name, Classification, Color, Icon string }
	if err := json.Unmarshal(embed.Categories, &set); err != nil {
		return err
	}
	for _, c := range set {
		in := CategoryInput{Name: Some(c.Name), Classification: Some(c.Classification), Color: Some(c.Color), Icon: Some(c.Icon)}
		if _, err := l.createCategory(ctx, q, who, in); err != nil {
			return err
		}
	}
	return nil
}

// FindOrCreateCategory gives the key of the category that a file means, and what had to be created. The
// path is a name, or the names of parent and child with a colon between. A name alone means a category
// without a parent, else the only sub-category of that name. What is created has the classification, or
// that of the parent it is put below.
func (l *Ledger) FindOrCreateCategory(ctx context.Context, q *queries.Queries, who Actor, path, classification string) (int64, []Created, error) {
	path = strings.Trim(path, ": ")
	found, err := findCategory(ctx, q, who, path)
	if err != nil {
		return 0, nil, err
	}
	if found != nil {
		return found.ID, nil, nil
	}
	above, name, nested := strings.Cut(path, ":")
	if !nested {
		return l.createNamedCategory(ctx, q, who, CategoryInput{Name: Some(path), Classification: Some(classification)})
	}
	parent, created, err := l.findOrCreateRoot(ctx, q, who, above, classification)
	if err != nil {
		return 0, nil, err
	}
	children, err := q.ListSubcategories(ctx, queries.ListSubcategoriesParams{ParentID: &parent.ID, HouseholdID: who.HouseholdID})
	if err != nil {
		return 0, nil, err
	}
	for _, child := range children {
		if child.NameKey == Fold(name) {
			return child.ID, created, nil
		}
	}
	key, more, err := l.createNamedCategory(ctx, q, who, CategoryInput{Name: Some(name), ParentID: Some(uuid.UUID(parent.PublicID))})
	return key, append(created, more...), err
}

// findCategory finds what a name alone means; nil when it means nothing, or more than one.
func findCategory(ctx context.Context, q *queries.Queries, who Actor, name string) (*queries.Category, error) {
	rows, err := q.ListCategoriesNamed(ctx, queries.ListCategoriesNamedParams{HouseholdID: who.HouseholdID, NameKey: Fold(name)})
	if err != nil || len(rows) == 0 || len(rows) > 1 && rows[0].ParentID != nil {
		return nil, err
	}
	return &rows[0], nil
}

func (l *Ledger) findOrCreateRoot(ctx context.Context, q *queries.Queries, who Actor, name, classification string) (queries.Category, []Created, error) {
	found, err := findCategory(ctx, q, who, name)
	if err != nil {
		return queries.Category{}, nil, err
	}
	if found != nil && found.ParentID == nil {
		return *found, nil, nil
	}
	c, err := l.createCategory(ctx, q, who, CategoryInput{Name: Some(name), Classification: Some(classification)})
	if err != nil {
		return c, nil, err
	}
	return c, []Created{{string(entityCategory), c.PublicID}}, nil
}

func (l *Ledger) createNamedCategory(ctx context.Context, q *queries.Queries, who Actor, in CategoryInput) (int64, []Created, error) {
	c, err := l.createCategory(ctx, q, who, in)
	if err != nil {
		return 0, nil, err
	}
	return c.ID, []Created{{string(entityCategory), c.PublicID}}, nil
}
