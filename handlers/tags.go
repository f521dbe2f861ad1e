package handlers

import (
	"finsvc/ledger/catalog"
	"finsvc/queries"
)

// listTags answers GET /tags: a bare list of all.
func (s *labels) listTags(a *answer, r *request) error {
	list, err := s.ledger.Catalog.ListTags(r.Context(), r.who())
	if err != nil {
		return err
	}
	a.json.list("")
	for i := range list {
		writeTag(a.json, &list[i])
	}
	a.json.endList()
	return nil
}

// createTag answers POST /tags.
func (s *labels) createTag(a *answer, r *request) error {
	f, err := r.wrapped("tag")
	if err != nil {
		return err
	}
	t, err := s.ledger.Catalog.CreateTag(r.Context(), r.who(), f.tag())
	if err != nil {
		return err
	}
	a.created()
	writeTag(a.json, &t)
	return nil
}

// showTag answers GET /tags/{id}.
func (s *labels) showTag(a *answer, r *request) error {
	id, err := r.pathID("id", "Tag")
	if err != nil {
		return err
	}
	t, err := s.ledger.Catalog.GetTag(r.Context(), r.who(), id)
	if err != nil {
		return err
	}
	writeTag(a.json, &t)
	return nil
}

// updateTag answers PATCH /tags/{id}.
func (s *labels) updateTag(a *answer, r *request) error {
	id, err := r.pathID("id", "Tag")
	if err != nil {
		return err
	}
	f, err := r.wrapped("tag")
	if err != nil {
		return err
	}
	t, err := s.ledger.Catalog.UpdateTag(r.Context(), r.who(), id, f.tag())
	if err != nil {
		return err
	}
	writeTag(a.json, &t)
	return nil
}

// deleteTag answers DELETE /tags/{id}.
func (s *labels) deleteTag(a *answer, r *request) error {
	id, err := r.pathID("id", "Tag")
	if err != nil {
		return err
	}
	if err := s.ledger.Catalog.DeleteTag(r.Context(), r.who(), id); err != nil {
		return err
	}
	a.noContent()
	return nil
}

// tag reads the fields of a tag, new or changed.
func (f *fields) tag() catalog.TagInput {
	in := catalog.TagInput{Name: f.text("name"), Color: f.text("color")}
	in.Problems = *f.problems
	return in
}

// writeTag writes the Tag of the contract.
func writeTag(j *jsonWriter, t *queries.Tag) {
	j.open("")
	j.id("id", t.PublicID)
	j.text("name", t.Name)
	j.text("color", t.Color)
	j.stamp("created_at", t.CreatedAt)
	j.stamp("updated_at", t.UpdatedAt)
	j.close()
}
