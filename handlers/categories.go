package handlers

import (
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
)

// labels answers for what transactions are sorted by: categories, tags and merchants.
type labels struct {
	ledger *books.Books
}

// listCategories answers GET /categories.
func (s *labels) listCategories(a *answer, r *request) error {
	q := r.query()
	page := q.page()
	filter := catalog.CategoryFilter{
		Classification: q.oneOf("classification", catalog.Income, catalog.Expense),
		RootsOnly:      q.flag("roots_only").Value,
		ParentID:       q.id("parent_id"),
	}
	if err := q.err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Catalog.ListCategories(r.Context(), r.who(), filter, page)
	if err != nil {
		return err
	}
	listPage(a.json, "categories", list, page, total, func(c *catalog.Category) { writeCategory(a.json, c) })
	return nil
}

// createCategory answers POST /categories.
func (s *labels) createCategory(a *answer, r *request) error {
	f, err := r.wrapped("category")
	if err != nil {
		return err
	}
	c, err := s.ledger.Catalog.CreateCategory(r.Context(), r.who(), f.category())
	if err != nil {
		return err
	}
	a.created()
	writeCategory(a.json, &c)
	return nil
}

// showCategory answers GET /categories/{id}.
func (s *labels) showCategory(a *answer, r *request) error {
	id, err := r.pathID("id", "Category")
	if err != nil {
		return err
	}
	c, err := s.ledger.Catalog.GetCategory(r.Context(), r.who(), id)
	if err != nil {
		return err
	}
	writeCategory(a.json, &c)
	return nil
}

// updateCategory answers PATCH /categories/{id}.
func (s *labels) updateCategory(a *answer, r *request) error {
	id, err := r.pathID("id", "Category")
	if err != nil {
		return err
	}
	f, err := r.wrapped("category")
	if err != nil {
		return err
	}
	c, err := s.ledger.Catalog.UpdateCategory(r.Context(), r.who(), id, f.category())
	if err != nil {
		return err
	}
	writeCategory(a.json, &c)
	return nil
}

// category reads the fields of a category, new or changed.
func (f *fields) category() catalog.CategoryInput {
	in := catalog.CategoryInput{
		Name: f.text("name"), Classification: f.text("classification"), Color: f.text("color"), Icon: f.text("icon"),
		ParentID: f.id("parent_id"),
	}
	in.Problems = *f.problems
	return in
}

// writeCategory writes the Category of the contract.
func writeCategory(j *jsonWriter, c *catalog.Category) {
	j.open("")
	j.id("id", c.PublicID)
	j.text("name", c.Name)
	j.text("classification", c.Classification)
	j.text("color", c.Color)
	j.text("icon", c.Icon)
	if c.Parent == nil {
		j.null("parent")
	} else {
		j.open("parent")
		j.id("id", c.Parent.ID)
		j.text("name", c.Parent.Name)
		j.text("classification", c.Parent.Classification)
		j.text("color", c.Parent.Color)
		j.text("icon", c.Parent.Icon)
		j.close()
	}
	j.int("subcategories_count", c.Subcategories)
	j.stamp("created_at", c.CreatedAt)
	j.stamp("updated_at", c.UpdatedAt)
	j.close()
}
