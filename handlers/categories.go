package handlers

import (
	"finsvc/handlers/wire"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
)

// labels answers for what transactions are sorted by: categories, tags and merchants.
type labels struct {
	ledger *books.Books
}

// listCategories answers GET /categories.
func (s *labels) listCategories(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page := q.Page()
	filter := catalog.CategoryFilter{
		Classification: q.OneOf("classification", catalog.Income, catalog.Expense),
		RootsOnly:      q.Flag("roots_only").Value,
		ParentID:       q.Id("parent_id"),
	}
	if err := q.Err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Labels.ListCategories(r.Context(), r.Who(), filter, page)
	if err != nil {
		return err
	}
	wire.ListPage(a.Json, "categories", list, page, total, func(c *catalog.Category) { writeCategory(a.Json, c) })
	return nil
}

// createCategory answers POST /categories.
func (s *labels) createCategory(a *wire.Answer, r *wire.Request) error {
	f, err := r.Wrapped("category")
	if err != nil {
		return err
	}
	c, err := s.ledger.Labels.CreateCategory(r.Context(), r.Who(), readCategory(f))
	if err != nil {
		return err
	}
	a.Created()
	writeCategory(a.Json, &c)
	return nil
}

// showCategory answers GET /categories/{id}.
func (s *labels) showCategory(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Category")
	if err != nil {
		return err
	}
	c, err := s.ledger.Labels.GetCategory(r.Context(), r.Who(), id)
	if err != nil {
		return err
	}
	writeCategory(a.Json, &c)
	return nil
}

// updateCategory answers PATCH /categories/{id}.
func (s *labels) updateCategory(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Category")
	if err != nil {
		return err
	}
	f, err := r.Wrapped("category")
	if err != nil {
		return err
	}
	c, err := s.ledger.Labels.UpdateCategory(r.Context(), r.Who(), id, readCategory(f))
	if err != nil {
		return err
	}
	writeCategory(a.Json, &c)
	return nil
}

// readCategory reads the fields of a category, new or changed.
func readCategory(f *wire.Fields) catalog.CategoryInput {
	in := catalog.CategoryInput{
		Name: f.Text("name"), Classification: f.Text("classification"), Color: f.Text("color"), Icon: f.Text("icon"),
		ParentID: f.Id("parent_id"),
	}
	in.Problems = *f.Problems
	return in
}

// writeCategory writes the Category of the contract.
func writeCategory(j *wire.Writer, c *catalog.Category) {
	j.Open("")
	j.Id("id", c.PublicID)
	j.Text("name", c.Name)
	j.Text("classification", c.Classification)
	j.Text("color", c.Color)
	j.Text("icon", c.Icon)
	if c.Parent == nil {
		j.Null("parent")
	} else {
		j.Open("parent")
		j.Id("id", c.Parent.ID)
		j.Text("name", c.Parent.Name)
		j.Text("classification", c.Parent.Classification)
		j.Text("color", c.Parent.Color)
		j.Text("icon", c.Parent.Icon)
		j.Close()
	}
	j.Int("subcategories_count", c.Subcategories)
	j.Stamp("created_at", c.CreatedAt)
	j.Stamp("updated_at", c.UpdatedAt)
	j.Close()
}
