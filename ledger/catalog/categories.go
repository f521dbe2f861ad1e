package catalog

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/queries"
)

// Category is a category with its place in the tree of two levels.
type Category struct {
	queries.Category
	Parent        *CategoryParent // nil: it has none
	Subcategories int64
}

// CategoryParent is how a category's parent is shown.
type CategoryParent struct {
	ID                                uuid.UUID
	Name, Classification, Color, Icon string
}

func asCategory(row queries.GetCategoryRow) Category {
	c := Category{Category: row.Category, Subcategories: row.Subcategories}
	if row.ParentName != nil {
		c.Parent = &CategoryParent{uuid.UUID(row.ParentPublicID), *row.ParentName, *row.ParentClassification,
			*row.ParentColor, *row.ParentIcon}
	}
	return c
}

// CategoryFilter selects categories; the zero value selects all.
type CategoryFilter struct {
	Classification string // income, expense or empty
	RootsOnly      bool
	ParentID       ledger.Opt[uuid.UUID]
}

// ListCategories gives a page of the household's categories by name, and how many the filter selects.
func (s *Labels) ListCategories(ctx context.Context, who ledger.Actor, f CategoryFilter,
	page ledger.Page) (list []Category, total int64, err error) {
	count := queries.CountCategoriesParams{HouseholdID: who.HouseholdID,
		Classification: ledger.OptionalText(f.Classification), RootsOnly: ledger.AsInteger(f.RootsOnly)}
	if f.ParentID.Has() {
		count.ParentID = f.ParentID.Value[:]
	}
	err = s.DB.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		total, err = q.CountCategories(ctx, count)
		if err != nil {
			return err
		}
		rows, err := q.ListCategories(ctx, queries.ListCategoriesParams{HouseholdID: count.HouseholdID,
			Classification: count.Classification,
			RootsOnly:      count.RootsOnly, ParentID: count.ParentID, RowLimit: int64(page.Size), RowOffset: page.Offset()})
		for _, row := range rows {
			list = append(list, asCategory(queries.GetCategoryRow(row)))
		}
		return err
	})
	return list, total, err
}

// GetCategory gives one category.
func (s *Labels) GetCategory(ctx context.Context, who ledger.Actor, id uuid.UUID) (c Category, err error) {
	err = s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		c, err = GetCategory(ctx, tx, queries.PublicID(id))
		return err
	})
	return c, err
}

func GetCategory(ctx context.Context, tx *ledger.Tx, id queries.PublicID) (Category, error) {
	row, err := tx.GetCategory(ctx, queries.GetCategoryParams{PublicID: id, HouseholdID: tx.HouseholdID})
	return asCategory(row), ledger.Missing(err, "Category")
}

// CreateCategory makes a category; its name must be new below its parent, whatever its case.
func (s *Labels) CreateCategory(ctx context.Context, who ledger.Actor, in CategoryInput) (c Category, err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		fresh, err := CreateCategoryTx(ctx, tx, in)
		if err != nil {
			return err
		}
		c, err = GetCategory(ctx, tx, fresh.PublicID)
		return err
	})
	return c, err
}

func CreateCategoryTx(ctx context.Context, tx *ledger.Tx, in CategoryInput) (queries.Category, error) {
	parent, err := in.parent(ctx, tx, Category{})
	if err != nil {
		return queries.Category{}, err
	}
	c, err := in.fill(queries.Category{HouseholdID: tx.HouseholdID}, parent)
	if err != nil {
		return c, err
	}
	c.PublicID, err = ledger.NewID()
	if err != nil {
		return c, err
	}
	c.CreatedAt = tx.Stamp()
	c.UpdatedAt = c.CreatedAt
	c.ID, err = tx.InsertCategory(ctx, queries.InsertCategoryParams{
		PublicID: c.PublicID, HouseholdID: c.HouseholdID, ParentID: c.ParentID, Name: c.Name, NameKey: c.NameKey,
		Classification: c.Classification, Color: c.Color, Icon: c.Icon, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt})
	if err != nil {
		return c, categoryTaken(err, c)
	}
	return c, tx.Record(ctx, ledger.EntityCategory, c.PublicID, nil, c)
}

