package ledger

import (
	"context"

	"github.com/google/uuid"

	"finsvc/queries"
)

// CategoryPlace says where the categories of one name stand.
type CategoryPlace struct {
	Root  bool   // one has no parent
	Above bool   // and that one has sub-categories
	Below string // name of the parent of one that has a parent; blank when none has
}

// CategoryPlaces gives the places of the household's categories by folded name, without those excepted.
func (l *Ledger) CategoryPlaces(ctx context.Context, who Actor, except map[uuid.UUID]bool) (map[string]CategoryPlace, error) {
	places := map[string]CategoryPlace{}
	err := l.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		rows, err := q.ListCategoryPlaces(ctx, who.HouseholdID)
		for _, row := range rows {
			if except[uuid.UUID(row.PublicID)] {
				continue
			}
			place := places[row.NameKey]
			if row.ParentName == nil {
				place.Root, place.Above = true, row.Subcategories > 0
			} else {
				place.Below = *row.ParentName
			}
			places[row.NameKey] = place
		}
		return err
	})
	return places, err
}

// AccountKind is what an account is, and in what currency.
type AccountKind struct{ Type, Currency string }

// AccountKinds gives the kinds of the household's accounts by folded name, without those excepted.
func (l *Ledger) AccountKinds(ctx context.Context, who Actor, except map[uuid.UUID]bool) (map[string]AccountKind, error) {
	taken := map[string]AccountKind{}
	err := l.withLabels(ctx, l.db.Read, who, func(_ context.Context, _ *queries.Queries, names *labels) error {
		for _, account := range names.accounts.byKey {
			if !except[account.ID] {
				taken[Fold(account.Name)] = AccountKind{account.AccountType, account.Currency}
			}
		}
		return nil
	})
	return taken, err
}

// Check finds what is wrong with a new category by itself, whatever its parent.
func (in CategoryInput) Check() Problems {
	_, _ = in.fill(queries.Category{}, nil) // it is the problems that are wanted
	return in.Problems
}

// PlaceCategory finds or creates a category below the parent of that name, which is found or created, too;
// without a parent when that is blank. A category that exists stays as it is, but for one that has no
// parent yet, which gets it. Only without a parent counts the classification, else it is the parent's.
func (l *Ledger) PlaceCategory(ctx context.Context, q *queries.Queries, who Actor, in CategoryInput, parent string) ([]Created, error) {
	found, err := findCategory(ctx, q, who, in.Name.Or(""))
	if err != nil || parent == "" && found != nil {
		return nil, err
	}
	if parent == "" {
		_, created, err := l.createNamedCategory(ctx, q, who, in)
		return created, err
	}
	above, created, err := l.findOrCreateRoot(ctx, q, who, parent, in.Classification.Or(Expense))
	if err != nil {
		return nil, err
	}
	in.ParentID, in.Classification = Some(uuid.UUID(above.PublicID)), Opt[string]{}
	more, err := l.placeBelow(ctx, q, who, in, above, found)
	return append(created, more...), err
}

// placeBelow puts a category below its parent; found is what its name alone means.
func (l *Ledger) placeBelow(ctx context.Context, q *queries.Queries, who Actor, in CategoryInput, above queries.Category, found *queries.Category) ([]Created, error) {
	children, err := q.ListSubcategories(ctx, queries.ListSubcategoriesParams{ParentID: &above.ID, HouseholdID: who.HouseholdID})
	if err != nil {
		return nil, err
	}
	for _, child := range children {
		if child.NameKey == Fold(in.Name.Value) {
			return nil, nil
		}
	}
	if found != nil && found.ParentID == nil {
		_, err := l.UpdateCategory(ctx, who, uuid.UUID(found.PublicID), CategoryInput{ParentID: in.ParentID})
		return []Created{{MovedCategory, found.PublicID}}, err
	}
	_, created, err := l.createNamedCategory(ctx, q, who, in)
	return created, err
}

// OpenAccount opens an account within the caller's write.
func (l *Ledger) OpenAccount(ctx context.Context, q *queries.Queries, who Actor, in AccountInput) ([]Created, error) {
	fresh, err := l.createAccount(ctx, q, who, in)
	if err != nil {
		return nil, err
	}
	return []Created{{string(entityAccount), fresh.PublicID}}, nil
}
