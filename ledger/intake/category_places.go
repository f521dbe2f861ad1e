package intake

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/queries"
)

// CategoryPlace says where the categories of one name stand.
type CategoryPlace struct {
	Root  bool   // one has no parent
	Above bool   // and that one has sub-categories
	Below string // name of the parent of one that has a parent; blank when none has
	Looks map[string]CategoryLook
}

// CategoryLook is how a category looks, by the folded name of its parent, which is blank where there is none.
type CategoryLook struct{ Classification, Color, Icon string }

// CategoryPlaces gives the places of the household's categories by folded name, without those excepted. What an import
// has changed stands there as it was before.
func (s *Service) CategoryPlaces(ctx context.Context, who ledger.Actor, importID int64,
	except map[uuid.UUID]bool) (map[string]CategoryPlace, error) {
	places := map[string]CategoryPlace{}
	err := s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		rows, err := tx.ListCategoryPlaces(ctx, tx.HouseholdID)
		if err != nil {
			return err
		}
		moves, err := tx.ListImportMoves(ctx, queries.ListImportMovesParams{ImportID: importID,
			HouseholdID: tx.HouseholdID})
		if err != nil {
			return err
		}
		names, above := map[int64]string{}, map[int64]bool{}
		for i := range rows {
			row := &rows[i]
			if at := slices.IndexFunc(moves, func(m queries.ListImportMovesRow) bool { return m.Category.ID == row.ID }); at >= 0 {
				var before queries.Category
				if err := json.Unmarshal([]byte(moves[at].Was), &before); err != nil {
					return err
				}
				row.ParentID, row.Color, row.Icon = before.ParentID, before.Color, before.Icon
			}
			names[row.ID] = row.Name
			if row.ParentID != nil && !except[uuid.UUID(row.PublicID)] {
				above[*row.ParentID] = true
			}
		}
		for _, row := range rows {
			if except[uuid.UUID(row.PublicID)] {
				continue
			}
			place, parent := places[row.NameKey], ""
			if place.Looks == nil {
				place.Looks = map[string]CategoryLook{}
			}
			if row.ParentID == nil {
				place.Root, place.Above = true, above[row.ID]
			} else {
				parent = names[*row.ParentID]
				place.Below = parent
			}
			place.Looks[ledger.Fold(parent)] = CategoryLook{row.Classification, row.Color, row.Icon}
			places[row.NameKey] = place
		}
		return nil
	})
	return places, err
}

// AccountKind is what an account is, and in what currency.
type AccountKind struct{ Type, Currency string }

// AccountKinds gives the kinds of the household's accounts by folded name, without those excepted.
func (s *Service) AccountKinds(ctx context.Context, who ledger.Actor,
	except map[uuid.UUID]bool) (map[string]AccountKind, error) {
	taken := map[string]AccountKind{}
	err := s.WithRefs(ctx, s.DB.Read, who, func(_ context.Context, tx *ledger.Tx) error {
		for _, account := range tx.Refs.Accounts.ByKey {
			if !except[account.ID] {
				taken[ledger.Fold(account.Name)] = AccountKind{account.AccountType, account.Currency}
			}
		}
		return nil
	})
	return taken, err
}

// PlaceCategory makes a category as a file has it: below the parent of that name, which is found or created, or
// without a parent. What exists by the name gets what the file gives of colour, icon and parent, and keeps the rest:
// its name as it is written, and its classification, which a sub-category has from its parent. A category that stands
// below another parent, or below none, is moved, unless stated reports that the file has that place for the name as
// well: then the two are different categories. Both names are folded; that of no parent is blank.
func (s *Service) PlaceCategory(ctx context.Context, tx *ledger.Tx, in catalog.CategoryInput, parent string,
	stated func(name, parent string) bool) ([]ledger.Created, error) {
	name := ledger.Fold(in.Name.Or(""))
	found, err := catalog.FindCategory(ctx, tx, name)
	if err != nil {
		return nil, err
	}
	var place string // of what is found
	if found != nil && found.ParentID != nil {
		whole, err := catalog.GetCategory(ctx, tx, found.PublicID)
		if err != nil {
			return nil, err
		}
		place = ledger.Fold(whole.Parent.Name)
	}
	if parent == "" {
		if found != nil && (place == "" || !stated(name, place)) {
			return s.restyleCategory(ctx, tx, *found, in)
		}
		_, created, err := catalog.CreateNamedCategory(ctx, tx, in)
		return created, err
	}
	above, created, err := catalog.FindOrCreateRoot(ctx, tx, parent, in.Classification.Or(catalog.Expense))
	if err != nil {
		return nil, err
	}
	in.ParentID, in.Classification = ledger.Some(uuid.UUID(above.PublicID)), ledger.Opt[string]{}
	children, err := tx.ListSubcategories(ctx, queries.ListSubcategoriesParams{ParentID: &above.ID,
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(children, func(c queries.Category) bool { return c.NameKey == name })
	if at >= 0 {
		found = &children[at]
	}
	var more []ledger.Created
	if found != nil && (at >= 0 || !stated(name, place)) {
		more, err = s.restyleCategory(ctx, tx, *found, in)
	} else {
		_, more, err = catalog.CreateNamedCategory(ctx, tx, in)
	}
	return append(created, more...), err
}

// restyleCategory gives a category the colour, the icon and the parent that are given, and says what has changed by
// that: it, and sub-categories, which have the colour of their parent.
func (s *Service) restyleCategory(ctx context.Context, tx *ledger.Tx, c queries.Category,
	in catalog.CategoryInput) ([]ledger.Created, error) {
	children, err := tx.ListSubcategories(ctx, queries.ListSubcategoriesParams{ParentID: &c.ID,
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return nil, err
	}
	after, err := s.Labels.UpdateCategory(ctx, tx.Actor, uuid.UUID(c.PublicID),
		catalog.CategoryInput{Color: in.Color, Icon: in.Icon, ParentID: in.ParentID})
	if err != nil || after.UpdatedAt == c.UpdatedAt {
		return nil, err
	}
	changed := []ledger.Created{{Entity: ChangedCategory, ID: c.PublicID}}
	for _, child := range children {
		now, err := catalog.GetCategory(ctx, tx, child.PublicID)
		if err != nil {
			return nil, err
		}
		if now.UpdatedAt != child.UpdatedAt {
			changed = append(changed, ledger.Created{Entity: FollowingCategory, ID: child.PublicID})
		}
	}
	return changed, nil
}

// OpenAccount opens an account within the caller's write.
func OpenAccount(ctx context.Context, tx *ledger.Tx, in catalog.AccountInput) ([]ledger.Created, error) {
	fresh, err := catalog.CreateAccountTx(ctx, tx, in)
	if err != nil {
		return nil, err
	}
	return []ledger.Created{{Entity: string(ledger.EntityAccount), ID: fresh.PublicID}}, nil
}