func categoryTaken(err error, c queries.Category) error {
	what := "category without a parent"
	if c.ParentID != nil {
		what = "sub-category of the same parent"
	}
	return nameTaken(err, what, c.Name)
}

// UpdateCategory changes what is given and leaves the rest. What a category without parent is, income or
// expense, and its colour go to its sub-categories as well.
func (s *Labels) UpdateCategory(ctx context.Context, who ledger.Actor, id uuid.UUID, in CategoryInput) (c Category,
	err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		before, err := GetCategory(ctx, tx, queries.PublicID(id))
		if err != nil {
			return err
		}
		parent, err := in.parent(ctx, tx, before)
		if err != nil {
			return err
		}
		after, err := in.fill(before.Category, parent)
		if err != nil {
			return err
		}
		if err := StoreCategory(ctx, tx, before.Category, after); err != nil {
			return err
		}
		if err := PassDown(ctx, tx, after); err != nil {
			return err
		}
		c, err = GetCategory(ctx, tx, after.PublicID)
		return err
	})
	return c, err
}

// StoreCategory writes a changed category; a change of nothing writes nothing.
func StoreCategory(ctx context.Context, tx *ledger.Tx, before, after queries.Category) error {
	if before.Name == after.Name && before.Classification == after.Classification && before.Color == after.Color &&
		before.Icon == after.Icon && ledger.Same(before.ParentID, after.ParentID) {
		return nil
	}
	after.UpdatedAt = max(tx.Stamp(), before.UpdatedAt+1)
	err := tx.UpdateCategory(ctx, queries.UpdateCategoryParams{ParentID: after.ParentID, Name: after.Name,
		NameKey:        after.NameKey,
		Classification: after.Classification, Color: after.Color, Icon: after.Icon, UpdatedAt: after.UpdatedAt,
		ID: after.ID, HouseholdID: tx.HouseholdID})
	if err != nil {
		return categoryTaken(err, after)
	}
	return tx.Record(ctx, ledger.EntityCategory, after.PublicID, before, after)
}

// PassDown gives the sub-categories what they have from their parent.
func PassDown(ctx context.Context, tx *ledger.Tx, parent queries.Category) error {
	children, err := tx.ListSubcategories(ctx, queries.ListSubcategoriesParams{ParentID: &parent.ID,
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	for _, before := range children {
		after := before
		after.Classification, after.Color = parent.Classification, parent.Color
		if err := StoreCategory(ctx, tx, before, after); err != nil {
			return err
		}
	}
	return nil
}

// DeleteCategory removes a category; its transactions have none afterwards. One that has sub-categories
// stays: deleting them too, or making them roots, would be a guess.
func (s *Labels) DeleteCategory(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	var c Category
	find := func(ctx context.Context, tx *ledger.Tx) (err error) {
		c, err = GetCategory(ctx, tx, queries.PublicID(id))
		if err == nil && c.Subcategories > 0 {
			return ledger.NewInvalid("category", "must have no sub-categories to be deleted, has %d: delete them or give them another parent first", c.Subcategories)
		}
		return err
	}
	if err := s.ReadTx(ctx, who, find); err != nil {
		return err
	}
	return s.replace(ctx, who, entry.Replacement{Of: ledger.EntityCategory, From: c.ID}, func(ctx context.Context, tx *ledger.Tx) error {
		if err := find(ctx, tx); err != nil {
			return err
		}
		return removeCategory(ctx, tx, c)
	})
}

func removeCategory(ctx context.Context, tx *ledger.Tx, c Category) error {
	if err := tx.DeleteCategory(ctx, queries.DeleteCategoryParams{ID: c.ID, HouseholdID: tx.HouseholdID}); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityCategory, c.PublicID, c.Category, nil)
}
