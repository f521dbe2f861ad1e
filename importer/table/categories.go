package table

import (
	"cmp"
	"fmt"
	"strings"

	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/intake"
)

// categories is the kind of files that list categories. It knows by folded name what stands where, in the
// household and in the rows so far, so that a third level is found where the file asks for it.
type categories struct {
	places map[string]intake.CategoryPlace
}

func newCategories(existing map[string]intake.CategoryPlace) *categories {
	c := &categories{places: map[string]intake.CategoryPlace{}}
	for name, place := range existing {
		c.places[name] = place
	}
	return c
}

func (*categories) Settings(s record.Settings) record.Settings { return s }

func (*categories) Headers(f record.Field, _ []string) []string {
	return map[record.Field][]string{
		record.FieldName: {"name", "category"}, record.FieldParent: {"parent_category", "parent"},
		record.FieldColor: {"color", "colour"},
		record.FieldIcon:  {"lucide_icon", "icon"}, record.FieldClassification: {"classification"},
	}[f]
}

func (*categories) vital(record.Settings) []record.Field { return []record.Field{record.FieldName} }

func (c *categories) plan(r *Rows, row *record.Record) {
	cell := func(f record.Field) string { return text.OneLine(textOf(r, row, f)) }
	row.Name = cell(record.FieldName)
	body := &record.Category{Parent: lineOf(r, row, record.FieldParent), Color: cell(record.FieldColor),
		Icon: cell(record.FieldIcon), Classification: ledger.Fold(cell(record.FieldClassification))}
	row.Body = body
	in := record.CategoryInput(row.Name, *body)
	problems := in.Check()
	at := map[string]record.Field{"name": record.FieldName, "color": record.FieldColor,
		"icon": record.FieldIcon, "classification": record.FieldClassification}
	for _, p := range problems {
		r.issue(row, at[p.Field], p.Message)
	}
	if len(row.Issues) > 0 {
		return
	}
	if wrong := c.wrongPlace(row.Name, body.Parent); wrong != "" {
		r.issue(row, record.FieldParent, wrong)
		return
	}
	// Say what of the row's classification does not count, and whether the category is there as the row has it.
	// Blank cells say nothing.
	name, parent := ledger.Fold(row.Name), ledger.Fold(body.Parent)
	own, exists := c.places[name].Looks[parent]
	above, hasAbove := c.places[parent].Looks[""]
	kind := own.Classification
	if parent != "" && hasAbove {
		kind = above.Classification
	}
	if body.Classification != "" && kind != "" && body.Classification != kind {
		of := row.Name + " is"
		if parent != "" {
			of = body.Parent + ", its parent, is"
		}
		row.Remarks = append(row.Remarks, fmt.Sprintf("classification %s does not count: %s %s, and an import changes no classification", body.Classification, of, kind))
	}
	now := intake.CategoryLook{Classification: cmp.Or(kind, body.Classification, catalog.Expense),
		Color: cmp.Or(strings.ToLower(strings.TrimSpace(body.Color)), own.Color), Icon: cmp.Or(body.Icon, own.Icon)}
	if parent != "" {
		now.Color = cmp.Or(above.Color, own.Color)
	}
	row.Exists = exists && now == own
	// Note how the category of a row looks after it.
	place := c.places[name]
	looks := map[string]intake.CategoryLook{parent: now}
	for above, look := range place.Looks {
		if above != parent {
			looks[above] = look
		}
	}
	place.Looks = looks
	c.places[name] = place
	c.place(row.Name, body.Parent)
}

// wrongPlace says why a category cannot be put below the parent of its row; blank when it can.
func (c *categories) wrongPlace(called, below string) string {
	if below == "" {
		return ""
	}
	name, parent := ledger.Fold(called), ledger.Fold(below)
	own, above := c.places[name], c.places[parent]
	switch {
	case name == parent:
		return "must be another category"
	case above.Below != "" && !above.Root:
		return fmt.Sprintf("must be a category without a parent, since there are two levels only; %s is below %s",
			ledger.Quote(below), ledger.Quote(above.Below))
	case own.Root && own.Above:
		return fmt.Sprintf("must be blank, since %s has sub-categories itself and there are two levels only",
			ledger.Quote(called))
	}
	return ""
}

// place notes where the row puts its category.
func (c *categories) place(called, below string) {
	name, parent := ledger.Fold(called), ledger.Fold(below)
	own := c.places[name]
	if below == "" {
		own.Root = own.Root || own.Below == ""
		c.places[name] = own
		return
	}
	own.Root, own.Below = false, below
	c.places[name] = own
	c.places[parent] = intake.CategoryPlace{Root: true, Above: true, Below: c.places[parent].Below,
		Looks: c.places[parent].Looks}
}
