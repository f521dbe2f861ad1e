package catalog

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// Income and Expense are the classifications of categories.
const (
	Income  = "income"
	Expense = "expense"
)

// CategoryInput is what a client says about a category, new or changed. Colour and icon are chosen where
// they are null, or absent from a new category. A sub-category has the classification and the colour of
// its parent, whatever colour is given. A null ParentID makes it a category without a parent. Problems are
// what decoding found.
type CategoryInput struct {
	Name, Classification, Color, Icon ledger.Opt[string]
	ParentID                          ledger.Opt[uuid.UUID]
	Problems                          ledger.Problems
}

// parent is the parent that the category, new or present, will have; nil for none.
func (in *CategoryInput) parent(ctx context.Context, tx *ledger.Tx, present Category) (*queries.Category, error) {
	id := in.ParentID
	if !id.Set && present.Parent != nil {
		id = ledger.Some(present.Parent.ID)
	}
	if !id.Has() {
		return nil, nil
	}
	parent, err := GetCategory(ctx, tx, queries.PublicID(id.Value))
	switch {
	case ledger.IsKind(err, ledger.NotFound):
		in.Problems.Add("parent_id", "is not the id of one of the household's own categories: %s", id.Value)
		return nil, nil
	case err != nil:
		return nil, err
	case parent.ID == present.ID:
		in.Problems.Add("parent_id", "must be another category")
	case parent.Parent != nil:
		in.Problems.Add("parent_id", "must be a category without a parent, since there are two levels only; %s is below %s", ledger.Quote(parent.Name), ledger.Quote(parent.Parent.Name))
	case present.Subcategories > 0:
		in.Problems.Add("parent_id", "must be null, since the category has sub-categories itself and there are two levels only")
	}
	return &parent.Category, nil
}

// fill applies what is given to a category, new or present, and checks it.
func (in *CategoryInput) fill(c queries.Category, parent *queries.Category) (queries.Category, error) {
	if (in.Name.Set || c.ID == 0) && !in.Problems.Has("name") {
		c.Name = in.Problems.CheckName("name", in.Name.Or(""))
		c.NameKey = ledger.Fold(c.Name)
	}
	c.ParentID = nil
	if parent != nil {
		c.ParentID = &parent.ID
	}
	c.Classification = in.classification(c, parent)
	c.Color, c.Icon = in.color(c), in.icon(c)
	if parent != nil {
		c.Color = parent.Color
	}
	return c, in.Problems.Err()
}

func (in *CategoryInput) classification(c queries.Category, parent *queries.Category) string {
	given := in.Classification.Or("")
	switch {
	case given != "" && given != Income && given != Expense:
		in.Problems.Add("classification", "must be income or expense, got %s", ledger.Quote(given))
	case parent != nil && given != "" && given != parent.Classification:
		in.Problems.Add("classification", "must be that of the parent, %s, got %s", parent.Classification, given)
	case parent != nil:
		return parent.Classification
	case given != "":
		return given
	case c.ID == 0:
		return Expense
	}
	return c.Classification
}

func (in *CategoryInput) color(c queries.Category) string {
	switch {
	case in.Color.Has():
		return in.Problems.CheckColor("color", in.Color.Value)
	case in.Color.Set || c.ID == 0:
		return ledger.PickColor(c.Name)
	}
	return c.Color
}

func (in *CategoryInput) icon(c queries.Category) string {
	switch {
	case in.Icon.Has():
		icon := in.Problems.CheckName("icon", in.Icon.Value)
		if strings.Trim(icon, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" && !in.Problems.Has("icon") {
			in.Problems.Add("icon", "must be the name of an icon in lower case, such as shopping-bag, got %s",
				ledger.Quote(icon))
		}
		return icon
	case in.Icon.Set || c.ID == 0:
		return suggestIcon(c.Name)
	}
	return c.Icon
}

// Check finds what is wrong with a new category by itself, whatever its parent.
func (in CategoryInput) Check() ledger.Problems {
	_, _ = in.fill(queries.Category{}, nil) // it is the problems that are wanted
	return in.Problems
}
