package importer

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"finsvc/ledger"
	"finsvc/queries"
)

// categories is the kind of files that list categories. It knows by folded name what stands where, in the
// household and in the rows so far, so that a third level is found where the file asks for it.
type categories struct {
	places map[string]ledger.CategoryPlace
	stated map[[2]string]bool // the folded names and parents of all rows that are made
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
	c.compare(row)
	c.place(*row)
}

// compare says what of the row's classification does not count, and whether the category is there as the row has it. Blank
// cells say nothing.
func (c *categories) compare(row *Row) {
	name, parent := ledger.Fold(row.Name), ledger.Fold(row.Parent)
	own, exists := c.places[name].Looks[parent]
	above, hasAbove := c.places[parent].Looks[""]
	kind := own.Classification
	if parent != "" && hasAbove {
		kind = above.Classification
	}
	if row.Classification != "" && kind != "" && row.Classification != kind {
		of := row.Name + " is"
		if parent != "" {
			of = row.Parent + ", its parent, is"
		}
		row.Remarks = append(row.Remarks, fmt.Sprintf("classification %s does not count: %s %s, and an import changes no classification", row.Classification, of, kind))
	}
	now := ledger.CategoryLook{Classification: cmp.Or(kind, row.Classification, ledger.Expense), Color: cmp.Or(strings.ToLower(strings.TrimSpace(row.Color)), own.Color), Icon: cmp.Or(row.Icon, own.Icon)}
	if parent != "" {
		now.Color = cmp.Or(above.Color, own.Color)
	}
	row.There = exists && now == own
	c.look(name, parent, now)
}

// look notes how the category of a row looks after it.
func (c *categories) look(name, parent string, now ledger.CategoryLook) {
	place := c.places[name]
	looks := map[string]ledger.CategoryLook{parent: now}
	for above, look := range place.Looks {
		if above != parent {
			looks[above] = look
		}
	}
	place.Looks = looks
	c.places[name] = place
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
	c.places[parent] = ledger.CategoryPlace{Root: true, Above: true, Below: c.places[parent].Below, Looks: c.places[parent].Looks}
}

// rank lets categories without a parent come first.
func (*categories) rank(row Row) int {
	if row.Parent == "" {
		return 0
	}
	return 1
}

// overlook notes which places the file has for its names: two of them are two categories, and none of them is moved to the
// place of the other.
func (c *categories) overlook(rows []Row) {
	c.stated = make(map[[2]string]bool, len(rows))
	for _, row := range rows {
		c.stated[[2]string{ledger.Fold(row.Name), ledger.Fold(row.Parent)}] = true
	}
}

func (c *categories) make(ctx context.Context, q *queries.Queries, m *making, row Row) ([]ledger.Created, error) {
	return m.ledger.PlaceCategory(ctx, q, m.who, categoryInput(row), row.Parent,
		func(name, parent string) bool { return c.stated[[2]string{name, parent}] })
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
