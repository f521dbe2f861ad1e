package importer

import (
	"context"
	"fmt"

	"finsvc/ledger"
	"finsvc/queries"
)

// categories is the kind of files that list categories. It knows by folded name what stands where, in the
// household and in the rows so far, so that a third level is found where the file asks for it.
type categories struct {
	places map[string]ledger.CategoryPlace
}

func newCategories(existing map[string]ledger.CategoryPlace) *categories {
	c := &categories{places: map[string]ledger.CategoryPlace{}}
	for name, place := range existing {
		c.places[name] = place
	}
	return c
}

func (*categories) settings(s Settings) Settings { return s }

func (*categories) headers(f field, _ []string) []string {
	return map[field][]string{
		fieldName: {"name", "category"}, fieldParent: {"parent_category", "parent"}, fieldColor: {"color", "colour"},
		fieldIcon: {"lucide_icon", "icon"}, fieldClassification: {"classification"},
	}[f]
}

func (*categories) vital(Settings) []field { return []field{fieldName} }

func (c *categories) plan(r *Rows, row *Row) {
	row.Entity = entityCategory
	cell := func(f field) string { return oneLine(r.text(row, f)) }
	row.Name, row.Parent, row.Color = cell(fieldName), r.line(row, fieldParent), cell(fieldColor)
	row.Icon, row.Classification = cell(fieldIcon), ledger.Fold(cell(fieldClassification))
	in := categoryInput(*row)
	r.report(row, in.Check(), map[string]field{"name": fieldName, "color": fieldColor, "icon": fieldIcon, "classification": fieldClassification})
	if len(row.Issues) > 0 {
		return
	}
	if wrong := c.wrongPlace(*row); wrong != "" {
		r.issue(row, fieldParent, wrong)
		return
	}
	c.place(*row)
}

// wrongPlace says why a category cannot be put below the parent of its row; blank when it can.
func (c *categories) wrongPlace(row Row) string {
	if row.Parent == "" {
		return ""
	}
	name, parent := ledger.Fold(row.Name), ledger.Fold(row.Parent)
	switch own, above := c.places[name], c.places[parent]; {
	case name == parent:
		return "must be another category"
	case above.Below != "" && !above.Root:
		return fmt.Sprintf("must be a category without a parent, since there are two levels only; %s is below %s",
			ledger.Quote(row.Parent), ledger.Quote(above.Below))
	case own.Root && own.Above:
		return fmt.Sprintf("must be blank, since %s has sub-categories itself and there are two levels only", ledger.Quote(row.Name))
	}
	return ""
}

// place notes where the row puts its category.
func (c *categories) place(row Row) {
	name, parent := ledger.Fold(row.Name), ledger.Fold(row.Parent)
	own := c.places[name]
	if row.Parent == "" {
		own.Root = own.Root || own.Below == ""
		c.places[name] = own
		return
	}
	own.Root, own.Below = false, row.Parent
	c.places[name] = own
	c.places[parent] = ledger.CategoryPlace{Root: true, Above: true, Below: c.places[parent].Below}
}

// rank lets categories without a parent come first.
func (*categories) rank(row Row) int {
	if row.Parent == "" {
		return 0
	}
	return 1
}

func (*categories) make(ctx context.Context, q *queries.Queries, m *making, row Row) ([]ledger.Created, error) {
	return m.ledger.PlaceCategory(ctx, q, m.who, categoryInput(row), row.Parent)
}

// categoryInput has what the row says; a blank cell says nothing.
func categoryInput(row Row) ledger.CategoryInput {
	return ledger.CategoryInput{Name: ledger.Some(row.Name), Color: said(row.Color), Icon: said(row.Icon), Classification: said(row.Classification)}
}

func said(cell string) ledger.Opt[string] {
	if cell == "" {
		return ledger.Opt[string]{}
	}
	return ledger.Some(cell)
}

// report makes problems that the ledger found issues of the columns that hold their fields.
func (r *Rows) report(row *Row, problems ledger.Problems, at map[string]field) {
	for _, p := range problems {
		r.issue(row, at[p.Field], p.Message)
	}
}
